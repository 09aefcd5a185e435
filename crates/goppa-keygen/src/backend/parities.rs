//! Scalar products of bit vectors with AVX2, for AVX-512 too: rows start anywhere, and two halves of a cache line are read faster than one
//! vector across two lines.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::{Avx2, Avx512};

use crate::encode::{RowParities, Rows, row_parities_portable};

/// How far ahead of the rows in hand memory is asked for.
const AHEAD: usize = 4096;

/// From this length on keys are too long for the level 2 cache: fewer rows at a time, and lines that do not stay there.
const LONG_ROW: usize = 512;

/// The parities of eight vectors, bit i that of vector i.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn parities_of_vectors(sums: [__m256i; 8]) -> u8 {
    // SAFETY: the caller proves AVX2.
    unsafe {
        let halve = |a, b| _mm256_xor_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let join = |a, b| {
            _mm256_xor_si256(_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b))
        };
        // words of vectors 0, 1, 4, 5 and of 2, 3, 6, 7
        let low = _mm256_castsi256_ps(join(halve(sums[0], sums[1]), halve(sums[4], sums[5])));
        let high = _mm256_castsi256_ps(join(halve(sums[2], sums[3]), halve(sums[6], sums[7])));
        let (even, odd) = (_mm256_shuffle_ps::<0x88>(low, high), _mm256_shuffle_ps::<0xDD>(low, high));
        let mut sum = _mm256_castps_si256(_mm256_xor_ps(even, odd));
        sum = _mm256_xor_si256(sum, _mm256_slli_epi32::<16>(sum));
        sum = _mm256_xor_si256(sum, _mm256_slli_epi32::<8>(sum));
        sum = _mm256_xor_si256(sum, _mm256_slli_epi32::<4>(sum));
        sum = _mm256_xor_si256(sum, _mm256_slli_epi32::<2>(sum));
        sum = _mm256_xor_si256(sum, _mm256_slli_epi32::<1>(sum));
        _mm256_movemask_ps(_mm256_castsi256_ps(sum)) as u8
    }
}

/// [`RowParities::row_parities`], eight rows at a time.
///
/// # Safety
/// The CPU has AVX2 and POPCNT.
#[inline(always)]
unsafe fn parities_of_eight(rows: Rows<'_>, vector: &[u8], parities: &mut [u8]) -> u8 {
    // SAFETY: the caller proves AVX2 and POPCNT.
    unsafe {
        if rows.row_bytes < LONG_ROW {
            parities_in_groups::<8, _MM_HINT_T0>(rows, vector, parities)
        } else {
            parities_in_groups::<4, _MM_HINT_NTA>(rows, vector, parities)
        }
    }
}

/// Sums of `ROWS` (a divisor of eight) rows at a time.
///
/// # Safety
/// The CPU has AVX2 and POPCNT.
#[inline(always)]
unsafe fn parities_in_groups<const ROWS: usize, const HINT: i32>(
    rows: Rows<'_>,
    vector: &[u8],
    parities: &mut [u8],
) -> u8 {
    let Rows { matrix, row_bytes, padded } = rows;
    let steps = row_bytes.div_ceil(32);
    // rows that can be read in steps of 32 bytes without leaving the matrix, in groups of eight
    let safe = matrix.len().checked_sub(32 * steps).map_or(0, |last_start| last_start / row_bytes + 1);
    let fast = safe / 8 * 8;
    assert!(vector.len() >= 32 * steps && parities.len() >= fast / 8);
    let mut last_bytes = 0;
    for (group, byte) in parities[..fast / 8].iter_mut().enumerate() {
        // SAFETY: the caller proves AVX2; rows below `fast` are readable in steps of 32 bytes, and so is the vector. Any
        // address may be prefetched.
        unsafe {
            let start = matrix.as_ptr().add(8 * group * row_bytes);
            let mut sums = [_mm256_setzero_si256(); 8];
            for (part, sums) in sums.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
                let start = start.add(part * ROWS * row_bytes);
                for step in 0..steps {
                    let mask = _mm256_loadu_si256(vector.as_ptr().add(32 * step).cast());
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let bits = _mm256_loadu_si256(start.add(row * row_bytes + 32 * step).cast());
                        *sum = _mm256_xor_si256(*sum, _mm256_and_si256(bits, mask));
                    }
                    for line in 0..ROWS / 2 {
                        let ahead = AHEAD + 64 * (ROWS / 2 * step + line);
                        _mm_prefetch::<HINT>(start.wrapping_add(ahead).cast());
                    }
                }
            }
            *byte = parities_of_vectors(sums);
            if padded {
                for row in 1..=8 {
                    last_bytes |= *start.add(row * row_bytes - 1);
                }
            }
        }
    }
    last_bytes | row_parities_portable(rows, vector, parities, fast)
}

impl RowParities for Avx2 {
    #[inline(always)]
    fn row_parities(self, rows: Rows<'_>, vector: &[u8], parities: &mut [u8]) -> u8 {
        // SAFETY: the token proves AVX2 and POPCNT.
        unsafe { parities_of_eight(rows, vector, parities) }
    }
}

impl RowParities for Avx512 {
    #[inline(always)]
    fn row_parities(self, rows: Rows<'_>, vector: &[u8], parities: &mut [u8]) -> u8 {
        // SAFETY: the token proves AVX2 and POPCNT.
        unsafe { parities_of_eight(rows, vector, parities) }
    }
}
