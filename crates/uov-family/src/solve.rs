//! Linear systems over the packed fields in constant time.
//!
//! The matrix is stored by columns, each a packed vector of the m equations, as the schemes make it. Gauss-Jordan elimination
//! leaves rows in place: at each column the pivot is the first row that was not used yet and is not zero there, as a mask; the
//! pivot row's entries are cut out by the mask; one [`Multipliers::combine`] clears the column in all other rows of all later
//! columns and scales the pivot row. So neither the pivot rows nor the rank show in the running time or in addresses, and
//! pivot columns are the leftmost possible.

use alloc::vec;
use alloc::vec::Vec;

use mq_eval::packed::{Engine, Job, Multipliers, PackedField};
use zeroize::{Zeroize, Zeroizing};

/// Which rows may become pivots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pivoting {
    /// Every row that is left.
    Full,
    /// The elimination of the ARMv7-M artefact of MAYO (a square system): row i itself; if it is zero there, the first later
    /// row that is not is added to it, but from row 8 on only row i + 1 is tried.
    Artefact,
}

/// A system of `equations` equations in `unknowns` unknowns: the columns of the matrix, then the right-hand side. Wiped when
/// dropped.
pub struct System<F: PackedField> {
    engine: Engine,
    equations: usize,
    unknowns: usize,
    stride: usize,
    columns: Vec<u8>,
    field: core::marker::PhantomData<F>,
}

impl<F: PackedField> Drop for System<F> {
    fn drop(&mut self) {
        self.columns.zeroize();
    }
}

fn word(bytes: &[u8], index: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[8 * index..8 * index + 8]);
    u64::from_le_bytes(word)
}

fn set_word(bytes: &mut [u8], index: usize, value: u64) {
    bytes[8 * index..8 * index + 8].copy_from_slice(&value.to_le_bytes());
}

/// `element` in every place of a word.
fn splat<F: PackedField>(element: u8) -> u64 {
    u64::from(element) * ones::<F>()
}

/// The element 1 in every place of a word.
fn ones<F: PackedField>() -> u64 {
    u64::MAX / ((1 << F::BITS) - 1)
}

/// The only element of a word that is not zero.
fn only<F: PackedField>(word: u64) -> u8 {
    // the product's top place is the sum of all places, and nothing carries
    (word.wrapping_mul(ones::<F>()) >> (64 - F::BITS)) as u8
}

/// All ones if `element` is zero, else 0.
fn zero_mask(element: u8) -> u64 {
    (u64::from(element).wrapping_sub(1) >> 63).wrapping_neg()
}

impl<F: PackedField> System<F> {
    /// An empty system (all zeros).
    #[must_use]
    pub fn new(engine: Engine, equations: usize, unknowns: usize) -> Self {
        let stride = F::bytes(equations).next_multiple_of(16);
        Self {
            engine,
            equations,
            unknowns,
            stride,
            columns: vec![0; (unknowns + 1) * stride],
            field: core::marker::PhantomData,
        }
    }

    /// Column `index` as packed elements, padded with zeros; `unknowns` is the right-hand side. Padding must stay zero.
    pub fn column_mut(&mut self, index: usize) -> &mut [u8] {
        let bytes = F::bytes(self.equations);
        &mut self.columns[index * self.stride..][..bytes]
    }

    fn column(&self, index: usize) -> &[u8] {
        &self.columns[index * self.stride..][..self.stride]
    }

    fn words(&self) -> usize {
        self.stride / 8
    }

    /// A mask of the elements `range` of a column.
    fn rows(&self, range: core::ops::Range<usize>) -> Vec<u64> {
        let per_word = 64 / F::BITS;
        let mut mask = vec![0; self.words()];
        for row in range {
            mask[row / per_word] |= ((1 << F::BITS) - 1) << (F::BITS * (row % per_word));
        }
        mask
    }

    /// Subtracts A r from the right-hand side; `r` has one term an unknown and one column.
    pub fn subtract_product(&mut self, r: &Multipliers<F>) {
        let (matrix, right) = self.columns.split_at_mut(self.unknowns * self.stride);
        let job = Job {
            destination: 0,
            len: self.stride,
            source: 0,
            step: self.stride,
            step_shrink: 0,
            terms: 0..self.unknowns,
        };
        r.combine(matrix, right, self.stride, &[job]);
    }

    /// The element of a column that a mask of at most one row selects.
    fn select(&self, column: usize, mask: &[u64]) -> u8 {
        let column = self.column(column);
        let selected = mask.iter().enumerate().fold(0, |sum, (index, mask)| sum | (word(column, index) & mask));
        only::<F>(selected)
    }

    /// A mask of the first row among `rows` that is not zero in `column`.
    fn first_row(&self, column: usize, rows: &[u64], first: &mut [u64]) {
        let column = self.column(column);
        let mut searching = u64::MAX;
        for (index, (rows, first)) in rows.iter().zip(first).enumerate() {
            let mut bits = word(column, index) & rows;
            let mut shift = F::BITS / 2;
            while shift > 0 {
                bits |= bits >> shift;
                shift /= 2;
            }
            bits &= ones::<F>() & searching;
            let lowest = bits & bits.wrapping_neg();
            *first = lowest * ((1 << F::BITS) - 1);
            // all ones as long as nothing was found: bits is 0
            searching &= ((bits | bits.wrapping_neg()) >> 63).wrapping_sub(1);
        }
    }

    /// Adds the row selected by `mask` to row `row`, from column `from` on.
    fn add_row(&mut self, from: usize, row: usize, mask: &[u64]) {
        for column in from..=self.unknowns {
            let element = self.select(column, mask);
            F::add(&mut self.columns[column * self.stride..], row, element);
        }
    }

    /// The artefact's way to make the element (column, column) nonzero.
    fn artefact_row(&mut self, column: usize) {
        let own = F::get(self.column(column), column);
        let candidates = self.rows(column + 1..self.equations);
        let mut mask = vec![0; self.words()];
        if column < 8 {
            self.first_row(column, &candidates, &mut mask);
        } else {
            mask = self.rows(column + 1..(column + 2).min(self.equations));
        }
        let needed = zero_mask(own);
        mask.iter_mut().for_each(|word| *word &= needed);
        self.add_row(column, column, &mask);
    }

    /// Solves the system; `solution` (one element a byte) becomes the solution that is zero at the unknowns without a pivot.
    /// True if every equation has a pivot; otherwise `solution` is unspecified. Whether it is true is the only thing that the
    /// caller may make public. The system is used up.
    #[must_use]
    pub fn solve(&mut self, pivoting: Pivoting, solution: &mut [u8]) -> bool {
        let words = self.words();
        let mut unused = Zeroizing::new(self.rows(0..self.equations));
        let mut pivots = Zeroizing::new(vec![0; self.unknowns * words]);
        let mut entries = Zeroizing::new(vec![0; self.unknowns]);
        let mut factor = Zeroizing::new(vec![0; self.stride]);
        let mut multipliers = Multipliers::<F>::new(self.engine, 1, self.unknowns, |_, _| 0);
        let mut rank = 0;
        for column in 0..self.unknowns {
            let pivot = &mut pivots[column * words..][..words];
            match pivoting {
                Pivoting::Full => self.first_row(column, &unused, pivot),
                Pivoting::Artefact => {
                    self.artefact_row(column);
                    pivot.copy_from_slice(&self.rows(column..column + 1));
                }
            }
            let element = self.select(column, pivot);
            let inverse = F::inverse(element);
            rank += (zero_mask(element).wrapping_add(1)) as usize;
            // element r of the factor is A(r, column) / pivot; that of the pivot row is 1 / pivot - 1, which scales the row
            for index in 0..words {
                let scaled = F::multiply_word(word(self.column(column), index), inverse);
                set_word(&mut factor, index, scaled ^ (pivot[index] & splat::<F>(inverse)));
                unused[index] &= !pivot[index];
            }
            let later = column + 1..self.unknowns + 1;
            for (entry, column) in entries.iter_mut().zip(later.clone()) {
                *entry = self.select(column, pivot);
            }
            multipliers.reset(1, later.len(), |_, column| entries[column]);
            let job = Job {
                destination: 0,
                len: self.stride,
                source: 0,
                step: self.stride,
                step_shrink: 0,
                terms: 0..1,
            };
            let rest = &mut self.columns[later.start * self.stride..];
            multipliers.combine(&factor, rest, self.stride, &[job]);
        }
        for (column, element) in solution.iter_mut().enumerate() {
            *element = self.select(self.unknowns, &pivots[column * words..][..words]);
        }
        rank == self.equations
    }
}
