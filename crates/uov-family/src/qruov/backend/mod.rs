//! Back ends: the vector operations that the kernels of QR-UOV are written in.
//!
//! A back end is a zero-sized value that proves its CPU features. Every kernel (matrix products, dot products, Keccak, ...)
//! is one generic `#[inline(always)]` function over [`Backend`], run inside [`Backend::run`] so that the whole of it is
//! compiled with the features. [`portable::Portable`] is the definition; the others are tested against it.
//!
//! # Vectors
//! A [`Backend::Vector`] is `LANES` little-endian 32-bit words. It is used in two ways: as words (32-bit sums), and as *quads*, four
//! bytes to a word. In the batched kernels lane `e` belongs to equation `first + e` of a group of `LANES` equations.
//!
//! # Bounds
//! A product is of an unsigned byte at most `q - 1` (elements) and a signed byte at most `(q - 1) / 2` in absolute value (weights).
//! Two adjacent products are at most `(q-1)^2`: 15 876 for q = 127, 900 for q = 31, 36 for q = 7. A back end whose partial sums are
//! 16 bits wide can add [`partial_terms`] of these before it must [`Backend::widen`]: 2, 36, 910. The 32-bit sums hold at most
//! `2 * 1800 * 15876 < 2^26`.

pub(crate) mod keccak;
pub(crate) mod portable;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use super::packing;
use super::ring::QuotientRing;
use super::system::{self, Chunk};
use keccak::KeccakWord;

/// How many pairs of adjacent products fit into a signed 16-bit sum.
#[inline(always)]
pub(crate) const fn partial_terms<R: QuotientRing>() -> usize {
    (32767 / ((R::MODULUS - 1) * (R::MODULUS - 1))) as usize
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
    /// The words of a multi-lane Keccak state.
    type Word: KeccakWord;

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
    /// The lanes as words.
    fn words(vectors: &[Self::Vector]) -> &[u32];
    /// The lanes as words.
    fn words_mut(vectors: &mut [Self::Vector]) -> &mut [u32];
    /// A zero Keccak word.
    fn keccak_word(self, word: u64) -> Self::Word;

    /// Gathers ring elements of `LANES` equations into quads: lane `e` of the quads of element `j` holds the coefficients at
    /// `raw[e * stride + offset + j * DEGREE..]`. `out` holds `QUADS` vectors an element; elements are written in blocks of
    /// [`gather_block`], and the last block may run over `count` (then it holds bytes of no meaning).
    ///
    /// # Panics
    /// If `raw` ends less than 16 bytes after the last coefficient read, or `out` is too short.
    fn gather<R: QuotientRing>(
        self,
        raw: &[u8],
        stride: usize,
        offset: usize,
        count: usize,
        out: &mut [Self::Vector],
    );

    /// `pivot |= row & mask`.
    fn select(self, pivot: &mut [Chunk], row: &[Chunk], mask: u16) {
        system::select(pivot, row, mask);
    }

    /// `row += factor * pivot` modulo q: entries of `row` at most `2 q + 1` before and after, of `pivot` at most `q`, `factor` at most `q + 1`.
    fn eliminate<R: QuotientRing>(self, row: &mut [Chunk], pivot: &[Chunk], factor: u16) {
        system::eliminate::<R>(row, pivot, factor);
    }

    /// Keccak-f[1600] on one state.
    fn permute(self, state: &mut [u64; 25]) {
        keccak::permute_single(state);
    }

    /// Spreads eight `b`-bit fields to the eight bytes of a word; higher bits are ignored.
    fn spread<R: QuotientRing>(self, fields: u64) -> u64 {
        packing::spread::<R>(fields)
    }

    /// The sampler: masks the bytes of `buffer` to `b` bits, takes the first `count` as elements and replaces those equal to `q`,
    /// in order, by the following bytes that are not; a missing replacement is 0. Only the first `count` bytes are of use
    /// afterwards. Its time depends on the *positions* of the bytes equal to `q`, which are independent of the elements.
    fn sample<R: QuotientRing>(self, buffer: &mut [u8], count: usize) {
        portable::sample::<R>(buffer, count);
    }
}

/// Ring elements that [`Backend::gather`] writes at once: 4 for l = 3 (four quads), 1 for l = 10 (three quads).
pub(crate) const fn gather_block<R: QuotientRing>() -> usize {
    if R::DEGREE == 3 { 4 } else { 1 }
}

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
