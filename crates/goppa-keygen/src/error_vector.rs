//! Errors from positions, in constant time.
//!
//! Bit p of the error is entry (p / 64, p % 64) of a matrix with a row for each 64 bits. That matrix is a product: (row i has bit k if position k
//! lies in row i) times (row k has the bit that position k has in its row), and the register tables of the elimination make it.

use crate::backend::SortVectors;
use crate::backend::product::{Bytes, Product, RowProduct, equal_mask};
use crate::sort::sort_interleaved;
use crate::wiped::Wiped;

/// Positions of a block: the inner rows of a table.
const BLOCK: usize = 64;

/// Rows of the matrix that are made at a time: bits 6..13 of a position.
const ROWS: usize = 128;

/// Buffers of [`distinct`] for lists of one length.
pub struct DistinctScratch {
    sorted: Wiped<u32>,
    other: Wiped<u32>,
}

impl DistinctScratch {
    /// For lists of `count` positions.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let size = count.next_power_of_two();
        Self { sorted: Wiped::zeros(size), other: Wiped::zeros(size) }
    }
}

/// Whether the positions, as many as `scratch` was made for, differ from each other. Constant time; the verdict is public.
///
/// # Panics
/// If `scratch` was made for another number of positions.
#[must_use]
pub fn distinct<B: SortVectors<u32>>(backend: B, positions: &[u16], scratch: &mut DistinctScratch) -> bool {
    let DistinctScratch { sorted, other } = scratch;
    assert_eq!(sorted.len(), positions.len().next_power_of_two());
    for (entry, position) in sorted.iter_mut().zip(positions) {
        *entry = u32::from(*position);
    }
    // padding of distinct values above every position
    for (index, entry) in sorted.iter_mut().enumerate().skip(positions.len()) {
        *entry = 0x1_0000 + index as u32;
    }
    sort_interleaved::<u32, B>(backend, sorted, other, 1);
    let equal = backend.run(
        #[inline(always)]
        || {
            let mut equal = 0;
            for (left, right) in sorted.iter().zip(&sorted[1..]) {
                equal |= (left ^ right).wrapping_sub(1);
            }
            equal >> 31
        },
    );
    equal == 0
}

/// The error with ones at `positions`, all below `length` and different, as ceil(length / 8) bytes. Constant time.
#[must_use]
pub fn error_from_positions<B: RowProduct>(backend: B, positions: &[u16], length: usize) -> Wiped<u8> {
    let chunk_bits = 64 * ROWS;
    let mut bytes = Wiped::zeros(length.div_ceil(8));
    let (index_bytes, table_bytes) = (ROWS / B::ROW_GROUP * B::INDEX_BYTES, 8 * B::TABLE_BYTES);
    let mut buffer =
        Wiped::<u8>::zeros(8 * ROWS + 8 * BLOCK + 8 * ROWS + index_bytes + table_bytes + 8 * ROWS);
    backend.run(
        #[inline(always)]
        || {
            let (rows_of, rest) = buffer.split_at_mut(8 * ROWS);
            let (bits_of, rest) = rest.split_at_mut(8 * BLOCK);
            let (target, rest) = rest.split_at_mut(8 * ROWS);
            let (index, rest) = rest.split_at_mut(index_bytes);
            let (tables, natural) = rest.split_at_mut(table_bytes);
            for (chunk, part) in bytes.chunks_mut(chunk_bits / 8).enumerate() {
                target.fill(0);
                let used = part.len().div_ceil(8).next_multiple_of(64);
                for block in positions.chunks(BLOCK) {
                    factors(backend, block, (chunk, used), rows_of, bits_of);
                    for group in 0..used / B::ROW_GROUP {
                        let part = &mut index[group * B::INDEX_BYTES..][..B::INDEX_BYTES];
                        backend.build_index(rows_of, ROWS, group * B::ROW_GROUP, part);
                    }
                    for (rows, table) in
                        bits_of.as_chunks().0.iter().zip(tables.chunks_exact_mut(B::TABLE_BYTES))
                    {
                        backend.build_table(rows, table);
                    }
                    let product = Product {
                        index,
                        tables,
                        blocks: 1,
                        inner_rows: block.len(),
                        index_pitch: B::INDEX_BYTES,
                        table_pitch: B::TABLE_BYTES,
                        stride: ROWS,
                        first_row: 0,
                        row_groups: used / B::ROW_GROUP,
                    };
                    backend.add_product(product, target);
                }
                let source = Bytes { data: target, stride: ROWS, rows: 8, columns: used };
                backend.transpose_bytes(source, natural, 8);
                part.copy_from_slice(&natural[..part.len()]);
            }
        },
    );
    bytes
}

/// The two factors of a block of positions, for `used` rows from `ROWS` chunk on, as column matrices of `ROWS` and of `BLOCK` rows.
#[inline(always)]
fn factors<B: RowProduct>(
    backend: B,
    positions: &[u16],
    (chunk, used): (usize, usize),
    rows_of: &mut [u8],
    bits_of: &mut [u8],
) {
    // position k: its row and its bit there, a byte of ones where it lies in the chunk
    let (mut row, mut bit, mut byte) = ([0u8; BLOCK], [0u8; BLOCK], [0u8; BLOCK]);
    for (k, position) in positions.iter().enumerate() {
        row[k] = (position >> 6) as u8 % ROWS as u8;
        let outside = equal_mask((position >> 13) as u8, chunk as u8) ^ 0xFF;
        bit[k] = 1 << (position & 7);
        byte[k] = (position >> 3) as u8 & 7 | outside;
    }
    for (column, list) in bits_of.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        for k in 0..BLOCK {
            list[k] = bit[k] & equal_mask(byte[k], column as u8);
        }
    }
    for (list, places) in rows_of.chunks_exact_mut(ROWS).zip(row.as_chunks().0) {
        for (part, selectors) in list.as_chunks_mut().0[..used / 64].iter_mut().enumerate() {
            backend.places_to_bits(places, 64 * part as u8, selectors);
        }
    }
}
