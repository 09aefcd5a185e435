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
    /// One in how many of them is measured.
    #[serde(default = "every")]
    pub length_step: usize,
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
    /// A plan that ends fast: within a minute for the sets of an ordinary comparison, within some minutes for all.
    #[must_use]
    pub fn quick(sets: Vec<String>) -> Self {
        let budget_ms = share(40, sets.len()).clamp(100, 800);
        Self { budget_ms, min_samples: 2, max_samples: 200, length_step: 4, ..Self::whole(sets) }
    }

    /// A plan whose figures are to be published: a quarter of an hour for all sets, longer samples for few.
    #[must_use]
    pub fn whole(sets: Vec<String>) -> Self {
        Self {
            budget_ms: share(600, sets.len()).clamp(400, 3000),
            sets,
            backend: None,
            min_samples: 3,
            max_samples: 1000,
            lengths: false,
            length_step: 1,
            growth: false,
            peers: false,
            build: String::new(),
            peer_library: None,
        }
    }
}

/// Operations of a set that are measured: three, and two with expanded keys.
const OPERATIONS: u64 = 5;

/// The part of `seconds` that falls to one operation of one of `sets` sets, in milliseconds.
fn share(seconds: u64, sets: usize) -> u64 {
    1000 * seconds / (OPERATIONS * sets.max(1) as u64)
}

fn every() -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::Plan;

    #[test]
    fn many_sets_share_the_time() {
        let sets = |count| vec![String::new(); count];
        assert_eq!(Plan::quick(sets(13)).budget_ms, 615);
        assert_eq!(Plan::quick(sets(1)).budget_ms, 800);
        assert_eq!(Plan::quick(sets(180)).budget_ms, 100);
        assert_eq!(Plan::whole(sets(180)).budget_ms, 666);
        assert_eq!(Plan::whole(sets(1)).budget_ms, 3000);
    }
}
