//! X^(2^n) modulo a polynomial by multi-squaring: 2^t-th powers at once, through a table of X^(k 2^t).
//!
//! For A = sum a_k X^k, A^(2^t) = sum a_k^(2^t) X^(k 2^t). The powers with k 2^t >= D are tabulated modulo the polynomial, in
//! evaluated form; then one application is a dense matrix-vector product, each output a sum that is reduced once. The
//! table is made row by row, each the previous one times a power of X: with gap the distance from the leading exponent to
//! the next, up to gap quotient coefficients are known in advance.
//!
//! This serves the polynomials whose coefficients are too close to the leading one, or too many, for the banded sweeps of
//! [`crate::frobenius`]. The sequence of operations depends on n, D and the gap alone.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Field};
use crate::kernel::{Deposit, Engine, Job, MAX_BLOCK, Planes, PointSums, Source, Terms};

/// How many squarings one application makes, and how many rows its table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    degree: usize,
    gap: usize,
    /// t.
    squarings: usize,
    /// The smallest k with k 2^t >= D.
    first_row: usize,
}

impl Plan {
    /// The plan of the least cost for X^(2^n) modulo a polynomial of this degree and gap.
    pub(crate) fn new(n: usize, degree: usize, gap: usize) -> Self {
        (1..=(degree - 1).ilog2().max(1) as usize)
            .map(|squarings| Self { degree, gap, squarings, first_row: degree.div_ceil(1 << squarings) })
            .min_by_key(|plan| plan.cost(n))
            .unwrap_or(Self::single(degree, gap))
    }

    /// One squaring an application.
    pub(crate) const fn single(degree: usize, gap: usize) -> Self {
        Self { degree, gap, squarings: 1, first_row: degree.div_ceil(2) }
    }

    fn rows(&self) -> usize {
        self.degree - self.first_row
    }

    /// Products, with the reductions and squarings of one output counted as 3 and 2.
    pub(crate) fn cost(&self, n: usize) -> usize {
        let applications = n.div_ceil(self.squarings);
        let shift = self.shift();
        let exponents = ((self.degree - 1) << self.squarings) - self.degree + 1;
        let table = exponents.div_ceil(shift) * self.degree * (shift + 4);
        table + applications * self.degree * (self.rows() + 3 + 2 * self.squarings)
    }

    /// The power of X that one step of the table multiplies by: divides 2^t.
    fn shift(&self) -> usize {
        let largest = self.gap.min(1 << self.squarings).min(8);
        1 << largest.ilog2()
    }

    /// Bytes of the table for elements of L words.
    pub(crate) fn table_bytes<const L: usize>(&self, engine: &Engine<L>) -> usize {
        self.rows() * stride(self.degree) * engine.cells() * 16
    }
}

/// Cells of one row with its guards.
const fn stride(degree: usize) -> usize {
    degree.next_multiple_of(MAX_BLOCK) + MAX_BLOCK
}

/// X^(2^n) modulo the polynomial X^D + (lower), D coefficients; D >= 2.
pub(crate) fn frobenius_table<const L: usize>(
    field: &Field<L>,
    lower: &[Element<L>],
    plan: &Plan,
) -> Vec<Element<L>> {
    // X^(2^start) needs no reduction; the rest is a multiple of t squarings
    let largest = (plan.degree - 1).ilog2() as usize;
    let mut power = vec![Field::<L>::ZERO; plan.degree];
    if field.degree() <= largest {
        power[1 << field.degree()] = Field::<L>::ONE;
        return power;
    }
    let start = largest - (largest + plan.squarings * field.degree() - field.degree()) % plan.squarings;
    power[1 << start] = Field::<L>::ONE;
    let mut table = PowerTable::new(field, lower, *plan);
    for _ in 0..(field.degree() - start) / plan.squarings {
        table.apply(&mut power);
    }
    power
}

/// The table of one polynomial, with the space to use it.
pub(crate) struct PowerTable<const L: usize> {
    engine: Engine<L>,
    plan: Plan,
    rows: Planes,
    offsets: Vec<usize>,
    factors: Planes,
    direct: Planes,
    sums: PointSums,
}

impl<const L: usize> PowerTable<L> {
    /// The table modulo X^D + (lower).
    pub(crate) fn new(field: &Field<L>, lower: &[Element<L>], plan: Plan) -> Self {
        let row = stride(plan.degree);
        let engine = field.engine();
        Self {
            rows: build(engine, lower, &plan),
            offsets: (0..plan.rows()).map(|k| (plan.rows() - k) * row).collect(),
            factors: engine.planes(row),
            direct: Planes::zero(L, row),
            sums: PointSums::new(),
            engine,
            plan,
        }
    }

    /// Replaces a remainder of D coefficients by its 2^t-th power.
    pub(crate) fn apply(&mut self, power: &mut [Element<L>]) {
        let Plan { degree, squarings, first_row, .. } = self.plan;
        let block = self.engine.block();
        for (index, chunk) in power.chunks(block).enumerate() {
            let first = index * block;
            let mut job = Job::new(Source::Elements(chunk));
            job.squarings = squarings;
            job.points = Some((&mut self.factors, first));
            job.wide = Some(&mut self.direct);
            let count = first_row.saturating_sub(first);
            job.deposit =
                Some(Deposit { position: first << squarings, step: 1 << squarings, count, squared: false });
            self.engine.run(job);
        }
        let terms = Terms { coefficients: &self.factors, first: first_row, offsets: &self.offsets };
        let anchor = self.plan.rows() * stride(degree) + MAX_BLOCK;
        for (index, chunk) in power.chunks_mut(block).enumerate() {
            self.engine.dot(&terms, &self.rows, anchor + index * block, &mut self.sums);
            let mut job = Job::new(Source::Sums(&self.sums));
            job.wide = Some(&mut self.direct);
            job.addend = Some(index * block);
            job.elements = Some(chunk);
            self.engine.run(job);
        }
    }
}

/// The evaluated rows X^(k 2^t) modulo the polynomial, k = `first_row` .. D - 1, coefficient 0 of row i at i [`stride`] +
/// [`MAX_BLOCK`].
fn build<const L: usize>(engine: Engine<L>, lower: &[Element<L>], plan: &Plan) -> Planes {
    let (degree, shift, row) = (plan.degree, plan.shift(), stride(plan.degree));
    let rows = plan.rows();
    // two more rows behind the table: the lower coefficients, and the row under way
    let mut table = engine.planes((rows + 2) * row);
    let place = |index: usize| index * row + MAX_BLOCK;
    let (modulus, work) = (place(rows), place(rows + 1));
    engine.evaluate(lower, &mut table, modulus);
    // the row under way starts as the largest power of X below D that is a multiple of the shift
    let mut exponent = (degree - 1) / shift * shift;
    let mut unit = vec![Field::<L>::ZERO; degree];
    unit[exponent] = Field::<L>::ONE;
    engine.evaluate(&unit, &mut table, work);

    let mut factors = engine.planes(shift + MAX_BLOCK);
    engine.evaluate(&[Field::<L>::ONE], &mut factors, shift);
    // coefficient t of the next row: row_(t-shift) + sum over j < shift of row_(D-shift+j) lower_(t-j)
    let mut offsets: Vec<usize> = (0..shift).map(|j| work - modulus + j).collect();
    offsets.push(shift);
    let mut sums = PointSums::new();
    let mut next = engine.planes(row);
    for index in 0..rows {
        while exponent < (plan.first_row + index) << plan.squarings {
            for cell in 0..engine.cells() {
                let source = work + degree - shift;
                factors.plane_mut(cell)[..shift].copy_from_slice(&table.plane(cell)[source..source + shift]);
            }
            let terms = Terms { coefficients: &factors, first: 0, offsets: &offsets };
            for first in (0..degree).step_by(engine.block()) {
                engine.dot(&terms, &table, work + first, &mut sums);
                let mut job = Job::new(Source::Sums(&sums));
                job.valid = degree - first;
                job.points = Some((&mut next, MAX_BLOCK + first));
                engine.run(job);
            }
            for cell in 0..engine.cells() {
                table.plane_mut(cell)[work - MAX_BLOCK..][..row].copy_from_slice(next.plane(cell));
            }
            exponent += shift;
        }
        for cell in 0..engine.cells() {
            let source = work - MAX_BLOCK;
            table.plane_mut(cell).copy_within(source..source + row, index * row);
        }
    }
    table
}
