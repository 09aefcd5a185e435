//! aarch64: PMULL and PMULL2 on 128-bit vectors.

use super::{Cell, ClmulLanes, Level, WordLanes};
use core::arch::aarch64::*;

crate::cpu_token!(
    /// PMULL on 128-bit vectors (the feature `aes` stands for AES and PMULL together).
    pub struct Pmull, pmull_features, Level::Simd128, ["aes"]
);

/// PMULL.
#[inline]
#[target_feature(enable = "aes")]
fn product(a: u64, b: u64) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_p64(a, b))
}

/// PMULL2.
#[inline]
#[target_feature(enable = "aes")]
fn product_high(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)))
}

impl ClmulLanes for Pmull {
    type Vector = uint64x2_t;
    type Narrow = Self;
    const LANES: usize = 1;
    const NAME: &'static str = "pmull";
    const LEVEL: Level = Self::LEVEL;

    #[inline]
    fn detect() -> Option<Self> {
        Self::detect()
    }

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        self.run(kernel)
    }

    #[inline(always)]
    fn zero(self) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vdupq_n_u64(0) }
    }

    #[inline(always)]
    fn load(self, cells: &[Cell]) -> uint64x2_t {
        // SAFETY: NEON is part of the target; a cell has two words.
        unsafe { vld1q_u64(cells[0].0.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: uint64x2_t, cells: &mut [Cell]) {
        // SAFETY: NEON is part of the target; a cell has two words.
        unsafe { vst1q_u64(cells[0].0.as_mut_ptr(), vector) };
    }

    #[inline(always)]
    fn broadcast(self, cell: &Cell) -> uint64x2_t {
        // SAFETY: NEON is part of the target; a cell has two words.
        unsafe { vld1q_u64(cell.0.as_ptr()) }
    }

    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { veorq_u64(a, b) }
    }

    #[inline(always)]
    fn clmul_low(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: the token proves PMULL.
        unsafe { product(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b)) }
    }

    #[inline(always)]
    fn clmul_high(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: the token proves PMULL.
        unsafe { product_high(a, b) }
    }

    #[inline(always)]
    fn clmul_halves(self, a: uint64x2_t) -> uint64x2_t {
        // SAFETY: the token proves PMULL.
        unsafe { product(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<1>(a)) }
    }

    #[inline(always)]
    fn straddle(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vextq_u64::<1>(a, b) }
    }
}

/// A shift count for SHL: beyond 127 the instruction would wrap, beyond 63 the result is zero already.
#[inline(always)]
fn count_of(count: u32) -> i64 {
    i64::from(count.min(64))
}

impl WordLanes for Pmull {
    #[inline(always)]
    fn and(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vandq_u64(a, b) }
    }

    #[inline(always)]
    fn splat(self, word: u64) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vdupq_n_u64(word) }
    }

    #[inline(always)]
    fn shift_left(self, a: uint64x2_t, count: u32) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vshlq_u64(a, vdupq_n_s64(count_of(count))) }
    }

    #[inline(always)]
    fn shift_right(self, a: uint64x2_t, count: u32) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vshlq_u64(a, vdupq_n_s64(-count_of(count))) }
    }

    #[inline(always)]
    fn unpack_low(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vzip1q_u64(a, b) }
    }

    #[inline(always)]
    fn unpack_high(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON is part of the target.
        unsafe { vzip2q_u64(a, b) }
    }
}
