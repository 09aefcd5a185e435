//! 256 lanes with AVX2.
//!
//! Soundness: a [`Word256`] is made only by the methods of [`Avx2`] (or [`super::Avx512Narrow`]), whose values prove the CPU
//! features, and from other words; so wherever one exists the instructions exist too.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneBackend, LaneWord};
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
    fn next_lane(self, value: Word256) -> Word256 {
        // SAFETY: the token proves AVX2.
        unsafe { ops::next_lane(value) }
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
