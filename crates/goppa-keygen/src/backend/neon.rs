//! NEON: 4 integers of 32 bits, 2 of 64.

use core::arch::aarch64::*;

use gf2n::small::gf2m::backend::Neon;

use super::SortVectors;

impl SortVectors<u32> for Neon {
    type Vector = uint32x4_t;
    type Row = [u32; 4];
    const SORT_LANES: usize = 4;

    #[inline(always)]
    fn rows(data: &mut [u32]) -> &mut [[u32; 4]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u32]) -> uint32x4_t {
        let chunk: &[u32] = &source[..4];
        // SAFETY: NEON is part of the target's base line; four integers are readable.
        unsafe { vld1q_u32(chunk.as_ptr()) }
    }
    #[inline(always)]
    fn store_integers(self, vector: uint32x4_t, destination: &mut [u32]) {
        let chunk: &mut [u32] = &mut destination[..4];
        // SAFETY: NEON is part of the target's base line; four integers are writable.
        unsafe { vst1q_u32(chunk.as_mut_ptr(), vector) }
    }
    #[inline(always)]
    fn min_max(self, left: uint32x4_t, right: uint32x4_t) -> (uint32x4_t, uint32x4_t) {
        // SAFETY: NEON is part of the target's base line.
        unsafe { (vminq_u32(left, right), vmaxq_u32(left, right)) }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: uint32x4_t, distance: usize) -> uint32x4_t {
        // SAFETY: NEON is part of the target's base line.
        unsafe { if distance == 1 { vrev64q_u32(vector) } else { vextq_u32::<2>(vector, vector) } }
    }
    #[inline(always)]
    fn blend(self, low: uint32x4_t, high: uint32x4_t, distance: usize) -> uint32x4_t {
        let mask: [u32; 4] = core::array::from_fn(|lane| if lane & distance == 0 { 0 } else { u32::MAX });
        // SAFETY: NEON is part of the target's base line; four integers are readable.
        unsafe { vbslq_u32(vld1q_u32(mask.as_ptr()), high, low) }
    }
    #[inline(always)]
    fn low_bits(self, vector: uint32x4_t) -> u32 {
        let mut lanes = [0u32; 4];
        self.store_integers(vector, &mut lanes);
        lanes.iter().enumerate().map(|(lane, value)| (value & 1) << lane).sum()
    }
}

impl SortVectors<u64> for Neon {
    type Vector = uint64x2_t;
    type Row = [u64; 2];
    const SORT_LANES: usize = 2;

    #[inline(always)]
    fn rows(data: &mut [u64]) -> &mut [[u64; 2]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u64]) -> uint64x2_t {
        let chunk: &[u64] = &source[..2];
        // SAFETY: NEON is part of the target's base line; two integers are readable.
        unsafe { vld1q_u64(chunk.as_ptr()) }
    }
    #[inline(always)]
    fn store_integers(self, vector: uint64x2_t, destination: &mut [u64]) {
        let chunk: &mut [u64] = &mut destination[..2];
        // SAFETY: NEON is part of the target's base line; two integers are writable.
        unsafe { vst1q_u64(chunk.as_mut_ptr(), vector) }
    }
    #[inline(always)]
    fn min_max(self, left: uint64x2_t, right: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
        // SAFETY: NEON is part of the target's base line.
        unsafe {
            let greater = vcgtq_u64(left, right);
            (vbslq_u64(greater, right, left), vbslq_u64(greater, left, right))
        }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: uint64x2_t, _distance: usize) -> uint64x2_t {
        // SAFETY: NEON is part of the target's base line.
        unsafe { vextq_u64::<1>(vector, vector) }
    }
    #[inline(always)]
    fn blend(self, low: uint64x2_t, high: uint64x2_t, _distance: usize) -> uint64x2_t {
        let mask = [0, u64::MAX];
        // SAFETY: NEON is part of the target's base line; two integers are readable.
        unsafe { vbslq_u64(vld1q_u64(mask.as_ptr()), high, low) }
    }
    #[inline(always)]
    fn low_bits(self, vector: uint64x2_t) -> u32 {
        let mut lanes = [0u64; 2];
        self.store_integers(vector, &mut lanes);
        (lanes[0] & 1 | (lanes[1] & 1) << 1) as u32
    }
}
