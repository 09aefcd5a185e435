//! The public map as a dot product.
//!
//! With `z_ij = s_i s_j` in the ring and the pairing `psi(a b) = sum a[t] b[perm(t)]`,
//! `P_k(s) = <P1_k, w1> + <P2_k, w2> + <P3_k, w3>` over `F_q`, where the weights of entry (i, j) are the permuted coefficients of `z_ij`,
//! doubled off the diagonal, and the `P` are the element lists in the order of the stream and of the public key. The weights do
//! not depend on `k`: a verification is one pass over the stream.

use super::aligned::AlignedBytes;
use super::kernels::DOT_BLOCK;
use super::multiples::Multiples;
use super::ring::{MAX_DEGREE, QuotientRing, pairing_index, reduce};

/// The weights of one vector of ring elements, centred signed bytes, each list zero-padded to [`DOT_BLOCK`].
pub(crate) struct Weights {
    /// Weights of the triangle of P1.
    pub(crate) p1: AlignedBytes,
    /// Weights of P2.
    pub(crate) p2: AlignedBytes,
    /// Weights of the triangle of P3.
    pub(crate) p3: AlignedBytes,
}

impl Weights {
    /// The weights of `s`: `vinegar + oil` ring elements, `DEGREE` bytes each. `oil = 0` gives the weights of P1 alone.
    ///
    /// Row `i` is `sum_a s_i[a] (x^a s_j)` for all `j` from `i` on: numbers times lists.
    #[inline(always)]
    pub(crate) fn new<R: QuotientRing>(s: &[u8], vinegar: usize, oil: usize) -> Self {
        let degree = R::DEGREE;
        let total = vinegar + oil;
        let lengths = [vinegar * (vinegar + 1) / 2, vinegar * oil, oil * (oil + 1) / 2].map(|n| n * degree);
        let [p1, p2, p3] = lengths.map(|len| AlignedBytes::new(len.next_multiple_of(DOT_BLOCK)));
        let mut out = Self { p1, p2, p3 };
        let mut multiples = Multiples::new::<R>(&s[..total * degree]);
        multiples.permute::<R>(pairing_index::<R>);
        let mut p1 = &mut out.p1[..lengths[0]];
        let mut p2 = &mut out.p2[..lengths[1]];
        let mut p3 = &mut out.p3[..lengths[2]];
        for (i, own) in s[..total * degree].chunks_exact(degree).enumerate() {
            let row = Row::new::<R>(&multiples, i, own);
            if i < vinegar {
                p1 = row.append::<R>(p1, i, vinegar);
                p2 = row.append::<R>(p2, vinegar, total);
            } else {
                p3 = row.append::<R>(p3, i, total);
            }
        }
        out
    }
}

/// Weights that are computed at once.
const BLOCK: usize = 32;

/// The entries (i, j) of one row.
struct Row<'m> {
    multiples: &'m Multiples,
    /// Row number.
    i: usize,
    /// The coefficients of `s_i`, and twice them.
    once: [u16; MAX_DEGREE],
    twice: [u16; MAX_DEGREE],
}

impl<'m> Row<'m> {
    #[inline(always)]
    fn new<R: QuotientRing>(multiples: &'m Multiples, i: usize, own: &[u8]) -> Self {
        let mut row = Self { multiples, i, once: [0; MAX_DEGREE], twice: [0; MAX_DEGREE] };
        for (a, &x) in own.iter().enumerate() {
            row.once[a] = u16::from(x);
            row.twice[a] = reduce::<R>(2 * u32::from(x)) as u16;
        }
        row
    }

    /// Writes the weights of the entries `(i, first)` to `(i, end - 1)` to the front of `list`, doubled except for the diagonal, and returns what
    /// follows them, which may have been spoilt.
    #[inline(always)]
    fn append<'w, R: QuotientRing>(&self, list: &'w mut [u8], first: usize, end: usize) -> &'w mut [u8] {
        let (start, end) = (first * R::DEGREE, end * R::DEGREE);
        for (from, at) in (start..end).step_by(BLOCK).zip((0..).step_by(BLOCK)) {
            let weights = self.block::<R>(from, &self.twice);
            let out = &mut list[at..];
            if let Some(out) = out.first_chunk_mut() {
                *out = weights;
            } else {
                out.copy_from_slice(&weights[..out.len()]);
            }
        }
        if first == self.i {
            let diagonal = self.block::<R>(start, &self.once);
            list[..R::DEGREE].copy_from_slice(&diagonal[..R::DEGREE]);
        }
        &mut list[end - start..]
    }

    /// `sum_a factors[a] (x^a s)`, centred, from place `from` of the lists on.
    #[inline(always)]
    fn block<R: QuotientRing>(&self, from: usize, factors: &[u16; MAX_DEGREE]) -> [u8; BLOCK] {
        let mut sums = [0_u16; BLOCK];
        for (a, &factor) in factors.iter().enumerate().take(R::DEGREE) {
            let Some(list) = self.multiples.power(a)[from..].first_chunk::<BLOCK>() else { continue };
            for (sum, &x) in sums.iter_mut().zip(list) {
                if a != 0 && a % 4 == 0 {
                    // four products of q = 127 and a folded sum: 4 * 126 * 126 + 638 < 2^16
                    *sum = (*sum & R::MODULUS as u16) + (*sum >> R::BITS);
                }
                *sum += u16::from(x) * factor;
            }
        }
        let mut weights = [0; BLOCK];
        for (weight, sum) in weights.iter_mut().zip(sums) {
            *weight = centred_16::<R>(sum);
        }
        weights
    }
}

/// The centred representative of a 16-bit number, in 16-bit arithmetic. Bounds after each fold: `b = 7`: 638, 131, 127; `b = 5`: 1086, 64, 33,
/// 31; `b = 3`: 1086, 79, 16, 8, 7.
#[inline(always)]
fn centred_16<R: QuotientRing>(x: u16) -> u8 {
    let fold = |x: u16, bits: u32| (x & ((1 << bits) - 1)) + (x >> bits);
    let x = match R::BITS {
        7 => fold(fold(fold(x, 7), 7), 7),
        5 => fold(fold(fold(fold(x, 10), 5), 5), 5),
        _ => fold(fold(fold(fold(fold(x, 6), 6), 3), 3), 3),
    };
    let modulus = R::MODULUS as u16;
    let x = x & !(modulus * ((x + 1) >> R::BITS));
    x.wrapping_sub(modulus * (x >> (R::BITS - 1))) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qruov::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, centred, element, multiply};
    use alloc::vec::Vec;

    fn against_ring_products<R: QuotientRing>(vinegar: usize, oil: usize, fill: impl Fn(usize) -> u32) {
        let degree = R::DEGREE;
        let s: Vec<u8> = (0..(vinegar + oil) * degree).map(|i| (fill(i) % R::MODULUS) as u8).collect();
        let at = |i: usize| element::<R>(&s[i * degree..]);
        let weights = Weights::new::<R>(&s, vinegar, oil);
        let expected = |i: usize, j: usize| {
            let z = multiply::<R>(&at(i), &at(j));
            let factor = if i == j { 1 } else { 2 };
            (0..degree)
                .map(|t| centred::<R>(reduce::<R>(factor * u32::from(z[pairing_index::<R>(t)]))))
                .collect::<Vec<u8>>()
        };
        let triangle = |first: usize, end: usize| {
            (first..end).flat_map(|i| (i..end).flat_map(move |j| expected(i, j))).collect::<Vec<u8>>()
        };
        let rectangle: Vec<u8> =
            (0..vinegar).flat_map(|i| (vinegar..vinegar + oil).flat_map(move |j| expected(i, j))).collect();
        for (list, expected) in [
            (&weights.p1, triangle(0, vinegar)),
            (&weights.p2, rectangle),
            (&weights.p3, triangle(vinegar, vinegar + oil)),
        ] {
            assert_eq!(list[..expected.len()], expected[..]);
            assert!(list[expected.len()..].iter().all(|&byte| byte == 0) && list.len() % DOT_BLOCK == 0);
        }
    }

    #[test]
    fn agrees_with_ring_products() {
        let mixed = |i: usize| (i as u32).wrapping_mul(2_654_435_761) >> 13;
        let largest = |_| u32::MAX - 3; // q - 1 modulo q = 3, 5, 7 bits differs; any constant serves
        for (vinegar, oil) in [(1, 0), (1, 1), (5, 2), (17, 6), (60, 7)] {
            against_ring_products::<Q7L10>(vinegar, oil, mixed);
            against_ring_products::<Q31L3>(vinegar, oil, mixed);
            against_ring_products::<Q31L10>(vinegar, oil, mixed);
            against_ring_products::<Q127L3>(3 * vinegar, oil, mixed);
            against_ring_products::<Q127L10>(vinegar, oil, mixed);
            against_ring_products::<Q127L10>(vinegar, oil, |_| 126);
            against_ring_products::<Q7L10>(vinegar, oil, |_| 6);
            against_ring_products::<Q31L10>(vinegar, oil, |_| 30);
            against_ring_products::<Q127L3>(vinegar, oil, largest);
        }
    }
}
