//! A secret bit matrix applied to many rows: sixteen-entry tables held in vector registers.
//!
//! The rows are transposed to planes (plane k holds byte k of 32 rows). A table look-up by `vpshufb` reads all of its table
//! whatever the index is, so nothing here is addressed by data.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_loadu_si256,
    _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_storeu_si256,
    _mm256_xor_si256,
};

gf2n::cpu_token!(
    /// 256-bit vectors with byte shuffles.
    pub(crate) struct ByteShuffles, byte_shuffles, gf2n::backend::Level::Avx2, ["avx2"]
);

/// 32 bytes: one byte of each of 32 rows, as four words.
pub(crate) type Plane = [u64; 4];

/// Two nibble tables of one input byte and one output byte: entries 0..16 for the low nibble, 16..32 for the high one.
pub(crate) type NibbleTables = [u8; 32];

#[inline]
#[target_feature(enable = "avx2")]
fn load(plane: &Plane) -> __m256i {
    // SAFETY: a plane is 32 readable bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(plane.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(plane: &mut Plane, value: __m256i) {
    // SAFETY: a plane is 32 writable bytes, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(plane.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn broadcast(half: &[u8; 16]) -> __m256i {
    // SAFETY: sixteen readable bytes, and the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(half.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
fn look_up(tables: &[NibbleTables], inputs: &mut [[Plane; 4]], outputs: &mut [[Plane; 2]]) {
    let low_nibble = _mm256_set1_epi8(0x0f);
    for [first, second, first_high, second_high] in inputs.iter_mut() {
        for (low, high) in [(first, first_high), (second, second_high)] {
            let bytes = load(low);
            store(high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_nibble));
            store(low, _mm256_and_si256(bytes, low_nibble));
        }
    }
    for (output, tables) in outputs.iter_mut().zip(tables.chunks_exact(inputs.len())) {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (nibbles, table) in inputs.iter().zip(tables) {
            let (low_half, high_half) = table.split_at(16);
            let (Some(low), Some(high)) = (low_half.first_chunk(), high_half.first_chunk()) else {
                continue;
            };
            let (low, high) = (broadcast(low), broadcast(high));
            for (lane, sum) in sums.iter_mut().enumerate() {
                let from_low = _mm256_shuffle_epi8(low, load(&nibbles[lane]));
                let from_high = _mm256_shuffle_epi8(high, load(&nibbles[lane + 2]));
                *sum = _mm256_xor_si256(*sum, _mm256_xor_si256(from_low, from_high));
            }
        }
        store(&mut output[0], sums[0]);
        store(&mut output[1], sums[1]);
    }
}

impl ByteShuffles {
    /// For every output byte b: planes 0 and 1 of `outputs[b]` := sum over the input bytes k of the table
    /// `tables[b * inputs.len() + k]` at the bytes of planes 0 and 1 of `inputs[k]`. Planes 2 and 3 of the inputs are scratch,
    /// and planes 0 and 1 are overwritten.
    pub(crate) fn look_up(
        self,
        tables: &[NibbleTables],
        inputs: &mut [[Plane; 4]],
        outputs: &mut [[Plane; 2]],
    ) {
        // SAFETY: a value of this type exists only if detection found AVX2.
        unsafe { look_up(tables, inputs, outputs) }
    }
}
