//! The roots of a product of distinct linear factors, by Berlekamp's traces.
//!
//! Tr(r x) for a fixed r cuts the set of roots x in two, and the traces of the basis elements r = x^k together determine x, so
//! some basis element separates any two roots: no randomness is needed. Traces are tried in the order of k; what has been
//! tried on a factor need not be tried on its parts. (Berlekamp, "Factoring polynomials over large finite fields", 1970.)

use alloc::vec;
use alloc::vec::Vec;

use crate::dense::{Dense, add, divide, square_modulo, trim};
use crate::euclid::gcd;
use crate::field::{Element, Field};

/// The powers X^(2^i) are kept up to this degree; above, they are computed anew for each trace.
const KEEP_POWERS: usize = 16;

/// The roots of a monic product of distinct linear factors, in no particular order.
pub(crate) fn split_linear<const L: usize>(field: &Field<L>, product: Dense<L>) -> Vec<Element<L>> {
    let mut roots = Vec::with_capacity(product.len().saturating_sub(1));
    let mut waiting = vec![(product, 0)];
    while let Some((factor, tried)) = waiting.pop() {
        match factor.len() {
            0 | 1 => {}
            2 => roots.push(factor[0]),
            3 => roots.extend(quadratic(field, &factor)),
            _ => {
                if let Some((left, right, next)) = trace_split(field, &factor, tried) {
                    waiting.push((right, next));
                    waiting.push((left, next));
                }
            }
        }
    }
    roots
}

/// The two roots of X^2 + a X + b with a not 0 that splits: x = a z with z^2 + z = b / a^2.
fn quadratic<const L: usize>(field: &Field<L>, factor: &[Element<L>]) -> [Element<L>; 2] {
    let inverse = field.invert(&factor[1]);
    let constant = field.mul(&factor[0], &field.square(&inverse));
    let root = field.mul(&factor[1], &field.artin_schreier(&constant));
    [root, Field::add(&root, &factor[1])]
}

/// The first basis element from `tried` on that splits the factor: the parts with trace 0 and 1, and the next element.
fn trace_split<const L: usize>(
    field: &Field<L>,
    factor: &Dense<L>,
    tried: usize,
) -> Option<(Dense<L>, Dense<L>, usize)> {
    let powers = (factor.len() <= KEEP_POWERS).then(|| frobenius_powers(field, factor));
    for exponent in tried..field.degree() {
        let multiplier = Field::<L>::monomial(exponent);
        let trace = match &powers {
            Some(powers) => combine(field, powers, &multiplier),
            None => trace_polynomial(field, factor, &multiplier),
        };
        let part = gcd(field, factor.clone(), trace);
        if part.len() > 1 && part.len() < factor.len() {
            let mut rest = factor.clone();
            let other = divide(field, &mut rest, &part);
            return Some((part, other, exponent + 1));
        }
    }
    None
}

/// X^(2^i) modulo the factor for all i below n.
fn frobenius_powers<const L: usize>(field: &Field<L>, factor: &Dense<L>) -> Vec<Dense<L>> {
    let mut powers = Vec::with_capacity(field.degree());
    let mut power = vec![Field::<L>::ZERO, Field::<L>::ONE];
    for _ in 0..field.degree() {
        powers.push(power.clone());
        power = square_modulo(field, &power, factor);
    }
    powers
}

/// The trace polynomial of `multiplier` X from the powers.
fn combine<const L: usize>(field: &Field<L>, powers: &[Dense<L>], multiplier: &Element<L>) -> Dense<L> {
    let mut sum: Dense<L> = Vec::new();
    let mut conjugate = *multiplier;
    for power in powers {
        sum.resize(sum.len().max(power.len()), Field::<L>::ZERO);
        for (place, coefficient) in sum.iter_mut().zip(power) {
            *place = Field::add(place, &field.mul(&conjugate, coefficient));
        }
        conjugate = field.square(&conjugate);
    }
    trim(&mut sum);
    sum
}

/// The sum of (`multiplier` X)^(2^i) over i below n, modulo the factor.
fn trace_polynomial<const L: usize>(
    field: &Field<L>,
    factor: &Dense<L>,
    multiplier: &Element<L>,
) -> Dense<L> {
    let mut term = vec![Field::<L>::ZERO, *multiplier];
    let mut sum = term.clone();
    for _ in 1..field.degree() {
        term = square_modulo(field, &term, factor);
        sum = add(&sum, &term);
    }
    sum
}
