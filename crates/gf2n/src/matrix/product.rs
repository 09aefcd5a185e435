//! Products of matrices and of a matrix and a vector.

use alloc::{vec, vec::Vec};

use super::words::{add, bit, dot, mask, masked_add, words_for};
use super::{BitMatrix, with_wide_rows};

/// Rows of the right factor that one table of [`BitMatrix::product_public`] covers.
const TABLE_BITS: usize = 8;

impl BitMatrix {
    /// The product `self * right`. Constant time: rows * columns masked row additions.
    ///
    /// # Panics
    /// If the number of columns differs from the number of rows of `right`.
    #[must_use]
    pub fn product(&self, right: &Self) -> Self {
        assert_eq!(self.columns(), right.rows(), "shapes do not fit a product");
        let mut result = Self::zero(self.rows(), right.columns());
        with_wide_rows(
            #[inline(always)]
            || {
                for i in 0..self.rows() {
                    multiply_row(self.row(i), right, result.row_mut(i));
                }
            },
        );
        result
    }

    /// The product `self * right` of public matrices, with tables of 256 sums of 8 rows ("method of four Russians";
    /// Arlazarov, Dinic, Kronrod, Faradzev 1970). Variable time: the data index the tables.
    ///
    /// # Panics
    /// If the number of columns differs from the number of rows of `right`.
    #[must_use]
    pub fn product_public(&self, right: &Self) -> Self {
        assert_eq!(self.columns(), right.rows(), "shapes do not fit a product");
        let mut result = Self::zero(self.rows(), right.columns());
        let stride = right.words_per_row();
        let mut table = vec![0; stride << TABLE_BITS];
        with_wide_rows(
            #[inline(always)]
            || {
                for first in (0..right.rows()).step_by(TABLE_BITS) {
                    let count = (right.rows() - first).min(TABLE_BITS);
                    sums_of_rows(right, first, count, &mut table);
                    for i in 0..self.rows() {
                        let index = (self.row(i)[first / 64] >> (first % 64)) as usize & ((1 << count) - 1);
                        add(result.row_mut(i), &table[index * stride..(index + 1) * stride]);
                    }
                }
            },
        );
        result
    }

    /// The row vector `vector * self`. Constant time.
    ///
    /// # Panics
    /// If `vector` has not ceil(rows / 64) words.
    #[must_use]
    pub fn left_multiply(&self, vector: &[u64]) -> Vec<u64> {
        assert_eq!(vector.len(), words_for(self.rows()), "vector length does not fit the matrix");
        let mut result = vec![0; self.words_per_row()];
        with_wide_rows(
            #[inline(always)]
            || multiply_row(vector, self, &mut result),
        );
        result
    }

    /// The column vector `self * vector`. Constant time.
    ///
    /// # Panics
    /// If `vector` has not ceil(columns / 64) words.
    #[must_use]
    pub fn right_multiply(&self, vector: &[u64]) -> Vec<u64> {
        assert_eq!(vector.len(), self.words_per_row(), "vector length does not fit the matrix");
        let mut result = vec![0; words_for(self.rows())];
        with_wide_rows(
            #[inline(always)]
            || {
                for i in 0..self.rows() {
                    result[i / 64] |= dot(self.row(i), vector) << (i % 64);
                }
            },
        );
        result
    }
}

/// `result ^= vector * matrix`
#[inline(always)]
fn multiply_row(vector: &[u64], matrix: &BitMatrix, result: &mut [u64]) {
    for k in 0..matrix.rows() {
        masked_add(result, mask(bit(vector, k)), matrix.row(k));
    }
}

/// Fills entry e of `table` with the sum of the rows `first + i` for the bits i of e.
#[inline(always)]
fn sums_of_rows(matrix: &BitMatrix, first: usize, count: usize, table: &mut [u64]) {
    let stride = matrix.words_per_row();
    table[..stride].fill(0);
    for i in 0..count {
        let (known, rest) = table.split_at_mut(stride << i);
        for (k, sum) in rest[..stride << i].iter_mut().enumerate() {
            *sum = known[k];
        }
        let row = matrix.row(first + i);
        if stride != 0 {
            for sum in rest[..stride << i].chunks_exact_mut(stride) {
                add(sum, row);
            }
        }
    }
}
