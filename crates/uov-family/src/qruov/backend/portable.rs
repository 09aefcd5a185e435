//! The portable back end: the definition of every vector operation, in plain Rust.

use super::{Backend, gather_pattern};
use crate::qruov::ring::QuotientRing;

/// Plain Rust, eight lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Backend for Portable {
    const LANES: usize = 8;
    const WIDE_PARTIALS: bool = true;
    const NAME: &'static str = "portable";
    type Vector = [u32; 8];

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
    fn add(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| x.wrapping_add(y))
    }

    #[inline(always)]
    fn subtract(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| x.wrapping_sub(y))
    }

    #[inline(always)]
    fn and(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| x & y)
    }

    #[inline(always)]
    fn or(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| x | y)
    }

    #[inline(always)]
    fn add_16(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| in_halves(x, y, u16::wrapping_add))
    }

    #[inline(always)]
    fn multiply_16(self, a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        lanewise(a, b, |x, y| in_halves(x, y, u16::wrapping_mul))
    }

    #[inline(always)]
    fn shift_left(self, a: [u32; 8], bits: u32) -> [u32; 8] {
        a.map(|x| x << bits)
    }

    #[inline(always)]
    fn shift_right(self, a: [u32; 8], bits: u32) -> [u32; 8] {
        a.map(|x| x >> bits)
    }

    #[inline(always)]
    fn shift_right_16(self, a: [u32; 8], bits: u32) -> [u32; 8] {
        a.map(|x| in_halves(x, 0, |half, _| half >> bits))
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
    unsafe fn load_spread<R: QuotientRing>(self, place: *const u8, stride: usize) -> [u32; 8] {
        // SAFETY: the caller vouches for both reads of 16 bytes.
        let blocks: [[u8; 16]; 2] =
            core::array::from_fn(|k| unsafe { place.add(4 * k * stride).cast::<[u8; 16]>().read() });
        core::array::from_fn(|word| {
            let quad = gather_pattern::<R>()[word % 4 * 4..][..4].iter();
            quad.rev().fold(0, |quad, &from| {
                let byte = blocks[word / 4].get(usize::from(from)).copied().unwrap_or(0);
                quad << 8 | u32::from(byte)
            })
        })
    }

    #[inline(always)]
    fn transpose(self, vectors: [[u32; 8]; 4]) -> [[u32; 8]; 4] {
        core::array::from_fn(|i| core::array::from_fn(|lane| vectors[lane % 4][lane / 4 * 4 + i]))
    }
}

/// `f` of the lanes of both vectors.
#[inline(always)]
fn lanewise(a: [u32; 8], b: [u32; 8], f: impl Fn(u32, u32) -> u32) -> [u32; 8] {
    core::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// `f` of the half words of both words.
#[inline(always)]
fn in_halves(x: u32, y: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(x as u16, y as u16)) | u32::from(f((x >> 16) as u16, (y >> 16) as u16)) << 16
}

/// The definition of [`Backend::sample`]: `buffer` ends with the spare bytes.
pub(crate) fn sample<R: QuotientRing>(buffer: &mut [u8], count: usize) -> bool {
    let modulus = R::MODULUS as u8;
    for byte in buffer.iter_mut() {
        *byte &= modulus;
    }
    let (elements, spare) = buffer.split_at_mut(count);
    let mut replacements = spare.iter().copied().filter(|&byte| byte != modulus);
    let mut sufficed = true;
    for byte in elements.iter_mut().filter(|byte| **byte == modulus) {
        let replacement = replacements.next();
        sufficed &= replacement.is_some();
        *byte = replacement.unwrap_or(0);
    }
    sufficed
}
