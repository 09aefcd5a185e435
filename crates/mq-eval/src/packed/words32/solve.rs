//! Gauss-Jordan elimination over words of eight elements, in constant time.
//!
//! As in the [portable elimination](super::super::System) rows stay in place, the pivot row is chosen by masks over all rows, and
//! the places of the columns fall from the last to the first, so that the words that still change are always the first ones.

use core::hint::black_box;
use gf2n::secret::SecretBytes;

use super::super::{Gf16, PackedField, Pivoting};
use super::cells::{SecretWords, bits, load, product, scalar, words};

/// No pivot: not the number of a column, for a system has fewer than 255 unknowns.
const NONE: u8 = 0xff;

/// All ones if `value`, below 2^31, is zero, else 0.
#[inline(always)]
fn zero_mask(value: u32) -> u32 {
    (value.wrapping_sub(1) as i32 >> 31) as u32
}

struct Elimination {
    /// Words of a row.
    width: usize,
    rows: SecretWords,
    /// The current column.
    elements: SecretWords,
    /// All ones for the rows that may become pivots.
    unused: SecretWords,
    /// All ones for the row, if any, that is the pivot row of the current column.
    taken: SecretWords,
    /// The pivot row, and the bits of its elements.
    pivot_row: SecretWords,
    bits: SecretWords,
}

impl Elimination {
    /// Reads the elements of all rows in one place.
    fn read_column(&mut self, place: usize) {
        let shift = 4 * (place % 8);
        for (element, row) in self.elements.iter_mut().zip(self.rows.chunks_exact(self.width)) {
            *element = (row[place / 8] >> shift) & 15;
        }
    }

    /// Takes the first row that is not used and not zero in the current column.
    fn take_first(&mut self) {
        let mut searching = u32::MAX;
        for ((taken, element), unused) in
            self.taken.iter_mut().zip(self.elements.iter()).zip(self.unused.iter())
        {
            let zero = zero_mask(element & unused);
            *taken = searching & !zero;
            searching &= zero;
        }
    }

    /// The sum of the rows taken, in their first `active` words.
    fn sum_rows(&mut self, active: usize) {
        let mut first = 0;
        while first < active {
            // some words at a time stay in registers
            let mut sums = [0u32; 4];
            let count = (active - first).min(4);
            for (row, taken) in self.rows.chunks_exact(self.width).zip(self.taken.iter()) {
                if let Some(&[a, b, c, d]) = row.get(first..first + 4) {
                    sums[0] ^= a & taken;
                    sums[1] ^= b & taken;
                    sums[2] ^= c & taken;
                    sums[3] ^= d & taken;
                }
            }
            self.pivot_row[first..first + count].copy_from_slice(&sums[..count]);
            first += 4;
        }
    }

    /// Adds elements[r] times the pivot row to row r, in the first `active` words.
    fn update(&mut self, active: usize) {
        for (four, word) in self.bits.chunks_exact_mut(4).zip(&self.pivot_row[..active]) {
            four.copy_from_slice(&bits(*word));
        }
        let (bits, _) = self.bits[..4 * active].as_chunks::<4>();
        for (row, element) in self.rows.chunks_exact_mut(self.width).zip(self.elements.iter()) {
            let scalar = scalar(*element as u8);
            for (word, bits) in row.iter_mut().zip(bits) {
                *word ^= product(*bits, &scalar);
            }
        }
    }
}

/// Solves a system whose rows are given as packed bytes, `stride` bytes each: the right-hand side in place 0, column c in place
/// `unknowns - c`. `solution` and result as for [`System::solve`](super::super::System::solve).
pub(in super::super) fn solve(
    packed: &[u8],
    stride: usize,
    equations: usize,
    unknowns: usize,
    pivoting: Pivoting,
    solution: &mut [u8],
) -> bool {
    // a multiple of the words that are summed at once
    let width = words(unknowns + 1).next_multiple_of(4);
    let mut state = Elimination {
        width,
        rows: SecretWords::zeros(equations * width),
        elements: SecretWords::zeros(equations),
        unused: SecretWords::zeros(equations),
        taken: SecretWords::zeros(equations),
        pivot_row: SecretWords::zeros(width),
        bits: SecretWords::zeros(4 * width),
    };
    for (row, bytes) in state.rows.chunks_exact_mut(width).zip(packed.chunks_exact(stride)) {
        load(&bytes[..stride.min(4 * width)], row);
    }
    state.unused.fill(u32::MAX);
    let mut pivots = SecretBytes::zeros(equations);
    pivots.fill(NONE);
    let mut rank = 0;
    for column in 0..unknowns {
        let place = unknowns - column;
        let active = words(place);
        state.read_column(place);
        match pivoting {
            Pivoting::Full => state.take_first(),
            Pivoting::Artefact => {
                state.unused[column] = 0;
                if column < 8 {
                    state.take_first();
                } else {
                    state.taken.fill(0);
                    if column + 1 < equations {
                        state.taken[column + 1] = u32::MAX;
                    }
                }
                // opaque, so that no branch is made of it
                let needed = black_box(zero_mask(state.elements[column]));
                state.taken.iter_mut().for_each(|taken| *taken &= needed);
                // this column's place as well
                let all = words(place + 1);
                state.sum_rows(all);
                let row = &mut state.rows[column * width..][..all];
                row.iter_mut().zip(state.pivot_row.iter()).for_each(|(to, from)| *to ^= from);
                state.elements[column] = (row[place / 8] >> (4 * (place % 8))) & 15;
                state.taken.fill(0);
                state.taken[column] = u32::MAX;
            }
        }
        let mut pivot = 0;
        for (element, taken) in state.elements.iter().zip(state.taken.iter()) {
            pivot ^= element & taken;
        }
        rank += (zero_mask(pivot) & 1) ^ 1;
        let inverse = scalar(Gf16::inverse(pivot as u8));
        state.sum_rows(active);
        for word in &mut state.pivot_row[..active] {
            *word = product(bits(*word), &inverse);
        }
        // with the pivot row scaled, adding (element - 1) times it to itself makes it the scaled row
        for (row, taken) in state.taken.iter().enumerate() {
            state.elements[row] ^= taken & 1;
            state.unused[row] &= !taken;
            pivots[row] = (pivots[row] & !*taken as u8) | (column as u8 & *taken as u8);
        }
        state.update(active);
    }
    state.read_column(0);
    for (column, element) in solution.iter_mut().enumerate() {
        *element = 0;
        for (pivot, value) in pivots.iter().zip(state.elements.iter()) {
            *element |= *value as u8 & zero_mask(u32::from(pivot ^ column as u8)) as u8;
        }
    }
    rank as usize == equations
}
