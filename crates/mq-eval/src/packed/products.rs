//! The four matrix products of the oil-and-vinegar schemes, over some or all rows of a batched matrix.
//!
//! X is a [`Multipliers`] matrix with one row a variable and one column a vector. A triangle is upper triangular with its
//! diagonal, row by row. Results are added to `sums`. Constant time with respect to cells and scalars.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Job, Multipliers, PackedField};

/// Where the rows of a chunk stand in the whole matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The rows of the chunk, by their number in the matrix; the first byte of the source is the first cell of the first one.
    pub range: Range<usize>,
    /// Columns of the matrix (for a triangle: its side).
    pub width: usize,
    /// Length of a cell in bytes.
    pub cell: usize,
}

impl Rows {
    /// Bytes of rows `0..end` of an upper triangle.
    #[must_use]
    pub const fn triangle_bytes(width: usize, cell: usize, end: usize) -> usize {
        (end * width - end * end.saturating_sub(1) / 2) * cell
    }

    fn triangle_offset(&self, row: usize) -> usize {
        Self::triangle_bytes(self.width, self.cell, row)
            - Self::triangle_bytes(self.width, self.cell, self.range.start)
    }
}

/// Row r of P X for the rows of a chunk of the triangle P. `variables` is the row of X that belongs to column 0 of P.
/// `sums` holds one row of cells (a cell for each column of X) for each row of the chunk.
pub fn triangle<F: PackedField>(
    x: &Multipliers<F>,
    variables: usize,
    source: &[u8],
    rows: &Rows,
    sums: &mut [u8],
) {
    let jobs: Vec<Job> = rows
        .range
        .clone()
        .enumerate()
        .map(|(number, row)| Job {
            destination: number * x.columns() * rows.cell,
            len: rows.cell,
            source: rows.triangle_offset(row),
            step: rows.cell,
            step_shrink: 0,
            terms: variables + row..variables + rows.width,
        })
        .collect();
    x.combine(source, sums, rows.cell, &jobs);
}

/// The share of a chunk of rows of the triangle P in (P^T) X, with or without the diagonal of P. `sums` holds one row of
/// cells for each column of P.
pub fn triangle_transposed<F: PackedField>(
    x: &Multipliers<F>,
    source: &[u8],
    rows: &Rows,
    diagonal: bool,
    sums: &mut [u8],
) {
    let first = rows.range.start;
    let jobs: Vec<Job> = (first..rows.width)
        .filter_map(|column| {
            let end = rows.range.end.min(column + usize::from(diagonal));
            (first < end).then(|| Job {
                destination: column * x.columns() * rows.cell,
                len: rows.cell,
                source: (column - first) * rows.cell,
                step: (rows.width - first).saturating_sub(1) * rows.cell,
                step_shrink: rows.cell,
                terms: first..end,
            })
        })
        .collect();
    x.combine(source, sums, rows.cell, &jobs);
}

/// Row r of R X for the rows of a chunk of the rectangle R. `variables` is the row of X that belongs to column 0 of R.
pub fn rectangle<F: PackedField>(
    x: &Multipliers<F>,
    variables: usize,
    source: &[u8],
    rows: &Rows,
    sums: &mut [u8],
) {
    let jobs: Vec<Job> = (0..rows.range.len())
        .map(|number| Job {
            destination: number * x.columns() * rows.cell,
            len: rows.cell,
            source: number * rows.width * rows.cell,
            step: rows.cell,
            step_shrink: 0,
            terms: variables..variables + rows.width,
        })
        .collect();
    x.combine(source, sums, rows.cell, &jobs);
}

/// The share of a chunk of rows of the rectangle R in (X^T) R: for column j of X, the sum over the rows r of the chunk of
/// X(r, j) times row r. `sums` holds one row of R (`width` cells) for each column of X.
pub fn rectangle_transposed<F: PackedField>(x: &Multipliers<F>, source: &[u8], rows: &Rows, sums: &mut [u8]) {
    let len = rows.width * rows.cell;
    // some rows at a time, which are read side by side from front to back and stay in a cache for all columns; the more
    // columns, the more the sums cost that are read and written for each block
    let (bytes, fewest) = if x.columns() > 16 { (1 << 18, 64) } else { (1 << 14, 16) };
    let step = (bytes / len).max(fewest).next_multiple_of(2);
    let piece = if x.columns() == 1 { LONG_PIECE } else { PIECE };
    let mut start = rows.range.start;
    while start < rows.range.end {
        // blocks end at even rows, for rows go in pairs
        let end = rows.range.end.min((start + step) & !1);
        let chunk = &source[(start - rows.range.start) * len..];
        x.combine(chunk, sums, len, &jobs_of_pieces(piece, len, len, start..end));
        start = end;
    }
}

/// The part of (X^T) R, for R with as many columns as X has, that lies in and left of the diagonal: cells (i, j) with j <= i,
/// at i * columns + j. Some cells right of the diagonal are written too.
pub fn square_transposed_lower<F: PackedField>(
    x: &Multipliers<F>,
    source: &[u8],
    cell: usize,
    sums: &mut [u8],
) {
    let side = x.columns();
    let stride = side * cell;
    for first in (0..side).step_by(F::PER_BYTE) {
        let columns = first..(first + F::PER_BYTE).min(side);
        let jobs = row_jobs(stride, columns.end * cell, 0..x.terms());
        x.combine_columns(source, sums, stride, columns, &jobs);
    }
}

/// Bytes of a long row that one job handles: whole vectors of every back end.
const PIECE: usize = 64;
/// The same where there is one column, whose sums need fewer registers.
const LONG_PIECE: usize = 96;

/// The jobs that combine whole rows of `stride` bytes, of which the first `len` count.
#[must_use]
pub fn row_jobs(stride: usize, len: usize, terms: Range<usize>) -> Vec<Job> {
    jobs_of_pieces(PIECE, stride, len, terms)
}

fn jobs_of_pieces(piece: usize, stride: usize, len: usize, terms: Range<usize>) -> Vec<Job> {
    (0..len)
        .step_by(piece)
        .map(|start| Job {
            destination: start,
            len: piece.min(len - start),
            source: start,
            step: stride,
            step_shrink: 0,
            terms: terms.clone(),
        })
        .collect()
}
