//! X^(2^n) modulo a sparse polynomial, by squarings and two banded sweeps of dot products.
//!
//! Let P = X^D + sum p_e X^e, and let b_d be the coefficients of a squared remainder (zero for odd d). The quotient q and the
//! next remainder r are
//!
//! ```text
//! q_d = b_(d+D) + sum_e p_e q_(d+D-e)    d = D-2, ..., 0,   e > d + 1
//! r_t = b_t     + sum_e p_e q_(t-e)      t = 0, ..., D-1,   e <= t
//! ```
//!
//! Each output is a sum of products that is reduced once. The p_e stay evaluated for the whole computation, each q_d is
//! evaluated once, and the squares enter as unreduced values. q_d depends on q_(d+gap) and higher ones only, with gap the
//! distance from D to the next exponent, so blocks of up to gap coefficients are independent. For an HFE polynomial of degree
//! 2^I + 1 a shift of the variable makes the gap large ([`crate::hfe`]).
//!
//! The sequence of operations depends on n, D and the exponents alone.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Field};
use crate::kernel::dot::{PointSums, Terms, block, dot};
use crate::kernel::finish::{add_wide, collect, gather, group, reduce, scatter, store_points, store_squares};
use crate::kernel::formula::cells;
use crate::kernel::planes::Planes;
use gf2n::backend::WordLanes;

/// The lower coefficients of a monic polynomial, by exponent.
pub(crate) struct SparseModulus<'a, const L: usize> {
    /// The degree.
    pub(crate) degree: usize,
    /// Exponents below the degree, rising.
    pub(crate) exponents: &'a [usize],
    /// Their coefficients.
    pub(crate) coefficients: &'a [Element<L>],
}

impl<const L: usize> SparseModulus<'_, L> {
    /// The distance from the degree to the next exponent.
    pub(crate) fn gap(&self) -> usize {
        self.degree - self.exponents.last().copied().unwrap_or(0)
    }
}

/// X^(2^n) modulo the polynomial, as D coefficients; the gap must be at least [`block`] and D at least 2.
#[inline(always)]
pub(crate) fn frobenius_sparse<B: WordLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    modulus: &SparseModulus<'_, L>,
) -> Vec<Element<L>> {
    let degree = modulus.degree;
    debug_assert!(modulus.gap() >= block::<B>(), "blocks are not independent");
    // X^(2^start) needs no reduction
    let start = (field.degree()).min((degree - 1).ilog2() as usize);
    let mut remainder = vec![Field::<L>::ZERO; degree];
    remainder[1 << start] = Field::<L>::ONE;
    let steps = field.degree() - start;
    if steps == 0 {
        return remainder;
    }

    let mut sweep = Sweep::<B, L>::new(lanes, modulus);
    sweep.deposit_one(1 << (start + 1));
    for _ in 1..steps {
        sweep.quotient(lanes, field);
        sweep.remainder(lanes, field, |lanes, deposit, words, position, count| {
            store_squares(lanes, words, deposit, 2 * position, count);
        });
    }
    sweep.quotient(lanes, field);
    sweep.remainder(lanes, field, |lanes, _, words, position, count| {
        scatter(lanes, words, &mut remainder[position..position + count]);
    });
    remainder
}

/// The state of the two sweeps.
struct Sweep<'a, B: WordLanes, const L: usize> {
    degree: usize,
    exponents: &'a [usize],
    coefficients: Planes,
    /// The evaluated quotient, with guard cells of zeros on both sides.
    quotient: Planes,
    /// The unreduced squares b.
    squares: Planes,
    sums: PointSums,
    lanes: core::marker::PhantomData<B>,
}

impl<'a, B: WordLanes, const L: usize> Sweep<'a, B, L> {
    /// Zero cells before the first quotient coefficient; there are as many and more behind the last.
    const GUARD: usize = block::<B>();

    #[inline(always)]
    fn new(lanes: B, modulus: &SparseModulus<'a, L>) -> Self {
        let degree = modulus.degree;
        Self {
            degree,
            exponents: modulus.exponents,
            coefficients: evaluated(lanes, modulus.coefficients, 0, 0),
            quotient: Planes::zero(cells(L), degree + 3 * block::<B>()),
            squares: Planes::zero(L, 2 * degree + 2 * block::<B>()),
            sums: PointSums::new(),
            lanes: core::marker::PhantomData,
        }
    }

    /// Starts with the square X^`exponent`.
    fn deposit_one(&mut self, exponent: usize) {
        self.squares.plane_mut(0)[exponent].0[0] = 1;
    }

    /// All quotient coefficients, highest block first.
    #[inline(always)]
    fn quotient(&mut self, lanes: B, field: &Field<L>) {
        let terms = Terms { coefficients: &self.coefficients, offsets: self.exponents };
        let mut end = self.degree - 1;
        while end > 0 {
            // the lowest block may overlap the one above: the overlap comes out the same
            let first = end.saturating_sub(block::<B>());
            let from = self.exponents.partition_point(|&exponent| exponent < first + 2);
            let anchor = Self::GUARD + first + self.degree;
            dot::<B, L>(lanes, &terms, from..self.exponents.len(), &self.quotient, anchor, &mut self.sums);
            for start in (0..block::<B>()).step_by(group::<B>()) {
                let mut wide = collect::<B, L>(lanes, &self.sums, start);
                add_wide(lanes, &mut wide, &self.squares, first + start + self.degree);
                let words = reduce(lanes, field.word_reducer(), wide);
                store_points(lanes, &words, &mut self.quotient, Self::GUARD + first + start);
            }
            end = first;
        }
    }

    /// All remainder coefficients, highest block first; `output` gets the words of each group, its position and the number of
    /// coefficients in it that are below the degree. It may write squares at 2 position and above.
    #[inline(always)]
    fn remainder(
        &mut self,
        lanes: B,
        field: &Field<L>,
        mut output: impl FnMut(B, &mut Planes, &[B::Vector; L], usize, usize),
    ) {
        let terms = Terms { coefficients: &self.coefficients, offsets: self.exponents };
        for first in (0..self.degree).step_by(block::<B>()).rev() {
            let to = self.exponents.partition_point(|&exponent| exponent < first + block::<B>());
            let anchor = Self::GUARD + first;
            dot::<B, L>(lanes, &terms, 0..to, &self.quotient, anchor, &mut self.sums);
            for start in (0..block::<B>()).step_by(group::<B>()).rev() {
                let position = first + start;
                if position >= self.degree {
                    continue;
                }
                let mut wide = collect::<B, L>(lanes, &self.sums, start);
                add_wide(lanes, &mut wide, &self.squares, position);
                let words = reduce(lanes, field.word_reducer(), wide);
                output(lanes, &mut self.squares, &words, position, group::<B>().min(self.degree - position));
            }
        }
    }
}

/// Elements evaluated into planes, with `before` and `after` guard cells of zeros (and room for a last whole group).
#[inline(always)]
pub(crate) fn evaluated<B: WordLanes, const L: usize>(
    lanes: B,
    elements: &[Element<L>],
    before: usize,
    after: usize,
) -> Planes {
    let mut row = Planes::zero(cells(L), before + elements.len().next_multiple_of(group::<B>()) + after);
    for (index, chunk) in elements.chunks(group::<B>()).enumerate() {
        let words = gather(lanes, chunk);
        store_points(lanes, &words, &mut row, before + index * group::<B>());
    }
    row
}
