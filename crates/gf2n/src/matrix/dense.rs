//! The dense bit matrix.

use alloc::{vec, vec::Vec};

use rand_core::TryRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::words::{bit, last_word_mask, words_for};

/// A dense matrix over GF(2), an array of rows. It may hold a secret: it is wiped when dropped, compares in constant time,
/// and its `Debug` shows the shape only.
///
/// Invariant: bits of a row at and above the number of columns are zero.
#[derive(Clone)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    stride: usize,
    words: Vec<u64>,
}

/// Why bytes are no matrix of the wanted shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowBytesError {
    /// The number of bytes is not rows times bytes a row.
    Length {
        /// The length that the shape needs.
        expected: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A bit at or above the number of columns is set.
    Padding {
        /// Offset of the byte that holds the bit.
        byte: usize,
    },
}

impl core::fmt::Display for RowBytesError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { expected, actual } => write!(f, "matrix has {actual} bytes, expected {expected}"),
            Self::Padding { byte } => write!(f, "non-zero padding bit in byte {byte} of a matrix"),
        }
    }
}

impl core::error::Error for RowBytesError {}

impl BitMatrix {
    /// The zero matrix.
    #[must_use]
    pub fn zero(rows: usize, columns: usize) -> Self {
        let stride = words_for(columns);
        Self { rows, columns, stride, words: vec![0; rows * stride] }
    }

    /// The identity matrix of the given side.
    #[must_use]
    pub fn identity(side: usize) -> Self {
        let mut matrix = Self::zero(side, side);
        for i in 0..side {
            matrix.words[i * matrix.stride + i / 64] = 1 << (i % 64);
        }
        matrix
    }

    /// The matrix whose entry in row i, column j is `entry(i, j)`.
    #[must_use]
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> bool) -> Self {
        let mut matrix = Self::zero(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                matrix.words[i * matrix.stride + j / 64] |= u64::from(entry(i, j)) << (j % 64);
            }
        }
        matrix
    }

    /// A uniformly random matrix; one request for every row.
    ///
    /// # Errors
    /// The generator's own.
    pub fn random<R: TryRng + ?Sized>(rows: usize, columns: usize, rng: &mut R) -> Result<Self, R::Error> {
        let mut matrix = Self::zero(rows, columns);
        let mut bytes = Zeroizing::new(vec![0; columns.div_ceil(8)]);
        for i in 0..rows {
            rng.try_fill_bytes(&mut bytes)?;
            matrix.write_row(i, &bytes);
        }
        Ok(matrix)
    }

    /// Reads rows of `row_bytes` bytes each, bit j of a row in bit j mod 8 of byte j div 8.
    ///
    /// # Errors
    /// A wrong length, or a bit set at or above `columns`.
    ///
    /// # Panics
    /// If `8 * row_bytes < columns`.
    pub fn from_row_bytes(
        rows: usize,
        columns: usize,
        row_bytes: usize,
        bytes: &[u8],
    ) -> Result<Self, RowBytesError> {
        assert!(8 * row_bytes >= columns, "a row of {columns} bits does not fit {row_bytes} bytes");
        if bytes.len() != rows * row_bytes {
            return Err(RowBytesError::Length { expected: rows * row_bytes, actual: bytes.len() });
        }
        let mut matrix = Self::zero(rows, columns);
        for i in 0..rows {
            let row = &bytes[i * row_bytes..(i + 1) * row_bytes];
            let whole = columns / 8;
            for (k, &byte) in row.iter().enumerate().skip(whole) {
                let allowed = if k == whole { (1u8 << (columns % 8)) - 1 } else { 0 };
                if byte & !allowed != 0 {
                    return Err(RowBytesError::Padding { byte: i * row_bytes + k });
                }
            }
            matrix.write_row(i, &row[..columns.div_ceil(8)]);
        }
        Ok(matrix)
    }

    /// Appends the rows to `bytes`, `row_bytes` bytes each, unused bits zero.
    ///
    /// # Panics
    /// If `8 * row_bytes < columns`.
    pub fn append_row_bytes(&self, row_bytes: usize, bytes: &mut Vec<u8>) {
        assert!(8 * row_bytes >= self.columns, "a row does not fit {row_bytes} bytes");
        bytes.reserve(self.rows * row_bytes);
        for i in 0..self.rows {
            let row = self.row(i);
            bytes.extend(
                (0..row_bytes).map(|k| row.get(k / 8).map_or(0, |word| (word >> (8 * (k % 8))) as u8)),
            );
        }
    }

    /// Overwrites row `i` with bits given as bytes; bits at and above the number of columns are dropped.
    fn write_row(&mut self, i: usize, bytes: &[u8]) {
        let last = last_word_mask(self.columns);
        let row = self.row_mut(i);
        for (word, chunk) in row.iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_le_bytes(padded);
            padded.zeroize();
        }
        if let Some(word) = row.last_mut() {
            *word &= last;
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Words a row: ceil(columns / 64).
    #[must_use]
    pub fn words_per_row(&self) -> usize {
        self.stride
    }

    /// Row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[inline]
    pub fn row(&self, i: usize) -> &[u64] {
        &self.words[i * self.stride..(i + 1) * self.stride]
    }

    /// Row `i`, to write. The caller keeps the bits at and above the number of columns zero.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.stride..(i + 1) * self.stride]
    }

    /// The entry in row `i`, column `j`.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> bool {
        assert!(j < self.columns, "no column {j}");
        bit(self.row(i), j) == 1
    }

    /// Sets the entry in row `i`, column `j`. Constant time in the value.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, value: bool) {
        assert!(j < self.columns, "no column {j}");
        let word = &mut self.row_mut(i)[j / 64];
        *word = *word & !(1 << (j % 64)) | u64::from(value) << (j % 64);
    }

    /// The columns from `first` on, `count` of them, as a matrix.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn column_range(&self, first: usize, count: usize) -> Self {
        assert!(first + count <= self.columns, "columns {first}..{} of {}", first + count, self.columns);
        let mut part = Self::zero(self.rows, count);
        let (skip, shift) = (first / 64, first % 64);
        let last = last_word_mask(count);
        for i in 0..self.rows {
            let source = &self.row(i)[skip.min(self.stride)..];
            let target = part.row_mut(i);
            for (k, word) in target.iter_mut().enumerate() {
                let low = source[k] >> shift;
                let high = if shift == 0 { 0 } else { source.get(k + 1).map_or(0, |w| w << (64 - shift)) };
                *word = low | high;
            }
            if let Some(word) = target.last_mut() {
                *word &= last;
            }
        }
        part
    }

    /// The two matrices side by side.
    ///
    /// # Panics
    /// If the numbers of rows differ.
    #[must_use]
    pub fn beside(&self, right: &Self) -> Self {
        assert_eq!(self.rows, right.rows, "matrices side by side need as many rows");
        let mut joined = Self::zero(self.rows, self.columns + right.columns);
        let (skip, shift) = (self.columns / 64, self.columns % 64);
        for i in 0..self.rows {
            let target = joined.row_mut(i);
            target[..self.stride].copy_from_slice(self.row(i));
            for (k, &word) in right.row(i).iter().enumerate() {
                target[skip + k] |= word << shift;
                if shift != 0 && skip + k + 1 < target.len() {
                    target[skip + k + 1] |= word >> (64 - shift);
                }
            }
        }
        joined
    }

    /// All words, row after row.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Two different rows, the first to write, the second to read.
    #[inline(always)]
    pub(super) fn row_pair(&mut self, target: usize, source: usize) -> (&mut [u64], &[u64]) {
        let stride = self.stride;
        if target < source {
            let (low, high) = self.words.split_at_mut(source * stride);
            (&mut low[target * stride..(target + 1) * stride], &high[..stride])
        } else {
            let (low, high) = self.words.split_at_mut(target * stride);
            (&mut high[..stride], &low[source * stride..(source + 1) * stride])
        }
    }

    /// Exchanges two rows.
    pub(super) fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            for k in 0..self.stride {
                self.words.swap(a * self.stride + k, b * self.stride + k);
            }
        }
    }
}

impl ConstantTimeEq for BitMatrix {
    fn ct_eq(&self, other: &Self) -> Choice {
        if self.rows != other.rows || self.columns != other.columns {
            return Choice::from(0);
        }
        self.words.ct_eq(&other.words)
    }
}

impl PartialEq for BitMatrix {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for BitMatrix {}

impl core::fmt::Debug for BitMatrix {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "BitMatrix({} x {})", self.rows, self.columns)
    }
}

impl Zeroize for BitMatrix {
    /// Sets every entry to zero; the shape stays.
    fn zeroize(&mut self) {
        self.words.as_mut_slice().zeroize();
    }
}

impl Drop for BitMatrix {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for BitMatrix {}
