//! The oil-and-vinegar core, shared by UOV and MAYO.
//!
//! A public map of `m` quadratic forms in `v + o` variables has the coefficient matrices P1 (v by v, upper triangular), P2
//! (v by o) and P3 (o by o, upper triangular), stored as cells of the m coefficients (see [`mq_eval::packed`]). The forms
//! vanish on the space of the vectors (O y, y). With k vectors at a time:
//!
//! * key generation: T = P1 O + P2, P3 = upper(O^T T), and for expanded keys S = T + P1^T O (L in MAYO's words);
//! * signing: vinegar values are put in, which leaves linear forms in the oil variables and constants, from an expanded key
//!   by S, from a seed without ever making S ([`substitute`]);
//! * verifying: the forms and their polar forms are evaluated at k vectors ([`public_values`]).
//!
//! UOV is the case k = 1. Everything is constant time with respect to coefficients and vectors.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use gf2n::secret::SecretBytes;

use mq_eval::packed::products::{self, Rows};
use mq_eval::packed::{Engine, Job, Multipliers, PackedField};

use crate::coefficients::{Coefficients, Stored};
use crate::words32;

/// The shape of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Vinegar variables v.
    pub vinegar: usize,
    /// Oil variables o.
    pub oil: usize,
    /// Bytes of a cell, the packed coefficients of one monomial in all forms.
    pub cell: usize,
}

/// How much keystream is made and used at once.
#[derive(Clone, Copy)]
struct Chunk {
    /// Bytes, about.
    bytes: usize,
    /// Rows, at least, where there is room.
    rows: usize,
}

impl Chunk {
    /// Where a chunk's share of a transposed product is one sum over its rows, these should be many.
    const TRANSPOSED: Self = Self::of(9 << 13, 12);
    /// Where rows are used one by one: in the first cache.
    const ROWS: Self = Self::of(1 << 14, 1);

    /// The same where T goes into a transposed product.
    const ROWS_BY_OIL: Self = Self::of(1 << 14, 8);

    const fn of(bytes: usize, rows: usize) -> Self {
        if cfg!(target_pointer_width = "64") {
            Self { bytes, rows }
        } else {
            Self { bytes: 1 << 12, rows: 1 }
        }
    }
}

impl Shape {
    /// Bytes of P1.
    #[must_use]
    pub const fn p1_bytes(&self) -> usize {
        Rows::triangle_bytes(self.vinegar, self.cell, self.vinegar)
    }

    /// Bytes of P2, and of S.
    #[must_use]
    pub const fn p2_bytes(&self) -> usize {
        self.vinegar * self.oil * self.cell
    }

    /// Bytes of P3.
    #[must_use]
    pub const fn p3_bytes(&self) -> usize {
        Rows::triangle_bytes(self.oil, self.cell, self.oil)
    }

    fn p1_chunks(&self, chunk: Chunk) -> impl Iterator<Item = Rows> + use<> {
        let shape = *self;
        let mut start = 0;
        core::iter::from_fn(move || {
            (start < shape.vinegar).then(|| {
                let row = (shape.vinegar - start) * shape.cell;
                let end = shape.vinegar.min(start + (chunk.bytes / row).max(chunk.rows));
                let rows = Rows { range: start..end, width: shape.vinegar, cell: shape.cell };
                start = end;
                rows
            })
        })
    }

    fn p2_chunks(&self, chunk: Chunk) -> impl Iterator<Item = Rows> + use<> {
        let shape = *self;
        let step = (chunk.bytes / (shape.oil * shape.cell)).max(chunk.rows);
        (0..shape.vinegar).step_by(step).map(move |start| Rows {
            range: start..shape.vinegar.min(start + step),
            width: shape.oil,
            cell: shape.cell,
        })
    }

    fn chunk_bytes(&self, rows: &Rows) -> usize {
        Rows::triangle_bytes(rows.width, rows.cell, rows.range.end)
            - Rows::triangle_bytes(rows.width, rows.cell, rows.range.start)
    }

    fn rows_of(range: &Range<usize>, columns: usize, cell: usize) -> Range<usize> {
        range.start * columns * cell..range.end * columns * cell
    }
}

/// Adds `source` to `destination`.
pub(crate) fn add(destination: &mut [u8], source: &[u8]) {
    for (to, from) in destination.iter_mut().zip(source) {
        *to ^= from;
    }
}

/// Key generation: P3 and, if asked for, S, from P1 and P2 row by row.
///
/// A row of T = P1 O + P2 is complete as soon as that row of P1 was seen, so that T is never stored: it enters
/// P3 = upper(O^T T) and S = T + P1^T O at once. `s` has v rows of o cells, all zero at first; `p3` has the upper triangle.
pub fn oil_products<F: PackedField>(
    shape: Shape,
    p1: &mut impl Coefficients,
    p2: &mut impl Coefficients,
    oil: &Multipliers<F>,
    mut s: Option<&mut [u8]>,
    p3: &mut [u8],
) {
    let (o, cell) = (shape.oil, shape.cell);
    if s.is_none() && words32::serves(oil) {
        words32::oil_products(shape, p1, p2, oil, p3);
        return;
    }
    let mut square = SecretBytes::zeros(if p3.is_empty() { 0 } else { o * o * cell });
    let mut t = SecretBytes::default();
    for rows in shape.p1_chunks(Chunk::TRANSPOSED) {
        let out = Shape::rows_of(&rows.range, o, cell);
        if t.len() < out.len() {
            t = SecretBytes::zeros(out.len());
        }
        let t = &mut t[..out.len()];
        t.copy_from_slice(&p2.next(out.len())[..out.len()]);
        let source = p1.next(shape.chunk_bytes(&rows));
        products::triangle(oil, 0, source, &rows, t);
        if let Some(s) = s.as_deref_mut() {
            products::triangle_transposed(oil, source, &rows, true, s);
            add(&mut s[out], t);
        }
        if !p3.is_empty() {
            let rows = Rows { range: rows.range, width: o, cell };
            products::rectangle_transposed(oil, t, &rows, &mut square);
        }
    }
    let mut cells = p3.chunks_exact_mut(cell);
    for row in 0..o {
        for column in row..o {
            let Some(out) = cells.next() else { return };
            out.copy_from_slice(&square[(row * o + column) * cell..][..cell]);
            if row != column {
                add(out, &square[(column * o + row) * cell..][..cell]);
            }
        }
    }
}

/// What is left of the map when k vectors of vinegar values are put in.
pub struct Substituted {
    /// Linear forms: for vector i and oil variable c the cell i * o + c.
    pub linear: SecretBytes,
    /// Constants: for vectors i >= j the cell i * k + j, the form (i = j) or its polar form. Other cells are unspecified.
    pub constant: SecretBytes,
}

/// Puts the k columns of `vinegar` into the map of P1 and P2, given by `coefficients` in this order, without making S.
///
/// With a = P1 v and w = (P1 + P1^T) v: the linear forms are v^T P2 + w^T O, the constants v^T a and v_i^T w_j
/// (i > j). Where there are no more oil variables than vectors, P1 O takes the place of P1^T v.
/// `extra` is a linear functional that is added to the first vector's: v cells of coefficients of the vinegar variables, which
/// enter the constants of vector 0 with every vector, and o cells of the oil variables (MAYO, round 3); empty for none.
pub fn substitute<F: PackedField>(
    shape: Shape,
    coefficients: &mut impl Coefficients,
    vinegar: &Multipliers<F>,
    oil: &Multipliers<F>,
    extra: &[u8],
) -> Substituted {
    let (v, o, cell, k) = (shape.vinegar, shape.oil, shape.cell, vinegar.columns());
    if words32::serves(vinegar) {
        let mut p2 = coefficients.ahead(shape.p1_bytes());
        let vinegar_terms = &extra[..extra.len().min(v * cell)];
        let mut all = words32::substitute(shape, coefficients, &mut p2, vinegar, Some(oil), vinegar_terms);
        add(&mut all.linear, extra.get(v * cell..).unwrap_or(&[]));
        return all;
    }
    if o <= k {
        return substitute_by_oil(shape, coefficients, vinegar, oil, extra);
    }
    let mut own = SecretBytes::zeros(v * k * cell);
    let mut polar = SecretBytes::zeros(v * k * cell);
    for rows in shape.p1_chunks(Chunk::TRANSPOSED) {
        let source = coefficients.next(shape.chunk_bytes(&rows));
        let out = Shape::rows_of(&rows.range, k, cell);
        products::triangle(vinegar, 0, source, &rows, &mut own[out]);
        products::triangle_transposed(vinegar, source, &rows, true, &mut polar);
    }
    add(&mut polar, &own);
    for (row, coefficient) in extra.chunks_exact(cell).take(v).enumerate() {
        add(&mut own[row * k * cell..][..cell], coefficient);
        add(&mut polar[row * k * cell..][..cell], coefficient);
    }

    let mut linear = SecretBytes::zeros(k * o * cell);
    for rows in shape.p2_chunks(Chunk::TRANSPOSED) {
        let source = coefficients.next(rows.range.len() * o * cell);
        products::rectangle_transposed(vinegar, source, &rows, &mut linear);
    }
    add_oil_forms(shape, oil, &polar, k, &mut linear);
    add(&mut linear, extra.get(v * cell..).unwrap_or(&[]));

    let mut constant = SecretBytes::zeros(k * k * cell);
    products::square_transposed_lower(vinegar, &polar, cell, &mut constant);
    let diagonal = diagonal(vinegar, &own, cell);
    for i in 0..k {
        constant[(i * k + i) * cell..][..cell].copy_from_slice(&diagonal[i * cell..][..cell]);
    }
    Substituted { linear, constant }
}

/// Adds O^T w, of k columns w, to the linear forms of k vectors.
fn add_oil_forms<F: PackedField>(shape: Shape, oil: &Multipliers<F>, w: &[u8], k: usize, linear: &mut [u8]) {
    let (v, o, cell) = (shape.vinegar, shape.oil, shape.cell);
    // O^T w has the oil variable outside, the vector inside
    let mut moved = SecretBytes::zeros(o * k * cell);
    products::rectangle_transposed(oil, w, &Rows { range: 0..v, width: k, cell }, &mut moved);
    for c in 0..o {
        for i in 0..k {
            add(&mut linear[(i * o + c) * cell..][..cell], &moved[(c * k + i) * cell..][..cell]);
        }
    }
}

/// [`substitute`] for no more oil variables than vectors: with T = P1 O + P2, a row at a time, the linear forms are
/// v^T T + a^T O, and P1^T v is not needed.
fn substitute_by_oil<F: PackedField>(
    shape: Shape,
    p1: &mut impl Coefficients,
    vinegar: &Multipliers<F>,
    oil: &Multipliers<F>,
    extra: &[u8],
) -> Substituted {
    let (v, o, cell, k) = (shape.vinegar, shape.oil, shape.cell, vinegar.columns());
    let mut p2 = p1.ahead(shape.p1_bytes());
    let mut own = SecretBytes::zeros(v * k * cell);
    let mut linear = SecretBytes::zeros(k * o * cell);
    let mut t = SecretBytes::default();
    for rows in shape.p1_chunks(Chunk::ROWS_BY_OIL) {
        let source = p1.next(shape.chunk_bytes(&rows));
        let out = Shape::rows_of(&rows.range, k, cell);
        products::triangle(vinegar, 0, source, &rows, &mut own[out]);
        let out = rows.range.len() * o * cell;
        if t.len() < out {
            t = SecretBytes::zeros(out);
        }
        let t = &mut t[..out];
        t.copy_from_slice(&p2.next(out)[..out]);
        products::triangle(oil, 0, source, &rows, t);
        let rows = Rows { range: rows.range, width: o, cell };
        products::rectangle_transposed(vinegar, t, &rows, &mut linear);
    }
    for (row, coefficient) in extra.chunks_exact(cell).take(v).enumerate() {
        add(&mut own[row * k * cell..][..cell], coefficient);
    }
    add_oil_forms(shape, oil, &own, k, &mut linear);
    add(&mut linear, extra.get(v * cell..).unwrap_or(&[]));
    let constant = pair_values(vinegar, &own, cell);
    Substituted { linear, constant }
}

/// The sums over r of x_i(r) times cell (r, i) of `rows`, for every column i of x.
fn diagonal<F: PackedField>(x: &Multipliers<F>, rows: &[u8], cell: usize) -> SecretBytes {
    let k = x.columns();
    let mut sums = SecretBytes::zeros(k * cell);
    for first in (0..k).step_by(F::PER_BYTE) {
        let columns = first..(first + F::PER_BYTE).min(k);
        for i in columns.clone() {
            let job = Job {
                destination: 0,
                len: cell,
                source: i * cell,
                step: k * cell,
                step_shrink: 0,
                terms: 0..x.terms(),
            };
            let mut shifted = SecretBytes::zeros(columns.end * cell);
            x.combine_columns(rows, &mut shifted, cell, columns.clone(), &[job]);
            sums[i * cell..][..cell].copy_from_slice(&shifted[i * cell..][..cell]);
        }
    }
    sums
}

/// Puts the k columns of `vinegar` into the map of an expanded key: P1 and S in memory. `extra_vinegar` and `extra_oil` are
/// the vinegar cells of the additional functional of [`substitute`] and its oil part with O applied; empty for none.
pub fn substitute_expanded<F: PackedField>(
    shape: Shape,
    p1: &[u8],
    s: &[u8],
    vinegar: &Multipliers<F>,
    extra_vinegar: &[u8],
    extra_oil: &[u8],
) -> Substituted {
    let (v, o, cell, k) = (shape.vinegar, shape.oil, shape.cell, vinegar.columns());
    if words32::serves(vinegar) {
        let (mut p1, mut s) = (Stored(p1), Stored(s));
        let mut all = words32::substitute(shape, &mut p1, &mut s, vinegar, None, extra_vinegar);
        add(&mut all.linear, extra_oil);
        return all;
    }
    let mut own = SecretBytes::zeros(v * k * cell);
    products::triangle(vinegar, 0, p1, &Rows { range: 0..v, width: v, cell }, &mut own);
    let mut constant = pair_values(vinegar, &own, cell);
    if !extra_vinegar.is_empty() {
        // the functional at vector i, for the pair (i, 0)
        let job = Job { destination: 0, len: cell, source: 0, step: cell, step_shrink: 0, terms: 0..v };
        vinegar.combine(extra_vinegar, &mut constant, k * cell, &[job]);
    }
    let mut linear = SecretBytes::zeros(k * o * cell);
    let rows = Rows { range: 0..v, width: o, cell };
    products::rectangle_transposed(vinegar, s, &rows, &mut linear);
    add(&mut linear, extra_oil);
    Substituted { linear, constant }
}

/// From a = P x: the forms and polar forms at the columns of x, as in [`Substituted::constant`].
fn pair_values<F: PackedField>(x: &Multipliers<F>, products: &[u8], cell: usize) -> SecretBytes {
    let k = x.columns();
    let mut values = SecretBytes::zeros(k * k * cell);
    let rows = Rows { range: 0..x.terms(), width: k, cell };
    products::rectangle_transposed(x, products, &rows, &mut values);
    for i in 0..k {
        for j in i + 1..k {
            let (upper, lower) = values.split_at_mut((j * k + i) * cell);
            add(&mut lower[..cell], &upper[(i * k + j) * cell..][..cell]);
        }
    }
    values
}

/// The values of the public map at the k columns of `x` (v + o terms): for i >= j the cell i * k + j, the forms (i = j) and
/// polar forms; other cells are unspecified. `coefficients` gives P1, then P2.
pub fn public_values<F: PackedField>(
    shape: Shape,
    coefficients: &mut impl Coefficients,
    p3: &[u8],
    x: &Multipliers<F>,
) -> Vec<u8> {
    let (v, o, cell, k) = (shape.vinegar, shape.oil, shape.cell, x.columns());
    if words32::serves(x) {
        return words32::public_values(shape, coefficients, p3, x);
    }
    let mut sums = vec![0; (v + o) * k * cell];
    for rows in shape.p1_chunks(Chunk::ROWS) {
        let source = coefficients.next(shape.chunk_bytes(&rows));
        let out = Shape::rows_of(&rows.range, k, cell);
        products::triangle(x, 0, source, &rows, &mut sums[out]);
    }
    for rows in shape.p2_chunks(Chunk::ROWS) {
        let source = coefficients.next(rows.range.len() * o * cell);
        let out = Shape::rows_of(&rows.range, k, cell);
        products::rectangle(x, v, source, &rows, &mut sums[out]);
    }
    let rows = Rows { range: 0..o, width: o, cell };
    products::triangle(x, v, p3, &rows, &mut sums[v * k * cell..]);
    pair_values(x, &sums, cell).to_vec()
}

/// The values, as in [`public_values`], of a map that is one triangle of `side` variables in memory.
pub fn triangle_values<F: PackedField>(side: usize, cell: usize, p: &[u8], x: &Multipliers<F>) -> Vec<u8> {
    if words32::serves(x) {
        return words32::triangle_values(side, cell, p, x);
    }
    let mut sums = vec![0; side * x.columns() * cell];
    products::triangle(x, 0, p, &Rows { range: 0..side, width: side, cell }, &mut sums);
    pair_values(x, &sums, cell).to_vec()
}

/// v + O y for each column y of `oil_values` (o terms): `vinegar` holds one packed vector of `stride` bytes a column, `oil` the
/// columns of O as packed vectors of `stride` bytes.
pub fn add_oil_space<F: PackedField>(
    oil: &[u8],
    stride: usize,
    oil_values: &Multipliers<F>,
    vinegar: &mut [u8],
) {
    if words32::serves(oil_values) {
        words32::add_oil_space(oil, stride, oil_values, vinegar);
        return;
    }
    let jobs = products::row_jobs(stride, stride, 0..oil_values.terms());
    oil_values.combine(oil, vinegar, stride, &jobs);
}

/// The matrix O as multipliers: one term a vinegar variable, one column an oil variable.
pub fn oil_multipliers<F: PackedField>(
    engine: Engine,
    shape: Shape,
    element: impl FnMut(usize, usize) -> u8,
) -> Multipliers<F> {
    Multipliers::new(engine, shape.vinegar, shape.oil, element)
}
