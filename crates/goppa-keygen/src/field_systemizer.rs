//! Systematic form over GF(2^m), any size, constant time.

use gf2n::small::gf2m::Gf2m;

use crate::error::Error;

/// All ones if `value` is zero.
#[inline(always)]
fn zero_mask(value: u16) -> u16 {
    ((core::hint::black_box(u32::from(value)).wrapping_sub(1)) >> 16) as u16
}

/// Reduces a matrix of `rows` rows (row after row, `matrix.len() / rows` >= rows columns) to (I | A^-1 B) in place.
///
/// Constant time but for the verdict: each pivot row receives a later row where its pivot is still zero, by masks.
///
/// # Errors
/// [`Error::Singular`] (the matrix is then partly reduced), [`Error::Length`] if the entries do not make such a matrix.
pub fn systematic_form(field: Gf2m, rows: usize, matrix: &mut [u16]) -> Result<(), Error> {
    let columns = matrix.len().checked_div(rows).unwrap_or(0);
    if columns < rows || columns * rows != matrix.len() {
        return Err(Error::Length {
            what: "matrix",
            expected: rows * columns.max(rows),
            actual: matrix.len(),
        });
    }
    for pivot in 0..rows {
        let (above, rest) = matrix.split_at_mut(pivot * columns);
        let (row, below) = rest.split_at_mut(columns);
        for other in below.chunks_exact(columns) {
            let mask = zero_mask(row[pivot]);
            for (entry, add) in row[pivot..].iter_mut().zip(&other[pivot..]) {
                *entry ^= add & mask;
            }
        }
        if row[pivot] == 0 {
            return Err(Error::Singular);
        }
        let inverse = field.invert(row[pivot]);
        for entry in &mut row[pivot..] {
            *entry = field.mul(*entry, inverse);
        }
        for other in above.chunks_exact_mut(columns).chain(below.chunks_exact_mut(columns)) {
            let factor = other[pivot];
            for (entry, add) in other[pivot..].iter_mut().zip(&row[pivot..]) {
                *entry ^= field.mul(factor, *add);
            }
        }
    }
    Ok(())
}
