//! Four states with AVX2, eight with AVX-512; one with AVX-512 on 128-bit vectors.

use core::arch::x86_64::*;

use super::StateLanes;
use crate::backend::{Avx2, Avx512};

/// One state with AVX-512, each word in a register of its own: 25 of the 32 registers hold the state, and rotations and chi are one
/// instruction each.
#[derive(Clone, Copy)]
pub(in crate::keccak) struct Single512(pub(in crate::keccak) Avx512);

impl StateLanes for Avx2 {
    type Word = __m256i;
    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_set1_epi64x(word.cast_signed()) }
    }
    #[inline(always)]
    fn gather(self, words: impl Fn(usize) -> u64) -> __m256i {
        let w = |k| words(k).cast_signed();
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_set_epi64x(w(3), w(2), w(1), w(0)) }
    }
    #[inline(always)]
    fn write(self, a: __m256i, words: &mut [u64; 8]) {
        // SAFETY: the token proves AVX2; the array has the 32 bytes, and the store is unaligned.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), a) };
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn xor3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        self.xor(a, self.xor(b, c))
    }
    #[inline(always)]
    fn chi(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, _mm256_andnot_si256(b, c)) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_or_si256(_mm256_slli_epi64::<LEFT>(a), _mm256_srli_epi64::<RIGHT>(a)) }
    }
}

/// Truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;
/// Truth table of a ^ (!b & c).
const CHI: i32 = 0xd2;

impl StateLanes for Avx512 {
    type Word = __m512i;
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_set1_epi64(word.cast_signed()) }
    }
    #[inline(always)]
    fn gather(self, words: impl Fn(usize) -> u64) -> __m512i {
        let w = |k| words(k).cast_signed();
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_set_epi64(w(7), w(6), w(5), w(4), w(3), w(2), w(1), w(0)) }
    }
    #[inline(always)]
    fn write(self, a: __m512i, words: &mut [u64; 8]) {
        // SAFETY: the token proves AVX-512F; the array has the 64 bytes, and the store is unaligned.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), a) };
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_ternarylogic_epi64::<XOR3>(a, b, c) }
    }
    #[inline(always)]
    fn chi(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_ternarylogic_epi64::<CHI>(a, b, c) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_rol_epi64::<LEFT>(a) }
    }
}

impl StateLanes for Single512 {
    type Word = __m128i;
    const COUNT: usize = 1;

    #[inline(always)]
    fn splat(self, word: u64) -> __m128i {
        // SAFETY: SSE2 is part of the x86-64 base line.
        unsafe { _mm_cvtsi64_si128(word.cast_signed()) }
    }
    #[inline(always)]
    fn gather(self, words: impl Fn(usize) -> u64) -> __m128i {
        self.splat(words(0))
    }
    #[inline(always)]
    fn write(self, a: __m128i, words: &mut [u64; 8]) {
        // SAFETY: SSE2 is part of the x86-64 base line.
        words[0] = unsafe { _mm_cvtsi128_si64(a) }.cast_unsigned();
    }
    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: SSE2 is part of the x86-64 base line.
        unsafe { _mm_xor_si128(a, b) }
    }
    #[inline(always)]
    fn xor3(self, a: __m128i, b: __m128i, c: __m128i) -> __m128i {
        // SAFETY: the token proves AVX-512 F and VL.
        unsafe { _mm_ternarylogic_epi64::<XOR3>(a, b, c) }
    }
    #[inline(always)]
    fn chi(self, a: __m128i, b: __m128i, c: __m128i) -> __m128i {
        // SAFETY: the token proves AVX-512 F and VL.
        unsafe { _mm_ternarylogic_epi64::<CHI>(a, b, c) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: __m128i) -> __m128i {
        // SAFETY: the token proves AVX-512 F and VL.
        unsafe { _mm_rol_epi64::<LEFT>(a) }
    }
}
