//! Gauss-Jordan elimination over GF(16) on columns.
//!
//! A column is at most three vectors. At each step the pivot is the first element of the pivot column that is not zero in a row
//! that was not used; its row number is secret and lives in masks and shuffle controls. Each later column, and the right-hand side
//! with them, gets a multiple of the pivot column: its element in the pivot row is moved to all bytes of a vector by shuffles, and
//! its four bits select among the multiples of the pivot column by 1, x, x^2, x^3. Constant time.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over numbers are unrolled before registers are assigned; iterators keep arrays in memory"
)]

use core::arch::x86_64::*;
use gf2n::secret::SecretBytes;

use gf2n::small::gf16;

use super::super::super::{Gf16, System};
use super::tables::{broadcast, load, times_x};

const VECTOR: usize = 32;
/// Elements of a vector.
const ELEMENTS: usize = 64;
/// The most rows that the columns may have.
pub(super) const MOST_ROWS: usize = 3 * ELEMENTS;
/// The row of a column without a pivot.
const NONE: u32 = 255;

/// For each bit, which of the sixteen elements have it.
const BIT_MASKS: [[u8; 16]; 4] = {
    let mut masks = [[0; 16]; 4];
    let mut element = 0;
    while element < 64 {
        masks[element / 16][element % 16] = if (element % 16) >> (element / 16) & 1 == 1 { 0xff } else { 0 };
        element += 1;
    }
    masks
};

const INVERSES: [u8; 16] = {
    let mut inverses = [0; 16];
    let mut element = 0;
    while element < 16 {
        inverses[element] = gf16::inverse(element as u8);
        element += 1;
    }
    inverses
};

/// A secret row: how to find its element in a column.
struct Row<const VECTORS: usize> {
    /// All ones in the row's element; 0 for [`NONE`].
    mask: [__m256i; VECTORS],
    /// Controls that bring the row's byte of a vector to all bytes.
    word: __m256i,
    byte: __m256i,
    /// By how many bits the element has to move.
    shift: __m128i,
}

impl<const VECTORS: usize> Row<VECTORS> {
    #[inline(always)]
    fn new(row: u32) -> Self {
        // SAFETY: called under a token that proves AVX2.
        unsafe {
            let quarter = _mm256_set1_epi64x(i64::from(row >> 4));
            let nibble = _mm256_set1_epi64x((15u64 << (4 * (row & 15))) as i64);
            let mut mask = [nibble; VECTORS];
            for (number, mask) in mask.iter_mut().enumerate() {
                let first = 4 * number as i64;
                let quarters = _mm256_set_epi64x(first + 3, first + 2, first + 1, first);
                *mask = _mm256_and_si256(nibble, _mm256_cmpeq_epi64(quarters, quarter));
            }
            Self {
                mask,
                word: _mm256_set1_epi32((row >> 3 & 7) as i32),
                byte: _mm256_set1_epi8((row >> 1 & 3) as i8),
                shift: _mm_cvtsi32_si128((4 * (row & 1)) as i32),
            }
        }
    }

    /// The row's element of a column, in every byte.
    #[inline(always)]
    fn element(&self, column: &[__m256i; VECTORS]) -> __m256i {
        // SAFETY: called under a token that proves AVX2.
        unsafe {
            let mut only = _mm256_and_si256(column[0], self.mask[0]);
            for vector in 1..VECTORS {
                only = _mm256_or_si256(only, _mm256_and_si256(column[vector], self.mask[vector]));
            }
            // both bytes of a 16-bit word are the same, and one nibble of them is zero
            let bytes = _mm256_shuffle_epi8(_mm256_permutevar8x32_epi32(only, self.word), self.byte);
            _mm256_srl_epi16(bytes, self.shift)
        }
    }
}

/// A column at `bytes`.
///
/// # Safety
/// VECTORS vectors can be read.
#[inline(always)]
unsafe fn read<const VECTORS: usize>(bytes: *const u8) -> [__m256i; VECTORS] {
    // SAFETY: as the caller promises; called under a token that proves AVX2.
    unsafe {
        let mut column = [_mm256_setzero_si256(); VECTORS];
        for number in 0..VECTORS {
            column[number] = load(bytes.add(VECTOR * number));
        }
        column
    }
}

/// The first row with an element that is not zero, or [`NONE`].
#[inline(always)]
fn first_row<const VECTORS: usize>(column: &[__m256i; VECTORS]) -> u32 {
    let mut row = NONE;
    for (number, vector) in column.iter().enumerate().rev() {
        let mut words = [0u64; 4];
        // SAFETY: called under a token that proves AVX2; the array has 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), *vector) };
        for (quarter, word) in words.into_iter().enumerate().rev() {
            let found = ((word | word.wrapping_neg()) >> 63) as u32;
            let first = 16 * (4 * number + quarter) as u32 + word.trailing_zeros() / 4;
            row ^= (row ^ first) & found.wrapping_neg();
        }
    }
    row
}

/// `column` times 1, x, x^2 and x^3.
#[inline(always)]
fn multiples<const VECTORS: usize>(column: [__m256i; VECTORS]) -> [[__m256i; VECTORS]; 4] {
    let mut multiples = [column; 4];
    for power in 1..4 {
        for vector in 0..VECTORS {
            multiples[power][vector] = times_x::<4>(multiples[power - 1][vector]);
        }
    }
    multiples
}

/// Adds `element`, which is in every byte, times the column of `multiples`.
#[inline(always)]
fn add_multiple<const VECTORS: usize>(
    mut sum: [__m256i; VECTORS],
    multiples: &[[__m256i; VECTORS]; 4],
    element: __m256i,
    bit_masks: &[__m256i; 4],
) -> [__m256i; VECTORS] {
    for bit in 0..4 {
        // SAFETY: called under a token that proves AVX2.
        unsafe {
            let selected = _mm256_shuffle_epi8(bit_masks[bit], element);
            for vector in 0..VECTORS {
                sum[vector] =
                    _mm256_xor_si256(sum[vector], _mm256_and_si256(selected, multiples[bit][vector]));
            }
        }
    }
    sum
}

/// See [`System::solve`]; the system has at most [`MOST_ROWS`] equations.
#[inline(always)]
pub(super) fn solve(system: &mut System<Gf16>, solution: &mut [u8]) -> bool {
    let (rows, unknowns) = (system.equations, system.unknowns);
    assert!(system.stride * (unknowns + 1) <= system.columns.len());
    match system.stride / VECTOR {
        1 => eliminate::<1>(&mut system.columns, rows, unknowns, solution),
        2 => eliminate::<2>(&mut system.columns, rows, unknowns, solution),
        _ => eliminate::<3>(&mut system.columns, rows, unknowns, solution),
    }
}

#[inline(always)]
fn eliminate<const VECTORS: usize>(
    columns: &mut [u8],
    rows: usize,
    unknowns: usize,
    solution: &mut [u8],
) -> bool {
    let stride = VECTOR * VECTORS;
    let mut unused_elements = [0; VECTOR * 3];
    unused_elements[..rows / 2].fill(0xff);
    if rows % 2 == 1 {
        unused_elements[rows / 2] = 15;
    }
    let mut pivots = SecretBytes::zeros(unknowns);
    let mut rank = 0;
    // SAFETY: called under a token that proves AVX2; columns are VECTORS vectors long, tables 16 bytes.
    unsafe {
        let mut unused = read::<VECTORS>(unused_elements.as_ptr());
        let zero = [_mm256_setzero_si256(); VECTORS];
        let ones = _mm256_set1_epi8(0x11);
        let inverses = broadcast(INVERSES.as_ptr());
        let bit_masks = BIT_MASKS.map(
            #[inline(always)]
            |masks| broadcast(masks.as_ptr()),
        );
        for (index, pivot) in pivots.iter_mut().enumerate() {
            let (before, later) = columns.split_at_mut((index + 1) * stride);
            let mut column = read::<VECTORS>(before[index * stride..].as_ptr());
            let mut candidates = column;
            for (vector, unused) in candidates.iter_mut().zip(&unused) {
                *vector = _mm256_and_si256(*vector, *unused);
            }
            let number = first_row(&candidates);
            *pivot = number as u8;
            rank += (number.wrapping_sub(NONE) >> 31) as usize;
            let row = Row::<VECTORS>::new(number);
            let inverse = _mm256_shuffle_epi8(inverses, row.element(&column));
            // with (element + 1) in the pivot row, that row becomes its multiple by the inverse
            for vector in 0..VECTORS {
                column[vector] = _mm256_xor_si256(column[vector], _mm256_and_si256(row.mask[vector], ones));
                unused[vector] = _mm256_andnot_si256(row.mask[vector], unused[vector]);
            }
            let scaled = multiples(add_multiple(zero, &multiples(column), inverse, &bit_masks));
            for column in later.chunks_exact_mut(stride) {
                let vectors = read::<VECTORS>(column.as_ptr());
                let sum = add_multiple(vectors, &scaled, row.element(&vectors), &bit_masks);
                let to = column.as_mut_ptr();
                for number in 0..VECTORS {
                    _mm256_storeu_si256(to.add(VECTOR * number).cast(), sum[number]);
                }
            }
        }
        let right = read::<VECTORS>(columns[unknowns * stride..].as_ptr());
        for (element, number) in solution.iter_mut().zip(pivots.iter()) {
            let value = Row::<VECTORS>::new(u32::from(*number)).element(&right);
            *element = _mm256_extract_epi8::<0>(value) as u8;
        }
    }
    rank == rows
}
