//! The coefficients of the central map without the type of their field.
//!
//! Elements are arrays of L words. What is here and in `polar_form` is compiled once for every number of words, not for every
//! field.

use alloc::vec::Vec;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::HfeDegree;

/// An element of a field of at most 64 L bits.
pub(crate) type Words<const L: usize> = [u64; L];

/// `sum += element` if the lowest bit of `bit` is set. Constant time.
#[inline(always)]
pub(crate) fn add_if<const L: usize>(sum: &mut Words<L>, element: &Words<L>, bit: u64) {
    let mask = core::hint::black_box((bit & 1).wrapping_neg());
    for (word, addend) in sum.iter_mut().zip(element) {
        *word ^= mask & addend;
    }
}

/// `sum += element`.
#[inline(always)]
pub(crate) fn add<const L: usize>(sum: &mut Words<L>, element: &Words<L>) {
    for (word, addend) in sum.iter_mut().zip(element) {
        *word ^= addend;
    }
}

/// Bit k of a vector, in the lowest bit of the result (the others are not zero).
#[inline(always)]
pub(crate) fn bit(vector: &[u64], k: usize) -> u64 {
    vector[k / 64] >> (k % 64)
}

/// The coefficients of [`HfevPolynomial`](crate::HfevPolynomial), in its order. Wiped when dropped.
pub(crate) struct Coefficients<const L: usize> {
    pub(crate) degree: HfeDegree,
    pub(crate) vinegar: usize,
    pub(crate) constant: Vec<Words<L>>,
    pub(crate) linear: Vec<Words<L>>,
    pub(crate) quadratic: Vec<Words<L>>,
}

impl<const L: usize> Coefficients<L> {
    /// The coefficient of y_a y_b, a <= b, in c.
    pub(crate) fn vinegar_product(&self, a: usize, b: usize) -> &Words<L> {
        &self.constant[1 + a * (2 * self.vinegar + 1 - a) / 2 + (b - a)]
    }

    /// l_i: its constant, then the coefficients of the vinegar variables.
    pub(crate) fn linear_of(&self, i: usize) -> &[Words<L>] {
        &self.linear[i * (self.vinegar + 1)..(i + 1) * (self.vinegar + 1)]
    }

    /// The sum over k of y_k (coefficient of y_k in l_i). Constant time.
    pub(crate) fn linear_part(&self, i: usize, vinegar: &[u64]) -> Words<L> {
        let mut sum = [0; L];
        for (k, coefficient) in self.linear_of(i)[1..].iter().enumerate() {
            add_if(&mut sum, coefficient, bit(vinegar, k));
        }
        sum
    }

    /// c(y) without its constant term. Constant time.
    pub(crate) fn vinegar_part(&self, vinegar: &[u64]) -> Words<L> {
        let mut value = [0; L];
        let mut coefficients = &self.constant[1..];
        for a in 0..self.vinegar {
            let (row, rest) = coefficients.split_at(self.vinegar - a);
            let mut sum = [0; L];
            for (b, coefficient) in (a..).zip(row) {
                add_if(&mut sum, coefficient, bit(vinegar, b));
            }
            add_if(&mut value, &sum, bit(vinegar, a));
            coefficients = rest;
        }
        value
    }
}

impl<const L: usize> Drop for Coefficients<L> {
    fn drop(&mut self) {
        self.constant.zeroize();
        self.linear.zeroize();
        self.quadratic.zeroize();
    }
}

impl<const L: usize> ZeroizeOnDrop for Coefficients<L> {}
