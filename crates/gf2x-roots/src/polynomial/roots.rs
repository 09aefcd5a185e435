//! Roots and factors of dense polynomials.

use alloc::vec::Vec;
use core::fmt;

use super::Polynomial;
use crate::factor::{distinct_degrees, linear_part, square_free};
use crate::hfe::sort;
use crate::split::{split_equal_degree, split_linear};
use gf2n::Gf2n;
use gf2n::modulus::Modulus;

/// Why there is no list of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RootError {
    /// The polynomial is zero: every element of the field is a root.
    ZeroPolynomial,
}

impl fmt::Display for RootError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroPolynomial => formatter.write_str("every element is a root of the zero polynomial"),
        }
    }
}

impl core::error::Error for RootError {}

/// A root and how often it occurs.
pub type RootMultiplicity<F> = (F, usize);

impl<const N: usize, const L: usize, M: Modulus<N, L>> Polynomial<N, L, M> {
    /// The distinct roots in GF(2^N), rising as N-bit integers. A constant that is not zero has none; zero is an error.
    pub fn roots(&self) -> Result<Vec<Gf2n<N, L, M>>, RootError> {
        self.degree().ok_or(RootError::ZeroPolynomial)?;
        let field = Self::field();
        let mut roots = split_linear(&field, linear_part(&field, self.erased()));
        sort(&mut roots);
        Ok(roots.into_iter().map(Gf2n::from_limbs_truncated).collect())
    }

    /// The distinct roots in GF(2^N) with their multiplicities, rising as N-bit integers.
    pub fn roots_with_multiplicities(&self) -> Result<Vec<RootMultiplicity<Gf2n<N, L, M>>>, RootError> {
        let roots = self.roots()?;
        let mut rest = self.clone();
        let mut out = Vec::with_capacity(roots.len());
        for root in roots {
            let factor = Self::new(alloc::vec![root, Gf2n::ONE]);
            let mut multiplicity = 0;
            while let Some((quotient, remainder)) = rest.div_rem(&factor)
                && remainder.is_zero()
            {
                rest = quotient;
                multiplicity += 1;
            }
            out.push((root, multiplicity));
        }
        Ok(out)
    }

    /// The number of distinct roots in GF(2^N): the Frobenius map and one gcd.
    pub fn count_roots(&self) -> Result<usize, RootError> {
        self.degree().ok_or(RootError::ZeroPolynomial)?;
        Ok(linear_part(&Self::field(), self.erased()).len() - 1)
    }

    /// The root, if there is exactly one distinct root in GF(2^N).
    pub fn unique_root(&self) -> Result<Option<Gf2n<N, L, M>>, RootError> {
        self.degree().ok_or(RootError::ZeroPolynomial)?;
        let product = linear_part(&Self::field(), self.erased());
        Ok((product.len() == 2).then(|| Gf2n::from_limbs_truncated(product[0])))
    }

    /// The monic irreducible factors with their multiplicities, by degree, then by coefficients from the highest.
    ///
    /// The product of their powers is the polynomial divided by its leading coefficient.
    pub fn factors(&self) -> Result<Vec<(Self, usize)>, RootError> {
        let field = Self::field();
        let mut factors = Vec::new();
        self.degree().ok_or(RootError::ZeroPolynomial)?;
        for (part, multiplicity) in square_free(&field, self.monic().erased()) {
            for (degree, product) in distinct_degrees(&field, part) {
                for factor in split_equal_degree(&field, product, degree) {
                    factors.push((Self::restored(factor), multiplicity));
                }
            }
        }
        factors.sort_by_cached_key(|(factor, _)| {
            let words: Vec<u64> = factor
                .coefficients()
                .iter()
                .rev()
                .flat_map(|element| element.to_limbs().into_iter().rev())
                .collect();
            (factor.degree(), words)
        });
        Ok(factors)
    }

    /// The pattern of the factorisation without the factors themselves: (degree, multiplicity, number of irreducible
    /// factors), rising. No splitting by traces is needed.
    pub fn factor_degrees(&self) -> Result<Vec<(usize, usize, usize)>, RootError> {
        let field = Self::field();
        self.degree().ok_or(RootError::ZeroPolynomial)?;
        let mut pattern = Vec::new();
        for (part, multiplicity) in square_free(&field, self.monic().erased()) {
            for (degree, product) in distinct_degrees(&field, part) {
                pattern.push((degree, multiplicity, (product.len() - 1) / degree));
            }
        }
        pattern.sort_unstable();
        Ok(pattern)
    }

    /// The irreducible factors of a product of distinct irreducible polynomials that all have this degree, by coefficients
    /// from the highest; `None` unless the polynomial is such a product (or constant).
    pub fn equal_degree_split(&self, degree: usize) -> Result<Option<Vec<Self>>, RootError> {
        if self.degree() == Some(0) {
            return Ok(Some(Vec::new()));
        }
        let pattern = self.factor_degrees()?;
        if pattern.iter().any(|&(found, multiplicity, _)| found != degree || multiplicity != 1) {
            return Ok(None);
        }
        Ok(Some(self.factors()?.into_iter().map(|(factor, _)| factor).collect()))
    }
}
