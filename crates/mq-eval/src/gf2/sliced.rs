//! Single equations at many points: the points side by side, one bit a point.

use alloc::vec;
use alloc::vec::Vec;

use super::Shape;
use super::bits::transpose;
use crate::backend::{Vectors, dispatch};

/// Points of one pass: the bits of a vector.
const SLICE: usize = 256;
/// Variables of one table.
const GROUP: usize = 4;

/// Values of quadratic equations at many public points: for every equation a bit vector of ceil(points/64) words, bit p the
/// value at point p. **Variable time.**
///
/// `equations`: [`Shape::monomial_words`] words each, the coefficients in the order U ([`super::Layout::EquationMajor`]); how many
/// there are does not depend on the shape's number of equations. `points`: [`Shape::variable_words`] words each; bits above the
/// last variable are ignored.
///
/// The 256 points of a pass are transposed into one vector a variable; sums of four variables are tabulated, and a row of an
/// equation, x_i times a linear form, takes one table entry for four coefficients.
///
/// # Panics
/// If there is a part of an equation or of a point.
#[must_use]
pub fn evaluate_equations(shape: Shape, equations: &[u64], points: &[u64]) -> Vec<u64> {
    let (point_words, equation_words) = (shape.variable_words(), shape.monomial_words());
    assert_eq!(equations.len() % equation_words, 0, "whole equations");
    let count = points.len().checked_div(point_words).unwrap_or(0);
    assert_eq!(count * point_words, points.len(), "whole points");
    let width = count.div_ceil(64);
    let mut values = vec![0; equations.len() / equation_words * width];
    if count == 0 {
        return values;
    }
    for (pass, block) in points.chunks(SLICE * point_words).enumerate() {
        let first = pass * SLICE / 64;
        let words = (block.len() / point_words).div_ceil(64);
        let slices = slice_points(shape, block);
        let tables = tabulate(&slices);
        for (equation, value) in equations.chunks_exact(equation_words).zip(values.chunks_exact_mut(width)) {
            let slice = dispatch!(token => evaluate(token, shape, equation, &slices, &tables));
            value[first..first + words].copy_from_slice(&slice[..words]);
        }
    }
    if count % 64 != 0 {
        for value in values.chunks_exact_mut(width) {
            value[width - 1] &= (1 << (count % 64)) - 1;
        }
    }
    values
}

/// The variables as vectors over the points; their number is rounded up to whole words.
fn slice_points(shape: Shape, points: &[u64]) -> Vec<[u64; 4]> {
    let words = shape.variable_words();
    let mut slices = vec![[0; 4]; 64 * words];
    for (k, points) in points.chunks(64 * words).enumerate() {
        for word in 0..words {
            let mut block = [0; 64];
            for (row, point) in block.iter_mut().zip(points.chunks_exact(words)) {
                *row = point[word];
            }
            transpose(&mut block);
            for (slice, &row) in slices[64 * word..].iter_mut().zip(&block) {
                slice[k] = row;
            }
        }
    }
    slices
}

/// All sums of the four variables of each group.
fn tabulate(slices: &[[u64; 4]]) -> Vec<[[u64; 4]; 1 << GROUP]> {
    let sum = |a: [u64; 4], b: [u64; 4]| core::array::from_fn(|k| a[k] ^ b[k]);
    let mut tables = Vec::with_capacity(slices.len() / GROUP);
    for group in slices.as_chunks::<GROUP>().0 {
        let mut table = [[0; 4]; 1 << GROUP];
        for (bit, &slice) in group.iter().enumerate() {
            for low in 0..1 << bit {
                table[low + (1 << bit)] = sum(table[low], slice);
            }
        }
        tables.push(table);
    }
    tables
}

#[inline(always)]
fn evaluate<T: Vectors>(
    token: T,
    shape: Shape,
    equation: &[u64],
    slices: &[[u64; 4]],
    tables: &[[[u64; 4]; 1 << GROUP]],
) -> [u64; 4] {
    let n = shape.variables();
    let mut sum = token.broadcast((equation[0] & 1).wrapping_neg());
    for (i, slice) in slices.iter().enumerate().take(n) {
        // bit `origin + j` of the equation is the coefficient of x_i x_j
        let origin = shape.upper_index(i, i) - i;
        let mut form = token.zero();
        for word in i / 64..shape.variable_words() {
            let mut coefficients = window(equation, origin + 64 * word);
            if word == i / 64 {
                coefficients &= u64::MAX << (i % 64);
            }
            if n - 64 * word < 64 {
                coefficients &= (1 << (n - 64 * word)) - 1;
            }
            for table in tables[16 * word..].iter().take(64 / GROUP) {
                form = token.add(form, token.load_words(&table[(coefficients & 15) as usize]));
                coefficients >>= GROUP;
            }
        }
        sum = token.add_masked(sum, form, token.load_words(slice));
    }
    token.words(sum)
}

/// 64 bits from bit `offset` on; bits behind the end are zero.
#[inline(always)]
fn window(words: &[u64], offset: usize) -> u64 {
    let (first, shift) = (offset / 64, offset % 64);
    let at = |k: usize| words.get(k).copied().unwrap_or(0);
    at(first) >> shift | (at(first + 1) << 1) << (63 - shift)
}
