//! NEON: four lanes, 16-bit partial sums from widening products. NEON belongs to the base line of the aarch64 targets.

use core::arch::aarch64::*;

use gf2n::backend::Level;

use crate::qruov::backend::{Backend, gather_pattern};
use crate::qruov::ring::QuotientRing;

/// Proves NEON and that the process-wide ceiling allows 128-bit vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// A token if the target has NEON and the ceiling allows it.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        (cfg!(target_feature = "neon") && gf2n::backend::ceiling() >= Level::Simd128).then_some(Self(()))
    }
}

impl Backend for Neon {
    const LANES: usize = 4;
    const WIDE_PARTIALS: bool = false;
    const NAME: &'static str = "neon";
    type Vector = uint32x4_t;

    #[inline(always)]
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T {
        // NEON is a feature of the whole build wherever a token exists
        kernel()
    }

    #[inline(always)]
    fn zero(self) -> uint32x4_t {
        self.broadcast(0)
    }

    #[inline(always)]
    fn broadcast(self, word: u32) -> uint32x4_t {
        // SAFETY: the token proves NEON (here and below).
        unsafe { vdupq_n_u32(word) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> uint32x4_t {
        let bytes = &bytes[..16];
        // SAFETY: the token proves NEON, and `bytes` has 16 bytes.
        unsafe { vreinterpretq_u32_u8(vld1q_u8(bytes.as_ptr())) }
    }

    #[inline(always)]
    fn multiply_add(self, partial: uint32x4_t, elements: uint32x4_t, weights: uint32x4_t) -> uint32x4_t {
        // elements are at most 127, so that they are signed bytes as well
        // SAFETY: the token proves NEON.
        unsafe {
            let (x, w) = (vreinterpretq_s8_u32(elements), vreinterpretq_s8_u32(weights));
            let low = vmull_s8(vget_low_s8(x), vget_low_s8(w));
            let high = vmull_high_s8(x, w);
            let pairs = vpaddq_s16(low, high);
            vreinterpretq_u32_s16(vaddq_s16(vreinterpretq_s16_u32(partial), pairs))
        }
    }

    #[inline(always)]
    fn widen(self, sum: uint32x4_t, partial: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe {
            let sum = vreinterpretq_s32_u32(sum);
            vreinterpretq_u32_s32(vpadalq_s16(sum, vreinterpretq_s16_u32(partial)))
        }
    }

    #[inline(always)]
    fn add(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vaddq_u32(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vsubq_u32(a, b) }
    }

    #[inline(always)]
    fn and(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vandq_u32(a, b) }
    }

    #[inline(always)]
    fn or(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vorrq_u32(a, b) }
    }

    #[inline(always)]
    fn add_16(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vreinterpretq_u32_u16(vaddq_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b))) }
    }

    #[inline(always)]
    fn multiply_16(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vreinterpretq_u32_u16(vmulq_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b))) }
    }

    #[inline(always)]
    fn shift_left(self, a: uint32x4_t, bits: u32) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vshlq_u32(a, vdupq_n_s32(bits as i32)) }
    }

    #[inline(always)]
    fn shift_right(self, a: uint32x4_t, bits: u32) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vshlq_u32(a, vdupq_n_s32(-(bits as i32))) }
    }

    #[inline(always)]
    fn shift_right_16(self, a: uint32x4_t, bits: u32) -> uint32x4_t {
        // SAFETY: the token proves NEON.
        unsafe { vreinterpretq_u32_u16(vshlq_u16(vreinterpretq_u16_u32(a), vdupq_n_s16(-(bits as i16)))) }
    }

    #[inline(always)]
    fn words(vectors: &[uint32x4_t]) -> &[u32] {
        // SAFETY: a vector is four words without padding, and its alignment is larger.
        unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * 4) }
    }

    #[inline(always)]
    fn words_mut(vectors: &mut [uint32x4_t]) -> &mut [u32] {
        // SAFETY: as above; the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * 4) }
    }

    #[inline(always)]
    unsafe fn load_spread<R: QuotientRing>(self, place: *const u8, _stride: usize) -> uint32x4_t {
        // SAFETY: the token proves NEON; the caller vouches for the load, and the pattern has 16 bytes.
        unsafe {
            let pattern = vld1q_u8(gather_pattern::<R>().as_ptr());
            vreinterpretq_u32_u8(vqtbl1q_u8(vld1q_u8(place), pattern))
        }
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        // SAFETY: the token proves NEON.
        unsafe {
            let (ab_even, ab_odd) = (vtrn1q_u32(a, b), vtrn2q_u32(a, b));
            let (cd_even, cd_odd) = (vtrn1q_u32(c, d), vtrn2q_u32(c, d));
            let wide = |x| vreinterpretq_u64_u32(x);
            [
                vreinterpretq_u32_u64(vtrn1q_u64(wide(ab_even), wide(cd_even))),
                vreinterpretq_u32_u64(vtrn1q_u64(wide(ab_odd), wide(cd_odd))),
                vreinterpretq_u32_u64(vtrn2q_u64(wide(ab_even), wide(cd_even))),
                vreinterpretq_u32_u64(vtrn2q_u64(wide(ab_odd), wide(cd_odd))),
            ]
        }
    }
}
