//! Errors from positions and syndromes against their definitions, on every back end.

use gf2n::small::gf2m::backend::Portable;
#[cfg(target_arch = "x86_64")]
use gf2n::small::gf2m::backend::{Avx2, Avx512};
use goppa_keygen::backend::Backend;
use goppa_keygen::encode::syndrome;
use goppa_keygen::error_vector::{DistinctScratch, distinct, error_from_positions};
use proptest::prelude::*;

fn bit(bytes: &[u8], index: usize) -> u8 {
    bytes[index / 8] >> (index % 8) & 1
}

fn check<B: Backend>(backend: B, positions: &[u16], length: usize, redundancy: usize, key: &[u8]) {
    let mut expected = vec![0u8; length.div_ceil(8)];
    for position in positions {
        expected[usize::from(*position) / 8] |= 1 << (position % 8);
    }
    let weight: u32 = expected.iter().map(|byte| byte.count_ones()).sum();
    let mut scratch = DistinctScratch::new(positions.len());
    // twice: old entries of the buffers do not matter
    for _ in 0..2 {
        let verdict = distinct(backend, positions, &mut scratch);
        assert_eq!(verdict, weight as usize == positions.len(), "{}", B::NAME);
        if !verdict {
            return;
        }
    }
    let error = error_from_positions(backend, positions, length);
    assert_eq!(*error, *expected, "{} length {length}", B::NAME);

    let row_bytes = (length - redundancy).div_ceil(8);
    let padded = !(length - redundancy).is_multiple_of(8);
    let found = syndrome(backend, key, redundancy, length, &error);
    let mut last_bytes = 0;
    for row in 0..redundancy {
        let entries = &key[row * row_bytes..(row + 1) * row_bytes];
        let parity = (0..length - redundancy).fold(bit(&error, row), |sum, column| {
            sum ^ bit(entries, column) & bit(&error, redundancy + column)
        });
        assert_eq!(bit(&found.bits, row), parity, "{} row {row}", B::NAME);
        last_bytes |= entries[row_bytes - 1];
    }
    for index in redundancy..8 * found.bits.len() {
        assert_eq!(bit(&found.bits, index), 0);
    }
    assert_eq!(found.last_bytes, if padded { last_bytes } else { 0 });
}

fn every_backend(positions: &[u16], length: usize, redundancy: usize, key: &[u8]) {
    check(Portable, positions, length, redundancy, key);
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(backend) = Avx2::detect() {
            check(backend, positions, length, redundancy, key);
        }
        if let Some(backend) = Avx512::detect() {
            check(backend, positions, length, redundancy, key);
        }
    }
}

/// A matrix without structure.
fn key(redundancy: usize, length: usize) -> Vec<u8> {
    let bytes = redundancy * (length - redundancy).div_ceil(8);
    (0..bytes as u32).map(|i| (i.wrapping_mul(0x9E37_79B9) ^ i.rotate_left(7)).to_le_bytes()[2]).collect()
}

proptest! {
    #[test]
    fn random_positions(
        length in 2usize..20_000,
        fraction in 0.0..1.0f64,
        seeds in prop::collection::vec(any::<u16>(), 1..200),
    ) {
        let positions: Vec<u16> =
            seeds.iter().map(|seed| (usize::from(*seed) % length) as u16).collect();
        let redundancy = 1 + ((length.min(300) - 2) as f64 * fraction) as usize;
        every_backend(&positions, length, redundancy, &key(redundancy, length));
    }
}

/// First, last and neighbouring positions, all of them at once, and one that is there twice.
#[test]
fn edges() {
    for length in [8usize, 63, 64, 65, 256, 8191, 8192, 8193, 65_535, 65_536] {
        let last = (length - 1) as u16;
        let matrix = key(5, length);
        every_backend(&[last], length, 5, &matrix);
        every_backend(&[0, last], length, 5, &matrix);
        every_backend(&[last, 0, 1, last - 1, last / 2], length, 5, &matrix);
        every_backend(&[3, last, 1, last], length, 5, &matrix);
        if length <= 256 {
            let all: Vec<u16> = (0..=last).rev().collect();
            every_backend(&all, length, 5, &matrix);
        }
    }
}
