//! The linear system of the oil variables, from the seeds or from an expanded key.

use alloc::vec;
use zeroize::Zeroize;

use super::aligned::AlignedBytes;
use super::backend::{Backend, gather, gather_block};
use super::expansion::{Group, Matrix, PublicExpansion, SLACK};
use super::kernels::{Panel, accumulate_scaled, dot, multiply_panel, pack_quads};
use super::lanes::pack_canonical;
use super::parameters::Parameters;
use super::ring::{MAX_DEGREE, QuotientRing, pairing_index, reduce_signed};
use gf2n::secret::SecretVec;

/// `A o = h - c`: the public map restricted to one choice of the vinegar elements.
pub(crate) struct OilSystem {
    /// `m x m`, row by row.
    pub(crate) matrix: SecretVec<u8>,
    /// `c`, m elements.
    pub(crate) constant: SecretVec<u8>,
}

impl OilSystem {
    fn new(oil: usize) -> Self {
        Self { matrix: SecretVec::zeros(oil * oil), constant: SecretVec::zeros(oil) }
    }

    /// From the seeds: `t_k = y^T P1_k`, `u_k = 2 (y^T P2_k - t_k S)`, `A[k][l j + e] = u_k[j][perm(e)]`, `c[k] = psi(t_k y)`, for a group of
    /// equations at a time, from the triangle: row `i` gives `t[j] += y_i P[i][j]` for `j >= i` and `t[i] += P[i][j] y_j` for `j > i`.
    #[inline(always)]
    pub(crate) fn from_seeds<B: Backend, R: QuotientRing>(
        backend: B,
        parameters: &Parameters,
        secret: &[u8],
        vinegar: &[u8],
        public_seed: &[u8],
    ) -> Self {
        let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
        let secret_panel = Panel::of_matrix::<B, R>(backend, secret, v, m);
        let column = Panel::of_column::<B, R>(backend, vinegar, v);
        let functional = Panel::of_functional::<R>(vinegar, v);
        let mut expansion = PublicExpansion::new(parameters, public_seed);
        // one block after the other in the same place
        let strides = [Matrix::P1, Matrix::P2].map(|matrix| expansion.stride(matrix));
        let mut blocks = AlignedBytes::new(B::LANES * strides[0].max(strides[1]));

        let zeros = |len: usize| vec![backend.zero(); len];
        let mut row = zeros((2 * v.max(m) + gather_block::<R>()) * R::QUADS);
        let mut sums = zeros(v * R::DEGREE);
        let mut products = zeros(v * R::QUADS);
        let mut oil_sums = zeros(m * R::DEGREE);
        let mut corrections = zeros(secret_panel.outputs());
        let mut constant = zeros(1);

        let mut out = Self::new(parameters.oil);
        for first in (0..parameters.oil).step_by(B::LANES) {
            let count = (parameters.oil - first).min(B::LANES);
            expansion.expand_matrix::<B, R>(backend, Matrix::P1, first, count, (&mut blocks, strides[0]));
            sums.fill(backend.zero());
            times_triangle::<B, R>(backend, (&blocks, strides[0]), &column, v, &mut row, &mut sums);
            pack_quads::<B, R>(backend, &sums, &mut products);
            multiply_panel::<B, R>(backend, &products, &functional, 0, &mut constant);
            multiply_panel::<B, R>(backend, &products, &secret_panel, 0, &mut corrections);
            oil_sums.fill(backend.zero());
            expansion.expand_matrix::<B, R>(backend, Matrix::P2, first, count, (&mut blocks, strides[1]));
            times_rectangle::<B, R>(backend, (&blocks, strides[1]), &column, v, &mut row, &mut oil_sums);
            for (sum, correction) in oil_sums.iter_mut().zip(&corrections) {
                *sum = backend.subtract(*sum, *correction);
            }
            let constant = B::words(&constant);
            for (value, word) in out.constant[first..first + count].iter_mut().zip(constant) {
                *value = reduce_signed::<R>(*word as i32) as u8;
            }
            out.store_rows::<B, R>(backend, first, count, &oil_sums);
        }
        for buffer in [&mut sums, &mut products, &mut oil_sums, &mut corrections, &mut constant] {
            B::words_mut(buffer).zeroize();
        }
        out
    }

    /// The rows `first..first + count` of A from the words of half of `u_k`.
    #[inline(always)]
    fn store_rows<B: Backend, R: QuotientRing>(
        &mut self,
        backend: B,
        first: usize,
        count: usize,
        half: &[B::Vector],
    ) {
        let oil = self.constant.len();
        let rows = &mut self.matrix[first * oil..(first + count) * oil];
        for (j, element) in half.chunks_exact(R::DEGREE).enumerate() {
            for q in 0..R::QUADS {
                let from = 4 * q;
                let quads = pack_canonical::<B, R>(backend, (R::DEGREE - from).min(4), |t| {
                    let sum = element[pairing_index::<R>(from + t)];
                    backend.add(sum, sum)
                });
                let words = B::words(core::slice::from_ref(&quads));
                for (row, word) in rows.chunks_exact_mut(oil).zip(words) {
                    let entries = &mut row[j * R::DEGREE + from..(j + 1) * R::DEGREE];
                    for (entry, byte) in entries.iter_mut().zip(word.to_le_bytes()) {
                        *entry = byte;
                    }
                }
            }
        }
    }

    /// From the expanded key: `u_k = 2 y^T F_k` with `F_k = P2_k - P1_k S`, and `c[k]` as a dot product with the weights of `y`.
    #[inline(always)]
    pub(crate) fn from_expanded<B: Backend, R: QuotientRing>(
        backend: B,
        parameters: &Parameters,
        groups: &[Group],
        vinegar: &[u8],
        vinegar_weights: &[u8],
    ) -> Self {
        let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
        let column = Panel::of_column::<B, R>(backend, vinegar, v);
        let zeros = |len: usize| vec![backend.zero(); len];
        let mut row = zeros((2 * m + gather_block::<R>()) * R::QUADS);
        let mut sums = zeros(m * R::DEGREE);
        let mut out = Self::new(parameters.oil);
        for first in (0..parameters.oil).step_by(B::LANES) {
            let group = &groups[first / EXPANDED_GROUP];
            let skipped = first % EXPANDED_GROUP;
            let f = &group.p2[skipped * group.p2_stride..];
            sums.fill(backend.zero());
            times_rectangle::<B, R>(backend, (f, group.p2_stride), &column, v, &mut row, &mut sums);
            let count = (parameters.oil - first).min(B::LANES);
            for e in 0..count {
                let p1 = &group.p1[(skipped + e) * group.p1_stride..];
                out.constant[first + e] = dot::<B, R>(backend, &[(p1, vinegar_weights)]) as u8;
            }
            out.store_rows::<B, R>(backend, first, count, &sums);
        }
        // the rows of F_k are as secret as their products with y
        for buffer in [&mut row, &mut sums] {
            B::words_mut(buffer).zeroize();
        }
        out
    }
}

/// Equations of one group of an expanded key: a multiple of the lanes of every back end.
pub(crate) const EXPANDED_GROUP: usize = 16;

/// `sums[j] += (y^T P)[j]` in every lane for a symmetric P whose triangle begins every `stride` bytes of `matrices`; two rows at a time,
/// which lie side by side in the triangle.
#[inline(always)]
fn times_triangle<B: Backend, R: QuotientRing>(
    backend: B,
    (matrices, stride): (&[u8], usize),
    column: &Panel,
    vinegar: usize,
    row: &mut [B::Vector],
    sums: &mut [B::Vector],
) {
    let mut offset = 0;
    for i in (0..vinegar).step_by(2) {
        let len = vinegar - i;
        let count = 2 * len - 1;
        gather::<B, R>(backend, matrices, stride, offset, count, row);
        let (first, second) = row[..count * R::QUADS].split_at(len * R::QUADS);
        let (diagonal, beyond) = first.split_at(R::QUADS);
        let sums = &mut sums[i * R::DEGREE..];
        accumulate_scaled::<B, R, 1>(backend, [diagonal], column, i, sums);
        add_product::<B, R>(backend, beyond, column, i + 1, sums);
        if len > 1 {
            let sums = &mut sums[R::DEGREE..];
            accumulate_scaled::<B, R, 2>(backend, [beyond, second], column, i, sums);
            add_product::<B, R>(backend, &second[R::QUADS..], column, i + 2, sums);
        }
        offset += count * R::DEGREE;
    }
}

/// `sums[0] += row * y`, `row` beginning at row `first` of the column.
#[inline(always)]
fn add_product<B: Backend, R: QuotientRing>(
    backend: B,
    row: &[B::Vector],
    column: &Panel,
    first: usize,
    sums: &mut [B::Vector],
) {
    let mut products = [backend.zero(); MAX_DEGREE];
    let products = &mut products[..R::DEGREE];
    multiply_panel::<B, R>(backend, row, column, first, products);
    for (sum, product) in sums.iter_mut().zip(products) {
        *sum = backend.add(*sum, *product);
    }
}

/// `sums[j] += (y^T P)[j]` in every lane for a rectangular P of `vinegar` rows.
#[inline(always)]
fn times_rectangle<B: Backend, R: QuotientRing>(
    backend: B,
    (matrices, stride): (&[u8], usize),
    column: &Panel,
    vinegar: usize,
    row: &mut [B::Vector],
    sums: &mut [B::Vector],
) {
    let columns = sums.len() / R::DEGREE;
    for i in (0..vinegar).step_by(2) {
        let rows = (vinegar - i).min(2);
        gather::<B, R>(backend, matrices, stride, i * columns * R::DEGREE, rows * columns, row);
        let (first, second) = row.split_at(columns * R::QUADS);
        if rows == 2 {
            accumulate_scaled::<B, R, 2>(backend, [first, second], column, i, sums);
        } else {
            accumulate_scaled::<B, R, 1>(backend, [first], column, i, sums);
        }
    }
}

/// `F_k = P2_k - P1_k S` in the place of P2, for the first equations of an expanded group.
#[inline(always)]
pub(crate) fn replace_by_oil_part<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    panel: &Panel,
    group: &mut Group,
) {
    let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
    let degree = R::DEGREE;
    let mut square_row = vec![0_u8; B::LANES * (v * degree + SLACK)];
    let row_stride = v * degree + SLACK;
    let mut row = vec![backend.zero(); (v + gather_block::<R>()) * R::QUADS];
    let mut sums = vec![backend.zero(); panel.outputs()];
    for skipped in (0..EXPANDED_GROUP).step_by(B::LANES) {
        let p1 = &group.p1[skipped * group.p1_stride..];
        for i in 0..v {
            // row i of the symmetric matrix: column i above the diagonal, then the row of the triangle
            for (e, full) in square_row.chunks_exact_mut(row_stride).enumerate() {
                let triangle = &p1[e * group.p1_stride..];
                let mut start = 0;
                for j in 0..i {
                    let from = start + (i - j) * degree;
                    full[j * degree..(j + 1) * degree].copy_from_slice(&triangle[from..from + degree]);
                    start += (v - j) * degree;
                }
                full[i * degree..v * degree].copy_from_slice(&triangle[start..start + (v - i) * degree]);
            }
            gather::<B, R>(backend, &square_row, row_stride, 0, v, &mut row);
            multiply_panel::<B, R>(backend, &row[..v * R::QUADS], panel, 0, &mut sums);
            let words = B::words(&sums);
            for e in 0..B::LANES {
                let start = (skipped + e) * group.p2_stride + i * m * degree;
                for (x, entry) in group.p2[start..start + m * degree].iter_mut().enumerate() {
                    *entry = reduce_signed::<R>(i32::from(*entry) - words[x * B::LANES + e] as i32) as u8;
                }
            }
        }
    }
    B::words_mut(&mut sums).zeroize();
}
