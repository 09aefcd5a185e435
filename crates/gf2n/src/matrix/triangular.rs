//! Unit triangular matrices in packed form.

use alloc::{vec, vec::Vec};

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::words::{bit, dot, mask, masked_add, words_for};
use super::{BitMatrix, with_wide_rows};

/// Words of row `r` in packed form: r div 64 + 1.
#[must_use]
pub const fn packed_row_words(r: usize) -> usize {
    r / 64 + 1
}

/// Words of a whole packed triangle of the given side: the sum of r div 64 + 1 over its rows.
#[must_use]
pub const fn packed_words(side: usize) -> usize {
    let (full, rest) = (side / 64, side % 64);
    // 64 rows of each of 1, 2, ..., `full` words, and `rest` rows of one word more
    64 * (full * (full + 1) / 2) + rest * (full + 1)
}

/// A unit triangular matrix, packed: row r of the lower triangle on r div 64 + 1 words, bits 0..r-1 free, bit r one, higher bits
/// zero.
///
/// It stands for two matrices. As a **lower** triangular matrix L its rows are the stored rows. As an **upper** triangular
/// matrix U (the transpose of L) its columns are the stored rows. Every method says which one it takes. All of them are
/// constant-time, and the content is wiped when dropped.
#[derive(Clone)]
pub struct UnitTriangular {
    side: usize,
    words: Vec<u64>,
}

impl UnitTriangular {
    /// The identity.
    #[must_use]
    pub fn identity(side: usize) -> Self {
        Self::from_words(side, vec![0; packed_words(side)])
    }

    /// Takes packed words as drawn: forces the diagonal to one and clears the bits above it.
    ///
    /// # Panics
    /// If there are not [`packed_words`]`(side)` words.
    #[must_use]
    pub fn from_words(side: usize, words: Vec<u64>) -> Self {
        assert_eq!(words.len(), packed_words(side), "packed triangle of side {side}");
        let mut triangle = Self { side, words };
        for r in 0..side {
            let row = triangle.row_mut(r);
            if let Some(last) = row.last_mut() {
                let diagonal = 1 << (r % 64);
                *last = *last & (diagonal - 1) | diagonal;
            }
        }
        triangle
    }

    /// Side of the square.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Stored row `r`, r div 64 + 1 words.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[inline]
    pub fn row(&self, r: usize) -> &[u64] {
        assert!(r < self.side, "no row {r}");
        let start = packed_words(r);
        &self.words[start..start + packed_row_words(r)]
    }

    fn row_mut(&mut self, r: usize) -> &mut [u64] {
        let start = packed_words(r);
        &mut self.words[start..start + packed_row_words(r)]
    }

    /// The lower triangular matrix L.
    #[must_use]
    pub fn to_lower(&self) -> BitMatrix {
        let mut matrix = BitMatrix::zero(self.side, self.side);
        for r in 0..self.side {
            matrix.row_mut(r)[..packed_row_words(r)].copy_from_slice(self.row(r));
        }
        matrix
    }

    /// The upper triangular matrix U, the transpose of L.
    #[must_use]
    pub fn to_upper(&self) -> BitMatrix {
        self.to_lower().transpose()
    }

    /// `vector := vector * L`, a sum of rows.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn multiply_by_lower(&self, vector: &mut [u64]) {
        self.check(vector);
        let mut start = 0;
        // ascending: row r changes only bits below r of the result, whose own coefficients are used already
        let mut result = vec![0; vector.len()];
        for r in 0..self.side {
            let end = start + packed_row_words(r);
            masked_add(&mut result, mask(bit(vector, r)), &self.words[start..end]);
            start = end;
        }
        vector.copy_from_slice(&result);
        result.zeroize();
    }

    /// `vector := vector * U`, a scalar product for every column.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn multiply_by_upper(&self, vector: &mut [u64]) {
        self.check(vector);
        with_wide_rows(
            #[inline(always)]
            || {
                let mut end = self.words.len();
                // descending: column j reads only bits 0..=j, which are still the old ones
                for j in (0..self.side).rev() {
                    let start = end - packed_row_words(j);
                    let value = dot(&self.words[start..end], vector);
                    vector[j / 64] = vector[j / 64] & !(1 << (j % 64)) | value << (j % 64);
                    end = start;
                }
            },
        );
    }

    /// `vector := vector * L^-1`.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn divide_by_lower(&self, vector: &mut [u64]) {
        self.check(vector);
        let mut end = self.words.len();
        for r in (0..self.side).rev() {
            let start = end - packed_row_words(r);
            let coefficient = bit(vector, r);
            masked_add(vector, mask(coefficient), &self.words[start..end]);
            // the row's own diagonal bit has cleared the coefficient: put it back
            vector[r / 64] |= coefficient << (r % 64);
            end = start;
        }
    }

    /// `vector := vector * U^-1`.
    ///
    /// # Panics
    /// If `vector` has not ceil(side / 64) words.
    pub fn divide_by_upper(&self, vector: &mut [u64]) {
        self.check(vector);
        with_wide_rows(
            #[inline(always)]
            || {
                let mut start = 0;
                for j in 0..self.side {
                    let end = start + packed_row_words(j);
                    // x_j = y_j + sum of the earlier x_k U_kj; the diagonal term y_j is in the scalar product already
                    let value = dot(&self.words[start..end], vector);
                    vector[j / 64] = vector[j / 64] & !(1 << (j % 64)) | value << (j % 64);
                    start = end;
                }
            },
        );
    }

    /// L^-1, again unit lower triangular.
    #[must_use]
    pub fn inverse_of_lower(&self) -> BitMatrix {
        let mut inverse = BitMatrix::identity(self.side);
        with_wide_rows(
            #[inline(always)]
            || {
                for r in 1..self.side {
                    let coefficients = self.row(r);
                    for k in 0..r {
                        let (target, source) = inverse.row_pair(r, k);
                        let words = packed_row_words(k);
                        masked_add(&mut target[..words], mask(bit(coefficients, k)), &source[..words]);
                    }
                }
            },
        );
        inverse
    }

    /// U^-1, again unit upper triangular.
    #[must_use]
    pub fn inverse_of_upper(&self) -> BitMatrix {
        self.inverse_of_lower().transpose()
    }

    /// The lower triangle of a square matrix, its diagonal forced to one.
    pub(super) fn from_lower_part(matrix: &BitMatrix) -> Self {
        let side = matrix.rows();
        let mut words = Vec::with_capacity(packed_words(side));
        for r in 0..side {
            words.extend_from_slice(&matrix.row(r)[..packed_row_words(r)]);
        }
        Self::from_words(side, words)
    }

    fn check(&self, vector: &[u64]) {
        assert_eq!(vector.len(), words_for(self.side), "vector length does not fit the triangle");
    }
}

impl PartialEq for UnitTriangular {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side && subtle::ConstantTimeEq::ct_eq(self.words.as_slice(), &other.words).into()
    }
}

impl Eq for UnitTriangular {}

impl core::fmt::Debug for UnitTriangular {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "UnitTriangular({0} x {0})", self.side)
    }
}

impl Drop for UnitTriangular {
    fn drop(&mut self) {
        self.words.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for UnitTriangular {}
