//! Key generation from the triangle.
//!
//! Let `U_k` be P1_k with the strict upper triangle kept and the diagonal halved, so that `P1_k = U_k + U_k^T`. With
//! `D_k = P2_k - U_k S` and `E_k = S^T D_k` the public block is `P3_k = E_k + E_k^T`. Row `i` of `U_k` is a contiguous run of the stream; the
//! columns of `D_k` are the rows of the second product, so that one panel of S serves both.

use alloc::{vec, vec::Vec};
use zeroize::Zeroize;

use super::backend::{Backend, gather_block};
use super::kernels::{Panel, gather, multiply_panel};
use super::lanes::{half_bytes, pack_canonical, pack_differences};
use super::parameters::Parameters;
use super::ring::QuotientRing;
use super::streams::{Group, PublicExpansion};

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
    let mut group = Group::new(parameters, B::LANES);
    let mut work = Work::<B>::new::<R>(backend, &panel, vinegar, oil);
    let block_len = parameters.p3_len();
    let mut out = vec![0; parameters.oil * block_len];
    for (index, blocks) in out.chunks_mut(B::LANES * block_len).enumerate() {
        let count = blocks.len() / block_len;
        expansion.expand::<B, R>(backend, index * B::LANES, count, &mut group);
        work.group::<R>(backend, &panel, &group, blocks);
    }
    work.wipe();
    out
}

/// Buffers of one group of equations.
struct Work<B: Backend> {
    vinegar: usize,
    oil: usize,
    /// One row of U.
    row: Vec<B::Vector>,
    /// One row of P2.
    p2_row: Vec<B::Vector>,
    /// Sums of one row of U S.
    sums: Vec<B::Vector>,
    /// D by columns: quads of D[i][b] at (b V + i) QUADS.
    columns: Vec<B::Vector>,
    /// The triangle of E + E^T: quads of four coefficients.
    quads: Vec<B::Vector>,
    /// Transposed E: words of E[a][b] at b outputs + a DEGREE.
    products: Vec<B::Vector>,
}

impl<B: Backend> Work<B> {
    #[inline(always)]
    fn new<R: QuotientRing>(backend: B, panel: &Panel, vinegar: usize, oil: usize) -> Self {
        let block = gather_block::<R>();
        let zeros = |len: usize| vec![backend.zero(); len];
        Self {
            vinegar,
            oil,
            row: zeros((vinegar + block) * R::QUADS),
            p2_row: zeros((oil + block) * R::QUADS),
            sums: zeros(panel.outputs()),
            columns: zeros(oil * vinegar * R::QUADS),
            quads: zeros((oil * (oil + 1) / 2 * R::DEGREE).div_ceil(4)),
            products: zeros(oil * panel.outputs()),
        }
    }

    fn wipe(&mut self) {
        for buffer in [&mut self.sums, &mut self.columns, &mut self.products] {
            B::words_mut(buffer).zeroize();
        }
    }

    /// The P3 blocks of one group; `blocks` holds one block an equation.
    #[inline(always)]
    fn group<R: QuotientRing>(&mut self, backend: B, panel: &Panel, group: &Group, blocks: &mut [u8]) {
        let (vinegar, oil) = (self.vinegar, self.oil);
        let mut offset = 0;
        for i in 0..vinegar {
            let count = vinegar - i;
            gather::<B, R>(backend, &group.p1, group.p1_stride, offset, count, &mut self.row);
            for quads in &mut self.row[..R::QUADS] {
                *quads = half_bytes::<B, R>(backend, *quads);
            }
            multiply_panel::<B, R>(backend, &self.row[..count * R::QUADS], panel, i, &mut self.sums);
            let p2_offset = i * oil * R::DEGREE;
            gather::<B, R>(backend, &group.p2, group.p2_stride, p2_offset, oil, &mut self.p2_row);
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
            let words = B::words(&self.quads).iter().skip(lane).step_by(B::LANES);
            for (four, word) in block.chunks_mut(4).zip(words) {
                four.copy_from_slice(&word.to_le_bytes()[..four.len()]);
            }
        }
    }
}
