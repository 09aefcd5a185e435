//! AVX-512 with GFNI: eight inner rows a table of 8 bytes, `vgf2p8affineqb` as the product.
//!
//! One affine instruction and one XOR are 64 rows x 8 inner rows x 8 columns = 4096 bit products.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx512;

use super::product::{Bytes, Product, RowProduct};

/// `ROWS` row groups times `COLUMNS` byte columns.
///
/// # Safety
/// The CPU has AVX-512F and GFNI; the pointers reach `steps` tables a column and `steps` index vectors a row group, `table_pitch` and `index_pitch` apart, and 64 bytes at
/// `target + column * stride + 64 * row` for each of them.
#[inline(always)]
unsafe fn tile<const ROWS: usize, const COLUMNS: usize>(
    index: *const u8,
    tables: *const u8,
    (steps, index_pitch, table_pitch): (usize, usize, usize),
    target: *mut u8,
    stride: usize,
) {
    // SAFETY: see above.
    unsafe {
        let mut sums = [[_mm512_setzero_si512(); COLUMNS]; ROWS];
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] = _mm512_loadu_si512(target.add(column * stride + 64 * row).cast());
            }
        }
        for step in 0..steps {
            let mut selectors = [_mm512_setzero_si512(); ROWS];
            for row in 0..ROWS {
                selectors[row] = _mm512_loadu_si512(index.add(row * index_pitch + 64 * step).cast());
            }
            for column in 0..COLUMNS {
                let table = _mm512_set1_epi64(
                    tables.add(column * table_pitch + 8 * step).cast::<i64>().read_unaligned(),
                );
                for row in 0..ROWS {
                    sums[row][column] = _mm512_xor_si512(
                        sums[row][column],
                        _mm512_gf2p8affine_epi64_epi8::<0>(selectors[row], table),
                    );
                }
            }
        }
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                _mm512_storeu_si512(target.add(column * stride + 64 * row).cast(), sums[row][column]);
            }
        }
    }
}

/// The tiles of `ROWS` row groups, four byte columns at a time, for all byte columns.
///
/// # Safety
/// As for [`tile`], for each of `columns` byte columns.
#[inline(always)]
unsafe fn tiles<const ROWS: usize>(
    index: *const u8,
    mut tables: *const u8,
    used: (usize, usize, usize),
    mut target: *mut u8,
    (stride, columns): (usize, usize),
) {
    // SAFETY: see above.
    unsafe {
        for _ in 0..columns / 4 {
            // the next tile's sums: their distance is too long for the CPU to see it coming
            for line in 0..4 * ROWS {
                let next = target.wrapping_add((4 + line / ROWS) * stride + 64 * (line % ROWS));
                _mm_prefetch::<_MM_HINT_T0>(next.cast());
            }
            tile::<ROWS, 4>(index, tables, used, target, stride);
            tables = tables.wrapping_add(4 * used.2);
            target = target.wrapping_add(4 * stride);
        }
        for _ in 0..columns % 4 {
            tile::<ROWS, 1>(index, tables, used, target, stride);
            tables = tables.wrapping_add(used.2);
            target = target.wrapping_add(stride);
        }
    }
}

impl RowProduct for Avx512 {
    const ROW_GROUP: usize = 64;
    const TABLE_BYTES: usize = 64;
    const INDEX_BYTES: usize = 512;

    #[inline(always)]
    fn build_table(self, rows: &[u8; 64], table: &mut [u8]) {
        let table: &mut [u8] = &mut table[..64];
        // SAFETY: the token proves the features; 64 bytes are readable and writable. Byte 7 - i, bit j of the result is bit i of
        // inner row j, as the affine instruction wants its matrix: reversing the bytes of each word puts row j at
        // byte 7 - j, and the product with the reversed identity transposes.
        unsafe {
            let source = _mm512_loadu_si512(rows.as_ptr().cast());
            let reverse = _mm512_set4_epi32(0x0809_0A0B, 0x0C0D_0E0F, 0x0001_0203, 0x0405_0607);
            let reversed = _mm512_shuffle_epi8(source, reverse);
            let identity = _mm512_set1_epi64(0x0102_0408_1020_4080);
            let matrix = _mm512_gf2p8affine_epi64_epi8::<0>(identity, reversed);
            _mm512_storeu_si512(table.as_mut_ptr().cast(), matrix);
        }
    }

    #[inline(always)]
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]) {
        for (column, part) in index.chunks_exact_mut(64).enumerate().take(8) {
            part.copy_from_slice(&columns[column * stride + first_row..][..64]);
        }
    }

    #[inline(always)]
    fn add_product(self, product: Product<'_>, target: &mut [u8]) {
        let Product { index, tables, blocks, inner_rows, index_pitch, table_pitch, stride, .. } = product;
        let Product { first_row, row_groups, .. } = product;
        let (steps, columns) = (8 * blocks, target.len() / stride);
        let used = (inner_rows.div_ceil(8).min(steps), index_pitch, table_pitch);
        if row_groups == 0 || columns == 0 {
            return;
        }
        assert!(index.len() >= (row_groups - 1) * index_pitch + steps * 64);
        assert!(tables.len() >= (columns - 1) * table_pitch + steps * 8);
        assert!(first_row + 64 * row_groups <= stride);
        let mut group = 0;
        while group < row_groups {
            let height = if row_groups - group >= 4 { 4 } else { 1 };
            // SAFETY: the token proves the features; the assertions above bound every access of the tiles.
            unsafe {
                let index = index.as_ptr().add(group * index_pitch);
                let target = target.as_mut_ptr().wrapping_add(first_row + 64 * group);
                match height {
                    4 => tiles::<4>(index, tables.as_ptr(), used, target, (stride, columns)),
                    _ => tiles::<1>(index, tables.as_ptr(), used, target, (stride, columns)),
                }
            }
            group += height;
        }
    }

    #[inline(always)]
    fn places_to_bits(self, places: &[u8; 8], first: u8, selectors: &mut [u8; 64]) {
        // SAFETY: the token proves AVX2.
        unsafe { super::product_avx2::places_to_bits(places, first, selectors) }
    }

    #[inline(always)]
    fn transpose_bytes(self, source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
        // SAFETY: the token proves AVX2 as well.
        unsafe { super::transpose::transpose(source, target, target_stride) }
    }
}
