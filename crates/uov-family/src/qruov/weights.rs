//! The public map as a dot product.
//!
//! With `z_ij = s_i s_j` in the ring and the pairing `psi(a b) = sum a[t] b[perm(t)]`,
//! `P_k(s) = <P1_k, w1> + <P2_k, w2> + <P3_k, w3>` over `F_q`, where the weights of entry (i, j) are the permuted coefficients of `z_ij`,
//! doubled off the diagonal, and the `P` are the element lists in the order of the stream and of the public key. The weights do
//! not depend on `k`: a verification is one pass over the stream.

use alloc::{vec, vec::Vec};
use zeroize::Zeroizing;

use super::kernels::DOT_BLOCK;
use super::ring::{MAX_DEGREE, QuotientRing, centred, element, multiplication_matrix, pairing_index, reduce};

/// The weights of one vector of ring elements, centred signed bytes, each list zero-padded to [`DOT_BLOCK`].
pub(crate) struct Weights {
    /// Weights of the triangle of P1.
    pub(crate) p1: Zeroizing<Vec<u8>>,
    /// Weights of P2.
    pub(crate) p2: Zeroizing<Vec<u8>>,
    /// Weights of the triangle of P3.
    pub(crate) p3: Zeroizing<Vec<u8>>,
}

impl Weights {
    /// The weights of `s`: `vinegar + oil` ring elements, `DEGREE` bytes each. `oil = 0` gives the weights of P1 alone.
    #[inline(always)]
    pub(crate) fn new<R: QuotientRing>(s: &[u8], vinegar: usize, oil: usize) -> Self {
        let degree = R::DEGREE;
        let list = |entries: usize| Zeroizing::new(vec![0; (entries * degree).next_multiple_of(DOT_BLOCK)]);
        let mut out = Self {
            p1: list(vinegar * (vinegar + 1) / 2),
            p2: list(vinegar * oil),
            p3: list(oil * (oil + 1) / 2),
        };
        let (vinegar_part, oil_part) = s[..(vinegar + oil) * degree].split_at(vinegar * degree);
        let mut p1 = &mut out.p1[..];
        for (i, coefficients) in vinegar_part.chunks_exact(degree).enumerate() {
            let row = WeightRow::new::<R>(coefficients);
            p1 = row.triangle::<R>(&vinegar_part[i * degree..], p1);
            row.fill::<R>(oil_part, &mut out.p2[i * oil * degree..]);
        }
        let mut p3 = &mut out.p3[..];
        for (i, coefficients) in oil_part.chunks_exact(degree).enumerate() {
            p3 = WeightRow::new::<R>(coefficients).triangle::<R>(&oil_part[i * degree..], p3);
        }
        out
    }
}

/// Multiplication by one `s_i`: row `a`, column `t` holds coefficient `perm(t)` of `x^a s_i`.
struct WeightRow {
    single: [[u8; MAX_DEGREE]; MAX_DEGREE],
    double: [[u8; MAX_DEGREE]; MAX_DEGREE],
}

impl WeightRow {
    #[inline(always)]
    fn new<R: QuotientRing>(coefficients: &[u8]) -> Self {
        let matrix = multiplication_matrix::<R>(&element::<R>(coefficients));
        let (mut single, mut double) = ([[0; MAX_DEGREE]; MAX_DEGREE], [[0; MAX_DEGREE]; MAX_DEGREE]);
        for a in 0..R::DEGREE {
            for t in 0..R::DEGREE {
                let value = matrix[a][pairing_index::<R>(t)];
                single[a][t] = value;
                double[a][t] = reduce::<R>(2 * u32::from(value)) as u8;
            }
        }
        Self { single, double }
    }

    /// Writes the row of a triangle that begins with `s_i` itself; returns the rest of `out`.
    #[inline(always)]
    fn triangle<'w, R: QuotientRing>(&self, elements: &[u8], out: &'w mut [u8]) -> &'w mut [u8] {
        let (row, rest) = out.split_at_mut(elements.len());
        let (diagonal, others) = row.split_at_mut(R::DEGREE);
        weigh::<R>(&self.single, &elements[..R::DEGREE], diagonal);
        weigh::<R>(&self.double, &elements[R::DEGREE..], others);
        rest
    }

    #[inline(always)]
    fn fill<R: QuotientRing>(&self, elements: &[u8], out: &mut [u8]) {
        weigh::<R>(&self.double, elements, &mut out[..elements.len()]);
    }
}

#[inline(always)]
fn weigh<R: QuotientRing>(matrix: &[[u8; MAX_DEGREE]; MAX_DEGREE], elements: &[u8], out: &mut [u8]) {
    for (element, out) in elements.chunks_exact(R::DEGREE).zip(out.chunks_exact_mut(R::DEGREE)) {
        // at most 10 * 126 * 126 < 2^18
        let mut sums = [0_u32; MAX_DEGREE];
        for (a, &coefficient) in element.iter().enumerate() {
            for (sum, &weight) in sums.iter_mut().zip(&matrix[a]).take(R::DEGREE) {
                *sum += u32::from(coefficient) * u32::from(weight);
            }
        }
        for (out, &sum) in out.iter_mut().zip(&sums) {
            *out = centred::<R>(reduce::<R>(sum));
        }
    }
}
