//! Dense polynomials as vectors of elements, lowest coefficient first, without leading zeros: the schoolbook algorithms.
//!
//! These are the definition; the lazy kernels take over where they pay. Operation counts depend on the degrees.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Field};
use zeroize::Zeroize;

/// A polynomial; the zero polynomial is empty.
pub(crate) type Dense<const L: usize> = Vec<Element<L>>;

/// Removes leading zeros.
pub(crate) fn trim<const L: usize>(polynomial: &mut Dense<L>) {
    while polynomial.last().is_some_and(Field::is_zero) {
        polynomial.pop();
    }
}

/// The sum.
pub(crate) fn add<const L: usize>(a: &[Element<L>], b: &[Element<L>]) -> Dense<L> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut sum = long.to_vec();
    for (place, term) in sum.iter_mut().zip(short) {
        *place = Field::add(place, term);
    }
    trim(&mut sum);
    sum
}

/// The polynomial divided by its leading coefficient; zero stays zero.
pub(crate) fn monic<const L: usize>(field: &Field<L>, polynomial: &mut Dense<L>) {
    if let Some(leading) = polynomial.last().copied()
        && leading != Field::<L>::ONE
    {
        let inverse = field.invert(&leading);
        for coefficient in polynomial.iter_mut() {
            *coefficient = field.mul(coefficient, &inverse);
        }
    }
}

/// Quotient of `dividend` by a monic `divisor`; `dividend` becomes the remainder.
pub(crate) fn divide<const L: usize>(
    field: &Field<L>,
    dividend: &mut Dense<L>,
    divisor: &[Element<L>],
) -> Dense<L> {
    let degree = divisor.len() - 1;
    let mut quotient = vec![Field::<L>::ZERO; dividend.len().saturating_sub(degree)];
    while dividend.len() > degree {
        let shift = dividend.len() - 1 - degree;
        if let Some(leading) = dividend.pop()
            && !Field::is_zero(&leading)
        {
            for (place, coefficient) in dividend[shift..].iter_mut().zip(&divisor[..degree]) {
                *place = Field::add(place, &field.mul(&leading, coefficient));
            }
            quotient[shift] = leading;
        }
    }
    trim(dividend);
    quotient
}

/// The square of a remainder modulo a monic polynomial; the quotient is wiped.
pub(crate) fn square_modulo<const L: usize>(
    field: &Field<L>,
    remainder: &[Element<L>],
    modulus: &[Element<L>],
) -> Dense<L> {
    let mut square = vec![Field::<L>::ZERO; (2 * remainder.len()).saturating_sub(1)];
    for (index, coefficient) in remainder.iter().enumerate() {
        square[2 * index] = field.square(coefficient);
    }
    divide(field, &mut square, modulus).zeroize();
    square
}

/// The formal derivative.
pub(crate) fn derivative<const L: usize>(polynomial: &[Element<L>]) -> Dense<L> {
    let mut out: Dense<L> = polynomial
        .iter()
        .skip(1)
        .enumerate()
        .map(|(index, coefficient)| if index % 2 == 0 { *coefficient } else { Field::<L>::ZERO })
        .collect();
    trim(&mut out);
    out
}

/// The square root of a polynomial in X^2.
pub(crate) fn square_root<const L: usize>(field: &Field<L>, polynomial: &[Element<L>]) -> Dense<L> {
    polynomial.iter().step_by(2).map(|coefficient| field.square_root(coefficient)).collect()
}
