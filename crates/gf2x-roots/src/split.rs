//! The roots of a product of distinct linear factors, by Berlekamp's traces.
//!
//! Tr(r x) for a fixed r cuts the set of roots x in two, and the traces of the basis elements r = x^k together determine x, so
//! some basis element separates any two roots: no randomness is needed. Traces are tried in the order of k; what has been
//! tried on a factor need not be tried on its parts. (Berlekamp, "Factoring polynomials over large finite fields", 1970.)

use alloc::vec;
use alloc::vec::Vec;

use crate::dense::{Dense, add, divide, gcd, square_modulo, trim};
use crate::field::{Element, Field};
use gf2n::backend::ClmulLanes;

/// The powers X^(2^i) are kept up to this degree; above, they are computed anew for each trace.
const KEEP_POWERS: usize = 16;

/// The roots of a monic product of distinct linear factors, in no particular order.
#[inline(always)]
pub(crate) fn split_linear<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    product: Dense<L>,
) -> Vec<Element<L>> {
    let mut roots = Vec::with_capacity(product.len().saturating_sub(1));
    let mut waiting = vec![(product, 0)];
    while let Some((factor, tried)) = waiting.pop() {
        match factor.len() {
            0 | 1 => {}
            2 => roots.push(factor[0]),
            3 => roots.extend(quadratic(lanes, field, &factor)),
            _ => {
                if let Some((left, right, next)) = trace_split(lanes, field, &factor, tried) {
                    waiting.push((right, next));
                    waiting.push((left, next));
                }
            }
        }
    }
    roots
}

/// The two roots of X^2 + a X + b with a not 0 that splits: x = a z with z^2 + z = b / a^2.
#[inline(always)]
fn quadratic<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    factor: &[Element<L>],
) -> [Element<L>; 2] {
    let inverse = field.invert(lanes, &factor[1]);
    let constant = field.mul(lanes, &factor[0], &field.square(lanes, &inverse));
    let root = field.mul(lanes, &factor[1], &field.artin_schreier(lanes, &constant));
    [root, Field::add(&root, &factor[1])]
}

/// The first basis element from `tried` on that splits the factor: the parts with trace 0 and 1, and the next element.
#[inline(always)]
fn trace_split<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    factor: &Dense<L>,
    tried: usize,
) -> Option<(Dense<L>, Dense<L>, usize)> {
    let powers = (factor.len() <= KEEP_POWERS).then(|| frobenius_powers(lanes, field, factor));
    for exponent in tried..field.degree() {
        let multiplier = Field::<L>::monomial(exponent);
        let trace = match &powers {
            Some(powers) => combine(lanes, field, powers, &multiplier),
            None => trace_polynomial(lanes, field, factor, &multiplier),
        };
        let part = gcd(lanes, field, factor.clone(), trace);
        if part.len() > 1 && part.len() < factor.len() {
            let mut rest = factor.clone();
            let other = divide(lanes, field, &mut rest, &part);
            return Some((part, other, exponent + 1));
        }
    }
    None
}

/// X^(2^i) modulo the factor for all i below n.
#[inline(always)]
fn frobenius_powers<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    factor: &Dense<L>,
) -> Vec<Dense<L>> {
    let mut powers = Vec::with_capacity(field.degree());
    let mut power = vec![Field::<L>::ZERO, Field::<L>::ONE];
    for _ in 0..field.degree() {
        powers.push(power.clone());
        power = square_modulo(lanes, field, &power, factor);
    }
    powers
}

/// The trace polynomial of `multiplier` X from the powers.
#[inline(always)]
fn combine<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    powers: &[Dense<L>],
    multiplier: &Element<L>,
) -> Dense<L> {
    let mut sum: Dense<L> = Vec::new();
    let mut conjugate = *multiplier;
    for power in powers {
        sum.resize(sum.len().max(power.len()), Field::<L>::ZERO);
        for (place, coefficient) in sum.iter_mut().zip(power) {
            *place = Field::add(place, &field.mul(lanes, &conjugate, coefficient));
        }
        conjugate = field.square(lanes, &conjugate);
    }
    trim(&mut sum);
    sum
}

/// The sum of (`multiplier` X)^(2^i) over i below n, modulo the factor.
#[inline(always)]
fn trace_polynomial<B: ClmulLanes, const L: usize>(
    lanes: B,
    field: &Field<L>,
    factor: &Dense<L>,
    multiplier: &Element<L>,
) -> Dense<L> {
    let mut term = vec![Field::<L>::ZERO, *multiplier];
    let mut sum = term.clone();
    for _ in 1..field.degree() {
        term = square_modulo(lanes, field, &term, factor);
        sum = add(&sum, &term);
    }
    sum
}
