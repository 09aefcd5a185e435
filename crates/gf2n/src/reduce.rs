//! Reduction of unreduced products modulo a low-weight polynomial, with the exponents as data.
//!
//! One fold replaces x^N h by (low terms) h: for every low exponent e a copy of h, shifted by e, is added. Let k be the largest
//! low exponent. After one fold the degree is at most N - 2 + k, after two it is below N if 2 k < N + 2. Three forms:
//!
//! - *short*, k < 64 and two folds: shifts stay inside one word, and what overflows after the first fold (at most k - 1
//!   bits) is one word. Nearly the whole table.
//! - *medium*, k < 192 and two folds: the same with shifts by zero, one or two words more, and three words of overflow.
//! - *general*: folds until the degree is below N.
//!
//! The exponents are run-time values, so a kernel can be compiled once for a number of limbs and serve every field; where the
//! modulus is a constant of the caller, inlining turns the same code into fixed shifts. The code is written once for single
//! elements and for vectors that hold one word of many elements. Branches depend on the modulus only.

use crate::backend::WordLanes;
use crate::modulus::ModulusInfo;

/// A reduction modulo one polynomial: the exponents as shift counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reducer {
    degree: u32,
    /// Bits that the top limb of an element uses, 1..=64.
    top_bits: u32,
    form: Form,
    low_exponents: &'static [u16],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Short,
    Medium,
    General,
}

/// Words that a reduction works on: single words, or vectors of words of many elements.
trait Words: Copy {
    type Word: Copy;
    fn zero(self) -> Self::Word;
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn and(self, a: Self::Word, mask: u64) -> Self::Word;
    /// For counts in 0..=63.
    fn shift_left(self, a: Self::Word, count: u32) -> Self::Word;
    /// For counts in 1..=64.
    fn shift_right(self, a: Self::Word, count: u32) -> Self::Word;
}

#[derive(Clone, Copy)]
struct Scalar;

impl Words for Scalar {
    type Word = u64;

    #[inline(always)]
    fn zero(self) -> u64 {
        0
    }

    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn and(self, a: u64, mask: u64) -> u64 {
        a & mask
    }

    #[inline(always)]
    fn shift_left(self, a: u64, count: u32) -> u64 {
        a << count
    }

    #[inline(always)]
    fn shift_right(self, a: u64, count: u32) -> u64 {
        // two steps, so that a shift by 64 gives zero
        a >> 1 >> (count - 1)
    }
}

#[derive(Clone, Copy)]
struct Lanes<B>(B);

impl<B: WordLanes> Words for Lanes<B> {
    type Word = B::Vector;

    #[inline(always)]
    fn zero(self) -> B::Vector {
        self.0.zero()
    }

    #[inline(always)]
    fn xor(self, a: B::Vector, b: B::Vector) -> B::Vector {
        self.0.xor(a, b)
    }

    #[inline(always)]
    fn and(self, a: B::Vector, mask: u64) -> B::Vector {
        self.0.and(a, self.0.splat(mask))
    }

    #[inline(always)]
    fn shift_left(self, a: B::Vector, count: u32) -> B::Vector {
        self.0.shift_left(a, count)
    }

    #[inline(always)]
    fn shift_right(self, a: B::Vector, count: u32) -> B::Vector {
        self.0.shift_right(a, count)
    }
}

impl Reducer {
    /// The reduction modulo this polynomial.
    #[inline]
    #[must_use]
    pub const fn new(modulus: &ModulusInfo) -> Self {
        let degree = modulus.degree();
        let largest = modulus.low_exponents()[0] as usize;
        let two_folds = 2 * largest < degree + 2;
        Self {
            degree: degree as u32,
            top_bits: ((degree - 1) % 64 + 1) as u32,
            form: match largest {
                0..64 if two_folds => Form::Short,
                64..192 if two_folds => Form::Medium,
                _ => Form::General,
            },
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
        self.reduce_words(Scalar, wide)
    }

    /// The same for many polynomials at once: vector i holds word i of each.
    ///
    /// Belongs inside a kernel that runs under the back end.
    #[inline(always)]
    #[must_use]
    pub fn reduce_lanes<B: WordLanes, const L: usize>(
        &self,
        lanes: B,
        wide: &[[B::Vector; 2]; L],
    ) -> [B::Vector; L] {
        self.reduce_words(Lanes(lanes), wide)
    }

    #[inline(always)]
    fn reduce_words<W: Words, const L: usize>(&self, words: W, wide: &[[W::Word; 2]; L]) -> [W::Word; L] {
        debug_assert!(L == self.degree().div_ceil(64), "limbs do not fit the modulus");
        match self.form {
            Form::Short => self.reduce_short(words, wide),
            Form::Medium => self.reduce_medium(words, wide),
            Form::General => self.reduce_general(words, wide),
        }
    }

    /// The low exponents without the last one, which is 0: an irreducible polynomial has a constant term.
    #[inline(always)]
    fn shifted(&self) -> &'static [u16] {
        self.low_exponents.split_last().map_or(&[], |(_, shifted)| shifted)
    }

    /// Bits N + 64 i to N + 64 i + 63 of a polynomial, from its words L - 1 + i and L + i.
    #[inline(always)]
    fn above<W: Words>(&self, words: W, low: W::Word, high: W::Word) -> W::Word {
        words.xor(words.shift_right(low, self.top_bits), words.shift_left(high, 64 - self.top_bits))
    }

    #[inline(always)]
    const fn top_mask(&self) -> u64 {
        u64::MAX >> (64 - self.top_bits)
    }

    /// Splits at bit N: the L low words and the L words of what is above.
    #[inline(always)]
    fn split<W: Words, const L: usize>(
        &self,
        words: W,
        wide: &[[W::Word; 2]; L],
    ) -> ([W::Word; L], [W::Word; L]) {
        let (mut low, mut high) = ([words.zero(); L], [words.zero(); L]);
        for i in 0..L {
            low[i] = wide[i / 2][i % 2];
            let (below, index) = (L - 1 + i, L + i);
            high[i] = self.above(words, wide[below / 2][below % 2], wide[index / 2][index % 2]);
        }
        low[L - 1] = words.and(low[L - 1], self.top_mask());
        (low, high)
    }

    #[inline(always)]
    fn reduce_short<W: Words, const L: usize>(&self, words: W, wide: &[[W::Word; 2]; L]) -> [W::Word; L] {
        let (mut result, high) = self.split(words, wide);
        for i in 0..L {
            result[i] = words.xor(result[i], high[i]);
        }
        let mut overflow = words.zero();
        for &exponent in self.shifted() {
            let shift = u32::from(exponent);
            let mut carry = words.zero();
            for i in 0..L {
                let moved = words.xor(words.shift_left(high[i], shift), carry);
                result[i] = words.xor(result[i], moved);
                carry = words.shift_right(high[i], 64 - shift);
            }
            overflow = words.xor(overflow, carry);
        }
        let folded = self.above(words, result[L - 1], overflow);
        result[L - 1] = words.and(result[L - 1], self.top_mask());
        result[0] = words.xor(result[0], folded);
        for &exponent in self.shifted() {
            let shift = u32::from(exponent);
            result[0] = words.xor(result[0], words.shift_left(folded, shift));
            if L > 1 {
                result[1] = words.xor(result[1], words.shift_right(folded, 64 - shift));
            }
        }
        result
    }

    #[inline(always)]
    fn reduce_medium<W: Words, const L: usize>(&self, words: W, wide: &[[W::Word; 2]; L]) -> [W::Word; L] {
        let (mut result, high) = self.split(words, wide);
        for i in 0..L {
            result[i] = words.xor(result[i], high[i]);
        }
        let mut overflow = [words.zero(); 4];
        for &exponent in self.shifted() {
            let shift = u32::from(exponent) % 64;
            match exponent / 64 {
                0 => add_shifted::<W, L, L, 0>(words, &high, shift, &mut result, &mut overflow),
                1 => add_shifted::<W, L, L, 1>(words, &high, shift, &mut result, &mut overflow),
                _ => add_shifted::<W, L, L, 2>(words, &high, shift, &mut result, &mut overflow),
            }
        }
        let mut folded = [words.zero(); 3];
        let mut below = result[L - 1];
        for (word, &next) in folded.iter_mut().zip(&overflow) {
            *word = self.above(words, below, next);
            below = next;
        }
        result[L - 1] = words.and(result[L - 1], self.top_mask());
        // the degree is below N now: nothing overflows any more
        for (place, &word) in result.iter_mut().zip(&folded) {
            *place = words.xor(*place, word);
        }
        for &exponent in self.shifted() {
            let shift = u32::from(exponent) % 64;
            match exponent / 64 {
                0 => add_shifted::<W, L, 3, 0>(words, &folded, shift, &mut result, &mut overflow),
                1 => add_shifted::<W, L, 3, 1>(words, &folded, shift, &mut result, &mut overflow),
                _ => add_shifted::<W, L, 3, 2>(words, &folded, shift, &mut result, &mut overflow),
            }
        }
        result
    }

    #[inline(always)]
    fn reduce_general<W: Words, const L: usize>(&self, words: W, wide: &[[W::Word; 2]; L]) -> [W::Word; L] {
        let mut wide = *wide;
        let degree = self.degree();
        let largest = usize::from(self.low_exponents[0]);
        let mut top = 2 * degree - 2;
        while top >= degree {
            let count = (top - degree) / 64 + 1;
            let (low, high) = self.split(words, &wide);
            for i in 0..L {
                wide[i / 2][i % 2] = low[i];
            }
            for i in L..2 * L {
                wide[i / 2][i % 2] = words.zero();
            }
            for &exponent in self.low_exponents {
                let (offset, shift) = (usize::from(exponent) / 64, u32::from(exponent) % 64);
                let mut carry = words.zero();
                for (i, &value) in high.iter().enumerate().take(count) {
                    let place = &mut wide[(offset + i) / 2][(offset + i) % 2];
                    *place = words.xor(*place, words.xor(words.shift_left(value, shift), carry));
                    carry = words.shift_right(value, 64 - shift);
                }
                // past the last word there is no carry: the degree is at most top - degree + exponent < 128 L
                if offset + count < 2 * L {
                    let place = &mut wide[(offset + count) / 2][(offset + count) % 2];
                    *place = words.xor(*place, carry);
                }
            }
            top = if largest == 0 { degree - 1 } else { top - degree + largest };
        }
        let mut result = [words.zero(); L];
        for (i, word) in result.iter_mut().enumerate() {
            *word = wide[i / 2][i % 2];
        }
        result
    }
}

/// Adds `value`, shifted up by `WORDS` words and `shift` < 64 bits, to `result` and what lies above it.
#[inline(always)]
fn add_shifted<W: Words, const L: usize, const COUNT: usize, const WORDS: usize>(
    words: W,
    value: &[W::Word; COUNT],
    shift: u32,
    result: &mut [W::Word; L],
    above: &mut [W::Word; 4],
) {
    let mut carry = words.zero();
    for i in 0..=COUNT {
        let mut moved = carry;
        if let Some(&word) = value.get(i) {
            moved = words.xor(words.shift_left(word, shift), carry);
            carry = words.shift_right(word, 64 - shift);
        }
        let index = i + WORDS;
        if index < L {
            result[index] = words.xor(result[index], moved);
        } else if index - L < above.len() {
            above[index - L] = words.xor(above[index - L], moved);
        }
    }
}
