//! Inverses and linear systems.

use alloc::{vec, vec::Vec};

use super::BitMatrix;
use super::words::{bit, words_for};

impl BitMatrix {
    /// The inverse, or `None` if the matrix is singular. Constant time up to that answer.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        assert_eq!(self.rows(), self.columns(), "only a square matrix has an inverse");
        let mut augmented = self.beside(&Self::identity(self.rows()));
        augmented.make_systematic().then(|| augmented.column_range(self.rows(), self.rows()))
    }

    /// The inverse of public data: variable time.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    pub fn inverse_public(&self) -> Option<Self> {
        assert_eq!(self.rows(), self.columns(), "only a square matrix has an inverse");
        let augmented = self.beside(&Self::identity(self.rows()));
        Some(augmented.systematic_form_public()?.column_range(self.rows(), self.rows()))
    }

    /// The x with `self * x = right` for a square matrix, or `None` if it is singular. Constant time up to that answer.
    ///
    /// # Panics
    /// If the matrix is not square or `right` has not ceil(rows / 64) words.
    #[must_use]
    pub fn solve(&self, right: &[u64]) -> Option<Vec<u64>> {
        assert_eq!(self.rows(), self.columns(), "only a square system is solved in constant time");
        let mut augmented = self.beside(&column_matrix(self.rows(), right));
        augmented.make_systematic().then(|| {
            let mut solution = vec![0; words_for(self.rows())];
            for i in 0..self.rows() {
                solution[i / 64] |= bit(augmented.row(i), self.columns()) << (i % 64);
            }
            solution
        })
    }

    /// An x with `self * x = right` (the one whose coordinates outside the pivot columns are zero), or `None` if there is
    /// none. Any shape. Public data: variable time.
    ///
    /// # Panics
    /// If `right` has not ceil(rows / 64) words.
    #[must_use]
    pub fn solve_public(&self, right: &[u64]) -> Option<Vec<u64>> {
        let mut augmented = self.beside(&column_matrix(self.rows(), right));
        let pivots = augmented.eliminate_public(self.columns());
        if (pivots.len()..self.rows()).any(|i| bit(augmented.row(i), self.columns()) == 1) {
            return None;
        }
        let mut solution = vec![0; self.words_per_row()];
        for (i, &column) in pivots.iter().enumerate() {
            solution[column / 64] |= bit(augmented.row(i), self.columns()) << (column % 64);
        }
        Some(solution)
    }
}

/// A vector as a matrix of one column.
fn column_matrix(rows: usize, vector: &[u64]) -> BitMatrix {
    assert_eq!(vector.len(), words_for(rows), "vector length does not fit the matrix");
    let mut matrix = BitMatrix::zero(rows, 1);
    for i in 0..rows {
        matrix.row_mut(i)[0] = bit(vector, i);
    }
    matrix
}
