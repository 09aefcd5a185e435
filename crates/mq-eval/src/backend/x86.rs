//! The vectors of AVX2 and AVX-512VL.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_extract_epi64, _mm256_loadu_si256, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_ternarylogic_epi64, _mm256_xor_si256,
};

use super::{Avx2, Avx512, Vectors};

/// Truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;
/// Truth table of a ^ (b & c).
const XOR_AND: i32 = 0x78;

macro_rules! avx2_methods {
    () => {
        type Vector = __m256i;

        #[inline(always)]
        fn zero(self) -> __m256i {
            // SAFETY: the token proves AVX2.
            unsafe { _mm256_setzero_si256() }
        }

        #[inline(always)]
        fn load(self, bytes: &[u8; 32]) -> __m256i {
            // SAFETY: the token proves AVX2; the reference covers the 32 bytes, and the load is unaligned.
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
        }

        #[inline(always)]
        fn load_words(self, words: &[u64; 4]) -> __m256i {
            // SAFETY: the token proves AVX2; the reference covers the 32 bytes, and the load is unaligned.
            unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
        }

        #[inline(always)]
        fn broadcast(self, word: u64) -> __m256i {
            // SAFETY: the token proves AVX2.
            unsafe { _mm256_set1_epi64x(word.cast_signed()) }
        }

        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the token proves AVX2.
            unsafe { _mm256_xor_si256(a, b) }
        }

        #[inline(always)]
        fn words(self, a: __m256i) -> [u64; 4] {
            // SAFETY: the token proves AVX2.
            unsafe {
                [
                    _mm256_extract_epi64::<0>(a).cast_unsigned(),
                    _mm256_extract_epi64::<1>(a).cast_unsigned(),
                    _mm256_extract_epi64::<2>(a).cast_unsigned(),
                    _mm256_extract_epi64::<3>(a).cast_unsigned(),
                ]
            }
        }
    };
}

impl Vectors for Avx2 {
    avx2_methods!();

    #[inline(always)]
    fn add_masked(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, _mm256_and_si256(b, c)) }
    }
}

impl Vectors for Avx512 {
    avx2_methods!();

    #[inline(always)]
    fn add3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: the token proves AVX-512F and AVX-512VL.
        unsafe { _mm256_ternarylogic_epi64::<XOR3>(a, b, c) }
    }

    #[inline(always)]
    fn add_masked(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: the token proves AVX-512F and AVX-512VL.
        unsafe { _mm256_ternarylogic_epi64::<XOR_AND>(a, b, c) }
    }
}
