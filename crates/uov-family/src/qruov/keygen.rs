//! Key generation from the triangle.
//!
//! Let `U_k` be P1_k with the strict upper triangle kept and the diagonal halved, so that `P1_k = U_k + U_k^T`. With
//! `D_k = P2_k - U_k S` and `E_k = S^T D_k` the public block is `P3_k = E_k + E_k^T`. Row `i` of `U_k` is a contiguous run of the stream; the
//! columns of `D_k` are the rows of the second product, so that one panel of S serves both.

use alloc::{vec, vec::Vec};
use zeroize::Zeroize;

use super::backend::{Backend, bytes_mut, gather, gather_block};
use super::expansion::{Matrix, PublicExpansion};
use super::kernels::{Panel, multiply_panel};
use super::lanes::{half_bytes, pack_canonical, pack_differences};
use super::parameters::Parameters;
use super::ring::QuotientRing;

/// All P3 blocks, one byte to an element, in the order of the public key.
#[inline(always)]
pub(crate) fn public_blocks<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    secret: &[u8],
    public_seed: &[u8],
) -> Vec<u8> {
    let (vinegar, oil) = (parameters.vinegar_ring(), parameters.oil_ring());
    let panel = Panel::of_matrix::<B, R>(backend, secret, vinegar, oil);
    let mut expansion = PublicExpansion::new(parameters, public_seed);
    let block_len = parameters.p3_len();
    let mut out = vec![0; parameters.oil * block_len];

    // all buffers in one allocation, the secret ones first: an allocator keeps a large block more willingly than many small ones
    let block = gather_block::<R>();
    let strides = [Matrix::P1, Matrix::P2].map(|matrix| expansion.stride(matrix));
    let sizes = [
        panel.outputs(),
        oil * vinegar * R::QUADS,
        oil * panel.outputs(),
        (vinegar + block) * R::QUADS,
        (oil + block) * R::QUADS,
        block_len.div_ceil(4),
        // LANES streams of bytes in vectors of 4 LANES bytes
        strides[0] / 4,
        strides[1] / 4,
    ];
    let mut arena = vec![backend.zero(); sizes.iter().sum()];
    let mut rest = &mut arena[..];
    let mut take = |len: usize| rest.split_off_mut(..len).unwrap_or_default();
    let [sums, columns, products, row, p2_row, quads, p1, p2] = sizes.map(&mut take);
    let mut work = Work::<B> { vinegar, oil, row, p2_row, sums, columns, quads, products };
    let (p1, p2) = (bytes_mut::<B>(p1), bytes_mut::<B>(p2));
    for (index, blocks) in out.chunks_mut(B::LANES * block_len).enumerate() {
        let (first, count) = (index * B::LANES, blocks.len() / block_len);
        expansion.expand_matrix::<B, R>(backend, Matrix::P1, first, count, (p1, strides[0]));
        expansion.expand_matrix::<B, R>(backend, Matrix::P2, first, count, (p2, strides[1]));
        work.group::<R>(backend, &panel, (p1, strides[0]), (p2, strides[1]), blocks);
    }
    B::words_mut(&mut arena[..sizes[..3].iter().sum()]).zeroize();
    out
}

/// Buffers of one group of equations.
struct Work<'a, B: Backend> {
    vinegar: usize,
    oil: usize,
    /// One row of U.
    row: &'a mut [B::Vector],
    /// One row of P2.
    p2_row: &'a mut [B::Vector],
    /// Sums of one row of U S.
    sums: &'a mut [B::Vector],
    /// D by columns: quads of D[i][b] at (b V + i) QUADS.
    columns: &'a mut [B::Vector],
    /// The triangle of E + E^T: quads of four coefficients.
    quads: &'a mut [B::Vector],
    /// Transposed E: words of E[a][b] at b outputs + a DEGREE.
    products: &'a mut [B::Vector],
}

impl<B: Backend> Work<'_, B> {
    /// The P3 blocks of one group from its P1 and P2, each with the distance of two equations; `blocks` holds one block an equation.
    #[inline(always)]
    fn group<R: QuotientRing>(
        &mut self,
        backend: B,
        panel: &Panel,
        (p1, p1_stride): (&[u8], usize),
        (p2, p2_stride): (&[u8], usize),
        blocks: &mut [u8],
    ) {
        let (vinegar, oil) = (self.vinegar, self.oil);
        let mut offset = 0;
        for i in 0..vinegar {
            let count = vinegar - i;
            gather::<B, R>(backend, p1, p1_stride, offset, count, self.row);
            for quads in &mut self.row[..R::QUADS] {
                *quads = half_bytes::<B, R>(backend, *quads);
            }
            multiply_panel::<B, R>(backend, &self.row[..count * R::QUADS], panel, i, self.sums);
            let p2_offset = i * oil * R::DEGREE;
            gather::<B, R>(backend, p2, p2_stride, p2_offset, oil, self.p2_row);
            self.store_difference::<R>(backend, i);
            offset += count * R::DEGREE;
        }
        let outputs = panel.outputs();
        for b in 0..oil {
            let column = &self.columns[b * vinegar * R::QUADS..(b + 1) * vinegar * R::QUADS];
            let products = &mut self.products[b * outputs..(b + 1) * outputs];
            multiply_panel::<B, R>(backend, column, panel, 0, products);
        }
        self.add_transposed::<R>(backend, outputs, blocks);
    }

    /// Row `i` of D = P2 - U S, reduced, into the columns.
    #[inline(always)]
    fn store_difference<R: QuotientRing>(&mut self, backend: B, i: usize) {
        let elements = self.sums.chunks_exact(R::DEGREE).zip(self.p2_row.chunks_exact(R::QUADS));
        for ((sums, p2), column) in elements.zip(self.columns.chunks_exact_mut(self.vinegar * R::QUADS)) {
            let quads = &mut column[i * R::QUADS..(i + 1) * R::QUADS];
            for ((quad, p2), sums) in quads.iter_mut().zip(p2).zip(sums.chunks(4)) {
                *quad = pack_differences::<B, R>(backend, sums.len(), *p2, |t| sums[t]);
            }
        }
    }

    /// The upper triangle of E + E^T.
    #[inline(always)]
    fn add_transposed<R: QuotientRing>(&mut self, backend: B, outputs: usize, blocks: &mut [u8]) {
        let block_len = self.oil * (self.oil + 1) / 2 * R::DEGREE;
        let place = |a: usize, b: usize, c: usize| b * outputs + a * R::DEGREE + c;
        // four coefficients of the triangle to a quad, across the borders of elements
        let mut sums = [backend.zero(); 4];
        let mut held = 0;
        let mut quads = self.quads.iter_mut();
        for a in 0..self.oil {
            for b in a..self.oil {
                for c in 0..R::DEGREE {
                    sums[held % 4] =
                        backend.add(self.products[place(a, b, c)], self.products[place(b, a, c)]);
                    held += 1;
                    if (held % 4 == 0 || held == block_len)
                        && let Some(quad) = quads.next()
                    {
                        *quad = pack_canonical::<B, R>(backend, 4, |t| sums[t]);
                    }
                }
            }
        }
        for (lane, block) in blocks.chunks_exact_mut(block_len).enumerate() {
            let words = B::words(self.quads).iter().skip(lane).step_by(B::LANES);
            for (four, word) in block.chunks_mut(4).zip(words) {
                four.copy_from_slice(&word.to_le_bytes()[..four.len()]);
            }
        }
    }
}
