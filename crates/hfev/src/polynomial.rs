//! The central map: an HFE polynomial with vinegar variables.

use alloc::vec::Vec;
use core::marker::PhantomData;

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::coefficients::{Coefficients, add};
use crate::{HfeDegree, Parameters, Univariate};

/// The polynomial
///
/// F(X, y) = c(y) + sum over i of l_i(y) X^(2^i) + sum over j < i of b_ij X^(2^i + 2^j)
///
/// over GF(2^N), with vinegar bits y_0, ..., y_(v-1): c is quadratic in y, the l_i are affine, the b_ij constant. Secret: wiped
/// when dropped.
pub struct HfevPolynomial<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    coefficients: Coefficients<L>,
    modulus: PhantomData<M>,
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
        constant: &[Gf2n<N, L, M>],
        linear: &[Gf2n<N, L, M>],
        quadratic: &[Gf2n<N, L, M>],
    ) -> Result<Self, CoefficientCount> {
        for (expected, actual) in [
            (1 + vinegar * (vinegar + 1) / 2, constant.len()),
            (degree.linear_terms() * (vinegar + 1), linear.len()),
            (degree.quadratic_terms(), quadratic.len()),
        ] {
            if expected != actual {
                return Err(CoefficientCount { expected, actual });
            }
        }
        let words = |elements: &[Gf2n<N, L, M>]| elements.iter().map(|element| *element.limbs()).collect();
        let coefficients = Coefficients {
            degree,
            vinegar,
            constant: words(constant),
            linear: words(linear),
            quadratic: words(quadratic),
        };
        Ok(Self { coefficients, modulus: PhantomData })
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
        let mut next = words
            .as_chunks::<L>()
            .0
            .iter()
            .map(|limbs| Gf2n::<N, L, M>::from_limbs_truncated(*limbs).to_limbs());
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
            quadratic.push(Gf2n::<N, L, M>::ONE.to_limbs());
        }
        let coefficients = Coefficients { degree, vinegar, constant, linear, quadratic };
        Ok(Self { coefficients, modulus: PhantomData })
    }

    /// The degree in X.
    #[must_use]
    pub fn degree(&self) -> HfeDegree {
        self.coefficients.degree
    }

    /// v.
    #[must_use]
    pub fn vinegar(&self) -> usize {
        self.coefficients.vinegar
    }

    pub(crate) fn coefficients(&self) -> &Coefficients<L> {
        &self.coefficients
    }

    /// The inverse of the leading coefficient, as far as that is a constant other than 0 and 1. (A key whose leading
    /// coefficient is 0, a chance of 2^-N, or whose degree is a power of 2 is used in another way, and this shows.)
    pub(crate) fn inverse_of_leading(&self) -> Option<Zeroizing<Gf2n<N, L, M>>> {
        let limbs = self.degree().low().and_then(|_| self.coefficients.quadratic.last())?;
        let leading = Zeroizing::new(Gf2n::from_limbs_truncated(*limbs));
        let ordinary = *leading != Gf2n::ZERO && *leading != Gf2n::ONE;
        ordinary.then(|| Zeroizing::new(leading.invert()))
    }

    /// F(X, y) for these vinegar bits, times `scale` if there is one. Constant time.
    ///
    /// # Panics
    /// If `vinegar` has fewer than ceil(v / 64) words.
    #[must_use]
    pub fn substitute(&self, vinegar: &[u64], scale: Option<&Gf2n<N, L, M>>) -> Univariate<N, L, M> {
        let coefficients = &self.coefficients;
        let scaled = |limbs: [u64; L]| {
            let element = Gf2n::from_limbs_truncated(limbs);
            scale.map_or(element, |scale| *scale * element)
        };
        let mut constant = coefficients.vinegar_part(vinegar);
        add(&mut constant, &coefficients.constant[0]);
        let mut linear = Zeroizing::new(Vec::with_capacity(self.degree().linear_terms()));
        for i in 0..self.degree().linear_terms() {
            let mut sum = coefficients.linear_part(i, vinegar);
            add(&mut sum, &coefficients.linear_of(i)[0]);
            linear.push(scaled(sum));
        }
        let mut quadratic = Zeroizing::new(Vec::with_capacity(coefficients.quadratic.len()));
        quadratic.extend(coefficients.quadratic.iter().map(|&coefficient| scaled(coefficient)));
        Univariate::new(self.degree(), scaled(constant), linear, quadratic)
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> ZeroizeOnDrop for HfevPolynomial<N, L, M> {}
