//! Back ends: the vector operations that the kernels of QR-UOV are written in.
//!
//! A back end is a zero-sized value that proves its CPU features. Every kernel (matrix products, dot products, elimination, ...)
//! is one generic `#[inline(always)]` function over [`Backend`], run inside [`Backend::run`] so that the whole of it is
//! compiled with the features. [`portable::Portable`] is the definition; the others are tested against it.
//!
//! # Vectors
//! A [`Backend::Vector`] is `LANES` little-endian 32-bit words. It is used in two ways: as words (32-bit sums), and as *quads*, four
//! bytes to a word. In the batched kernels lane `e` belongs to equation `first + e` of a group of `LANES` equations.
//!
//! # Bounds
//! A product is of an unsigned byte at most `q` (elements) and a signed byte at most `(q - 1) / 2` in absolute value (weights).
//! Two adjacent products are at most `q (q-1)`: 16 002 for q = 127, 930 for q = 31, 42 for q = 7. A back end whose partial sums are
//! 16 bits wide can add [`partial_terms`] of these before it must [`Backend::widen`]: 2, 35, 780. The 32-bit sums hold at most
//! `2 * 1800 * 16002 < 2^26`.

mod gather;
pub(crate) mod portable;
#[cfg(test)]
pub(crate) mod tests;

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use alloc::{vec, vec::Vec};

use super::packing;
use super::ring::QuotientRing;
use gf2n::secret::SecretVec;

/// How many pairs of adjacent products fit into a signed 16-bit sum.
#[inline(always)]
pub(crate) const fn partial_terms<R: QuotientRing>() -> usize {
    (32767 / (R::MODULUS * (R::MODULUS - 1))) as usize
}

/// The vector operations of one back end.
pub(crate) trait Backend: Copy + Send + Sync {
    /// 32-bit words of a vector.
    const LANES: usize;
    /// Whether partial sums are 32 bits wide, so that they never need widening inside a sum.
    const WIDE_PARTIALS: bool;
    /// Name in reports.
    const NAME: &'static str;
    /// `LANES` words.
    type Vector: Copy + Send + Sync + 'static;

    /// Runs `kernel` compiled with the features of this back end.
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T;
    /// All zero.
    fn zero(self) -> Self::Vector;
    /// `word` in every lane.
    fn broadcast(self, word: u32) -> Self::Vector;
    /// The first `4 * LANES` bytes of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn load(self, bytes: &[u8]) -> Self::Vector;
    /// `partial` plus the products of `elements` (unsigned bytes) and `weights` (signed bytes).
    fn multiply_add(
        self,
        partial: Self::Vector,
        elements: Self::Vector,
        weights: Self::Vector,
    ) -> Self::Vector;
    /// `sum` (words) plus the partial sums of `partial`.
    fn widen(self, sum: Self::Vector, partial: Self::Vector) -> Self::Vector;
    /// `a + b` in words.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b` in words.
    fn subtract(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a << bits` in words, `bits` < 32.
    fn shift_left(self, a: Self::Vector, bits: u32) -> Self::Vector;
    /// `a >> bits` in words, `bits` < 32.
    fn shift_right(self, a: Self::Vector, bits: u32) -> Self::Vector;
    /// `a + b` in half words.
    fn add_16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a >> bits` in half words, `bits` < 16.
    fn shift_right_16(self, a: Self::Vector, bits: u32) -> Self::Vector;
    /// `a b` in half words, the lower half of the products.
    fn multiply_16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The lanes as words.
    fn words(vectors: &[Self::Vector]) -> &[u32];
    /// The lanes as words.
    fn words_mut(vectors: &mut [Self::Vector]) -> &mut [u32];

    /// Sixteen bytes of every fourth lane, spread into quads: block `k` (128 bits) of the result holds the bytes at `4 k stride` behind
    /// `place`, in the order of [`GATHER_PATTERNS`].
    ///
    /// # Safety
    /// Sixteen bytes are readable at each of these places.
    unsafe fn load_spread<R: QuotientRing>(self, place: *const u8, stride: usize) -> Self::Vector;
    /// Transposes the 4 x 4 words of each 128-bit block: word `j` of result `i` is word `i` of vector `j`.
    fn transpose(self, vectors: [Self::Vector; 4]) -> [Self::Vector; 4];

    /// Spreads eight `b`-bit fields to the eight bytes of a word; higher bits are ignored.
    fn spread<R: QuotientRing>(self, fields: u64) -> u64 {
        packing::spread::<R>(fields)
    }

    /// The sampler: masks the bytes of `buffer` to `b` bits, takes the first `count` as elements and replaces those equal to `q`,
    /// in order, by the following bytes up to `drawn` that are not; a missing replacement is 0. Only the first `count` bytes are of use
    /// afterwards. `buffer` goes on for at least 63 bytes after `drawn`. Whether the replacements sufficed; `false` may also be
    /// said if they just did.
    ///
    /// Its time depends on the *positions* of the bytes equal to `q`, which are independent of the elements.
    fn sample<R: QuotientRing>(
        self,
        buffer: &mut [u8],
        (count, drawn): (usize, usize),
        _scratch: &mut Scratch,
    ) -> bool {
        portable::sample::<R>(&mut buffer[..drawn], count)
    }
}

/// Room that samplers work in. Wiped when dropped.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) struct Scratch {
    /// Spare bytes as they were drawn, in whole blocks.
    raw: SecretVec<u8>,
    /// Spare bytes that are not q.
    spares: SecretVec<u8>,
    /// Public positions of rejected bytes.
    positions: Vec<u32>,
}

impl Scratch {
    /// Room for streams of at most `count` elements and `spare` bytes after them.
    pub(crate) fn new(count: usize, spare: usize) -> Self {
        Self {
            raw: SecretVec::zeros(spare + 128),
            spares: SecretVec::zeros(spare + 128),
            positions: vec![0; count + 128],
        }
    }
}

/// The bytes of vectors.
pub(crate) fn bytes_mut<B: Backend>(vectors: &mut [B::Vector]) -> &mut [u8] {
    let words = B::words_mut(vectors);
    // SAFETY: words are four bytes without padding, bytes need no alignment, and the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 4 * words.len()) }
}

/// How 16 bytes of a stream become quads, as indices; 0x80 stands for zero. l = 3: four elements of 3 bytes; l = 10: 4, 4 and 2 bytes.
#[rustfmt::skip]
pub(crate) const GATHER_PATTERNS: [[u8; 16]; 2] = [
    [0, 1, 2, 0x80, 3, 4, 5, 0x80, 6, 7, 8, 0x80, 9, 10, 11, 0x80],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
];

/// The pattern of a ring.
pub(crate) const fn gather_pattern<R: QuotientRing>() -> &'static [u8; 16] {
    &GATHER_PATTERNS[if R::DEGREE == 3 { 0 } else { 1 }]
}

/// Ring elements that are gathered at once: 4 for l = 3 (four quads), 1 for l = 10 (three quads).
pub(crate) const fn gather_block<R: QuotientRing>() -> usize {
    if R::DEGREE == 3 { 4 } else { 1 }
}

pub(crate) use gather::gather;

/// Runs `$body` with `$backend` bound to the best back end of this CPU.
macro_rules! with_backend {
    (|$backend:ident| $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($backend) = $crate::qruov::backend::x86::avx512::Avx512Vnni::detect() {
                return $body;
            }
            if let Some($backend) = $crate::qruov::backend::x86::avx2::Avx2::detect() {
                return $body;
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some($backend) = $crate::qruov::backend::aarch64::Neon::detect() {
            return $body;
        }
        let $backend = $crate::qruov::backend::portable::Portable;
        $body
    }};
}
pub(crate) use with_backend;

/// Name of the back end that the kernels would use now.
pub(crate) fn name() -> &'static str {
    fn of<B: Backend>(_: B) -> &'static str {
        B::NAME
    }
    with_backend!(|backend| of(backend))
}
