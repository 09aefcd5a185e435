//! AVX2: four inner rows a table of 16 bytes, `vpshufb` as the look-up in a register.
//!
//! One shuffle and one XOR are 32 rows x 4 inner rows x 8 columns = 1024 bit products.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx2;

use super::product::{Bytes, Product, RowProduct};

/// `PATTERNS[j]`: entry e of the table takes inner row j if bit j of e is set, else zero; the two halves serve two tables.
const PATTERNS: [[i8; 32]; 4] = {
    let mut patterns = [[-128i8; 32]; 4];
    let mut row = 0;
    while row < 4 {
        let mut entry = 0;
        while entry < 16 {
            if entry >> row & 1 == 1 {
                patterns[row][entry] = row as i8;
                patterns[row][entry + 16] = row as i8 + 4;
            }
            entry += 1;
        }
        row += 1;
    }
    patterns
};

/// `ROWS` row groups times `COLUMNS` byte columns.
///
/// # Safety
/// The CPU has AVX2; the pointers reach `steps` tables a column (`table_stride` bytes apart), `steps` index vectors a row group,
/// and 32 bytes at `target + column * stride + 32 * row` for each of them.
#[inline(always)]
unsafe fn tile<const ROWS: usize, const COLUMNS: usize>(
    index: *const u8,
    tables: *const u8,
    steps: usize,
    target: *mut u8,
    stride: usize,
) {
    // SAFETY: see above.
    unsafe {
        let mut sums = [[_mm256_setzero_si256(); COLUMNS]; ROWS];
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] = _mm256_loadu_si256(target.add(column * stride + 32 * row).cast());
            }
        }
        for step in 0..steps {
            let mut table = [_mm256_setzero_si256(); COLUMNS];
            for column in 0..COLUMNS {
                table[column] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
                    tables.add((column * steps + step) * 16).cast(),
                ));
            }
            for row in 0..ROWS {
                let selector = _mm256_loadu_si256(index.add((row * steps + step) * 32).cast());
                for column in 0..COLUMNS {
                    sums[row][column] =
                        _mm256_xor_si256(sums[row][column], _mm256_shuffle_epi8(table[column], selector));
                }
            }
        }
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                _mm256_storeu_si256(target.add(column * stride + 32 * row).cast(), sums[row][column]);
            }
        }
    }
}

impl RowProduct for Avx2 {
    const ROW_GROUP: usize = 32;
    const TABLE_BYTES: usize = 256;
    const INDEX_BYTES: usize = 512;

    #[inline(always)]
    fn build_table(self, rows: &[u8; 64], table: &mut [u8]) {
        let table: &mut [u8] = &mut table[..256];
        // SAFETY: the token proves AVX2; the loop reads 8 bytes at 8 * pair < 64 and writes 32 bytes at 32 * pair < 256.
        unsafe {
            let patterns: [__m256i; 4] =
                core::array::from_fn(|row| _mm256_loadu_si256(PATTERNS[row].as_ptr().cast()));
            for pair in 0..8 {
                let source = _mm256_set1_epi64x(rows.as_ptr().add(8 * pair).cast::<i64>().read_unaligned());
                let low = _mm256_xor_si256(
                    _mm256_shuffle_epi8(source, patterns[0]),
                    _mm256_shuffle_epi8(source, patterns[1]),
                );
                let high = _mm256_xor_si256(
                    _mm256_shuffle_epi8(source, patterns[2]),
                    _mm256_shuffle_epi8(source, patterns[3]),
                );
                _mm256_storeu_si256(table.as_mut_ptr().add(32 * pair).cast(), _mm256_xor_si256(low, high));
            }
        }
    }

    #[inline(always)]
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]) {
        let index: &mut [u8] = &mut index[..512];
        for column in 0..8 {
            let source: &[u8] = &columns[column * stride + first_row..][..32];
            // SAFETY: the token proves AVX2; 32 bytes are readable, and 64 bytes at 64 * column < 512 writable.
            unsafe {
                let nibbles = _mm256_set1_epi8(15);
                let bytes = _mm256_loadu_si256(source.as_ptr().cast());
                let target = index.as_mut_ptr().add(64 * column);
                _mm256_storeu_si256(target.cast(), _mm256_and_si256(bytes, nibbles));
                _mm256_storeu_si256(
                    target.add(32).cast(),
                    _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibbles),
                );
            }
        }
    }

    #[inline(always)]
    fn add_product(self, product: Product<'_>, target: &mut [u8]) {
        let Product { index, tables, blocks, stride, first_row, row_groups } = product;
        let (steps, columns) = (16 * blocks, target.len() / stride);
        assert!(index.len() >= row_groups * steps * 32 && tables.len() >= columns * steps * 16);
        assert!(first_row + 32 * row_groups <= stride);
        let mut column = 0;
        while column < columns {
            let width = if columns - column >= 2 { 2 } else { 1 };
            let mut group = 0;
            while group < row_groups {
                let height = match row_groups - group {
                    4.. => 4,
                    2.. => 2,
                    _ => 1,
                };
                // SAFETY: the token proves AVX2; the assertions above bound every access of the tile.
                unsafe {
                    let index = index.as_ptr().add(group * steps * 32);
                    let tables = tables.as_ptr().add(column * steps * 16);
                    let target = target.as_mut_ptr().add(column * stride + first_row + 32 * group);
                    match (height, width) {
                        (4, 2) => tile::<4, 2>(index, tables, steps, target, stride),
                        (2, 2) => tile::<2, 2>(index, tables, steps, target, stride),
                        (1, 2) => tile::<1, 2>(index, tables, steps, target, stride),
                        (4, _) => tile::<4, 1>(index, tables, steps, target, stride),
                        (2, _) => tile::<2, 1>(index, tables, steps, target, stride),
                        _ => tile::<1, 1>(index, tables, steps, target, stride),
                    }
                }
                group += height;
            }
            column += width;
        }
    }

    #[inline(always)]
    fn transpose_bytes(self, source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
        super::product::transpose_bytes(source, target, target_stride);
    }
}
