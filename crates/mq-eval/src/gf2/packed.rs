//! Evaluation straight from the packed bytes.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::bits::{clear_above, load_word};
use super::layout::{Strings, triangle_words};
use super::products::{fill_lower, fill_upper};
use super::table::{MANY, OneSet};
use super::{Layout, LayoutError, Shape, System};
use crate::backend::{Vectors, dispatch};

/// A quadratic system in one of the published layouts, checked once and evaluated from its bytes, which may be borrowed
/// (`&[u8]`) or owned (`Vec<u8>`, `Arc<[u8]>`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedSystem<B> {
    layout: Layout,
    shape: Shape,
    bytes: B,
}

impl PackedSystem<Vec<u8>> {
    /// Packs a system.
    ///
    /// # Errors
    /// [`LayoutError::Shape`] as [`Layout::supports`] says.
    pub fn pack(layout: Layout, system: &System) -> Result<Self, LayoutError> {
        Ok(Self { layout, shape: system.shape(), bytes: layout.encode(system)? })
    }
}

impl<B: AsRef<[u8]>> PackedSystem<B> {
    /// Takes the bytes of a system after checking them.
    ///
    /// # Errors
    /// Those of [`Layout::check`].
    pub fn new(layout: Layout, shape: Shape, bytes: B) -> Result<Self, LayoutError> {
        layout.check(shape, bytes.as_ref())?;
        Ok(Self { layout, shape, bytes })
    }

    /// The layout of the bytes.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Numbers of variables and equations.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The coefficients.
    #[must_use]
    pub fn unpack(&self) -> System {
        match self.layout.decode(self.shape, self.as_bytes()) {
            Ok(system) => system,
            // checked when this value was made; only a `B` that changes its bytes gets here
            Err(_) => System::zero(self.shape),
        }
    }

    /// Value at a public point, in [`Shape::equation_words`] words. **Variable time**: the running time and the addresses
    /// depend on the point. Bits of the point above the last variable are ignored.
    ///
    /// # Panics
    /// If `point` has fewer than [`Shape::variable_words`] words or `value` has not [`Shape::equation_words`].
    pub fn evaluate(&self, point: &[u64], value: &mut [u64]) {
        let (shape, bytes) = (self.shape, self.as_bytes());
        assert!(point.len() >= shape.variable_words(), "one bit a variable");
        assert_eq!(value.len(), shape.equation_words(), "one bit an equation");
        dispatch!(token => evaluate(token, self.layout, shape, bytes, point, value));
    }

    /// Values at several public points, one after another in `points` ([`Shape::variable_words`] words each) and `values`
    /// ([`Shape::equation_words`] each). A large system is read once for up to 16 points. **Variable time.**
    ///
    /// # Panics
    /// If the numbers of points and of values differ.
    pub fn evaluate_many(&self, points: &[u64], values: &mut [u64]) {
        let (shape, bytes) = (self.shape, self.as_bytes());
        let (point_words, value_words) = (shape.variable_words(), shape.equation_words());
        if value_words == 0 {
            return;
        }
        if point_words == 0 {
            for value in values.chunks_exact_mut(value_words) {
                self.evaluate(&[], value);
            }
            return;
        }
        assert_eq!(points.len() % point_words, 0, "whole points");
        assert_eq!(points.len() / point_words * value_words, values.len(), "one value a point");
        for (points, values) in points.chunks(MANY * point_words).zip(values.chunks_mut(MANY * value_words)) {
            dispatch!(token => evaluate_block(token, self.layout, shape, bytes, points, values));
        }
    }

    /// Value at a secret point. Constant time: every coefficient is read and masked. Bits of the point above the last
    /// variable are ignored.
    ///
    /// # Panics
    /// Those of [`Self::evaluate`].
    pub fn evaluate_secret(&self, point: &[u64], value: &mut [u64]) {
        let (shape, bytes) = (self.shape, self.as_bytes());
        assert!(point.len() >= shape.variable_words(), "one bit a variable");
        assert_eq!(value.len(), shape.equation_words(), "one bit an equation");
        dispatch!(token => evaluate_masked(token, self.layout, shape, bytes, point, value));
    }
}

/// Runs `$body` with `$k` bound to the constant number of vectors that hold `$bytes` bytes.
macro_rules! with_vectors {
    ($bytes:expr, $k:ident => $body:expr) => {
        match ($bytes as usize).div_ceil(32) {
            0 | 1 => {
                const $k: usize = 1;
                $body
            }
            2 => {
                const $k: usize = 2;
                $body
            }
            3 => {
                const $k: usize = 3;
                $body
            }
            _ => {
                const $k: usize = 4;
                $body
            }
        }
    };
}

#[inline(always)]
fn evaluate<T: Vectors>(
    token: T,
    layout: Layout,
    shape: Shape,
    bytes: &[u8],
    point: &[u64],
    value: &mut [u64],
) {
    value.fill(0);
    if let Some((table, covered)) = layout.table(shape) {
        let set = OneSet::new(point, shape.variables(), table.stride);
        with_vectors!(table.stride, K => {
            let sum = table.sum::<T, K>(token, bytes, &set);
            store(token, value, &sum, covered);
        });
    }
    add_constant(layout, shape, bytes, value);
    add_packed_equations::<false>(layout, shape, bytes, point, value);
}

#[inline(always)]
fn evaluate_masked<T: Vectors>(
    token: T,
    layout: Layout,
    shape: Shape,
    bytes: &[u8],
    point: &[u64],
    value: &mut [u64],
) {
    value.fill(0);
    if let Some((table, covered)) = layout.table(shape) {
        with_vectors!(table.stride, K => {
            let sum = table.masked_sum::<T, K>(token, bytes, point);
            store(token, value, &sum, covered);
        });
    }
    add_constant(layout, shape, bytes, value);
    add_packed_equations::<true>(layout, shape, bytes, point, value);
}

/// At most [`MANY`] points.
#[inline(always)]
fn evaluate_block<T: Vectors>(
    token: T,
    layout: Layout,
    shape: Shape,
    bytes: &[u8],
    points: &[u64],
    values: &mut [u64],
) {
    let (point_words, value_words) = (shape.variable_words(), shape.equation_words());
    values.fill(0);
    if let Some((table, covered)) = layout.table(shape) {
        let sets: Vec<OneSet> = points
            .chunks_exact(point_words)
            .map(|point| OneSet::new(point, shape.variables(), table.stride))
            .collect();
        with_vectors!(table.stride, K => {
            let mut sums = [[token.zero(); K]; MANY];
            table.sum_many(token, bytes, &sets, &mut sums[..sets.len()]);
            for (value, sum) in values.chunks_exact_mut(value_words).zip(&sums) {
                store(token, value, sum, covered);
            }
        });
    }
    for (value, point) in values.chunks_exact_mut(value_words).zip(points.chunks_exact(point_words)) {
        add_constant(layout, shape, bytes, value);
        add_packed_equations::<false>(layout, shape, bytes, point, value);
    }
}

/// Keeps the `covered` low bits of a sum of entries.
#[inline(always)]
fn store<T: Vectors>(token: T, value: &mut [u64], sum: &[T::Vector], covered: usize) {
    for (chunk, &vector) in value.chunks_mut(4).zip(sum) {
        let words = token.words(vector);
        chunk.copy_from_slice(&words[..chunk.len()]);
    }
    clear_above(value, covered);
}

#[inline(always)]
fn add_constant(layout: Layout, shape: Shape, bytes: &[u8], value: &mut [u64]) {
    let (offset, size) = layout.constant(shape);
    for (v, chunk) in value.iter_mut().zip(bytes[offset..offset + size].chunks(8)) {
        *v ^= load_word(chunk);
    }
}

/// Adds the equations that are stored as bit strings or matrices of their own. `SECRET`: in constant time.
#[inline(always)]
fn add_packed_equations<const SECRET: bool>(
    layout: Layout,
    shape: Shape,
    bytes: &[u8],
    point: &[u64],
    value: &mut [u64],
) {
    let (n, m) = (shape.variables(), shape.equations());
    match layout {
        Layout::WordRows | Layout::LinearFirst => {}
        Layout::ByteHybrid => {
            let strings = Strings::new(shape);
            if strings.count == 0 {
                return;
            }
            let mut products = Zeroizing::new(vec![0; shape.monomial_words()]);
            fill_lower::<SECRET>(shape, point, &mut products);
            let first = 8 * (m / 8);
            for t in 0..strings.count {
                set_bit(value, first + t, strings.parity(bytes, &products, t));
            }
            if !SECRET {
                // nothing secret to wipe
                core::mem::take(&mut *products);
            }
        }
        Layout::WordHybrid => {
            let size = 8 * triangle_words(n);
            let start = bytes.len() - size * (m % 64);
            for t in 0..m % 64 {
                let matrix = &bytes[start + t * size..start + (t + 1) * size];
                set_bit(value, 64 * (m / 64) + t, matrix_parity::<SECRET>(matrix, n, point));
            }
        }
        Layout::EquationMajor => {
            let mut products = Zeroizing::new(vec![0; shape.monomial_words()]);
            fill_upper::<SECRET>(shape, point, &mut products);
            let size = 8 * shape.monomial_words();
            for (e, string) in bytes.chunks_exact(size).enumerate() {
                set_bit(value, e, string_parity(string, &products));
            }
            if !SECRET {
                core::mem::take(&mut *products);
            }
        }
    }
}

#[inline(always)]
fn set_bit(value: &mut [u64], index: usize, parity: u64) {
    value[index / 64] ^= (parity & 1) << (index % 64);
}

/// Parity of the AND of a string of coefficients, at any address, and the products.
#[inline(always)]
fn string_parity(string: &[u8], products: &[u64]) -> u64 {
    let (words, rest) = string.as_chunks::<8>();
    let mut sum = 0;
    for (word, product) in words.iter().zip(products) {
        sum ^= u64::from_le_bytes(*word) & product;
    }
    if !rest.is_empty() {
        sum ^= load_word(rest) & products[words.len()];
    }
    u64::from(sum.count_ones() & 1)
}

impl Strings {
    /// Value of string `t`, given the products in order L.
    #[inline(always)]
    fn parity(&self, bytes: &[u8], products: &[u64], t: usize) -> u64 {
        let begin = self.start + t * self.size;
        if t + 1 < self.count {
            // what fills the padding meets products that are zero
            return string_parity(&bytes[begin..begin + self.size], products);
        }
        let mut parity = string_parity(&bytes[begin..], products);
        let mut index = self.monomials - self.moved();
        for other in 0..self.count - 1 {
            let last = bytes[self.start + (other + 1) * self.size - 1];
            let moved = u64::from(last >> ((8 - self.pad as u32 % 8) % 8));
            if self.pad > 0 {
                let mut window = products[index / 64] >> (index % 64);
                if index % 64 > 56 && index / 64 + 1 < products.len() {
                    window |= products[index / 64 + 1] << (64 - index % 64);
                }
                parity ^= u64::from((moved & window).count_ones());
            }
            index += self.pad;
        }
        parity & 1
    }
}

/// Value of a quadratic form stored by rows b of (b div 64) + 1 words with the coefficients of x_a x_b, a <= b.
#[inline(always)]
fn matrix_parity<const SECRET: bool>(matrix: &[u8], n: usize, point: &[u64]) -> u64 {
    let mut rows = matrix.as_chunks::<8>().0;
    let mut sum = 0;
    for b in 0..n {
        let (row, rest) = rows.split_at(b / 64 + 1);
        rows = rest;
        let x_b = super::bits::mask(point, b);
        if SECRET || x_b != 0 {
            let mut row_sum = 0;
            for (word, x) in row.iter().zip(point) {
                row_sum ^= u64::from_le_bytes(*word) & x;
            }
            sum ^= row_sum & x_b;
        }
    }
    u64::from(sum.count_ones() & 1)
}
