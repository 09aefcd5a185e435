//! Unreduced products: sums of products that are reduced once.
//!
//! Reduction is linear over GF(2), so a dot product needs one reduction and not one for each term.

use core::iter::Sum;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign};

use zeroize::Zeroize;

use crate::Gf2n;
use crate::modulus::{LibraryModulus, Modulus};

/// A polynomial of degree at most 2 N - 2: a product of two elements, or a sum of products, before reduction.
///
/// ```
/// use gf2n::{Gf2n, Unreduced};
/// type Field = Gf2n<265, 5>;
/// let (a, b) = (Field::X.square_n(70), Field::X.square_n(201));
/// let sum = a.mul_wide(b) + b.square_wide() + a.into();
/// assert_eq!(sum.reduce(), a * b + b * b + a);
/// ```
pub struct Unreduced<const N: usize, const L: usize, M = LibraryModulus> {
    words: [[u64; 2]; L],
    modulus: PhantomData<M>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Unreduced<N, L, M> {
    /// The zero polynomial.
    pub const ZERO: Self = Self { words: [[0; 2]; L], modulus: PhantomData };

    /// The 2 L words, lowest first, in pairs.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> &[[u64; 2]; L] {
        &self.words
    }

    /// From 2 L words, lowest first, in pairs; bits from 2 N - 1 on are cleared.
    #[inline(always)]
    #[must_use]
    pub fn from_words_truncated(mut words: [[u64; 2]; L]) -> Self {
        let top = 2 * N - 2;
        for index in 0..2 * L {
            let kept = (top + 1).saturating_sub(64 * index).min(64);
            words[index / 2][index % 2] &= if kept == 0 { 0 } else { u64::MAX >> (64 - kept) };
        }
        Self { words, modulus: PhantomData }
    }

    /// Words that are known to have degree at most 2 N - 2.
    #[inline(always)]
    pub(crate) const fn from_words(words: [[u64; 2]; L]) -> Self {
        Self { words, modulus: PhantomData }
    }

    /// The element that the polynomial represents.
    #[inline(always)]
    #[must_use]
    pub fn reduce(&self) -> Gf2n<N, L, M> {
        Gf2n::from_reduced(Gf2n::<N, L, M>::REDUCER.reduce(&self.words))
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> From<Gf2n<N, L, M>> for Unreduced<N, L, M> {
    #[inline(always)]
    fn from(element: Gf2n<N, L, M>) -> Self {
        let mut unreduced = Self::ZERO;
        for (index, limb) in element.limbs().iter().enumerate() {
            unreduced.words[index / 2][index % 2] = *limb;
        }
        unreduced
    }
}

impl<const N: usize, const L: usize, M> Clone for Unreduced<N, L, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: usize, const L: usize, M> Copy for Unreduced<N, L, M> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Default for Unreduced<N, L, M> {
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> AddAssign for Unreduced<N, L, M> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        for (pair, addend) in self.words.iter_mut().zip(other.words) {
            pair[0] ^= addend[0];
            pair[1] ^= addend[1];
        }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Add for Unreduced<N, L, M> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Sum for Unreduced<N, L, M> {
    fn sum<I: Iterator<Item = Self>>(products: I) -> Self {
        products.fold(Self::ZERO, |sum, product| sum + product)
    }
}

impl<const N: usize, const L: usize, M> Zeroize for Unreduced<N, L, M> {
    fn zeroize(&mut self) {
        self.words.zeroize();
    }
}
