//! The central map: an HFE polynomial with vinegar variables.

use alloc::vec::Vec;

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::{HfeDegree, Parameters, Univariate};

/// The polynomial
///
/// F(X, y) = c(y) + sum over i of l_i(y) X^(2^i) + sum over j < i of b_ij X^(2^i + 2^j)
///
/// over GF(2^N), with vinegar bits y_0, ..., y_(v-1): c is quadratic in y, the l_i are affine, the b_ij constant. Secret: wiped
/// when dropped.
pub struct HfevPolynomial<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    degree: HfeDegree,
    vinegar: usize,
    constant: Vec<Gf2n<N, L, M>>,
    linear: Vec<Gf2n<N, L, M>>,
    quadratic: Vec<Gf2n<N, L, M>>,
}

/// Numbers of coefficients that do not fit a degree and a number of vinegar variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{actual} coefficients, expected {expected}")]
pub struct CoefficientCount {
    /// The number that degree and vinegar variables need.
    pub expected: usize,
    /// The number that was given.
    pub actual: usize,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> HfevPolynomial<N, L, M> {
    /// From the coefficients:
    ///
    /// * `constant`: that of c, then those of y_a y_b for a = 0..v, b = a..v, row by row (y_a^2 = y_a is the linear part);
    /// * `linear`: for i = 0..=top the constant of l_i, then its coefficients of y_0, ..., y_(v-1);
    /// * `quadratic`: the b_ij in the order of [`HfeDegree::quadratic_exponents`].
    ///
    /// # Errors
    /// A wrong number of coefficients of one kind.
    pub fn new(
        degree: HfeDegree,
        vinegar: usize,
        constant: Vec<Gf2n<N, L, M>>,
        linear: Vec<Gf2n<N, L, M>>,
        quadratic: Vec<Gf2n<N, L, M>>,
    ) -> Result<Self, CoefficientCount> {
        // built first, so that the coefficients are wiped on every way out
        let polynomial = Self { degree, vinegar, constant, linear, quadratic };
        for (expected, actual) in [
            (1 + vinegar * (vinegar + 1) / 2, polynomial.constant.len()),
            (degree.linear_terms() * (vinegar + 1), polynomial.linear.len()),
            (degree.quadratic_terms(), polynomial.quadratic.len()),
        ] {
            if expected != actual {
                return Err(CoefficientCount { expected, actual });
            }
        }
        Ok(polynomial)
    }

    /// From the words of GeMSS, L for each coefficient, bits from N on ignored; the leading coefficient b_(top, low) is 1.
    /// In order: c; l_0; for i = 0..top the b_ij of this i and l_(i+1); the b_(top, j) without the leading one.
    ///
    /// # Errors
    /// If there are not [`Parameters::coefficients`] coefficients.
    pub fn from_words(parameters: Parameters, words: &[u64]) -> Result<Self, CoefficientCount> {
        let (expected, actual) = (parameters.coefficients(), words.len() / L);
        if L * expected != words.len() {
            return Err(CoefficientCount { expected, actual });
        }
        let degree = parameters.degree();
        let vinegar = parameters.vinegar();
        let mut next = words.as_chunks::<L>().0.iter().map(|limbs| Gf2n::from_limbs_truncated(*limbs));
        let constants = 1 + vinegar * (vinegar + 1) / 2;
        // exact capacities: a vector that grows leaves copies behind
        let mut constant = Vec::with_capacity(constants);
        let mut linear = Vec::with_capacity(degree.linear_terms() * (vinegar + 1));
        let mut quadratic = Vec::with_capacity(degree.quadratic_terms());
        constant.extend(next.by_ref().take(constants));
        linear.extend(next.by_ref().take(vinegar + 1));
        for i in 0..degree.top() {
            quadratic.extend(next.by_ref().take(degree.quadratic_terms_of(i)));
            linear.extend(next.by_ref().take(vinegar + 1));
        }
        quadratic.extend(next.by_ref());
        if degree.low().is_some() {
            quadratic.push(Gf2n::ONE);
        }
        Self::new(degree, vinegar, constant, linear, quadratic)
    }

    /// The degree in X.
    #[must_use]
    pub fn degree(&self) -> HfeDegree {
        self.degree
    }

    /// v.
    #[must_use]
    pub fn vinegar(&self) -> usize {
        self.vinegar
    }

    /// The coefficient of y_a y_b, a <= b, in c.
    pub(crate) fn vinegar_product(&self, a: usize, b: usize) -> Gf2n<N, L, M> {
        self.constant[1 + a * (2 * self.vinegar + 1 - a) / 2 + (b - a)]
    }

    /// The constant of c.
    pub(crate) fn constant_term(&self) -> Gf2n<N, L, M> {
        self.constant[0]
    }

    /// l_i: its constant, then the coefficients of the vinegar variables.
    pub(crate) fn linear_of(&self, i: usize) -> &[Gf2n<N, L, M>] {
        &self.linear[i * (self.vinegar + 1)..(i + 1) * (self.vinegar + 1)]
    }

    /// The b_ij in the order of [`HfeDegree::quadratic_exponents`].
    pub(crate) fn quadratic(&self) -> &[Gf2n<N, L, M>] {
        &self.quadratic
    }

    /// c(y) without its constant term. Constant time in y.
    pub(crate) fn vinegar_value(&self, vinegar: &[u64]) -> Gf2n<N, L, M> {
        let mut value = Gf2n::ZERO;
        let mut coefficients = &self.constant[1..];
        for a in 0..self.vinegar {
            let (row, rest) = coefficients.split_at(self.vinegar - a);
            let mut sum = Gf2n::ZERO;
            for (b, coefficient) in (a..).zip(row) {
                sum += coefficient.and_bit(vinegar[b / 64] >> (b % 64));
            }
            value += sum.and_bit(vinegar[a / 64] >> (a % 64));
            coefficients = rest;
        }
        value
    }

    /// The inverse of the leading coefficient, as far as that is a constant other than 0 and 1. (A key whose leading
    /// coefficient is 0, a chance of 2^-N, or whose degree is a power of 2 is used in another way, and this shows.)
    pub(crate) fn inverse_of_leading(&self) -> Option<Zeroizing<Gf2n<N, L, M>>> {
        let leading = self.degree.low().and_then(|_| self.quadratic.last())?;
        let ordinary = *leading != Gf2n::ZERO && *leading != Gf2n::ONE;
        ordinary.then(|| Zeroizing::new(leading.invert()))
    }

    /// F(X, y) for these vinegar bits, times `scale` if there is one. Constant time.
    ///
    /// # Panics
    /// If `vinegar` has fewer than ceil(v / 64) words.
    #[must_use]
    pub fn substitute(&self, vinegar: &[u64], scale: Option<&Gf2n<N, L, M>>) -> Univariate<N, L, M> {
        let scaled = |element: Gf2n<N, L, M>| scale.map_or(element, |scale| *scale * element);
        let mut linear = Zeroizing::new(Vec::with_capacity(self.degree.linear_terms()));
        linear.extend((0..self.degree.linear_terms()).map(|i| {
            let row = self.linear_of(i);
            scaled(
                row[1..].iter().enumerate().fold(row[0], |sum, (k, coefficient)| {
                    sum + coefficient.and_bit(vinegar[k / 64] >> (k % 64))
                }),
            )
        }));
        let constant = scaled(self.constant[0] + self.vinegar_value(vinegar));
        let mut quadratic = Zeroizing::new(Vec::with_capacity(self.quadratic.len()));
        quadratic.extend(self.quadratic.iter().map(|&coefficient| scaled(coefficient)));
        Univariate::new(self.degree, constant, linear, quadratic)
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Drop for HfevPolynomial<N, L, M> {
    fn drop(&mut self) {
        self.constant.zeroize();
        self.linear.zeroize();
        self.quadratic.zeroize();
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> ZeroizeOnDrop for HfevPolynomial<N, L, M> {}
