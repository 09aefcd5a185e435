//! The left block: elimination to a triangle, recording what the right block needs.

use alloc::vec::Vec;

use super::pivot::{build_index, find_pivots, store_rows};
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
            index: Wiped::zeros_with_room(layout.panels().next_multiple_of(2) * group_bytes),
            pivots: Vec::with_capacity(layout.panels()),
        };
        let original_window = Wiped::new(self.data[8 * layout.head_panels() * stride..].to_vec());
        let mut tables = Tables::new();
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
        tables: &mut Tables,
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
                let index = &mut record.index[panel / 2 * 2 * (stride / B::ROW_GROUP * B::INDEX_BYTES)..];
                for group in 0..stride / B::ROW_GROUP {
                    let part = &mut index[(2 * group + panel % 2) * B::INDEX_BYTES..][..B::INDEX_BYTES];
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
            || {
                if panel.is_multiple_of(2) {
                    // the second panel of the pair needs it now, the columns right of it can wait
                    let next = right.len().min(8 * stride);
                    record.forward_panel(backend, panel, &mut right[..next], tables);
                } else {
                    record.forward_pair(backend, panel - 1, right, tables);
                }
            },
        );
        Ok(())
    }
}

impl Pivots {
    /// The index of a record T: row group by row group, block by block.
    #[inline(always)]
    fn new<B: RowProduct>(backend: B, transformation: &[u8], blocks: usize) -> Self {
        let mut index = Wiped::zeros(64 / B::ROW_GROUP * blocks * B::INDEX_BYTES);
        build_index(backend, transformation, blocks, &mut index);
        Self { blocks, index }
    }
}

/// Buffers for tables.
pub(crate) struct Tables {
    /// Of the window of one panel.
    window: Wiped<u8>,
    /// Of a pair of panels: for each byte column those of the two panels.
    pair: Wiped<u8>,
}

impl Tables {
    pub(crate) fn new() -> Self {
        Self { window: Wiped::zeros(0), pair: Wiped::zeros(0) }
    }

    /// Builds the tables of one panel of a pair.
    #[inline(always)]
    pub(super) fn build_panel<B: RowProduct>(
        &mut self,
        backend: B,
        columns: &[u8],
        stride: usize,
        panel: usize,
    ) {
        let tables = self.pair.scratch(columns.len() / stride * 2 * B::TABLE_BYTES);
        let parts = tables.chunks_exact_mut(2 * B::TABLE_BYTES);
        for (column, part) in columns.chunks_exact(stride).zip(parts) {
            let part = &mut part[panel % 2 * B::TABLE_BYTES..][..B::TABLE_BYTES];
            if let Some(rows) = column[64 * panel..].first_chunk() {
                backend.build_table(rows, part);
            }
        }
    }
}

/// Rows that an update changes.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// The first.
    pub from: usize,
    /// Behind the last that is not padding.
    pub to: usize,
}

impl Elimination {
    /// New pivot rows of a panel: T times the window.
    #[inline(always)]
    fn pivot_rows<B: RowProduct>(&self, backend: B, panel: usize, columns: &mut [u8], tables: &mut Tables) {
        let (stride, first_row) = (self.layout.stride(), 64 * panel);
        let Pivots { blocks, ref index } = self.pivots[panel];
        let tables = tables.window.scratch(columns.len() / stride * blocks * B::TABLE_BYTES);
        let mut parts = tables.chunks_exact_mut(B::TABLE_BYTES);
        for column in columns.chunks_exact_mut(stride) {
            let rows = &mut column[first_row..first_row + 64 * blocks];
            for (block, part) in rows.as_chunks::<64>().0.iter().zip(&mut parts) {
                backend.build_table(block, part);
            }
            rows[..64].fill(0);
        }
        let product = Product {
            index,
            tables,
            blocks,
            inner_rows: (self.layout.end() - first_row).min(64 * blocks),
            index_pitch: blocks * B::INDEX_BYTES,
            table_pitch: blocks * B::TABLE_BYTES,
            stride,
            first_row,
            row_groups: 64 / B::ROW_GROUP,
        };
        backend.add_product(product, columns);
    }

    /// Adds multiples of the rows of `count` = 1 or 2 panels of a pair, whose tables are built, to other rows.
    #[inline(always)]
    pub(super) fn update<B: RowProduct>(
        &self,
        backend: B,
        (panel, count): (usize, usize),
        rows: Rows,
        columns: &mut [u8],
        tables: &Tables,
    ) {
        if rows.from >= rows.to {
            return;
        }
        let stride = self.layout.stride();
        let pair = panel / 2 * 2 * (stride / B::ROW_GROUP * B::INDEX_BYTES);
        let first = pair + (rows.from / B::ROW_GROUP * 2 + panel % 2) * B::INDEX_BYTES;
        let product = Product {
            index: &self.index[first..],
            tables: &tables.pair[panel % 2 * B::TABLE_BYTES..],
            blocks: count,
            inner_rows: 64 * (count - 1) + self.layout.panel_rows(panel + count - 1),
            index_pitch: 2 * B::INDEX_BYTES,
            table_pitch: 2 * B::TABLE_BYTES,
            stride,
            first_row: rows.from,
            row_groups: (rows.to - rows.from).div_ceil(B::ROW_GROUP),
        };
        backend.add_product(product, columns);
    }

    /// The forward step of one panel on some byte columns: new pivot rows, then all rows below.
    #[inline(always)]
    fn forward_panel<B: RowProduct>(
        &self,
        backend: B,
        panel: usize,
        columns: &mut [u8],
        tables: &mut Tables,
    ) {
        if columns.is_empty() {
            return;
        }
        self.pivot_rows(backend, panel, columns, tables);
        tables.build_panel(backend, columns, self.layout.stride(), panel);
        let below = Rows { from: 64 * (panel + 1), to: self.layout.end() };
        self.update(backend, (panel, 1), below, columns, tables);
    }

    /// The forward steps of panels `panel` and `panel` + 1 (if there is one).
    #[inline(always)]
    pub(super) fn forward_pair<B: RowProduct>(
        &self,
        backend: B,
        panel: usize,
        columns: &mut [u8],
        tables: &mut Tables,
    ) {
        if columns.is_empty() {
            return;
        }
        // a larger window than usual needs all rows as they are then
        if self.pivots.get(panel + 1).is_none_or(|pivots| pivots.blocks > 2) {
            self.forward_panel(backend, panel, columns, tables);
            if panel + 1 < self.pivots.len() {
                self.forward_panel(backend, panel + 1, columns, tables);
            }
            return;
        }
        let (stride, end) = (self.layout.stride(), self.layout.end());
        let behind = end.min(64 * (panel + 3));
        self.pivot_rows(backend, panel, columns, tables);
        tables.build_panel(backend, columns, stride, panel);
        let window = Rows { from: 64 * (panel + 1), to: behind };
        self.update(backend, (panel, 1), window, columns, tables);
        self.pivot_rows(backend, panel + 1, columns, tables);
        tables.build_panel(backend, columns, stride, panel + 1);
        let rest = Rows { from: 64 * (panel + 2), to: behind };
        self.update(backend, (panel + 1, 1), rest, columns, tables);
        self.update(backend, (panel, 2), Rows { from: 64 * (panel + 3), to: end }, columns, tables);
    }
}
