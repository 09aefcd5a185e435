//! Every back end of this CPU against the portable one, operation by operation and whole.

use alloc::{vec, vec::Vec};
use proptest::prelude::*;

use super::portable::{self, Portable};
use super::{Backend, Scratch, gather, gather_block, partial_terms};
use crate::qruov::lanes::{pack_canonical, pack_differences, pack_sums};
use crate::qruov::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, QuotientRing};

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
    let drawn = count + spare;
    let mut expected = bytes(seed, drawn);
    if dense {
        // many rejected bytes: the replacements run out
        expected.iter_mut().for_each(|byte| *byte |= if *byte & 0x80 != 0 { 0x7f } else { 0 });
    }
    let mut found = expected.clone();
    found.resize(drawn + 64, 0x55);
    let sufficed = portable::sample::<R>(&mut expected, count);
    let mut scratch = Scratch::new(count, spare);
    let found_sufficed = backend.run(
        #[inline(always)]
        || backend.sample::<R>(&mut found, (count, drawn), &mut scratch),
    );
    let name = B::NAME;
    assert_eq!(found[..count], expected[..count], "{name} q = {} count {count} spare {spare}", R::MODULUS);
    assert!(sufficed || !found_sufficed, "{name}: missing replacements went unnoticed");
}

fn gathering<B: Backend, R: QuotientRing>(backend: B, seed: u64, count: usize, offset: usize) {
    let stride = offset + count * R::DEGREE + 61;
    let raw = bytes(seed, B::LANES * stride);
    let size = (count + gather_block::<R>()) * R::QUADS;
    let mut found = vec![backend.zero(); size];
    gather::<B, R>(backend, &raw, stride, offset, count, &mut found);
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

/// Lane by lane arithmetic against its description.
fn lanes<B: Backend>(backend: B, seed: u64) {
    let raw = bytes(seed, 8 * B::LANES);
    let (a, b) = (backend.load(&raw), backend.load(&raw[4 * B::LANES..]));
    let check = |name: &str, found: B::Vector, expected: &dyn Fn(u32, u32) -> u32| {
        let vectors = [a, b, found];
        let words = B::words(&vectors);
        for lane in 0..B::LANES {
            let word = |vector: usize| words[vector * B::LANES + lane];
            assert_eq!(word(2), expected(word(0), word(1)), "{} {name} lane {lane}", B::NAME);
        }
    };
    let halves = |x: u32, y: u32, f: &dyn Fn(u16, u16) -> u16| {
        u32::from(f(x as u16, y as u16)) | u32::from(f((x >> 16) as u16, (y >> 16) as u16)) << 16
    };
    check("add", backend.add(a, b), &|a, b| a.wrapping_add(b));
    check("subtract", backend.subtract(a, b), &|a, b| a.wrapping_sub(b));
    check("and", backend.and(a, b), &|a, b| a & b);
    check("or", backend.or(a, b), &|a, b| a | b);
    check("add_16", backend.add_16(a, b), &|a, b| halves(a, b, &u16::wrapping_add));
    check("multiply_16", backend.multiply_16(a, b), &|a, b| halves(a, b, &u16::wrapping_mul));
    for bits in [0, 1, 3, 7, 8, 14, 15] {
        check("shift_left", backend.shift_left(a, bits), &|a, _| a << bits);
        check("shift_right", backend.shift_right(a, bits), &|a, _| a >> bits);
        check("shift_right_16", backend.shift_right_16(a, bits), &|a, _| {
            halves(a, 0, &|half, _| half >> bits)
        });
    }
}

/// Residues of sums, the extreme ones included.
fn residues<B: Backend, R: QuotientRing>(backend: B, seed: u64) {
    let q = R::MODULUS as i32;
    let limit = (q << 20) - 1;
    let mut sums = [backend.zero(); 4];
    for (word, four) in B::words_mut(&mut sums).iter_mut().zip(bytes(seed, 16 * B::LANES).as_chunks::<4>().0)
    {
        let x = i32::from_le_bytes(*four);
        *word = if x % 5 == 0 { limit * x.signum() } else { ((x % q) << 20) | (x & 0xfffff) } as u32;
    }
    let p2 = backend.load(&bytes(seed ^ 5, 4 * B::LANES));
    let p2 = backend.and(p2, backend.broadcast(0x0101_0101 * (R::MODULUS >> 1)));
    for count in 1..=4 {
        let packed = [
            pack_sums::<B, R>(backend, count, |t| sums[t]),
            pack_canonical::<B, R>(backend, count, |t| sums[t]),
            pack_differences::<B, R>(backend, count, p2, |t| sums[t]),
        ];
        let (packed, words, p2) = (B::words(&packed), B::words(&sums), B::words(core::slice::from_ref(&p2)));
        for lane in 0..B::LANES {
            for t in 0..count {
                let sum = words[t * B::LANES + lane] as i32;
                let byte = |which: usize| i32::from(packed[which * B::LANES + lane].to_le_bytes()[t]);
                let p2 = i32::from(p2[lane].to_le_bytes()[t]);
                assert!(byte(0) <= q && byte(0) % q == sum.rem_euclid(q), "{} sum {sum}", B::NAME);
                assert_eq!(byte(1), sum.rem_euclid(q), "{} sum {sum}", B::NAME);
                assert!(byte(2) <= q && byte(2) % q == (p2 - sum).rem_euclid(q), "{} {p2} - {sum}", B::NAME);
            }
        }
    }
}

fn operations<B: Backend, R: QuotientRing>(backend: B, seed: u64, count: usize, spare: usize) {
    sampling::<B, R>(backend, seed, count, spare, false);
    sampling::<B, R>(backend, seed, count, spare % 70, true);
    gathering::<B, R>(backend, seed, count % 40, spare % 5);
    lanes(backend, seed);
    residues::<B, R>(backend, seed);
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
    extreme_products::<B, Q7L10>(backend);
    extreme_products::<B, Q31L3>(backend);
    extreme_products::<B, Q127L3>(backend);
}

/// Runs `$body` for every back end of this CPU, the portable one included.
macro_rules! for_every_backend {
    (|$backend:ident| $body:expr) => {{
        let $backend = $crate::qruov::backend::portable::Portable;
        $body;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($backend) = $crate::qruov::backend::x86::avx2::Avx2::detect() {
                $body;
            }
            if let Some($backend) = $crate::qruov::backend::x86::avx512::Avx512Vnni::detect() {
                $body;
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some($backend) = $crate::qruov::backend::aarch64::Neon::detect() {
            $body;
        }
    }};
}
pub(crate) use for_every_backend;

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
