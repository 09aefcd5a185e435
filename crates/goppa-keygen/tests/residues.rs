//! What the search for a recurrence leaves in freed memory: nothing of the sequence and the polynomial, which are secret.

#[path = "../../gf2x-roots/tests/common/mod.rs"]
mod common;

use common::residues;
use gf2n::small::gf2m::backend::{LaneBackend, Portable};
use goppa_keygen::berlekamp_massey::berlekamp_massey;

fn check<B: LaneBackend, const M: usize>(backend: B, degree: usize) {
    let mut state = 1u64;
    let sequence: Vec<u16> = (0..2 * degree)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u16 & ((1 << M) - 1)
        })
        .collect();
    let mut length = 0;
    let left = residues(|| length = berlekamp_massey::<B, M>(backend, &sequence).length);
    assert_eq!((left, length), (0, degree), "{} m {M} degree {degree}", B::NAME);
}

fn all<B: LaneBackend>(backend: B) {
    check::<B, 12>(backend, 64);
    check::<B, 13>(backend, 128);
    check::<B, 13>(backend, 119);
}

/// One test, as the allocator is the process's.
#[test]
fn freed_memory_holds_no_coefficients() {
    assert_eq!(residues(|| drop(vec![u64::MAX; 3])), 1, "the allocator sees what is freed");
    all(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        use gf2n::small::gf2m::backend::{Avx2, Avx512};
        if let Some(token) = Avx2::detect() {
            all(token);
        }
        if let Some(token) = Avx512::detect() {
            all(token);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(token) = gf2n::small::gf2m::backend::Neon::detect() {
        all(token);
    }
}
