//! The greatest common divisor by Euclid's algorithm with lazy rows.
//!
//! In the regular course each remainder is one degree shorter than the divisor. With a = deg A, b = deg B = a - 1 and leading
//! coefficients A_a, B_b, the next remainder, up to a factor from the field, is
//!
//! ```text
//! R = B_b^2 A + (B_b A_a X + B_b A_(a-1) + A_a B_(b-1)) B
//! ```
//!
//! three products a coefficient, reduced once, and no inversion. Rows stay evaluated: each is computed once and used in two
//! steps. Where a degree drops by more than one, the schoolbook algorithm takes a step.
//!
//! Variable time by nature: the course of the degrees is followed. For the polynomials of a scheme it is regular up to a
//! probability of D 2^-n, and where it ends says how many roots there are, which the schemes publish by trying again.

use alloc::vec;
use alloc::vec::Vec;

use crate::backend::dispatch;
use crate::dense::{Dense, divide, monic, trim};
use crate::field::{Element, Field};
use crate::kernel::dot::{MAX_BLOCK, PointSums, Terms, block, dot};
use crate::kernel::finish::{collect, gather, group, scatter, store_points};
use crate::kernel::formula::cells;
use crate::kernel::planes::Planes;
use gf2n::backend::WordLanes;

/// Below this length of the divisor the schoolbook algorithm is used.
const LAZY_FROM: usize = 12;

/// The monic greatest common divisor; zero only if both are zero.
pub(crate) fn gcd<const L: usize>(field: &Field<L>, mut a: Dense<L>, mut b: Dense<L>) -> Dense<L> {
    trim(&mut a);
    trim(&mut b);
    while !b.is_empty() {
        if b.len() >= LAZY_FROM && a.len() == b.len() + 1 {
            (a, b) = dispatch!(lanes => lazy_steps(lanes, field, &a, &b));
            trim(&mut b);
        } else {
            monic(field, &mut b);
            divide(field, &mut a, &b);
            core::mem::swap(&mut a, &mut b);
        }
    }
    monic(field, &mut a);
    a
}

/// Steps of the regular course, at least one: divisor and remainder where it ends, the remainder perhaps with leading zeros.
#[inline(always)]
fn lazy_steps<B: WordLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    a: &[Element<L>],
    b: &[Element<L>],
) -> (Dense<L>, Dense<L>) {
    let mut rows = Rows::<L>::new(lanes, a, b);
    let mut degree = a.len() - 1;
    let mut tops = [[a[degree], a[degree - 1]], [b[degree - 1], b[degree - 2]]];
    loop {
        let [[lead_a, next_a], [lead_b, next_b]] = tops;
        let multipliers = [
            field.square(&lead_b),
            field.mul(&lead_b, &lead_a),
            Field::add(&field.mul(&lead_b, &next_a), &field.mul(&lead_a, &next_b)),
        ];
        let top = rows.step(lanes, field, &multipliers, degree);
        tops = [tops[1], top];
        degree -= 1;
        // what ends the course here is the degree of the result (or an event of negligible probability): public
        if Field::is_zero(&top[0]) || degree <= LAZY_FROM {
            return (rows.elements(lanes, field, 0, degree + 1), rows.elements(lanes, field, 1, degree));
        }
    }
}

/// Three rows of evaluated coefficients: A, B and the row that the remainder goes to.
struct Rows<const L: usize> {
    rows: Planes,
    /// Where coefficient 0 of A, B and R lies.
    starts: [usize; 3],
    multipliers: Planes,
    sums: PointSums,
}

impl<const L: usize> Rows<L> {
    /// Zero cells around each row.
    const GUARD: usize = 2 * MAX_BLOCK;

    #[inline(always)]
    fn new<B: WordLanes>(lanes: B, a: &[Element<L>], b: &[Element<L>]) -> Self {
        let size = a.len().next_multiple_of(MAX_BLOCK) + Self::GUARD;
        let starts = [Self::GUARD, Self::GUARD + size, Self::GUARD + 2 * size];
        let mut rows = Planes::zero(cells(L), 3 * size + Self::GUARD);
        for (start, row) in starts.into_iter().zip([a, b]) {
            for (index, chunk) in row.chunks(group::<B>()).enumerate() {
                let words = gather(lanes, chunk);
                store_points(lanes, &words, &mut rows, start + index * group::<B>());
            }
        }
        Self { rows, starts, multipliers: Planes::zero(cells(L), 8), sums: PointSums::new() }
    }

    /// Replaces A, B by B, R with A of this degree; the two coefficients of R below `degree` - 1.
    #[inline(always)]
    fn step<B: WordLanes>(
        &mut self,
        lanes: B,
        field: &Field<L>,
        multipliers: &[Element<L>; 3],
        degree: usize,
    ) -> [Element<L>; 2] {
        let mut position = 0;
        for chunk in multipliers.chunks(group::<B>()) {
            let words = gather(lanes, chunk);
            store_points(lanes, &words, &mut self.multipliers, position);
            position += group::<B>();
        }
        let anchor = self.starts.into_iter().max().unwrap_or(0);
        let [a, b, r] = self.starts;
        let offsets = [anchor - a, anchor + 1 - b, anchor - b];
        let terms = Terms { coefficients: &self.multipliers, offsets: &offsets };
        let mut top = [Field::<L>::ZERO; 2];
        // the row that R replaces has degree `degree` + 1 at most: everything above degree - 2 comes out as zero
        let end = (degree + 2).next_multiple_of(block::<B>());
        for first in (0..end).step_by(block::<B>()).rev() {
            dot::<B, L>(lanes, &terms, 0..3, &self.rows, anchor + first, &mut self.sums);
            for start in (0..block::<B>()).step_by(group::<B>()).rev() {
                let position = first + start;
                let wide = collect::<B, L>(lanes, &self.sums, start);
                let words = field.word_reducer().reduce(lanes, wide);
                store_points(lanes, &words, &mut self.rows, r + position);
                if position + group::<B>() + 3 > degree {
                    let mut elements = [Field::<L>::ZERO; 8];
                    scatter(lanes, &words, &mut elements[..group::<B>()]);
                    for (index, place) in [degree - 2, degree - 3].into_iter().zip(&mut top) {
                        if index >= position && index < position + group::<B>() {
                            *place = elements[index - position];
                        }
                    }
                }
            }
        }
        self.starts = [b, r, a];
        top
    }

    /// The first coefficients of row `index` as elements: the row times 1.
    #[inline(always)]
    fn elements<B: WordLanes>(
        &mut self,
        lanes: B,
        field: &Field<L>,
        index: usize,
        length: usize,
    ) -> Vec<Element<L>> {
        let words = gather(lanes, &[Field::<L>::ONE]);
        store_points(lanes, &words, &mut self.multipliers, 0);
        let terms = Terms { coefficients: &self.multipliers, offsets: &[0] };
        let mut elements = vec![Field::<L>::ZERO; length.next_multiple_of(MAX_BLOCK)];
        for (number, chunk) in elements.chunks_mut(block::<B>()).enumerate() {
            let first = number * block::<B>();
            dot::<B, L>(lanes, &terms, 0..1, &self.rows, self.starts[index] + first, &mut self.sums);
            for (number, chunk) in chunk.chunks_mut(group::<B>()).enumerate() {
                let wide = collect::<B, L>(lanes, &self.sums, number * group::<B>());
                scatter(lanes, &field.word_reducer().reduce(lanes, wide), chunk);
            }
        }
        elements.truncate(length);
        elements
    }
}
