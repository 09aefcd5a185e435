//! Cells as words, their multiples and bins.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Every nibble of a word is 1.
const ONES: u32 = 0x1111_1111;

/// Words of a cell of `elements` elements.
#[must_use]
pub const fn words(elements: usize) -> usize {
    elements.div_ceil(8)
}

/// Words on the heap, wiped when dropped. The length is fixed, so that no copy stays behind.
pub struct SecretWords(Vec<u32>);

impl SecretWords {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self(vec![0; len])
    }
}

impl Deref for SecretWords {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl DerefMut for SecretWords {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

impl Drop for SecretWords {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for SecretWords {}

/// Reads a cell from packed bytes (as many as there are, at most 4 a word); the rest of `cell` becomes zero.
pub fn load(bytes: &[u8], cell: &mut [u32]) {
    let (whole, rest) = bytes.as_chunks::<4>();
    cell.fill(0);
    for (word, bytes) in cell.iter_mut().zip(whole) {
        *word = u32::from_le_bytes(*bytes);
    }
    if let Some(word) = cell.get_mut(whole.len()) {
        for (index, byte) in rest.iter().enumerate() {
            *word |= u32::from(*byte) << (8 * index);
        }
    }
}

/// Writes a cell to packed bytes.
pub fn store(cell: &[u32], bytes: &mut [u8]) {
    for (bytes, word) in bytes.chunks_mut(4).zip(cell) {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

/// Multiplies each of the eight elements of a word by x.
#[inline(always)]
pub(super) fn times_x(word: u32) -> u32 {
    let top = (word >> 3) & ONES;
    ((word & !(ONES << 3)) << 1) ^ (top | top << 1)
}

/// Swaps rows and columns of an 8 by 8 square of elements: element j of word i becomes element i of word j.
#[inline(always)]
#[must_use]
pub fn transpose(mut square: [u32; 8]) -> [u32; 8] {
    for (distance, mask) in [(4, 0x0000_ffff_u32), (2, 0x00ff_00ff), (1, 0x0f0f_0f0f)] {
        let shift = 4 * distance as u32;
        for i in (0..8).filter(|i| i & distance == 0) {
            let difference = ((square[i] >> shift) ^ square[i + distance]) & mask;
            square[i + distance] ^= difference;
            square[i] ^= difference << shift;
        }
    }
    square
}

/// The multiples of a word by 1, x, x^2, x^3.
#[inline(always)]
pub(super) fn multiples(word: u32) -> [u32; 4] {
    let second = times_x(word);
    let third = times_x(second);
    [word, second, third, times_x(third)]
}

/// A secret scalar prepared for products: its multiples by 1, x, x^2, x^3.
///
/// Products are integer products: a word that holds one bit of each of its elements, at the nibble's lowest place, times a number
/// below 16 has no carries. Masks would take as many instructions, but a compiler that sees the mask of a secret bit outside a
/// loop over words may turn it into a branch; it cannot do that to a product.
pub type Scalar = [u32; 4];

/// Prepares the lowest four bits of a scalar.
#[inline]
#[must_use]
pub fn scalar(element: u8) -> Scalar {
    multiples(u32::from(element & 15))
}

/// Bit k of each element of a word, at the lowest place of its nibble.
#[inline(always)]
pub(super) fn bits(word: u32) -> [u32; 4] {
    [word & ONES, (word >> 1) & ONES, (word >> 2) & ONES, (word >> 3) & ONES]
}

/// The product of the elements with these [`bits`] by a scalar.
#[inline(always)]
pub(super) fn product(bits: [u32; 4], scalar: &Scalar) -> u32 {
    (bits[0].wrapping_mul(scalar[0]) ^ bits[1].wrapping_mul(scalar[1]))
        ^ (bits[2].wrapping_mul(scalar[2]) ^ bits[3].wrapping_mul(scalar[3]))
}

/// A secret cell prepared for products by several scalars. Wiped when dropped.
pub struct Prepared(SecretWords);

impl Prepared {
    /// Room for a cell of `words` words.
    #[must_use]
    pub fn zeros(words: usize) -> Self {
        Self(SecretWords::zeros(4 * words))
    }

    /// Prepares a cell of as many words.
    pub fn set(&mut self, cell: &[u32]) {
        for (four, word) in self.0.chunks_exact_mut(4).zip(cell) {
            four.copy_from_slice(&bits(*word));
        }
    }

    /// sum += scalar * cell. Constant time with respect to both.
    #[inline(always)]
    pub fn add_to(&self, scalar: &Scalar, sum: &mut [u32]) {
        let (bits, _) = self.0.as_chunks::<4>();
        for (sum, bits) in sum.iter_mut().zip(bits) {
            *sum ^= product(*bits, scalar);
        }
    }
}

impl ZeroizeOnDrop for Prepared {}

/// Sums of products of cells by public scalars: one sum for each value of a scalar.
///
/// Variable time with respect to the scalars (their values are addresses), constant time with respect to the cells.
pub struct Bins {
    words: usize,
    bins: Vec<u32>,
}

impl Bins {
    /// Empty bins for cells of `words` words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        Self { words, bins: vec![0; 16 * words] }
    }

    /// Adds a cell to the bin of `scalar` (below 16; more is taken modulo 16).
    #[inline]
    pub fn add(&mut self, scalar: u8, cell: &[u32]) {
        let start = usize::from(scalar & 15) * self.words;
        for (bin, word) in self.bins[start..start + self.words].iter_mut().zip(cell) {
            *bin ^= word;
        }
    }

    /// [`Self::add`] for a cell of packed bytes.
    #[inline]
    pub fn add_bytes(&mut self, scalar: u8, cell: &[u8]) {
        let start = usize::from(scalar & 15) * self.words;
        let bins = &mut self.bins[start..start + self.words];
        let (whole, rest) = cell.as_chunks::<4>();
        for (bin, bytes) in bins.iter_mut().zip(whole) {
            *bin ^= u32::from_le_bytes(*bytes);
        }
        if let Some(bin) = bins.get_mut(whole.len()) {
            for (index, byte) in rest.iter().enumerate() {
                *bin ^= u32::from(*byte) << (8 * index);
            }
        }
    }

    /// Adds the sum over the scalars of scalar times bin to `sum`, and empties the bins.
    pub fn finish(&mut self, sum: &mut [u32]) {
        let words = self.words;
        for (word, sum) in sum.iter_mut().enumerate().take(words) {
            // halve the bins four times: what is multiplied by x^3, by x^2, by x, by 1
            let mut values = [0u32; 16];
            for (value, bin) in values.iter_mut().zip(self.bins[word..].iter().step_by(words)) {
                *value = *bin;
            }
            let mut total = 0;
            for half in [8, 4, 2, 1] {
                let (low, high) = values.split_at_mut(half);
                let mut part = 0;
                for (low, high) in low.iter_mut().zip(high) {
                    part ^= *high;
                    *low ^= *high;
                }
                total = times_x(total) ^ part;
            }
            *sum ^= total;
        }
        self.bins.fill(0);
    }
}
