//! Linear systems `A x = b` over `F_q` with a secret `A`, solved without a branch or an address that depends on it.
//!
//! The pivot columns are those of the reduced row echelon form. What becomes public is what the scheme makes public: the rank (it
//! shows in the number of salts) and whether a right-hand side is consistent.
//!
//! Rows are not exchanged. For column `c` the pivot row is the first unused row with a non-zero entry, fetched by masks; scaled to
//! a leading 1 it is subtracted from every row `i` with the factor `A[i][c]`, or `A[i][c] - 1` from the pivot row itself, which so
//! becomes the scaled row.

use alloc::{vec, vec::Vec};
use zeroize::{DefaultIsZeroes, Zeroizing};

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

/// `x` modulo q, unreduced: for `x <= (2 q + 1) + (q + 1) q` the result is at most `q + (q + 2) <= 2 q + 2 - 1`, so that the entries of
/// rows stay at most `2 q + 1` (checked for each q: 255 + 16 256 gives 127 + 128; 63 + 992 gives 31 + 32; 15 + 56 gives 7 + 8).
#[inline(always)]
const fn fold<R: QuotientRing>(x: u16) -> u16 {
    (x & R::MODULUS as u16) + (x >> R::BITS)
}

/// `x` modulo q in `0..q` for `x <= 2 q + 1`.
#[inline(always)]
const fn entry_value<R: QuotientRing>(x: u16) -> u16 {
    // one fold leaves at most q + 1 for x = 2 q + 1 = q + (q + 1), which is 1 + q; a second one at most q
    canonical::<R>(fold::<R>(fold::<R>(x)) as u32) as u16
}

/// Entries of a [`Chunk`].
pub(crate) const CHUNK: usize = 32;

/// Entries of a row that are handled at once: one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Chunk(pub(crate) [u16; CHUNK]);

impl DefaultIsZeroes for Chunk {}

impl Default for Chunk {
    fn default() -> Self {
        Self([0; CHUNK])
    }
}

/// The definition of [`Backend::select`].
pub(crate) fn select(pivot: &mut [Chunk], row: &[Chunk], mask: u16) {
    for (pivot, chunk) in pivot.iter_mut().zip(row) {
        for (pivot, entry) in pivot.0.iter_mut().zip(&chunk.0) {
            *pivot |= entry & mask;
        }
    }
}

/// The definition of [`Backend::eliminate`].
pub(crate) fn eliminate<R: QuotientRing>(row: &mut [Chunk], pivot: &[Chunk], factor: u16) {
    for (chunk, pivot) in row.iter_mut().zip(pivot) {
        for (entry, pivot) in chunk.0.iter_mut().zip(&pivot.0) {
            *entry = fold::<R>(*entry + factor * pivot);
        }
    }
}

/// The solution of a system of full rank, or `None` if the rank is lower, which is public (another salt, or free variables).
///
/// Half the work of [`Reduced`]: where the entry of row `c` in column `c` is zero, a lower row is added by masks; row `c` is subtracted
/// from the rows below it only; back substitution follows.
pub(crate) fn solve_full_rank<R: QuotientRing>(
    a: &[u8],
    size: usize,
    right: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let mut rows = Reduced::load(a, size, 1);
    for (row, &b) in rows.rows.chunks_exact_mut(rows.stride).zip(right) {
        row[size / CHUNK].0[size % CHUNK] = u16::from(b);
    }
    rows.make_triangular::<R>().then(|| rows.substitute_back::<R>())
}

/// A matrix in reduced row echelon form up to the order of its rows.
pub(crate) struct Reduced {
    size: usize,
    /// Chunks of a row.
    stride: usize,
    /// Entries up to `2 q + 1`, see [`fold`].
    rows: Zeroizing<Vec<Chunk>>,
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
            row[size / CHUNK].0[size % CHUNK] = u16::from(b);
        }
        out.reduce::<R>();
        out
    }

    /// Reduces `(A | I)`, which keeps the transformation for any number of right-hand sides.
    pub(crate) fn with_identity<R: QuotientRing>(a: &[u8], size: usize) -> Self {
        let mut out = Self::load(a, size, size);
        for (i, row) in out.rows.chunks_exact_mut(out.stride).enumerate() {
            row[(size + i) / CHUNK].0[(size + i) % CHUNK] = 1;
        }
        out.reduce::<R>();
        out
    }

    fn load(a: &[u8], size: usize, extra: usize) -> Self {
        let stride = (size + extra).div_ceil(CHUNK);
        let zeros = |len: usize| Zeroizing::new(vec![0_u16; len]);
        let mut rows = Zeroizing::new(vec![Chunk::default(); size * stride]);
        for (row, a) in rows.chunks_exact_mut(stride).zip(a.chunks_exact(size)) {
            for (chunk, a) in row.iter_mut().zip(a.chunks(CHUNK)) {
                for (entry, &a) in chunk.0.iter_mut().zip(a) {
                    *entry = u16::from(a);
                }
            }
        }
        Self { size, stride, rows, pivot_column: zeros(size), used: zeros(size), has_pivot: zeros(size) }
    }

    /// The entries of each row from column `from` on.
    fn rows(&self, from: usize) -> impl Iterator<Item = impl Iterator<Item = u16>> {
        self.rows.chunks_exact(self.stride).map(move |row| row.iter().flat_map(|chunk| chunk.0).skip(from))
    }

    fn reduce<R: QuotientRing>(&mut self) {
        with_backend!(|backend| backend.run(
            #[inline(always)]
            || self.reduce_columns::<_, R>(backend)
        ));
    }

    #[inline(always)]
    fn reduce_columns<B: Backend, R: QuotientRing>(&mut self, backend: B) {
        let stride = self.stride;
        let mut pivot = Zeroizing::new(vec![Chunk::default(); stride]);
        let mut select = Zeroizing::new(vec![0_u16; self.size]);
        for c in 0..self.size {
            // unused rows are zero to the left of column c
            let (from, lane) = (c / CHUNK, c % CHUNK);
            let pivot = &mut pivot[from..];
            pivot.fill(Chunk::default());
            let mut found = 0;
            let rows = self.rows.chunks_exact(stride);
            for ((row, used), select) in rows.zip(self.used.iter()).zip(select.iter_mut()) {
                let leading = entry_value::<R>(row[from].0[lane]);
                *select = mask(is_nonzero(leading)) & !used & !found;
                found |= *select;
                backend.select(pivot, &row[from..], *select);
            }
            let scale = inverse::<R>(u32::from(entry_value::<R>(pivot[0].0[lane]))) as u16;
            for chunk in pivot.iter_mut() {
                for entry in &mut chunk.0 {
                    // at most (2 q + 1) (q - 1), then 2 q + 125, q + 2, q
                    *entry = fold::<R>(fold::<R>(fold::<R>(*entry * scale)));
                }
            }
            for ((row, used), (select, column)) in self
                .rows
                .chunks_exact_mut(stride)
                .zip(self.used.iter_mut())
                .zip(select.iter().zip(self.pivot_column.iter_mut()))
            {
                let leading = entry_value::<R>(row[from].0[lane]);
                // at most q + 1
                let factor = R::MODULUS as u16 - leading + (select & 1);
                backend.eliminate::<R>(&mut row[from..], pivot, factor);
                *used |= select;
                *column |= select & c as u16;
            }
            self.has_pivot[c] = found;
        }
    }

    fn make_triangular<R: QuotientRing>(&mut self) -> bool {
        with_backend!(|backend| backend.run(
            #[inline(always)]
            || self.reduce_below::<_, R>(backend)
        ))
    }

    /// Brings the matrix to upper triangular form with a diagonal of ones; whether that succeeded, the rank being full.
    #[inline(always)]
    fn reduce_below<B: Backend, R: QuotientRing>(&mut self, backend: B) -> bool {
        let stride = self.stride;
        let mut added = Zeroizing::new(vec![Chunk::default(); stride]);
        let mut full = 1;
        for c in 0..self.size {
            let (from, lane) = (c / CHUNK, c % CHUNK);
            let (_, lower) = self.rows.split_at_mut(c * stride);
            let (pivot, lower) = lower.split_at_mut(stride);
            let pivot = &mut pivot[from..];
            // the first row with a leading entry is added to row c, unless that is row c itself
            let mut found = mask(is_nonzero(entry_value::<R>(pivot[0].0[lane])));
            let added = &mut added[from..];
            added.fill(Chunk::default());
            for row in lower.chunks_exact(stride) {
                let chosen = mask(is_nonzero(entry_value::<R>(row[from].0[lane]))) & !found;
                found |= chosen;
                backend.select(added, &row[from..], chosen);
            }
            // both at most 2 q + 1
            backend.eliminate::<R>(pivot, added, 1);
            let leading = entry_value::<R>(pivot[0].0[lane]);
            full &= is_nonzero(leading);
            let scale = inverse::<R>(u32::from(leading)) as u16;
            for chunk in pivot.iter_mut() {
                for entry in &mut chunk.0 {
                    // at most (2 q + 1) (q - 1), then 2 q + 125, q + 2, q
                    *entry = fold::<R>(fold::<R>(fold::<R>(*entry * scale)));
                }
            }
            for row in lower.chunks_exact_mut(stride) {
                let factor = R::MODULUS as u16 - entry_value::<R>(row[from].0[lane]);
                backend.eliminate::<R>(&mut row[from..], pivot, factor);
            }
        }
        full == 1
    }

    /// The solution of an upper triangular system whose right-hand side is column `size`.
    fn substitute_back<R: QuotientRing>(&self) -> Zeroizing<Vec<u8>> {
        let mut unknowns = Zeroizing::new(vec![0_u8; self.size]);
        for (c, row) in self.rows.chunks_exact(self.stride).enumerate().rev() {
            // at most 190 * 127 * 126 < 2^22
            let entries = row.iter().flat_map(|chunk| chunk.0);
            let sum: u32 = entries.zip(unknowns.iter()).map(|(a, x)| u32::from(a) * u32::from(*x)).sum();
            let right = u32::from(row[self.size / CHUNK].0[self.size % CHUNK]);
            unknowns[c] = reduce::<R>(right + R::MODULUS - reduce::<R>(sum)) as u8;
        }
        unknowns
    }

    /// The rank, which the number of salts makes public.
    pub(crate) fn rank(&self) -> usize {
        self.has_pivot.iter().map(|found| usize::from(found & 1)).sum()
    }

    /// The right-hand side that was reduced along ([`Self::with_right_side`]).
    pub(crate) fn right_side<R: QuotientRing>(&self) -> Zeroizing<Vec<u16>> {
        let (chunk, lane) = (self.size / CHUNK, self.size % CHUNK);
        let entry = |row: &[Chunk]| entry_value::<R>(row[chunk].0[lane]);
        Zeroizing::new(self.rows.chunks_exact(self.stride).map(entry).collect())
    }

    /// `T b` for the transformation T that was kept ([`Self::with_identity`]).
    pub(crate) fn transform<R: QuotientRing>(&self, right: &[u8]) -> Zeroizing<Vec<u16>> {
        // at most 190 * 255 * 126 < 2^23
        let product = |row: u32, (t, b): (u16, &u8)| row + u32::from(t) * u32::from(*b);
        let sums = self.rows(self.size).map(|row| row.zip(right).fold(0, product));
        Zeroizing::new(sums.map(|sum| reduce::<R>(sum) as u16).collect())
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
            for (value, row) in values.iter_mut().zip(self.rows(0)) {
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
        Zeroizing::new(unknowns.iter().map(|x| canonical::<R>(u32::from(*x)) as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qruov::ring::{Q7L10, Q31L3, Q127L3};
    use proptest::prelude::*;

    /// Plain elimination with row exchanges: pivot columns, and the solution by the rule of the specification.
    fn plain<R: QuotientRing>(a: &[u8], size: usize, right: &[u8], free: &[u8]) -> (usize, Option<Vec<u8>>) {
        let q = R::MODULUS;
        let mut rows: Vec<Vec<u32>> = a
            .chunks(size)
            .zip(right)
            .map(|(row, &b)| row.iter().chain([&b]).map(|&x| u32::from(x)).collect())
            .collect();
        let mut pivots = Vec::new();
        for c in 0..size {
            let rank = pivots.len();
            let Some(p) = (rank..size).find(|&i| rows[i][c] != 0) else { continue };
            rows.swap(rank, p);
            let scale = inverse::<R>(rows[rank][c]);
            rows[rank].iter_mut().for_each(|x| *x = *x * scale % q);
            let pivot = rows[rank].clone();
            for (i, row) in rows.iter_mut().enumerate() {
                let factor = q - row[c];
                if i != rank {
                    row.iter_mut().zip(&pivot).for_each(|(x, p)| *x = (*x + factor * p) % q);
                }
            }
            pivots.push(c);
        }
        let rank = pivots.len();
        if rows[rank..].iter().any(|row| row[size] != 0) {
            return (rank, None);
        }
        let mut unknowns = vec![0_u8; size];
        let free_columns = (0..size).rev().filter(|c| !pivots.contains(c));
        for (c, &value) in free_columns.zip(free) {
            unknowns[c] = value;
        }
        let assigned = unknowns.clone();
        for (row, &c) in rows.iter().zip(&pivots) {
            let sum: u32 = (c + 1..size).map(|d| row[d] * u32::from(assigned[d]) % q).sum();
            unknowns[c] = ((row[size] + q * size as u32 - sum) % q) as u8;
        }
        (rank, Some(unknowns))
    }

    fn agrees<R: QuotientRing>(size: usize, raw: &[u8], dependent: usize, consistent: bool) {
        let q = R::MODULUS as u8;
        let mut values = raw.iter().map(|byte| byte % q);
        let mut take = |len: usize| -> Vec<u8> { values.by_ref().take(len).collect() };
        let mut a = take(size * size);
        for i in 0..dependent.min(size) {
            // a row that repeats another, or is zero; and a column that repeats another
            let (from, to) = ((i * 7) % size, (i * 3 + 1) % size);
            let row: Vec<u8> = a[from * size..(from + 1) * size].to_vec();
            a[to * size..(to + 1) * size].copy_from_slice(&row);
            for row in a.chunks_mut(size) {
                row[from] = if i % 2 == 0 { 0 } else { row[to] };
            }
        }
        let free = take(size);
        let x = take(size);
        let product = |row: &[u8]| {
            (row.iter().zip(&x).map(|(a, x)| u32::from(*a) * u32::from(*x)).sum::<u32>() % R::MODULUS) as u8
        };
        let right: Vec<u8> = if consistent { a.chunks(size).map(product).collect() } else { take(size) };
        let (rank, expected) = plain::<R>(&a, size, &right, &free);

        let reduced = Reduced::with_right_side::<R>(&a, size, &right);
        assert_eq!(reduced.rank(), rank);
        let side = reduced.right_side::<R>();
        assert_eq!(reduced.is_consistent(&side), expected.is_some());
        let kept = Reduced::with_identity::<R>(&a, size);
        let other_side = kept.transform::<R>(&right);
        assert_eq!(kept.is_consistent(&other_side), expected.is_some());
        let fast = solve_full_rank::<R>(&a, size, &right);
        assert_eq!(fast.is_some(), rank == size);
        if let Some(expected) = expected {
            assert_eq!(*reduced.solution::<R>(rank, &side, &free), expected);
            assert_eq!(*kept.solution::<R>(rank, &other_side, &free), expected);
            if let Some(fast) = fast {
                assert_eq!(*fast, expected);
            }
        }
    }

    proptest! {
        #[test]
        fn solutions(
            size in 1_usize..70,
            raw in proptest::collection::vec(any::<u8>(), 70 * 73..=70 * 73),
            dependent in 0_usize..4,
            consistent in any::<bool>(),
        ) {
            agrees::<Q7L10>(size, &raw, dependent, consistent);
            agrees::<Q31L3>(size, &raw, dependent, consistent);
            agrees::<Q127L3>(size, &raw, dependent, consistent);
        }
    }

    #[test]
    fn extreme_entries_and_zero() {
        for size in [1, 2, 31, 32, 33, 54, 64, 105, 190] {
            let raw: Vec<u8> = (0..size * (size + 3)).map(|i| 126 - u8::from(i % 7 == 3)).collect();
            agrees::<Q127L3>(size, &raw, 0, true);
            agrees::<Q127L3>(size, &vec![0; size * (size + 3)], 0, true);
        }
    }
}
