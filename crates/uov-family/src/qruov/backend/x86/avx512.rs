//! AVX-512 with VNNI, VBMI and VBMI2: sixteen lanes, 32-bit sums from `vpdpbusd`.

use core::arch::x86_64::*;
use core::sync::atomic::{AtomicU8, Ordering};

use super::avx2::gather_pattern;
use crate::qruov::backend::keccak::{KeccakWord, ROUND_CONSTANTS, permute};
use crate::qruov::backend::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;
use crate::qruov::system::Chunk;

/// Whether the CPU has VNNI; asked once, because CPUID is slow under a hypervisor. Leaf 7 exists where `Avx512Base` is granted.
fn has_vnni() -> bool {
    const UNKNOWN: u8 = 2;
    static CACHE: AtomicU8 = AtomicU8::new(UNKNOWN);
    let cached = CACHE.load(Ordering::Relaxed);
    if cached != UNKNOWN {
        return cached != 0;
    }
    let found = __cpuid_count(7, 0).ecx & (1 << 11) != 0;
    CACHE.store(u8::from(found), Ordering::Relaxed);
    found
}

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
                let base = Avx512Base::detect()?;
                has_vnni().then_some(Self(base))
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

/// One Keccak lane in a vector register: 25 of the 32 registers hold the state, rotations and chi are one instruction each.
#[derive(Clone, Copy)]
struct Word1(__m128i);

impl KeccakWord for Word1 {
    const STATES: usize = 1;
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a `Word1` is made by an `Avx512Vnni` token only (here and below).
        unsafe { Self(_mm_xor_si128(self.0, other.0)) }
    }
    #[inline(always)]
    fn rotate<const K: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm_rol_epi64::<K>(self.0)) }
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0)) }
    }
    #[inline(always)]
    fn write(self, out: &mut [u64; 8]) {
        // SAFETY: as above.
        out[0] = unsafe { _mm_cvtsi128_si64(self.0) } as u64;
    }
    #[inline(always)]
    fn read(words: &[u64; 8]) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm_cvtsi64_si128(words[0] as i64)) }
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

    #[inline(always)]
    fn permute(self, state: &mut [u64; 25]) {
        // SAFETY: the token proves AVX-512 F and VL; every pointer is to eight bytes of `state`.
        unsafe {
            let constants = ROUND_CONSTANTS.map(|constant| Word1(_mm_cvtsi64_si128(constant as i64)));
            let mut words = state.map(|word| Word1(_mm_cvtsi64_si128(word as i64)));
            permute(&constants, &mut words);
            for (word, out) in words.iter().zip(state) {
                *out = _mm_cvtsi128_si64(word.0) as u64;
            }
        }
    }

    #[inline(always)]
    fn select(self, pivot: &mut [Chunk], row: &[Chunk], mask: u16) {
        // SAFETY: the token proves AVX-512 BW; a chunk is one aligned vector.
        unsafe {
            let mask = _mm512_set1_epi16(mask as i16);
            for (pivot, row) in pivot.iter_mut().zip(row) {
                let chosen = _mm512_and_si512(mask, _mm512_load_si512(row.0.as_ptr().cast()));
                let sum = _mm512_or_si512(_mm512_load_si512(pivot.0.as_ptr().cast()), chosen);
                _mm512_store_si512(pivot.0.as_mut_ptr().cast(), sum);
            }
        }
    }

    #[inline(always)]
    fn eliminate<R: QuotientRing>(self, row: &mut [Chunk], pivot: &[Chunk], factor: u16) {
        // SAFETY: the token proves AVX-512 BW; a chunk is one aligned vector.
        unsafe {
            let factor = _mm512_set1_epi16(factor as i16);
            let modulus = _mm512_set1_epi16(R::MODULUS as i16);
            let bits = _mm_cvtsi32_si128(R::BITS as i32);
            let fold = |x| _mm512_add_epi16(_mm512_and_si512(x, modulus), _mm512_srl_epi16(x, bits));
            for (row, pivot) in row.iter_mut().zip(pivot) {
                let product = _mm512_mullo_epi16(factor, _mm512_load_si512(pivot.0.as_ptr().cast()));
                let sum = _mm512_add_epi16(_mm512_load_si512(row.0.as_ptr().cast()), product);
                _mm512_store_si512(row.0.as_mut_ptr().cast(), fold(sum));
            }
        }
    }

    #[inline(always)]
    fn spread<R: QuotientRing>(self, fields: u64) -> u64 {
        // SAFETY: the token proves BMI2.
        unsafe { _pdep_u64(fields, 0x0101_0101_0101_0101 * u64::from(R::MODULUS)) }
    }

    /// No branch on the positions: `vpcompressb` compacts the spare bytes, `vpexpandb` fills the rejected places.
    #[inline(always)]
    fn sample<R: QuotientRing>(self, buffer: &mut [u8], count: usize) {
        let (elements, spare) = buffer.split_at_mut(count);
        // the first min(n, 64) bytes
        let first = |n: usize| if n < 64 { (1_u64 << n) - 1 } else { u64::MAX };
        // SAFETY: the token proves BW and VBMI2; every access lies, or is masked to the bytes that lie, inside its slice.
        unsafe {
            let modulus = _mm512_set1_epi8(R::MODULUS as i8);
            // compaction in place: the write position never passes the read position
            let mut written = 0;
            for at in (0..spare.len()).step_by(64) {
                let inside = first(spare.len() - at);
                let x = _mm512_maskz_loadu_epi8(inside, spare.as_ptr().add(at).cast());
                let x = _mm512_and_si512(x, modulus);
                let kept = _mm512_mask_cmpneq_epi8_mask(inside, x, modulus);
                let packed = _mm512_maskz_compress_epi8(kept, x);
                let len = kept.count_ones() as usize;
                // a whole store where it fits: what it spoils was read before
                let place = spare.as_mut_ptr().add(written);
                if written + 64 <= spare.len() {
                    _mm512_storeu_si512(place.cast(), packed);
                } else {
                    _mm512_mask_storeu_epi8(place.cast(), first(len), packed);
                }
                written += len;
            }
            spare[written..].fill(0);
            let mut next = 0;
            let mut at = 0;
            // whole vectors, while a whole vector of replacements can be read; the last one overlaps the one before, whose
            // elements are below q already
            while at < elements.len() && elements.len() >= 64 && next + 64 <= spare.len() {
                at = at.min(elements.len() - 64);
                let place = elements.as_mut_ptr().add(at);
                let x = _mm512_and_si512(_mm512_loadu_si512(place.cast()), modulus);
                let rejected = _mm512_cmpeq_epi8_mask(x, modulus);
                let replacements = _mm512_loadu_si512(spare.as_ptr().add(next).cast());
                _mm512_storeu_si512(place.cast(), _mm512_mask_expand_epi8(x, rejected, replacements));
                next += rejected.count_ones() as usize;
                at += 64;
            }
            while at < elements.len() {
                let inside = first(elements.len() - at);
                let place = elements.as_mut_ptr().add(at).cast::<i8>();
                let x = _mm512_and_si512(_mm512_maskz_loadu_epi8(inside, place), modulus);
                let rejected = _mm512_cmpeq_epi8_mask(x, modulus);
                // what is missing reads as 0
                let left = first(written.saturating_sub(next));
                let replacements = _mm512_maskz_loadu_epi8(left, spare.as_ptr().wrapping_add(next).cast());
                _mm512_mask_storeu_epi8(place, inside, _mm512_mask_expand_epi8(x, rejected, replacements));
                at += 64;
                next += rejected.count_ones() as usize;
            }
        }
    }
}
