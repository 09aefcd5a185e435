//! Word-wise operations of the x86-64 back ends.

use super::{Pclmul, PclmulAvx2, Vpclmul256, Vpclmul512};
use crate::backend::WordLanes;
use core::arch::x86_64::*;

/// Implements the word operations for a token with one vector width.
macro_rules! implement_words {
    (
        $token:ident: $vector:ident, $and:ident $splat:ident $left:ident $right:ident $unpack_low:ident $unpack_high:ident
    ) => {
        impl WordLanes for $token {
            #[inline(always)]
            fn and(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $and(a, b) }
            }

            #[inline(always)]
            fn splat(self, word: u64) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $splat(word.cast_signed()) }
            }

            #[inline(always)]
            fn shift_left(self, a: $vector, count: u32) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $left(a, _mm_cvtsi32_si128(count.cast_signed())) }
            }

            #[inline(always)]
            fn shift_right(self, a: $vector, count: u32) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $right(a, _mm_cvtsi32_si128(count.cast_signed())) }
            }

            #[inline(always)]
            fn unpack_low(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $unpack_low(a, b) }
            }

            #[inline(always)]
            fn unpack_high(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $unpack_high(a, b) }
            }
        }
    };
}

implement_words!(
    Pclmul: __m128i,
    _mm_and_si128 _mm_set1_epi64x _mm_sll_epi64 _mm_srl_epi64 _mm_unpacklo_epi64 _mm_unpackhi_epi64
);
implement_words!(
    PclmulAvx2: __m128i,
    _mm_and_si128 _mm_set1_epi64x _mm_sll_epi64 _mm_srl_epi64 _mm_unpacklo_epi64 _mm_unpackhi_epi64
);
implement_words!(
    Vpclmul256: __m256i,
    _mm256_and_si256 _mm256_set1_epi64x _mm256_sll_epi64 _mm256_srl_epi64 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
);
implement_words!(
    Vpclmul512: __m512i,
    _mm512_and_si512 _mm512_set1_epi64 _mm512_sll_epi64 _mm512_srl_epi64 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64
);
