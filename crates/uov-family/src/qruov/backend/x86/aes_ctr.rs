//! AES counter mode with VAES: the key streams of QR-UOV, 32 or 16 blocks in flight, sampled while they are in registers.
//!
//! The round keys come from the key schedule of FIPS 197 with the S-box of the AES instructions, so nothing here reads a table or
//! branches on a key.

use core::arch::x86_64::*;

use zeroize::Zeroizing;

use super::sampling::{Compare256, Compare512, Draw, Expanding, Listing, STEP, Sampler, Shuffling, written};
use crate::qruov::backend::Scratch;

gf2n::cpu_token! {
    /// Proves 512-bit VAES and what sampling takes.
    pub(crate) struct Vaes512, qruov_vaes512_detection, gf2n::backend::Level::Avx512, ["avx512f", "avx512bw", "avx512vl", "avx512vbmi2", "vaes", "aes", "bmi1", "bmi2", "popcnt"]
}

gf2n::cpu_token! {
    /// Proves 256-bit VAES and what sampling takes.
    pub(crate) struct Vaes256, qruov_vaes256_detection, gf2n::backend::Level::Avx2Wide, ["avx2", "vaes", "aes", "bmi1", "bmi2", "popcnt"]
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

    /// Every width that the CPU has.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Vaes512::detect().map(Vaes::Wide).into_iter().chain(Vaes256::detect().map(Vaes::Narrow))
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
        match self.vaes {
            Vaes::Wide(token) => token.run(
                #[inline(always)]
                || self.write_blocks::<Wide>(index, block, out),
            ),
            Vaes::Narrow(token) => token.run(
                #[inline(always)]
                || self.write_blocks::<Narrow>(index, block, out),
            ),
        }
    }

    /// The first `count` elements of the stream `index`, of which `drawn` bytes are drawn (`extent` is both), to the front of `out`, which
    /// has `drawn + 63` bytes; `modulus` is q. See
    /// [`Backend::sample`](crate::qruov::backend::Backend::sample).
    pub(crate) fn elements(
        &self,
        index: u64,
        modulus: u8,
        extent: (usize, usize),
        out: &mut [u8],
        scratch: &mut Scratch,
    ) -> bool {
        match (self.vaes, modulus) {
            (Vaes::Wide(token), 127) => token.run(
                #[inline(always)]
                || self.sample::<Wide, Listing<'_, Compare512, 2>>(index, modulus, extent, out, scratch),
            ),
            (Vaes::Wide(token), _) => token.run(
                #[inline(always)]
                || self.sample::<Wide, Expanding<'_>>(index, modulus, extent, out, scratch),
            ),
            (Vaes::Narrow(token), 127) => token.run(
                #[inline(always)]
                || self.sample::<Narrow, Listing<'_, Compare256, 2>>(index, modulus, extent, out, scratch),
            ),
            (Vaes::Narrow(token), 31) => token.run(
                #[inline(always)]
                || self.sample::<Narrow, Listing<'_, Compare256, 4>>(index, modulus, extent, out, scratch),
            ),
            (Vaes::Narrow(token), _) => token.run(
                #[inline(always)]
                || self.sample::<Narrow, Shuffling<'_>>(index, modulus, extent, out, scratch),
            ),
        }
    }

    #[inline(always)]
    fn sample<'s, W: Width, S: Sampler<'s>>(
        &self,
        index: u64,
        modulus: u8,
        (count, drawn): (usize, usize),
        out: &'s mut [u8],
        scratch: &'s mut Scratch,
    ) -> bool {
        let Scratch { raw, spares, positions } = scratch;
        let (first, skipped) = (count / 16, count % 16);
        let end = drawn - 16 * first;
        if S::SPARES_FIRST {
            let mut counter = W::counters(index, first as u64);
            for place in raw[..end.next_multiple_of(16 * W::BLOCKS)].chunks_exact_mut(16 * W::BLOCKS) {
                let [state] = self.encrypt::<W, 1>(&mut counter, |_| ());
                W::store(state, place);
            }
        }
        let len = written::<S>(count, drawn);
        let draw = Draw { modulus, count, drawn, stream: &mut out[..len] };
        let mut sampler = S::new(draw, &raw[skipped..end], spares, positions);

        // while one batch of vectors is encrypted, the one before is sampled: AES and the rest use different units of the CPU
        let mask = W::broadcast(&[modulus; 16]);
        let mut counter = W::counters(index, 0);
        let (bytes, batch) = (16 * W::BLOCKS, 8 * 16 * W::BLOCKS);
        let mut done = 0;
        while done + batch <= len {
            let states = if done == 0 {
                self.encrypt::<W, 8>(&mut counter, |_| ())
            } else {
                self.encrypt::<W, 8>(
                    &mut counter,
                    #[inline(always)]
                    |round| {
                        // as many steps as a batch has
                        if ((round + 1) * batch / STEP).is_multiple_of(8) {
                            sampler.step();
                        }
                    },
                )
            };
            let places = sampler.stream()[done..done + batch].chunks_exact_mut(bytes);
            for (state, place) in states.into_iter().zip(places) {
                W::store(W::and(state, mask), place);
            }
            done += batch;
        }
        let mut halves = sampler.stream()[done..].chunks_exact_mut(batch / 2);
        for half in &mut halves {
            let states = self.encrypt::<W, 4>(&mut counter, |_| ());
            for (state, place) in states.into_iter().zip(half.chunks_exact_mut(bytes)) {
                W::store(W::and(state, mask), place);
            }
        }
        for place in halves.into_remainder().chunks_exact_mut(bytes) {
            let [state] = self.encrypt::<W, 1>(&mut counter, |_| ());
            W::store(W::and(state, mask), place);
        }
        // those of the last batch, and of the vectors behind it
        for _ in 0..len.min(2 * batch) / STEP {
            sampler.step();
        }
        sampler.finish()
    }

    #[inline(always)]
    fn write_blocks<W: Width>(&self, index: u64, block: u64, out: &mut [u8]) {
        let mut counter = W::counters(index, block);
        let mut batches = out.chunks_exact_mut(8 * 16 * W::BLOCKS);
        for batch in &mut batches {
            let states = self.encrypt::<W, 8>(&mut counter, |_| ());
            for (state, out) in states.into_iter().zip(batch.chunks_exact_mut(16 * W::BLOCKS)) {
                W::store(state, out);
            }
        }
        let rest = batches.into_remainder();
        let whole = rest.len() / 16 * 16;
        for out in rest[..whole].chunks_mut(16 * W::BLOCKS) {
            let [state] = self.encrypt::<W, 1>(&mut counter, |_| ());
            let mut buffer = [0; 64];
            W::store(state, &mut buffer[..16 * W::BLOCKS]);
            out.copy_from_slice(&buffer[..out.len()]);
        }
    }

    /// Encrypts the next `CHAINS` vectors of counters; `between` is called after each of the first eight rounds.
    #[inline(always)]
    fn encrypt<W: Width, const CHAINS: usize>(
        &self,
        counter: &mut W::Vector,
        mut between: impl FnMut(usize),
    ) -> [W::Vector; CHAINS] {
        let mut states = [W::broadcast(&self.keys[0]); CHAINS];
        for state in &mut states {
            *state = W::xor(*state, W::big_endian(*counter));
            *counter = W::next(*counter);
        }
        for (round, key) in self.keys[1..9].iter().enumerate() {
            let key = W::broadcast(key);
            for state in &mut states {
                *state = W::round(*state, key);
            }
            between(round);
        }
        for key in &self.keys[9..self.rounds] {
            let key = W::broadcast(key);
            for state in &mut states {
                *state = W::round(*state, key);
            }
        }
        let key = W::broadcast(&self.keys[self.rounds]);
        for state in &mut states {
            *state = W::last_round(*state, key);
        }
        states
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
    fn and(a: Self::Vector, b: Self::Vector) -> Self::Vector;
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
    fn and(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_and_si512(a, b) }
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
    fn and(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_and_si256(a, b) }
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
