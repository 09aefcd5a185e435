//! HFE polynomials: monic, degree 2^I + 2^J, with exponents 0, 2^i and 2^i + 2^j only; their roots.

mod polynomial;
mod shift;

pub use polynomial::{HfePolynomial, HfeShapeError};

use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;

use crate::dense::Dense;
use crate::euclid::gcd;
use crate::field::{Element, Field};
use crate::frobenius::SparseModulus;
use crate::modular::frobenius_either;
use crate::split::split_linear;
use gf2n::Gf2n;
use gf2n::modulus::Modulus;
use shift::Shifted;
use zeroize::Zeroize;

impl<const N: usize, const L: usize, M: Modulus<N, L>> HfePolynomial<N, L, M> {
    /// The distinct roots in GF(2^N), rising as N-bit integers.
    ///
    /// The Frobenius map X^(2^N) modulo the polynomial takes a sequence of operations that depends on N, I and J alone. What
    /// follows (gcd, splitting) depends on the degrees that occur, thus on the number of roots, which the schemes publish by
    /// trying again; and, from three roots on, on how early traces of the roots tell them apart.
    #[must_use]
    pub fn roots(&self) -> Vec<Gf2n<N, L, M>> {
        let field = Field::<L>::new(M::INFO);
        let mut roots = roots(&field, &self.erased());
        sort_secret(&mut roots);
        let typed = roots.iter().copied().map(Gf2n::from_limbs_truncated).collect();
        roots.zeroize();
        typed
    }

    /// The number of distinct roots in GF(2^N); costs as much as the Frobenius map and the gcd.
    #[must_use]
    pub fn count_roots(&self) -> usize {
        let field = Field::<L>::new(M::INFO);
        let (mut product, _) = linear_factors(&field, &self.erased());
        let count = product.len() - 1;
        product.zeroize();
        count
    }

    /// The root, if there is exactly one in GF(2^N).
    #[must_use]
    pub fn unique_root(&self) -> Option<Gf2n<N, L, M>> {
        let field = Field::<L>::new(M::INFO);
        let (mut product, delta) = linear_factors(&field, &self.erased());
        let root = (product.len() == 2).then(|| Gf2n::from_limbs_truncated(Field::add(&product[0], &delta)));
        product.zeroize();
        root
    }

    /// The polynomial without its field's type.
    fn erased(&self) -> Erased<L> {
        Erased {
            high: self.high_exponent(),
            low: self.low_exponent(),
            constant: self.constant().to_limbs(),
            linear: self.linear().iter().map(|element| element.to_limbs()).collect(),
            quadratic: self.quadratic().iter().map(|element| element.to_limbs()).collect(),
        }
    }
}

/// An HFE polynomial over a field that is data.
pub(crate) struct Erased<const L: usize> {
    high: usize,
    low: usize,
    constant: Element<L>,
    linear: Vec<Element<L>>,
    quadratic: Vec<Element<L>>,
}

impl<const L: usize> Drop for Erased<L> {
    fn drop(&mut self) {
        self.constant.zeroize();
        self.linear.zeroize();
        self.quadratic.zeroize();
    }
}

/// Rising as integers.
pub(crate) fn sort<const L: usize>(elements: &mut [Element<L>]) {
    elements.sort_unstable_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
}

/// Rising as integers, in constant time for their number: a comparison and a masked exchange for each pair.
fn sort_secret<const L: usize>(elements: &mut [Element<L>]) {
    for end in 1..elements.len() {
        let (smaller, rest) = elements.split_at_mut(end);
        for element in smaller {
            exchange_if_greater(element, &mut rest[0]);
        }
    }
}

/// Exchanges the two if the first is the greater.
fn exchange_if_greater<const L: usize>(first: &mut Element<L>, second: &mut Element<L>) {
    let borrow = second.iter().zip(first.iter()).fold(false, |borrow, (a, b)| {
        let (difference, under) = a.overflowing_sub(*b);
        under | difference.overflowing_sub(u64::from(borrow)).1
    });
    let mask = black_box(u64::from(borrow).wrapping_neg());
    for (a, b) in first.iter_mut().zip(second) {
        let difference = (*a ^ *b) & mask;
        *a ^= difference;
        *b ^= difference;
    }
}

/// The roots in no particular order.
fn roots<const L: usize>(field: &Field<L>, polynomial: &Erased<L>) -> Vec<Element<L>> {
    let (product, delta) = linear_factors(field, polynomial);
    let mut roots = split_linear(field, product);
    for root in &mut roots {
        *root = Field::add(root, &delta);
    }
    roots
}

/// The product of the distinct linear factors of P(Z + delta), and delta.
fn linear_factors<const L: usize>(field: &Field<L>, polynomial: &Erased<L>) -> (Dense<L>, Element<L>) {
    let shifted = Shifted::new(field, polynomial);
    let sparse = SparseModulus {
        degree: shifted.degree,
        exponents: &shifted.exponents,
        coefficients: &shifted.coefficients,
    };
    let mut dense = vec![Field::<L>::ZERO; shifted.degree + 1];
    for (&exponent, coefficient) in shifted.exponents.iter().zip(&shifted.coefficients) {
        dense[exponent] = *coefficient;
    }
    dense[shifted.degree] = Field::<L>::ONE;
    let mut power = frobenius_either(field, &sparse);
    power.resize(power.len().max(2), Field::<L>::ZERO);
    power[1] = Field::add(&power[1], &Field::<L>::ONE);
    (gcd(field, dense, power), shifted.delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_sort_sorts() {
        let mut state = 1u64;
        for length in 0..12 {
            for _ in 0..50 {
                let mut elements: Vec<[u64; 2]> = Vec::new();
                for _ in 0..length {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    // few values in each limb, so that limbs are often equal or differ in the highest bit alone
                    elements
                        .push([(state >> 33) << 62 | state >> 60 & 1, (state >> 40) << 63 | state >> 50 & 1]);
                }
                let mut sorted = elements.clone();
                sort(&mut sorted);
                sort_secret(&mut elements);
                assert_eq!(elements, sorted);
            }
        }
    }
}
