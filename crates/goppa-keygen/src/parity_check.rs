//! The parity-check matrix H: row i m + b, column j = bit b of alpha_j^i / g(alpha_j).

use crate::backend::Backend;
use crate::backend::product::{Bytes, RowProduct};
use crate::systemizer::{ColumnSwaps, LeftBlock, RowLayout, Singular, Tables};
use crate::wiped::Wiped;
use gf2n::small::gf2m::planes;

/// A Goppa code as its columns: the support and the inverse values of the Goppa polynomial there. Secret.
#[derive(Clone, Copy)]
pub struct CodeColumns<'a> {
    /// alpha_j, j < n.
    pub support: &'a [u16],
    /// 1/g(alpha_j), j < n.
    pub scalings: &'a [u16],
    /// The degree t of g.
    pub degree: usize,
}

impl CodeColumns<'_> {
    /// Columns from..to of H as a column matrix of the layout's stride: writes `target` in full.
    pub(crate) fn fill<B: RowProduct, const M: usize>(
        self,
        backend: B,
        from: usize,
        to: usize,
        layout: RowLayout,
        rows: &mut [u8],
        target: &mut [u8],
    ) {
        let lane_bytes = B::LANES / 8;
        backend.run(
            #[inline(always)]
            || {
                let points = planes::from_elements::<B, M>(backend, &self.support[from..to]);
                let mut values = planes::from_elements::<B, M>(backend, &self.scalings[from..to]);
                let mut words = [0u64; 8];
                for power in 0..self.degree {
                    for plane in 0..M {
                        let place = layout.place(power * M + plane);
                        backend.store(values[plane], &mut words[..B::WORDS]);
                        let row = &mut rows[place * lane_bytes..(place + 1) * lane_bytes];
                        for (bytes, word) in row.chunks_exact_mut(8).zip(&words) {
                            bytes.copy_from_slice(&word.to_le_bytes());
                        }
                    }
                    if power + 1 < self.degree {
                        values = planes::mul::<B, M>(backend, &values, &points);
                    }
                }
                let source = Bytes {
                    data: rows,
                    stride: lane_bytes,
                    rows: layout.stride(),
                    columns: target.len() / layout.stride(),
                };
                backend.transpose_bytes(source, target, layout.stride());
            },
        );
    }

    /// The left block of H: the columns of the head, and the window where the layout has a tail.
    #[must_use]
    pub fn left_block<B: Backend, const M: usize>(self, backend: B, layout: RowLayout) -> LeftBlock {
        let (stride, lanes) = (layout.stride(), B::LANES);
        let mut rows = Wiped::zeros(stride * lanes / 8);
        let mut left = LeftBlock::new(layout);
        {
            let columns = left.columns_mut();
            let (head, window) = columns.split_at_mut(8 * layout.head_panels() * stride);
            for (number, target) in head.chunks_mut(lanes / 8 * stride).enumerate() {
                let from = number * lanes;
                let to = (from + lanes).min(layout.head());
                self.fill::<B, M>(backend, from, to, layout, &mut rows, target);
            }
            for (number, target) in window.chunks_mut(lanes / 8 * stride).enumerate() {
                let from = layout.head() + number * lanes;
                let to = (from + lanes).min(layout.head() + 64).min(self.support.len());
                self.fill::<B, M>(backend, from, to, layout, &mut rows, target);
            }
        }
        left
    }

    /// Writes the systematic (or semi-systematic) form's right block T to `public_key`: rows of ceil((n - mt)/8) bytes, least
    /// significant bit first.
    ///
    /// # Errors
    /// [`Singular`]; nothing is written then.
    pub fn systematic_form<B: Backend, const M: usize>(
        self,
        backend: B,
        layout: RowLayout,
        public_key: &mut [u8],
    ) -> Result<Option<ColumnSwaps>, Singular> {
        let (stride, lanes) = (layout.stride(), B::LANES);
        let left = self.left_block::<B, M>(backend, layout);
        let (record, swaps) = left.eliminate(backend)?;
        let redundancy = layout.rows();
        let row_bytes = (self.support.len() - redundancy).div_ceil(8);
        let strips = (self.support.len() - redundancy).div_ceil(lanes);
        let mut piece = Piece::new(layout, row_bytes, lanes);
        // fills `buffers.columns` with the finished strip and returns its length
        let strip = |number: usize, buffers: &mut Buffers| -> usize {
            let from = redundancy + number * lanes;
            let to = (from + lanes).min(self.support.len());
            let length = (to - from).div_ceil(64) * 8 * stride;
            let columns = &mut buffers.columns[..length];
            self.fill::<B, M>(backend, from, to, layout, &mut buffers.rows, columns);
            if let (0, Some(swaps)) = (number, &swaps) {
                let moved = swaps.right_columns();
                columns[..moved.len()].copy_from_slice(moved);
            }
            record.apply_with(backend, columns, &mut buffers.tables);
            length
        };
        let mut write = |number: usize, columns: &[u8]| {
            backend.run(
                #[inline(always)]
                || {
                    piece.add(backend, columns);
                    if piece.is_full() || number + 1 == strips {
                        piece.write(public_key);
                    }
                },
            );
        };
        #[cfg(feature = "rayon")]
        {
            use alloc::vec::Vec;
            use rayon::prelude::*;
            let finished: Vec<(Buffers, usize)> = (0..strips)
                .into_par_iter()
                .map(|number| {
                    let mut buffers = Buffers::new(stride, lanes);
                    let length = strip(number, &mut buffers);
                    (buffers, length)
                })
                .collect();
            for (number, (buffers, length)) in finished.iter().enumerate() {
                write(number, &buffers.columns[..*length]);
            }
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut buffers = Buffers::new(stride, lanes);
            for number in 0..strips {
                let length = strip(number, &mut buffers);
                write(number, &buffers.columns[..length]);
            }
        }
        Ok(swaps)
    }
}

/// What one strip of the right block needs.
struct Buffers {
    rows: Wiped<u8>,
    columns: Wiped<u8>,
    tables: Tables,
}

impl Buffers {
    fn new(stride: usize, lanes: usize) -> Self {
        Self {
            rows: Wiped::zeros(stride * lanes / 8),
            columns: Wiped::zeros(stride * lanes / 8),
            tables: Tables::new(),
        }
    }
}

/// Bytes of a row that are written at once: each cache line of the public key is visited by two pieces at most.
const PIECE_BYTES: usize = 128;

/// Finished strips on their way to the rows of the public key.
struct Piece {
    layout: RowLayout,
    row_bytes: usize,
    /// Bytes of a row in a full strip.
    width: usize,
    /// Where the piece starts in every row, and how many bytes it has.
    offset: usize,
    length: usize,
    /// The strips one after another, each row after row.
    rows: Wiped<u8>,
}

impl Piece {
    fn new(layout: RowLayout, row_bytes: usize, lanes: usize) -> Self {
        let width = lanes / 8;
        let capacity = layout.stride() * (PIECE_BYTES / width).max(1) * width;
        Self { layout, row_bytes, width, offset: 0, length: 0, rows: Wiped::zeros(capacity) }
    }

    fn is_full(&self) -> bool {
        self.length >= PIECE_BYTES
    }

    /// Adds a finished strip, a column matrix.
    #[inline(always)]
    fn add<B: RowProduct>(&mut self, backend: B, columns: &[u8]) {
        let stride = self.layout.stride();
        let source = Bytes { data: columns, stride, rows: columns.len() / stride, columns: stride };
        backend.transpose_bytes(source, &mut self.rows[self.length * stride..], self.width);
        self.length += self.width;
    }

    /// Copies the piece to every row of the public key, as far as this goes, and starts the next one.
    #[inline(always)]
    fn write(&mut self, public_key: &mut [u8]) {
        let strip = self.layout.stride() * self.width;
        let count = self.length.min(self.row_bytes - self.offset);
        for (row, target) in public_key.chunks_exact_mut(self.row_bytes).enumerate().take(self.layout.rows())
        {
            let first = self.layout.place(row) * self.width;
            let target = &mut target[self.offset..self.offset + count];
            for (part, bytes) in target.chunks_mut(self.width).enumerate() {
                let source = &self.rows[part * strip + first..][..self.width];
                match (bytes.len(), bytes.first_chunk_mut::<32>(), source.first_chunk::<32>()) {
                    // a constant length is one vector
                    (32, Some(bytes), Some(source)) => *bytes = *source,
                    _ => bytes.copy_from_slice(&source[..bytes.len()]),
                }
            }
        }
        (self.offset, self.length) = (self.offset + self.length, 0);
    }
}
