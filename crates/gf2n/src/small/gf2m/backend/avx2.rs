//! 256 lanes with AVX2.
//!
//! Soundness: a [`Word256`] is made only by the methods of [`Avx2`] (or [`super::Avx512Narrow`]), whose values prove the CPU
//! features, and from other words; so wherever one exists the instructions exist too.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LOW_LANES, LaneBackend, LaneWord};
use crate::backend::Level;

crate::cpu_token!(
    /// AVX2 with PCLMULQDQ and POPCNT.
    pub struct Avx2, avx2_lanes, Level::Avx2, ["avx2", "pclmulqdq", "popcnt"]
);

/// 256 lanes.
#[derive(Clone, Copy, Debug)]
pub struct Word256(pub(super) __m256i);

impl LaneWord for Word256 {}

impl BitXor for Word256 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the word proves AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

impl BitAnd for Word256 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the word proves AVX2.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Word256 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the word proves AVX2.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl Not for Word256 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the word proves AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}

/// The shared operations of 256-bit words.
///
/// # Safety
/// The CPU has AVX2.
pub(super) mod ops {
    use super::*;

    #[inline(always)]
    pub(crate) unsafe fn splat(value: u64) -> Word256 {
        // SAFETY: the caller proves AVX2.
        Word256(unsafe { _mm256_set1_epi64x(value as i64) })
    }
    #[inline(always)]
    pub(crate) unsafe fn load(words: &[u64]) -> Word256 {
        if let Some(four) = words.first_chunk::<4>() {
            // SAFETY: the caller proves AVX2; four words are readable.
            return Word256(unsafe { _mm256_loadu_si256(four.as_ptr().cast()) });
        }
        let mut four = [0u64; 4];
        four[..words.len()].copy_from_slice(words);
        // SAFETY: as above.
        Word256(unsafe { _mm256_loadu_si256(four.as_ptr().cast()) })
    }
    #[inline(always)]
    pub(crate) unsafe fn store(word: Word256, words: &mut [u64]) {
        if let Some(four) = words.first_chunk_mut::<4>() {
            // SAFETY: the caller proves AVX2; four words are writable.
            unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), word.0) };
            return;
        }
        let mut four = [0u64; 4];
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), word.0) };
        let count = words.len();
        words.copy_from_slice(&four[..count]);
    }
    #[inline(always)]
    pub(crate) unsafe fn exchange_groups(value: Word256, level: usize) -> Word256 {
        // SAFETY: the caller proves AVX2.
        unsafe {
            match level {
                6 => Word256(_mm256_permute4x64_epi64::<0b10_11_00_01>(value.0)),
                _ => Word256(_mm256_permute4x64_epi64::<0b01_00_11_10>(value.0)),
            }
        }
    }
    /// [`LaneBackend::swap_lane_bit`] for the levels 6 and 7.
    #[inline(always)]
    pub(crate) unsafe fn swap_groups(low: Word256, high: Word256, level: usize) -> (Word256, Word256) {
        // SAFETY: the caller proves AVX2.
        unsafe {
            if level == 6 {
                (Word256(_mm256_unpacklo_epi64(low.0, high.0)), Word256(_mm256_unpackhi_epi64(low.0, high.0)))
            } else {
                (
                    Word256(_mm256_permute2x128_si256::<0x20>(low.0, high.0)),
                    Word256(_mm256_permute2x128_si256::<0x31>(low.0, high.0)),
                )
            }
        }
    }
    /// [`LaneBackend::swap_lane_bit`] for level 5.
    #[inline(always)]
    pub(crate) unsafe fn swap_halves(low: Word256, high: Word256) -> (Word256, Word256) {
        // SAFETY: the caller proves AVX2.
        unsafe {
            (
                Word256(_mm256_blend_epi32::<0b1010_1010>(low.0, _mm256_slli_epi64::<32>(high.0))),
                Word256(_mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(low.0), high.0)),
            )
        }
    }
    /// [`LaneBackend::lower_top_group_bit`].
    #[inline(always)]
    pub(crate) unsafe fn lower_top_group_bit(value: Word256, level: usize) -> Word256 {
        // SAFETY: the caller proves AVX2.
        unsafe {
            if level == 6 { Word256(_mm256_permute4x64_epi64::<0b11_01_10_00>(value.0)) } else { value }
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn fill_groups(value: Word256) -> Word256 {
        // SAFETY: the caller proves AVX2.
        Word256(unsafe { _mm256_cmpgt_epi64(_mm256_setzero_si256(), value.0) })
    }
    /// [`LaneBackend::swap_lane_bit`] for a level below 5.
    #[inline(always)]
    pub(crate) unsafe fn swap_within<const DISTANCE: i32>(
        low: Word256,
        high: Word256,
        mask: u64,
    ) -> (Word256, Word256) {
        // SAFETY: the caller proves AVX2.
        unsafe {
            let swap = _mm256_and_si256(
                _mm256_xor_si256(_mm256_srli_epi64::<DISTANCE>(low.0), high.0),
                _mm256_set1_epi64x(mask as i64),
            );
            (
                Word256(_mm256_xor_si256(low.0, _mm256_slli_epi64::<DISTANCE>(swap))),
                Word256(_mm256_xor_si256(high.0, swap)),
            )
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn swap_lane_bit(low: Word256, high: Word256, level: usize) -> (Word256, Word256) {
        // SAFETY: the caller proves AVX2.
        unsafe {
            match level {
                0 => swap_within::<1>(low, high, LOW_LANES[0]),
                1 => swap_within::<2>(low, high, LOW_LANES[1]),
                2 => swap_within::<4>(low, high, LOW_LANES[2]),
                3 => swap_within::<8>(low, high, LOW_LANES[3]),
                4 => swap_within::<16>(low, high, LOW_LANES[4]),
                5 => swap_halves(low, high),
                _ => swap_groups(low, high, level),
            }
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn next_lane(value: Word256) -> Word256 {
        // SAFETY: the caller proves AVX2.
        unsafe {
            let top = _mm256_srli_epi64::<63>(value.0);
            // groups 0, 1, 2 move up by one group, group 0 becomes zero
            let moved = _mm256_permute4x64_epi64::<0b10_01_00_00>(top);
            let carried = _mm256_blend_epi32::<0b0000_0011>(moved, _mm256_setzero_si256());
            Word256(_mm256_or_si256(_mm256_slli_epi64::<1>(value.0), carried))
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn carryless_mul(left: u64, right: u64) -> u128 {
        // SAFETY: the caller proves PCLMULQDQ; the vector is 16 plain bytes.
        unsafe {
            let product =
                _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, left as i64), _mm_set_epi64x(0, right as i64));
            core::mem::transmute::<__m128i, u128>(product)
        }
    }
}

impl LaneBackend for Avx2 {
    type Word = Word256;
    type Narrow = Avx2;
    type Scalars = Avx2;
    const LOG_LANES: usize = 8;
    const NAME: &'static str = "avx2";

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        Avx2::run(self, kernel)
    }
    #[inline(always)]
    fn narrow(self) -> Avx2 {
        self
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        self
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
        accumulator ^ (left & right)
    }
    #[inline(always)]
    fn carryless_mul(self, left: u64, right: u64) -> u128 {
        // SAFETY: the token proves PCLMULQDQ.
        unsafe { ops::carryless_mul(left, right) }
    }
}
