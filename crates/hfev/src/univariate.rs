//! The central map with fixed vinegar variables: a polynomial in X, and its roots.

use alloc::vec::Vec;

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::Polynomial;
use gf2x_roots::hfe::HfePolynomial;
use zeroize::Zeroizing;

use crate::HfeDegree;

/// F(X, y) for fixed y, a polynomial over GF(2^N) with the terms of [`HfeDegree`]. Secret: wiped when dropped.
pub struct Univariate<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    constant: Gf2n<N, L, M>,
    form: Form<N, L, M>,
}

enum Form<const N: usize, const L: usize, M: Modulus<N, L>> {
    /// Degree 2^top + 2^low, monic: every key but those that hardly anyone makes.
    Monic(HfePolynomial<N, L, M>),
    /// Degree a power of 2, whose leading coefficient depends on y, or a leading coefficient 0: all coefficients. (Root finding
    /// is then variable-time in the degree of what is left.)
    Dense(Zeroizing<Vec<Gf2n<N, L, M>>>),
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Univariate<N, L, M> {
    /// From the coefficients of X^(2^i), and of X^(2^i + 2^j) in the order of [`HfeDegree::quadratic_exponents`].
    pub(crate) fn new(
        degree: HfeDegree,
        constant: Gf2n<N, L, M>,
        linear: Zeroizing<Vec<Gf2n<N, L, M>>>,
        quadratic: Zeroizing<Vec<Gf2n<N, L, M>>>,
    ) -> Self {
        if let (Some(low), Some((&leading, others))) = (degree.low(), quadratic.split_last())
            && leading == Gf2n::ONE
            && let Ok(polynomial) =
                HfePolynomial::new(degree.top(), low, constant, linear.to_vec(), others.to_vec())
        {
            return Self { constant, form: Form::Monic(polynomial) };
        }
        let mut dense = Zeroizing::new(alloc::vec![Gf2n::ZERO; degree.value() + 1]);
        dense[0] = constant;
        for (i, &coefficient) in linear.iter().enumerate() {
            dense[1 << i] = coefficient;
        }
        for (&coefficient, (i, j)) in quadratic.iter().zip(degree.quadratic_exponents()) {
            dense[(1 << i) + (1 << j)] = coefficient;
        }
        Self { constant, form: Form::Dense(dense) }
    }

    /// The constant coefficient.
    #[must_use]
    pub fn constant(&self) -> Gf2n<N, L, M> {
        self.constant
    }

    /// Replaces the constant coefficient.
    pub fn set_constant(&mut self, constant: Gf2n<N, L, M>) {
        self.constant = constant;
        match &mut self.form {
            Form::Monic(polynomial) => polynomial.set_constant(constant),
            Form::Dense(coefficients) => coefficients[0] = constant,
        }
    }

    /// The distinct roots in GF(2^N), ascending as N-bit integers. None for the zero polynomial.
    #[must_use]
    pub fn roots(&self) -> Vec<Gf2n<N, L, M>> {
        match &self.form {
            Form::Monic(polynomial) => polynomial.roots(),
            Form::Dense(coefficients) => Polynomial::new(coefficients.to_vec()).roots().unwrap_or_default(),
        }
    }

    /// The root, if there is exactly one in GF(2^N).
    #[must_use]
    pub fn unique_root(&self) -> Option<Gf2n<N, L, M>> {
        match &self.form {
            Form::Monic(polynomial) => polynomial.unique_root(),
            Form::Dense(coefficients) => {
                Polynomial::new(coefficients.to_vec()).unique_root().unwrap_or_default()
            }
        }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Drop for Univariate<N, L, M> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.constant);
    }
}
