//! Scalar products of bit vectors with AVX2 and AVX-512.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::{Avx2, Avx512};

use crate::encode::{RowParities, row_parities_portable};

/// How many whole rows of `row_bytes` can be read in steps of `step` bytes without leaving the matrix.
fn safe_rows(matrix: &[u8], row_bytes: usize, rows: usize, step: usize) -> usize {
    let read = row_bytes.next_multiple_of(step);
    match matrix.len().checked_sub(read) {
        Some(last_start) => rows.min(last_start / row_bytes + 1) / 8 * 8,
        None => 0,
    }
}

impl RowParities for Avx2 {
    #[inline(always)]
    fn row_parities(self, matrix: &[u8], row_bytes: usize, vector: &[u8], parities: &mut [u8], rows: usize) {
        let steps = row_bytes.div_ceil(32);
        let fast = safe_rows(matrix, row_bytes, rows, 32);
        assert!(vector.len() >= 32 * steps && parities.len() >= rows.div_ceil(8));
        for (group, byte) in parities.iter_mut().enumerate().take(fast / 8) {
            // SAFETY: the token proves AVX2; rows below `fast` are readable in steps of 32 bytes, and so is the vector.
            unsafe {
                let start = matrix.as_ptr().add(8 * group * row_bytes);
                let mut sums = [_mm256_setzero_si256(); 8];
                for step in 0..steps {
                    let mask = _mm256_loadu_si256(vector.as_ptr().add(32 * step).cast());
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let bits = _mm256_loadu_si256(start.add(row * row_bytes + 32 * step).cast());
                        *sum = _mm256_xor_si256(*sum, _mm256_and_si256(bits, mask));
                    }
                }
                for (row, sum) in sums.into_iter().enumerate() {
                    let half = _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
                    let quarter = _mm_cvtsi128_si64(_mm_xor_si128(half, _mm_unpackhi_epi64(half, half)));
                    *byte |= ((quarter.count_ones() & 1) as u8) << row;
                }
            }
        }
        row_parities_portable(matrix, row_bytes, vector, parities, fast..rows);
    }
}

impl RowParities for Avx512 {
    #[inline(always)]
    fn row_parities(self, matrix: &[u8], row_bytes: usize, vector: &[u8], parities: &mut [u8], rows: usize) {
        let steps = row_bytes.div_ceil(64);
        let fast = safe_rows(matrix, row_bytes, rows, 64);
        assert!(vector.len() >= 64 * steps && parities.len() >= rows.div_ceil(8));
        for (group, byte) in parities.iter_mut().enumerate().take(fast / 8) {
            // SAFETY: the token proves AVX-512F; rows below `fast` are readable in steps of 64 bytes, and so is the vector.
            unsafe {
                let start = matrix.as_ptr().add(8 * group * row_bytes);
                let mut sums = [_mm512_setzero_si512(); 8];
                for step in 0..steps {
                    let mask = _mm512_loadu_si512(vector.as_ptr().add(64 * step).cast());
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let bits = _mm512_loadu_si512(start.add(row * row_bytes + 64 * step).cast());
                        *sum = _mm512_ternarylogic_epi64::<0x78>(*sum, bits, mask);
                    }
                }
                for (row, sum) in sums.into_iter().enumerate() {
                    let half =
                        _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64::<1>(sum));
                    let quarter =
                        _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                    let word =
                        _mm_cvtsi128_si64(_mm_xor_si128(quarter, _mm_unpackhi_epi64(quarter, quarter)));
                    *byte |= ((word.count_ones() & 1) as u8) << row;
                }
            }
        }
        row_parities_portable(matrix, row_bytes, vector, parities, fast..rows);
    }
}
