//! AES counter mode with VAES: the key streams of QR-UOV, 32 or 16 blocks in flight.
//!
//! The round keys come from the key schedule of FIPS 197 with the S-box of the AES instructions, so nothing here reads a table or
//! branches on a key.

use core::arch::x86_64::*;

use zeroize::Zeroizing;

gf2n::cpu_token! {
    /// Proves 512-bit VAES.
    pub(crate) struct Vaes512, qruov_vaes512_detection, gf2n::backend::Level::Avx512, ["avx512f", "avx512bw", "vaes", "aes"]
}

gf2n::cpu_token! {
    /// Proves 256-bit VAES.
    pub(crate) struct Vaes256, qruov_vaes256_detection, gf2n::backend::Level::Avx2Wide, ["avx2", "vaes", "aes"]
}

/// Which vector width is proven.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vaes {
    /// 512 bits.
    Wide(Vaes512),
    /// 256 bits.
    Narrow(Vaes256),
}

impl Vaes {
    /// The widest VAES that the CPU has and the process-wide ceiling allows.
    pub(crate) fn detect() -> Option<Self> {
        Vaes512::detect().map(Vaes::Wide).or_else(|| Vaes256::detect().map(Vaes::Narrow))
    }
}

/// The expanded key, wiped when dropped.
pub(crate) struct RoundKeys {
    vaes: Vaes,
    rounds: usize,
    keys: Zeroizing<[[u8; 16]; 15]>,
}

/// `SubWord`: four equal columns make `ShiftRows` the identity.
#[inline(always)]
fn substitute(word: u32) -> u32 {
    // SAFETY: run under a VAES token only, which proves AES.
    unsafe {
        _mm_cvtsi128_si32(_mm_aesenclast_si128(_mm_set1_epi32(word as i32), _mm_setzero_si128())) as u32
    }
}

/// The key schedule for 16, 24 or 32 bytes of key.
#[inline(always)]
fn schedule(key: &[u8], keys: &mut [[u8; 16]; 15]) -> usize {
    let columns = key.len() / 4;
    let rounds = columns + 6;
    let words = keys.as_flattened_mut();
    words[..key.len()].copy_from_slice(key);
    let mut constant = 1_u32;
    for i in columns..4 * (rounds + 1) {
        let word = |i: usize, words: &[u8]| {
            u32::from_le_bytes([words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]])
        };
        let mut next = word(i - 1, words);
        if i % columns == 0 {
            next = substitute(next).rotate_right(8) ^ constant;
            constant = (constant << 1) ^ (0x11b * (constant >> 7));
        } else if columns == 8 && i % 8 == 4 {
            next = substitute(next);
        }
        let next = next ^ word(i - columns, words);
        words[4 * i..4 * i + 4].copy_from_slice(&next.to_le_bytes());
    }
    rounds
}

impl RoundKeys {
    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn new(vaes: Vaes, key: &[u8]) -> Self {
        let mut keys = Zeroizing::new([[0; 16]; 15]);
        let rounds = match vaes {
            Vaes::Wide(token) => token.run(
                #[inline(always)]
                || schedule(key, &mut keys),
            ),
            Vaes::Narrow(token) => token.run(
                #[inline(always)]
                || schedule(key, &mut keys),
            ),
        };
        Self { vaes, rounds, keys }
    }

    /// The key stream from counter block `index || block` (8 bytes each, big-endian), as many whole blocks as `out` holds.
    pub(crate) fn key_stream(&self, index: u64, block: u64, out: &mut [u8]) {
        match (self.vaes, self.rounds) {
            (Vaes::Wide(token), 10) => token.run(
                #[inline(always)]
                || self.stream::<Wide, 10>(index, block, out),
            ),
            (Vaes::Wide(token), 12) => token.run(
                #[inline(always)]
                || self.stream::<Wide, 12>(index, block, out),
            ),
            (Vaes::Wide(token), _) => token.run(
                #[inline(always)]
                || self.stream::<Wide, 14>(index, block, out),
            ),
            (Vaes::Narrow(token), 10) => token.run(
                #[inline(always)]
                || self.stream::<Narrow, 10>(index, block, out),
            ),
            (Vaes::Narrow(token), 12) => token.run(
                #[inline(always)]
                || self.stream::<Narrow, 12>(index, block, out),
            ),
            (Vaes::Narrow(token), _) => token.run(
                #[inline(always)]
                || self.stream::<Narrow, 14>(index, block, out),
            ),
        }
    }

    #[inline(always)]
    fn stream<W: Width, const ROUNDS: usize>(&self, index: u64, block: u64, out: &mut [u8]) {
        const CHAINS: usize = 8;
        let first = W::broadcast(&self.keys[0]);
        let last = W::broadcast(&self.keys[ROUNDS]);
        let bytes = 16 * W::BLOCKS;
        let mut counter = W::counters(index, block);
        let whole = out.len() / 16 * 16;
        let mut batches = out[..whole].chunks_exact_mut(CHAINS * bytes);
        for batch in &mut batches {
            let mut state = [first; CHAINS];
            for state in &mut state {
                *state = W::xor(*state, W::big_endian(counter));
                counter = W::next(counter);
            }
            for key in &self.keys[1..ROUNDS] {
                let key = W::broadcast(key);
                for state in &mut state {
                    *state = W::round(*state, key);
                }
            }
            for (state, out) in state.into_iter().zip(batch.chunks_exact_mut(bytes)) {
                W::store(W::last_round(state, last), out);
            }
        }
        for out in batches.into_remainder().chunks_mut(bytes) {
            let mut state = W::xor(first, W::big_endian(counter));
            counter = W::next(counter);
            for key in &self.keys[1..ROUNDS] {
                state = W::round(state, W::broadcast(key));
            }
            let mut buffer = [0; 64];
            W::store(W::last_round(state, last), &mut buffer[..bytes]);
            out.copy_from_slice(&buffer[..out.len()]);
        }
    }
}

/// Several AES blocks in one vector. Every function is reached under a token of its width only.
trait Width {
    const BLOCKS: usize;
    type Vector: Copy;
    fn broadcast(key: &[u8; 16]) -> Self::Vector;
    /// `index` in big-endian form, `block + i` as native 64-bit integer for block `i`.
    fn counters(index: u64, block: u64) -> Self::Vector;
    fn next(counters: Self::Vector) -> Self::Vector;
    /// The counter blocks: the upper halves byte-reversed.
    fn big_endian(counters: Self::Vector) -> Self::Vector;
    fn xor(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn round(state: Self::Vector, key: Self::Vector) -> Self::Vector;
    fn last_round(state: Self::Vector, key: Self::Vector) -> Self::Vector;
    fn store(state: Self::Vector, out: &mut [u8]);
}

/// Reverses the upper eight bytes of a block.
const REVERSE_UPPER: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8];

struct Wide;

impl Width for Wide {
    const BLOCKS: usize = 4;
    type Vector = __m512i;
    #[inline(always)]
    fn broadcast(key: &[u8; 16]) -> __m512i {
        // SAFETY: run under a `Vaes512` token only (here and below); a key has 16 bytes.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(key.as_ptr().cast())) }
    }
    #[inline(always)]
    fn counters(index: u64, block: u64) -> __m512i {
        let (index, block) = (index.swap_bytes() as i64, block as i64);
        // SAFETY: as above.
        unsafe { _mm512_set_epi64(block + 3, index, block + 2, index, block + 1, index, block, index) }
    }
    #[inline(always)]
    fn next(counters: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_add_epi64(counters, _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0)) }
    }
    #[inline(always)]
    fn big_endian(counters: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_shuffle_epi8(counters, Self::broadcast(&REVERSE_UPPER)) }
    }
    #[inline(always)]
    fn xor(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn round(state: __m512i, key: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_aesenc_epi128(state, key) }
    }
    #[inline(always)]
    fn last_round(state: __m512i, key: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_aesenclast_epi128(state, key) }
    }
    #[inline(always)]
    fn store(state: __m512i, out: &mut [u8]) {
        let out = &mut out[..64];
        // SAFETY: as above; `out` has 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), state) }
    }
}

struct Narrow;

impl Width for Narrow {
    const BLOCKS: usize = 2;
    type Vector = __m256i;
    #[inline(always)]
    fn broadcast(key: &[u8; 16]) -> __m256i {
        // SAFETY: run under a `Vaes256` token only (here and below); a key has 16 bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(key.as_ptr().cast())) }
    }
    #[inline(always)]
    fn counters(index: u64, block: u64) -> __m256i {
        let (index, block) = (index.swap_bytes() as i64, block as i64);
        // SAFETY: as above.
        unsafe { _mm256_set_epi64x(block + 1, index, block, index) }
    }
    #[inline(always)]
    fn next(counters: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi64(counters, _mm256_set_epi64x(2, 0, 2, 0)) }
    }
    #[inline(always)]
    fn big_endian(counters: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_shuffle_epi8(counters, Self::broadcast(&REVERSE_UPPER)) }
    }
    #[inline(always)]
    fn xor(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn round(state: __m256i, key: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_aesenc_epi128(state, key) }
    }
    #[inline(always)]
    fn last_round(state: __m256i, key: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_aesenclast_epi128(state, key) }
    }
    #[inline(always)]
    fn store(state: __m256i, out: &mut [u8]) {
        let out = &mut out[..32];
        // SAFETY: as above; `out` has 32 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), state) }
    }
}
