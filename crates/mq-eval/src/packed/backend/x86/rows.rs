//! Adding multiples of one row to many, for the elimination.

use core::arch::x86_64::*;

use gf2n::small::gf256;

use super::super::super::PackedField;
use super::super::super::solve::{RowUpdate, VECTOR};
use super::ProvesGfni;
use super::gfni::{Bytes, Gfni16, GfniColumn, Nibbles, Single};
use super::kernel::Kernel;
use super::shuffle::{Shuffle16, Shuffle256, split};
use super::tables::{broadcast, load};

/// Rows whose tables are made at once.
const BATCH: usize = 32;

/// Calls `$body` for every batch of up to 32 rows with their scalars padded to 32 bytes.
macro_rules! batches {
    ($rows:ident, $scalars:ident, $width:expr, |$batch:ident, $padded:ident| $body:block) => {
        for ($batch, scalars) in $rows.chunks_mut(BATCH * $width).zip($scalars.chunks(BATCH)) {
            let mut $padded = [0u8; BATCH];
            $padded[..scalars.len()].copy_from_slice(scalars);
            $body
        }
    };
}

/// row += value, for a piece of one vector.
///
/// # Safety
/// 32 bytes can be read and written at `row`.
#[inline(always)]
unsafe fn add(row: *mut u8, value: __m256i) {
    // SAFETY: as the caller promises; called under a token that proves AVX2.
    unsafe { _mm256_storeu_si256(row.cast(), _mm256_xor_si256(load(row), value)) }
}

/// The inverses in GF(256), by element; 0 for 0.
static INVERSES: [u8; 256] = {
    let mut inverses = [0; 256];
    let mut element = 0;
    while element < 256 {
        inverses[element] = gf256::inverse(element as u8);
        element += 1;
    }
    inverses
};

/// The inverse of an element of GF(256): one pass over the whole table, in constant time.
#[inline(always)]
fn inverse_256(element: u8) -> u8 {
    // SAFETY: called under a token that proves AVX2; the table is eight vectors.
    unsafe {
        let element = _mm256_set1_epi8(element as i8);
        let lane = _mm256_set_epi64x(
            0x1f1e_1d1c_1b1a_1918,
            0x1716_1514_1312_1110,
            0x0f0e_0d0c_0b0a_0908,
            0x0706_0504_0302_0100,
        );
        let mut found = _mm256_setzero_si256();
        for at in (0..256).step_by(VECTOR) {
            let indices = _mm256_add_epi8(lane, _mm256_set1_epi8(at as u8 as i8));
            let equal = _mm256_cmpeq_epi8(indices, element);
            found = _mm256_or_si256(found, _mm256_and_si256(equal, load(INVERSES.as_ptr().add(at))));
        }
        // at most one byte is not zero
        let words = _mm256_sad_epu8(found, _mm256_setzero_si256());
        let half = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
        _mm_cvtsi128_si32(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u8
    }
}

impl RowUpdate for Shuffle256 {
    #[inline(always)]
    fn inverse<F: PackedField>(self, element: u8) -> u8 {
        inverse_256(element)
    }

    #[inline(always)]
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        let width = pivot_row.len();
        batches!(rows, scalars, width, |batch, padded| {
            let mut entries = [0u8; BATCH / 2 * Shuffle256::ENTRY];
            self.tables(&padded, &mut entries);
            for at in (0..active).step_by(VECTOR) {
                // SAFETY: called under the token; `at` is a multiple of 32 below the width, the entries are 64 bytes for two
                // rows.
                unsafe {
                    let [low, high] = split(load(pivot_row.as_ptr().add(at)));
                    for (number, row) in batch.chunks_exact_mut(width).enumerate() {
                        let tables = entries.as_ptr().add(64 * (number / 2) + 16 * (number % 2));
                        let product = _mm256_xor_si256(
                            _mm256_shuffle_epi8(broadcast(tables), low),
                            _mm256_shuffle_epi8(broadcast(tables.add(32)), high),
                        );
                        add(row.as_mut_ptr().add(at), product);
                    }
                }
            }
        });
    }
}

impl RowUpdate for Shuffle16 {
    #[inline(always)]
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        let width = pivot_row.len();
        batches!(rows, scalars, width, |batch, padded| {
            let mut entries = [0u8; BATCH * 16];
            self.tables(&padded, &mut entries);
            for at in (0..active).step_by(VECTOR) {
                // SAFETY: called under the token; `at` is a multiple of 32 below the width, a row's table has 16 bytes.
                unsafe {
                    let [low, high] = split(load(pivot_row.as_ptr().add(at)));
                    for (number, row) in batch.chunks_exact_mut(width).enumerate() {
                        // products in the low nibbles; the others follow by a shift that stays inside the bytes
                        let table = broadcast(entries.as_ptr().add(16 * number));
                        let product = _mm256_xor_si256(
                            _mm256_shuffle_epi8(table, low),
                            _mm256_slli_epi16::<4>(_mm256_shuffle_epi8(table, high)),
                        );
                        add(row.as_mut_ptr().add(at), product);
                    }
                }
            }
        });
    }
}

impl<T: ProvesGfni> RowUpdate for GfniColumn<Bytes<T>> {
    #[inline(always)]
    fn inverse<F: PackedField>(self, element: u8) -> u8 {
        inverse_256(element)
    }

    #[inline(always)]
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        let width = pivot_row.len();
        for at in (0..active).step_by(VECTOR) {
            // SAFETY: called under the token; `at` is a multiple of 32 below the width.
            unsafe {
                let pivot = load(pivot_row.as_ptr().add(at));
                for (row, scalar) in rows.chunks_exact_mut(width).zip(scalars) {
                    let product = _mm256_gf2p8mul_epi8(pivot, _mm256_set1_epi8(*scalar as i8));
                    add(row.as_mut_ptr().add(at), product);
                }
            }
        }
    }
}

impl<T: ProvesGfni> RowUpdate for Gfni16<T> {
    #[inline(always)]
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        let width = pivot_row.len();
        batches!(rows, scalars, width, |batch, padded| {
            // an entry of Nibbles: 16 bytes for two rows
            let mut matrices = [0u8; BATCH / 2 * 16];
            Nibbles(self.0).tables(&padded, &mut matrices);
            for at in (0..active).step_by(VECTOR) {
                // SAFETY: called under the token; `at` is a multiple of 32 below the width, a matrix has 8 bytes.
                unsafe {
                    let pivot = load(pivot_row.as_ptr().add(at));
                    for (row, matrix) in batch.chunks_exact_mut(width).zip(matrices.chunks_exact(8)) {
                        let matrix = _mm256_set1_epi64x(matrix.as_ptr().cast::<i64>().read_unaligned());
                        let product = _mm256_gf2p8affine_epi64_epi8::<0>(pivot, matrix);
                        add(row.as_mut_ptr().add(at), product);
                    }
                }
            }
        });
    }
}

impl<T: ProvesGfni> RowUpdate for GfniColumn<Nibbles<T>> {
    #[inline(always)]
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        Gfni16(self.0.0).update::<F>(rows, scalars, pivot_row, active);
    }
}
