//! AVX2 with BMI2: eight lanes, 16-bit partial sums from `vpmaddubsw`.

use core::arch::x86_64::*;

use super::sampling::{Compare256, Listing, Shuffling, sample_buffer};
use crate::qruov::backend::{Backend, Scratch, gather_pattern};
use crate::qruov::ring::QuotientRing;

gf2n::cpu_token! {
    /// Proves AVX2 and BMI2.
    pub(crate) struct Avx2, qruov_avx2_detection, gf2n::backend::Level::Avx2, ["avx2", "bmi1", "bmi2", "popcnt"]
}

impl Backend for Avx2 {
    const LANES: usize = 8;
    const WIDE_PARTIALS: bool = false;
    const NAME: &'static str = "avx2";
    type Vector = __m256i;

    #[inline(always)]
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T {
        Avx2::run(self, kernel)
    }

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: the token proves AVX2 (here and below).
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn broadcast(self, word: u32) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_set1_epi32(word as i32) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> __m256i {
        let bytes = &bytes[..32];
        // SAFETY: the token proves AVX2, and `bytes` has 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn multiply_add(self, partial: __m256i, elements: __m256i, weights: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_add_epi16(partial, _mm256_maddubs_epi16(elements, weights)) }
    }

    #[inline(always)]
    fn widen(self, sum: __m256i, partial: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(partial, _mm256_set1_epi16(1))) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn add_16(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn multiply_16(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_mullo_epi16(a, b) }
    }

    #[inline(always)]
    fn shift_left(self, a: __m256i, bits: u32) -> __m256i {
        // SAFETY: the token proves AVX2. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm256_sll_epi32(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn shift_right(self, a: __m256i, bits: u32) -> __m256i {
        // SAFETY: the token proves AVX2. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm256_srl_epi32(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn shift_right_16(self, a: __m256i, bits: u32) -> __m256i {
        // SAFETY: the token proves AVX2. The count is a constant of the caller, which makes this the immediate form.
        unsafe { _mm256_srl_epi16(a, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    fn words(vectors: &[__m256i]) -> &[u32] {
        // SAFETY: a vector is eight words without padding, and its alignment is larger.
        unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * 8) }
    }

    #[inline(always)]
    fn words_mut(vectors: &mut [__m256i]) -> &mut [u32] {
        // SAFETY: as above; the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * 8) }
    }

    #[inline(always)]
    unsafe fn load_spread<R: QuotientRing>(self, place: *const u8, stride: usize) -> __m256i {
        // SAFETY: the token proves AVX2; the caller vouches for the loads, and the pattern has 16 bytes.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(place.cast()));
            let both = _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(place.add(4 * stride).cast()));
            let pattern = _mm_loadu_si128(gather_pattern::<R>().as_ptr().cast());
            _mm256_shuffle_epi8(both, _mm256_broadcastsi128_si256(pattern))
        }
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: the token proves AVX2.
        unsafe {
            let (ab01, ab23) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let (cd01, cd23) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            [
                _mm256_unpacklo_epi64(ab01, cd01),
                _mm256_unpackhi_epi64(ab01, cd01),
                _mm256_unpacklo_epi64(ab23, cd23),
                _mm256_unpackhi_epi64(ab23, cd23),
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
            7 => sample_buffer::<Listing<'_, Compare256, 2>>(modulus, extent, buffer, scratch),
            5 => sample_buffer::<Listing<'_, Compare256, 4>>(modulus, extent, buffer, scratch),
            _ => sample_buffer::<Shuffling<'_>>(modulus, extent, buffer, scratch),
        }
    }
}
