//! AVX2: four inner rows a table of 16 bytes, `vpshufb` as the look-up in a register.
//!
//! One shuffle and one XOR are 32 rows x 4 inner rows x 8 columns = 1024 bit products.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx2;

use super::product::{Bytes, Product, RowProduct};

/// Byte 4 j + i takes byte i, byte 4 j + i takes byte 4 + j, of the first or the last eight bytes of each half.
const PATTERNS: [[[i8; 32]; 2]; 2] = {
    let mut patterns = [[[0i8; 32]; 2]; 2];
    let mut byte = 0;
    while byte < 32 {
        let entry = byte % 16;
        let mut half = 0;
        while half < 2 {
            patterns[half][0][byte] = (8 * half + entry % 4) as i8;
            patterns[half][1][byte] = (8 * half + 4 + entry / 4) as i8;
            half += 1;
        }
        byte += 1;
    }
    patterns
};

/// Where the table of inner rows 4 g .. 4 g + 3 of 32 lies: two tables that come from the two halves of a vector are neighbours.
const fn table_place(group: usize) -> usize {
    2 * (group % 4) + group / 4
}

/// `ROWS` row groups times `COLUMNS` byte columns.
///
/// # Safety
/// The CPU has AVX2; the pointers reach `steps` tables a column and `steps` index vectors a row group, `table_pitch` and `index_pitch` apart,
/// and 32 bytes at `target + column * stride + 32 * row` for each of them.
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
        let mut sums = [[_mm256_setzero_si256(); COLUMNS]; ROWS];
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] = _mm256_loadu_si256(target.add(column * stride + 32 * row).cast());
            }
        }
        for quad in 0..steps / 4 {
            // unrolled: steps are a multiple of eight
            for step in 0..4 {
                let step = 4 * quad + step;
                let mut table = [_mm256_setzero_si256(); COLUMNS];
                for column in 0..COLUMNS {
                    table[column] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
                        tables.add(column * table_pitch + 16 * step).cast(),
                    ));
                }
                for row in 0..ROWS {
                    let selector = _mm256_loadu_si256(index.add(row * index_pitch + 32 * step).cast());
                    for column in 0..COLUMNS {
                        sums[row][column] =
                            _mm256_xor_si256(sums[row][column], _mm256_shuffle_epi8(table[column], selector));
                    }
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

/// The tiles of `ROWS` row groups, `COLUMNS` byte columns at a time, for all byte columns.
///
/// # Safety
/// As for [`tile`], for each of `columns` byte columns.
#[inline(always)]
unsafe fn tiles<const ROWS: usize, const COLUMNS: usize>(
    index: *const u8,
    mut tables: *const u8,
    used: (usize, usize, usize),
    mut target: *mut u8,
    (stride, columns): (usize, usize),
) {
    // SAFETY: see above.
    unsafe {
        for _ in 0..columns / COLUMNS {
            // the next tile's sums: their distance is too long for the CPU to see it coming
            for column in COLUMNS..2 * COLUMNS {
                for row in (0..ROWS).step_by(2) {
                    _mm_prefetch::<_MM_HINT_T0>(target.wrapping_add(column * stride + 32 * row).cast());
                }
            }
            tile::<ROWS, COLUMNS>(index, tables, used, target, stride);
            tables = tables.wrapping_add(COLUMNS * used.2);
            target = target.wrapping_add(COLUMNS * stride);
        }
        for _ in 0..columns % COLUMNS {
            tile::<ROWS, 1>(index, tables, used, target, stride);
            tables = tables.wrapping_add(used.2);
            target = target.wrapping_add(stride);
        }
    }
}

/// [`RowProduct::places_to_bits`].
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn places_to_bits(places: &[u8; 8], first: u8, selectors: &mut [u8; 64]) {
    const COUNT: [u8; 32] = {
        let mut count = [0; 32];
        let mut i = 0;
        while i < 32 {
            count[i] = i as u8;
            i += 1;
        }
        count
    };
    for (half, part) in selectors.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        // SAFETY: the caller proves AVX2; 32 bytes are readable and writable.
        unsafe {
            let start = _mm256_set1_epi8(first.wrapping_add(32 * half as u8) as i8);
            let own = _mm256_add_epi8(_mm256_loadu_si256(COUNT.as_ptr().cast()), start);
            let mut sum = _mm256_setzero_si256();
            for place in places.iter().rev() {
                let equal = _mm256_cmpeq_epi8(own, _mm256_set1_epi8(*place as i8));
                sum = _mm256_sub_epi8(_mm256_add_epi8(sum, sum), equal);
            }
            _mm256_storeu_si256(part.as_mut_ptr().cast(), sum);
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
        // SAFETY: the token proves AVX2; the loop reads 32 bytes at 32 * half < 64 and writes 32 bytes four times at 128 * half.
        unsafe {
            let patterns: [[__m256i; 2]; 2] = core::array::from_fn(|half| {
                core::array::from_fn(|part| _mm256_loadu_si256(PATTERNS[half][part].as_ptr().cast()))
            });
            for half in 0..2 {
                // two rows a word (a, b): the four sums 0, a, b, a + b
                let pairs = _mm256_loadu_si256(rows.as_ptr().add(32 * half).cast());
                let shifted = _mm256_slli_epi16::<8>(pairs);
                let upper = _mm256_and_si256(_mm256_xor_si256(pairs, shifted), _mm256_set1_epi16(-256));
                let upper = _mm256_or_si256(upper, _mm256_srli_epi16::<8>(pairs));
                let sums = [_mm256_unpacklo_epi16(shifted, upper), _mm256_unpackhi_epi16(shifted, upper)];
                for place in 0..4 {
                    let [low, high] = patterns[place % 2];
                    let table_pair = _mm256_xor_si256(
                        _mm256_shuffle_epi8(sums[place / 2], low),
                        _mm256_shuffle_epi8(sums[place / 2], high),
                    );
                    _mm256_storeu_si256(table.as_mut_ptr().add(128 * half + 32 * place).cast(), table_pair);
                }
            }
        }
    }

    #[inline(always)]
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]) {
        let index: &mut [u8] = &mut index[..512];
        for column in 0..8 {
            let source: &[u8] = &columns[column * stride + first_row..][..32];
            // SAFETY: the token proves AVX2; 32 bytes are readable, and 32 bytes at places below 16 writable.
            unsafe {
                let nibbles = _mm256_set1_epi8(15);
                let bytes = _mm256_loadu_si256(source.as_ptr().cast());
                let at = |nibble: usize| 256 * (column / 4) + 32 * table_place(2 * (column % 4) + nibble);
                let low = _mm256_and_si256(bytes, nibbles);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibbles);
                _mm256_storeu_si256(index.as_mut_ptr().add(at(0)).cast(), low);
                _mm256_storeu_si256(index.as_mut_ptr().add(at(1)).cast(), high);
            }
        }
    }

    #[inline(always)]
    fn add_product(self, product: Product<'_>, target: &mut [u8]) {
        let Product { index, tables, blocks, inner_rows, index_pitch, table_pitch, stride, .. } = product;
        let Product { first_row, row_groups, .. } = product;
        let (steps, columns) = (16 * blocks, target.len() / stride);
        // half a block is the smallest part whose tables come first
        let used = (8 * inner_rows.div_ceil(32).min(2 * blocks), index_pitch, table_pitch);
        if row_groups == 0 || columns == 0 {
            return;
        }
        assert!(index.len() >= (row_groups - 1) * index_pitch + steps * 32);
        assert!(tables.len() >= (columns - 1) * table_pitch + steps * 16);
        assert!(first_row + 32 * row_groups <= stride);
        let mut group = 0;
        while group < row_groups {
            // tiles of eight and six sums keep the shuffles busy, smaller ones do not
            let height = match row_groups - group {
                1 => 1,
                2 => 2,
                3 | 5 => 3,
                _ => 4,
            };
            // SAFETY: the token proves AVX2; the assertions above bound every access of the tiles.
            unsafe {
                let index = index.as_ptr().add(group * index_pitch);
                let target = target.as_mut_ptr().wrapping_add(first_row + 32 * group);
                let tables = tables.as_ptr();
                match height {
                    4 => tiles::<4, 2>(index, tables, used, target, (stride, columns)),
                    3 => tiles::<3, 2>(index, tables, used, target, (stride, columns)),
                    2 => tiles::<2, 4>(index, tables, used, target, (stride, columns)),
                    _ => tiles::<1, 4>(index, tables, used, target, (stride, columns)),
                }
            }
            group += height;
        }
    }

    #[inline(always)]
    fn places_to_bits(self, places: &[u8; 8], first: u8, selectors: &mut [u8; 64]) {
        // SAFETY: the token proves AVX2.
        unsafe { places_to_bits(places, first, selectors) }
    }

    #[inline(always)]
    fn transpose_bytes(self, source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
        // SAFETY: the token proves AVX2.
        unsafe { super::transpose::transpose(source, target, target_stride) }
    }
}
