//! Products of public cells by secret scalars: each element of a cell chooses among sixteen prepared multiples.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::cells::{multiples, transpose};

/// The multiples of the scalars of one term, eight columns a word, by 0 to 15.
type Entry<const W: usize> = [[u32; W]; 16];

/// The multiples of a matrix of scalars, `terms` rows by `columns` columns. Wiped when dropped.
///
/// Constant time with respect to the scalars. The *cells* that are multiplied choose addresses: they must be public.
pub struct Lookup {
    terms: usize,
    columns: usize,
    /// Sixteen columns together: a table for each term, sixteen columns after sixteen columns.
    pairs: Vec<Entry<2>>,
    /// The last one to eight columns, where they are not part of a pair of words.
    singles: Vec<Entry<1>>,
}

/// Sets one word of the multiples.
#[inline(always)]
fn set<const W: usize>(entry: &mut Entry<W>, word: usize, scalars: u32) {
    let powers = multiples(scalars);
    let mut values = [0; 16];
    for value in 1..16usize {
        // the highest bit of the number, and the multiple by the others
        let top = value.ilog2() as usize;
        values[value] = values[value ^ (1 << top)] ^ powers[top];
    }
    for (entry, value) in entry.iter_mut().zip(values) {
        entry[word] = value;
    }
}

/// Adds the products of `E` elements by the scalars of a term.
#[inline(always)]
fn add<const W: usize, const E: usize>(sums: &mut [[u32; W]; E], entry: &Entry<W>, elements: u32) {
    for (element, sum) in sums.iter_mut().enumerate() {
        let multiple = &entry[(elements >> (4 * element)) as usize & 15];
        for (sum, multiple) in sum.iter_mut().zip(multiple) {
            *sum ^= multiple;
        }
    }
}

/// The sums over terms of the products of `E` elements, those of the `B` bytes from `at` on, by the scalars. (The loop is what it is
/// about: sums in registers, one counter, no check inside.)
#[inline(always)]
fn sums<const W: usize, const E: usize, const B: usize>(
    table: &[Entry<W>],
    source: &[u8],
    step: usize,
    at: usize,
) -> [[u32; W]; E] {
    const { assert!(E == 2 * B && B <= 4) };
    let mut sums = [[0; W]; E];
    let cells = source.get(at..).unwrap_or(&[]);
    // the last cell may end where the memory ends
    let whole = if step < B { 0 } else { (cells.len() / step).min(table.len()) };
    let mut bytes = [0; 4];
    for (entry, cell) in table[..whole].iter().zip(cells.chunks_exact(step)) {
        let Some(elements) = cell.first_chunk::<B>() else { break };
        bytes[..B].copy_from_slice(elements);
        add(&mut sums, entry, u32::from_le_bytes(bytes));
    }
    for (entry, cell) in table[whole..].iter().zip(cells[whole * step..].chunks(step)) {
        bytes = [0; 4];
        bytes.iter_mut().zip(&cell[..cell.len().min(B)]).for_each(|(to, from)| *to = *from);
        add(&mut sums, entry, u32::from_le_bytes(bytes));
    }
    sums
}

/// [`sums`] for two words; out of line, so that its loop has all registers.
#[inline(never)]
fn pair_sums(table: &[Entry<2>], source: &[u8], step: usize, at: usize) -> [[u32; 2]; 4] {
    sums::<2, 4, 2>(table, source, step, at)
}

/// [`sums`] for one word.
#[inline(never)]
fn single_sums(table: &[Entry<1>], source: &[u8], step: usize, at: usize) -> [[u32; 1]; 8] {
    sums::<1, 8, 4>(table, source, step, at)
}

impl Lookup {
    /// Multiples of zeros, to be [set](Self::set).
    #[must_use]
    pub fn zeros(terms: usize, columns: usize) -> Self {
        let words = columns.div_ceil(8);
        Self {
            terms,
            columns,
            pairs: vec![[[0; 2]; 16]; words / 2 * terms],
            singles: vec![[[0; 1]; 16]; words % 2 * terms],
        }
    }

    /// The multiples of `scalar(term, column)` for all terms and columns.
    #[must_use]
    pub fn new(terms: usize, columns: usize, mut scalar: impl FnMut(usize, usize) -> u8) -> Self {
        let mut new = Self::zeros(terms, columns);
        for term in 0..terms {
            for word in 0..columns.div_ceil(8) {
                let mut scalars = 0;
                for column in 8 * word..columns.min(8 * word + 8) {
                    scalars |= u32::from(scalar(term, column) & 15) << (4 * (column % 8));
                }
                new.set(term, word, scalars);
            }
        }
        new
    }

    /// Sets the scalars of columns `8 * word` to `8 * word + 7` of a term.
    ///
    /// # Panics
    /// If there is no such term or word.
    pub fn set(&mut self, term: usize, word: usize, scalars: u32) {
        let pair = word / 2;
        if let Some(entry) = self.pairs.get_mut(pair * self.terms + term) {
            set(entry, word % 2, scalars);
        } else {
            set(&mut self.singles[term], 0, scalars);
        }
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// For one element after the other of a cell of `elements` elements: hands over its number and, packed in two words, the sums
    /// over `terms` of (element of the term's cell) times (the scalars of the first sixteen columns). The cells are `step` bytes
    /// apart.
    #[inline]
    pub fn packed_sums(
        &self,
        terms: Range<usize>,
        source: &[u8],
        step: usize,
        elements: usize,
        mut out: impl FnMut(usize, [u32; 2]),
    ) {
        if self.columns > 8 {
            let table = &self.pairs[terms];
            for first in (0..elements).step_by(4) {
                let part = pair_sums(table, source, step, first / 2);
                for (number, sum) in (first..elements).zip(part) {
                    out(number, sum);
                }
            }
        } else {
            let table = &self.singles[terms];
            for first in (0..elements).step_by(8) {
                let part = single_sums(table, source, step, first / 2);
                for (number, [sum]) in (first..elements).zip(part) {
                    out(number, [sum, 0]);
                }
            }
        }
    }

    /// Adds the sums over `terms` of (the term's cell) times scalar(term, column) to the cell of each column, `stride` words apart
    /// in `cells`. Source cells have `elements` elements and are `step` bytes apart.
    pub fn add_sums(
        &self,
        terms: Range<usize>,
        source: &[u8],
        step: usize,
        elements: usize,
        cells: &mut [u32],
        stride: usize,
    ) {
        let mut place = |square: [u32; 8], first_column: usize, word: usize| {
            // elements behind the last one are those of the next cell
            let kept = elements - 8 * word;
            let mask = if kept < 8 { (1 << (4 * kept)) - 1 } else { u32::MAX };
            let columns = (first_column..self.columns).zip(transpose(square));
            for (column, sum) in columns {
                cells[column * stride + word] ^= sum & mask;
            }
        };
        for pair in 0..self.pairs.len() / self.terms.max(1) {
            let table = &self.pairs[pair * self.terms..][terms.clone()];
            for word in 0..elements.div_ceil(8) {
                let low = pair_sums(table, source, step, 4 * word);
                let high = pair_sums(table, source, step, 4 * word + 2);
                let square = |half: usize| {
                    let part = |sums: [[u32; 2]; 4]| sums.map(|sum| sum[half]);
                    let ([a, b, c, d], [e, f, g, h]) = (part(low), part(high));
                    [a, b, c, d, e, f, g, h]
                };
                place(square(0), 16 * pair, word);
                place(square(1), 16 * pair + 8, word);
            }
        }
        if !self.singles.is_empty() {
            let first_column = (self.columns - 1) / 8 * 8;
            for word in 0..elements.div_ceil(8) {
                let square = single_sums(&self.singles[terms.clone()], source, step, 4 * word);
                place(square.map(|[sum]| sum), first_column, word);
            }
        }
    }
}

impl Drop for Lookup {
    fn drop(&mut self) {
        self.pairs.as_mut_slice().as_flattened_mut().as_flattened_mut().zeroize();
        self.singles.as_mut_slice().as_flattened_mut().as_flattened_mut().zeroize();
    }
}

impl ZeroizeOnDrop for Lookup {}

impl core::fmt::Debug for Lookup {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Lookup")
            .field("terms", &self.terms)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}
