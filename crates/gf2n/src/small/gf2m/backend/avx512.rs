//! 512 lanes with AVX-512, and 256 lanes with the three-operand logic of AVX-512VL.
//!
//! Soundness as in the AVX2 file: words are made by tokens only.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::avx2::{Word256, ops};
use super::{LOW_LANES, LaneBackend, LaneWord};
use crate::backend::Level;

crate::cpu_token!(
    /// AVX-512 (F, BW, DQ, VL, VBMI) with GFNI and PCLMULQDQ.
    pub struct Avx512, avx512_lanes, Level::Avx512,
    ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "gfni", "avx2", "pclmulqdq", "popcnt"]
);

/// 512 lanes.
#[derive(Clone, Copy, Debug)]
pub struct Word512(__m512i);

impl LaneWord for Word512 {}

impl BitXor for Word512 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the word proves AVX-512F.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}

impl BitAnd for Word512 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the word proves AVX-512F.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Word512 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the word proves AVX-512F.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl Not for Word512 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the word proves AVX-512F.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

impl LaneBackend for Avx512 {
    type Word = Word512;
    type Narrow = Avx512Narrow;
    type Scalars = Avx512;
    const LOG_LANES: usize = 9;
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        Avx512::run(self, kernel)
    }
    #[inline(always)]
    fn narrow(self) -> Avx512Narrow {
        Avx512Narrow(self)
    }
    #[inline(always)]
    fn scalars(self) -> Avx512 {
        self
    }
    #[inline(always)]
    fn splat(self, value: u64) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        Word512(unsafe { _mm512_set1_epi64(value as i64) })
    }
    #[inline(always)]
    fn load(self, words: &[u64]) -> Word512 {
        if let Some(eight) = words.first_chunk::<8>() {
            // SAFETY: the token proves AVX-512F; eight words are readable.
            return Word512(unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) });
        }
        let mut eight = [0u64; 8];
        eight[..words.len()].copy_from_slice(words);
        // SAFETY: as above.
        Word512(unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, word: Word512, words: &mut [u64]) {
        if let Some(eight) = words.first_chunk_mut::<8>() {
            // SAFETY: the token proves AVX-512F; eight words are writable.
            unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), word.0) };
            return;
        }
        let mut eight = [0u64; 8];
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), word.0) };
        let count = words.len();
        words.copy_from_slice(&eight[..count]);
    }
    #[inline(always)]
    fn shift_left<const SHIFT: i32>(self, value: Word512) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        Word512(unsafe { _mm512_sll_epi64(value.0, _mm_cvtsi32_si128(SHIFT)) })
    }
    #[inline(always)]
    fn shift_right<const SHIFT: i32>(self, value: Word512) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        Word512(unsafe { _mm512_srl_epi64(value.0, _mm_cvtsi32_si128(SHIFT)) })
    }
    #[inline(always)]
    fn exchange_groups(self, value: Word512, level: usize) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            match level {
                6 => Word512(_mm512_permutex_epi64::<0b10_11_00_01>(value.0)),
                7 => Word512(_mm512_permutex_epi64::<0b01_00_11_10>(value.0)),
                _ => Word512(_mm512_shuffle_i64x2::<0b01_00_11_10>(value.0, value.0)),
            }
        }
    }
    #[inline(always)]
    fn lower_top_group_bit(self, value: Word512, level: usize) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            match level {
                6 => Word512(_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), value.0)),
                7 => Word512(_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), value.0)),
                _ => value,
            }
        }
    }
    #[inline(always)]
    fn next_lane(self, value: Word512) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            let top = _mm512_srli_epi64::<63>(value.0);
            let carried = _mm512_alignr_epi64::<7>(top, _mm512_setzero_si512());
            Word512(_mm512_or_si512(_mm512_slli_epi64::<1>(value.0), carried))
        }
    }
    #[inline(always)]
    fn swap_lane_bit(self, low: Word512, high: Word512, level: usize) -> (Word512, Word512) {
        /// [`LaneBackend::swap_lane_bit`] within groups of 64 lanes.
        ///
        /// # Safety
        /// The CPU has AVX-512F.
        #[inline(always)]
        unsafe fn within<const DISTANCE: u32>(low: __m512i, high: __m512i, mask: u64) -> (Word512, Word512) {
            // SAFETY: the caller proves AVX-512F.
            unsafe {
                let swap = _mm512_and_si512(
                    _mm512_xor_si512(_mm512_srli_epi64::<DISTANCE>(low), high),
                    _mm512_set1_epi64(mask as i64),
                );
                (
                    Word512(_mm512_xor_si512(low, _mm512_slli_epi64::<DISTANCE>(swap))),
                    Word512(_mm512_xor_si512(high, swap)),
                )
            }
        }
        let (low, high) = (low.0, high.0);
        // SAFETY: the token proves AVX-512F.
        unsafe {
            match level {
                0 => within::<1>(low, high, LOW_LANES[0]),
                1 => within::<2>(low, high, LOW_LANES[1]),
                2 => within::<4>(low, high, LOW_LANES[2]),
                3 => within::<8>(low, high, LOW_LANES[3]),
                4 => within::<16>(low, high, LOW_LANES[4]),
                5 => within::<32>(low, high, LOW_LANES[5]),
                6 => (Word512(_mm512_unpacklo_epi64(low, high)), Word512(_mm512_unpackhi_epi64(low, high))),
                7 => (
                    Word512(_mm512_permutex2var_epi64(
                        low,
                        _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                        high,
                    )),
                    Word512(_mm512_permutex2var_epi64(
                        low,
                        _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15),
                        high,
                    )),
                ),
                _ => (
                    Word512(_mm512_shuffle_i64x2::<0b01_00_01_00>(low, high)),
                    Word512(_mm512_shuffle_i64x2::<0b11_10_11_10>(low, high)),
                ),
            }
        }
    }
    #[inline(always)]
    fn fill_groups(self, value: Word512) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        Word512(unsafe { _mm512_srai_epi64::<63>(value.0) })
    }
    #[inline(always)]
    fn and_xor(self, accumulator: Word512, left: Word512, right: Word512) -> Word512 {
        // SAFETY: the token proves AVX-512F.
        Word512(unsafe { _mm512_ternarylogic_epi64::<0x78>(accumulator.0, left.0, right.0) })
    }
    #[inline(always)]
    fn carryless_mul(self, left: u64, right: u64) -> u128 {
        // SAFETY: the token proves PCLMULQDQ.
        unsafe { ops::carryless_mul(left, right) }
    }
}

/// AVX-512VL on words of 256 lanes.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Narrow(Avx512);

impl LaneBackend for Avx512Narrow {
    type Word = Word256;
    type Narrow = Avx512Narrow;
    type Scalars = Avx512;
    const LOG_LANES: usize = 8;
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        self.0.run(kernel)
    }
    #[inline(always)]
    fn narrow(self) -> Avx512Narrow {
        self
    }
    #[inline(always)]
    fn scalars(self) -> Avx512 {
        self.0
    }
    #[inline(always)]
    fn splat(self, value: u64) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::splat(value) }
    }
    #[inline(always)]
    fn load(self, words: &[u64]) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::load(words) }
    }
    #[inline(always)]
    fn store(self, word: Word256, words: &mut [u64]) {
        // SAFETY: the token proves AVX2.
        unsafe { ops::store(word, words) }
    }
    #[inline(always)]
    fn shift_left<const SHIFT: i32>(self, value: Word256) -> Word256 {
        // SAFETY: the token proves AVX2.
        Word256(unsafe { _mm256_slli_epi64::<SHIFT>(value.0) })
    }
    #[inline(always)]
    fn shift_right<const SHIFT: i32>(self, value: Word256) -> Word256 {
        // SAFETY: the token proves AVX2.
        Word256(unsafe { _mm256_srli_epi64::<SHIFT>(value.0) })
    }
    #[inline(always)]
    fn exchange_groups(self, value: Word256, level: usize) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::exchange_groups(value, level) }
    }
    #[inline(always)]
    fn lower_top_group_bit(self, value: Word256, level: usize) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::lower_top_group_bit(value, level) }
    }
    #[inline(always)]
    fn next_lane(self, value: Word256) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::next_lane(value) }
    }
    #[inline(always)]
    fn swap_lane_bit(self, low: Word256, high: Word256, level: usize) -> (Word256, Word256) {
        // SAFETY: the token proves AVX2.
        unsafe { ops::swap_lane_bit(low, high, level) }
    }
    #[inline(always)]
    fn fill_groups(self, value: Word256) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::fill_groups(value) }
    }
    #[inline(always)]
    fn and_xor(self, accumulator: Word256, left: Word256, right: Word256) -> Word256 {
        // SAFETY: the token proves AVX-512F and VL.
        Word256(unsafe { _mm256_ternarylogic_epi64::<0x78>(accumulator.0, left.0, right.0) })
    }
    #[inline(always)]
    fn carryless_mul(self, left: u64, right: u64) -> u128 {
        // SAFETY: the token proves PCLMULQDQ.
        unsafe { ops::carryless_mul(left, right) }
    }
}
