//! Multiplication by GFNI.
//!
//! GF(256): one byte product (the instruction's field is the field of AES). GF(16): elements of two terms are interleaved, so
//! that a byte holds one element of each; an 8 by 8 bit matrix then maps it to the sums of two products for two columns.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over numbers are unrolled before registers are assigned; iterators keep arrays in memory"
)]

use core::arch::x86_64::*;

use super::ProvesGfni;
use super::kernel::Kernel;
use super::shuffle::{fold, untangle};
use super::tables::{self, broadcast, join, load};

/// GF(16).
#[derive(Clone, Copy)]
pub(super) struct Gfni16<T>(pub(super) T);

/// How the kernel of one column multiplies: by what an entry holds for each of its two terms.
pub(super) trait Single: Copy {
    /// Proves the features.
    type Token: ProvesGfni;
    /// Bytes of an entry.
    const ENTRY: usize;

    /// What multiplies the first (0) or second (1) term of an entry.
    ///
    /// # Safety
    /// An entry can be read.
    unsafe fn factor(self, entry: *const u8, term: usize) -> __m256i;

    /// What multiplies a vector with a lane of the first term below one of the second.
    ///
    /// # Safety
    /// An entry can be read.
    unsafe fn factors(self, entry: *const u8) -> __m256i;

    /// The products of all elements of a vector.
    fn multiply(self, elements: __m256i, factor: __m256i) -> __m256i;

    /// See [`Kernel::tables`].
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]);
}

/// The kernel of one column.
#[derive(Clone, Copy)]
pub(super) struct GfniColumn<S>(pub(super) S);

impl<S: Single> Kernel for GfniColumn<S> {
    const ENTRY: usize = S::ENTRY;
    const COLUMNS: usize = 1;
    const REGISTERS: usize = 1;
    const BUDGET: usize = S::Token::BUDGET;
    const BLOCK: usize = S::Token::BLOCK;
    type Accumulator = __m256i;

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: the token inside proves AVX2.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn add<const GROUPS: usize, const VECTORS: usize>(
        self,
        sums: &mut [[__m256i; GROUPS]; VECTORS],
        first: *const u8,
        second: *const u8,
        entry: *const u8,
    ) {
        for group in 0..GROUPS {
            // SAFETY: the token inside proves the features; the caller lets VECTORS vectors and GROUPS entries be read.
            unsafe {
                let factors = [0, 1].map(
                    #[inline(always)]
                    |term| self.0.factor(entry.add(group * Self::ENTRY), term),
                );
                for vector in 0..VECTORS {
                    let first = self.0.multiply(load(first.add(32 * vector)), factors[0]);
                    let second = self.0.multiply(load(second.add(32 * vector)), factors[1]);
                    let sum = &mut sums[vector][group];
                    *sum = _mm256_xor_si256(_mm256_xor_si256(*sum, first), second);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn add_half<const GROUPS: usize>(
        self,
        sums: &mut [__m256i; GROUPS],
        [first, second]: [__m128i; 2],
        entry: *const u8,
    ) {
        let operands = join(first, second);
        for group in 0..GROUPS {
            // SAFETY: the token inside proves the features; the caller lets GROUPS entries be read.
            unsafe {
                let product = self.0.multiply(operands, self.0.factors(entry.add(group * Self::ENTRY)));
                sums[group] = _mm256_xor_si256(sums[group], product);
            }
        }
    }

    #[inline(always)]
    fn finish(self, sum: __m256i) -> [__m256i; 2] {
        [sum; 2]
    }

    #[inline(always)]
    fn finish_half(self, sum: __m256i) -> [__m128i; 2] {
        [fold(sum); 2]
    }

    #[inline(always)]
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]) {
        self.0.tables(scalars, entries);
    }
}

/// GF(256): copies of the two scalars.
#[derive(Clone, Copy)]
pub(super) struct Bytes<T>(pub(super) T);

impl<T: ProvesGfni> Single for Bytes<T> {
    type Token = T;
    const ENTRY: usize = 32;

    #[inline(always)]
    unsafe fn factor(self, entry: *const u8, term: usize) -> __m256i {
        // SAFETY: the token inside proves AVX2; the caller lets the entry be read.
        unsafe { broadcast(entry.add(16 * term)) }
    }

    #[inline(always)]
    unsafe fn factors(self, entry: *const u8) -> __m256i {
        // SAFETY: as above.
        unsafe { load(entry) }
    }

    #[inline(always)]
    fn multiply(self, elements: __m256i, factor: __m256i) -> __m256i {
        // SAFETY: the token inside proves GFNI.
        unsafe { _mm256_gf2p8mul_epi8(elements, factor) }
    }

    #[inline(always)]
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]) {
        for (copies, scalar) in entries.chunks_exact_mut(16).zip(scalars) {
            copies.fill(*scalar);
        }
    }
}

/// GF(16): each term's matrix multiplies both nibbles of a byte by its scalar.
#[derive(Clone, Copy)]
pub(super) struct Nibbles<T>(pub(super) T);

impl<T: ProvesGfni> Single for Nibbles<T> {
    type Token = T;
    const ENTRY: usize = 16;

    #[inline(always)]
    unsafe fn factor(self, entry: *const u8, term: usize) -> __m256i {
        // SAFETY: the caller lets the entry be read.
        unsafe { matrix(entry.add(8 * term)) }
    }

    #[inline(always)]
    unsafe fn factors(self, entry: *const u8) -> __m256i {
        // SAFETY: the token inside proves AVX2; the caller lets the entry be read.
        unsafe { _mm256_permute4x64_epi64::<0b01_01_00_00>(broadcast(entry)) }
    }

    #[inline(always)]
    fn multiply(self, elements: __m256i, factor: __m256i) -> __m256i {
        // SAFETY: the token inside proves GFNI.
        unsafe { _mm256_gf2p8affine_epi64_epi8::<0>(elements, factor) }
    }

    #[inline(always)]
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]) {
        // the matrix of (s, 0) for the first and (0, s) for the second column
        let mut pairs = [[0; 32]; 2];
        for (scalars, pairs) in scalars.chunks_exact(16).zip(&mut pairs) {
            // SAFETY: the token inside proves AVX2; 16 bytes are read from a slice of 16, 32 are written to an array of 32.
            unsafe {
                let low = _mm_loadu_si128(scalars.as_ptr().cast());
                // elements are below 16 and stay in their bytes
                let high = _mm_slli_epi16::<4>(low);
                let to: *mut __m128i = pairs.as_mut_ptr().cast();
                _mm_storeu_si128(to, _mm_unpacklo_epi8(low, high));
                _mm_storeu_si128(to.add(1), _mm_unpackhi_epi8(low, high));
            }
        }
        let (first, second) = entries.split_at_mut(16 * Gfni16::<T>::ENTRY);
        Gfni16(self.0).tables(&pairs[0], first);
        Gfni16(self.0).tables(&pairs[1], second);
    }
}

/// Copies of a matrix.
///
/// # Safety
/// 8 bytes can be read.
#[inline(always)]
unsafe fn matrix(entry: *const u8) -> __m256i {
    // SAFETY: called under a token that proves AVX2, on 8 readable bytes.
    unsafe { _mm256_set1_epi64x(entry.cast::<i64>().read_unaligned()) }
}

/// A byte for each element: the first term's in the low nibble, the second's in the high one; even elements, then odd ones.
#[inline(always)]
fn interleave(first: __m256i, second: __m256i) -> [__m256i; 2] {
    untangle([first, second])
}

impl<T: ProvesGfni> Kernel for Gfni16<T> {
    const ENTRY: usize = 8;
    const COLUMNS: usize = 2;
    const REGISTERS: usize = 2;
    const BUDGET: usize = T::BUDGET;
    const BLOCK: usize = T::BLOCK;
    type Accumulator = [__m256i; 2];

    #[inline(always)]
    fn zero(self) -> [__m256i; 2] {
        // SAFETY: the token inside proves AVX2.
        unsafe { [_mm256_setzero_si256(); 2] }
    }

    #[inline(always)]
    unsafe fn add<const GROUPS: usize, const VECTORS: usize>(
        self,
        sums: &mut [[[__m256i; 2]; GROUPS]; VECTORS],
        first: *const u8,
        second: *const u8,
        entry: *const u8,
    ) {
        // SAFETY: the token inside proves the features; the caller lets VECTORS vectors and GROUPS entries be read.
        unsafe {
            for vector in 0..VECTORS {
                let operands = interleave(load(first.add(32 * vector)), load(second.add(32 * vector)));
                for group in 0..GROUPS {
                    let matrix = matrix(entry.add(group * Self::ENTRY));
                    for parity in 0..2 {
                        let product = _mm256_gf2p8affine_epi64_epi8::<0>(operands[parity], matrix);
                        let sum = &mut sums[vector][group][parity];
                        *sum = _mm256_xor_si256(*sum, product);
                    }
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn add_half<const GROUPS: usize>(
        self,
        sums: &mut [[__m256i; 2]; GROUPS],
        [first, second]: [__m128i; 2],
        entry: *const u8,
    ) {
        // SAFETY: the token inside proves the features; the caller lets GROUPS entries be read.
        unsafe {
            let [even, odd] = interleave(_mm256_castsi128_si256(first), _mm256_castsi128_si256(second));
            let operands = _mm256_inserti128_si256::<1>(even, _mm256_castsi256_si128(odd));
            for group in 0..GROUPS {
                let matrix = matrix(entry.add(group * Self::ENTRY));
                let product = _mm256_gf2p8affine_epi64_epi8::<0>(operands, matrix);
                sums[group][0] = _mm256_xor_si256(sums[group][0], product);
            }
        }
    }

    #[inline(always)]
    fn finish(self, sum: [__m256i; 2]) -> [__m256i; 2] {
        untangle(sum)
    }

    #[inline(always)]
    fn finish_half(self, [sum, _]: [__m256i; 2]) -> [__m128i; 2] {
        // SAFETY: the token inside proves AVX2.
        unsafe {
            let odd = _mm256_castsi128_si256(_mm256_extracti128_si256::<1>(sum));
            let [first, second] = untangle([sum, odd]);
            [_mm256_castsi256_si128(first), _mm256_castsi256_si128(second)]
        }
    }

    /// The matrix of an entry maps (a, b) to (s a + t b, s' a + t' b): its columns are the bytes x^i (s, s') and x^i (t, t').
    #[inline(always)]
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]) {
        for (scalars, entries) in scalars.chunks_exact(16).zip(entries.chunks_exact_mut(64)) {
            // SAFETY: the token inside proves the features; 16 bytes are read from a slice of 16, 16 are written to each
            // quarter of a slice of 64.
            unsafe {
                let one = _mm_loadu_si128(scalars.as_ptr().cast());
                let x = tables::times_x_nibbles(one);
                let x2 = tables::times_x_nibbles(x);
                let x3 = tables::times_x_nibbles(x2);
                // rows of the matrix, last first, are bytes of the entry: the instruction, fed with a matrix of units,
                // transposes the bytes, which are the columns, last first
                let units = _mm_set1_epi64x(0x0102_0408_1020_4080);
                let (high, low) = (_mm_unpacklo_epi8(x3, x2), _mm_unpacklo_epi8(x, one));
                let (high2, low2) = (_mm_unpackhi_epi8(x3, x2), _mm_unpackhi_epi8(x, one));
                let columns = [
                    _mm_unpacklo_epi16(high, low),
                    _mm_unpackhi_epi16(high, low),
                    _mm_unpacklo_epi16(high2, low2),
                    _mm_unpackhi_epi16(high2, low2),
                ];
                for (columns, entries) in columns.into_iter().zip(entries.chunks_exact_mut(16)) {
                    let columns = _mm_shuffle_epi32::<0b10_11_00_01>(columns);
                    let matrix = _mm_gf2p8affine_epi64_epi8::<0>(units, columns);
                    _mm_storeu_si128(entries.as_mut_ptr().cast(), matrix);
                }
            }
        }
    }
}
