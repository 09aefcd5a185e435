//! Sums of multiples by powers of z in the ring GF(16)\[z\]/f(z), reduced once at the end.
//!
//! A packed m-vector is a polynomial of degree below m, the coefficient of z^i being element i. f(z) = z^m + tail, the tail of
//! degree at most 3. m is even. Constant time with respect to the coefficients; exponents are public.

use alloc::vec;
use gf2n::secret::SecretBytes;

use gf2n::small::gf16;
use zeroize::Zeroizing;

use crate::trapdoor::add;

/// Polynomials side by side, `stride` bytes each, long enough for every product by a power of z that occurs.
pub(super) struct Sums {
    stride: usize,
    /// Sums of products by even and, one element lower, by odd powers.
    even: SecretBytes,
    odd: SecretBytes,
}

impl Sums {
    /// `count` zero sums of polynomials of `cell` bytes times powers of z up to `exponent`.
    pub(super) fn new(count: usize, cell: usize, exponent: usize) -> Self {
        let stride = (cell + exponent / 2 + 1).next_multiple_of(8);
        Self { stride, even: SecretBytes::zeros(count * stride), odd: SecretBytes::zeros(count * stride) }
    }

    /// Room for `count` polynomials at the distance of the sums.
    pub(super) fn room(&self, count: usize) -> SecretBytes {
        SecretBytes::zeros(count * self.stride)
    }

    /// Spreads the cells of a block to the distance of the sums.
    pub(super) fn spread(&self, cells: &[u8], cell: usize, wide: &mut [u8]) {
        for (to, from) in wide.chunks_exact_mut(self.stride).zip(cells.chunks_exact(cell)) {
            to[..cell].copy_from_slice(from);
        }
    }

    /// Adds z^exponent times each polynomial of `wide` to the sums from number `first` on.
    pub(super) fn add(&mut self, first: usize, wide: &[u8], exponent: usize) {
        let sums = if exponent.is_multiple_of(2) { &mut self.even } else { &mut self.odd };
        // the polynomials are followed by zeros, so that their tails do not run into the next sum
        let start = first * self.stride;
        let end = start + wide.len();
        add(&mut sums[start + exponent / 2..end], wide);
    }

    /// Reduces the sums modulo f and hands each over, `cell` bytes long. Compiled for each set, whose f is then a constant.
    #[inline(always)]
    pub(super) fn reduce(self, cell: usize, tail: [u8; 4], mut out: impl FnMut(usize, &[u8])) {
        let words = self.stride / 8;
        let mut sum = Zeroizing::new(vec![0u64; words]);
        let mut bytes = SecretBytes::zeros(self.stride);
        let polynomials =
            self.even.chunks_exact(self.stride).zip(self.odd.chunks_exact(self.stride)).enumerate();
        for (number, (even, odd)) in polynomials {
            let mut carry = 0;
            for (sum, (even, odd)) in sum.iter_mut().zip(even.chunks_exact(8).zip(odd.chunks_exact(8))) {
                let odd = word(odd, 0);
                *sum = word(even, 0) ^ (odd << 4) ^ carry;
                carry = odd >> 60;
            }
            // z^(m + i) = tail * z^i; what exceeds is so short that its products stay below m
            let (first, shift) = (cell / 8, 8 * (cell % 8) as u32);
            let mut before = [0; 4];
            // one word more than the excess has, for the last carries
            for index in 0..=words - first {
                let (low, high) = (sum.get(first + index), sum.get(first + index + 1));
                let (low, high) = (low.copied().unwrap_or(0), high.copied().unwrap_or(0));
                let excess = (low >> shift) | (high << 1 << (63 - shift));
                let multiples = multiples(excess);
                let Some(sum) = sum.get_mut(index) else { break };
                for (degree, coefficient) in tail.into_iter().enumerate() {
                    let mut product = 0;
                    for (bit, multiple) in multiples.iter().enumerate() {
                        // f is public
                        if (coefficient >> bit) & 1 == 1 {
                            product ^= multiple;
                        }
                    }
                    *sum ^= (product << (4 * degree)) ^ (before[degree] >> 1 >> (63 - 4 * degree));
                    before[degree] = product;
                }
            }
            for (bytes, sum) in bytes.chunks_exact_mut(8).zip(sum.iter()) {
                bytes.copy_from_slice(&sum.to_le_bytes());
            }
            out(number, &bytes[..cell]);
        }
    }
}

/// Every element of a word times 1, x, x^2, x^3.
#[inline(always)]
fn multiples(word: u64) -> [u64; 4] {
    let x = gf16::times_x(word);
    let x2 = gf16::times_x(x);
    [word, x, x2, gf16::times_x(x2)]
}

/// The eight bytes at `at`; zeros behind the end.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    if let Some(bytes) = bytes.get(at..at + 8) {
        word.copy_from_slice(bytes);
    } else if let Some(bytes) = bytes.get(at..) {
        word[..bytes.len()].copy_from_slice(bytes);
    }
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use mq_eval::packed::{Gf16, PackedField};

    /// z times u, the specification's way.
    fn times_z(u: &mut Vec<u8>, tail: [u8; 4]) {
        let top = u.pop().unwrap();
        u.insert(0, 0);
        for (place, coefficient) in u.iter_mut().zip(tail) {
            *place ^= gf16::multiply(coefficient, top);
        }
    }

    #[test]
    fn sums_of_shifts_agree_with_repeated_products_by_z() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let rings = [
            (64, 14, [8, 0, 2, 8]),
            (78, 54, [8, 1, 1, 0]),
            (80, 54, [2, 0, 4, 2]),
            (108, 65, [8, 0, 1, 7]),
            (142, 77, [4, 0, 8, 1]),
        ];
        for (m, top, tail) in rings {
            let cell = m / 2;
            let mut sums = Sums::new(3, cell, top);
            let mut expected = vec![vec![0; m]; 3];
            for (first, exponent) in [(0, 0), (1, 1), (0, top), (1, top - 1), (0, 7), (1, 8)] {
                let cells: Vec<u8> = (0..2 * cell).map(|_| next()).collect();
                let mut wide = sums.room(2);
                sums.spread(&cells, cell, &mut wide);
                sums.add(first, &wide, exponent);
                for (offset, polynomial) in cells.chunks_exact(cell).enumerate() {
                    let mut elements = vec![0; m];
                    Gf16::unpack(polynomial, &mut elements);
                    (0..exponent).for_each(|_| times_z(&mut elements, tail));
                    add(&mut expected[first + offset], &elements);
                }
            }
            sums.reduce(cell, tail, |number, polynomial| {
                let mut elements = vec![0; m];
                Gf16::unpack(polynomial, &mut elements);
                assert_eq!(elements, expected[number], "m = {m}");
            });
        }
    }
}
