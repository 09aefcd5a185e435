//! Rows of 16-bit entries in vectors, and what elimination does to them.

use alloc::{vec, vec::Vec};

use zeroize::Zeroize;

use crate::qruov::backend::Backend;
use crate::qruov::ring::{QuotientRing, canonical, inverse};

/// All ones if `bit` is 1, zero if it is 0.
pub(super) const fn mask(bit: u16) -> u16 {
    bit.wrapping_neg()
}

/// 1 if `x != 0`, for `x < 2^15`.
pub(super) const fn is_nonzero(x: u16) -> u16 {
    x.wrapping_neg() >> 15
}

/// `x` modulo q, unreduced.
#[inline(always)]
const fn fold<R: QuotientRing>(x: u16) -> u16 {
    (x & R::MODULUS as u16) + (x >> R::BITS)
}

/// `x` modulo q in `0..q` for an entry of a row, which is at most [`largest_entry`]: the first fold leaves at most `q + 2`, the second at
/// most `q`.
#[inline(always)]
pub(super) const fn entry_value<R: QuotientRing>(x: u16) -> u16 {
    canonical::<R>(fold::<R>(fold::<R>(x)) as u32) as u16
}

/// The largest entry of a row between two steps, `3 (q + 1)`: with two products of numbers up to q added it is at most
/// `3 (q + 1) + 2 q^2 < 2^16`, and a fold of that leaves at most `q + 2 q - 2 + 3`.
#[cfg(test)]
pub(super) const fn largest_entry<R: QuotientRing>() -> u16 {
    3 * (R::MODULUS as u16 + 1)
}

/// `x` in both halves of every word.
#[inline(always)]
fn in_halves<B: Backend>(backend: B, x: u16) -> B::Vector {
    backend.broadcast(u32::from(x) * 0x0001_0001)
}

/// Folds every entry once.
#[inline(always)]
fn fold_entries<B: Backend, R: QuotientRing>(backend: B, x: B::Vector) -> B::Vector {
    let low = backend.and(x, in_halves(backend, R::MODULUS as u16));
    backend.add_16(low, backend.shift_right_16(x, R::BITS))
}

/// Entry `column` of a row.
#[inline(always)]
pub(super) fn entry<B: Backend>(row: &[B::Vector], column: usize) -> u16 {
    (B::words(row)[column / 2] >> (16 * (column % 2))) as u16
}

/// `out |= row & mask`.
#[inline(always)]
pub(super) fn select<B: Backend>(backend: B, out: &mut [B::Vector], row: &[B::Vector], mask: u16) {
    let mask = in_halves(backend, mask);
    for (out, x) in out.iter_mut().zip(row) {
        *out = backend.or(*out, backend.and(*x, mask));
    }
}

/// `row += factor * pivot`: entries of the pivot and the factor at most `q + 1`.
#[inline(always)]
pub(super) fn eliminate<B: Backend, R: QuotientRing>(
    backend: B,
    row: &mut [B::Vector],
    pivot: &[B::Vector],
    factor: u16,
) {
    let factor = in_halves(backend, factor);
    for (x, pivot) in row.iter_mut().zip(pivot) {
        let sum = backend.add_16(*x, backend.multiply_16(factor, *pivot));
        *x = fold_entries::<B, R>(backend, sum);
    }
}

/// `row += factors[0] * pivots.0 + factors[1] * pivots.1`: entries of the pivots and factors at most q.
#[inline(always)]
pub(super) fn eliminate_two<B: Backend, R: QuotientRing>(
    backend: B,
    row: &mut [B::Vector],
    pivots: (&[B::Vector], &[B::Vector]),
    factors: [u16; 2],
) {
    let factors = factors.map(|factor| in_halves(backend, factor));
    for (x, (first, second)) in row.iter_mut().zip(pivots.0.iter().zip(pivots.1)) {
        let sum = backend.add_16(*x, backend.multiply_16(factors[0], *first));
        let sum = backend.add_16(sum, backend.multiply_16(factors[1], *second));
        *x = fold_entries::<B, R>(backend, sum);
    }
}

/// Divides `row` by its entry of this value; the entries become at most q. Zero divides to zero.
#[inline(always)]
pub(super) fn divide<B: Backend, R: QuotientRing>(backend: B, row: &mut [B::Vector], value: u16) {
    let factor = in_halves(backend, inverse::<R>(u32::from(value)) as u16);
    for x in row {
        // at most 3 (q + 1) (q - 1) < 2^16, then 4 q - 3, q + 3, q
        let product = backend.multiply_16(factor, *x);
        let once = fold_entries::<B, R>(backend, product);
        *x = fold_entries::<B, R>(backend, fold_entries::<B, R>(backend, once));
    }
}

/// A matrix by rows. Wiped when dropped.
pub(super) struct Rows<B: Backend> {
    /// Vectors of a row.
    pub(super) stride: usize,
    /// Entries of at most [`largest_entry`].
    pub(super) vectors: Vec<B::Vector>,
}

impl<B: Backend> Rows<B> {
    /// Entries of a vector.
    pub(super) const ENTRIES: usize = 2 * B::LANES;

    /// `size` rows of zeros.
    pub(super) fn zeros(backend: B, size: usize, columns: usize) -> Self {
        let stride = columns.div_ceil(Self::ENTRIES);
        Self { stride, vectors: vec![backend.zero(); size * stride] }
    }

    /// A square matrix of side `size`, with room for `extra` columns behind it.
    #[inline(always)]
    pub(super) fn load(backend: B, a: &[u8], size: usize, extra: usize) -> Self {
        let mut rows = Self::zeros(backend, size, size + extra);
        let words = 2 * rows.stride * Self::ENTRIES / 4;
        for (row, a) in B::words_mut(&mut rows.vectors).chunks_exact_mut(words).zip(a.chunks_exact(size)) {
            for (word, pair) in row.iter_mut().zip(a.chunks(2)) {
                *word = u32::from(pair[0]) | pair.get(1).map_or(0, |&x| u32::from(x) << 16);
            }
        }
        rows
    }

    /// Replaces an entry.
    pub(super) fn set(&mut self, row: usize, column: usize, value: u8) {
        let shift = 16 * (column % 2);
        let word = &mut B::words_mut(&mut self.vectors[row * self.stride..])[column / 2];
        *word = *word & !(0xffff << shift) | u32::from(value) << shift;
    }

    /// The rows.
    pub(super) fn iter(&self) -> core::slice::ChunksExact<'_, B::Vector> {
        self.vectors.chunks_exact(self.stride)
    }
}

impl<B: Backend> Drop for Rows<B> {
    fn drop(&mut self) {
        B::words_mut(&mut self.vectors).zeroize();
    }
}
