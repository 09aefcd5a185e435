//! Niederreiter encoding: the syndrome (I | T) e of an error. Constant time in the error.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;

use crate::wiped::Wiped;

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

/// What [`syndrome`] finds.
pub struct Syndrome {
    /// mt bits, least significant first.
    pub bits: Vec<u8>,
    /// The last bytes of all rows of the public key, joined by OR, if rows have padding bits: which of these are set. Else zero.
    pub last_bytes: u8,
}

/// The syndrome of `error` (n bits) under the code with the parity-check matrix (I | T).
///
/// `public_key` holds the mt rows of T, each ceil((n - mt)/8) bytes whose padding bits do not count. The whole of it is read, once.
#[must_use]
pub fn syndrome<B: RowParities>(
    backend: B,
    public_key: &[u8],
    redundancy: usize,
    length: usize,
    error: &[u8],
) -> Syndrome {
    let row_bytes = (length - redundancy).div_ceil(8);
    let unused = 8 * row_bytes - (length - redundancy);
    let (skip, shift) = (redundancy / 8, redundancy % 8);
    // the last n - mt bits of the error, from bit 0, with zeros behind
    let mut tail = Wiped::<u8>::zeros(row_bytes.next_multiple_of(32) + 32);
    let mut bits = vec![0u8; redundancy.div_ceil(8)];
    let last_bytes = backend.run(
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
            tail[row_bytes - 1] &= 0xFF >> unused;
            tail[row_bytes..].fill(0);
            let rows = Rows { matrix: public_key, row_bytes, padded: unused != 0 };
            backend.row_parities(rows, &tail, &mut bits)
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

/// A matrix of bits, row after row.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The rows.
    pub matrix: &'a [u8],
    /// Bytes of a row, at least one.
    pub row_bytes: usize,
    /// Whether the last byte of a row has padding bits.
    pub padded: bool,
}

/// Scalar products of bit vectors, by back end.
pub trait RowParities: LaneBackend {
    /// Bit r of `parities` is set (it was zero) to the parity of row r AND `vector`, which is zero from byte `row_bytes` on and has
    /// `row_bytes`, rounded up to 32, bytes at least. Constant time in the vector. Returns the OR of the last bytes of all rows if
    /// they are padded, else zero.
    fn row_parities(self, rows: Rows<'_>, vector: &[u8], parities: &mut [u8]) -> u8 {
        row_parities_portable(rows, vector, parities, 0)
    }
}

/// The definition, from row `first` on, and what other back ends use for the last rows.
#[inline(always)]
pub(crate) fn row_parities_portable(rows: Rows<'_>, vector: &[u8], parities: &mut [u8], first: usize) -> u8 {
    let Rows { matrix, row_bytes, padded } = rows;
    let mut last_bytes = 0;
    for (row, bytes) in matrix.chunks_exact(row_bytes).enumerate().skip(first) {
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
        if padded {
            last_bytes |= bytes[row_bytes - 1];
        }
    }
    last_bytes
}

// LLVM vectorises the words of the definition
#[cfg(target_arch = "aarch64")]
impl RowParities for gf2n::small::gf2m::backend::Neon {}

impl RowParities for gf2n::small::gf2m::backend::Portable {}
