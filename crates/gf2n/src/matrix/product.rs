//! Products of matrices and of a matrix and a vector.

use alloc::{vec, vec::Vec};

use zeroize::Zeroizing;

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

    /// The product `self * right` of a public matrix and any other, with tables of 256 sums of 8 rows of `right` ("method of four
    /// Russians"; Arlazarov, Dinic, Kronrod, Faradzev 1970). `self` indexes the tables, so that time and addresses depend on it;
    /// they do not depend on `right`, which may be secret (the tables are wiped).
    ///
    /// # Panics
    /// If the number of columns differs from the number of rows of `right`.
    #[must_use]
    pub fn product_public(&self, right: &Self) -> Self {
        assert_eq!(self.columns(), right.rows(), "shapes do not fit a product");
        let mut result = Self::zero(self.rows(), right.columns());
        let stride = right.words_per_row();
        let mut table = Zeroizing::new(vec![0; stride << TABLE_BITS]);
        with_wide_rows(
            #[inline(always)]
            || match stride {
                // rows of a fixed width stay in registers
                3 => four_russians::<3>(self, right, &mut result, &mut table),
                4 => four_russians::<4>(self, right, &mut result, &mut table),
                _ => {
                    for first in (0..right.rows()).step_by(TABLE_BITS) {
                        let count = (right.rows() - first).min(TABLE_BITS);
                        sums_of_rows(right, first, count, &mut table);
                        for i in 0..self.rows() {
                            let index = table_index(self, i, first, count);
                            add(result.row_mut(i), &table[index * stride..(index + 1) * stride]);
                        }
                    }
                }
            },
        );
        result
    }

    /// The product `self * right` with a public right factor: time and addresses depend on `right` and not on `self`, which may
    /// be secret.
    ///
    /// # Panics
    /// If the number of columns differs from the number of rows of `right`.
    #[must_use]
    pub fn product_with_public(&self, right: &Self) -> Self {
        right.transpose().product_public(&self.transpose()).transpose()
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

/// Bits `first ..` of row `i`, `count` of them.
#[inline(always)]
fn table_index(matrix: &BitMatrix, i: usize, first: usize, count: usize) -> usize {
    (matrix.row(i)[first / 64] >> (first % 64)) as usize & ((1 << count) - 1)
}

/// The product of [`BitMatrix::product_public`] for rows of `W` words.
#[inline(always)]
fn four_russians<const W: usize>(
    left: &BitMatrix,
    right: &BitMatrix,
    result: &mut BitMatrix,
    table: &mut [u64],
) {
    let table = table.as_chunks_mut::<W>().0;
    for first in (0..right.rows()).step_by(TABLE_BITS) {
        let count = (right.rows() - first).min(TABLE_BITS);
        table[0] = [0; W];
        for i in 0..count {
            let row = right.row(first + i);
            let (known, rest) = table.split_at_mut(1 << i);
            for (sum, known) in rest.iter_mut().zip(known) {
                for w in 0..W {
                    sum[w] = known[w] ^ row[w];
                }
            }
        }
        for i in 0..left.rows() {
            let index = table_index(left, i, first, count);
            for (place, value) in result.row_mut(i).iter_mut().zip(&table[index]) {
                *place ^= value;
            }
        }
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
