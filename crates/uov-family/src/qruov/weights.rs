//! The public map as a dot product.
//!
//! With `z_ij = s_i s_j` in the ring and the pairing `psi(a b) = sum a[t] b[perm(t)]`,
//! `P_k(s) = <P1_k, w1> + <P2_k, w2> + <P3_k, w3>` over `F_q`, where the weights of entry (i, j) are the permuted coefficients of `z_ij`,
//! doubled off the diagonal, and the `P` are the element lists in the order of the stream and of the public key. The weights do
//! not depend on `k`: a verification is one pass over the stream.

use alloc::{vec, vec::Vec};
use zeroize::Zeroize;

use super::aligned::AlignedBytes;
use super::kernels::DOT_BLOCK;
use super::ring::{MAX_DEGREE, QuotientRing, centred, element, multiplication_matrix, pairing_index, reduce};

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
    #[inline(always)]
    pub(crate) fn new<R: QuotientRing>(s: &[u8], vinegar: usize, oil: usize) -> Self {
        let degree = R::DEGREE;
        let list = |entries: usize| AlignedBytes::new((entries * degree).next_multiple_of(DOT_BLOCK));
        let mut out = Self {
            p1: list(vinegar * (vinegar + 1) / 2),
            p2: list(vinegar * oil),
            p3: list(oil * (oil + 1) / 2),
        };
        let total = vinegar + oil;
        let mut products = Products::new::<R>(&s[..total * degree]);
        let mut row = vec![0; total * degree];
        let (mut p1, mut p2, mut p3) = (&mut out.p1[..], &mut out.p2[..], &mut out.p3[..]);
        for i in 0..total {
            let row = &mut row[i * degree..];
            products.row::<R>(&s[..total * degree], i, row);
            if i < vinegar {
                let (vinegar_part, oil_part) = row.split_at((vinegar - i) * degree);
                p1 = append(p1, vinegar_part);
                p2 = append(p2, oil_part);
            } else {
                p3 = append(p3, row);
            }
        }
        products.planes.zeroize();
        products.patterns.zeroize();
        row.zeroize();
        out
    }
}

fn append<'w>(list: &'w mut [u8], part: &[u8]) -> &'w mut [u8] {
    let (now, later) = list.split_at_mut(part.len());
    now.copy_from_slice(part);
    later
}

/// The longest [`period`].
const MAX_PERIOD: usize = 160;

/// Coefficients whose products are computed at once: a multiple of the degree and of 32.
const fn period<R: QuotientRing>() -> usize {
    if R::DEGREE == 3 { 96 } else { MAX_PERIOD }
}

/// Products of one element with many, in the order of the stream: coefficient `t` of `s_i s_j` is `sum_a s_j[a] M[a][t]` with the
/// multiplication matrix M of `s_i`; plane `a` repeats `s_j[a]` for every `t`, pattern `a` repeats row `a` of M for every `j`, so that the sum is
/// element by element.
struct Products {
    len: usize,
    planes: Vec<u16>,
    patterns: Vec<u16>,
}

impl Products {
    #[inline(always)]
    fn new<R: QuotientRing>(s: &[u8]) -> Self {
        let mut planes = vec![0; R::DEGREE * s.len()];
        for (a, plane) in planes.chunks_exact_mut(s.len()).enumerate() {
            for (element, out) in s.chunks_exact(R::DEGREE).zip(plane.chunks_exact_mut(R::DEGREE)) {
                out.fill(u16::from(element[a]));
            }
        }
        Self { len: s.len(), planes, patterns: vec![0; R::DEGREE * period::<R>()] }
    }

    /// The weights of the entries (i, i), (i, i+1), ...: a row of the triangle.
    #[inline(always)]
    fn row<R: QuotientRing>(&mut self, s: &[u8], i: usize, out: &mut [u8]) {
        let degree = R::DEGREE;
        let matrix = multiplication_matrix::<R>(&element::<R>(&s[i * degree..]));
        let period = period::<R>();
        for (a, pattern) in self.patterns.chunks_exact_mut(period).enumerate() {
            let mut coefficients = [0; MAX_DEGREE];
            for t in 0..degree {
                coefficients[t] = reduce::<R>(2 * u32::from(matrix[a][pairing_index::<R>(t)])) as u16;
            }
            // a quarter element by element, the others from it
            let (quarter, others) = pattern.split_at_mut(period / 4);
            for repeat in quarter.chunks_exact_mut(degree) {
                repeat.copy_from_slice(&coefficients[..degree]);
            }
            for other in others.chunks_exact_mut(period / 4) {
                other.copy_from_slice(quarter);
            }
        }
        let start = i * degree;
        for (index, out) in out.chunks_mut(period).enumerate() {
            let from = start + index * period;
            let mut sums = [0_u16; MAX_PERIOD];
            let sums = &mut sums[..out.len()];
            for a in 0..degree {
                let plane = &self.planes[a * self.len + from..][..out.len()];
                let pattern = &self.patterns[a * period..][..out.len()];
                // four products of q = 127 and a folded sum: 4 * 126 * 126 + 638 < 2^16
                let limit = if a % 4 == 0 { u16::MAX } else { 0 };
                for ((sum, x), y) in sums.iter_mut().zip(plane).zip(pattern) {
                    let folded = (*sum & R::MODULUS as u16) + (*sum >> R::BITS);
                    *sum = (folded & limit) + (*sum & !limit) + x * y;
                }
            }
            for (out, sum) in out.iter_mut().zip(sums) {
                *out = centred_16::<R>(*sum);
            }
        }
        // the diagonal is not doubled
        for (t, out) in out[..degree].iter_mut().enumerate() {
            let sum =
                (0..degree).map(|a| u32::from(s[start + a]) * u32::from(matrix[a][pairing_index::<R>(t)]));
            *out = centred::<R>(reduce::<R>(sum.sum()));
        }
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
    use crate::qruov::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, multiply};

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
