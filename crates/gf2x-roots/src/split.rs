//! Factors of one degree, told apart by Berlekamp's traces.
//!
//! Let g be a product of distinct irreducible polynomials of degree k over GF(2^n). For a polynomial a, the trace
//! T(a) = a + a^2 + ... + a^(2^(kn-1)) is 0 or 1 modulo each factor, so that gcd(g, T(a)) cuts the set of factors in two. By the
//! Chinese remainder theorem the traces of x^j X^i with j < n, i < 2 k separate any two factors: no randomness is needed.
//! They are tried in a fixed order; what has been tried on a product need not be tried on its parts. For k = 1 the factors
//! are roots, and the traces are Tr(x^j root). (Berlekamp, "Factoring polynomials over large finite fields", 1970.)
//!
//! Variable time: with three factors or more, the number of traces that are computed depends on the factors. What the
//! computation leaves behind is wiped.

use alloc::vec;
use alloc::vec::Vec;

use crate::dense::{Dense, divide, square_modulo, trim};
use crate::euclid::gcd;
use crate::field::{Element, Field};
use crate::modular::trace_sum;
use zeroize::Zeroize;

/// For products of linear factors up to this degree the powers X^(2^i) are kept; above, each trace is computed anew.
const KEEP_POWERS: usize = 16;

/// The roots of a monic product of distinct linear factors, in no particular order.
pub(crate) fn split_linear<const L: usize>(field: &Field<L>, product: Dense<L>) -> Vec<Element<L>> {
    let mut roots = Vec::with_capacity(product.len().saturating_sub(1));
    let mut waiting = vec![(product, 0)];
    while let Some((mut factor, tried)) = waiting.pop() {
        match factor.len() {
            0 | 1 => {}
            2 => roots.push(factor[0]),
            3 => roots.extend(quadratic(field, &factor)),
            _ => {
                if let Some((left, right, next)) = cut(field, &factor, 1, tried) {
                    waiting.push((right, next));
                    waiting.push((left, next));
                }
            }
        }
        factor.zeroize();
    }
    roots
}

/// The factors of a monic product of distinct irreducible polynomials of degree `degree`, in no particular order.
pub(crate) fn split_equal_degree<const L: usize>(
    field: &Field<L>,
    product: Dense<L>,
    degree: usize,
) -> Vec<Dense<L>> {
    let mut factors = Vec::new();
    let mut waiting = vec![(product, 0)];
    while let Some((product, tried)) = waiting.pop() {
        if product.len() <= 1 {
            continue;
        }
        match (product.len() > degree + 1).then(|| cut(field, &product, degree, tried)).flatten() {
            Some((left, right, next)) => {
                waiting.push((right, next));
                waiting.push((left, next));
            }
            None => factors.push(product),
        }
    }
    factors
}

/// The two roots of X^2 + a X + b with a not 0 that splits: x = a z with z^2 + z = b / a^2.
fn quadratic<const L: usize>(field: &Field<L>, factor: &[Element<L>]) -> [Element<L>; 2] {
    let inverse = field.invert(&factor[1]);
    let constant = field.mul(&factor[0], &field.square(&inverse));
    let root = field.mul(&factor[1], &field.artin_schreier(&constant));
    [root, Field::add(&root, &factor[1])]
}

/// Two parts of a product, and the number of the next element to try on them.
type Cut<const L: usize> = (Dense<L>, Dense<L>, usize);

/// The first element from number `tried` on whose trace cuts the product: the parts with trace 0 and 1.
///
/// Element number c is x^(c mod n) X^(c div n + 1), the constants last.
fn cut<const L: usize>(field: &Field<L>, product: &Dense<L>, degree: usize, tried: usize) -> Option<Cut<L>> {
    let mut found = None;
    let mut powers =
        (degree == 1 && product.len() <= KEEP_POWERS + 1).then(|| frobenius_powers(field, product));
    for number in tried..2 * degree * field.degree() {
        let multiplier = Field::<L>::monomial(number % field.degree());
        let exponent = (number / field.degree() + 1) % (2 * degree);
        let trace = match &powers {
            Some(powers) if exponent == 1 => combine(field, powers, &multiplier),
            _ => {
                let mut element = vec![Field::<L>::ZERO; exponent + 1];
                element[exponent] = multiplier;
                divide(field, &mut element, product).zeroize();
                let trace = trace_sum(field, product, &element, degree * field.degree());
                element.zeroize();
                trace
            }
        };
        let mut part = gcd(field, product.clone(), trace);
        if part.len() > 1 && part.len() < product.len() {
            let mut rest = product.clone();
            let other = divide(field, &mut rest, &part);
            rest.zeroize();
            found = Some((part, other, number + 1));
            break;
        }
        part.zeroize();
    }
    for power in powers.iter_mut().flatten() {
        power.zeroize();
    }
    found
}

/// X^(2^i) modulo the product for all i below n.
fn frobenius_powers<const L: usize>(field: &Field<L>, product: &Dense<L>) -> Vec<Dense<L>> {
    let mut powers = Vec::with_capacity(field.degree());
    powers.push(vec![Field::<L>::ZERO, Field::<L>::ONE]);
    for index in 1..field.degree() {
        let next = square_modulo(field, &powers[index - 1], product);
        powers.push(next);
    }
    powers
}

/// The trace of `multiplier` X from the powers.
fn combine<const L: usize>(field: &Field<L>, powers: &[Dense<L>], multiplier: &Element<L>) -> Dense<L> {
    let mut sum = vec![Field::<L>::ZERO; powers.iter().map(Vec::len).max().unwrap_or(0)];
    let mut conjugate = *multiplier;
    for power in powers {
        for (place, coefficient) in sum.iter_mut().zip(power) {
            *place = Field::add(place, &field.mul(&conjugate, coefficient));
        }
        conjugate = field.square(&conjugate);
    }
    trim(&mut sum);
    sum
}
