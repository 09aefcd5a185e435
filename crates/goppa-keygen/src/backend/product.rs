//! Products over GF(2) in the layout of the elimination, by tables in registers.
//!
//! A *column matrix* holds 8 columns of bits a byte: byte column c of row r is at `data[c * stride + r]`. A product
//! target += factor * rows takes 64 rows of the right factor at a time: for each byte column they become a *table*, and the 8 byte
//! columns of the left factor become an *index* for each group of rows.

use gf2n::small::gf2m::backend::LaneBackend;

/// All ones if the bytes are equal.
#[inline(always)]
pub(crate) fn equal_mask(left: u8, right: u8) -> u8 {
    let difference = left ^ right;
    let nonzero = (difference | difference.wrapping_neg()) >> 7;
    nonzero.wrapping_sub(1)
}

/// The product kernel of a back end. Constant time: no address depends on data.
pub trait RowProduct: LaneBackend {
    /// Rows that one vector holds; divides 64.
    const ROW_GROUP: usize;
    /// Bytes of the table of one byte column, for 64 inner rows.
    const TABLE_BYTES: usize;
    /// Bytes of the index of one row group, for 64 inner rows.
    const INDEX_BYTES: usize;

    /// Makes the table of one byte column from its 64 inner rows.
    fn build_table(self, rows: &[u8; 64], table: &mut [u8]);

    /// Makes the index of rows first_row .. first_row + ROW_GROUP from 8 byte columns, `stride` apart.
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]);

    /// `target` += product, for `row_groups` row groups from `first_row` and all byte columns of `target`, `stride` apart.
    ///
    /// `index` holds for each row group, `tables` for each byte column, `blocks` indices and tables one after another.
    fn add_product(self, product: Product<'_>, target: &mut [u8]);

    /// Bit k of byte i of `selectors` is set if `places[k]` = `first` + i.
    fn places_to_bits(self, places: &[u8; 8], first: u8, selectors: &mut [u8; 64]) {
        for (i, selector) in selectors.iter_mut().enumerate() {
            *selector = 0;
            for (k, place) in places.iter().enumerate() {
                *selector |= equal_mask(*place, first.wrapping_add(i as u8)) & 1 << k;
            }
        }
    }

    /// Transposes bytes: `target[c * target_stride + r] = source[r * source_stride + c]`, r < rows, c < columns, both multiples
    /// of 8.
    fn transpose_bytes(self, source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
        transpose_bytes(source, target, target_stride);
    }
}

/// The operands of [`RowProduct::add_product`].
#[derive(Clone, Copy)]
pub struct Product<'a> {
    /// Indices of the left factor.
    pub index: &'a [u8],
    /// Tables of the right factor.
    pub tables: &'a [u8],
    /// Number of blocks of 64 inner rows.
    pub blocks: usize,
    /// How many inner rows matter: at most 64 `blocks`, the others are zero.
    pub inner_rows: usize,
    /// Distance of the row groups in `index`, in bytes.
    pub index_pitch: usize,
    /// Distance of the byte columns in `tables`, in bytes.
    pub table_pitch: usize,
    /// Distance of the byte columns of the target.
    pub stride: usize,
    /// First row of the target, a multiple of the row group.
    pub first_row: usize,
    /// Number of row groups.
    pub row_groups: usize,
}

/// A matrix of bytes, row after row.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    /// The bytes.
    pub data: &'a [u8],
    /// Distance of rows.
    pub stride: usize,
    /// Rows, a multiple of 8.
    pub rows: usize,
    /// Columns, a multiple of 8.
    pub columns: usize,
}

/// Transposes an 8 x 8 square of bytes, one row a word.
#[inline(always)]
pub(crate) fn transpose8(rows: &mut [u64; 8]) {
    const MASKS: [u64; 3] = [0x00FF_00FF_00FF_00FF, 0x0000_FFFF_0000_FFFF, 0x0000_0000_FFFF_FFFF];
    for (level, mask) in MASKS.into_iter().enumerate() {
        let distance = 1usize << level;
        for low in 0..8 {
            if low & distance == 0 {
                let swap = (rows[low] >> (8 * distance) ^ rows[low + distance]) & mask;
                rows[low + distance] ^= swap;
                rows[low] ^= swap << (8 * distance);
            }
        }
    }
}

/// The portable [`RowProduct::transpose_bytes`].
#[inline(always)]
pub(crate) fn transpose_bytes(source: Bytes<'_>, target: &mut [u8], target_stride: usize) {
    for row in (0..source.rows).step_by(8) {
        for column in (0..source.columns).step_by(8) {
            let mut square = [0u64; 8];
            for (index, word) in square.iter_mut().enumerate() {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&source.data[(row + index) * source.stride + column..][..8]);
                *word = u64::from_le_bytes(bytes);
            }
            transpose8(&mut square);
            for (index, word) in square.into_iter().enumerate() {
                target[(column + index) * target_stride + row..][..8].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

impl RowProduct for gf2n::small::gf2m::backend::Portable {
    const ROW_GROUP: usize = 64;
    const TABLE_BYTES: usize = 64;
    const INDEX_BYTES: usize = 512;

    #[inline(always)]
    fn build_table(self, rows: &[u8; 64], table: &mut [u8]) {
        table.copy_from_slice(rows);
    }

    #[inline(always)]
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]) {
        for (column, part) in index.chunks_exact_mut(64).enumerate() {
            part.copy_from_slice(&columns[column * stride + first_row..][..64]);
        }
    }

    fn add_product(self, product: Product<'_>, target: &mut [u8]) {
        let columns = target.len() / product.stride;
        for group in 0..product.row_groups {
            let index = &product.index[group * product.index_pitch..][..512 * product.blocks];
            let first = product.first_row + 64 * group;
            for (byte, selectors) in index.chunks_exact(64).enumerate() {
                for bit in 0..8 {
                    let mut masks = [0u8; 64];
                    for (mask, selector) in masks.iter_mut().zip(selectors) {
                        *mask = 0u8.wrapping_sub(selector >> bit & 1);
                    }
                    for column in 0..columns {
                        let row = product.tables[column * product.table_pitch + 8 * byte + bit];
                        let sums = &mut target[column * product.stride + first..][..64];
                        for (sum, mask) in sums.iter_mut().zip(&masks) {
                            *sum ^= row & mask;
                        }
                    }
                }
            }
        }
    }
}
