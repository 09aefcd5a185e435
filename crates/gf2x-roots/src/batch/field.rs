//! GF(2^k) for k up to 24, as scalars, and the linearised polynomials of its subspaces.

use alloc::vec;
use alloc::vec::Vec;

/// A field GF(2^k), 1 < k <= 24. Elements are integers below 2^k, bit i the coefficient of x^i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchField {
    modulus: u32,
    degree: u32,
}

impl BatchField {
    /// The largest degree.
    pub const MAX_DEGREE: u32 = 24;

    /// GF(2)\[x\] modulo a polynomial, bit i the coefficient of x^i. `None` if its degree is not 2 to 24 or if it is reducible.
    #[must_use]
    pub fn new(modulus: u32) -> Option<Self> {
        let degree = modulus.checked_ilog2()?;
        if !(2..=Self::MAX_DEGREE).contains(&degree) {
            return None;
        }
        // Ben-Or: no factor of degree i, for i up to k/2, if x^(2^i) - x is prime to the modulus
        let field = Self { modulus, degree };
        let mut power = 2;
        for _ in 0..degree / 2 {
            power = field.multiply(power, power);
            if gcd(modulus, power ^ 2) != 1 {
                return None;
            }
        }
        Some(field)
    }

    /// k.
    #[must_use]
    pub const fn degree(self) -> u32 {
        self.degree
    }

    /// x a.
    pub(super) const fn shifted(self, a: u32) -> u32 {
        let top = a >> (self.degree - 1) & 1;
        (a << 1) ^ (self.modulus & top.wrapping_neg())
    }

    /// a b.
    #[must_use]
    pub const fn multiply(self, a: u32, b: u32) -> u32 {
        let (mut sum, mut power, mut bit) = (0, a, 0);
        while bit < self.degree {
            sum ^= power & (b >> bit & 1).wrapping_neg();
            power = self.shifted(power);
            bit += 1;
        }
        sum
    }

    /// 1/a, or zero for zero.
    fn invert(self, a: u32) -> u32 {
        // a^(2^k - 2)
        let (mut result, mut power) = (1, a);
        for _ in 1..self.degree {
            power = self.multiply(power, power);
            result = self.multiply(result, power);
        }
        result
    }

    /// c x^b for b = 0, .., 23, zero for b >= k: multiplication by c as a linear map.
    pub(super) fn images(self, c: u32) -> [u32; 24] {
        let mut images = [0; 24];
        let mut power = c;
        for image in images.iter_mut().take(self.degree as usize) {
            *image = power;
            power = self.shifted(power);
        }
        images
    }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        while a.checked_ilog2() >= b.checked_ilog2() && a != 0 {
            a ^= b << (a.ilog2() - b.ilog2());
        }
        core::mem::swap(&mut a, &mut b);
    }
    a
}

/// The linearised polynomials s_l(X), the product of X - w over all w in the span of 1, x, .., x^(l-1), for l = 0, .., `last`.
///
/// s_0 = X and s_(l+1) = s_l^2 + s_l(x^l) s_l.
pub(super) struct Subspaces {
    /// s_l(x^l), not zero.
    pub(super) values: Vec<u32>,
    /// Coefficients of X^(2^t) in s_l, t = 0, .., l.
    pub(super) coefficients: Vec<Vec<u32>>,
    /// s_l(x^b)/s_l(x^l) for b = 0, .., k-1.
    pub(super) normalised: Vec<Vec<u32>>,
}

impl Subspaces {
    /// `last` < k.
    pub(super) fn new(field: BatchField, last: u32) -> Self {
        let mut values_at_powers: Vec<u32> = (0..field.degree).map(|b| 1 << b).collect();
        let mut coefficients = vec![vec![1]];
        let (mut values, mut normalised) = (vec![], vec![]);
        for l in 0..=last as usize {
            let value = values_at_powers[l];
            let inverse = field.invert(value);
            values.push(value);
            normalised.push(values_at_powers.iter().map(|&v| field.multiply(v, inverse)).collect());
            let mut next = vec![0; l + 2];
            for (t, &c) in coefficients[l].iter().enumerate() {
                next[t + 1] ^= field.multiply(c, c);
                next[t] ^= field.multiply(value, c);
            }
            coefficients.push(next);
            for v in &mut values_at_powers {
                *v = field.multiply(*v, *v) ^ field.multiply(value, *v);
            }
        }
        Self { values, coefficients, normalised }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_the_specification() {
        for (modulus, product) in [(1 << 21 | 5, 0x4edf6), (1 << 20 | 9, 0xe1e8e), (1 << 18 | 9, 0x21e95)] {
            let field = BatchField::new(modulus).unwrap();
            assert_eq!(field.multiply((1 << field.degree()) - 2, 0x2bcde), product);
        }
    }

    #[test]
    fn subspace_polynomials_of_the_specification() {
        for (modulus, value) in [(1 << 21 | 5, 0x16_68a8), (1 << 20 | 9, 0x6_6819), (1 << 18 | 9, 0x2_6aed)] {
            let subspaces = Subspaces::new(BatchField::new(modulus).unwrap(), 3);
            assert_eq!(subspaces.values, [1, 6, 0x168, value]);
            assert_eq!(subspaces.coefficients[2], [6, 7, 1]);
            assert_eq!(subspaces.coefficients[3], [0x770, 0x60c, 0x17d, 1]);
        }
    }

    #[test]
    fn reducible_moduli_are_refused() {
        // numbers of irreducible polynomials of degree 2 to 12
        let known = [1, 2, 3, 6, 9, 18, 30, 56, 99, 186, 335];
        for (degree, known) in (2..=12).zip(known) {
            let count = (1u32 << degree..2 << degree).filter(|&f| BatchField::new(f).is_some()).count();
            assert_eq!(count, known, "degree {degree}");
        }
        for modulus in [0, 1, 2, 3, 1 << 24 | 1, 1 << 25 | 9, u32::MAX] {
            assert!(BatchField::new(modulus).is_none());
        }
    }

    #[test]
    fn inverses() {
        let field = BatchField::new(0x11b).unwrap();
        for a in 1..256 {
            assert_eq!(field.multiply(a, field.invert(a)), 1);
        }
        assert_eq!(field.invert(0), 0);
    }
}
