//! The multiples `x^t a` of a list of ring elements `a`, all elements at once.
//!
//! A list is flat: the `l` coefficients of the first element, of the second, and so on. Multiplication by x moves every coefficient to
//! its neighbour, byte by byte and without a look at element boundaries, but for two coefficients of each element, which
//! masks of period `l` pick. So it is a loop over bytes that the compiler turns into vectors of any width.

use super::ring::QuotientRing;
use gf2n::secret::SecretVec;

/// Bytes before and after each list that may be read: zeros after a list, anything before it.
const MARGIN: usize = 64;

/// `x^t a` for `t < l`. Wiped when dropped.
pub(crate) struct Multiples {
    stride: usize,
    bytes: SecretVec<u8>,
}

impl Multiples {
    /// The multiples of `elements`.
    #[inline(always)]
    pub(crate) fn new<R: QuotientRing>(elements: &[u8]) -> Self {
        if R::DEGREE == 3 { Self::by_blocks::<R, 96>(elements) } else { Self::by_blocks::<R, 320>(elements) }
    }

    /// `BLOCK` is a multiple of the degree and of the length of a vector.
    #[inline(always)]
    fn by_blocks<R: QuotientRing, const BLOCK: usize>(elements: &[u8]) -> Self {
        let stride = elements.len().next_multiple_of(BLOCK) + 2 * MARGIN;
        let mut bytes = SecretVec::zeros(R::DEGREE * stride);
        bytes[MARGIN..MARGIN + elements.len()].copy_from_slice(elements);
        for t in 1..R::DEGREE {
            let (from, to) = bytes[(t - 1) * stride..(t + 1) * stride].split_at_mut(stride);
            times_x::<R, BLOCK>(from, to);
        }
        Self { stride, bytes }
    }

    /// The list `x^t a`, followed by at least 64 zeros.
    #[inline(always)]
    pub(crate) fn power(&self, t: usize) -> &[u8] {
        &self.bytes[t * self.stride + MARGIN..(t + 1) * self.stride]
    }

    /// Reorders the coefficients of every element of every list: coefficient `t` becomes the one of index `from(t)`.
    #[inline(always)]
    pub(crate) fn permute<R: QuotientRing>(&mut self, from: impl Fn(usize) -> usize) {
        for list in self.bytes.chunks_exact_mut(self.stride) {
            for element in list[MARGIN..].chunks_exact_mut(R::DEGREE) {
                let mut copy = [0; super::ring::MAX_DEGREE];
                for (copy, coefficient) in copy.iter_mut().zip(element.iter()) {
                    *copy = *coefficient;
                }
                for (t, coefficient) in element.iter_mut().enumerate() {
                    *coefficient = copy[from(t)];
                }
            }
        }
    }
}

/// All ones at the places that are `c` modulo `period`.
const fn places<const BLOCK: usize>(period: usize, c: usize) -> [u8; BLOCK] {
    let mut out = [0; BLOCK];
    let mut k = c;
    while k < BLOCK {
        out[k] = 0xff;
        k += period;
    }
    out
}

/// `to = x from`, both with their margins.
#[inline(always)]
fn times_x<R: QuotientRing, const BLOCK: usize>(from: &[u8], to: &mut [u8]) {
    let constant = const { &places::<BLOCK>(R::DEGREE, 0) };
    let exponent = const { &places::<BLOCK>(R::DEGREE, R::EXPONENT) };
    let modulus = R::MODULUS as u8;
    let blocks = to[MARGIN..].as_chunks_mut::<BLOCK>().0;
    for (start, to) in (MARGIN..).step_by(BLOCK).zip(blocks) {
        let read = |at: usize| from[at..].first_chunk::<BLOCK>();
        let top = start + R::DEGREE - 1;
        let (Some(lower), Some(top), Some(added)) = (read(start - 1), read(top), read(top - R::EXPONENT))
        else {
            return;
        };
        for k in 0..BLOCK {
            let mut sum = (lower[k] & !constant[k]) | (top[k] & constant[k]);
            for _ in 0..R::FACTOR {
                // at most q + (q - 1); the fold leaves at most q
                sum += added[k] & exponent[k];
                sum = (sum & modulus) + (sum >> R::BITS);
            }
            to[k] = sum & !(modulus * ((sum + 1) >> R::BITS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, element, multiplication_matrix};
    use super::*;
    use alloc::vec::Vec;

    fn agrees<R: QuotientRing>() {
        for count in [1, 2, 31, 32, 33, 100] {
            let spread = |i: usize| ((i as u32).wrapping_mul(2_654_435_761) >> 11) % R::MODULUS;
            for fill in [&spread as &dyn Fn(usize) -> u32, &|_| R::MODULUS - 1, &|_| 0] {
                let list: Vec<u8> = (0..count * R::DEGREE).map(|i| fill(i) as u8).collect();
                let multiples = Multiples::new::<R>(&list);
                for (i, coefficients) in list.chunks_exact(R::DEGREE).enumerate() {
                    let rows = multiplication_matrix::<R>(&element::<R>(coefficients));
                    for (t, row) in rows.iter().enumerate().take(R::DEGREE) {
                        let found = &multiples.power(t)[i * R::DEGREE..(i + 1) * R::DEGREE];
                        assert_eq!(found, &row[..R::DEGREE], "element {i} of {count}, x^{t}");
                    }
                }
                for t in 0..R::DEGREE {
                    assert!(multiples.power(t)[list.len()..][..64].iter().all(|&byte| byte == 0));
                }
            }
        }
    }

    #[test]
    fn agrees_with_the_multiplication_matrix() {
        agrees::<Q7L10>();
        agrees::<Q31L3>();
        agrees::<Q31L10>();
        agrees::<Q127L3>();
        agrees::<Q127L10>();
    }
}
