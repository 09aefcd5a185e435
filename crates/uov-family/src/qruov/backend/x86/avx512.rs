//! AVX-512 with VNNI, VBMI and VBMI2: sixteen lanes, 32-bit sums from `vpdpbusd`.

use core::arch::x86_64::*;

use super::sampling::{Compare512, Expanding, Listing, sample_buffer};
use crate::qruov::backend::{Backend, Scratch, gather_pattern};
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
    unsafe fn load_spread<R: QuotientRing>(self, place: *const u8, stride: usize) -> __m512i {
        // SAFETY: the token proves AVX-512 F and BW; the caller vouches for the loads, and the pattern has 16 bytes.
        unsafe {
            let x = _mm512_castsi128_si512(_mm_loadu_si128(place.cast()));
            let x = _mm512_inserti32x4::<1>(x, _mm_loadu_si128(place.add(4 * stride).cast()));
            let x = _mm512_inserti32x4::<2>(x, _mm_loadu_si128(place.add(8 * stride).cast()));
            let x = _mm512_inserti32x4::<3>(x, _mm_loadu_si128(place.add(12 * stride).cast()));
            let pattern = _mm_loadu_si128(gather_pattern::<R>().as_ptr().cast());
            _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(pattern))
        }
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: the token proves AVX-512 F.
        unsafe {
            let (ab01, ab23) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let (cd01, cd23) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            [
                _mm512_unpacklo_epi64(ab01, cd01),
                _mm512_unpackhi_epi64(ab01, cd01),
                _mm512_unpacklo_epi64(ab23, cd23),
                _mm512_unpackhi_epi64(ab23, cd23),
            ]
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
        let modulus = R::MODULUS as u8;
        match R::BITS {
            7 => sample_buffer::<Listing<'_, Compare512, 2>>(modulus, extent, buffer, scratch),
            _ => sample_buffer::<Expanding<'_>>(modulus, extent, buffer, scratch),
        }
    }
}
