//! AES-128 of counter blocks with VAES, on 256 or 512 bits: counters and blocks stay in registers, eight vectors in flight.
//! The key is public.

use core::arch::x86_64::*;

use gf2n::backend::Level;

const BLOCK: usize = 16;
/// Vectors in flight: more than latency times throughput of the round instruction, and with a round key and the counters
/// within sixteen registers.
const FLIGHT: usize = 8;
const ROUNDS: usize = 10;

gf2n::cpu_token!(
    /// Proves VAES on 256 bits.
    pub(crate) struct Vaes256, vaes256_features, Level::Avx2Wide, ["avx2", "aes", "vaes"]
);
gf2n::cpu_token!(
    /// Proves VAES on 512 bits.
    pub(crate) struct Vaes512, vaes512_features, Level::Avx512, ["avx2", "aes", "vaes", "avx512f", "avx512bw"]
);

/// The round keys of AES-128.
#[derive(Clone, Copy)]
pub(crate) struct RoundKeys([__m128i; ROUNDS + 1]);

/// The next round key (FIPS 197, section 5.2); `$assist` is the step's RotWord, SubWord and Rcon of the last word.
macro_rules! next_key {
    ($keys:ident, $($round:literal $constant:literal)+) => {
        $(
            let key = $keys[$round - 1];
            let word = _mm_shuffle_epi32::<0xff>(_mm_aeskeygenassist_si128::<$constant>(key));
            // each word becomes the sum of all words up to it
            let key = _mm_xor_si128(key, _mm_slli_si128::<4>(key));
            let key = _mm_xor_si128(key, _mm_slli_si128::<8>(key));
            $keys[$round] = _mm_xor_si128(key, word);
        )+
    };
}

impl RoundKeys {
    /// Expands a key. The token proves AES-NI.
    pub(crate) fn new(token: Vaes256, key: &[u8; BLOCK]) -> Self {
        token.run(
            #[inline(always)]
            || {
                // SAFETY: the token proves AES-NI; 16 bytes are read from an array of 16.
                unsafe {
                    let mut keys = [_mm_setzero_si128(); ROUNDS + 1];
                    keys[0] = _mm_loadu_si128(key.as_ptr().cast());
                    next_key!(keys, 1 0x01 2 0x02 3 0x04 4 0x08 5 0x10 6 0x20 7 0x40 8 0x80 9 0x1b 10 0x36);
                    Self(keys)
                }
            },
        )
    }
}

/// Vectors of some blocks. Everything is called under the token, so that it inlines into code compiled with its features.
trait Lanes: Copy {
    type Vector: Copy;
    /// Blocks of a vector.
    const BLOCKS: usize;

    /// Copies of a block.
    fn broadcast(self, block: __m128i) -> Self::Vector;
    /// The numbers `first`, `first + stride`, ... in the last words of the blocks, as the machine has them; zeros elsewhere.
    fn counters(self, first: u32, stride: u32) -> Self::Vector;
    /// Adds words.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Turns the last word of each block into big-endian order and adds `base`.
    fn block(self, counters: Self::Vector, base: Self::Vector) -> Self::Vector;
    /// An inner round.
    fn round(self, state: Self::Vector, key: Self::Vector) -> Self::Vector;
    /// The last round.
    fn last(self, state: Self::Vector, key: Self::Vector) -> Self::Vector;
    /// Writes a vector.
    ///
    /// # Safety
    /// The vector's bytes can be written at `to`.
    unsafe fn store(self, to: *mut u8, vector: Self::Vector);
}

macro_rules! lanes {
    ($token:ident, $vector:ident, $blocks:literal, $broadcast:ident, $load:ident, $add:ident, $xor:ident, $shuffle:ident,
        $round:ident, $last:ident, $store:ident) => {
        impl Lanes for $token {
            type Vector = $vector;
            const BLOCKS: usize = $blocks;

            #[inline(always)]
            fn broadcast(self, block: __m128i) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $broadcast(block) }
            }
            #[inline(always)]
            fn counters(self, first: u32, stride: u32) -> $vector {
                let mut words = [0u32; 4 * $blocks];
                let mut number = first;
                for block in words.chunks_exact_mut(4) {
                    block[3] = number;
                    number = number.wrapping_add(stride);
                }
                // SAFETY: the token proves the features; the array is a vector long.
                unsafe { $load(words.as_ptr().cast()) }
            }
            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $add(a, b) }
            }
            #[inline(always)]
            fn block(self, counters: $vector, base: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe {
                    let order = _mm_set_epi8(12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
                    $xor($shuffle(counters, $broadcast(order)), base)
                }
            }
            #[inline(always)]
            fn round(self, state: $vector, key: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $round(state, key) }
            }
            #[inline(always)]
            fn last(self, state: $vector, key: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $last(state, key) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u8, vector: $vector) {
                // SAFETY: the token proves the features; the caller lets a vector be written.
                unsafe { $store(to.cast(), vector) }
            }
        }

        impl $token {
            /// Fills `bytes` (whole blocks) with the encryption of `mask` XOR the counters from `first` on, as 32-bit big-endian
            /// numbers in the last four bytes of a block.
            pub(crate) fn encrypt_counters(
                self,
                keys: &RoundKeys,
                first: u32,
                mask: &[u8; BLOCK],
                bytes: &mut [u8],
            ) {
                self.run(
                    #[inline(always)]
                    || encrypt_counters(self, keys, first, mask, bytes),
                );
            }
        }
    };
}

lanes!(
    Vaes256,
    __m256i,
    2,
    _mm256_broadcastsi128_si256,
    _mm256_loadu_si256,
    _mm256_add_epi32,
    _mm256_xor_si256,
    _mm256_shuffle_epi8,
    _mm256_aesenc_epi128,
    _mm256_aesenclast_epi128,
    _mm256_storeu_si256
);
lanes!(
    Vaes512,
    __m512i,
    4,
    _mm512_broadcast_i32x4,
    _mm512_loadu_si512,
    _mm512_add_epi32,
    _mm512_xor_si512,
    _mm512_shuffle_epi8,
    _mm512_aesenc_epi128,
    _mm512_aesenclast_epi128,
    _mm512_storeu_si512
);

#[inline(always)]
fn encrypt_counters<L: Lanes>(lanes: L, keys: &RoundKeys, first: u32, mask: &[u8; BLOCK], bytes: &mut [u8]) {
    const LONGEST: usize = FLIGHT * 4 * BLOCK;
    let flight = FLIGHT * L::BLOCKS * BLOCK;
    // SAFETY: called under a token that proves AVX2; 16 bytes are read from an array of 16.
    let base = unsafe { _mm_xor_si128(keys.0[0], _mm_loadu_si128(mask.as_ptr().cast())) };
    let base = lanes.broadcast(base);
    let keys = keys.0.map(
        #[inline(always)]
        |key| lanes.broadcast(key),
    );
    let mut counters = lanes.counters(first, 1);
    let mut whole = bytes.chunks_exact_mut(flight);
    for chunk in &mut whole {
        // SAFETY: the chunk has FLIGHT vectors.
        counters = unsafe { encrypt_flight(lanes, &keys, base, counters, chunk.as_mut_ptr()) };
    }
    let rest = whole.into_remainder();
    if !rest.is_empty() {
        let mut last = [0; LONGEST];
        // SAFETY: the array has at least FLIGHT vectors.
        unsafe { encrypt_flight(lanes, &keys, base, counters, last.as_mut_ptr()) };
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Encrypts FLIGHT vectors of counters; the following counters.
///
/// # Safety
/// FLIGHT vectors can be written at `to`.
#[inline(always)]
unsafe fn encrypt_flight<L: Lanes>(
    lanes: L,
    keys: &[L::Vector; ROUNDS + 1],
    base: L::Vector,
    mut counters: L::Vector,
    to: *mut u8,
) -> L::Vector {
    let step = lanes.counters(L::BLOCKS as u32, 0);
    let mut states = [base; FLIGHT];
    for state in &mut states {
        *state = lanes.block(counters, base);
        counters = lanes.add(counters, step);
    }
    for key in &keys[1..ROUNDS] {
        for state in &mut states {
            *state = lanes.round(*state, *key);
        }
    }
    for (number, state) in states.into_iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe { lanes.store(to.add(number * L::BLOCKS * BLOCK), lanes.last(state, keys[ROUNDS])) };
    }
    counters
}
