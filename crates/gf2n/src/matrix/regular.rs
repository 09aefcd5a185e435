//! Whether a secret matrix is invertible.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::words::mask;
use super::{BitMatrix, with_wide_rows};

impl BitMatrix {
    /// Whether the matrix is invertible: half an elimination. Constant time up to the answer.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    pub fn is_invertible(&self) -> bool {
        assert_eq!(self.rows(), self.columns(), "only a square matrix has an inverse");
        match self.words_per_row() {
            0 => true,
            1 => regular::<1>(self),
            2 => regular::<2>(self),
            3 => regular::<3>(self),
            4 => regular::<4>(self),
            5 => regular::<5>(self),
            6 => regular::<6>(self),
            7 => regular::<7>(self),
            8 => regular::<8>(self),
            9 => regular::<9>(self),
            _ => self.inverse().is_some(),
        }
    }
}

/// The elimination with rows of `W` words, which stay in registers.
fn regular<const W: usize>(matrix: &BitMatrix) -> bool {
    let mut rows: Vec<[u64; W]> = matrix.words().as_chunks().0.to_vec();
    let side = rows.len();
    let regular = with_wide_rows(
        #[inline(always)]
        || {
            let mut regular = 1;
            for c in 0..side {
                let (word, shift) = (c / 64, c % 64);
                let (done, rest) = rows.split_at_mut(c + 1);
                let mut pivot = done[c];
                // the first row below that has the bit, if row c has not: every row is looked at, and a row in memory is the
                // same whichever one was taken
                let mut missing = !(pivot[word] >> shift) & 1;
                for row in rest.iter() {
                    let bit = row[word] >> shift & 1;
                    let taken = mask(bit & missing);
                    missing &= !bit;
                    for (sum, value) in pivot.iter_mut().zip(row) {
                        *sum ^= taken & value;
                    }
                }
                regular &= !missing;
                for row in rest {
                    let present = mask(row[word] >> shift);
                    for (place, value) in row.iter_mut().zip(&pivot) {
                        *place ^= present & value;
                    }
                }
            }
            regular & 1 == 1
        },
    );
    rows.zeroize();
    regular
}
