//! Pivoting inside a window of one panel.

use gf2n::small::gf2m::backend::LaneBackend;

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
/// Returns the record T as a column matrix of 8 `blocks` byte columns of 64 rows, and whether every pivot was found. The
/// search works on columns: bit r of `rows[b][c]` is the entry of window row 64 b + r in column c, columns 64.. being T.
/// Constant time.
pub(super) fn find_pivots<B: LaneBackend>(
    backend: B,
    columns: &[u8],
    stride: usize,
    first_row: usize,
    blocks: usize,
) -> (Wiped<u8>, bool) {
    let width = 64 + 64 * blocks;
    let mut rows = Wiped::zeros(width * blocks);
    let mut record = Wiped::zeros(64 * 8 * blocks);
    let mut missing = 0u64;
    backend.run(
        #[inline(always)]
        || {
            for (block, lines) in rows.chunks_exact_mut(width).enumerate() {
                let mut panel = load_rows(columns, stride, first_row + 64 * block);
                transpose64(&mut panel);
                lines[..64].copy_from_slice(&panel);
                for row in 0..64 {
                    lines[64 + 64 * block + row] = 1 << row;
                }
            }
            for pivot in 0..64 {
                // the first window row from `pivot` on that has the bit, as a one-hot mask
                let (mut found, mut open) = (0u64, u64::MAX);
                for block in 0..blocks {
                    let from = if block == 0 { u64::MAX << pivot } else { u64::MAX };
                    let bits = rows[block * width + pivot] & from & open;
                    let first = bits & bits.wrapping_neg();
                    // all ones once a bit was found
                    let seen = 0u64.wrapping_sub((bits | bits.wrapping_neg()) >> 63);
                    found |= seen;
                    open &= !seen;
                    let other = if block == 0 { first & !(1 << pivot) } else { first };
                    add_selected(&mut rows, width, block, other, pivot);
                }
                missing |= !found;
                for block in (0..blocks).rev() {
                    let keep = if block == 0 { !(1u64 << pivot) } else { u64::MAX };
                    let clear = rows[block * width + pivot] & keep;
                    add_pivot_row(&mut rows, width, block, clear, pivot);
                }
            }
            for block in 0..blocks {
                let mut lines = [0u64; 64];
                lines.copy_from_slice(&rows[64 + 64 * block..][..64]);
                transpose64(&mut lines);
                store_rows(&lines, &mut record[64 * 8 * block..], 64, 0);
            }
        },
    );
    (record, missing == 0)
}

/// Adds the row of block `block` selected by the one-hot mask `other` (or nothing) to the pivot row.
#[inline(always)]
fn add_selected(rows: &mut [u64], width: usize, block: usize, other: u64, pivot: usize) {
    if block == 0 {
        for word in &mut rows[..width] {
            let bits = *word & other;
            *word ^= ((bits | bits.wrapping_neg()) >> 63) << pivot;
        }
    } else {
        let (first, rest) = rows.split_at_mut(width);
        for (word, source) in first.iter_mut().zip(&rest[(block - 1) * width..block * width]) {
            let bits = source & other;
            *word ^= ((bits | bits.wrapping_neg()) >> 63) << pivot;
        }
    }
}

/// Adds the pivot row to the rows `clear` of a block.
#[inline(always)]
fn add_pivot_row(rows: &mut [u64], width: usize, block: usize, clear: u64, pivot: usize) {
    if block == 0 {
        for word in &mut rows[..width] {
            *word ^= clear & 0u64.wrapping_sub(*word >> pivot & 1);
        }
    } else {
        let (first, rest) = rows.split_at_mut(width);
        for (word, target) in first.iter().zip(&mut rest[(block - 1) * width..block * width]) {
            *target ^= clear & 0u64.wrapping_sub(*word >> pivot & 1);
        }
    }
}
