//! Pivoting inside a window of one panel.

use crate::backend::product::{Product, RowProduct};
use crate::wiped::Wiped;

/// Transposes a 64 x 64 bit matrix: bit c of word r and bit r of word c change places.
#[inline(always)]
pub(crate) fn transpose64(words: &mut [u64; 64]) {
    const MASKS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (level, mask) in MASKS.into_iter().enumerate().rev() {
        let distance = 1usize << level;
        for block in (0..64).step_by(2 * distance) {
            let (low, high) = words[block..block + 2 * distance].split_at_mut(distance);
            for (a, b) in low.iter_mut().zip(high) {
                let swap = (*a >> distance ^ *b) & mask;
                *b ^= swap;
                *a ^= swap << distance;
            }
        }
    }
}

/// The bits of 8 byte columns in 64 rows, one row a word.
#[inline(always)]
pub(crate) fn load_rows(columns: &[u8], stride: usize, first_row: usize) -> [u64; 64] {
    let mut rows = [0u64; 64];
    for column in 0..8 {
        let bytes = &columns[column * stride + first_row..][..64];
        for (row, byte) in rows.iter_mut().zip(bytes) {
            *row |= u64::from(*byte) << (8 * column);
        }
    }
    rows
}

/// The inverse of [`load_rows`].
#[inline(always)]
pub(crate) fn store_rows(rows: &[u64; 64], columns: &mut [u8], stride: usize, first_row: usize) {
    for column in 0..8 {
        let bytes = &mut columns[column * stride + first_row..][..64];
        for (row, byte) in rows.iter().zip(bytes) {
            *byte = (*row >> (8 * column)) as u8;
        }
    }
}

/// Finds the pivots of a panel in `blocks` blocks of 64 rows. `columns` are the panel's 8 byte columns.
///
/// Returns the record T as a column matrix of 8 `blocks` byte columns of 64 rows, and whether every pivot was found. Constant time.
///
/// The search only decides which other row of the window is added to each pivot row, so that the panel of the sums has an LU decomposition:
/// what a row was reduced by before lies in the span of the pivot rows above. These choices, one-hot, are a matrix E of 64 x 64
/// `blocks` bits; with D = (the panel of E times the window), T = D^-1 E.
pub(super) fn find_pivots<B: RowProduct>(
    backend: B,
    columns: &[u8],
    stride: usize,
    first_row: usize,
    blocks: usize,
) -> (Wiped<u8>, bool) {
    let mut lines = Wiped::zeros(64 * blocks);
    let mut choice = Wiped::zeros(64 * 8 * blocks);
    let mut sums = Wiped::zeros(512);
    let mut record = Wiped::zeros(64 * 8 * blocks);
    let mut index = Wiped::zeros(64 / B::ROW_GROUP * blocks * B::INDEX_BYTES);
    let mut tables = Wiped::zeros(8 * blocks * B::TABLE_BYTES);
    let mut complete = false;
    backend.run(
        #[inline(always)]
        || {
            for (block, lines) in lines.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                *lines = load_rows(columns, stride, first_row + 64 * block);
                transpose64(lines);
            }
            complete = search(&mut lines, &mut choice, blocks);
            // D
            build_index(backend, &choice, blocks, &mut index);
            for (column, tables) in tables.chunks_exact_mut(blocks * B::TABLE_BYTES).enumerate() {
                let rows = &columns[column * stride + first_row..][..64 * blocks];
                for (rows, table) in
                    rows.as_chunks::<64>().0.iter().zip(tables.chunks_exact_mut(B::TABLE_BYTES))
                {
                    backend.build_table(rows, table);
                }
            }
            backend.add_product(square::<B>(&index, &tables, blocks), &mut sums);
            let mut rows = load_rows(&sums, 64, 0);
            invert(&mut rows);
            store_rows(&rows, &mut sums, 64, 0);
            rows.fill(0);
            core::hint::black_box(&mut rows);
            // T
            build_index(backend, &sums, 1, &mut index);
            for (rows, table) in
                choice.as_chunks::<64>().0.iter().zip(tables.chunks_exact_mut(B::TABLE_BYTES))
            {
                backend.build_table(rows, table);
            }
            backend.add_product(square::<B>(&index, &tables, 1), &mut record);
        },
    );
    (record, complete)
}

/// The index of 64 rows of `blocks` blocks, which lie one after another.
#[inline(always)]
pub(super) fn build_index<B: RowProduct>(backend: B, columns: &[u8], blocks: usize, index: &mut [u8]) {
    let groups = 64 / B::ROW_GROUP;
    for (number, part) in index.chunks_exact_mut(B::INDEX_BYTES).enumerate().take(groups * blocks) {
        let (group, block) = (number / blocks, number % blocks);
        backend.build_index(&columns[512 * block..], 64, group * B::ROW_GROUP, part);
    }
}

/// A product with a target of 64 rows.
#[inline(always)]
fn square<'a, B: RowProduct>(index: &'a [u8], tables: &'a [u8], blocks: usize) -> Product<'a> {
    Product {
        index,
        tables,
        blocks,
        inner_rows: 64 * blocks,
        index_pitch: blocks * B::INDEX_BYTES,
        table_pitch: blocks * B::TABLE_BYTES,
        stride: 64,
        first_row: 0,
        row_groups: 64 / B::ROW_GROUP,
    }
}

/// Bit r of `lines[64 b + c]` is the entry of window row 64 b + r in column c. Writes E as a column matrix and returns whether every
/// pivot was found.
#[inline(always)]
fn search(lines: &mut [u64], choice: &mut [u8], blocks: usize) -> bool {
    let mut missing = 0u64;
    let mut rows = Wiped::zeros(64 * blocks);
    for pivot in 0..64 {
        // the first window row from `pivot` on that has the bit, as a one-hot mask
        let (mut found, mut open) = (0u64, u64::MAX);
        // the pivot row on columns pivot .., a column a word: bit 0
        let mut line = [0u64; 64];
        for (bit, word) in line.iter_mut().zip(&lines[..64]) {
            *bit = word >> pivot & 1;
        }
        for block in 0..blocks {
            let from = if block == 0 { u64::MAX << pivot } else { u64::MAX };
            let bits = lines[64 * block + pivot] & from & open;
            let first = bits & bits.wrapping_neg();
            // all ones once a bit was found
            let seen = 0u64.wrapping_sub((bits | bits.wrapping_neg()) >> 63);
            found |= seen;
            open &= !seen;
            rows[64 * block + pivot] = if block == 0 { first | 1 << pivot } else { first };
            let other = if block == 0 { first & !(1 << pivot) } else { first };
            for (bit, word) in line.iter_mut().zip(&lines[64 * block..64 * block + 64]) {
                let selected = word & other;
                *bit ^= (selected | selected.wrapping_neg()) >> 63;
            }
        }
        missing |= !found;
        for block in 0..blocks {
            // only rows that are still to become pivots matter
            let later =
                if block == 0 { u64::MAX.checked_shl(pivot as u32 + 1).unwrap_or(0) } else { u64::MAX };
            let clear = lines[64 * block + pivot] & later;
            for (bit, word) in line.iter().zip(&mut lines[64 * block..64 * block + 64]) {
                *word ^= clear & 0u64.wrapping_sub(*bit);
            }
        }
    }
    for (words, part) in rows.as_chunks::<64>().0.iter().zip(choice.chunks_exact_mut(512)) {
        store_rows(words, part, 64, 0);
    }
    missing == 0
}

/// Inverts a matrix that needs no pivoting, in place.
#[inline(always)]
fn invert(rows: &mut [u64; 64]) {
    for pivot in 0..64 {
        let row = rows[pivot];
        let add = row & !(1 << pivot);
        for other in rows.iter_mut() {
            *other ^= add & 0u64.wrapping_sub(*other >> pivot & 1);
        }
        rows[pivot] = row;
    }
}
