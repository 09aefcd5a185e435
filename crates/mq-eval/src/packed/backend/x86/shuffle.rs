//! Multiplication by byte shuffles: a table of the sixteen products of a scalar, looked up by the nibbles of the operand.
//!
//! The operand's nibbles are secret indices into a register, which is constant time. Over GF(16) a table holds the products
//! of two scalars at once, one in each nibble: one shuffle serves two columns, and the nibbles are sorted at the end.

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
    const BUDGET: usize = 12;
    type Accumulator = [__m256i; 2];
    type Operands = [[__m256i; 2]; 2];
    type HalfOperands = [__m256i; 2];

    #[inline(always)]
    fn zero(self) -> [__m256i; 2] {
        // SAFETY: the token inside proves AVX2.
        unsafe { [_mm256_setzero_si256(); 2] }
    }

    #[inline(always)]
    fn operands(self, first: __m256i, second: __m256i) -> [[__m256i; 2]; 2] {
        [split(first), split(second)]
    }

    #[inline(always)]
    fn half_operands(self, first: __m128i, second: __m128i) -> [__m256i; 2] {
        split(join(first, second))
    }

    #[inline(always)]
    unsafe fn add(
        self,
        [even, odd]: [__m256i; 2],
        [first, second]: [[__m256i; 2]; 2],
        entry: *const u8,
    ) -> [__m256i; 2] {
        // SAFETY: the caller lets 32 bytes be read.
        let tables = unsafe { [broadcast(entry), broadcast(entry.add(16))] };
        [
            look_up(look_up(even, tables[0], first[0]), tables[1], second[0]),
            look_up(look_up(odd, tables[0], first[1]), tables[1], second[1]),
        ]
    }

    #[inline(always)]
    unsafe fn add_half(
        self,
        [even, odd]: [__m256i; 2],
        operands: [__m256i; 2],
        entry: *const u8,
    ) -> [__m256i; 2] {
        // SAFETY: the caller lets 32 bytes be read.
        let table = unsafe { load(entry) };
        [look_up(even, table, operands[0]), look_up(odd, table, operands[1])]
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
    const BUDGET: usize = 12;
    type Accumulator = __m256i;
    type Operands = [[__m256i; 2]; 2];
    type HalfOperands = [__m256i; 2];

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: the token inside proves AVX2.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn operands(self, first: __m256i, second: __m256i) -> [[__m256i; 2]; 2] {
        [split(first), split(second)]
    }

    #[inline(always)]
    fn half_operands(self, first: __m128i, second: __m128i) -> [__m256i; 2] {
        split(join(first, second))
    }

    #[inline(always)]
    unsafe fn add(self, sum: __m256i, [first, second]: [[__m256i; 2]; 2], entry: *const u8) -> __m256i {
        // SAFETY: the caller lets 64 bytes be read.
        unsafe {
            let sum = look_up(sum, broadcast(entry), first[0]);
            let sum = look_up(sum, broadcast(entry.add(32)), first[1]);
            let sum = look_up(sum, broadcast(entry.add(16)), second[0]);
            look_up(sum, broadcast(entry.add(48)), second[1])
        }
    }

    #[inline(always)]
    unsafe fn add_half(self, sum: __m256i, operands: [__m256i; 2], entry: *const u8) -> __m256i {
        // SAFETY: the caller lets 64 bytes be read.
        unsafe {
            let sum = look_up(sum, load(entry), operands[0]);
            look_up(sum, load(entry.add(32)), operands[1])
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
