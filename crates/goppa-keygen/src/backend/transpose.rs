//! Transposition of bytes with AVX2: squares of 16 x 16 in the two halves of a vector.

use core::arch::x86_64::*;

use super::product::{Bytes, transpose_bytes};

/// Transposes a 16 x 16 square of bytes in each half.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose16(rows: [__m256i; 16]) -> [__m256i; 16] {
    // SAFETY: see above.
    unsafe {
        let mut a = rows;
        // four times: interleave the first half of the list with the second, which rotates the eight index bits by one
        for _ in 0..4 {
            let mut b = a;
            for i in 0..8 {
                b[2 * i] = _mm256_unpacklo_epi8(a[i], a[i + 8]);
                b[2 * i + 1] = _mm256_unpackhi_epi8(a[i], a[i + 8]);
            }
            a = b;
        }
        a
    }
}

/// [`super::product::RowProduct::transpose_bytes`] in pieces of 32 rows and 16 columns, the rest as the portable one does.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn transpose(source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
    let Bytes { data, stride, rows, columns } = source;
    let (whole_rows, whole_columns) = (rows / 32 * 32, columns / 16 * 16);
    if rows == 0 || columns == 0 {
        return;
    }
    assert!(data.len() >= (rows - 1) * stride + columns);
    assert!(target.len() >= (columns - 1) * target_stride + rows);
    for row in (0..whole_rows).step_by(32) {
        for column in (0..whole_columns).step_by(16) {
            // SAFETY: rows row .. row + 32 of columns column .. column + 16 are inside of both by the assertions.
            unsafe {
                let start = data.as_ptr().add(row * stride + column);
                let half = |index: usize| _mm_loadu_si128(start.add(index * stride).cast());
                let mut list = [_mm256_setzero_si256(); 16];
                for index in 0..16 {
                    list[index] = _mm256_set_m128i(half(index + 16), half(index));
                }
                let list = transpose16(list);
                let start = target.as_mut_ptr().add(column * target_stride + row);
                for index in 0..16 {
                    _mm256_storeu_si256(start.add(index * target_stride).cast(), list[index]);
                }
            }
        }
    }
    if whole_columns < columns {
        let right = Bytes { data: &data[whole_columns..], columns: columns - whole_columns, ..source };
        transpose_bytes(right, &mut target[whole_columns * target_stride..], target_stride);
    }
    if whole_rows < rows && whole_columns > 0 {
        let below = Bytes {
            data: &data[whole_rows * stride..],
            rows: rows - whole_rows,
            columns: whole_columns,
            stride,
        };
        transpose_bytes(below, &mut target[whole_rows..], target_stride);
    }
}
