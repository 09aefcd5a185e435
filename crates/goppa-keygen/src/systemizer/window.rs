//! The window of the semi-systematic form: which 32 of 64 columns become the last pivots.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::RowLayout;
use super::pivot::{load_rows, store_rows};
use crate::backend::product::{Product, RowProduct};
use crate::wiped::Wiped;

/// The column swaps of the semi-systematic form, secret.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct ColumnSwaps {
    /// Bit c is set if window column c holds a pivot; 32 bits are set.
    pivots: u64,
    /// Entry k: the window column that ends at window position k.
    columns: [u8; 64],
    /// The last 32 columns of the window after the swaps, as they were before the elimination: 4 byte columns.
    right: Vec<u8>,
}

impl ColumnSwaps {
    /// The pivots of the echelon form of the last 32 rows on the 64 window columns, or `None` if their rank is below 32 (public).
    /// Constant time otherwise.
    pub(super) fn find(window: &[u8], stride: usize, layout: RowLayout) -> Option<Self> {
        let mut rows = load_rows(window, stride, 64 * layout.head_panels());
        let mut columns: [u8; 64] = core::array::from_fn(|column| column as u8);
        let mut pivots = 0u64;
        let mut missing = 0u64;
        for row in 0..32 {
            let all = rows[row..32].iter().fold(0, |all, word| all | word);
            // the first column that any remaining row has, one-hot
            let first = all & all.wrapping_neg();
            missing |= !((all | all.wrapping_neg()) >> 63) & 1;
            pivots |= first;
            for other in row + 1..32 {
                let add = is_set(rows[other] & first) & !is_set(rows[row] & first);
                rows[row] ^= rows[other] & add;
            }
            for other in row + 1..32 {
                rows[other] ^= rows[row] & is_set(rows[other] & first);
            }
            // swap columns `row` and that of the pivot, which is not before `row`
            for column in row..64 {
                let here = is_set(first >> column & 1) as u8;
                let swap = (columns[row] ^ columns[column]) & here;
                columns[row] ^= swap;
                columns[column] ^= swap;
            }
        }
        rows.zeroize();
        (missing == 0).then_some(Self { pivots, columns, right: Vec::new() })
    }

    /// The 64-bit mask of pivot columns in the window.
    #[must_use]
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Permutes the 64 entries of a list as the columns of the window were. Constant time.
    ///
    /// # Panics
    /// Never: the list has 64 entries by its type.
    pub fn permute(&self, list: &mut [u16; 64]) {
        let old = Zeroizing::new(*list);
        for (entry, source) in list.iter_mut().zip(&self.columns) {
            *entry = 0;
            for (column, value) in old.iter().enumerate() {
                *entry |= value & equal_mask(*source ^ column as u8);
            }
        }
    }

    /// The window with its columns permuted.
    pub(super) fn apply<B: RowProduct>(&self, backend: B, window: &[u8], stride: usize) -> Vec<u8> {
        // row j of the permutation matrix: bit k set if column j ends at k
        let mut matrix = [0u64; 64];
        for (target, source) in self.columns.iter().enumerate() {
            for (row, word) in matrix.iter_mut().enumerate() {
                *word |= u64::from(equal_mask(*source ^ row as u8) & 1) << target;
            }
        }
        let mut rows = [0u8; 512];
        store_rows(&matrix, &mut rows, 64, 0);
        let mut tables = Wiped::zeros(8 * B::TABLE_BYTES);
        let mut index = Wiped::zeros(stride / B::ROW_GROUP * B::INDEX_BYTES);
        let mut permuted = vec![0u8; 8 * stride];
        backend.run(
            #[inline(always)]
            || {
                for (column, table) in
                    rows.as_chunks::<64>().0.iter().zip(tables.chunks_exact_mut(B::TABLE_BYTES))
                {
                    backend.build_table(column, table);
                }
                for (group, part) in index.chunks_exact_mut(B::INDEX_BYTES).enumerate() {
                    backend.build_index(window, stride, group * B::ROW_GROUP, part);
                }
                let product = Product {
                    index: &index,
                    tables: &tables,
                    blocks: 1,
                    inner_rows: 64,
                    index_pitch: B::INDEX_BYTES,
                    table_pitch: B::TABLE_BYTES,
                    stride,
                    first_row: 0,
                    row_groups: stride / B::ROW_GROUP,
                };
                backend.add_product(product, &mut permuted);
            },
        );
        matrix.zeroize();
        rows.zeroize();
        permuted
    }

    /// Also keeps the columns that the swaps move to the right block.
    pub(super) fn with_right_columns<B: RowProduct>(
        mut self,
        backend: B,
        original_window: &[u8],
        stride: usize,
    ) -> Self {
        let mut permuted = self.apply(backend, original_window, stride);
        self.right = permuted[4 * stride..].to_vec();
        permuted.zeroize();
        self
    }

    /// The first 32 columns of the right block, before the elimination: 4 byte columns of the layout's stride.
    #[must_use]
    pub fn right_columns(&self) -> &[u8] {
        &self.right
    }
}

/// All ones if `bits` is not zero.
#[inline(always)]
fn is_set(bits: u64) -> u64 {
    0u64.wrapping_sub(core::hint::black_box((bits | bits.wrapping_neg()) >> 63))
}

/// All ones if `difference` is zero (the two values are equal).
#[inline(always)]
fn equal_mask(difference: u8) -> u16 {
    core::hint::black_box((u16::from(difference).wrapping_sub(1) as i16 >> 15) as u16)
}
