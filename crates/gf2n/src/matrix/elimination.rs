//! Gauss-Jordan elimination: masked (constant-time) and with pivot search (public data).

use alloc::vec::Vec;

use super::words::{add, bit, mask, masked_add};
use super::{BitMatrix, with_wide_rows};

impl BitMatrix {
    /// Brings the matrix `[A | B]`, A square, to `[I | A^-1 B]`; says whether A was invertible (if not, the content is of no
    /// use). Constant time: reveals only the answer.
    ///
    /// # Panics
    /// If there are more rows than columns.
    #[must_use]
    pub fn make_systematic(&mut self) -> bool {
        assert!(self.rows() <= self.columns(), "systematic form needs at least as many columns as rows");
        with_wide_rows(
            #[inline(always)]
            || {
                let mut invertible = 1;
                for c in 0..self.rows() {
                    let word = c / 64;
                    for r in c + 1..self.rows() {
                        let (target, source) = self.row_pair(c, r);
                        let missing = mask(bit(target, c) ^ 1);
                        masked_add(&mut target[word..], missing, &source[word..]);
                    }
                    invertible &= bit(self.row(c), c);
                    for r in 0..self.rows() {
                        if r != c {
                            let (target, source) = self.row_pair(r, c);
                            let present = mask(bit(target, c));
                            masked_add(&mut target[word..], present, &source[word..]);
                        }
                    }
                }
                invertible == 1
            },
        )
    }

    /// The systematic form `[I | A^-1 B]` of `[A | B]`, A square, or `None` if A is singular. Constant time up to that answer.
    ///
    /// # Panics
    /// If there are more rows than columns.
    #[must_use]
    pub fn systematic_form(&self) -> Option<Self> {
        let mut reduced = self.clone();
        reduced.make_systematic().then_some(reduced)
    }

    /// The systematic form of public data: variable time.
    ///
    /// # Panics
    /// If there are more rows than columns.
    #[must_use]
    pub fn systematic_form_public(&self) -> Option<Self> {
        assert!(self.rows() <= self.columns(), "systematic form needs at least as many columns as rows");
        let mut reduced = self.clone();
        let pivots = reduced.eliminate_public(self.rows());
        (pivots.len() == self.rows()).then_some(reduced)
    }

    /// Brings the matrix to its reduced row echelon form and gives the pivot columns, in ascending order. Public data.
    pub fn make_reduced_echelon_public(&mut self) -> Vec<usize> {
        self.eliminate_public(self.columns())
    }

    /// The rank. Public data.
    #[must_use]
    pub fn rank_public(&self) -> usize {
        self.clone().make_reduced_echelon_public().len()
    }

    /// Reduced echelon form with pivots in the first `columns` columns only; the pivot columns.
    pub(super) fn eliminate_public(&mut self, columns: usize) -> Vec<usize> {
        with_wide_rows(
            #[inline(always)]
            || {
                let mut pivots = Vec::new();
                for c in 0..columns {
                    let done = pivots.len();
                    let Some(found) = (done..self.rows()).find(|&r| bit(self.row(r), c) == 1) else {
                        continue;
                    };
                    self.swap_rows(done, found);
                    for r in 0..self.rows() {
                        if r != done && bit(self.row(r), c) == 1 {
                            let (target, source) = self.row_pair(r, done);
                            add(&mut target[c / 64..], &source[c / 64..]);
                        }
                    }
                    pivots.push(c);
                }
                pivots
            },
        )
    }
}
