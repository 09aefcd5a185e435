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
use crate::kernel::{Deposit, Engine, Job, MAX_BLOCK, Planes, PointSums, Source, Terms};

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

    /// All coefficients below the leading one.
    pub(crate) fn lower(&self) -> Vec<Element<L>> {
        let mut lower = vec![Field::<L>::ZERO; self.degree];
        for (&exponent, coefficient) in self.exponents.iter().zip(self.coefficients) {
            lower[exponent] = *coefficient;
        }
        lower
    }
}

/// X^(2^n) modulo the polynomial, as D coefficients; the gap must be at least [`MAX_BLOCK`] and D at least 2.
pub(crate) fn frobenius_sparse<const L: usize>(
    field: &Field<L>,
    modulus: &SparseModulus<'_, L>,
) -> Vec<Element<L>> {
    let degree = modulus.degree;
    debug_assert!(modulus.gap() >= MAX_BLOCK, "blocks are not independent");
    // X^(2^start) needs no reduction
    let start = (field.degree()).min((degree - 1).ilog2() as usize);
    let mut remainder = vec![Field::<L>::ZERO; degree];
    remainder[1 << start] = Field::<L>::ONE;
    let steps = field.degree() - start;
    if steps == 0 {
        return remainder;
    }
    let mut sweep = Sweep::new(field.engine(), modulus);
    sweep.squares.plane_mut(0)[1 << (start + 1)].0[0] = 1;
    for step in 1..=steps {
        sweep.step((step == steps).then_some(&mut remainder[..]));
    }
    remainder
}

/// One block of outputs.
struct Block {
    /// The index of the first output: q_d first, then r_t.
    first: usize,
    /// The terms that can meet a quotient coefficient.
    from: usize,
    to: usize,
    quotient: bool,
}

/// The state of the two sweeps.
struct Sweep<const L: usize> {
    engine: Engine<L>,
    degree: usize,
    exponents: Vec<usize>,
    coefficients: Planes,
    /// The evaluated quotient, with guard cells of zeros on both sides.
    quotient: Planes,
    /// The unreduced squares b.
    squares: Planes,
    /// The blocks of one step in order: q from the top down, then r from the top down.
    blocks: Vec<Block>,
    sums: PointSums,
}

impl<const L: usize> Sweep<L> {
    /// Zero cells before the first quotient coefficient; there are as many and more behind the last.
    const GUARD: usize = MAX_BLOCK;

    fn new(engine: Engine<L>, modulus: &SparseModulus<'_, L>) -> Self {
        let degree = modulus.degree;
        let terms = modulus.coefficients.len();
        let mut coefficients = engine.planes(terms.next_multiple_of(MAX_BLOCK));
        engine.evaluate(modulus.coefficients, &mut coefficients, 0);
        Self {
            degree,
            exponents: modulus.exponents.to_vec(),
            coefficients,
            quotient: engine.planes(degree + 3 * MAX_BLOCK),
            squares: Planes::zero(L, 2 * degree + 2 * MAX_BLOCK),
            blocks: blocks(degree, modulus.exponents, engine.block()),
            sums: PointSums::new(),
            engine,
        }
    }

    /// Divides the square by the polynomial: the remainder goes to `last`, or its square becomes the next square.
    ///
    /// The remainder is computed from the top down, so that squares may overwrite squares: place 2 t is not read again.
    fn step(&mut self, mut last: Option<&mut [Element<L>]>) {
        for &Block { first, from, to, quotient } in &self.blocks {
            // with t = d + D both sums are: the square's coefficient t plus p_e q_(t-e)
            let target = if quotient { first + self.degree } else { first };
            let terms =
                Terms { coefficients: &self.coefficients, first: from, offsets: &self.exponents[from..to] };
            // the top block of the remainder may be short
            let outputs = if quotient { MAX_BLOCK } else { self.degree - first };
            let place = (Self::GUARD + target, outputs);
            self.engine.dot(&terms, &self.quotient, place, &mut self.sums);
            let mut job = Job::new(Source::Sums(&self.sums));
            job.valid = outputs;
            job.wide = Some(&mut self.squares);
            job.addend = Some(target);
            if quotient {
                job.points = Some((&mut self.quotient, Self::GUARD + first));
            } else if let Some(remainder) = &mut last {
                job.elements = Some(&mut remainder[first..]);
            } else {
                job.deposit =
                    Some(Deposit { position: 2 * first, step: 2, count: self.degree - first, squared: true });
            }
            self.engine.run(job);
        }
    }
}

/// The blocks of one step.
fn blocks(degree: usize, exponents: &[usize], size: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut end = degree - 1;
    while end > 0 {
        // the lowest block may overlap the one above: the overlap comes out the same
        let first = end.saturating_sub(size);
        let from = exponents.partition_point(|&exponent| exponent < first + 2);
        blocks.push(Block { first, from, to: exponents.len(), quotient: true });
        end = first;
    }
    for first in (0..degree).step_by(size).rev() {
        let to = exponents.partition_point(|&exponent| exponent < first + size);
        blocks.push(Block { first, from: 0, to, quotient: false });
    }
    blocks
}
