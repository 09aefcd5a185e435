//! LU forms.

use alloc::vec::Vec;

use super::words::{add, bit, mask, masked_add};
use super::{BitMatrix, UnitTriangular, with_wide_rows};

/// `A = L U` of an invertible matrix all of whose leading squares are invertible. Over GF(2) both diagonals are then one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLu {
    /// L, stored by rows.
    pub lower: UnitTriangular,
    /// U, stored by columns.
    pub upper: UnitTriangular,
}

impl UnitLu {
    /// The product L U. Constant time.
    #[must_use]
    pub fn product(&self) -> BitMatrix {
        self.lower.to_lower().product(&self.upper.to_upper())
    }

    /// The inverse U^-1 L^-1. Constant time.
    #[must_use]
    pub fn inverse(&self) -> BitMatrix {
        self.upper.inverse_of_upper().product(&self.lower.inverse_of_lower())
    }

    /// `vector := vector * L * U`. Constant time.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn left_multiply(&self, vector: &mut [u64]) {
        self.lower.multiply_by_lower(vector);
        self.upper.multiply_by_upper(vector);
    }

    /// `vector := vector * U^-1 * L^-1`, the inverse of [`Self::left_multiply`]. Constant time.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn left_divide(&self, vector: &mut [u64]) {
        self.upper.divide_by_upper(vector);
        self.lower.divide_by_lower(vector);
    }
}

/// `P A = L E`: rows of A in another order are a unit lower triangular matrix times a row echelon form. Any shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEchelonLu {
    /// Row i of P A is row `permutation[i]` of A.
    pub permutation: Vec<usize>,
    /// L, stored by rows.
    pub lower: UnitTriangular,
    /// E: row i below the rank begins at column `pivots[i]`, the other rows are zero.
    pub echelon: BitMatrix,
    /// The pivot columns, ascending; their number is the rank.
    pub pivots: Vec<usize>,
}

impl BitMatrix {
    /// `A = L U` without exchange of rows, or `None` if a leading square is singular. Constant time up to that answer.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    pub fn lu(&self) -> Option<UnitLu> {
        assert_eq!(self.rows(), self.columns(), "only a square matrix has this LU form");
        let mut work = self.clone();
        let mut factors = Self::identity(self.rows());
        let mut regular = 1;
        with_wide_rows(
            #[inline(always)]
            || {
                for c in 0..work.rows() {
                    regular &= bit(work.row(c), c);
                    for r in c + 1..work.rows() {
                        let (target, source) = work.row_pair(r, c);
                        let factor = bit(target, c);
                        masked_add(&mut target[c / 64..], mask(factor), &source[c / 64..]);
                        factors.row_mut(r)[c / 64] |= factor << (c % 64);
                    }
                }
            },
        );
        (regular == 1).then(|| UnitLu {
            lower: UnitTriangular::from_lower_part(&factors),
            upper: UnitTriangular::from_lower_part(&work.transpose()),
        })
    }

    /// Whether the matrix is a product U L of a unit upper and a unit lower triangular matrix (in this order: the inverse of a
    /// product L U is one). Constant time up to that answer.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    pub fn is_unit_ul(&self) -> bool {
        assert_eq!(self.rows(), self.columns(), "only a square matrix has this form");
        let mut work = self.clone();
        let mut regular = 1;
        with_wide_rows(
            #[inline(always)]
            || {
                for c in (0..work.rows()).rev() {
                    regular &= bit(work.row(c), c);
                    // columns above c are done
                    let words = c / 64 + 1;
                    for r in 0..c {
                        let (target, source) = work.row_pair(r, c);
                        let present = mask(bit(target, c));
                        masked_add(&mut target[..words], present, &source[..words]);
                    }
                }
            },
        );
        regular == 1
    }

    /// `P A = L E` with exchange of rows. Public data: variable time.
    #[must_use]
    pub fn row_echelon_lu_public(&self) -> RowEchelonLu {
        let mut echelon = self.clone();
        let mut factors = Self::identity(self.rows());
        let mut permutation: Vec<usize> = (0..self.rows()).collect();
        let mut pivots = Vec::new();
        for c in 0..self.columns() {
            let done = pivots.len();
            let Some(found) = (done..self.rows()).find(|&r| bit(echelon.row(r), c) == 1) else {
                continue;
            };
            echelon.swap_rows(done, found);
            permutation.swap(done, found);
            // the factors found so far (columns below `done`) move with their rows; the unit diagonal stays
            for k in 0..done {
                let (a, b) = (factors.get(done, k), factors.get(found, k));
                factors.set(done, k, b);
                factors.set(found, k, a);
            }
            for r in done + 1..self.rows() {
                if bit(echelon.row(r), c) == 1 {
                    let (target, source) = echelon.row_pair(r, done);
                    add(&mut target[c / 64..], &source[c / 64..]);
                    factors.set(r, done, true);
                }
            }
            pivots.push(c);
        }
        RowEchelonLu { permutation, lower: UnitTriangular::from_lower_part(&factors), echelon, pivots }
    }
}
