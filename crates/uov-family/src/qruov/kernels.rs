//! The three products that QR-UOV consists of, each written once over [`Backend`].
//!
//! In the batched kernels ([`multiply_panel`], [`accumulate_scaled`]) lane `e` of every vector belongs to equation `first + e`, so that
//! no sum runs across lanes: elements of the equations are quads ([`Backend::gather`]), results are 32-bit words.
//!
//! Each kernel is one function per back end and ring, compiled with the features of the back end and not inlined into its callers.

use super::backend::{Backend, Scratch, partial_terms};
use super::lanes::pack_sums;
use super::multiples::Multiples;
use super::ring::{MAX_DEGREE, QuotientRing, centred, centred_byte, pairing_index, reduce_signed};
use gf2n::secret::SecretVec;

/// A matrix over the ring, expanded into its `F_q` multiplication matrix and laid out for [`multiply_panel`].
///
/// For an `n x s` matrix B the panel maps a row `a` of `n` ring elements to `a B`: output `b l + c` is coefficient `c` of entry `b`. The
/// weight of coefficient `t` of `a[j]` in that output is coefficient `c` of `x^t B[j][b]`, centred. Outputs come in tiles, zero-padded.
pub(crate) struct Panel {
    tile: usize,
    tiles: usize,
    quads: usize,
    weights: SecretVec<u32>,
}

/// Quads of the longest ring element.
const MAX_QUADS: usize = MAX_DEGREE.div_ceil(4);

/// Outputs that are summed at once: as many as the registers of the back end hold beside the operands.
const fn full_tile<B: Backend, R: QuotientRing>() -> usize {
    match (B::WIDE_PARTIALS || R::BITS < 7, R::DEGREE) {
        (true, 3) => 9,
        (true, _) => 10,
        (false, 3) => 6,
        (false, _) => 5,
    }
}

impl Panel {
    fn with_tile<R: QuotientRing>(rows: usize, outputs: usize, tile: usize) -> Self {
        let (tiles, quads) = (outputs.div_ceil(tile), rows * R::QUADS);
        Self { tile, tiles, quads, weights: SecretVec::zeros(tiles * quads * tile) }
    }

    /// Fills in a matrix of `columns` columns, row by row.
    #[inline(always)]
    fn fill<R: QuotientRing>(&mut self, matrix: &[u8], columns: usize) {
        let width = columns * R::DEGREE;
        let multiples = Multiples::new::<R>(matrix);
        let mut row = SecretVec::<u32>::zeros(self.tiles * self.tile);
        for place in 0..self.quads {
            let (start, q) = (place / R::QUADS * width, place % R::QUADS);
            for t in 4 * q..R::DEGREE.min(4 * q + 4) {
                let shift = 8 * (t - 4 * q);
                let coefficients = &multiples.power(t)[start..start + width];
                for (word, &x) in row.iter_mut().zip(coefficients) {
                    let before = if shift == 0 { 0 } else { *word };
                    *word = before | u32::from(centred_byte::<R>(x)) << shift;
                }
            }
            let tiles = self.weights.chunks_exact_mut(self.quads * self.tile);
            for (weights, tile) in tiles.zip(row.chunks_exact(self.tile)) {
                weights[place * self.tile..(place + 1) * self.tile].copy_from_slice(tile);
            }
        }
    }

    /// The panel of a `rows x columns` matrix, given row by row.
    pub(crate) fn of_matrix<B: Backend, R: QuotientRing>(
        backend: B,
        matrix: &[u8],
        rows: usize,
        columns: usize,
    ) -> Self {
        let mut panel = Self::with_tile::<R>(rows, columns * R::DEGREE, full_tile::<B, R>());
        backend.run(
            #[inline(always)]
            || panel.fill::<R>(&matrix[..rows * columns * R::DEGREE], columns),
        );
        panel
    }

    /// The panel of a column vector, with the tile that [`accumulate_scaled`] needs.
    pub(crate) fn of_column<B: Backend, R: QuotientRing>(backend: B, column: &[u8], rows: usize) -> Self {
        let mut panel = Self::with_tile::<R>(rows, R::DEGREE, R::DEGREE);
        backend.run(
            #[inline(always)]
            || panel.fill::<R>(&column[..rows * R::DEGREE], 1),
        );
        panel
    }

    /// The panel of the functional `a -> psi(sum a[j] column[j])`: one output.
    pub(crate) fn of_functional<R: QuotientRing>(column: &[u8], rows: usize) -> Self {
        let mut panel = Self::with_tile::<R>(rows, 1, 1);
        for j in 0..rows {
            let mut quads = [[0; 4]; MAX_QUADS];
            for t in 0..R::DEGREE {
                let coefficient = column[j * R::DEGREE + pairing_index::<R>(t)];
                quads[t / 4][t % 4] = centred::<R>(u32::from(coefficient));
            }
            for (q, quad) in quads.into_iter().enumerate().take(R::QUADS) {
                panel.weights[j * R::QUADS + q] = u32::from_le_bytes(quad);
            }
        }
        panel
    }

    /// Outputs, the padding of the last tile included.
    pub(crate) fn outputs(&self) -> usize {
        self.tiles * self.tile
    }

    /// The weights of row `j` of a column panel: quad by quad, `DEGREE` outputs each.
    #[inline(always)]
    fn column_row<R: QuotientRing>(&self, j: usize) -> &[u32] {
        let len = R::QUADS * R::DEGREE;
        &self.weights[j * len..(j + 1) * len]
    }
}

/// `out = row * matrix` in every lane: `row` begins at row `first` of the panel's matrix. The words of `out` are sums of centred
/// products, `outputs()` vectors.
#[inline(never)]
pub(crate) fn multiply_panel<B: Backend, R: QuotientRing>(
    backend: B,
    row: &[B::Vector],
    panel: &Panel,
    first: usize,
    out: &mut [B::Vector],
) {
    backend.run(
        #[inline(always)]
        || {
            let start = first * R::QUADS * panel.tile;
            let tiles = panel.weights.chunks_exact(panel.quads * panel.tile);
            for (weights, out) in tiles.zip(out.chunks_exact_mut(panel.tile)) {
                let weights = &weights[start..start + row.len() * panel.tile];
                match panel.tile {
                    1 => tile_product::<B, R, 1>(backend, row, weights, out),
                    3 => tile_product::<B, R, 3>(backend, row, weights, out),
                    5 => tile_product::<B, R, 5>(backend, row, weights, out),
                    6 => tile_product::<B, R, 6>(backend, row, weights, out),
                    9 => tile_product::<B, R, 9>(backend, row, weights, out),
                    _ => tile_product::<B, R, 10>(backend, row, weights, out),
                }
            }
        },
    );
}

#[inline(always)]
fn tile_product<B: Backend, R: QuotientRing, const TILE: usize>(
    backend: B,
    row: &[B::Vector],
    weights: &[u32],
    out: &mut [B::Vector],
) {
    let weights = weights.as_chunks::<TILE>().0;
    let mut sums = [backend.zero(); TILE];
    let step = |partial: &mut [B::Vector; TILE], elements: &B::Vector, weights: &[u32; TILE]| {
        for (partial, weight) in partial.iter_mut().zip(weights) {
            *partial = backend.multiply_add(*partial, *elements, backend.broadcast(*weight));
        }
    };
    let widen = |sums: &mut [B::Vector; TILE], partial: &[B::Vector; TILE]| {
        for (sum, partial) in sums.iter_mut().zip(partial) {
            *sum = backend.widen(*sum, *partial);
        }
    };
    if B::WIDE_PARTIALS && TILE < 4 {
        // two chains, because so few sums wait for each other
        let mut odd = [backend.zero(); TILE];
        let (pairs, rest) = row.as_chunks::<2>();
        let (weight_pairs, weight_rest) = weights.as_chunks::<2>();
        for (elements, weights) in pairs.iter().zip(weight_pairs) {
            step(&mut sums, &elements[0], &weights[0]);
            step(&mut odd, &elements[1], &weights[1]);
        }
        for (elements, weights) in rest.iter().zip(weight_rest) {
            step(&mut sums, elements, weights);
        }
        widen(&mut sums, &odd);
    } else if B::WIDE_PARTIALS {
        for (elements, weights) in row.iter().zip(weights) {
            step(&mut sums, elements, weights);
        }
    } else if partial_terms::<R>() == 2 {
        let (pairs, rest) = row.as_chunks::<2>();
        let (weight_pairs, weight_rest) = weights.as_chunks::<2>();
        for (elements, weights) in pairs.iter().zip(weight_pairs) {
            let mut partial = [backend.zero(); TILE];
            step(&mut partial, &elements[0], &weights[0]);
            step(&mut partial, &elements[1], &weights[1]);
            widen(&mut sums, &partial);
        }
        for (elements, weights) in rest.iter().zip(weight_rest) {
            let mut partial = [backend.zero(); TILE];
            step(&mut partial, elements, weights);
            widen(&mut sums, &partial);
        }
    } else {
        for (row, weights) in row.chunks(partial_terms::<R>()).zip(weights.chunks(partial_terms::<R>())) {
            let mut partial = [backend.zero(); TILE];
            for (elements, weights) in row.iter().zip(weights) {
                step(&mut partial, elements, weights);
            }
            widen(&mut sums, &partial);
        }
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = sum;
    }
}

/// `sums[j] += column[i] * rows[0][j] + column[i + 1] * rows[1][j] + ...` in every lane, for all elements `j`, in one pass over the sums;
/// `panel` is a column panel. `sums` holds `DEGREE` vectors of words an element.
#[inline(never)]
pub(crate) fn accumulate_scaled<B: Backend, R: QuotientRing, const ROWS: usize>(
    backend: B,
    rows: [&[B::Vector]; ROWS],
    panel: &Panel,
    i: usize,
    sums: &mut [B::Vector],
) {
    backend.run(
        #[inline(always)]
        || {
            if R::DEGREE == 3 {
                accumulate::<B, R, ROWS, 3, 1>(backend, rows, panel, i, sums);
            } else {
                accumulate::<B, R, ROWS, MAX_DEGREE, MAX_QUADS>(backend, rows, panel, i, sums);
            }
        },
    );
}

/// [`accumulate_scaled`] for elements of `DEGREE` coefficients in `QUADS` quads.
#[inline(always)]
fn accumulate<B: Backend, R: QuotientRing, const ROWS: usize, const DEGREE: usize, const QUADS: usize>(
    backend: B,
    rows: [&[B::Vector]; ROWS],
    panel: &Panel,
    i: usize,
    sums: &mut [B::Vector],
) {
    // of coefficient c, row r and quad q at [c][r][q]
    let mut weights = [[[backend.zero(); QUADS]; ROWS]; DEGREE];
    for (c, weights) in weights.iter_mut().enumerate() {
        for (row, weights) in weights.iter_mut().enumerate() {
            let words = panel.column_row::<R>(i + row);
            for (q, weight) in weights.iter_mut().enumerate() {
                *weight = backend.broadcast(words[q * DEGREE + c]);
            }
        }
    }
    let rows = rows.map(|row| row.as_chunks::<QUADS>().0);
    let elements = rows.iter().map(|row| row.len()).min().unwrap_or(0);
    for (j, sums) in sums.as_chunks_mut::<DEGREE>().0.iter_mut().enumerate().take(elements) {
        for (sum, weights) in sums.iter_mut().zip(&weights) {
            let mut partial = if B::WIDE_PARTIALS { *sum } else { backend.zero() };
            let mut used = 0;
            for q in 0..QUADS {
                for (row, weights) in rows.iter().zip(weights) {
                    if !B::WIDE_PARTIALS && used == partial_terms::<R>() {
                        *sum = backend.widen(*sum, partial);
                        partial = backend.zero();
                        used = 0;
                    }
                    partial = backend.multiply_add(partial, row[j][q], weights[q]);
                    used += 1;
                }
            }
            *sum = if B::WIDE_PARTIALS { partial } else { backend.widen(*sum, partial) };
        }
    }
}

/// Reduces the words of ring elements (`DEGREE` vectors each) modulo q, to at most q, and packs them into quads.
#[inline(never)]
pub(crate) fn pack_quads<B: Backend, R: QuotientRing>(backend: B, sums: &[B::Vector], out: &mut [B::Vector]) {
    backend.run(
        #[inline(always)]
        || {
            for (sums, quads) in sums.chunks_exact(R::DEGREE).zip(out.chunks_exact_mut(R::QUADS)) {
                for (quad, sums) in quads.iter_mut().zip(sums.chunks(4)) {
                    *quad = pack_sums::<B, R>(backend, sums.len(), |t| sums[t]);
                }
            }
        },
    );
}

/// Bytes that weights of a dot product are padded to a multiple of.
pub(crate) const DOT_BLOCK: usize = 128;

/// The sum of `elements[i] * weights[i]` over all pairs of lists, modulo q. Weights are centred signed bytes, zero-padded to a multiple of
/// [`DOT_BLOCK`]; the elements are as long at least, and arbitrary where the weights are zero. At most
/// 67 000 elements for q = 127 (the sum has to stay below q 2^22).
#[inline(never)]
pub(crate) fn dot<B: Backend, R: QuotientRing>(backend: B, pairs: &[(&[u8], &[u8])]) -> u32 {
    backend.run(
        #[inline(always)]
        || {
            let terms = if B::WIDE_PARTIALS { 64 } else { partial_terms::<R>() };
            let bytes = 4 * B::LANES;
            let mut sums = [backend.zero(); 2];
            for (elements, weights) in pairs {
                let elements = &elements[..weights.len()];
                // two chains; each takes `terms` products before it is widened
                let blocks = elements.chunks(2 * terms * bytes).zip(weights.chunks(2 * terms * bytes));
                for (elements, weights) in blocks {
                    let mut partial = [backend.zero(); 2];
                    let steps = elements.chunks_exact(2 * bytes).zip(weights.chunks_exact(2 * bytes));
                    for (elements, weights) in steps {
                        for (chain, partial) in partial.iter_mut().enumerate() {
                            let elements = backend.load(&elements[chain * bytes..]);
                            let weights = backend.load(&weights[chain * bytes..]);
                            *partial = backend.multiply_add(*partial, elements, weights);
                        }
                    }
                    for (sum, partial) in sums.iter_mut().zip(partial) {
                        *sum = backend.widen(*sum, partial);
                    }
                }
            }
            let total = B::words(&sums).iter().fold(0_u32, |total, word| total.wrapping_add(*word));
            reduce_signed::<R>(total as i32)
        },
    )
}

/// [`Backend::sample`], out of line.
#[inline(never)]
pub(crate) fn sample<B: Backend, R: QuotientRing>(
    backend: B,
    buffer: &mut [u8],
    extent: (usize, usize),
    scratch: &mut Scratch,
) -> bool {
    backend.run(
        #[inline(always)]
        || backend.sample::<R>(buffer, extent, scratch),
    )
}
