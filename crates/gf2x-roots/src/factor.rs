//! Factorisation: square-free parts, distinct degrees, equal degrees.

use alloc::vec;
use alloc::vec::Vec;

use crate::dense::{Dense, derivative, divide, square_root};
use crate::euclid::gcd;
use crate::field::Field;
use crate::modular::{frobenius, frobenius_step};

/// The square-free parts of a monic polynomial: (part, multiplicity), parts coprime and without a repeated factor, the
/// multiplicities distinct. (Yun's and Musser's algorithm in characteristic 2.)
pub(crate) fn square_free<const L: usize>(field: &Field<L>, polynomial: Dense<L>) -> Vec<(Dense<L>, usize)> {
    let mut parts: Vec<(Dense<L>, usize)> = Vec::new();
    let mut waiting = polynomial;
    let mut scale = 1;
    // f = product of p_i^i: odd multiplicities come out of gcd(f, f'), what remains is a square
    while waiting.len() > 1 {
        let mut rest = gcd(field, waiting.clone(), derivative(&waiting));
        let mut product = divide(field, &mut waiting, &rest);
        let mut multiplicity = 1;
        while product.len() > 1 {
            let common = gcd(field, rest.clone(), product.clone());
            let part = divide(field, &mut product, &common);
            if part.len() > 1 {
                parts.push((part, multiplicity * scale));
            }
            rest = divide(field, &mut rest, &common);
            product = common;
            multiplicity += 1;
        }
        waiting = square_root(field, &rest);
        scale *= 2;
    }
    parts.sort_by_key(|&(_, multiplicity)| multiplicity);
    merge(field, parts)
}

/// Joins parts of the same multiplicity (sorted).
fn merge<const L: usize>(field: &Field<L>, parts: Vec<(Dense<L>, usize)>) -> Vec<(Dense<L>, usize)> {
    let mut merged: Vec<(Dense<L>, usize)> = Vec::new();
    for (part, multiplicity) in parts {
        match merged.last_mut() {
            Some((product, last)) if *last == multiplicity => {
                *product = crate::product::multiply(field, product, &part);
            }
            _ => merged.push((part, multiplicity)),
        }
    }
    merged
}

/// The products of the irreducible factors of each degree of a monic square-free polynomial: (degree, product), by degree.
pub(crate) fn distinct_degrees<const L: usize>(
    field: &Field<L>,
    polynomial: Dense<L>,
) -> Vec<(usize, Dense<L>)> {
    let mut products = Vec::new();
    let mut rest = polynomial;
    let mut degree = 1;
    let mut power = vec![Field::<L>::ZERO, Field::<L>::ONE];
    while rest.len() > 1 {
        if 2 * degree > rest.len() - 1 {
            // what is left has no factor of at most half its degree
            products.push((rest.len() - 1, rest));
            break;
        }
        power = if degree == 1 { frobenius(field, &rest) } else { frobenius_step(field, &rest, &power) };
        let product = gcd(field, rest.clone(), minus_x(&power));
        if product.len() > 1 {
            rest = divide(field, &mut rest, &product);
            products.push((degree, product));
            if rest.len() > 1 {
                divide(field, &mut power, &rest);
            }
        }
        degree += 1;
    }
    products
}

/// The polynomial plus X.
pub(crate) fn minus_x<const L: usize>(polynomial: &Dense<L>) -> Dense<L> {
    let mut sum = polynomial.clone();
    sum.resize(sum.len().max(2), Field::<L>::ZERO);
    sum[1] = Field::add(&sum[1], &Field::<L>::ONE);
    crate::dense::trim(&mut sum);
    sum
}

/// The product of the distinct linear factors of a polynomial that is not zero.
pub(crate) fn linear_part<const L: usize>(field: &Field<L>, mut polynomial: Dense<L>) -> Dense<L> {
    crate::dense::monic(field, &mut polynomial);
    if polynomial.len() <= 2 {
        return polynomial;
    }
    let power = frobenius(field, &polynomial);
    gcd(field, polynomial, minus_x(&power))
}
