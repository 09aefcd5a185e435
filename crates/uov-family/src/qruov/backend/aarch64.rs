//! NEON: four lanes, 16-bit partial sums from widening products. Part of the aarch64 base line.

use core::arch::aarch64::*;

use crate::qruov::backend::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;

gf2n::cpu_token! {
    /// Proves NEON.
    pub(crate) struct Neon, qruov_neon_detection, gf2n::backend::Level::Simd128, ["neon"]
}
