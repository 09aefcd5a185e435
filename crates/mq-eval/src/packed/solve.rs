//! Linear systems over the packed fields in constant time.
//!
//! The matrix is handed over by columns, each a packed vector of the m equations, as the schemes make it, and turned into rows.
//! Gauss-Jordan elimination leaves the rows in place: at each column the pivot row is the first row that was not used yet and
//! is not zero there, as a mask over all rows; the masked sum of all rows is the pivot row; a multiple of it is added to every
//! row. Columns stand in the rows from last to first, behind the right-hand side, so that what is still needed is always at the
//! front. So neither the pivot rows nor the rank show in the running time or in addresses, and pivot columns are the leftmost
//! possible.

use core::hint::black_box;
use core::marker::PhantomData;
use gf2n::secret::SecretBytes;

use super::{Engine, Job, Multipliers, PackedField};

/// Bytes of a row are a multiple of this.
pub(super) const VECTOR: usize = 32;

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
    pub(super) equations: usize,
    pub(super) unknowns: usize,
    /// Bytes of a column, a multiple of [`VECTOR`].
    pub(super) stride: usize,
    pub(super) columns: SecretBytes,
    field: PhantomData<F>,
}

/// What the elimination by rows works on.
struct Work {
    /// Bytes of a row.
    width: usize,
    rows: SecretBytes,
    pivot_row: SecretBytes,
    /// The elements of the current column, one a byte; padded with zeros to whole words.
    elements: SecretBytes,
    /// Bytes of all ones for the rows that were not used.
    unused: SecretBytes,
    /// For each column a byte of all ones for its pivot row.
    pivots: SecretBytes,
}

/// All ones if `element` is zero, else 0. The barrier hides from the compiler that there are two values only: it would branch.
fn zero_mask(element: u8) -> u8 {
    black_box(((u32::from(element).wrapping_sub(1) >> 31) as u8).wrapping_neg())
}

/// How a back end adds multiples of the pivot row.
pub(super) trait RowUpdate: Copy {
    /// Adds `scalars[r]` times `pivot_row` to row r, for every row, in the first `active` bytes (a multiple of [`VECTOR`]).
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize);
    /// The inverse of an element; 0 for 0.
    #[inline(always)]
    fn inverse<F: PackedField>(self, element: u8) -> u8 {
        F::inverse(element)
    }
}

/// Word by word, by masked multiples.
#[derive(Clone, Copy)]
pub(super) struct PortableRows;

impl RowUpdate for PortableRows {
    fn update<F: PackedField>(self, rows: &mut [u8], scalars: &[u8], pivot_row: &[u8], active: usize) {
        for at in (0..active).step_by(VECTOR) {
            let mut multiple = words(&pivot_row[at..at + VECTOR]);
            let mut multiples = [[0; VECTOR / 8]; 8];
            for slot in multiples.iter_mut().take(F::BITS) {
                *slot = multiple;
                multiple = multiple.map(F::times_x);
            }
            for (row, scalar) in rows.chunks_exact_mut(pivot_row.len()).zip(scalars) {
                let piece = &mut row[at..at + VECTOR];
                let mut sums = words(piece);
                for (bit, multiple) in multiples.iter().enumerate().take(F::BITS) {
                    let mask = black_box(u64::from((scalar >> bit) & 1).wrapping_neg());
                    for (sum, multiple) in sums.iter_mut().zip(multiple) {
                        *sum ^= multiple & mask;
                    }
                }
                for (bytes, sum) in piece.chunks_exact_mut(8).zip(sums) {
                    bytes.copy_from_slice(&sum.to_le_bytes());
                }
            }
        }
    }
}

/// The words of a vector.
#[inline(always)]
fn words(bytes: &[u8]) -> [u64; VECTOR / 8] {
    core::array::from_fn(|index| word(bytes, 8 * index))
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

impl<F: PackedField> System<F> {
    /// An empty system (all zeros).
    #[must_use]
    pub fn new(engine: Engine, equations: usize, unknowns: usize) -> Self {
        let stride = F::bytes(equations).next_multiple_of(VECTOR);
        Self {
            engine,
            equations,
            unknowns,
            stride,
            columns: SecretBytes::zeros((unknowns + 1) * stride),
            field: PhantomData,
        }
    }

    /// Column `index` as packed elements; `unknowns` is the right-hand side. Padding bits must stay zero.
    pub fn column_mut(&mut self, index: usize) -> &mut [u8] {
        let bytes = F::bytes(self.equations);
        &mut self.columns[index * self.stride..][..bytes]
    }

    /// Subtracts A r from the right-hand side; `r` has one term an unknown and one column.
    pub fn subtract_product(&mut self, r: &Multipliers<F>) {
        let (matrix, right) = self.columns.split_at_mut(self.unknowns * self.stride);
        let job = Job {
            destination: 0,
            len: F::bytes(self.equations),
            source: 0,
            step: self.stride,
            step_shrink: 0,
            terms: 0..self.unknowns,
        };
        r.combine(matrix, right, self.stride, &[job]);
    }

    /// Solves the system; `solution` (one element a byte) becomes the solution that is zero at the unknowns without a pivot.
    /// True if every equation has a pivot; otherwise `solution` is unspecified. Whether it is true is the only thing that the
    /// caller may make public.
    #[must_use]
    pub fn solve(&mut self, pivoting: Pivoting, solution: &mut [u8]) -> bool {
        match self.engine {
            Engine::Words32 if F::BITS == 4 => {
                let work = self.make_rows();
                let (rows, width) = (&work.rows, work.width);
                super::words32::solve(rows, width, self.equations, self.unknowns, pivoting, solution)
            }
            Engine::Portable | Engine::Words32 => self.solve_with(PortableRows, pivoting, solution),
            #[cfg(target_arch = "x86_64")]
            engine => F::x86_solve(engine, self, pivoting, solution),
        }
    }

    #[inline(always)]
    pub(super) fn solve_with<U: RowUpdate>(
        &mut self,
        updates: U,
        pivoting: Pivoting,
        solution: &mut [u8],
    ) -> bool {
        let mut work = self.make_rows();
        let work = &mut work;
        let padded = work.elements.len();
        work.unused[..self.equations].fill(0xff);
        let mut rank = 0;
        for column in 0..self.unknowns {
            let place = self.unknowns - column;
            work.read_column::<F>(place);
            // the places before this column's
            let active = F::bytes(place).next_multiple_of(VECTOR);
            let taken = &mut work.pivots[column * padded..][..padded];
            match pivoting {
                Pivoting::Full => first_row(&work.elements, &work.unused, taken),
                Pivoting::Artefact => {
                    taken.fill(0);
                    if column < 8 {
                        work.unused[column] = 0;
                        first_row(&work.elements, &work.unused, taken);
                    } else if column + 1 < self.equations {
                        taken[column + 1] = 0xff;
                    }
                    let needed = zero_mask(work.elements[column]);
                    taken.iter_mut().for_each(|mask| *mask &= needed);
                    // this column's place as well
                    let width = work.width;
                    sum_rows(&work.rows, taken, &mut work.pivot_row, width);
                    let row = &mut work.rows[column * work.width..][..work.width];
                    row.iter_mut().zip(work.pivot_row.iter()).for_each(|(to, from)| *to ^= from);
                    work.elements[column] = F::get(row, place);
                    taken.fill(0);
                    taken[column] = 0xff;
                }
            }
            let pivot = masked_element(&work.elements, taken);
            let inverse = updates.inverse::<F>(pivot);
            rank += usize::from(zero_mask(pivot).wrapping_add(1));
            sum_rows(&work.rows, taken, &mut work.pivot_row, active);
            scale::<F>(&mut work.pivot_row, inverse, active);
            // with the row scaled, adding (element - 1) times it makes the pivot row the scaled row itself
            for ((element, taken), unused) in work.elements.iter_mut().zip(taken).zip(work.unused.iter_mut())
            {
                *element ^= *taken & 1;
                *unused &= !*taken;
            }
            updates.update::<F>(&mut work.rows, &work.elements[..self.equations], &work.pivot_row, active);
        }
        work.read_column::<F>(0);
        for (element, taken) in solution.iter_mut().zip(work.pivots.chunks_exact(padded)) {
            *element = masked_element(&work.elements, taken);
        }
        rank == self.equations
    }

    /// Turns the columns into rows: the right-hand side in place 0, column c in place `unknowns - c`.
    #[inline(always)]
    fn make_rows(&self) -> Work {
        let width = F::bytes(self.unknowns + 1).next_multiple_of(VECTOR);
        let padded = self.equations.next_multiple_of(8);
        let mut work = Work {
            width,
            rows: SecretBytes::zeros(self.equations * width),
            pivot_row: SecretBytes::zeros(width),
            elements: SecretBytes::zeros(padded),
            unused: SecretBytes::zeros(padded),
            pivots: SecretBytes::zeros(self.unknowns * padded),
        };
        for index in 0..F::bytes(self.unknowns + 1) {
            let range = |part: usize| {
                let column = self.unknowns.saturating_sub(index * F::PER_BYTE + part);
                column * self.stride..(column + 1) * self.stride
            };
            let first = &self.columns[range(0)];
            let mut rows = work.rows.chunks_exact_mut(width);
            if F::PER_BYTE == 1 {
                for (row, element) in rows.zip(first) {
                    row[index] = *element;
                }
                continue;
            }
            // two columns make the two nibbles of a byte of each row; behind the last place there is none
            let present = u8::from(2 * index < self.unknowns).wrapping_neg();
            for (a, b) in first.iter().zip(&self.columns[range(1)]) {
                let b = b & present;
                if let Some(row) = rows.next() {
                    row[index] = (a & 15) | (b << 4);
                }
                if let Some(row) = rows.next() {
                    row[index] = (a >> 4) | (b & 0xf0);
                }
            }
        }
        work
    }
}

impl Work {
    /// Reads the elements of all rows in one place.
    #[inline(always)]
    fn read_column<F: PackedField>(&mut self, place: usize) {
        let byte = place / F::PER_BYTE;
        let shift = F::BITS * (place % F::PER_BYTE);
        let mask = ((1u16 << F::BITS) - 1) as u8;
        for (element, row) in self.elements.iter_mut().zip(self.rows.chunks_exact(self.width)) {
            *element = (row[byte] >> shift) & mask;
        }
    }
}

/// A mask of the first of the rows `candidates` whose element is not zero; all are whole words.
#[inline(always)]
fn first_row(elements: &[u8], candidates: &[u8], first: &mut [u8]) {
    const TOP: u64 = 0x8080_8080_8080_8080;
    let mut searching = u64::MAX;
    for at in (0..elements.len()).step_by(8) {
        let value = word(elements, at) & word(candidates, at);
        // the top bit of a byte of `nonzero` tells whether the byte is not zero; no byte carries into the next
        let nonzero = (((value & !TOP) + !TOP) | value) & TOP;
        // the barrier: otherwise the compiler branches where the search has ended
        let none = black_box(((nonzero | nonzero.wrapping_neg()) >> 63).wrapping_sub(1));
        let nonzero = nonzero & searching;
        let lowest = nonzero & nonzero.wrapping_neg();
        first[at..at + 8].copy_from_slice(&((lowest >> 7) * 0xff).to_le_bytes());
        searching &= none;
    }
}

/// The element that a mask of at most one row selects.
#[inline(always)]
fn masked_element(elements: &[u8], taken: &[u8]) -> u8 {
    let mut sum = 0;
    for (element, taken) in elements.chunks_exact(8).zip(taken.chunks_exact(8)) {
        sum |= word(element, 0) & word(taken, 0);
    }
    // at most one byte is not zero, so that nothing carries
    (sum.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// The sum of the rows that `taken` selects, in the first `active` bytes.
#[inline(always)]
fn sum_rows(rows: &[u8], taken: &[u8], sum: &mut [u8], active: usize) {
    let mut at = 0;
    while at < active {
        at += match (active - at) / VECTOR {
            1 => sum_pieces::<1>(rows, taken, sum, at),
            2 => sum_pieces::<2>(rows, taken, sum, at),
            _ => sum_pieces::<3>(rows, taken, sum, at),
        };
    }
}

/// The sum of `PIECES` vectors from byte `at` on; the bytes summed.
#[inline(always)]
fn sum_pieces<const PIECES: usize>(rows: &[u8], taken: &[u8], sum: &mut [u8], at: usize) -> usize {
    let mut total = [[0u8; VECTOR]; PIECES];
    for (row, taken) in rows.chunks_exact(sum.len()).zip(taken) {
        let row = &row[at..at + PIECES * VECTOR];
        for (piece, total) in total.iter_mut().enumerate() {
            let bytes = &row[piece * VECTOR..][..VECTOR];
            for (total, byte) in total.iter_mut().zip(bytes) {
                *total ^= byte & taken;
            }
        }
    }
    for (sum, total) in sum[at..].chunks_exact_mut(VECTOR).zip(total) {
        sum.copy_from_slice(&total);
    }
    PIECES * VECTOR
}

/// Multiplies a row by a scalar, in the first `active` bytes.
#[inline(always)]
fn scale<F: PackedField>(row: &mut [u8], scalar: u8, active: usize) {
    for piece in row[..active].chunks_exact_mut(VECTOR) {
        let mut multiple = words(piece);
        let mut sum = [0; VECTOR / 8];
        for bit in 0..F::BITS {
            let mask = black_box(u64::from((scalar >> bit) & 1).wrapping_neg());
            for (sum, multiple) in sum.iter_mut().zip(&mut multiple) {
                *sum ^= *multiple & mask;
                *multiple = F::times_x(*multiple);
            }
        }
        for (bytes, word) in piece.chunks_exact_mut(8).zip(sum) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
}
