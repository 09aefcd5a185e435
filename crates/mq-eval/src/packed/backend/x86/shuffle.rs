//! Multiplication by byte shuffles: a table of the sixteen products of a scalar, looked up by the nibbles of the operand.
//!
//! The operand's nibbles are secret indices into a register, which is constant time. Over GF(16) a table holds the products
//! of two scalars at once, one in each nibble: one shuffle serves two columns, and the nibbles are sorted at the end.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over numbers are unrolled before registers are assigned; iterators keep arrays in memory"
)]

use core::arch::x86_64::*;

use super::Avx2;
use super::kernel::Kernel;
use super::tables::{self, broadcast, join, load};

/// GF(16).
#[derive(Clone, Copy)]
pub(super) struct Shuffle16(pub(super) Avx2);

/// GF(256).
#[derive(Clone, Copy)]
pub(super) struct Shuffle256(pub(super) Avx2);

/// The low and the high nibbles of a vector.
#[inline(always)]
pub(super) fn split(vector: __m256i) -> [__m256i; 2] {
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        let mask = _mm256_set1_epi8(15);
        [_mm256_and_si256(vector, mask), _mm256_and_si256(_mm256_srli_epi16::<4>(vector), mask)]
    }
}

#[inline(always)]
fn look_up(sum: __m256i, table: __m256i, nibbles: __m256i) -> __m256i {
    // SAFETY: called under a token that proves AVX2.
    unsafe { _mm256_xor_si256(sum, _mm256_shuffle_epi8(table, nibbles)) }
}

/// Sorts the nibbles of even and odd elements, each byte holding column 0 in its low and column 1 in its high nibble.
#[inline(always)]
pub(super) fn untangle([even, odd]: [__m256i; 2]) -> [__m256i; 2] {
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        let mask = _mm256_set1_epi8(15);
        let low_odd = _mm256_slli_epi16::<4>(_mm256_and_si256(odd, mask));
        let high_even = _mm256_and_si256(_mm256_srli_epi16::<4>(even), mask);
        [
            _mm256_or_si256(_mm256_and_si256(even, mask), low_odd),
            _mm256_or_si256(high_even, _mm256_andnot_si256(mask, odd)),
        ]
    }
}

/// The sum of both halves, in the low one.
#[inline(always)]
pub(super) fn fold(vector: __m256i) -> __m128i {
    // SAFETY: called under a token that proves AVX2.
    unsafe { _mm_xor_si128(_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector)) }
}

impl Kernel for Shuffle16 {
    const ENTRY: usize = 32;
    const COLUMNS: usize = 2;
    const REGISTERS: usize = 2;
    const BUDGET: usize = 10;
    const BLOCK: usize = 5;
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
        // one term after the other, so that few registers hold operands
        for (cell, entry) in [(first, entry), (second, entry.wrapping_add(16))] {
            // SAFETY: the caller lets VECTORS vectors and GROUPS entries be read.
            unsafe {
                let mut nibbles = [[self.zero()[0]; 2]; VECTORS];
                for vector in 0..VECTORS {
                    nibbles[vector] = split(load(cell.add(32 * vector)));
                }
                for group in 0..GROUPS {
                    let table = broadcast(entry.add(group * Self::ENTRY));
                    for vector in 0..VECTORS {
                        let [even, odd] = sums[vector][group];
                        sums[vector][group] = [
                            look_up(even, table, nibbles[vector][0]),
                            look_up(odd, table, nibbles[vector][1]),
                        ];
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
        let [low, high] = split(join(first, second));
        for group in 0..GROUPS {
            // SAFETY: the caller lets GROUPS entries be read.
            let table = unsafe { load(entry.add(group * Self::ENTRY)) };
            let [even, odd] = sums[group];
            sums[group] = [look_up(even, table, low), look_up(odd, table, high)];
        }
    }

    #[inline(always)]
    fn finish(self, sum: [__m256i; 2]) -> [__m256i; 2] {
        untangle(sum)
    }

    #[inline(always)]
    fn finish_half(self, sum: [__m256i; 2]) -> [__m128i; 2] {
        let [first, second] = untangle(sum);
        [fold(first), fold(second)]
    }

    #[inline(always)]
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]) {
        let [products, _] = tables::products::<4>(scalars);
        tables::store(tables::transpose(products), entries, |scalar| 16 * scalar);
    }
}

impl Kernel for Shuffle256 {
    const ENTRY: usize = 64;
    const COLUMNS: usize = 1;
    const REGISTERS: usize = 1;
    const BUDGET: usize = 8;
    const BLOCK: usize = 5;
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
        // one term and one digit after the other, so that few registers hold operands
        for (cell, entry) in [(first, entry), (second, entry.wrapping_add(16))] {
            // SAFETY: the caller lets VECTORS vectors and GROUPS entries be read.
            unsafe {
                let mut nibbles = [[self.zero(); VECTORS]; 2];
                for vector in 0..VECTORS {
                    [nibbles[0][vector], nibbles[1][vector]] = split(load(cell.add(32 * vector)));
                }
                for digit in 0..2 {
                    for group in 0..GROUPS {
                        let table = broadcast(entry.add(group * Self::ENTRY + 32 * digit));
                        for vector in 0..VECTORS {
                            let sum = &mut sums[vector][group];
                            *sum = look_up(*sum, table, nibbles[digit][vector]);
                        }
                    }
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
        let [low, high] = split(join(first, second));
        for group in 0..GROUPS {
            // SAFETY: the caller lets GROUPS entries be read.
            unsafe {
                let sum = look_up(sums[group], load(entry.add(group * Self::ENTRY)), low);
                sums[group] = look_up(sum, load(entry.add(group * Self::ENTRY + 32)), high);
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
        let [low, high] = tables::products::<8>(scalars);
        let place = |scalar| 64 * (scalar / 2) + 16 * (scalar % 2);
        tables::store(tables::transpose(low), entries, place);
        tables::store(tables::transpose(high), entries, |scalar| 32 + place(scalar));
    }
}
