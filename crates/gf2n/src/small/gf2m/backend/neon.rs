//! 128 lanes with NEON, PMULL for carry-less products.
//!
//! Soundness: words are made by the token's methods only.

use core::arch::aarch64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneBackend, LaneWord};
use crate::backend::Level;
use crate::small::gf2m::scalar::Bitsliced;

crate::cpu_token!(
    /// NEON with the AES extension (which holds PMULL).
    pub struct Neon, neon_lanes, Level::Simd128, ["aes"]
);

/// 128 lanes.
#[derive(Clone, Copy, Debug)]
pub struct Word128(uint64x2_t);

impl LaneWord for Word128 {}

impl BitXor for Word128 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target's base line.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }
}

impl BitAnd for Word128 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target's base line.
        Self(unsafe { vandq_u64(self.0, other.0) })
    }
}

impl BitOr for Word128 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target's base line.
        Self(unsafe { vorrq_u64(self.0, other.0) })
    }
}

impl Not for Word128 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: NEON is part of the target's base line.
        Self(unsafe { veorq_u64(self.0, vdupq_n_u64(u64::MAX)) })
    }
}

impl LaneBackend for Neon {
    type Word = Word128;
    type Narrow = Neon;
    type Scalars = Bitsliced<Self>;
    const LOG_LANES: usize = 7;
    const NAME: &'static str = "neon";

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        Neon::run(self, kernel)
    }
    #[inline(always)]
    fn narrow(self) -> Neon {
        self
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        Bitsliced(self)
    }
    #[inline(always)]
    fn splat(self, value: u64) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        Word128(unsafe { vdupq_n_u64(value) })
    }
    #[inline(always)]
    fn load(self, words: &[u64]) -> Word128 {
        let mut two = [0u64; 2];
        let count = words.len().min(2);
        two[..count].copy_from_slice(&words[..count]);
        // SAFETY: NEON is part of the target's base line; two words are readable.
        Word128(unsafe { vld1q_u64(two.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, word: Word128, words: &mut [u64]) {
        let mut two = [0u64; 2];
        // SAFETY: NEON is part of the target's base line; two words are writable.
        unsafe { vst1q_u64(two.as_mut_ptr(), word.0) };
        let count = words.len().min(2);
        words[..count].copy_from_slice(&two[..count]);
    }
    #[inline(always)]
    fn shift_left<const SHIFT: i32>(self, value: Word128) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        Word128(unsafe { vshlq_u64(value.0, vdupq_n_s64(i64::from(SHIFT))) })
    }
    #[inline(always)]
    fn shift_right<const SHIFT: i32>(self, value: Word128) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        Word128(unsafe { vshlq_u64(value.0, vdupq_n_s64(-i64::from(SHIFT))) })
    }
    #[inline(always)]
    fn exchange_groups(self, value: Word128, _level: usize) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        Word128(unsafe { vextq_u64::<1>(value.0, value.0) })
    }
    #[inline(always)]
    fn next_lane(self, value: Word128) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        unsafe {
            let carried = vextq_u64::<1>(vdupq_n_u64(0), vshrq_n_u64::<63>(value.0));
            Word128(vorrq_u64(vshlq_n_u64::<1>(value.0), carried))
        }
    }
    #[inline(always)]
    fn fill_groups(self, value: Word128) -> Word128 {
        // SAFETY: NEON is part of the target's base line.
        Word128(unsafe { vreinterpretq_u64_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u64(value.0))) })
    }
    #[inline(always)]
    fn and_xor(self, accumulator: Word128, left: Word128, right: Word128) -> Word128 {
        accumulator ^ (left & right)
    }
    #[inline(always)]
    fn carryless_mul(self, left: u64, right: u64) -> u128 {
        #[inline]
        #[target_feature(enable = "aes")]
        fn multiply(left: u64, right: u64) -> u128 {
            vmull_p64(left, right)
        }
        // SAFETY: the token proves PMULL.
        unsafe { multiply(left, right) }
    }
}
