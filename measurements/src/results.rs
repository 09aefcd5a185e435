//! What a benchmark program answers.

use serde::{Deserialize, Serialize};

use crate::Statistics;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Key generation.
    Keygen,
    /// Signing from the official bytes of the secret key.
    Sign,
    /// Verifying from the official bytes of the public key.
    Verify,
    /// Signing with an expanded key.
    SignExpanded,
    /// Verifying with a prepared key.
    VerifyPrepared,
    /// Encapsulation.
    Encapsulate,
    /// Decapsulation from the official bytes of the secret key.
    Decapsulate,
    /// Decapsulation with a prepared key.
    DecapsulatePrepared,
}

impl Operation {
    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Sign => "sign",
            Self::Verify => "verify",
            Self::SignExpanded => "sign, expanded key",
            Self::VerifyPrepared => "verify, prepared key",
            Self::Encapsulate => "encapsulate",
            Self::Decapsulate => "decapsulate",
            Self::DecapsulatePrepared => "decapsulate, prepared key",
        }
    }
}

/// Attempts of a rejection loop during a series of signatures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempts {
    /// Attempts per signature, on average.
    pub per_signature: f64,
    /// What the scheme's probabilities give for that average, where they are simple.
    #[serde(default)]
    pub expected: Option<f64>,
    /// Ticks per attempt: all ticks by all attempts.
    pub ticks_per_attempt: f64,
}

/// One operation of one set. Timings are in ticks of the time-stamp counter, per call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Registry name.
    pub set: String,
    /// Which operation.
    pub operation: Operation,
    /// Calls in one sample.
    pub batch: usize,
    /// The statistics.
    pub ticks: Statistics,
    /// Where signing is a rejection loop.
    pub attempts: Option<Attempts>,
    /// Samples during which the thread lost its CPU: of these the thread's CPU time counts, turned into ticks.
    pub interrupted: usize,
    /// The single timings, in order.
    pub samples: Vec<f64>,
}

/// SUPERCOP's row of one message length: the three loops' central values in ticks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LengthRow {
    /// Registry name.
    pub set: String,
    /// Message length in bytes.
    pub length: usize,
    /// Signing.
    pub sign: [f64; 3],
    /// Opening.
    pub open: [f64; 3],
}

/// One operation of one set measured in turn with a peer, in one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Registry name.
    pub set: String,
    /// Which operation.
    pub operation: Operation,
    /// Name and version of the peer.
    pub peer: String,
    /// How the peer was built and which back end it uses, as far as it says.
    pub peer_build: String,
    /// Whether both made the same bytes from the same randomness; `None` where the peer's randomness cannot be chosen.
    pub same_bytes: Option<bool>,
    /// Whether the peer ignores bits of a signature: one with such a bit changed is accepted.
    #[serde(default)]
    pub malleable: bool,
    /// Our ticks.
    pub ours: Statistics,
    /// The peer's ticks.
    pub theirs: Statistics,
    /// Peer's ticks by ours, pair by pair: above 1 where ours is faster.
    pub ratio: Statistics,
}

/// Cost of finding the roots of a random HFE polynomial: one inversion of a central map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// n of the field GF(2^n).
    pub field_degree: usize,
    /// D of the polynomial.
    pub degree: usize,
    /// Ticks.
    pub ticks: Statistics,
}

/// The machine and the build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The CPU's own name.
    pub cpu: String,
    /// Ticks of the time-stamp counter in one second.
    pub ticks_per_second: f64,
    /// Core cycles in one tick, from a chain of dependent additions.
    pub core_cycles_per_tick: f64,
    /// Spread of that calibration over the run: largest by smallest, less 1.
    pub calibration_spread: f64,
    /// Back-end ceiling of the run.
    pub backend: String,
    /// Compiler and flags.
    pub build: String,
    /// When, as `YYYY-MM-DD`.
    pub date: String,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Where.
    pub machine: Machine,
    /// One row an operation.
    pub rows: Vec<Row>,
    /// SUPERCOP's tables, if asked for.
    pub lengths: Vec<LengthRow>,
    /// Beside peers, if asked for.
    pub pairs: Vec<Pair>,
    /// Cost of root finding over (n, D), if asked for.
    #[serde(default)]
    pub growth: Vec<Growth>,
    /// Sets that gave no row, and why: a scheme that accepts what it must refuse is not measured.
    pub refused: Vec<(String, String)>,
    /// Remarks: a peer that could not be compared, a machine that is not idle.
    pub remarks: Vec<String>,
}
