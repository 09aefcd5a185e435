//! Niederreiter encoding: the syndrome (I | T) e of an error, and errors from positions. Constant time in the error.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use gf2n::small::gf2m::backend::LaneBackend;

use crate::backend::{Backend, SortVectors};
use crate::sort::sort;
use crate::wiped::Wiped;

/// The error with ones at `positions` (all below `length`), as ceil(length / 8) bytes, or `None` if two positions are equal (this
/// verdict is public).
#[must_use]
pub fn error_from_positions<B: SortVectors<u32>>(
    backend: B,
    positions: &[u16],
    length: usize,
) -> Option<Wiped<u8>> {
    // padding of distinct values above every position
    let mut sorted = Wiped::<u32>::zeros(positions.len().next_power_of_two());
    for (index, entry) in sorted.iter_mut().enumerate() {
        *entry = positions.get(index).map_or(0x1_0000 + index as u32, |position| u32::from(*position));
    }
    sort::<u32, B>(backend, &mut sorted);
    let mut words = Wiped::<u64>::zeros(length.div_ceil(64).next_multiple_of(BLOCK));
    let mut singles = Wiped::<u64>::zeros(BLOCK * positions.len());
    let distinct = backend.run(
        #[inline(always)]
        || {
            let mut equal = 0;
            for (left, right) in sorted.iter().zip(&sorted[1..]) {
                equal |= (left ^ right).wrapping_sub(1) >> 31;
            }
            if equal != 0 {
                return false;
            }
            set_bits(&mut words, positions, &mut singles);
            true
        },
    );
    if !distinct {
        return None;
    }
    let mut bytes = Wiped::<u8>::zeros(length.div_ceil(8));
    words_to_bytes(&words, &mut bytes);
    Some(bytes)
}

/// Little-endian bytes of the words, as many as fit.
pub(crate) fn words_to_bytes(words: &[u64], bytes: &mut [u8]) {
    let (chunks, rest) = bytes.as_chunks_mut::<8>();
    for (chunk, word) in chunks.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
    if let Some(word) = words.get(chunks.len()) {
        let count = rest.len();
        rest.copy_from_slice(&word.to_le_bytes()[..count]);
    }
}

/// The inverse of [`words_to_bytes`]; a last word that is not full gets zeros above, words beyond the bytes stay.
pub(crate) fn bytes_to_words(bytes: &[u8], words: &mut [u64]) {
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
    if !rest.is_empty()
        && let Some(word) = words.get_mut(chunks.len())
    {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        *word = u64::from_le_bytes(last);
    }
}

/// Words of a block of [`set_bits`].
const BLOCK: usize = 16;

/// All ones if the numbers, below 2^63, are equal.
#[inline(always)]
fn equal_mask(left: u64, right: u64) -> u64 {
    0u64.wrapping_sub((left ^ right).wrapping_sub(1) >> 63)
}

/// Sets the bits at `positions`, in constant time: a block takes the bit that each position has in *its* block (`singles`, one block for each
/// position), masked by whether it is this one.
#[inline(always)]
fn set_bits(words: &mut [u64], positions: &[u16], singles: &mut [u64]) {
    let (singles, _) = singles.as_chunks_mut::<BLOCK>();
    for (position, single) in positions.iter().zip(singles.iter_mut()) {
        let (bit, target) = (1u64 << (position & 63), u64::from(position >> 6) % BLOCK as u64);
        for (index, word) in single.iter_mut().enumerate() {
            *word = bit & equal_mask(target, index as u64);
        }
    }
    for (number, block) in words.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut sum = [0u64; BLOCK];
        for (position, single) in positions.iter().zip(singles.iter()) {
            let mask = equal_mask(u64::from(position >> 6) / BLOCK as u64, number as u64);
            for (word, single) in sum.iter_mut().zip(single) {
                *word |= single & mask;
            }
        }
        *block = sum;
    }
}

/// What [`syndrome`] finds.
pub struct Syndrome {
    /// mt bits, least significant first.
    pub bits: Vec<u8>,
    /// The last bytes of all rows of the public key, joined by OR: what padding bits are set.
    pub last_bytes: u8,
}

/// Rows of the public key that are looked at together, so that their last bytes are still in the cache.
const ROWS_AT_ONCE: usize = 16;

/// The syndrome of `error` (n bits) under the code with the parity-check matrix (I | T).
///
/// `public_key` holds the mt rows of T, each ceil((n - mt)/8) bytes whose padding bits do not count. The whole of it is read.
#[must_use]
pub fn syndrome<B: Backend>(
    backend: B,
    public_key: &[u8],
    redundancy: usize,
    length: usize,
    error: &[u8],
) -> Syndrome {
    let row_bytes = (length - redundancy).div_ceil(8);
    let (skip, shift) = (redundancy / 8, redundancy % 8);
    // the last n - mt bits of the error, from bit 0, with zeros behind
    let mut tail = Wiped::<u8>::zeros(row_bytes.next_multiple_of(64) + 64);
    let mut bits = vec![0u8; redundancy.div_ceil(8)];
    let mut last_bytes = 0;
    backend.run(
        #[inline(always)]
        || {
            let source = &error[skip..];
            tail[..source.len()].copy_from_slice(source);
            if shift != 0 {
                let used = source.len().next_multiple_of(8) + 8;
                let (words, _) = tail[..used].as_chunks_mut::<8>();
                for index in 0..words.len() - 1 {
                    let (low, high) =
                        (u64::from_le_bytes(words[index]), u64::from_le_bytes(words[index + 1]));
                    words[index] = (low >> shift | high << (64 - shift)).to_le_bytes();
                }
            }
            let unused = 8 * row_bytes - (length - redundancy);
            tail[row_bytes - 1] &= 0xFF >> unused;
            tail[row_bytes..].fill(0);
            for start in (0..redundancy).step_by(ROWS_AT_ONCE) {
                let rows = start..(start + ROWS_AT_ONCE).min(redundancy);
                backend.row_parities(public_key, row_bytes, &tail, &mut bits, rows.clone());
                for row in rows {
                    last_bytes |= public_key[(row + 1) * row_bytes - 1];
                }
            }
        },
    );
    for (byte, head) in bits.iter_mut().zip(error) {
        *byte ^= head;
    }
    if shift != 0 {
        // bits of the error beyond mt came along
        if let Some(last) = bits.last_mut() {
            *last &= (1 << shift) - 1;
        }
    }
    Syndrome { bits, last_bytes }
}

/// Scalar products of bit vectors, by back end.
pub trait RowParities: LaneBackend {
    /// Bit r of `parities` is set (it was zero) to the parity of row r of `matrix` AND `vector`, for r in `rows`, which starts at a
    /// multiple of 8. Rows are `row_bytes` bytes, one after another; `vector` is zero from byte `row_bytes` on and at least 64 bytes longer,
    /// rounded to 64. Constant time.
    fn row_parities(
        self,
        matrix: &[u8],
        row_bytes: usize,
        vector: &[u8],
        parities: &mut [u8],
        rows: Range<usize>,
    );
}

/// The definition, and what other back ends use for the last rows.
#[inline(always)]
pub(crate) fn row_parities_portable(
    matrix: &[u8],
    row_bytes: usize,
    vector: &[u8],
    parities: &mut [u8],
    rows: Range<usize>,
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
    fn row_parities(
        self,
        matrix: &[u8],
        row_bytes: usize,
        vector: &[u8],
        parities: &mut [u8],
        rows: Range<usize>,
    ) {
        row_parities_portable(matrix, row_bytes, vector, parities, rows);
    }
}
