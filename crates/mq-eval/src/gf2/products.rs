//! The bit string of all monomials of a point.

use alloc::vec;
use alloc::vec::Vec;

use super::Shape;
use super::bits::{clear_above, or_shifted};

/// The values of all monomials at a point in the order L ([`Shape::lower_index`]), one bit each. Variable time in the point.
///
/// # Panics
/// If `point` has fewer than [`Shape::variable_words`] words.
#[must_use]
pub fn lower_products(shape: Shape, point: &[u64]) -> Vec<u64> {
    let mut products = vec![0; shape.monomial_words()];
    fill_lower::<false>(shape, point, &mut products);
    products
}

/// The values of all monomials at a point in the order U ([`Shape::upper_index`]), one bit each. Variable time in the point.
///
/// # Panics
/// If `point` has fewer than [`Shape::variable_words`] words.
#[must_use]
pub fn upper_products(shape: Shape, point: &[u64]) -> Vec<u64> {
    let mut products = vec![0; shape.monomial_words()];
    fill_upper::<false>(shape, point, &mut products);
    products
}

/// Row b of the order L is x_0 .. x_b if x_b = 1, else zero. With `SECRET` every row is written, masked by x_b.
#[inline(always)]
pub(super) fn fill_lower<const SECRET: bool>(shape: Shape, point: &[u64], products: &mut [u64]) {
    products[0] |= 1;
    let mut prefix = [0; Shape::MAX / 64];
    for b in 0..shape.variables() {
        let (index, word) = (b / 64, point[b / 64]);
        let x_b = (word >> (b % 64) & 1).wrapping_neg();
        if SECRET {
            let mut row = [0; Shape::MAX / 64];
            for (r, &w) in row[..index].iter_mut().zip(&point[..index]) {
                *r = w & x_b;
            }
            row[index] = word & (u64::MAX >> (63 - b % 64)) & x_b;
            or_shifted(products, shape.lower_index(0, b), &row, b + 1);
        } else if x_b != 0 {
            // the bits 0..=b of the point
            prefix[index] = word & (u64::MAX >> (63 - b % 64));
            or_shifted(products, shape.lower_index(0, b), &prefix, b + 1);
        }
        if b % 64 == 63 {
            prefix[index] = word;
        }
    }
}

/// Row i of the order U is x_i .. x_{n-1} if x_i = 1, else zero. With `SECRET` every row is written, masked by x_i.
#[inline(always)]
pub(super) fn fill_upper<const SECRET: bool>(shape: Shape, point: &[u64], products: &mut [u64]) {
    products[0] |= 1;
    let n = shape.variables();
    let words = shape.variable_words();
    let mut clean = [0; Shape::MAX / 64 + 1];
    clean[..words].copy_from_slice(&point[..words]);
    clear_above(&mut clean[..words], n);
    let mut suffix = [0; Shape::MAX / 64];
    for i in 0..n {
        let x_i = (clean[i / 64] >> (i % 64) & 1).wrapping_neg();
        if !SECRET && x_i == 0 {
            continue;
        }
        let (first, shift) = (i / 64, i % 64);
        let count = (n - i).div_ceil(64);
        for (k, s) in suffix[..count].iter_mut().enumerate() {
            let high = (clean[first + k + 1] << 1) << (63 - shift);
            *s = (clean[first + k] >> shift | high) & x_i;
        }
        or_shifted(products, shape.upper_index(i, i), &suffix, n - i);
    }
}
