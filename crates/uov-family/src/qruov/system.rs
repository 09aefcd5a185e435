//! Linear systems `A x = b` over `F_q` with a secret `A`, solved without a branch or an address that depends on it.
//!
//! The pivot columns are those of the reduced row echelon form. What becomes public is what the scheme makes public: the rank (it
//! shows in the number of salts) and whether a right-hand side is consistent.
//!
//! Rows are not exchanged. For column `c` the pivot row is the first unused row with a non-zero entry, fetched by masks; scaled to
//! a leading 1 it is subtracted from every row `i` with the factor `A[i][c]`, or `A[i][c] - 1` from the pivot row itself, which so
//! becomes the scaled row.

use alloc::{vec, vec::Vec};
use zeroize::Zeroizing;

use super::backend::{Backend, with_backend};
use super::ring::{QuotientRing, canonical, inverse, reduce};

/// All ones if `bit` is 1, zero if it is 0.
const fn mask(bit: u16) -> u16 {
    bit.wrapping_neg()
}

/// 1 if `x != 0`, for `x < 2^15`.
const fn is_nonzero(x: u16) -> u16 {
    x.wrapping_neg() >> 15
}

/// `x` modulo q in `0..=q` for `x < 2^2b`: the folds give at most `2 (2^b - 1)`, then `2^b - 1 = q`.
#[inline(always)]
const fn fold_twice<R: QuotientRing>(x: u16) -> u16 {
    let x = (x & R::MODULUS as u16) + (x >> R::BITS);
    (x & R::MODULUS as u16) + (x >> R::BITS)
}

/// A matrix in reduced row echelon form up to the order of its rows.
pub(crate) struct Reduced {
    size: usize,
    stride: usize,
    /// Entries in `0..=q`, both 0 and q meaning zero.
    rows: Zeroizing<Vec<u16>>,
    /// Column of the pivot of each row, if the row has one.
    pivot_column: Zeroizing<Vec<u16>>,
    /// Mask for each row: has a pivot.
    used: Zeroizing<Vec<u16>>,
    /// Mask for each column: has a pivot.
    has_pivot: Zeroizing<Vec<u16>>,
}

impl Reduced {
    /// Reduces `(A | b)`: `A` is square of side `size`, row by row.
    pub(crate) fn with_right_side<R: QuotientRing>(a: &[u8], size: usize, right: &[u8]) -> Self {
        let mut out = Self::load(a, size, 1);
        for (row, &b) in out.rows.chunks_exact_mut(out.stride).zip(right) {
            row[size] = u16::from(b);
        }
        out.reduce::<R>();
        out
    }

    /// Reduces `(A | I)`, which keeps the transformation for any number of right-hand sides.
    pub(crate) fn with_identity<R: QuotientRing>(a: &[u8], size: usize) -> Self {
        let mut out = Self::load(a, size, size);
        for (i, row) in out.rows.chunks_exact_mut(out.stride).enumerate() {
            row[size + i] = 1;
        }
        out.reduce::<R>();
        out
    }

    fn load(a: &[u8], size: usize, extra: usize) -> Self {
        let stride = (size + extra).next_multiple_of(32);
        let zeros = |len: usize| Zeroizing::new(vec![0_u16; len]);
        let mut rows = zeros(size * stride);
        for (row, a) in rows.chunks_exact_mut(stride).zip(a.chunks_exact(size)) {
            for (entry, &a) in row.iter_mut().zip(a) {
                *entry = u16::from(a);
            }
        }
        Self { size, stride, rows, pivot_column: zeros(size), used: zeros(size), has_pivot: zeros(size) }
    }

    fn reduce<R: QuotientRing>(&mut self) {
        with_backend!(|backend| backend.run(
            #[inline(always)]
            || self.reduce_columns::<R>()
        ));
    }

    #[inline(always)]
    fn reduce_columns<R: QuotientRing>(&mut self) {
        let stride = self.stride;
        let mut pivot = Zeroizing::new(vec![0_u16; stride]);
        let mut select = Zeroizing::new(vec![0_u16; self.size]);
        for c in 0..self.size {
            // unused rows are zero to the left of column c
            let from = c / 32 * 32;
            let pivot = &mut pivot[from..];
            pivot.fill(0);
            let mut found = 0;
            for ((row, used), select) in
                self.rows.chunks_exact(stride).zip(self.used.iter()).zip(select.iter_mut())
            {
                let leading = canonical::<R>(u32::from(row[c])) as u16;
                *select = mask(is_nonzero(leading)) & !used & !found;
                found |= *select;
                for (pivot, entry) in pivot.iter_mut().zip(&row[from..]) {
                    *pivot |= entry & *select;
                }
            }
            let scale = inverse::<R>(canonical::<R>(u32::from(pivot[c - from]))) as u16;
            for entry in pivot.iter_mut() {
                *entry = fold_twice::<R>(*entry * scale);
            }
            for ((row, used), (select, column)) in self
                .rows
                .chunks_exact_mut(stride)
                .zip(self.used.iter_mut())
                .zip(select.iter().zip(self.pivot_column.iter_mut()))
            {
                // at most 2^b, and 2^b q + q < 2^2b
                let factor = R::MODULUS as u16 - canonical::<R>(u32::from(row[c])) as u16 + (select & 1);
                for (entry, pivot) in row[from..].iter_mut().zip(pivot.iter()) {
                    *entry = fold_twice::<R>(*entry + factor * pivot);
                }
                *used |= select;
                *column |= select & c as u16;
            }
            self.has_pivot[c] = found;
        }
    }

    /// The rank, which the number of salts makes public.
    pub(crate) fn rank(&self) -> usize {
        self.has_pivot.iter().map(|found| usize::from(found & 1)).sum()
    }

    /// The right-hand side that was reduced along ([`Self::with_right_side`]).
    pub(crate) fn right_side<R: QuotientRing>(&self) -> Zeroizing<Vec<u16>> {
        let entry = |row: &[u16]| canonical::<R>(u32::from(row[self.size])) as u16;
        Zeroizing::new(self.rows.chunks_exact(self.stride).map(entry).collect())
    }

    /// `T b` for the transformation T that was kept ([`Self::with_identity`]).
    pub(crate) fn transform<R: QuotientRing>(&self, right: &[u8]) -> Zeroizing<Vec<u16>> {
        let product = |row: &[u16]| {
            let transformation = &row[self.size..];
            // at most 190 * 127 * 126 < 2^22
            let sum = transformation.iter().zip(right).map(|(t, b)| u32::from(*t) * u32::from(*b)).sum();
            reduce::<R>(sum) as u16
        };
        Zeroizing::new(self.rows.chunks_exact(self.stride).map(product).collect())
    }

    /// Whether the system with this reduced right-hand side has a solution. The answer is public.
    pub(crate) fn is_consistent(&self, right: &[u16]) -> bool {
        self.used.iter().zip(right).fold(0, |seen, (used, entry)| seen | (!used & entry)) == 0
    }

    /// The solution for a consistent reduced right-hand side. The columns without a pivot take `free[0]`, `free[1]`, ... in the order of
    /// decreasing column index; `free` has at least `size - rank` entries.
    pub(crate) fn solution<R: QuotientRing>(
        &self,
        rank: usize,
        right: &[u16],
        free: &[u8],
    ) -> Zeroizing<Vec<u8>> {
        let defect = self.size - rank;
        let mut unknowns = Zeroizing::new(vec![0_u16; self.size]);
        let mut next = 0_u16;
        for (unknown, found) in unknowns.iter_mut().zip(self.has_pivot.iter()).rev() {
            for (index, &value) in free[..defect].iter().enumerate() {
                let equal = 1 ^ is_nonzero(next ^ index as u16);
                *unknown |= !found & mask(equal) & u16::from(value);
            }
            next += !found & 1;
        }
        let mut values = Zeroizing::new(right.to_vec());
        if defect != 0 {
            for (value, row) in values.iter_mut().zip(self.rows.chunks_exact(self.stride)) {
                let sum: u32 =
                    row.iter().zip(unknowns.iter()).map(|(a, x)| u32::from(*a) * u32::from(*x)).sum();
                *value = reduce::<R>(u32::from(*value) + R::MODULUS - reduce::<R>(sum)) as u16;
            }
        }
        for (c, unknown) in unknowns.iter_mut().enumerate() {
            for ((value, used), column) in values.iter().zip(self.used.iter()).zip(self.pivot_column.iter()) {
                let here = mask(1 ^ is_nonzero(column ^ c as u16)) & used;
                *unknown |= value & here;
            }
        }
        Zeroizing::new(unknowns.iter().map(|x| canonical::<R>(u32::from(*x)) as u8).collect())
    }
}
