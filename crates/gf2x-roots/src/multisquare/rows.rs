//! The rows of a table of powers: X^(k 2^t) modulo the polynomial for k = `first_row` .. D - 1.

use alloc::vec;
use alloc::vec::Vec;

use super::Plan;
use crate::field::Field;
use crate::frobenius::SparseModulus;
use crate::kernel::{Deposit, Engine, Job, MAX_BLOCK, Planes, PointSums, Source, Terms};

/// The rows of a sparse polynomial, evaluated as by [`dense`]: each is the previous one a times X^S, S = 2^t, with the quotient q
///
/// ```text
/// q_d = a_(d+D-S) + sum_e p_e q_(d+D-e)    d = S-1, ..., 0
/// r_i = a_(i-S)   + sum_e p_e q_(i-e)      i = 0, ..., D-1
/// ```
///
/// as in [`crate::frobenius`]; blocks of up to gap quotient coefficients are independent.
pub(super) fn sparse<const L: usize>(
    engine: Engine<L>,
    modulus: &SparseModulus<'_, L>,
    plan: &Plan,
) -> Planes {
    const GUARD: usize = MAX_BLOCK;
    let (degree, power, row) = (plan.degree, 1 << plan.squarings, plan.stride());
    let (exponents, block, group) = (modulus.exponents, engine.block(), engine.group());
    let mut coefficients = engine.planes(exponents.len().next_multiple_of(MAX_BLOCK));
    engine.evaluate(modulus.coefficients, &mut coefficients, 0);
    let mut table = engine.planes(plan.rows() * row);
    let mut quotient = engine.planes(degree + power + 3 * MAX_BLOCK);
    // the row under way, times X^S, as unreduced values
    let mut work = Planes::zero(L, degree + power + 2 * MAX_BLOCK);
    work.plane_mut(0)[power + ((plan.first_row - 1) << plan.squarings)].0[0] = 1;
    let mut sums = PointSums::new();

    // quotient coefficients a block; whole groups are written, and what a block writes above it comes out as it was
    let known = plan.gap.min(block);
    let known = if known > group { known / group * group } else { known };
    let written = known.next_multiple_of(group);
    // a quotient coefficient d meets q_(d+D-e) with d + D - e < S
    let quotients: Vec<_> = (0..power.div_ceil(known))
        .map(|index| power.saturating_sub((index + 1) * known))
        .map(|first| (first, exponents.partition_point(|&e| e + power <= first + degree)..exponents.len()))
        .collect();
    // an output i meets q_(i-e) with 0 <= i - e < S
    let outputs: Vec<_> = (0..degree)
        .step_by(block)
        .rev()
        .map(|first| (first, exponents.partition_point(|&e| e + power <= first)))
        .map(|(first, from)| (first, from..exponents.partition_point(|&e| e < first + block)))
        .collect();

    for index in 0..plan.rows() {
        for (first, meeting) in &quotients {
            let terms = Terms {
                coefficients: &coefficients,
                first: meeting.start,
                offsets: &exponents[meeting.clone()],
            };
            let target = first + degree;
            engine.dot(&terms, &quotient, (GUARD + target, written), &mut sums);
            let mut job = Job::new(Source::Sums(&sums));
            job.valid = written;
            job.wide = Some(&mut work);
            job.addend = Some(target);
            job.points = Some((&mut quotient, GUARD + first));
            engine.run(job);
        }
        for (first, meeting) in &outputs {
            let terms = Terms {
                coefficients: &coefficients,
                first: meeting.start,
                offsets: &exponents[meeting.clone()],
            };
            let count = degree - first;
            engine.dot(&terms, &quotient, (GUARD + first, count), &mut sums);
            let mut job = Job::new(Source::Sums(&sums));
            job.valid = count;
            job.wide = Some(&mut work);
            job.addend = Some(*first);
            job.points = Some((&mut table, index * row + first));
            job.deposit = Some(Deposit { position: power + first, step: 1, count, squared: false });
            engine.run(job);
        }
    }
    table
}

/// The evaluated rows X^(k 2^t) modulo the polynomial, k = `first_row` .. D - 1, coefficient 0 of row i at i [`stride`] +
/// [`MAX_BLOCK`].
///
/// Row by row, each the previous one times powers of X: with gap the distance from the leading exponent to the next, the first gap
/// quotient coefficients are those of the row.
pub(super) fn dense<const L: usize>(
    engine: Engine<L>,
    modulus: &SparseModulus<'_, L>,
    plan: &Plan,
) -> Planes {
    let (degree, shift, row) = (plan.degree, plan.shift(), plan.stride());
    let mut lower = modulus.lower();
    let rows = plan.rows();
    // two more rows behind the table: the lower coefficients, and the row under way
    let mut table = engine.planes((rows + 2) * row);
    let (modulus, work) = (rows * row + MAX_BLOCK, (rows + 1) * row + MAX_BLOCK);
    engine.evaluate(&lower, &mut table, modulus);
    zeroize::Zeroize::zeroize(&mut lower);
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
                engine.dot(&terms, &table, (work + first, degree - first), &mut sums);
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
