//! Key generation from the triangle.
//!
//! Let `U_k` be P1_k with the strict upper triangle kept and the diagonal halved, so that `P1_k = U_k + U_k^T`. With
//! `D_k = P2_k - U_k S` and `E_k = S^T D_k` the public block is `P3_k = E_k + E_k^T`. Row `i` of `U_k` is a contiguous run of the stream; the
//! columns of `D_k` are the rows of the second product, so that one panel of S serves both.

use alloc::{vec, vec::Vec};
use zeroize::Zeroize;

use super::backend::{Backend, gather_block};
use super::kernels::{Panel, gather, multiply_panel};
use super::parameters::Parameters;
use super::ring::{QuotientRing, reduce_signed};
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
    let panel = Panel::of_matrix::<B, R>(secret, vinegar, oil);
    let expansion = PublicExpansion::new(parameters, public_seed);
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
            for word in B::words_mut(&mut self.row[..R::QUADS]) {
                *word = half_bytes::<R>(*word);
            }
            multiply_panel::<B, R>(backend, &self.row[..count * R::QUADS], panel, i, &mut self.sums);
            let p2_offset = i * oil * R::DEGREE;
            gather::<B, R>(backend, &group.p2, group.p2_stride, p2_offset, oil, &mut self.p2_row);
            self.store_difference::<R>(i);
            offset += count * R::DEGREE;
        }
        let outputs = panel.outputs();
        for b in 0..oil {
            let column = &self.columns[b * vinegar * R::QUADS..(b + 1) * vinegar * R::QUADS];
            let products = &mut self.products[b * outputs..(b + 1) * outputs];
            multiply_panel::<B, R>(backend, column, panel, 0, products);
        }
        self.add_transposed::<R>(outputs, blocks);
    }

    /// Row `i` of D = P2 - U S, reduced, into the columns.
    #[inline(always)]
    fn store_difference<R: QuotientRing>(&mut self, i: usize) {
        let lanes = B::LANES;
        let (sums, p2) = (B::words(&self.sums), B::words(&self.p2_row));
        let columns = B::words_mut(&mut self.columns);
        for b in 0..self.oil {
            let p2 = &p2[b * R::QUADS * lanes..(b + 1) * R::QUADS * lanes];
            let start = (b * self.vinegar + i) * R::QUADS * lanes;
            let quads = columns[start..start + R::QUADS * lanes].chunks_exact_mut(lanes);
            for (q, (quad, p2)) in quads.zip(p2.chunks_exact(lanes)).enumerate() {
                quad.fill(0);
                for t in 0..(R::DEGREE - 4 * q).min(4) {
                    let from = (b * R::DEGREE + 4 * q + t) * lanes;
                    for ((quad, p2), sum) in quad.iter_mut().zip(p2).zip(&sums[from..from + lanes]) {
                        let p2 = ((p2 >> (8 * t)) & 0xff) as i32;
                        *quad |= reduce_signed::<R>(p2 - *sum as i32) << (8 * t);
                    }
                }
            }
        }
    }

    /// The upper triangle of E + E^T, lane by lane.
    #[inline(always)]
    fn add_transposed<R: QuotientRing>(&self, outputs: usize, blocks: &mut [u8]) {
        let lanes = B::LANES;
        let block_len = self.oil * (self.oil + 1) / 2 * R::DEGREE;
        let words = B::words(&self.products);
        let entry = |a: usize, b: usize, c: usize| {
            let start = (b * outputs + a * R::DEGREE + c) * lanes;
            &words[start..start + lanes]
        };
        // the lanes of every position side by side, then lane by lane
        let mut bytes = vec![0_u8; block_len * lanes];
        let mut places = bytes.chunks_exact_mut(lanes);
        for a in 0..self.oil {
            for b in a..self.oil {
                for (c, place) in (0..R::DEGREE).zip(&mut places) {
                    for ((place, x), y) in place.iter_mut().zip(entry(a, b, c)).zip(entry(b, a, c)) {
                        // each is below 2^25 in absolute value
                        *place = reduce_signed::<R>(*x as i32 + *y as i32) as u8;
                    }
                }
            }
        }
        for (lane, block) in blocks.chunks_exact_mut(block_len).enumerate() {
            for (element, place) in block.iter_mut().zip(bytes.chunks_exact(lanes)) {
                *element = place[lane];
            }
        }
    }
}

/// Halves each of four elements (see [`half`](super::ring::half)).
#[inline(always)]
fn half_bytes<R: QuotientRing>(word: u32) -> u32 {
    let low = 0x0101_0101;
    ((word >> 1) & (low * ((R::MODULUS - 1) >> 1))) | ((word & low) << (R::BITS - 1))
}
