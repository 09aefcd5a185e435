//! Berlekamp-Massey and minimal polynomials against linear algebra, on every back end.

#![allow(clippy::unwrap_used)]

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::Portable;
use goppa_keygen::backend::carryless::CarrylessLists;
use goppa_keygen::extension::Extension;

fn numbers(count: usize, seed: u64, mask: u16) -> Vec<u16> {
    let mut state = seed ^ 0x5555;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u16 & mask
        })
        .collect()
}

/// g(element) in the extension, g monic of degree t given by its low coefficients.
fn value_at(extension: &Extension, g: &[u16], element: &[u16]) -> Vec<u16> {
    let mut value = vec![0u16; extension.degree()];
    value[0] = 1;
    for coefficient in g.iter().rev() {
        value = extension.mul(Portable, &value, element).to_vec();
        value[0] ^= coefficient;
    }
    value
}

fn check<B: CarrylessLists, const M: usize>(backend: B, degree: usize, terms: &[(usize, u16)]) {
    let field = Gf2m::new(M as u32).unwrap();
    let extension = Extension::new(field, degree, terms).unwrap();
    for seed in 0..6 {
        let element = numbers(degree, seed, field.mask());
        let g = extension.minimal_polynomial::<B, M>(backend, &element).unwrap();
        assert_eq!(g.len(), degree);
        assert!(value_at(&extension, &g, &element).iter().all(|c| *c == 0), "{} m {M} t {degree}", B::NAME);
        let other = numbers(degree, seed + 100, field.mask());
        assert_eq!(extension.mul(backend, &element, &other), extension.mul(Portable, &other, &element));
        assert_eq!(extension.square(backend, &other), extension.mul(Portable, &other, &other));
    }
    // elements of the base field have degree 1
    let mut constant = vec![0u16; degree];
    constant[0] = 3;
    assert!(extension.minimal_polynomial::<B, M>(backend, &constant).is_none());
}

fn check_all<B: CarrylessLists>(backend: B) {
    check::<B, 4>(backend, 2, &[(1, 1), (0, 8)]);
    check::<B, 5>(backend, 3, &[(1, 1), (0, 1)]);
    check::<B, 12>(backend, 64, &[(3, 1), (1, 1), (0, 2)]);
    check::<B, 13>(backend, 96, &[(10, 1), (9, 1), (6, 1), (0, 1)]);
    check::<B, 13>(backend, 119, &[(8, 1), (0, 1)]);
    check::<B, 13>(backend, 128, &[(7, 1), (2, 1), (1, 1), (0, 1)]);
}

#[test]
fn every_back_end_finds_minimal_polynomials() {
    check_all(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        use gf2n::small::gf2m::backend::{Avx2, Avx512};
        if let Some(token) = Avx2::detect() {
            check_all(token);
        }
        if let Some(token) = Avx512::detect() {
            check_all(token);
        }
    }
}

#[test]
fn published_product() {
    let field = Gf2m::new(12).unwrap();
    let extension = Extension::new(field, 64, &[(3, 1), (1, 1), (0, 2)]).unwrap();
    let a: Vec<u16> = (1..=64).collect();
    let b: Vec<u16> = (0..64).map(|i| (0x51 * i + 7) & 0xfff).collect();
    let product = extension.mul(Portable, &a, &b);
    assert_eq!(product[..8], [0xbc8, 0x8e3, 0x841, 0xf26, 0x335, 0x874, 0x8c0, 0x435]);
}
