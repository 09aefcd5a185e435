//! What is asked of a benchmark program.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A foreign library with the NIST API, loaded at run time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerLibrary {
    /// The shared object.
    pub path: PathBuf,
    /// What reports call it.
    pub name: String,
    /// Put before `crypto_sign`, `crypto_sign_keypair`, ...
    pub symbol_prefix: String,
}

/// What to measure, and how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Registry names.
    pub sets: Vec<String>,
    /// Name of the highest back-end level that kernels may use.
    pub backend: Option<String>,
    /// Time to spend on one operation of one set, in milliseconds.
    pub budget_ms: u64,
    /// Fewest samples of an operation; one if a call takes four times the budget.
    pub min_samples: usize,
    /// Most samples of an operation.
    pub max_samples: usize,
    /// Measure over SUPERCOP's message lengths too.
    pub lengths: bool,
    /// Measure how root finding grows with n and D.
    #[serde(default)]
    pub growth: bool,
    /// Measure beside the peers that are compiled in.
    pub peers: bool,
    /// Compiler and flags, for the report.
    pub build: String,
    /// Measure beside this library.
    pub peer_library: Option<PeerLibrary>,
}

impl Plan {
    /// A plan that ends fast.
    #[must_use]
    pub fn quick(sets: Vec<String>) -> Self {
        Self { budget_ms: 250, min_samples: 2, max_samples: 60, ..Self::whole(sets) }
    }

    /// A plan whose figures are to be published.
    #[must_use]
    pub fn whole(sets: Vec<String>) -> Self {
        Self {
            sets,
            backend: None,
            budget_ms: 700,
            min_samples: 3,
            max_samples: 1000,
            lengths: false,
            growth: false,
            peers: false,
            build: String::new(),
            peer_library: None,
        }
    }
}
