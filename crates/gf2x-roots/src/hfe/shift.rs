//! The shift of the variable that removes the term next to the leading one.
//!
//! For J = 0 the term X^(2^I) couples each quotient coefficient with the next. With X = Z + delta, delta the coefficient
//! of X^(2^I), every term splits as
//!
//! ```text
//! (Z + delta)^(2^i + 2^j) = Z^(2^i + 2^j) + delta^(2^j) Z^(2^i) + delta^(2^i) Z^(2^j) + delta^(2^i + 2^j)
//! ```
//!
//! so the quadratic coefficients stay, the linear ones gain sums, the constant becomes P(delta), and the term Z^(2^I) vanishes,
//! since 2^I occurs in the leading term only, as delta^(2^0). For J > 0 the next exponent is far enough: delta is 0.

use alloc::vec::Vec;

use super::Erased;
use super::polynomial::pairs;
use crate::field::{Element, Field};

/// P(Z + delta) as exponents and coefficients below the leading one.
pub(super) struct Shifted<const L: usize> {
    pub(super) degree: usize,
    /// Rising.
    pub(super) exponents: Vec<usize>,
    pub(super) coefficients: Vec<Element<L>>,
    pub(super) delta: Element<L>,
}

impl<const L: usize> Shifted<L> {
    pub(super) fn new(field: &Field<L>, polynomial: &Erased<L>) -> Self {
        let (high, low) = (polynomial.high, polynomial.low);
        let mut linear = polynomial.linear.clone();
        let mut constant = polynomial.constant;
        let mut delta = Field::<L>::ZERO;
        if low == 0 {
            delta = linear[high];
            let mut powers = Vec::with_capacity(high + 1);
            let mut power = delta;
            for _ in 0..=high {
                powers.push(power);
                power = field.square(&power);
            }
            for (coefficient, power) in polynomial.linear.iter().zip(&powers) {
                constant = Field::add(&constant, &field.mul(coefficient, power));
            }
            let leading = (Field::<L>::ONE, (high, 0));
            for (coefficient, (i, j)) in
                polynomial.quadratic.iter().copied().zip(pairs(high, low)).chain([leading])
            {
                let with_low = field.mul(&coefficient, &powers[j]);
                linear[i] = Field::add(&linear[i], &with_low);
                linear[j] = Field::add(&linear[j], &field.mul(&coefficient, &powers[i]));
                constant = Field::add(&constant, &field.mul(&with_low, &powers[i]));
            }
            // linear[high] is now delta + delta
            zeroize::Zeroize::zeroize(&mut powers);
            linear.truncate(high);
        }

        // all at once: a vector that grows leaves copies of its coefficients behind
        let mut terms = Vec::with_capacity(1 + linear.len() + polynomial.quadratic.len());
        terms.push((0, constant));
        terms.extend(linear.iter().enumerate().map(|(i, coefficient)| (1 << i, *coefficient)));
        terms
            .extend(pairs(high, low).zip(&polynomial.quadratic).map(|((i, j), c)| ((1 << i) + (1 << j), *c)));
        terms.sort_unstable_by_key(|&(exponent, _)| exponent);
        let exponents = terms.iter().map(|&(exponent, _)| exponent).collect();
        let coefficients = terms.iter().map(|&(_, coefficient)| coefficient).collect();
        for (_, coefficient) in &mut terms {
            zeroize::Zeroize::zeroize(coefficient);
        }
        zeroize::Zeroize::zeroize(&mut linear);
        Self { degree: (1 << high) + (1 << low), exponents, coefficients, delta }
    }
}

impl<const L: usize> Drop for Shifted<L> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.coefficients);
        zeroize::Zeroize::zeroize(&mut self.delta);
    }
}
