//! AVX-512 with VNNI, VBMI and VBMI2: sixteen lanes, 32-bit sums from `vpdpbusd`.

use core::arch::x86_64::*;

use super::avx2::gather_pattern;
use crate::qruov::backend::keccak::KeccakWord;
use crate::qruov::backend::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;

/// Defines the token from one feature list. VNNI stands apart because the detection crate does not know it.
macro_rules! avx512_vnni_token {
    ([$($feature:tt),+ $(,)?]) => {
        gf2n::cpu_token! {
            /// Proves everything but VNNI.
            struct Avx512Base, qruov_avx512_detection, gf2n::backend::Level::Avx512, [$($feature),+]
        }

        /// Proves AVX-512 F, BW, VL, VBMI, VBMI2 and VNNI.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Avx512Vnni(Avx512Base);

        impl Avx512Vnni {
            /// A token if the CPU has every feature and the process-wide ceiling allows AVX-512.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                const VNNI: u32 = 1 << 11;
                let base = Avx512Base::detect()?;
                // leaf 7 exists: the base token has features of it
                (__cpuid_count(7, 0).ecx & VNNI != 0).then_some(Self(base))
            }

            #[inline(always)]
            fn run_with_features<T>(self, kernel: impl FnOnce() -> T) -> T {
                #[inline]
                $(#[target_feature(enable = $feature)])+
                #[target_feature(enable = "avx512vnni")]
                fn with_features<T>(kernel: impl FnOnce() -> T) -> T {
                    kernel()
                }
                // SAFETY: a value of this type exists only if detection found every feature of the list and VNNI.
                unsafe { with_features(kernel) }
            }
        }
    };
}

avx512_vnni_token! {
    ["avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "bmi1", "bmi2", "popcnt"]
}

/// Eight Keccak lanes.
#[derive(Clone, Copy)]
pub(crate) struct Word8(__m512i);

impl KeccakWord for Word8 {
    const STATES: usize = 8;
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a `Word8` is made by an `Avx512Vnni` token only (here and below).
        unsafe { Self(_mm512_xor_si512(self.0, other.0)) }
    }
    #[inline(always)]
    fn rotate<const K: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_rol_epi64::<K>(self.0)) }
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // 0xd2: a ^ (!b & c)
        // SAFETY: as above.
        unsafe { Self(_mm512_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0)) }
    }
    #[inline(always)]
    fn write(self, out: &mut [u64; 8]) {
        // SAFETY: as above; `out` has 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn read(words: &[u64; 8]) -> Self {
        // SAFETY: reached from kernels that run under an `Avx512Vnni` token only; `words` has 64 bytes.
        unsafe { Self(_mm512_loadu_si512(words.as_ptr().cast())) }
    }
}

impl Backend for Avx512Vnni {
    const LANES: usize = 16;
    const WIDE_PARTIALS: bool = true;
    const NAME: &'static str = "avx512-vnni";
    type Vector = __m512i;
    type Word = Word8;

    #[inline(always)]
    fn run<T>(self, kernel: impl FnOnce() -> T) -> T {
        self.run_with_features(kernel)
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
    fn keccak_word(self, word: u64) -> Word8 {
        // SAFETY: the token proves AVX-512 F.
        unsafe { Word8(_mm512_set1_epi64(word as i64)) }
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

    /// No branch on the positions: `vpcompressb` compacts the spare bytes, `vpexpandb` fills the rejected places.
    #[inline(always)]
    fn sample<R: QuotientRing>(self, buffer: &mut [u8], count: usize) {
        let modulus = R::MODULUS as u8;
        let (elements, spare) = buffer.split_at_mut(count);
        // compaction in place: the write position never passes the read position
        let mut written = 0;
        let whole = spare.len() / 64 * 64;
        for at in (0..whole).step_by(64) {
            // SAFETY: the token proves VBMI2; both accesses are inside `spare` because written <= at <= len - 64.
            unsafe {
                let all = _mm512_set1_epi8(modulus as i8);
                let x = _mm512_and_si512(_mm512_loadu_si512(spare.as_ptr().add(at).cast()), all);
                let kept = _mm512_cmpneq_epi8_mask(x, all);
                let packed = _mm512_maskz_compress_epi8(kept, x);
                _mm512_storeu_si512(spare.as_mut_ptr().add(written).cast(), packed);
                written += kept.count_ones() as usize;
            }
        }
        for at in whole..spare.len() {
            let byte = spare[at] & modulus;
            spare[written] = byte;
            written += usize::from(byte != modulus);
        }
        spare[written..].fill(0);

        let (mut next, mut done) = (0, 0);
        for block in elements.as_chunks_mut::<64>().0 {
            if next + 64 > spare.len() {
                break;
            }
            // SAFETY: the token proves VBMI2; `block` has 64 bytes, and `spare` has 64 from `next` on.
            unsafe {
                let all = _mm512_set1_epi8(modulus as i8);
                let x = _mm512_and_si512(_mm512_loadu_si512(block.as_ptr().cast()), all);
                let rejected = _mm512_cmpeq_epi8_mask(x, all);
                let replacements = _mm512_loadu_si512(spare.as_ptr().add(next).cast());
                let x = _mm512_mask_expand_epi8(x, rejected, replacements);
                _mm512_storeu_si512(block.as_mut_ptr().cast(), x);
                next += rejected.count_ones() as usize;
            }
            done += 64;
        }
        // the end, and what is left when fewer than 64 spare bytes remain
        let mut replacements = spare[next.min(spare.len())..].iter().copied();
        for byte in &mut elements[done..] {
            *byte &= modulus;
            if *byte == modulus {
                *byte = replacements.next().unwrap_or(0);
            }
        }
    }
}
