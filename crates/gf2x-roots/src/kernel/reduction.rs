//! Reduction of a vector of products modulo the field polynomial, word by word across many elements.
//!
//! The vectors hold word i of several products each ("structure of arrays"), so all shifts are shifts of words by one count,
//! and the exponents of the modulus are data: one compiled kernel serves every field of L words.

use gf2n::backend::WordLanes;
use gf2n::modulus::ModulusInfo;

/// The shift counts of a modulus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordReducer {
    degree: usize,
    /// Bits that the top word of an element uses, 1..=64.
    top_bits: u32,
    /// Two folds suffice and the overflow of the first is one word.
    short: bool,
    low_exponents: &'static [u16],
}

impl WordReducer {
    pub(crate) const fn new(modulus: &ModulusInfo) -> Self {
        let degree = modulus.degree();
        let low_exponents = modulus.low_exponents();
        let largest = low_exponents[0] as usize;
        Self {
            degree,
            top_bits: ((degree - 1) % 64 + 1) as u32,
            // after one fold the degree is at most degree - 2 + largest, after two it must be below `degree`
            short: largest <= 63 && 2 * largest < degree + 2,
            low_exponents,
        }
    }

    /// The degree of the modulus.
    pub(super) const fn degree(&self) -> usize {
        self.degree
    }

    #[inline(always)]
    const fn top_mask(&self) -> u64 {
        u64::MAX >> (64 - self.top_bits)
    }

    /// The word of bits `degree + 64 i ..` from the words L - 1 + i and L + i.
    #[inline(always)]
    fn above<B: WordLanes>(&self, lanes: B, low: B::Vector, high: B::Vector) -> B::Vector {
        lanes.xor(lanes.shift_right(low, self.top_bits), lanes.shift_left(high, 64 - self.top_bits))
    }

    /// Reduces the products whose words are `wide[i / 2][i % 2]`, of degree at most 2 `degree` - 2, to `L` words.
    #[inline(always)]
    pub(crate) fn reduce<B: WordLanes, const L: usize>(
        &self,
        lanes: B,
        wide: [[B::Vector; 2]; L],
    ) -> [B::Vector; L] {
        if self.short { self.reduce_short(lanes, wide) } else { self.reduce_general(lanes, wide) }
    }

    #[inline(always)]
    fn reduce_short<B: WordLanes, const L: usize>(
        &self,
        lanes: B,
        wide: [[B::Vector; 2]; L],
    ) -> [B::Vector; L] {
        let mask = lanes.splat(self.top_mask());
        // plain loops: a closure given to a library function would be compiled without the features
        let mut result = [lanes.zero(); L];
        let mut high = [lanes.zero(); L];
        for i in 0..L {
            result[i] = wide[i / 2][i % 2];
            high[i] =
                self.above(lanes, wide[(L - 1 + i) / 2][(L - 1 + i) % 2], wide[(L + i) / 2][(L + i) % 2]);
        }
        result[L - 1] = lanes.and(result[L - 1], mask);
        let mut overflow = lanes.zero();
        for &exponent in self.low_exponents {
            let shift = u32::from(exponent);
            let mut carry = lanes.zero();
            for i in 0..L {
                let moved = lanes.xor(lanes.shift_left(high[i], shift), carry);
                result[i] = lanes.xor(result[i], moved);
                carry = lanes.shift_right(high[i], 64 - shift);
            }
            overflow = lanes.xor(overflow, carry);
        }
        let folded = self.above(lanes, result[L - 1], overflow);
        result[L - 1] = lanes.and(result[L - 1], mask);
        for &exponent in self.low_exponents {
            let shift = u32::from(exponent);
            result[0] = lanes.xor(result[0], lanes.shift_left(folded, shift));
            if L > 1 {
                result[1] = lanes.xor(result[1], lanes.shift_right(folded, 64 - shift));
            }
        }
        result
    }

    #[inline(always)]
    fn reduce_general<B: WordLanes, const L: usize>(
        &self,
        lanes: B,
        mut wide: [[B::Vector; 2]; L],
    ) -> [B::Vector; L] {
        let mask = lanes.splat(self.top_mask());
        let largest = usize::from(self.low_exponents[0]);
        let mut top = 2 * self.degree - 2;
        while top >= self.degree {
            let count = (top - self.degree) / 64 + 1;
            let mut high = [lanes.zero(); L];
            for i in 0..L {
                high[i] =
                    self.above(lanes, wide[(L - 1 + i) / 2][(L - 1 + i) % 2], wide[(L + i) / 2][(L + i) % 2]);
            }
            let last = &mut wide[(L - 1) / 2][(L - 1) % 2];
            *last = lanes.and(*last, mask);
            for i in L..2 * L {
                wide[i / 2][i % 2] = lanes.zero();
            }
            for &exponent in self.low_exponents {
                let (offset, shift) = (usize::from(exponent) / 64, u32::from(exponent) % 64);
                let mut carry = lanes.zero();
                for (i, &value) in high.iter().enumerate().take(count) {
                    let place = &mut wide[(offset + i) / 2][(offset + i) % 2];
                    *place = lanes.xor(*place, lanes.xor(lanes.shift_left(value, shift), carry));
                    carry = lanes.shift_right(value, 64 - shift);
                }
                // past the last word there is no carry: the degree is at most top - degree + exponent < 128 L
                if offset + count < 2 * L {
                    let place = &mut wide[(offset + count) / 2][(offset + count) % 2];
                    *place = lanes.xor(*place, carry);
                }
            }
            top = if largest == 0 { self.degree - 1 } else { top - self.degree + largest };
        }
        let mut result = [lanes.zero(); L];
        for i in 0..L {
            result[i] = wide[i / 2][i % 2];
        }
        result
    }
}
