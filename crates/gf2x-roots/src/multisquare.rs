//! X^(2^n) modulo a polynomial by raising to the power 2^t at once.
//!
//! With A = sum of a_k X^k, the power A^(2^t) is the sum of a_k^(2^t) X^(k 2^t). The powers of X that reach the degree D are
//! tabulated as remainders ([`rows`]); the coefficients are squared t times, evaluated, and multiply the table, each output a sum
//! that is reduced once. From one application to the next the coefficients stay in vectors.
//!
//! This serves the polynomials whose coefficients are too close to the leading one, or too many, for the banded sweeps of
//! [`crate::frobenius`]. The sequence of operations depends on n, D and the exponents alone.

mod rows;

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Field};
use crate::frobenius::SparseModulus;
use crate::kernel::{Deposit, Engine, Job, MAX_BLOCK, Planes, PointSums, Source, Terms};

/// The cost of an output of a sum, in products: interpolation, reduction and evaluation.
const OUTPUT: usize = 4;
/// The largest gap that the multiplication by low powers of X uses.
const MAX_SHIFT: usize = 8;

/// How many squarings one application makes, and how many rows its table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    degree: usize,
    gap: usize,
    /// Coefficients below the leading one.
    terms: usize,
    /// t.
    squarings: usize,
    /// The smallest k with k 2^t >= D.
    first_row: usize,
}

impl Plan {
    /// The plan of the least cost for X^(2^n) modulo this polynomial.
    pub(crate) fn new<const L: usize>(n: usize, modulus: &SparseModulus<'_, L>) -> Self {
        let (degree, gap, terms) = (modulus.degree, modulus.gap(), modulus.exponents.len());
        (1..=(degree - 1).ilog2() as usize + 1)
            .map(|squarings| Self {
                degree,
                gap,
                terms,
                squarings,
                first_row: degree.div_ceil(1 << squarings),
            })
            .min_by_key(|plan| plan.cost(n))
            .unwrap_or(Self::single(degree))
    }

    /// One squaring an application, for any polynomial of this degree.
    pub(crate) const fn single(degree: usize) -> Self {
        Self { degree, gap: 1, terms: degree, squarings: 1, first_row: degree.div_ceil(2) }
    }

    fn rows(&self) -> usize {
        self.degree - self.first_row
    }

    /// Products, with the reduction of one output counted as [`OUTPUT`] and a squaring as 1.
    pub(crate) fn cost(&self, n: usize) -> usize {
        let applications = n.div_ceil(self.squarings);
        let table = self.rows() * self.dense_row_cost().min(self.sparse_row_cost());
        table + applications * self.degree * (self.rows() + OUTPUT + self.squarings)
    }

    /// The cost of a row of [`rows::dense`].
    fn dense_row_cost(&self) -> usize {
        ((1 << self.squarings) / self.shift()) * self.degree * (self.shift() + 1 + OUTPUT)
    }

    /// The cost of a row of [`rows::sparse`]: a block of outputs meets the terms whose exponents are less than 2^t below it.
    fn sparse_row_cost(&self) -> usize {
        let (degree, power) = (self.degree, 1 << self.squarings);
        let met = self.terms * (power + MAX_BLOCK / 2).min(degree) / degree;
        let quotient = power * (OUTPUT + met / 2) + power / self.gap.min(MAX_BLOCK) * 4 * OUTPUT;
        degree * (met + OUTPUT) + quotient
    }

    /// Whether the rows are made by [`rows::sparse`].
    fn by_quotients(&self) -> bool {
        self.sparse_row_cost() < self.dense_row_cost()
    }

    /// The power of X that one step of [`rows::dense`] multiplies by: divides 2^t.
    fn shift(&self) -> usize {
        let largest = self.gap.min(1 << self.squarings).min(MAX_SHIFT);
        1 << largest.ilog2()
    }

    /// Bytes of the table for elements of L words.
    pub(crate) fn table_bytes<const L: usize>(&self, engine: &Engine<L>) -> usize {
        self.rows() * self.stride() * engine.cells() * 16
    }

    /// Zero cells before coefficient 0 of a row: [`rows::dense`] shifts the rows.
    fn guard(&self) -> usize {
        if self.by_quotients() { 0 } else { MAX_BLOCK }
    }

    /// Cells of one row: whole groups of coefficients are written.
    fn stride(&self) -> usize {
        self.guard() + self.degree.next_multiple_of(MAX_BLOCK / if self.by_quotients() { 2 } else { 1 })
    }
}

/// X^(2^n) modulo the polynomial, D coefficients; D >= 2.
pub(crate) fn frobenius_table<const L: usize>(
    field: &Field<L>,
    modulus: &SparseModulus<'_, L>,
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
    let mut table = PowerTable::new(field, modulus, *plan);
    table.load(&power);
    let steps = (field.degree() - start) / plan.squarings;
    for _ in 1..steps {
        table.apply(None);
    }
    table.apply(Some(&mut power));
    power
}

/// The table of one polynomial, with a remainder under way.
pub(crate) struct PowerTable<const L: usize> {
    engine: Engine<L>,
    plan: Plan,
    rows: Planes,
    offsets: Vec<usize>,
    /// The evaluated 2^t-th powers of the remainder's coefficients, and where the next ones go.
    factors: [Planes; 2],
    /// Those of the coefficients below the first row, unreduced, at the places of their powers of X.
    direct: Planes,
    sums: PointSums,
}

impl<const L: usize> PowerTable<L> {
    /// The table modulo a polynomial.
    pub(crate) fn new(field: &Field<L>, modulus: &SparseModulus<'_, L>, plan: Plan) -> Self {
        let row = plan.stride();
        let engine = field.engine();
        let rows = if plan.by_quotients() {
            rows::sparse(engine, modulus, &plan)
        } else {
            rows::dense(engine, modulus, &plan)
        };
        Self {
            rows,
            offsets: (0..plan.rows()).map(|k| (plan.rows() - k) * row).collect(),
            factors: [engine.planes(row), engine.planes(row)],
            direct: Planes::zero(L, row),
            sums: PointSums::new(),
            engine,
            plan,
        }
    }

    /// Takes a remainder of D coefficients.
    pub(crate) fn load(&mut self, power: &[Element<L>]) {
        let block = self.engine.block();
        for (index, chunk) in power.chunks(block).enumerate() {
            let mut job = Job::new(Source::Elements(chunk));
            job.valid = chunk.len();
            raise(&self.plan, index * block, &mut self.factors[0], &mut job);
            job.wide = Some(&mut self.direct);
            self.engine.run(job);
        }
    }

    /// Replaces the remainder by its 2^t-th power, and writes its coefficients if they are asked for.
    pub(crate) fn apply(&mut self, mut power: Option<&mut [Element<L>]>) {
        let Plan { degree, first_row, .. } = self.plan;
        let anchor = self.plan.rows() * self.plan.stride() + self.plan.guard();
        let [current, next] = &mut self.factors;
        let terms = Terms { coefficients: current, first: first_row, offsets: &self.offsets };
        // from the top down: what is written to `direct` lies at or above what has been read
        for first in (0..degree).step_by(self.engine.block()).rev() {
            let outputs = degree - first;
            self.engine.dot(&terms, &self.rows, (anchor + first, outputs), &mut self.sums);
            let mut job = Job::new(Source::Sums(&self.sums));
            job.valid = outputs;
            job.wide = Some(&mut self.direct);
            job.addend = Some(first);
            job.elements = power.as_deref_mut().map(|power| &mut power[first..]);
            raise(&self.plan, first, next, &mut job);
            self.engine.run(job);
        }
        self.factors.swap(0, 1);
    }
}

/// Lets a job on the coefficients from `first` on raise them to the power 2^t and write them for the next application.
fn raise<'a, const L: usize>(plan: &Plan, first: usize, factors: &'a mut Planes, job: &mut Job<'a, L>) {
    let t = plan.squarings;
    job.squarings = t;
    job.points = Some((factors, first));
    let count = plan.first_row.saturating_sub(first);
    job.deposit = Some(Deposit { position: first << t, step: 1 << t, count, squared: false });
}
