//! AVX-512 with VNNI, VBMI and VBMI2: sixteen lanes, 32-bit sums from `vpdpbusd`.

use core::arch::x86_64::*;

use super::avx2::gather_pattern;
use super::sampling::{Expanding, sample_buffer};
use crate::qruov::backend::{Backend, Scratch, gather_block};
use crate::qruov::ring::QuotientRing;

gf2n::cpu_token! {
    /// Proves AVX-512 F, BW, VL, VBMI, VBMI2 and VNNI.
    pub(crate) struct Avx512Vnni, qruov_avx512_detection, gf2n::backend::Level::Avx512,
    ["avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512vnni", "bmi1", "bmi2", "popcnt"]
}

impl Backend for Avx512Vnni {
    const LANES: usize = 16;
    const WIDE_PARTIALS: bool = true;
    const NAME: &'static str = "avx512-vnni";
    type Vector = __m512i;

    #[inline(always)]
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T {
        Avx512Vnni::run(self, kernel)
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: the token proves AVX-512 F (here and below).
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn broadcast(self, word: u32) -> __m512i {
        // SAFETY: the token proves AVX-512 F.
        unsafe { _mm512_set1_epi32(word as i32) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> __m512i {
        let bytes = &bytes[..64];
        // SAFETY: the token proves AVX-512 F, and `bytes` has 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn multiply_add(self, partial: __m512i, elements: __m512i, weights: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 VNNI.
        unsafe { _mm512_dpbusd_epi32(partial, elements, weights) }
    }

    #[inline(always)]
    fn widen(self, sum: __m512i, partial: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 F.
        unsafe { _mm512_add_epi32(sum, partial) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn add_16(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn multiply_16(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_mullo_epi16(a, b) }
    }

    #[inline(always)]
    fn shift_left(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: the token proves AVX-512 BW. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm512_sll_epi32(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn shift_right(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: the token proves AVX-512 BW. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm512_srl_epi32(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn shift_right_16(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: the token proves AVX-512 BW. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm512_srl_epi16(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn words(vectors: &[__m512i]) -> &[u32] {
        // SAFETY: a vector is sixteen words without padding, and its alignment is larger.
        unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * 16) }
    }

    #[inline(always)]
    fn words_mut(vectors: &mut [__m512i]) -> &mut [u32] {
        // SAFETY: as above; the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * 16) }
    }

    #[inline(always)]
    fn gather<R: QuotientRing>(
        self,
        raw: &[u8],
        stride: usize,
        offset: usize,
        count: usize,
        out: &mut [__m512i],
    ) {
        let block = gather_block::<R>();
        let blocks = count.div_ceil(block);
        let out = &mut out[..blocks * block * R::QUADS];
        // the last load of the last lane begins at 15 stride + offset + (blocks - 1) step
        assert!(blocks == 0 || 15 * stride + offset + (blocks - 1) * block * R::DEGREE + 16 <= raw.len());
        // SAFETY: the token proves AVX-512 BW; every 16-byte load ends inside `raw` by the assertion.
        unsafe {
            let pattern = _mm512_broadcast_i32x4(gather_pattern::<R>());
            for (index, quads) in out.chunks_exact_mut(block * R::QUADS).enumerate() {
                let at = raw.as_ptr().add(offset + index * block * R::DEGREE);
                let four = |lane: usize| {
                    let load = |lane: usize| _mm_loadu_si128(at.add(lane * stride).cast());
                    let x = _mm512_castsi128_si512(load(lane));
                    let x = _mm512_inserti32x4::<1>(x, load(lane + 4));
                    let x = _mm512_inserti32x4::<2>(x, load(lane + 8));
                    _mm512_shuffle_epi8(_mm512_inserti32x4::<3>(x, load(lane + 12)), pattern)
                };
                let (a, b, c, d) = (four(0), four(1), four(2), four(3));
                let (ab01, ab23) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
                let (cd01, cd23) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
                quads[0] = _mm512_unpacklo_epi64(ab01, cd01);
                quads[1] = _mm512_unpackhi_epi64(ab01, cd01);
                quads[2] = _mm512_unpacklo_epi64(ab23, cd23);
                if let Some(last) = quads.get_mut(3) {
                    *last = _mm512_unpackhi_epi64(ab23, cd23);
                }
            }
        }
    }

    #[inline(always)]
    fn spread<R: QuotientRing>(self, fields: u64) -> u64 {
        // SAFETY: the token proves BMI2.
        unsafe { _pdep_u64(fields, 0x0101_0101_0101_0101 * u64::from(R::MODULUS)) }
    }

    #[inline(always)]
    fn sample<R: QuotientRing>(
        self,
        buffer: &mut [u8],
        extent: (usize, usize),
        scratch: &mut Scratch,
    ) -> bool {
        sample_buffer::<Expanding<'_>>(R::MODULUS as u8, extent, buffer, scratch)
    }
}
