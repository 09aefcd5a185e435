//! The HFE polynomial as a type.

use alloc::vec::Vec;
use core::fmt;

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A monic HFE polynomial over GF(2^N): with D = 2^I + 2^J and J < I,
///
/// ```text
/// X^D + sum over (i, j) of b_ij X^(2^i + 2^j) + sum over i <= I of l_i X^(2^i) + c
/// ```
///
/// where (i, j) runs over 0 <= j < i < I, and over i = I, 0 <= j < J. The coefficients may be secret: they are wiped on drop
/// and not printed.
///
/// ```
/// use gf2n::Gf2n;
/// use gf2x_roots::hfe::HfePolynomial;
/// type Field = Gf2n<8, 1>;
/// let element = |value| Field::from_limbs_truncated([value]);
/// // X^5 + b_10 X^3 + l_2 X^4 + l_1 X^2 + l_0 X + c: I = 2, J = 0
/// let polynomial = HfePolynomial::new(
///     2, 0, element(0x12), vec![element(1), element(2), element(3)], vec![element(7)],
/// ).unwrap();
/// for root in polynomial.roots() {
///     assert_eq!(polynomial.value(root), Field::ZERO);
/// }
/// ```
pub struct HfePolynomial<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    high_exponent: usize,
    low_exponent: usize,
    constant: Gf2n<N, L, M>,
    linear: Vec<Gf2n<N, L, M>>,
    quadratic: Vec<Gf2n<N, L, M>>,
}

/// The shape of an HFE polynomial is impossible, or the numbers of coefficients do not fit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HfeShapeError {
    /// Not 0 <= J < I <= 16.
    Exponents {
        /// I.
        high: usize,
        /// J.
        low: usize,
    },
    /// The number of linear coefficients is not I + 1.
    Linear {
        /// I + 1.
        expected: usize,
        /// The number given.
        actual: usize,
    },
    /// The number of quadratic coefficients is not I (I - 1) / 2 + J.
    Quadratic {
        /// I (I - 1) / 2 + J.
        expected: usize,
        /// The number given.
        actual: usize,
    },
}

impl fmt::Display for HfeShapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exponents { high, low } => {
                write!(formatter, "degree 2^{high} + 2^{low} is not of the form J < I <= 16")
            }
            Self::Linear { expected, actual } => {
                write!(formatter, "{actual} linear coefficients instead of {expected}")
            }
            Self::Quadratic { expected, actual } => {
                write!(formatter, "{actual} quadratic coefficients instead of {expected}")
            }
        }
    }
}

impl core::error::Error for HfeShapeError {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> HfePolynomial<N, L, M> {
    /// The largest I.
    pub const MAX_EXPONENT: usize = 16;

    /// The polynomial of degree 2^`high` + 2^`low` with these coefficients.
    ///
    /// `linear[i]` belongs to X^(2^i), i = 0..=I. `quadratic` belongs to X^(2^i + 2^j) in the order (1, 0); (2, 0), (2, 1);
    /// (3, 0), ...; (I, 0), ..., (I, J - 1): I (I - 1) / 2 + J coefficients.
    pub fn new(
        high: usize,
        low: usize,
        constant: Gf2n<N, L, M>,
        linear: Vec<Gf2n<N, L, M>>,
        quadratic: Vec<Gf2n<N, L, M>>,
    ) -> Result<Self, HfeShapeError> {
        if low >= high || high > Self::MAX_EXPONENT {
            return Err(HfeShapeError::Exponents { high, low });
        }
        if linear.len() != high + 1 {
            return Err(HfeShapeError::Linear { expected: high + 1, actual: linear.len() });
        }
        let expected = Self::quadratic_len(high, low);
        if quadratic.len() != expected {
            return Err(HfeShapeError::Quadratic { expected, actual: quadratic.len() });
        }
        Ok(Self { high_exponent: high, low_exponent: low, constant, linear, quadratic })
    }

    /// The number of quadratic coefficients below the leading one.
    #[must_use]
    pub const fn quadratic_len(high: usize, low: usize) -> usize {
        high * high.saturating_sub(1) / 2 + low
    }

    /// I.
    #[must_use]
    pub const fn high_exponent(&self) -> usize {
        self.high_exponent
    }

    /// J.
    #[must_use]
    pub const fn low_exponent(&self) -> usize {
        self.low_exponent
    }

    /// The degree 2^I + 2^J.
    #[must_use]
    pub const fn degree(&self) -> usize {
        (1 << self.high_exponent) + (1 << self.low_exponent)
    }

    /// The constant coefficient.
    #[must_use]
    pub const fn constant(&self) -> Gf2n<N, L, M> {
        self.constant
    }

    /// Replaces the constant coefficient: one key serves many targets.
    pub const fn set_constant(&mut self, constant: Gf2n<N, L, M>) {
        self.constant = constant;
    }

    /// The coefficients of X^(2^i), i = 0..=I.
    #[must_use]
    pub fn linear(&self) -> &[Gf2n<N, L, M>] {
        &self.linear
    }

    /// The coefficients of X^(2^i), to be written to.
    pub fn linear_mut(&mut self) -> &mut [Gf2n<N, L, M>] {
        &mut self.linear
    }

    /// The coefficients of X^(2^i + 2^j) in the order of [`new`](Self::new).
    #[must_use]
    pub fn quadratic(&self) -> &[Gf2n<N, L, M>] {
        &self.quadratic
    }

    /// The value at a point, in constant time.
    #[must_use]
    pub fn value(&self, point: Gf2n<N, L, M>) -> Gf2n<N, L, M> {
        let mut powers = Vec::with_capacity(self.high_exponent + 1);
        let mut power = point;
        for _ in 0..=self.high_exponent {
            powers.push(power);
            power = power.square();
        }
        let mut sum = self.constant + powers[self.high_exponent] * powers[self.low_exponent];
        for (coefficient, power) in self.linear.iter().zip(&powers) {
            sum += *coefficient * *power;
        }
        for (coefficient, (i, j)) in self.quadratic.iter().zip(pairs(self.high_exponent, self.low_exponent)) {
            sum += *coefficient * (powers[i] * powers[j]);
        }
        sum
    }
}

/// The pairs (i, j) of the quadratic coefficients below the leading one, in their order.
pub(crate) fn pairs(high: usize, low: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=high).flat_map(move |i| (0..if i == high { low } else { i }).map(move |j| (i, j)))
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Drop for HfePolynomial<N, L, M> {
    fn drop(&mut self) {
        self.constant.zeroize();
        self.linear.zeroize();
        self.quadratic.zeroize();
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> ZeroizeOnDrop for HfePolynomial<N, L, M> {}
