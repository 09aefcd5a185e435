//! Scalar products of bit vectors with AVX2, for AVX-512 too: rows start anywhere, and two halves of a cache line are read faster than one
//! vector across two lines.

use core::arch::x86_64::*;
use core::ops::Range;

use gf2n::small::gf2m::backend::{Avx2, Avx512};

use crate::encode::{RowParities, row_parities_portable};

/// How far ahead of the rows in hand memory is asked for.
const AHEAD: usize = 8192;

/// The end of the rows that can be read in steps of 32 bytes without leaving the matrix, from `rows.start` in groups of eight.
fn fast_end(matrix: &[u8], row_bytes: usize, rows: &Range<usize>) -> usize {
    let safe = match matrix.len().checked_sub(row_bytes.next_multiple_of(32)) {
        Some(last_start) => rows.end.min(last_start / row_bytes + 1),
        None => 0,
    };
    rows.start + safe.saturating_sub(rows.start) / 8 * 8
}

/// [`RowParities::row_parities`], eight rows at a time.
///
/// # Safety
/// The CPU has AVX2 and POPCNT.
#[inline(always)]
unsafe fn parities_of_eight(
    matrix: &[u8],
    row_bytes: usize,
    vector: &[u8],
    parities: &mut [u8],
    rows: Range<usize>,
) {
    let steps = row_bytes.div_ceil(32);
    let fast = fast_end(matrix, row_bytes, &rows);
    assert!(
        rows.start.is_multiple_of(8) && vector.len() >= 32 * steps && parities.len() >= rows.end.div_ceil(8)
    );
    for first in (rows.start..fast).step_by(8) {
        let mut byte = 0;
        // SAFETY: the caller proves AVX2; rows below `fast` are readable in steps of 32 bytes, and so is the vector. Any
        // address may be prefetched.
        unsafe {
            let start = matrix.as_ptr().add(first * row_bytes);
            let mut sums = [_mm256_setzero_si256(); 8];
            for step in 0..steps {
                let mask = _mm256_loadu_si256(vector.as_ptr().add(32 * step).cast());
                for (row, sum) in sums.iter_mut().enumerate() {
                    let bits = _mm256_loadu_si256(start.add(row * row_bytes + 32 * step).cast());
                    *sum = _mm256_xor_si256(*sum, _mm256_and_si256(bits, mask));
                }
                for line in 0..4 {
                    _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(AHEAD + 64 * (4 * step + line)).cast());
                }
            }
            for (row, sum) in sums.into_iter().enumerate() {
                let half = _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
                let quarter = _mm_cvtsi128_si64(_mm_xor_si128(half, _mm_unpackhi_epi64(half, half)));
                byte |= ((quarter.count_ones() & 1) as u8) << row;
            }
        }
        parities[first / 8] = byte;
    }
    row_parities_portable(matrix, row_bytes, vector, parities, fast..rows.end);
}

impl RowParities for Avx2 {
    #[inline(always)]
    fn row_parities(
        self,
        matrix: &[u8],
        row_bytes: usize,
        vector: &[u8],
        parities: &mut [u8],
        rows: Range<usize>,
    ) {
        // SAFETY: the token proves AVX2 and POPCNT.
        unsafe { parities_of_eight(matrix, row_bytes, vector, parities, rows) }
    }
}

impl RowParities for Avx512 {
    #[inline(always)]
    fn row_parities(
        self,
        matrix: &[u8],
        row_bytes: usize,
        vector: &[u8],
        parities: &mut [u8],
        rows: Range<usize>,
    ) {
        // SAFETY: the token proves AVX2 and POPCNT.
        unsafe { parities_of_eight(matrix, row_bytes, vector, parities, rows) }
    }
}
