//! Systematic form over GF(2): (A | B) -> (I | A^-1 B) for a square A of any size, constant time, blocked.
//!
//! Columns are taken 64 at a time (a *panel*). The pivots of a panel are found in a *window*: its own 64 rows and the next 64. Only
//! the panel's bits of the window are touched there, while a record T of what was added to each pivot row is kept; then the
//! new pivot rows are T times the window on all other columns, and every row below adds (its panel bits) times (the new pivot
//! rows). Panels go in pairs: the rows
//! below (or above) both take one update from both. The left block is reduced to a triangle first, which decides singularity, and everything that the right block
//! needs is recorded on the way: [`Elimination::apply`] then runs forward and back substitution over B, a strip of columns at
//! a time.
//!
//! If a pivot is missing in the window (for a random matrix with probability 2^-64 a column) the panel is taken again with
//! all remaining rows as its window, so the verdict "singular" is exact. It is public: the matrix is thrown away.

mod apply;
mod bits;
mod left;
mod pivot;
mod window;

use alloc::vec::Vec;

use crate::wiped::Wiped;

pub use bits::systematic_form;
pub(crate) use left::Tables;
pub use left::{LeftBlock, Singular};
pub use window::ColumnSwaps;

/// Rows of the eliminated matrix and where they lie.
///
/// Rows (and columns of the left block) come in a *head* and an optional *tail* of up to 32; each is padded to a multiple of 64 with
/// rows of the identity. The tail is for the semi-systematic form, whose last 32 columns are chosen among 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLayout {
    head: usize,
    tail: usize,
}

impl RowLayout {
    /// All rows in the head: the systematic form.
    #[must_use]
    pub const fn systematic(rows: usize) -> Self {
        Self { head: rows, tail: 0 }
    }

    /// The last 32 rows in the tail: the semi-systematic form with (mu, nu) = (32, 64). `None` for fewer than 32 rows.
    #[must_use]
    pub const fn semi_systematic(rows: usize) -> Option<Self> {
        match rows.checked_sub(32) {
            Some(head) => Some(Self { head, tail: 32 }),
            None => None,
        }
    }

    /// Number of rows without padding.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.head + self.tail
    }

    /// Rows of the head: the first column of the window.
    #[must_use]
    pub const fn head(self) -> usize {
        self.head
    }

    /// Whether there is a tail.
    #[must_use]
    pub const fn has_tail(self) -> bool {
        self.tail > 0
    }

    /// Panels of the head.
    pub(crate) const fn head_panels(self) -> usize {
        self.head.div_ceil(64)
    }

    /// All panels.
    pub(crate) const fn panels(self) -> usize {
        self.head_panels() + self.tail.div_ceil(64)
    }

    /// Rows with padding: the distance of byte columns in every column matrix of the elimination.
    #[must_use]
    pub const fn stride(self) -> usize {
        64 * self.panels()
    }

    /// Where row (or column of the left block) `row` lies.
    #[must_use]
    pub const fn place(self, row: usize) -> usize {
        if row < self.head { row } else { 64 * self.head_panels() + row - self.head }
    }

    /// Rows of a panel without padding.
    pub(crate) const fn panel_rows(self, panel: usize) -> usize {
        let (first, rows) = if panel < self.head_panels() { (64 * panel, self.head) } else { (0, self.tail) };
        if rows - first < 64 { rows - first } else { 64 }
    }

    /// The end of the last row that is not padding.
    pub(crate) const fn end(self) -> usize {
        match self.panels() {
            0 => 0,
            panels => 64 * (panels - 1) + self.panel_rows(panels - 1),
        }
    }

    /// Where the padding rows lie.
    pub(crate) fn padding(self) -> impl Iterator<Item = usize> {
        let head_end = 64 * self.head_panels();
        (self.head..head_end).chain(head_end + self.tail..self.stride())
    }
}

/// What [`LeftBlock::eliminate`] recorded.
pub struct Elimination {
    layout: RowLayout,
    /// The indices of the 8 byte columns of the panels, multipliers below the panel, the triangle above: for each pair of panels and
    /// each row group those of the two panels side by side.
    index: Wiped<u8>,
    /// For each panel the record T.
    pivots: Vec<Pivots>,
}

/// The record T of one panel: 64 new pivot rows from 64 * `blocks` window rows.
struct Pivots {
    blocks: usize,
    index: Wiped<u8>,
}
