//! Systems of full rank: a triangular form, two columns at a time, and back substitution.

use super::rows::{Rows, divide, eliminate, eliminate_two, entry, entry_value, is_nonzero, mask, select};
use crate::qruov::backend::Backend;
use crate::qruov::ring::{QuotientRing, reduce};
use gf2n::secret::SecretVec;

/// How many lower rows are looked at where a diagonal entry is zero. All of them are zero with a probability of
/// `q^-(SEARCHED + 1) < 2^-72` a column for a random matrix of full rank; such a matrix is left to the general solver.
const fn searched<R: QuotientRing>() -> usize {
    76 / R::BITS as usize
}

/// The solution of a system of full rank, or `None` if the rank is lower, which is public (another salt, or free variables), or, with
/// negligible probability, at full rank.
pub(crate) fn solve_full_rank<B: Backend, R: QuotientRing>(
    backend: B,
    a: &[u8],
    size: usize,
    right: &[u8],
) -> Option<SecretVec<u8>> {
    backend.run(
        #[inline(always)]
        || {
            let mut rows = Rows::load(backend, a, size, 1);
            for (i, &b) in right.iter().enumerate().take(size) {
                rows.set(i, size, b);
            }
            make_triangular::<B, R>(backend, &mut rows, size)
                .then(|| substitute_back::<B, R>(backend, &rows, size))
        },
    )
}

/// Brings the matrix to upper triangular form with a diagonal of ones; whether that succeeded.
#[inline(always)]
fn make_triangular<B: Backend, R: QuotientRing>(backend: B, rows: &mut Rows<B>, size: usize) -> bool {
    let stride = rows.stride;
    let mut added = Rows::zeros(backend, 1, stride * Rows::<B>::ENTRIES);
    let mut full = 1;
    for c in (0..size).step_by(2) {
        // columns to the left are zero
        let from = c / Rows::<B>::ENTRIES;
        let local = c % Rows::<B>::ENTRIES;
        let added = &mut added.vectors[from..];
        let (first, rest) = rows.vectors[c * stride..].split_at_mut(stride);
        let first = &mut first[from..];
        // the first lower row with a leading entry is added to row c, unless that has one itself
        let mut found = mask(is_nonzero(entry_value::<R>(entry::<B>(first, local))));
        added.fill(backend.zero());
        for row in rest.chunks_exact(stride).take(searched::<R>()) {
            let row = &row[from..];
            let chosen = mask(is_nonzero(entry_value::<R>(entry::<B>(row, local)))) & !found;
            found |= chosen;
            select(backend, added, row, chosen);
        }
        // a sum of two entries, at most 6 (q + 1), is folded to q + 6
        eliminate::<B, R>(backend, first, added, 1);
        let leading = entry_value::<R>(entry::<B>(first, local));
        full &= is_nonzero(leading);
        divide::<B, R>(backend, first, leading);
        if c + 1 == size {
            break;
        }

        // the next column as it will be when the first pivot is subtracted
        let above = u32::from(entry::<B>(first, local + 1));
        let factors = |row: &[B::Vector]| {
            let factor = R::MODULUS as u16 - entry_value::<R>(entry::<B>(row, local));
            let next = u32::from(entry::<B>(row, local + 1)) + u32::from(factor) * above;
            (factor, reduce::<R>(next) as u16)
        };
        let (second, lower) = rest.split_at_mut(stride);
        let second = &mut second[from..];
        let (factor, next) = factors(second);
        let mut found = mask(is_nonzero(next));
        added.fill(backend.zero());
        for row in lower.chunks_exact(stride).take(searched::<R>()) {
            let row = &row[from..];
            let chosen = mask(is_nonzero(factors(row).1)) & !found;
            found |= chosen;
            select(backend, added, row, chosen);
        }
        eliminate::<B, R>(backend, second, first, factor);
        let (factor, _) = factors(added);
        eliminate::<B, R>(backend, added, first, factor);
        eliminate::<B, R>(backend, second, added, 1);
        let leading = entry_value::<R>(entry::<B>(second, local + 1));
        full &= is_nonzero(leading);
        divide::<B, R>(backend, second, leading);

        for row in lower.chunks_exact_mut(stride) {
            let row = &mut row[from..];
            let (factor, next) = factors(row);
            let factors = [factor, R::MODULUS as u16 - next];
            eliminate_two::<B, R>(backend, row, (first, second), factors);
        }
    }
    full == 1
}

/// The solution of an upper triangular system whose right-hand side is column `size`.
#[inline(always)]
fn substitute_back<B: Backend, R: QuotientRing>(backend: B, rows: &Rows<B>, size: usize) -> SecretVec<u8> {
    let mut unknowns = Rows::zeros(backend, 1, rows.stride * Rows::<B>::ENTRIES);
    let mut out = SecretVec::zeros(size);
    for (c, row) in rows.iter().enumerate().rev() {
        // at most 190 * 127 * 384 < 2^24
        let words = B::words(row).iter().zip(B::words(&unknowns.vectors));
        let sum = words.fold(0, |sum, (a, x)| sum + (a & 0xffff) * (x & 0xffff) + (a >> 16) * (x >> 16));
        let right = u32::from(entry::<B>(row, size));
        let unknown = reduce::<R>(right + R::MODULUS - reduce::<R>(sum)) as u8;
        unknowns.set(0, c, unknown);
        out[c] = unknown;
    }
    out
}
