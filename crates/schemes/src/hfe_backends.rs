//! The back ends that the HFEv- families report.

use alloc::{vec, vec::Vec};

use gf2n::backend::ClmulBackend;

use crate::KernelBackend;

/// What field products and with them root finding and key generation would use here.
pub(crate) fn backends() -> Vec<KernelBackend> {
    vec![KernelBackend { kernel: "carry-less products of GF(2^n)", backend: ClmulBackend::best().name() }]
}
