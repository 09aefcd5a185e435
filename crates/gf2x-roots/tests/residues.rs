//! What the search for roots leaves in freed memory: no element of the field, as an allocator sees that looks at every block.

#![allow(clippy::expect_used, reason = "a failure ends the test")]

mod common;

use common::residues;
use gf2n::Gf2n;
use gf2x_roots::hfe::HfePolynomial;

type Field = Gf2n<192, 3>;

/// One test, as the allocator is the process's.
#[test]
fn freed_memory_holds_no_elements() {
    assert_eq!(residues(|| drop(vec![u64::MAX; 3])), 1, "the allocator sees what is freed");

    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 29
    };
    let mut element = || Field::from_limbs_truncated(core::array::from_fn(|_| word()));
    let mut most = 0;
    for (high, low) in [(4, 0), (5, 0), (6, 3), (7, 5), (9, 0), (9, 7)] {
        for _ in 0..20 {
            let linear = (0..=high).map(|_| element()).collect();
            let quadratic =
                (0..HfePolynomial::<192, 3>::quadratic_len(high, low)).map(|_| element()).collect();
            let polynomial = HfePolynomial::<192, 3>::new(high, low, element(), linear, quadratic)
                .expect("the shape fits");
            let mut roots = Vec::new();
            let left = residues(|| roots = polynomial.roots());
            assert_eq!(left, 0, "I = {high}, J = {low}, {} roots", roots.len());
            assert_eq!(residues(|| assert_eq!(polynomial.count_roots(), roots.len())), 0);
            assert_eq!(residues(|| assert_eq!(polynomial.unique_root().is_some(), roots.len() == 1)), 0);
            most = most.max(roots.len());
            assert_eq!(residues(|| drop(polynomial)), 0, "the polynomial wipes itself");
        }
    }
    assert!(most > 3, "some product was cut by traces");
}
