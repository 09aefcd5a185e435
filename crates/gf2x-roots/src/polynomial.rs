//! Dense polynomials over GF(2^N): arithmetic, roots, factors.

mod roots;

pub use roots::{RootError, RootMultiplicity};

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Mul};

use crate::dense::{self, Dense};
use crate::euclid;
use crate::field::Field;
use crate::product;
use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};

/// A polynomial over GF(2^N), any degree up to 2^16 and more (memory permitting).
///
/// Coefficients are kept lowest first and without leading zeros; the zero polynomial has none, and no degree. All operations are
/// variable time in the degrees; [`HfePolynomial`](crate::hfe::HfePolynomial) is the type for secrets.
pub struct Polynomial<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    coefficients: Vec<Gf2n<N, L, M>>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Polynomial<N, L, M> {
    /// The polynomial with these coefficients, lowest first; leading zeros are dropped.
    #[must_use]
    pub fn new(mut coefficients: Vec<Gf2n<N, L, M>>) -> Self {
        while coefficients.last().is_some_and(|&leading| leading == Gf2n::ZERO) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    /// The polynomial with these terms (exponent, coefficient); terms of equal exponents add up.
    #[must_use]
    pub fn from_terms(terms: &[(usize, Gf2n<N, L, M>)]) -> Self {
        let length = terms.iter().map(|&(exponent, _)| exponent + 1).max().unwrap_or(0);
        let mut coefficients = vec![Gf2n::ZERO; length];
        for &(exponent, coefficient) in terms {
            coefficients[exponent] += coefficient;
        }
        Self::new(coefficients)
    }

    /// The monic product of X - root over these roots.
    #[must_use]
    pub fn from_roots(roots: &[Gf2n<N, L, M>]) -> Self {
        match roots {
            [] => Self::new(vec![Gf2n::ONE]),
            [root] => Self::new(vec![*root, Gf2n::ONE]),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                &Self::from_roots(left) * &Self::from_roots(right)
            }
        }
    }

    /// The coefficients, lowest first, without leading zeros.
    #[must_use]
    pub fn coefficients(&self) -> &[Gf2n<N, L, M>] {
        &self.coefficients
    }

    /// The degree; `None` for the zero polynomial.
    #[must_use]
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// Whether this is the zero polynomial.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The value at a point.
    #[must_use]
    pub fn value(&self, point: Gf2n<N, L, M>) -> Gf2n<N, L, M> {
        self.coefficients.iter().rev().fold(Gf2n::ZERO, |sum, &coefficient| sum * point + coefficient)
    }

    /// The formal derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        Self::restored(dense::derivative(&self.erased()))
    }

    /// The polynomial divided by its leading coefficient; zero stays zero.
    #[must_use]
    pub fn monic(&self) -> Self {
        let mut polynomial = self.erased();
        dense::monic(&Self::field(), &mut polynomial);
        Self::restored(polynomial)
    }

    /// Quotient and remainder; `None` for the divisor zero. Schoolbook: (quotient's length) times (divisor's length) products.
    #[must_use]
    pub fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        let leading = *divisor.coefficients.last()?;
        let field = Self::field();
        let (mut remainder, mut divisor) = (self.erased(), divisor.erased());
        dense::monic(&field, &mut divisor);
        let mut quotient = dense::divide(&field, &mut remainder, &divisor);
        let inverse = leading.invert().to_limbs();
        for coefficient in &mut quotient {
            *coefficient = field.mul(coefficient, &inverse);
        }
        Some((Self::restored(quotient), Self::restored(remainder)))
    }

    /// The monic greatest common divisor; zero only if both polynomials are zero. Quadratic time.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        Self::restored(euclid::gcd(&Self::field(), self.erased(), other.erased()))
    }

    /// The Frobenius map X^(2^N) modulo this polynomial; `None` for zero and for constants.
    #[must_use]
    pub fn frobenius_map(&self) -> Option<Self> {
        self.degree().filter(|&degree| degree > 0)?;
        let field = Self::field();
        let mut modulus = self.erased();
        dense::monic(&field, &mut modulus);
        Some(Self::restored(crate::modular::frobenius(&field, &modulus)))
    }

    pub(crate) fn field() -> Field<L> {
        Field::new(M::INFO)
    }

    /// Without the field's type.
    pub(crate) fn erased(&self) -> Dense<L> {
        self.coefficients.iter().map(|coefficient| coefficient.to_limbs()).collect()
    }

    pub(crate) fn restored(coefficients: Dense<L>) -> Self {
        Self::new(coefficients.into_iter().map(Gf2n::from_limbs_truncated).collect())
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Clone for Polynomial<N, L, M> {
    fn clone(&self) -> Self {
        Self { coefficients: self.coefficients.clone() }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> PartialEq for Polynomial<N, L, M> {
    fn eq(&self, other: &Self) -> bool {
        self.coefficients == other.coefficients
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Eq for Polynomial<N, L, M> {}

/// The coefficients as limbs, lowest coefficient first.
impl<const N: usize, const L: usize, M: Modulus<N, L>> fmt::Debug for Polynomial<N, L, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries(self.coefficients.iter().map(|coefficient| coefficient.limbs()))
            .finish()
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Add for &Polynomial<N, L, M> {
    type Output = Polynomial<N, L, M>;
    fn add(self, other: Self) -> Polynomial<N, L, M> {
        Polynomial::restored(dense::add(&self.erased(), &other.erased()))
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Mul for &Polynomial<N, L, M> {
    type Output = Polynomial<N, L, M>;
    fn mul(self, other: Self) -> Polynomial<N, L, M> {
        let field = Polynomial::<N, L, M>::field();
        Polynomial::restored(product::multiply(&field, &self.erased(), &other.erased()))
    }
}
