//! Loads, and the making of tables for many scalars at once: all products x * s for one x and 32 scalars s are one vector;
//! transposing sixteen such vectors gives the tables.

use core::arch::x86_64::*;

use super::BATCH;
use super::kernel::Kernel;

/// A vector.
///
/// # Safety
/// 32 bytes can be read.
#[inline(always)]
pub(super) unsafe fn load(bytes: *const u8) -> __m256i {
    // SAFETY: called under a token that proves AVX2, on 32 readable bytes.
    unsafe { _mm256_loadu_si256(bytes.cast()) }
}

/// Half a vector, twice.
///
/// # Safety
/// 16 bytes can be read.
#[inline(always)]
pub(super) unsafe fn broadcast(bytes: *const u8) -> __m256i {
    // SAFETY: called under a token that proves AVX2, on 16 readable bytes.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.cast())) }
}

/// A vector of two halves.
#[inline(always)]
pub(super) fn join(low: __m128i, high: __m128i) -> __m256i {
    // SAFETY: called under a token that proves AVX2.
    unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high) }
}

/// Makes the tables of packed scalars, two an entry. `tables` has room for whole batches of entries.
#[inline(always)]
pub(super) fn fill<K: Kernel>(kernel: K, scalars: &[u8], tables: &mut [u8]) {
    for (scalars, entries) in scalars.chunks(2 * BATCH).zip(tables.chunks_exact_mut(BATCH * K::ENTRY)) {
        let mut batch = [0; 2 * BATCH];
        batch[..scalars.len()].copy_from_slice(scalars);
        kernel.tables(&batch, entries);
    }
}

/// Multiplies every nibble by x in GF(16).
#[inline(always)]
pub(super) fn times_x_nibbles(vector: __m128i) -> __m128i {
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        let top = _mm_and_si128(_mm_srli_epi16::<3>(vector), _mm_set1_epi8(0x11));
        let rest = _mm_and_si128(vector, _mm_set1_epi8(0x77));
        let shifted = _mm_xor_si128(_mm_add_epi8(rest, rest), top);
        _mm_xor_si128(shifted, _mm_add_epi8(top, top))
    }
}

/// Multiplies every element by x; an element has BITS bits.
#[inline(always)]
pub(super) fn times_x<const BITS: usize>(vector: __m256i) -> __m256i {
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        if BITS == 8 {
            let top = _mm256_cmpgt_epi8(_mm256_setzero_si256(), vector);
            let reduced = _mm256_and_si256(top, _mm256_set1_epi8(0x1b));
            _mm256_xor_si256(_mm256_add_epi8(vector, vector), reduced)
        } else {
            let top = _mm256_and_si256(_mm256_srli_epi16::<3>(vector), _mm256_set1_epi8(0x11));
            let rest = _mm256_and_si256(vector, _mm256_set1_epi8(0x77));
            let shifted = _mm256_xor_si256(_mm256_add_epi8(rest, rest), top);
            _mm256_xor_si256(shifted, _mm256_add_epi8(top, top))
        }
    }
}

/// All sixteen sums of four vectors.
#[inline(always)]
fn sums(units: [__m256i; 4]) -> [__m256i; 16] {
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        let mut all = [_mm256_setzero_si256(); 16];
        for (bit, unit) in units.into_iter().enumerate() {
            for lower in 0..1 << bit {
                all[(1 << bit) + lower] = _mm256_xor_si256(all[lower], unit);
            }
        }
        all
    }
}

/// For 32 scalars, their products by every element of degree below 4; for bytes also by x^4 times these.
#[inline(always)]
pub(super) fn products<const BITS: usize>(scalars: &[u8; 32]) -> [[__m256i; 16]; 2] {
    // SAFETY: 32 bytes are readable.
    let one = unsafe { load(scalars.as_ptr()) };
    let mut units = [one; 8];
    for power in 1..BITS {
        units[power] = times_x::<BITS>(units[power - 1]);
    }
    let low = sums([units[0], units[1], units[2], units[3]]);
    [low, if BITS == 8 { sums([units[4], units[5], units[6], units[7]]) } else { low }]
}

/// Transposes the 16 by 16 bytes of each half.
#[inline(always)]
pub(super) fn transpose(mut rows: [__m256i; 16]) -> [__m256i; 16] {
    // each round moves the top bit of the row number to the bottom of the column number
    for _ in 0..4 {
        let mut next = rows;
        for row in 0..8 {
            // SAFETY: called under a token that proves AVX2.
            unsafe {
                next[2 * row] = _mm256_unpacklo_epi8(rows[row], rows[row + 8]);
                next[2 * row + 1] = _mm256_unpackhi_epi8(rows[row], rows[row + 8]);
            }
        }
        rows = next;
    }
    rows
}

/// Writes the 32 tables: row j holds those of scalars j and 16 + j. `place` gives the offset of a scalar's table.
#[inline(always)]
pub(super) fn store(rows: [__m256i; 16], entries: &mut [u8], place: impl Fn(usize) -> usize) {
    for (scalar, row) in rows.into_iter().enumerate() {
        for (half, offset) in [place(scalar), place(scalar + 16)].into_iter().enumerate() {
            let table = &mut entries[offset..offset + 16];
            // SAFETY: called under a token that proves AVX2; the slice has 16 bytes.
            unsafe {
                let value =
                    if half == 0 { _mm256_castsi256_si128(row) } else { _mm256_extracti128_si256::<1>(row) };
                _mm_storeu_si128(table.as_mut_ptr().cast(), value);
            }
        }
    }
}
