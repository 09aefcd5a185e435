//! The reduced row echelon form, for any rank.
//!
//! Rows are not exchanged. For column `c` the pivot row is the first unused row with a non-zero entry, fetched by masks; scaled to
//! a leading 1 it is subtracted from every row `i` with the factor `A[i][c]`, or `A[i][c] - 1` from the pivot row itself, which so
//! becomes the scaled row.

use super::rows::{Rows, divide, eliminate, entry, entry_value, is_nonzero, mask, select};
use crate::qruov::backend::Backend;
use crate::qruov::ring::{QuotientRing, canonical, reduce};
use gf2n::secret::SecretVec;

/// A matrix in reduced row echelon form up to the order of its rows.
pub(crate) struct Reduced<B: Backend> {
    size: usize,
    rows: Rows<B>,
    /// Column of the pivot of each row, if the row has one.
    pivot_column: SecretVec<u16>,
    /// Mask for each row: has a pivot.
    used: SecretVec<u16>,
    /// Mask for each column: has a pivot.
    has_pivot: SecretVec<u16>,
}

impl<B: Backend> Reduced<B> {
    /// Reduces `(A | b)`: `A` is square of side `size`, row by row.
    pub(crate) fn with_right_side<R: QuotientRing>(backend: B, a: &[u8], size: usize, right: &[u8]) -> Self {
        let mut out = Self::load(backend, a, size, 1);
        for (i, &b) in right.iter().enumerate().take(size) {
            out.rows.set(i, size, b);
        }
        out.reduce::<R>(backend);
        out
    }

    /// Reduces `(A | I)`, which keeps the transformation for any number of right-hand sides.
    pub(crate) fn with_identity<R: QuotientRing>(backend: B, a: &[u8], size: usize) -> Self {
        let mut out = Self::load(backend, a, size, size);
        for i in 0..size {
            out.rows.set(i, size + i, 1);
        }
        out.reduce::<R>(backend);
        out
    }

    fn load(backend: B, a: &[u8], size: usize, extra: usize) -> Self {
        let rows = Rows::load(backend, a, size, extra);
        let zeros = || SecretVec::zeros(size);
        Self { size, rows, pivot_column: zeros(), used: zeros(), has_pivot: zeros() }
    }

    /// The entries of each row from column `from` on.
    fn rows_from(&self, from: usize) -> impl Iterator<Item = impl Iterator<Item = u16>> {
        self.rows.iter().map(move |row| {
            let entries = B::words(row).iter().flat_map(|word| [*word as u16, (word >> 16) as u16]);
            entries.skip(from)
        })
    }

    fn reduce<R: QuotientRing>(&mut self, backend: B) {
        backend.run(
            #[inline(always)]
            || self.reduce_columns::<R>(backend),
        );
    }

    #[inline(always)]
    fn reduce_columns<R: QuotientRing>(&mut self, backend: B) {
        let stride = self.rows.stride;
        let mut pivot = Rows::zeros(backend, 1, stride * Rows::<B>::ENTRIES);
        let mut select_row = SecretVec::<u16>::zeros(self.size);
        for c in 0..self.size {
            // unused rows are zero to the left of column c
            let (from, local) = (c / Rows::<B>::ENTRIES, c % Rows::<B>::ENTRIES);
            let pivot = &mut pivot.vectors[from..];
            pivot.fill(backend.zero());
            let mut found = 0;
            for ((row, used), selected) in self.rows.iter().zip(self.used.iter()).zip(select_row.iter_mut()) {
                let row = &row[from..];
                let leading = entry_value::<R>(entry::<B>(row, local));
                *selected = mask(is_nonzero(leading)) & !used & !found;
                found |= *selected;
                select(backend, pivot, row, *selected);
            }
            let leading = entry_value::<R>(entry::<B>(pivot, local));
            divide::<B, R>(backend, pivot, leading);
            for ((row, used), (selected, column)) in self
                .rows
                .vectors
                .chunks_exact_mut(stride)
                .zip(self.used.iter_mut())
                .zip(select_row.iter().zip(self.pivot_column.iter_mut()))
            {
                let row = &mut row[from..];
                let leading = entry_value::<R>(entry::<B>(row, local));
                // at most q + 1
                let factor = R::MODULUS as u16 - leading + (selected & 1);
                eliminate::<B, R>(backend, row, pivot, factor);
                *used |= selected;
                *column |= selected & c as u16;
            }
            self.has_pivot[c] = found;
        }
    }

    /// The rank, which the number of salts makes public.
    pub(crate) fn rank(&self) -> usize {
        self.has_pivot.iter().map(|found| usize::from(found & 1)).sum()
    }

    /// The right-hand side that was reduced along ([`Self::with_right_side`]).
    pub(crate) fn right_side<R: QuotientRing>(&self) -> SecretVec<u16> {
        SecretVec::of(self.rows.iter().map(|row| entry_value::<R>(entry::<B>(row, self.size))), self.size)
    }

    /// `T b` for the transformation T that was kept ([`Self::with_identity`]).
    pub(crate) fn transform<R: QuotientRing>(&self, right: &[u8]) -> SecretVec<u16> {
        // at most 190 * 384 * 126 < 2^24
        let product = |row: u32, (t, b): (u16, &u8)| row + u32::from(t) * u32::from(*b);
        let sums = self.rows_from(self.size).map(|row| row.zip(right).fold(0, product));
        SecretVec::of(sums.map(|sum| reduce::<R>(sum) as u16), self.size)
    }

    /// Whether the system with this reduced right-hand side has a solution. The answer is public.
    pub(crate) fn is_consistent(&self, right: &[u16]) -> bool {
        self.used.iter().zip(right).fold(0, |seen, (used, entry)| seen | (!used & entry)) == 0
    }

    /// The solution for a consistent reduced right-hand side. The columns without a pivot take `free[0]`, `free[1]`, ... in the order of
    /// decreasing column index; `free` has at least `size - rank` entries.
    pub(crate) fn solution<R: QuotientRing>(&self, rank: usize, right: &[u16], free: &[u8]) -> SecretVec<u8> {
        let defect = self.size - rank;
        let mut unknowns = SecretVec::<u16>::zeros(self.size);
        let mut next = 0_u16;
        for (unknown, found) in unknowns.iter_mut().zip(self.has_pivot.iter()).rev() {
            for (index, &value) in free[..defect].iter().enumerate() {
                let equal = 1 ^ is_nonzero(next ^ index as u16);
                *unknown |= !found & mask(equal) & u16::from(value);
            }
            next += !found & 1;
        }
        let mut values = SecretVec::of(right.iter().copied(), self.size);
        if defect != 0 {
            for (value, row) in values.iter_mut().zip(self.rows_from(0)) {
                let sum = row.zip(unknowns.iter()).map(|(a, x)| u32::from(a) * u32::from(*x)).sum();
                *value = reduce::<R>(u32::from(*value) + R::MODULUS - reduce::<R>(sum)) as u16;
            }
        }
        for (c, unknown) in unknowns.iter_mut().enumerate() {
            for ((value, used), column) in values.iter().zip(self.used.iter()).zip(self.pivot_column.iter()) {
                let here = mask(1 ^ is_nonzero(column ^ c as u16)) & used;
                *unknown |= value & here;
            }
        }
        SecretVec::of(unknowns.iter().map(|x| canonical::<R>(u32::from(*x)) as u8), self.size)
    }
}
