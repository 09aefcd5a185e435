//! The systemizer on a plain matrix of bits.

use super::{LeftBlock, RowLayout};
use crate::backend::{Backend, Kernel, dispatch};
use crate::error::Error;
use crate::wiped::Wiped;

/// Columns of the right block that are reduced together, in bytes.
const STRIP_BYTES: usize = 32;

struct Reduce<'a> {
    rows: usize,
    columns: usize,
    matrix: &'a mut [u8],
}

impl Kernel for Reduce<'_> {
    type Output = Result<(), Error>;

    fn call<B: Backend>(self, backend: B) -> Result<(), Error> {
        let Self { rows, columns, matrix } = self;
        let row_bytes = columns.div_ceil(8);
        let bit = |matrix: &[u8], row: usize, column: usize| {
            matrix[row * row_bytes + column / 8] >> (column % 8) & 1
        };
        let layout = RowLayout::systematic(rows);
        let stride = layout.stride();
        let mut left = LeftBlock::new(layout);
        let block = left.columns_mut();
        for row in 0..rows {
            for column in 0..rows {
                block[column / 8 * stride + row] |= bit(matrix, row, column) << (column % 8);
            }
        }
        let (record, _) = left.eliminate(backend).map_err(|_| Error::Singular)?;
        for first in (rows..columns).step_by(8 * STRIP_BYTES) {
            let last = columns.min(first + 8 * STRIP_BYTES);
            let mut strip = Wiped::zeros((last - first).div_ceil(8) * stride);
            for row in 0..rows {
                for column in first..last {
                    strip[(column - first) / 8 * stride + row] |=
                        bit(matrix, row, column) << ((column - first) % 8);
                }
            }
            record.apply(backend, &mut strip);
            for row in 0..rows {
                for column in first..last {
                    let value = strip[(column - first) / 8 * stride + row] >> ((column - first) % 8) & 1;
                    let target = &mut matrix[row * row_bytes + column / 8];
                    *target = *target & !(1 << (column % 8)) | value << (column % 8);
                }
            }
        }
        for row in 0..rows {
            for column in 0..rows {
                let target = &mut matrix[row * row_bytes + column / 8];
                *target = *target & !(1 << (column % 8)) | u8::from(row == column) << (column % 8);
            }
        }
        Ok(())
    }
}

/// Reduces a matrix of bits with `rows` <= `columns`, row after row of ceil(columns / 8) bytes with the least significant bit first, to
/// (I | A^-1 B) in place. Constant time but for the verdict.
///
/// # Errors
/// [`Error::Singular`] (the matrix is then unchanged), [`Error::Length`].
pub fn systematic_form(rows: usize, columns: usize, matrix: &mut [u8]) -> Result<(), Error> {
    let expected = rows * columns.div_ceil(8);
    if rows > columns || matrix.len() != expected {
        return Err(Error::Length { what: "matrix", expected, actual: matrix.len() });
    }
    if rows == 0 {
        return Ok(());
    }
    dispatch(Reduce { rows, columns, matrix })
}
