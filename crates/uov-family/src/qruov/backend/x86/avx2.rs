//! AVX2 with BMI2: eight lanes, 16-bit partial sums from `vpmaddubsw`.

use core::arch::x86_64::*;

use crate::qruov::backend::keccak::KeccakWord;
use crate::qruov::backend::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;
use crate::qruov::system::Chunk;

gf2n::cpu_token! {
    /// Proves AVX2 and BMI2.
    pub(crate) struct Avx2, qruov_avx2_detection, gf2n::backend::Level::Avx2, ["avx2", "bmi1", "bmi2", "popcnt"]
}

/// Four Keccak lanes.
#[derive(Clone, Copy)]
pub(crate) struct Word4(__m256i);

impl KeccakWord for Word4 {
    const STATES: usize = 4;
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a `Word4` is made by an `Avx2` token only.
        unsafe { Self(_mm256_xor_si256(self.0, other.0)) }
    }
    #[inline(always)]
    fn rotate<const K: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let left = _mm256_slli_epi64::<K>(self.0);
            // the count is a constant, so this is the immediate form
            let right = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(64 - K));
            Self(_mm256_or_si256(left, right))
        }
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_xor_si256(self.0, _mm256_andnot_si256(b.0, c.0))) }
    }
    #[inline(always)]
    fn write(self, out: &mut [u64; 8]) {
        // SAFETY: as above; `out` has 64 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn read(words: &[u64; 8]) -> Self {
        // SAFETY: reached from kernels that run under an `Avx2` token only; `words` has 64 bytes.
        unsafe { Self(_mm256_loadu_si256(words.as_ptr().cast())) }
    }
}

impl Backend for Avx2 {
    const LANES: usize = 8;
    const WIDE_PARTIALS: bool = false;
    const NAME: &'static str = "avx2";
    type Vector = __m256i;
    type Word = Word4;

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
    fn keccak_word(self, word: u64) -> Word4 {
        // SAFETY: the token proves AVX2.
        unsafe { Word4(_mm256_set1_epi64x(word as i64)) }
    }

    #[inline(always)]
    fn gather<R: QuotientRing>(
        self,
        raw: &[u8],
        stride: usize,
        offset: usize,
        count: usize,
        out: &mut [__m256i],
    ) {
        let block = gather_block::<R>();
        let blocks = count.div_ceil(block);
        let out = &mut out[..blocks * block * R::QUADS];
        // the last load of the last lane begins at 7 stride + offset + (blocks - 1) step
        assert!(blocks == 0 || 7 * stride + offset + (blocks - 1) * block * R::DEGREE + 16 <= raw.len());
        // SAFETY: the token proves AVX2; every 16-byte load ends inside `raw` by the assertion.
        unsafe {
            let pattern = _mm256_broadcastsi128_si256(gather_pattern::<R>());
            for (index, quads) in out.chunks_exact_mut(block * R::QUADS).enumerate() {
                let at = raw.as_ptr().add(offset + index * block * R::DEGREE);
                let pair = |lane: usize| {
                    let low = _mm_loadu_si128(at.add(lane * stride).cast());
                    let high = _mm_loadu_si128(at.add((lane + 4) * stride).cast());
                    _mm256_shuffle_epi8(
                        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high),
                        pattern,
                    )
                };
                let (a, b, c, d) = (pair(0), pair(1), pair(2), pair(3));
                let (ab01, ab23) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
                let (cd01, cd23) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
                quads[0] = _mm256_unpacklo_epi64(ab01, cd01);
                quads[1] = _mm256_unpackhi_epi64(ab01, cd01);
                quads[2] = _mm256_unpacklo_epi64(ab23, cd23);
                if let Some(last) = quads.get_mut(3) {
                    *last = _mm256_unpackhi_epi64(ab23, cd23);
                }
            }
        }
    }

    #[inline(always)]
    fn select(self, pivot: &mut [Chunk], row: &[Chunk], mask: u16) {
        // SAFETY: the token proves AVX2; a chunk is two aligned vectors.
        unsafe {
            let mask = _mm256_set1_epi16(mask as i16);
            for (pivot, row) in pivot.iter_mut().zip(row) {
                let (pivot, row) = (pivot.0.as_mut_ptr().cast::<__m256i>(), row.0.as_ptr().cast::<__m256i>());
                for half in 0..2 {
                    let chosen = _mm256_and_si256(mask, _mm256_load_si256(row.add(half)));
                    let sum = _mm256_or_si256(_mm256_load_si256(pivot.add(half)), chosen);
                    _mm256_store_si256(pivot.add(half), sum);
                }
            }
        }
    }

    #[inline(always)]
    fn eliminate<R: QuotientRing>(self, row: &mut [Chunk], pivot: &[Chunk], factor: u16) {
        // SAFETY: the token proves AVX2; a chunk is two aligned vectors.
        unsafe {
            let factor = _mm256_set1_epi16(factor as i16);
            let modulus = _mm256_set1_epi16(R::MODULUS as i16);
            let bits = _mm_cvtsi32_si128(R::BITS as i32);
            let fold = |x| _mm256_add_epi16(_mm256_and_si256(x, modulus), _mm256_srl_epi16(x, bits));
            for (row, pivot) in row.iter_mut().zip(pivot) {
                let (row, pivot) = (row.0.as_mut_ptr().cast::<__m256i>(), pivot.0.as_ptr().cast::<__m256i>());
                for half in 0..2 {
                    let product = _mm256_mullo_epi16(factor, _mm256_load_si256(pivot.add(half)));
                    let sum = _mm256_add_epi16(_mm256_load_si256(row.add(half)), product);
                    _mm256_store_si256(row.add(half), fold(sum));
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
    fn sample<R: QuotientRing>(self, buffer: &mut [u8], count: usize) {
        if R::BITS == 7 {
            sample_sparse::<R>(buffer, count);
        } else {
            sample_dense::<R>(buffer, count);
        }
    }
}

/// The `pshufb` pattern that spreads one gather block into quads: l = 3: four elements of 3 bytes; l = 10: 4, 4 and 2 bytes.
#[inline(always)]
pub(crate) fn gather_pattern<R: QuotientRing>() -> __m128i {
    const THREE: [i8; 16] = [0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1];
    const TEN: [i8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1];
    let pattern = if R::DEGREE == 3 { &THREE } else { &TEN };
    // SAFETY: SSE2 is part of the x86-64 base line; the array has 16 bytes.
    unsafe { _mm_loadu_si128(pattern.as_ptr().cast()) }
}

/// Rare replacements (q = 127, one byte in 128): compare 32 bytes at a time and walk the set bits.
#[inline(always)]
fn sample_sparse<R: QuotientRing>(buffer: &mut [u8], count: usize) {
    let modulus = R::MODULUS as u8;
    let (elements, spare) = buffer.split_at_mut(count);
    let mut replacements = spare.iter().map(|&byte| byte & modulus).filter(|&byte| byte != modulus);
    let (blocks, rest) = elements.as_chunks_mut::<32>();
    for block in blocks {
        // SAFETY: run under an `Avx2` token only; the block has 32 bytes.
        let mut rejected = unsafe {
            let all = _mm256_set1_epi8(modulus as i8);
            let masked = _mm256_and_si256(_mm256_loadu_si256(block.as_ptr().cast()), all);
            _mm256_storeu_si256(block.as_mut_ptr().cast(), masked);
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(masked, all)) as u32
        };
        while rejected != 0 {
            block[rejected.trailing_zeros() as usize] = replacements.next().unwrap_or(0);
            rejected &= rejected - 1;
        }
    }
    for byte in rest {
        *byte &= modulus;
        if *byte == modulus {
            *byte = replacements.next().unwrap_or(0);
        }
    }
}

/// Frequent replacements: no branch on their positions. The spare bytes are compacted by PEXT, and deposited under the mask
/// of the rejected bytes by PDEP, eight bytes at a time.
#[inline(always)]
fn sample_dense<R: QuotientRing>(buffer: &mut [u8], count: usize) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let modulus = ONES * u64::from(R::MODULUS);
    let rejected = |x: u64| ((x + ONES) >> R::BITS) & ONES; // a byte is at most q = 2^b - 1
    let (elements, spare) = buffer.split_at_mut(count);
    // compaction in place: the write position never passes the read position
    let mut written = 0;
    let whole = spare.len() / 8 * 8;
    let mut at = 0;
    while at < whole {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&spare[at..at + 8]);
        let x = u64::from_le_bytes(bytes) & modulus;
        let reject = rejected(x);
        // SAFETY: run under an `Avx2` token only, which proves BMI2.
        let kept = unsafe { _pext_u64(x, !(reject * 0xff)) };
        spare[written..written + 8].copy_from_slice(&kept.to_le_bytes());
        written += 8 - reject.count_ones() as usize;
        at += 8;
    }
    for at in whole..spare.len() {
        let byte = spare[at] & R::MODULUS as u8;
        spare[written] = byte;
        written += usize::from(byte != R::MODULUS as u8);
    }
    spare[written..].fill(0);

    let mut next = 0;
    let mut done = 0;
    for block in elements.as_chunks_mut::<8>().0 {
        let Some(four) = spare.get(next..next + 8) else { break };
        let mut bytes = [0; 8];
        bytes.copy_from_slice(four);
        let x = u64::from_le_bytes(*block) & modulus;
        let reject = rejected(x);
        let mask = reject * 0xff;
        // SAFETY: run under an `Avx2` token only, which proves BMI2.
        let replaced = (x & !mask) | unsafe { _pdep_u64(u64::from_le_bytes(bytes), mask) };
        *block = replaced.to_le_bytes();
        next += reject.count_ones() as usize;
        done += 8;
    }
    // the end, and what is left when fewer than eight spare bytes remain
    let spare = &spare[next.min(spare.len())..];
    let mut replacements = spare.iter().copied();
    for byte in &mut elements[done..] {
        *byte &= R::MODULUS as u8;
        if *byte == R::MODULUS as u8 {
            *byte = replacements.next().unwrap_or(0);
        }
    }
}
