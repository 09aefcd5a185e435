//! Numbers of variables and equations, and the two orders of the monomials.

use super::LayoutError;

/// How many variables and equations a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    variables: usize,
    equations: usize,
}

impl Shape {
    /// The largest number of variables and of equations.
    pub const MAX: usize = 1024;

    /// The shape of `equations` equations in `variables` variables.
    ///
    /// # Errors
    /// [`LayoutError::Shape`] if one of them exceeds [`Self::MAX`].
    pub const fn new(variables: usize, equations: usize) -> Result<Self, LayoutError> {
        if variables > Self::MAX || equations > Self::MAX {
            return Err(LayoutError::Shape { variables, equations });
        }
        Ok(Self { variables, equations })
    }

    /// Number of variables, n.
    #[must_use]
    pub const fn variables(self) -> usize {
        self.variables
    }

    /// Number of equations, m.
    #[must_use]
    pub const fn equations(self) -> usize {
        self.equations
    }

    /// Number of monomials: the constant and n(n+1)/2 products.
    #[must_use]
    pub const fn monomials(self) -> usize {
        self.variables * (self.variables + 1) / 2 + 1
    }

    /// Words of a vector of one bit a variable.
    #[must_use]
    pub const fn variable_words(self) -> usize {
        self.variables.div_ceil(64)
    }

    /// Words of a vector of one bit an equation.
    #[must_use]
    pub const fn equation_words(self) -> usize {
        self.equations.div_ceil(64)
    }

    /// Words of a vector of one bit a monomial.
    #[must_use]
    pub const fn monomial_words(self) -> usize {
        self.monomials().div_ceil(64)
    }

    /// Place of x_i x_j, `i <= j < n`, in the order U: the constant, then for every i the products with j = i, .., n-1.
    #[must_use]
    pub const fn upper_index(self, i: usize, j: usize) -> usize {
        // i (2n - i + 1)/2 products stand in the rows before row i
        1 + i * (2 * self.variables + 1 - i) / 2 + (j - i)
    }

    /// Place of x_a x_b, `a <= b`, in the order L: the constant, then for every b the products with a = 0, .., b.
    #[must_use]
    pub const fn lower_index(self, a: usize, b: usize) -> usize {
        1 + b * (b + 1) / 2 + a
    }
}
