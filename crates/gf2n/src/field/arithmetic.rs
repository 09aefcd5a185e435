//! Sum, product, square, inverse.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Gf2n;
use crate::backend::ClmulLanes;
use crate::modulus::Modulus;
use crate::unreduced::Unreduced;
use crate::words::{self, Field, single};

impl<const N: usize, const L: usize, M: Modulus<N, L>> Gf2n<N, L, M> {
    /// The product, inside a kernel that runs under `backend`.
    #[inline(always)]
    #[must_use]
    pub fn mul_with<B: ClmulLanes>(self, backend: B, other: Self) -> Self {
        self.mul_wide_with(backend, other).reduce()
    }

    /// The square, inside a kernel that runs under `backend`.
    #[inline(always)]
    #[must_use]
    pub fn square_with<B: ClmulLanes>(self, backend: B) -> Self {
        self.square_wide_with(backend).reduce()
    }

    /// The 2^count-th power: `count` squarings, inside a kernel that runs under `backend`.
    #[inline(always)]
    #[must_use]
    pub fn square_n_with<B: ClmulLanes>(self, backend: B, count: usize) -> Self {
        (0..count).fold(self, |power, _| power.square_with(backend))
    }

    /// The unreduced product, inside a kernel that runs under `backend`.
    #[inline(always)]
    #[must_use]
    pub fn mul_wide_with<B: ClmulLanes>(self, backend: B, other: Self) -> Unreduced<N, L, M> {
        Unreduced::from_words(words::product::<M::Form, B, L>(backend, &self.limbs, &other.limbs))
    }

    /// The unreduced square, inside a kernel that runs under `backend`.
    #[inline(always)]
    #[must_use]
    pub fn square_wide_with<B: ClmulLanes>(self, backend: B) -> Unreduced<N, L, M> {
        Unreduced::from_words(words::square(backend, &self.limbs))
    }

    /// The inverse, inside a kernel that runs under `backend`; 0 gives 0.
    #[inline(always)]
    #[must_use]
    pub fn invert_with<B: ClmulLanes>(self, backend: B) -> Self {
        let field = Field::<B, M::Form, L>::new(backend, &Self::REDUCER);
        Self::from_reduced(field.invert(&self.limbs))
    }

    /// The square.
    #[inline]
    #[must_use]
    pub fn square(self) -> Self {
        self.square_wide().reduce()
    }

    /// The 2^count-th power: `count` squarings.
    #[inline]
    #[must_use]
    pub fn square_n(self, count: usize) -> Self {
        Self::from_reduced(single::square_n::<M::Form, L>(&Self::REDUCER, &self.limbs, count))
    }

    /// The inverse; 0 gives 0.
    ///
    /// Constant time: N - 1 squarings and about log2(N) + weight(N - 1) products (Itoh and Tsujii).
    #[inline]
    #[must_use]
    pub fn invert(self) -> Self {
        Self::from_reduced(single::invert::<M::Form, L>(&Self::REDUCER, &self.limbs))
    }

    /// The unreduced product.
    #[inline]
    #[must_use]
    pub fn mul_wide(self, other: Self) -> Unreduced<N, L, M> {
        Unreduced::from_words(single::product::<M::Form, L>(&self.limbs, &other.limbs))
    }

    /// The unreduced square.
    #[inline]
    #[must_use]
    pub fn square_wide(self) -> Unreduced<N, L, M> {
        Unreduced::from_words(single::square(&self.limbs))
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Add for Gf2n<N, L, M> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> AddAssign for Gf2n<N, L, M> {
    #[inline(always)]
    #[allow(clippy::suspicious_op_assign_impl, reason = "addition over GF(2) is exclusive or")]
    fn add_assign(&mut self, other: Self) {
        for (limb, addend) in self.limbs.iter_mut().zip(other.limbs) {
            *limb ^= addend;
        }
    }
}

/// The same as the sum.
impl<const N: usize, const L: usize, M: Modulus<N, L>> Sub for Gf2n<N, L, M> {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::suspicious_arithmetic_impl, reason = "characteristic 2")]
    fn sub(self, other: Self) -> Self {
        self + other
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> SubAssign for Gf2n<N, L, M> {
    #[inline(always)]
    #[allow(clippy::suspicious_op_assign_impl, reason = "characteristic 2")]
    fn sub_assign(&mut self, other: Self) {
        *self += other;
    }
}

/// The element itself.
impl<const N: usize, const L: usize, M: Modulus<N, L>> Neg for Gf2n<N, L, M> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Mul for Gf2n<N, L, M> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.mul_wide(other).reduce()
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> MulAssign for Gf2n<N, L, M> {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Sum for Gf2n<N, L, M> {
    fn sum<I: Iterator<Item = Self>>(elements: I) -> Self {
        elements.fold(Self::ZERO, |sum, element| sum + element)
    }
}
