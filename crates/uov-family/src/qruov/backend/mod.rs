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
//! A product is of an unsigned byte at most `q` (elements) and a signed byte at most `(q - 1) / 2` in absolute value (weights).
//! Two adjacent products are at most `q (q-1)`: 16 002 for q = 127, 930 for q = 31, 42 for q = 7. A back end whose partial sums are
//! 16 bits wide can add [`partial_terms`] of these before it must [`Backend::widen`]: 2, 35, 780. The 32-bit sums hold at most
//! `2 * 1800 * 16002 < 2^26`.

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
use super::secret::SecretVec;

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

    /// Spreads eight `b`-bit fields to the eight bytes of a word; higher bits are ignored.
    fn spread<R: QuotientRing>(self, fields: u64) -> u64 {
        packing::spread::<R>(fields)
    }

    /// The sampler: masks the bytes of `buffer` to `b` bits, takes the first `count` as elements and replaces those equal to `q`,
    /// in order, by the following bytes up to `drawn` that are not; a missing replacement is 0. Only the first `count` bytes are of use
    /// afterwards. `buffer` goes on for at least 64 bytes after the elements. Whether the replacements sufficed; `false` may also be
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
