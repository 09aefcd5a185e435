//! The portable back end: the definition of every vector operation, in plain Rust.

use super::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;

/// Plain Rust, eight lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Backend for Portable {
    const LANES: usize = 8;
    const WIDE_PARTIALS: bool = true;
    const NAME: &'static str = "portable";
    type Vector = [u32; 8];
    type Word = u64;

    #[inline(always)]
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T {
        kernel()
    }

    #[inline(always)]
    fn zero(self) -> [u32; 8] {
        [0; 8]
    }

    #[inline(always)]
    fn broadcast(self, word: u32) -> [u32; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> [u32; 8] {
        let mut out = [0; 8];
        for (word, quad) in out.iter_mut().zip(bytes[..32].as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*quad);
        }
        out
    }

    #[inline(always)]
    fn multiply_add(self, mut partial: [u32; 8], elements: [u32; 8], weights: [u32; 8]) -> [u32; 8] {
        for lane in 0..8 {
            let (x, w) = (elements[lane].to_le_bytes(), weights[lane].to_le_bytes());
            let sum: i32 = (0..4).map(|t| i32::from(x[t]) * i32::from(w[t] as i8)).sum();
            partial[lane] = partial[lane].wrapping_add(sum as u32);
        }
        partial
    }

    #[inline(always)]
    fn widen(self, mut sum: [u32; 8], partial: [u32; 8]) -> [u32; 8] {
        for lane in 0..8 {
            sum[lane] = sum[lane].wrapping_add(partial[lane]);
        }
        sum
    }

    #[inline(always)]
    fn words(vectors: &[[u32; 8]]) -> &[u32] {
        vectors.as_flattened()
    }

    #[inline(always)]
    fn words_mut(vectors: &mut [[u32; 8]]) -> &mut [u32] {
        vectors.as_flattened_mut()
    }

    #[inline(always)]
    fn keccak_word(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn gather<R: QuotientRing>(
        self,
        raw: &[u8],
        stride: usize,
        offset: usize,
        count: usize,
        out: &mut [[u32; 8]],
    ) {
        let elements = count.next_multiple_of(gather_block::<R>());
        for (j, quads) in out[..elements * R::QUADS].chunks_exact_mut(R::QUADS).enumerate() {
            for lane in 0..8 {
                let start = lane * stride + offset + j * R::DEGREE;
                let coefficients = &raw[start..start + R::DEGREE];
                for (quad, four) in quads.iter_mut().zip(coefficients.chunks(4)) {
                    quad[lane] = four.iter().rev().fold(0, |word, &byte| (word << 8) | u32::from(byte));
                }
            }
        }
    }
}

/// The definition of [`Backend::sample`].
pub(crate) fn sample<R: QuotientRing>(buffer: &mut [u8], count: usize) {
    let modulus = R::MODULUS as u8;
    for byte in buffer.iter_mut() {
        *byte &= modulus;
    }
    let (elements, spare) = buffer.split_at_mut(count);
    let mut replacements = spare.iter().copied().filter(|&byte| byte != modulus);
    for byte in elements.iter_mut().filter(|byte| **byte == modulus) {
        *byte = replacements.next().unwrap_or(0);
    }
}
