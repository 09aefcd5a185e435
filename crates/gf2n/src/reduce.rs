//! Reduction of unreduced products modulo a low-weight polynomial, with the exponents as data.
//!
//! One fold replaces x^N h by (low terms) h: for every low exponent e a copy of h, shifted by e, is added. Two folds suffice
//! while the largest low exponent k is at most N / 2 + 1. When k is also below 64 all shifts stay inside one word, and what
//! overflows after the first fold (at most k - 1 bits) is one word: that is the short form below, which serves nearly the
//! whole table. Everything else takes the general form.
//!
//! The exponents are run-time values, so a kernel can be compiled once for a number of limbs and serve every field; where the
//! modulus is a constant of the caller, inlining turns the same code into fixed shifts. Branches depend on the modulus only.

use crate::modulus::ModulusInfo;

/// A reduction modulo one polynomial: the exponents as shift counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reducer {
    degree: u32,
    /// Bits that the top limb of an element uses, 1..=64.
    top_bits: u32,
    short: bool,
    low_exponents: &'static [u16],
}

impl Reducer {
    /// The reduction modulo this polynomial.
    #[inline]
    #[must_use]
    pub const fn new(modulus: &ModulusInfo) -> Self {
        let degree = modulus.degree();
        let largest = modulus.low_exponents()[0] as usize;
        Self {
            degree: degree as u32,
            top_bits: ((degree - 1) % 64 + 1) as u32,
            // after one fold the degree is at most degree - 2 + largest; after two it must be below `degree`
            short: largest <= 63 && 2 * largest < degree + 2,
            low_exponents: modulus.low_exponents(),
        }
    }

    /// The degree N of the modulus.
    #[inline]
    #[must_use]
    pub const fn degree(&self) -> usize {
        self.degree as usize
    }

    /// The 2 L words of a polynomial of degree at most 2 N - 2 (64-bit words, lowest first, in pairs), reduced to L limbs.
    ///
    /// `L` must be ceil(N / 64).
    #[inline(always)]
    #[must_use]
    pub fn reduce<const L: usize>(&self, wide: &[[u64; 2]; L]) -> [u64; L] {
        debug_assert!(L == self.degree().div_ceil(64), "limbs do not fit the modulus");
        if self.short { self.reduce_short(wide) } else { self.reduce_general(wide) }
    }

    /// Bits `N + 64 index ..` of the product, where `low` and `high` are its words L - 1 + index and L + index.
    #[inline(always)]
    const fn above(&self, low: u64, high: u64) -> u64 {
        // two steps, so that a shift of 64 is none
        (low >> (self.top_bits - 1) >> 1) | (high << (64 - self.top_bits))
    }

    #[inline(always)]
    const fn top_mask(&self) -> u64 {
        u64::MAX >> (64 - self.top_bits)
    }

    #[inline(always)]
    fn reduce_short<const L: usize>(&self, wide: &[[u64; 2]; L]) -> [u64; L] {
        let word = |index: usize| wide[index / 2][index % 2];
        let mut result: [u64; L] = core::array::from_fn(word);
        result[L - 1] &= self.top_mask();
        let high: [u64; L] = core::array::from_fn(|i| self.above(word(L - 1 + i), word(L + i)));
        let mut overflow = 0;
        for &exponent in self.low_exponents {
            let shift = u32::from(exponent);
            let mut carry = 0;
            for i in 0..L {
                result[i] ^= (high[i] << shift) | carry;
                carry = high[i] >> 1 >> (63 - shift);
            }
            overflow ^= carry;
        }
        let folded = self.above(result[L - 1], overflow);
        result[L - 1] &= self.top_mask();
        for &exponent in self.low_exponents {
            let shift = u32::from(exponent);
            result[0] ^= folded << shift;
            if L > 1 {
                result[1] ^= folded >> 1 >> (63 - shift);
            }
        }
        result
    }

    #[inline(always)]
    fn reduce_general<const L: usize>(&self, wide: &[[u64; 2]; L]) -> [u64; L] {
        let mut words = *wide;
        let degree = self.degree();
        let largest = usize::from(self.low_exponents[0]);
        let mut top = 2 * degree - 2;
        while top >= degree {
            let count = (top - degree) / 64 + 1;
            let high: [u64; L] = core::array::from_fn(|i| {
                let low = words[(L - 1 + i) / 2][(L - 1 + i) % 2];
                self.above(low, words[(L + i) / 2][(L + i) % 2])
            });
            words[(L - 1) / 2][(L - 1) % 2] &= self.top_mask();
            for i in L..2 * L {
                words[i / 2][i % 2] = 0;
            }
            for &exponent in self.low_exponents {
                let (offset, shift) = (usize::from(exponent) / 64, u32::from(exponent) % 64);
                let mut carry = 0;
                for (i, &value) in high.iter().enumerate().take(count) {
                    words[(offset + i) / 2][(offset + i) % 2] ^= (value << shift) | carry;
                    carry = value >> 1 >> (63 - shift);
                }
                // beyond the last word there is no carry: the degree is at most top - degree + exponent < 128 L
                if offset + count < 2 * L {
                    words[(offset + count) / 2][(offset + count) % 2] ^= carry;
                }
            }
            top = if largest == 0 { degree - 1 } else { top - degree + largest };
        }
        core::array::from_fn(|i| words[i / 2][i % 2])
    }
}
