//! Forward and back substitution over columns of the right block.

use super::Elimination;
use super::left::build_tables;
use crate::backend::product::{Product, RowProduct};
use crate::wiped::Wiped;

impl Elimination {
    /// Replaces byte columns of the right block, `layout.stride()` apart and with zeros in the padding rows, by those of the
    /// systematic form. Constant time. `B` is the back end of the elimination.
    pub fn apply<B: RowProduct>(&self, backend: B, columns: &mut [u8]) {
        let mut tables = Wiped::zeros(0);
        let panels = self.layout.panels();
        for panel in 0..panels {
            backend.run(
                #[inline(always)]
                || self.forward_step(backend, panel, columns, &mut tables),
            );
        }
        for panel in (1..panels).rev() {
            backend.run(
                #[inline(always)]
                || self.backward_step(backend, panel, columns, &mut tables),
            );
        }
    }

    /// Clears a panel's columns in the rows above it.
    #[inline(always)]
    fn backward_step<B: RowProduct>(
        &self,
        backend: B,
        panel: usize,
        columns: &mut [u8],
        tables: &mut Wiped<u8>,
    ) {
        let (stride, first_row) = (self.layout.stride(), 64 * panel);
        let tables = build_tables(backend, columns, stride, first_row, 1, tables);
        let product = Product {
            index: self.panel_index::<B>(panel),
            tables,
            blocks: 1,
            inner_rows: self.layout.panel_rows(panel),
            stride,
            first_row: 0,
            row_groups: first_row / B::ROW_GROUP,
        };
        backend.add_product(product, columns);
    }
}
