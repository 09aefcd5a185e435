//! Every back end of this CPU against the portable one, operation by operation and whole.

use alloc::{vec, vec::Vec};
use proptest::prelude::*;

use super::keccak::check_against_single;
use super::portable::{self, Portable};
use super::{Backend, gather_block, partial_terms};
use crate::qruov::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, QuotientRing};
use crate::qruov::system::{self, CHUNK, Chunk};

/// Bytes from a seed, so that cases shrink to small numbers.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn sampling<B: Backend, R: QuotientRing>(backend: B, seed: u64, count: usize, spare: usize, dense: bool) {
    let mut expected = bytes(seed, count + spare);
    if dense {
        // many rejected bytes: the replacements run out
        expected.iter_mut().for_each(|byte| *byte |= if *byte & 0x80 != 0 { 0x7f } else { 0 });
    }
    let mut found = expected.clone();
    portable::sample::<R>(&mut expected, count);
    backend.run(
        #[inline(always)]
        || backend.sample::<R>(&mut found, count),
    );
    assert_eq!(
        found[..count],
        expected[..count],
        "{} q = {} count {count} spare {spare}",
        B::NAME,
        R::MODULUS
    );
}

fn gathering<B: Backend, R: QuotientRing>(backend: B, seed: u64, count: usize, offset: usize) {
    let stride = offset + count * R::DEGREE + 61;
    let raw = bytes(seed, B::LANES * stride);
    let size = (count + gather_block::<R>()) * R::QUADS;
    let mut found = vec![backend.zero(); size];
    backend.run(
        #[inline(always)]
        || backend.gather::<R>(&raw, stride, offset, count, &mut found),
    );
    let words = B::words(&found);
    for lane in 0..B::LANES {
        for j in 0..count {
            for q in 0..R::QUADS {
                let mut quad = [0; 4];
                for (t, byte) in quad.iter_mut().enumerate().take(R::DEGREE - 4 * q) {
                    *byte = raw[lane * stride + offset + j * R::DEGREE + 4 * q + t];
                }
                let word = words[(j * R::QUADS + q) * B::LANES + lane];
                assert_eq!(word, u32::from_le_bytes(quad), "{} lane {lane} element {j} quad {q}", B::NAME);
            }
        }
    }
}

/// Partial sums of as many extreme products as are allowed before widening.
fn extreme_products<B: Backend, R: QuotientRing>(backend: B) {
    let largest = (R::MODULUS - 1) as u8;
    let half = (largest / 2) as i8;
    let terms = partial_terms::<R>();
    for weight in [half, -half] {
        let sum = backend.run(
            #[inline(always)]
            || {
                let elements = backend.broadcast(u32::from_le_bytes([largest; 4]));
                let weights = backend.broadcast(u32::from_le_bytes([weight as u8; 4]));
                let mut partial = backend.zero();
                for _ in 0..terms {
                    partial = backend.multiply_add(partial, elements, weights);
                }
                backend.widen(backend.broadcast(5), partial)
            },
        );
        let expected = 5 + 4 * terms as i32 * i32::from(largest) * i32::from(weight);
        for &word in B::words(&[sum]) {
            assert_eq!(word as i32, expected, "{} q = {}", B::NAME, R::MODULUS);
        }
    }
}

fn rows<B: Backend, R: QuotientRing>(backend: B, seed: u64, len: usize) {
    let chunks = |seed: u64, limit: u32| -> Vec<Chunk> {
        let bytes = bytes(seed, len * CHUNK);
        let entry = |byte: &u8| (u32::from(*byte) % (limit + 1)) as u16;
        let chunk = |bytes: &[u8; CHUNK]| Chunk(core::array::from_fn(|i| entry(&bytes[i])));
        bytes.as_chunks::<CHUNK>().0.iter().map(chunk).collect()
    };
    let (row, pivot) = (chunks(seed, 2 * R::MODULUS + 1), chunks(seed ^ 77, R::MODULUS));
    for factor in [0, 1, R::MODULUS as u16, R::MODULUS as u16 + 1] {
        let (mut expected, mut found) = (row.clone(), row.clone());
        system::eliminate::<R>(&mut expected, &pivot, factor);
        backend.run(
            #[inline(always)]
            || backend.eliminate::<R>(&mut found, &pivot, factor),
        );
        assert!(expected.iter().zip(&found).all(|(x, y)| x.0 == y.0), "{} eliminate", B::NAME);
    }
    for mask in [0, u16::MAX] {
        let (mut expected, mut found) = (row.clone(), row.clone());
        system::select(&mut expected, &pivot, mask);
        backend.run(
            #[inline(always)]
            || backend.select(&mut found, &pivot, mask),
        );
        assert!(expected.iter().zip(&found).all(|(x, y)| x.0 == y.0), "{} select", B::NAME);
    }
}

fn operations<B: Backend, R: QuotientRing>(backend: B, seed: u64, count: usize, spare: usize) {
    sampling::<B, R>(backend, seed, count, spare, false);
    sampling::<B, R>(backend, seed, count, spare % 70, true);
    gathering::<B, R>(backend, seed, count % 40, spare % 5);
    rows::<B, R>(backend, seed, count % 4);
    let (expected, found) = (
        Portable.spread::<R>(seed),
        backend.run(
            #[inline(always)]
            || backend.spread::<R>(seed),
        ),
    );
    assert_eq!(found, expected);
}

fn every_ring<B: Backend>(backend: B, seed: u64, count: usize, spare: usize) {
    operations::<B, Q7L10>(backend, seed, count, spare);
    operations::<B, Q31L3>(backend, seed, count, spare);
    operations::<B, Q31L10>(backend, seed, count, spare);
    operations::<B, Q127L3>(backend, seed, count, spare);
    operations::<B, Q127L10>(backend, seed, count, spare);
}

fn fixed<B: Backend>(backend: B) {
    check_against_single(backend);
    extreme_products::<B, Q7L10>(backend);
    extreme_products::<B, Q31L3>(backend);
    extreme_products::<B, Q127L3>(backend);
    let mut expected: [u64; 25] = core::array::from_fn(|i| (i as u64) << 33 | 5);
    let mut found = expected;
    super::keccak::permute_single(&mut expected);
    backend.run(
        #[inline(always)]
        || backend.permute(&mut found),
    );
    assert_eq!(found, expected, "{} Keccak-f", B::NAME);
}

/// Runs `$body` for every back end of this CPU, the portable one included.
macro_rules! for_every_backend {
    (|$backend:ident| $body:expr) => {
        let $backend = Portable;
        $body;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($backend) = super::x86::avx2::Avx2::detect() {
                $body;
            }
            if let Some($backend) = super::x86::avx512::Avx512Vnni::detect() {
                $body;
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some($backend) = super::aarch64::Neon::detect() {
            $body;
        }
    };
}

#[test]
fn fixed_cases() {
    for_every_backend!(|backend| fixed(backend));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn operations_agree(seed in any::<u64>(), count in 0_usize..300, spare in 0_usize..300) {
        for_every_backend!(|backend| every_ring(backend, seed, count, spare));
    }
}
