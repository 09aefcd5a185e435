//! Forward and back substitution over columns of the right block.

use super::Elimination;
use super::left::{Rows, Tables};
use crate::backend::product::RowProduct;

impl Elimination {
    /// Replaces byte columns of the right block, `layout.stride()` apart and with zeros in the padding rows, by those of the
    /// systematic form. Constant time. `B` is the back end of the elimination.
    pub fn apply<B: RowProduct>(&self, backend: B, columns: &mut [u8]) {
        self.apply_with(backend, columns, &mut Tables::new());
    }

    /// [`Elimination::apply`] with buffers that are used again.
    pub(crate) fn apply_with<B: RowProduct>(&self, backend: B, columns: &mut [u8], tables: &mut Tables) {
        let panels = self.layout.panels();
        for panel in (0..panels).step_by(2) {
            backend.run(
                #[inline(always)]
                || self.forward_pair(backend, panel, columns, tables),
            );
        }
        for panel in (0..panels).step_by(2).rev() {
            backend.run(
                #[inline(always)]
                || self.backward_pair(backend, panel, columns, tables),
            );
        }
    }

    /// Clears the columns of panels `panel` and `panel` + 1 (if there is one) in the rows above them.
    #[inline(always)]
    fn backward_pair<B: RowProduct>(
        &self,
        backend: B,
        panel: usize,
        columns: &mut [u8],
        tables: &mut Tables,
    ) {
        let stride = self.layout.stride();
        let mut count = 1;
        if panel + 1 < self.layout.panels() {
            count = 2;
            tables.build_panel(backend, columns, stride, panel + 1);
            let first = Rows { from: 64 * panel, to: 64 * (panel + 1) };
            self.update(backend, (panel + 1, 1), first, columns, tables);
        }
        if panel > 0 {
            tables.build_panel(backend, columns, stride, panel);
            self.update(backend, (panel, count), Rows { from: 0, to: 64 * panel }, columns, tables);
        }
    }
}
