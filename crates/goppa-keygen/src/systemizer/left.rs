//! The left block: elimination to a triangle, recording what the right block needs.

use alloc::vec::Vec;

use super::pivot::{find_pivots, store_rows};
use super::window::ColumnSwaps;
use super::{Elimination, Pivots, RowLayout};
use crate::backend::product::{Product, RowProduct};
use crate::wiped::Wiped;

/// The left block is singular (or, semi-systematic, the window has too small a rank).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular;

/// The left block of a matrix: a column matrix of the layout's stride.
///
/// Its byte columns are those of the head columns, then, if the layout has a tail, those of the 64 window columns.
pub struct LeftBlock {
    layout: RowLayout,
    data: Wiped<u8>,
}

impl LeftBlock {
    /// All zero.
    #[must_use]
    pub fn new(layout: RowLayout) -> Self {
        Self { layout, data: Wiped::zeros(layout.stride() * 8 * layout.panels()) }
    }

    /// The byte columns, `layout.stride()` apart: entry (r, c) is bit c % 8 of `[(c / 8) * stride + layout.place(r)]` for c < head;
    /// window column c is at byte column 8 * (panels of the head) + c / 8. Padding rows and columns must be left alone.
    pub fn columns_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// Reduces the block and returns the record, and the column swaps of a semi-systematic layout.
    ///
    /// # Errors
    /// [`Singular`]. The verdict and the panel it fell in show in the running time, nothing else.
    pub fn eliminate<B: RowProduct>(
        mut self,
        backend: B,
    ) -> Result<(Elimination, Option<ColumnSwaps>), Singular> {
        let (layout, stride) = (self.layout, self.layout.stride());
        let group_bytes = stride / B::ROW_GROUP * B::INDEX_BYTES;
        for place in layout.padding() {
            let (panel, bit) = (place / 64, place % 64);
            if panel < layout.head_panels() {
                self.data[(8 * panel + bit / 8) * stride + place] = 1 << (bit % 8);
            }
        }
        let mut record = Elimination {
            layout,
            index: Wiped::zeros(layout.panels() * group_bytes),
            pivots: Vec::with_capacity(layout.panels()),
        };
        let original_window = Wiped::new(self.data[8 * layout.head_panels() * stride..].to_vec());
        let mut tables = Wiped::zeros(0);
        for panel in 0..layout.head_panels() {
            self.eliminate_panel(backend, panel, &mut record, &mut tables)?;
        }
        let mut swaps = None;
        if layout.has_tail() {
            let window = &mut self.data[8 * layout.head_panels() * stride..];
            let found = ColumnSwaps::find(window, stride, layout).ok_or(Singular)?;
            let mut swapped = found.apply(backend, window, stride);
            window.copy_from_slice(&swapped);
            swapped.fill(0);
            core::hint::black_box(&mut swapped);
            swaps = Some(found.with_right_columns(backend, &original_window, stride));
            // columns 32.. of the tail panel are padding
            window[4 * stride..].fill(0);
            for bit in 32..64 {
                window[bit / 8 * stride + 64 * layout.head_panels() + bit] = 1 << (bit % 8);
            }
            self.eliminate_panel(backend, layout.head_panels(), &mut record, &mut tables)?;
        }
        Ok((record, swaps))
    }

    /// One panel: pivots, new pivot rows, update of the rows below; on the columns right of the panel.
    fn eliminate_panel<B: RowProduct>(
        &mut self,
        backend: B,
        panel: usize,
        record: &mut Elimination,
        tables: &mut Wiped<u8>,
    ) -> Result<(), Singular> {
        let (panels, stride) = (self.layout.panels(), self.layout.stride());
        let first_row = 64 * panel;
        let (done, right) = self.data.split_at_mut(8 * (panel + 1) * stride);
        let columns = &mut done[8 * panel * stride..];
        let remaining = panels - panel;
        let mut blocks = remaining.min(2);
        let (mut transformation, mut complete) = find_pivots(backend, columns, stride, first_row, blocks);
        if !complete && blocks < remaining {
            blocks = remaining;
            (transformation, complete) = find_pivots(backend, columns, stride, first_row, blocks);
        }
        if !complete {
            return Err(Singular);
        }
        let pivots = backend.run(
            #[inline(always)]
            || {
                // all rows: multipliers below, the triangle above; the panel's own rows are not used
                let bytes = stride / B::ROW_GROUP * B::INDEX_BYTES;
                let index = &mut record.index[panel * bytes..(panel + 1) * bytes];
                for (group, part) in index.chunks_exact_mut(B::INDEX_BYTES).enumerate() {
                    backend.build_index(columns, stride, group * B::ROW_GROUP, part);
                }
                Pivots::new(backend, &transformation, blocks)
            },
        );
        record.pivots.push(pivots);
        // the reduced panel: identity in its own rows
        let identity: [u64; 64] = core::array::from_fn(|row| 1 << row);
        store_rows(&identity, columns, stride, first_row);
        backend.run(
            #[inline(always)]
            || record.forward_step(backend, panel, right, tables),
        );
        Ok(())
    }
}

impl Pivots {
    /// The index of a record T: row group by row group, block by block.
    #[inline(always)]
    fn new<B: RowProduct>(backend: B, transformation: &[u8], blocks: usize) -> Self {
        let groups = 64 / B::ROW_GROUP;
        let mut index = Wiped::zeros(groups * blocks * B::INDEX_BYTES);
        for (number, part) in index.chunks_exact_mut(B::INDEX_BYTES).enumerate() {
            let (group, block) = (number / blocks, number % blocks);
            backend.build_index(&transformation[512 * block..], 64, group * B::ROW_GROUP, part);
        }
        Self { blocks, index }
    }
}

/// Tables of `blocks` blocks of 64 rows from `first_row`, for all byte columns of `columns`.
#[inline(always)]
pub(super) fn build_tables<'a, B: RowProduct>(
    backend: B,
    columns: &[u8],
    stride: usize,
    first_row: usize,
    blocks: usize,
    tables: &'a mut Wiped<u8>,
) -> &'a [u8] {
    let tables = tables.scratch(columns.len() / stride * blocks * B::TABLE_BYTES);
    let mut parts = tables.chunks_exact_mut(B::TABLE_BYTES);
    for column in columns.chunks_exact(stride) {
        let rows = &column[first_row..first_row + 64 * blocks];
        for (block, part) in rows.as_chunks::<64>().0.iter().zip(&mut parts) {
            backend.build_table(block, part);
        }
    }
    tables
}

impl Elimination {
    /// The forward step of one panel on some byte columns: new pivot rows, then the rows below.
    #[inline(always)]
    pub(super) fn forward_step<B: RowProduct>(
        &self,
        backend: B,
        panel: usize,
        columns: &mut [u8],
        tables: &mut Wiped<u8>,
    ) {
        if columns.is_empty() {
            return;
        }
        let (stride, first_row) = (self.layout.stride(), 64 * panel);
        let pivots = &self.pivots[panel];
        let sums = build_tables(backend, columns, stride, first_row, pivots.blocks, tables);
        for column in columns.chunks_exact_mut(stride) {
            column[first_row..first_row + 64].fill(0);
        }
        let product = Product {
            index: &pivots.index,
            tables: sums,
            blocks: pivots.blocks,
            inner_rows: (self.layout.end() - first_row).min(64 * pivots.blocks),
            stride,
            first_row,
            row_groups: 64 / B::ROW_GROUP,
        };
        backend.add_product(product, columns);
        if panel + 1 < self.layout.panels() {
            let tables = build_tables(backend, columns, stride, first_row, 1, tables);
            let below = first_row + 64;
            let product = Product {
                index: &self.panel_index::<B>(panel)[below / B::ROW_GROUP * B::INDEX_BYTES..],
                tables,
                blocks: 1,
                inner_rows: self.layout.panel_rows(panel),
                stride,
                first_row: below,
                row_groups: (self.layout.end() - below).div_ceil(B::ROW_GROUP),
            };
            backend.add_product(product, columns);
        }
    }

    /// The index of a panel.
    #[inline(always)]
    pub(super) fn panel_index<B: RowProduct>(&self, panel: usize) -> &[u8] {
        let bytes = self.layout.stride() / B::ROW_GROUP * B::INDEX_BYTES;
        &self.index[panel * bytes..(panel + 1) * bytes]
    }
}
