//! Niederreiter encoding: the syndrome (I | T) e of an error, and errors from positions. Constant time in the error.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;
use zeroize::{Zeroize, Zeroizing};

use crate::backend::{Backend, SortVectors};
use crate::sort::sort;

/// The error with ones at `positions` (all below `length`), as ceil(length / 8) bytes, or `None` if two positions are equal (this
/// verdict is public).
#[must_use]
pub fn error_from_positions<B: SortVectors<u32>>(
    backend: B,
    positions: &[u16],
    length: usize,
) -> Option<Zeroizing<Vec<u8>>> {
    // padding of distinct values above every position
    let mut sorted: Zeroizing<Vec<u32>> = Zeroizing::new(
        (0..positions.len().next_power_of_two())
            .map(|index| {
                positions.get(index).map_or(0x1_0000 + index as u32, |position| u32::from(*position))
            })
            .collect(),
    );
    sort::<u32, B>(backend, &mut sorted);
    let equal = sorted.windows(2).fold(0, |equal, pair| equal | (pair[0] ^ pair[1]).wrapping_sub(1) >> 31);
    if equal != 0 {
        return None;
    }
    let mut words = Zeroizing::new(vec![0u64; length.div_ceil(64)]);
    backend.run(
        #[inline(always)]
        || {
            for position in positions {
                let bit = 1u64 << (position & 63);
                let target = u64::from(position >> 6);
                for (index, word) in words.iter_mut().enumerate() {
                    let difference = target ^ index as u64;
                    *word |= bit & 0u64.wrapping_sub(difference.wrapping_sub(1) >> 63);
                }
            }
        },
    );
    let mut bytes: Zeroizing<Vec<u8>> = Zeroizing::new(Vec::with_capacity(8 * words.len()));
    for word in words.iter() {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.truncate(length.div_ceil(8));
    Some(bytes)
}

/// The syndrome of `error` (n bits) under the code with the parity-check matrix (I | T): mt bits, least significant first.
///
/// `public_key` holds the mt rows of T, each ceil((n - mt)/8) bytes whose padding bits are ignored. The whole of it is read.
#[must_use]
pub fn syndrome<B: Backend>(
    backend: B,
    public_key: &[u8],
    redundancy: usize,
    length: usize,
    error: &[u8],
) -> Vec<u8> {
    let row_bytes = (length - redundancy).div_ceil(8);
    // the last n - mt bits of the error, from bit 0, with zeros behind
    let mut tail = Zeroizing::new(vec![0u8; row_bytes.next_multiple_of(64) + 64]);
    let (skip, shift) = (redundancy / 8, redundancy % 8);
    for (index, byte) in tail.iter_mut().enumerate().take(row_bytes) {
        let low = u16::from(error[skip + index]);
        let high = error.get(skip + index + 1).map_or(0, |byte| u16::from(*byte));
        *byte = ((low | high << 8) >> shift) as u8;
    }
    let unused = 8 * row_bytes - (length - redundancy);
    tail[row_bytes - 1] &= 0xFF >> unused;
    let mut syndrome = vec![0u8; redundancy.div_ceil(8)];
    backend.run(
        #[inline(always)]
        || backend.row_parities(public_key, row_bytes, &tail, &mut syndrome, redundancy),
    );
    for (byte, head) in syndrome.iter_mut().zip(error) {
        *byte ^= head;
    }
    if shift != 0 {
        // bits of the error beyond mt came along
        if let Some(last) = syndrome.last_mut() {
            *last &= (1 << shift) - 1;
        }
    }
    tail.zeroize();
    syndrome
}

/// Scalar products of bit vectors, by back end.
pub trait RowParities: LaneBackend {
    /// Bit r of `parities` is set (it was zero) to the parity of row r of `matrix` AND `vector`, r < rows. Rows are `row_bytes` bytes, one
    /// after another; `vector` is zero from byte `row_bytes` on and at least 64 bytes longer, rounded to 64. Constant time.
    fn row_parities(self, matrix: &[u8], row_bytes: usize, vector: &[u8], parities: &mut [u8], rows: usize);
}

/// The definition, and what other back ends use for the last rows.
#[inline(always)]
pub(crate) fn row_parities_portable(
    matrix: &[u8],
    row_bytes: usize,
    vector: &[u8],
    parities: &mut [u8],
    rows: core::ops::Range<usize>,
) {
    for row in rows {
        let bytes = &matrix[row * row_bytes..(row + 1) * row_bytes];
        let (words, rest) = bytes.as_chunks::<8>();
        let (masks, mask_rest) = vector[..row_bytes].as_chunks::<8>();
        let mut sum = words
            .iter()
            .zip(masks)
            .fold(0, |sum, (word, mask)| sum ^ (u64::from_le_bytes(*word) & u64::from_le_bytes(*mask)));
        for (byte, mask) in rest.iter().zip(mask_rest) {
            sum ^= u64::from(byte & mask);
        }
        parities[row / 8] |= ((sum.count_ones() & 1) as u8) << (row % 8);
    }
}

impl RowParities for gf2n::small::gf2m::backend::Portable {
    fn row_parities(self, matrix: &[u8], row_bytes: usize, vector: &[u8], parities: &mut [u8], rows: usize) {
        row_parities_portable(matrix, row_bytes, vector, parities, 0..rows);
    }
}
