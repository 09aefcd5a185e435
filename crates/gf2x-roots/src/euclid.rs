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

use crate::dense::{Dense, monic, trim};
use crate::field::{Element, Field};
use crate::kernel::{Engine, Job, MAX_BLOCK, Planes, PointSums, Source, Terms};
use zeroize::Zeroize;

/// Below this length of the divisor the schoolbook algorithm is used.
const LAZY_FROM: usize = 6;

/// The monic greatest common divisor; zero only if both are zero. What it leaves behind is wiped.
pub(crate) fn gcd<const L: usize>(field: &Field<L>, mut a: Dense<L>, mut b: Dense<L>) -> Dense<L> {
    trim(&mut a);
    trim(&mut b);
    while !b.is_empty() {
        if b.len() >= LAZY_FROM && a.len() == b.len() + 1 {
            let (divisor, mut remainder) = lazy_steps(field, &a, &b);
            trim(&mut remainder);
            a.zeroize();
            b.zeroize();
            (a, b) = (divisor, remainder);
        } else {
            pseudo_remainder(field, &mut a, &b);
            core::mem::swap(&mut a, &mut b);
        }
    }
    b.zeroize();
    monic(field, &mut a);
    a
}

/// Reduces `a` modulo `b`, up to a factor from the field: no inversion. Nothing changes if `a` has the lower degree.
fn pseudo_remainder<const L: usize>(field: &Field<L>, a: &mut Dense<L>, b: &[Element<L>]) {
    let Some((lead_b, rest)) = b.split_last() else { return };
    while a.len() >= b.len() {
        let Some(lead_a) = a.pop() else { return };
        let shift = a.len() - rest.len();
        field.scale(&mut a[..shift], lead_b);
        field.combine(&mut a[shift..], lead_b, rest, &lead_a);
        trim(a);
    }
}

/// Steps of the regular course, at least one: divisor and remainder where it ends, the remainder perhaps with leading zeros.
fn lazy_steps<const L: usize>(field: &Field<L>, a: &[Element<L>], b: &[Element<L>]) -> (Dense<L>, Dense<L>) {
    let mut rows = Rows::<L>::new(field.engine(), a, b);
    let mut degree = a.len() - 1;
    let mut tops = [[a[degree], a[degree - 1]], [b[degree - 1], b[degree - 2]]];
    loop {
        let [[lead_a, next_a], [lead_b, next_b]] = tops;
        let multipliers = [
            field.square(&lead_b),
            field.mul(&lead_b, &lead_a),
            field.sum_of_products(&lead_b, &next_a, &lead_a, &next_b),
        ];
        let top = rows.step(&multipliers, degree);
        tops = [tops[1], top];
        degree -= 1;
        // what ends the course here is the degree of the result (or an event of negligible probability): public
        if Field::is_zero(&top[0]) || degree <= LAZY_FROM {
            return (rows.elements(0, degree + 1), rows.elements(1, degree));
        }
    }
}

/// Three rows of evaluated coefficients: A, B and the row that the remainder goes to.
struct Rows<const L: usize> {
    engine: Engine<L>,
    rows: Planes,
    /// Where coefficient 0 of A, B and R lies.
    starts: [usize; 3],
    multipliers: Planes,
    sums: PointSums,
}

impl<const L: usize> Rows<L> {
    /// Zero cells around each row.
    const GUARD: usize = 2 * MAX_BLOCK;

    fn new(engine: Engine<L>, a: &[Element<L>], b: &[Element<L>]) -> Self {
        let size = a.len().next_multiple_of(MAX_BLOCK) + Self::GUARD;
        let starts = [Self::GUARD, Self::GUARD + size, Self::GUARD + 2 * size];
        let mut rows = engine.planes(3 * size + Self::GUARD);
        engine.evaluate(a, &mut rows, starts[0]);
        engine.evaluate(b, &mut rows, starts[1]);
        let multipliers = engine.planes(MAX_BLOCK);
        Self { engine, rows, starts, multipliers, sums: PointSums::new() }
    }

    /// Replaces A, B by B, R with A of this degree; the two coefficients of R below `degree` - 1.
    fn step(&mut self, multipliers: &[Element<L>; 3], degree: usize) -> [Element<L>; 2] {
        self.engine.evaluate(multipliers, &mut self.multipliers, 0);
        let anchor = self.starts.into_iter().max().unwrap_or(0);
        let [a, b, r] = self.starts;
        let offsets = [anchor - a, anchor + 1 - b, anchor - b];
        let terms = Terms { coefficients: &self.multipliers, first: 0, offsets: &offsets };
        let block = self.engine.block();
        let mut elements = [Field::<L>::ZERO; MAX_BLOCK];
        let mut top = [Field::<L>::ZERO; 2];
        // the row that R replaces has degree `degree` + 1 at most: everything above degree - 2 comes out as zero
        let end = (degree + 2).next_multiple_of(block);
        for first in (0..end).step_by(block).rev() {
            self.engine.dot(&terms, &self.rows, (anchor + first, block), &mut self.sums);
            let mut job = Job::new(Source::Sums(&self.sums));
            job.points = Some((&mut self.rows, r + first));
            let holds_top = first + block + 3 > degree;
            if holds_top {
                job.elements = Some(&mut elements);
            }
            self.engine.run(job);
            for (index, place) in [degree - 2, degree - 3].into_iter().zip(&mut top) {
                if holds_top && index >= first && index < first + block {
                    *place = elements[index - first];
                }
            }
        }
        self.starts = [b, r, a];
        top
    }

    /// The first coefficients of row `index` as elements: the row times 1.
    fn elements(&mut self, index: usize, length: usize) -> Vec<Element<L>> {
        self.engine.evaluate(&[Field::<L>::ONE], &mut self.multipliers, 0);
        let terms = Terms { coefficients: &self.multipliers, first: 0, offsets: &[0] };
        let mut elements = vec![Field::<L>::ZERO; length];
        for (number, chunk) in elements.chunks_mut(self.engine.block()).enumerate() {
            let anchor = self.starts[index] + number * self.engine.block();
            self.engine.dot(&terms, &self.rows, (anchor, MAX_BLOCK), &mut self.sums);
            let mut job = Job::new(Source::Sums(&self.sums));
            job.elements = Some(chunk);
            self.engine.run(job);
        }
        elements
    }
}
