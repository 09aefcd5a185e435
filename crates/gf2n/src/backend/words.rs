//! Vectors of 128-bit cells seen as vectors of 64-bit words: what reductions and evaluations of many elements at once need
//! beside the carry-less products of [`ClmulLanes`].

use super::lanes::{Cell, ClmulLanes};
use super::portable::Portable;

/// Word-wise operations on the vectors of a carry-less back end.
///
/// A vector of [`LANES`](ClmulLanes::LANES) cells holds twice as many words; lane i has words 2 i and 2 i + 1. Unpacking the
/// cell vectors A and B gives the low (or high) words of both; unpacking two word vectors the same way gives the cells back,
/// so that a kernel can go from cells to words and return without crossing lanes.
pub trait WordLanes: ClmulLanes {
    /// Lane-wise AND.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The word in every place.
    fn splat(self, word: u64) -> Self::Vector;

    /// Every word shifted up by `count`; a count of 64 or more gives zero.
    fn shift_left(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// Every word shifted down by `count`; a count of 64 or more gives zero.
    fn shift_right(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// Lane-wise (low word of `a`, low word of `b`).
    fn unpack_low(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Lane-wise (high word of `a`, high word of `b`).
    fn unpack_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

impl WordLanes for Portable {
    #[inline(always)]
    fn and(self, a: Cell, b: Cell) -> Cell {
        Cell([a.0[0] & b.0[0], a.0[1] & b.0[1]])
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Cell {
        Cell([word; 2])
    }

    #[inline(always)]
    fn shift_left(self, a: Cell, count: u32) -> Cell {
        Cell(a.0.map(|word| word.checked_shl(count).unwrap_or(0)))
    }

    #[inline(always)]
    fn shift_right(self, a: Cell, count: u32) -> Cell {
        Cell(a.0.map(|word| word.checked_shr(count).unwrap_or(0)))
    }

    #[inline(always)]
    fn unpack_low(self, a: Cell, b: Cell) -> Cell {
        Cell([a.0[0], b.0[0]])
    }

    #[inline(always)]
    fn unpack_high(self, a: Cell, b: Cell) -> Cell {
        Cell([a.0[1], b.0[1]])
    }
}
