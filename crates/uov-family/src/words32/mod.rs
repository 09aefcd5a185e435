//! The operations of [`trapdoor`](crate::trapdoor) on machines of 32-bit words: GF(16), several vectors at a time.
//!
//! Everything is done row by row as the coefficients come, so that besides one row of P1 only sums are in memory. From a seed,
//! a row of P1 is multiplied by the vinegar vectors and the columns of O at once. With a_j = P1 v_j, and T = P1 O + P2:
//!
//! * v_i^T (P1 + P1^T) v_j = v_i^T a_j + v_j^T a_i, so that P1^T is not needed;
//! * the linear forms v_i^T (P2 + (P1 + P1^T) O) are v_i^T T + a_i^T O.
//!
//! P1 and P2 are public here: they choose addresses (see [`mq_eval::packed::words32`]). Vectors, O and S do not.

pub(crate) mod aes;
pub(crate) mod keccak;

use alloc::vec;
use alloc::vec::Vec;
use gf2n::secret::SecretBytes;

use mq_eval::packed::words32::{Bins, Lookup, Prepared, Scalar, SecretWords, load, scalar, store, words};
use mq_eval::packed::{Engine, Multipliers, PackedField};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::coefficients::Coefficients;
use crate::trapdoor::{Shape, Substituted};

/// Whether the operations of this file are to be used: over GF(16), if there is more than one vector.
pub(crate) fn serves<F: PackedField>(x: &Multipliers<F>) -> bool {
    matches!(x.engine(), Engine::Words32) && F::BITS == 4 && x.columns() > 1
}

/// Sums for pairs of vectors and for linear forms, as words.
struct Sums {
    words: usize,
    vectors: usize,
    /// For i >= j the cell i * vectors + j.
    constant: SecretWords,
    /// For vector i and oil variable c the cell i * oil + c.
    linear: SecretWords,
}

impl Sums {
    fn new(words: usize, vectors: usize, oil: usize) -> Self {
        Self {
            words,
            vectors,
            constant: SecretWords::zeros(vectors * vectors * words),
            linear: SecretWords::zeros(vectors * oil * words),
        }
    }

    /// The sum that the product of vector i and row of vector j enters.
    fn pair(&mut self, i: usize, j: usize) -> &mut [u32] {
        let place = i.max(j) * self.vectors + i.min(j);
        &mut self.constant[place * self.words..][..self.words]
    }

    /// Packs the sums as cells of `cell` bytes.
    fn pack(&self, cell: usize) -> Substituted {
        let pack = |from: &[u32]| {
            let mut cells = SecretBytes::zeros(from.len() / self.words * cell);
            for (to, from) in cells.chunks_exact_mut(cell).zip(from.chunks_exact(self.words)) {
                store(from, to);
            }
            cells
        };
        Substituted { linear: pack(&self.linear), constant: pack(&self.constant) }
    }
}

/// Prepared scalars of one term. Wiped when dropped.
struct Scalars(Vec<Scalar>);

impl Scalars {
    fn zeros(count: usize) -> Self {
        Self(vec![[0; 4]; count])
    }

    /// Sets the scalars of term `term` of a matrix, from place `first` on.
    fn set<F: PackedField>(&mut self, first: usize, matrix: &Multipliers<F>, term: usize) {
        for (column, prepared) in self.0[first..].iter_mut().take(matrix.columns()).enumerate() {
            *prepared = scalar(matrix.scalar(term, column));
        }
    }
}

impl Drop for Scalars {
    fn drop(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

impl ZeroizeOnDrop for Scalars {}

/// Adds a packed cell to words.
fn add_cell(words: &mut [u32], loaded: &mut [u32], cell: &[u8]) {
    load(cell, loaded);
    words.iter_mut().zip(loaded.iter()).for_each(|(to, from)| *to ^= from);
}

/// [`trapdoor::substitute`](crate::trapdoor::substitute) with `oil`, for whose columns P1 and P2 are given one after the other by
/// `p1` and `p2`; [`trapdoor::substitute_expanded`](crate::trapdoor::substitute_expanded) without it, `p2` giving S. `extra` has v
/// cells, which enter the constants of vector 0 and, with `oil`, its linear forms; or none.
pub(crate) fn substitute<F: PackedField>(
    shape: Shape,
    p1: &mut impl Coefficients,
    p2: &mut impl Coefficients,
    vinegar: &Multipliers<F>,
    oil: Option<&Multipliers<F>>,
    extra: &[u8],
) -> Substituted {
    let (v, o, cell, k) = (shape.vinegar, shape.oil, shape.cell, vinegar.columns());
    let elements = 2 * cell;
    let size = words(elements);
    let columns = k + if oil.is_some() { o } else { 0 };
    let lookup = Lookup::new(v, columns, |term, column| match oil {
        Some(oil) if column >= k => oil.scalar(term, column - k),
        _ => vinegar.scalar(term, column),
    });
    let mut sums = Sums::new(size, k, o);
    let mut row = SecretWords::zeros((k + o) * size);
    let mut loaded = SecretWords::zeros(size);
    let mut prepared = Prepared::zeros(size);
    let mut scalars = Scalars::zeros(k + o);
    for r in 0..v {
        row.fill(0);
        let source = p1.next((v - r) * cell);
        lookup.add_sums(r..v, source, cell, elements, &mut row, size);
        scalars.set(0, vinegar, r);
        if let Some(oil) = oil {
            scalars.set(k, oil, r);
        }
        let (vinegar, oil_row) = scalars.0.split_at(k);
        if let Some(extra) = extra.chunks_exact(cell).nth(r) {
            add_cell(&mut row, &mut loaded, extra);
        }
        let (own, t) = row.split_at_mut(k * size);
        let source = p2.next(o * cell);
        for (t, cell) in t.chunks_exact_mut(size).zip(source.chunks_exact(cell)) {
            add_cell(t, &mut loaded, cell);
        }
        for (j, own) in own.chunks_exact(size).enumerate() {
            prepared.set(own);
            for (i, scalar) in vinegar.iter().enumerate() {
                prepared.add_to(scalar, sums.pair(i, j));
            }
            if oil.is_some() {
                for (scalar, sum) in oil_row.iter().zip(sums.linear[j * o * size..].chunks_exact_mut(size)) {
                    prepared.add_to(scalar, sum);
                }
            }
        }
        for (c, t) in t.chunks_exact(size).enumerate() {
            prepared.set(t);
            for (i, scalar) in vinegar.iter().enumerate() {
                prepared.add_to(scalar, &mut sums.linear[(i * o + c) * size..][..size]);
            }
        }
    }
    sums.pack(cell)
}

/// P3 of [`trapdoor::oil_products`](crate::trapdoor::oil_products): the upper triangle of O^T (P1 O + P2).
pub(crate) fn oil_products<F: PackedField>(
    shape: Shape,
    p1: &mut impl Coefficients,
    p2: &mut impl Coefficients,
    oil: &Multipliers<F>,
    p3: &mut [u8],
) {
    let (v, o, cell) = (shape.vinegar, shape.oil, shape.cell);
    let elements = 2 * cell;
    let size = words(elements);
    let lookup = Lookup::new(v, o, |term, column| oil.scalar(term, column));
    let mut sums = Sums::new(size, o, 0);
    let mut row = SecretWords::zeros(o * size);
    let mut loaded = SecretWords::zeros(size);
    let mut prepared = Prepared::zeros(size);
    let mut scalars = Scalars::zeros(o);
    for r in 0..v {
        row.fill(0);
        lookup.add_sums(r..v, p1.next((v - r) * cell), cell, elements, &mut row, size);
        scalars.set(0, oil, r);
        let source = p2.next(o * cell);
        for (j, (t, cell)) in row.chunks_exact_mut(size).zip(source.chunks_exact(cell)).enumerate() {
            add_cell(t, &mut loaded, cell);
            prepared.set(t);
            for (i, scalar) in scalars.0.iter().enumerate() {
                prepared.add_to(scalar, sums.pair(i, j));
            }
        }
    }
    let mut cells = p3.chunks_exact_mut(cell);
    for i in 0..o {
        for j in i..o {
            if let Some(out) = cells.next() {
                store(sums.pair(j, i), out);
            }
        }
    }
}

/// Rows of the map times the public vectors, and the values that follow.
struct PublicRows<'a, F: PackedField> {
    x: &'a Multipliers<F>,
    lookup: Lookup,
    cell: usize,
    /// Row by row one cell a vector.
    sums: Vec<u32>,
}

impl<'a, F: PackedField> PublicRows<'a, F> {
    fn new(cell: usize, x: &'a Multipliers<F>) -> Self {
        let lookup = Lookup::new(x.terms(), x.columns(), |term, column| x.scalar(term, column));
        let sums = vec![0; x.terms() * x.columns() * words(2 * cell)];
        Self { x, lookup, cell, sums }
    }

    /// Adds the products of the cells of `source` in the columns `terms` to row `row`.
    fn add(&mut self, row: usize, terms: core::ops::Range<usize>, source: &[u8]) {
        let size = words(2 * self.cell);
        let sums = &mut self.sums[row * self.x.columns() * size..];
        self.lookup.add_sums(terms, source, self.cell, 2 * self.cell, sums, size);
    }

    /// The forms and polar forms, as in [`crate::trapdoor::public_values`]. The vectors are public.
    fn values(&self) -> Vec<u8> {
        let (k, size) = (self.x.columns(), words(2 * self.cell));
        let mut values = vec![0; k * k * self.cell];
        let mut bins = Bins::new(size);
        let mut sum = vec![0; size];
        for i in 0..k {
            for j in 0..=i {
                for (term, row) in self.sums.chunks_exact(k * size).enumerate() {
                    bins.add(self.x.scalar(term, i), &row[j * size..][..size]);
                    if i != j {
                        bins.add(self.x.scalar(term, j), &row[i * size..][..size]);
                    }
                }
                sum.fill(0);
                bins.finish(&mut sum);
                store(&sum, &mut values[(i * k + j) * self.cell..][..self.cell]);
            }
        }
        values
    }
}

/// [`trapdoor::public_values`](crate::trapdoor::public_values). Variable time: everything is public.
pub(crate) fn public_values<F: PackedField>(
    shape: Shape,
    coefficients: &mut impl Coefficients,
    p3: &[u8],
    x: &Multipliers<F>,
) -> Vec<u8> {
    let (v, o, cell) = (shape.vinegar, shape.oil, shape.cell);
    let mut rows = PublicRows::new(cell, x);
    for r in 0..v {
        rows.add(r, r..v, coefficients.next((v - r) * cell));
    }
    for r in 0..v {
        rows.add(r, v..v + o, coefficients.next(o * cell));
    }
    let mut p3 = p3;
    for r in 0..o {
        rows.add(v + r, v + r..v + o, p3);
        p3 = p3.get((o - r) * cell..).unwrap_or(&[]);
    }
    rows.values()
}

/// [`trapdoor::triangle_values`](crate::trapdoor::triangle_values). Variable time: everything is public.
pub(crate) fn triangle_values<F: PackedField>(
    side: usize,
    cell: usize,
    p: &[u8],
    x: &Multipliers<F>,
) -> Vec<u8> {
    let mut rows = PublicRows::new(cell, x);
    let mut rest = p;
    for r in 0..side {
        rows.add(r, r..side, rest);
        rest = rest.get((side - r) * cell..).unwrap_or(&[]);
    }
    rows.values()
}

/// [`trapdoor::add_oil_space`](crate::trapdoor::add_oil_space).
pub(crate) fn add_oil_space<F: PackedField>(
    oil: &[u8],
    stride: usize,
    oil_values: &Multipliers<F>,
    vinegar: &mut [u8],
) {
    let size = words(2 * stride);
    let mut scalars = Scalars::zeros(oil_values.columns());
    let mut sums = SecretWords::zeros(oil_values.columns() * size);
    let mut cell = SecretWords::zeros(size);
    let mut prepared = Prepared::zeros(size);
    for (sum, packed) in sums.chunks_exact_mut(size).zip(vinegar.chunks_exact(stride)) {
        load(packed, sum);
    }
    for (term, column) in oil.chunks_exact(stride).enumerate() {
        load(column, &mut cell);
        prepared.set(&cell);
        scalars.set(0, oil_values, term);
        for (scalar, sum) in scalars.0.iter().zip(sums.chunks_exact_mut(size)) {
            prepared.add_to(scalar, sum);
        }
    }
    for (sum, packed) in sums.chunks_exact(size).zip(vinegar.chunks_exact_mut(stride)) {
        store(sum, packed);
    }
}
