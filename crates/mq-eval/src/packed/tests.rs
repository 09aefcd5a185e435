//! The portable back end against plain sums, every other back end against the portable one.

use alloc::vec;
use alloc::vec::Vec;

use super::products::{self, Rows};
use super::{Engine, Gf16, Gf256, Job, Multipliers, PackedField};

/// A small generator of test bytes.
pub(crate) struct Bytes(pub(crate) u64);

impl Bytes {
    pub(crate) fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 56) as u8
    }

    pub(crate) fn vec(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next()).collect()
    }
}

fn matrix<F: PackedField>(bytes: &mut Bytes, terms: usize, columns: usize) -> Vec<Vec<u8>> {
    (0..terms).map(|_| (0..columns).map(|_| bytes.next() & ((1u16 << F::BITS) - 1) as u8).collect()).collect()
}

/// destination(j) += sum over t of x(t, j) cell(t), element by element.
fn plain<F: PackedField>(x: &[Vec<u8>], source: &[u8], destination: &mut [u8], stride: usize, job: &Job) {
    for column in 0..x[0].len() {
        let mut offset = job.source;
        let mut step = job.step;
        for term in job.terms.clone() {
            for byte in 0..job.len {
                for part in 0..F::PER_BYTE {
                    let element = F::get(&source[offset + byte..], part);
                    let place = &mut destination[job.destination + column * stride + byte..];
                    F::add(place, part, F::multiply(element, x[term][column]));
                }
            }
            offset += step;
            step = step.saturating_sub(job.step_shrink);
        }
    }
}

fn check_combine<F: PackedField>() {
    let mut bytes = Bytes(1);
    for len in [1, 7, 8, 15, 16, 17, 31, 32, 33, 34, 39, 40, 44, 45, 48, 54, 63, 64, 65, 71, 72, 80, 95, 96] {
        for (terms, columns) in [(1, 1), (2, 3), (5, 4), (8, 9), (13, 17), (3, 40)] {
            let x = matrix::<F>(&mut bytes, terms, columns);
            let stride = len + bytes.next() as usize % 5;
            for engine in Engine::available() {
                let prepared = Multipliers::<F>::new(engine, terms, columns, |t, c| x[t][c]);
                for (from, to) in [(0, terms), (terms / 2, terms), (terms.min(1), terms), (0, terms / 2)] {
                    // shrinking steps; the last cell ends where the memory ends
                    let odd = 1 + bytes.next() as usize % 3;
                    let count = to - from;
                    let step = len + 3 * count;
                    let job =
                        Job { destination: odd, len, source: odd, step, step_shrink: 3, terms: from..to };
                    let end = job.offset(count.saturating_sub(1)).unwrap() + len;
                    let source = bytes.vec(end);
                    let before = bytes.vec(odd + (columns - 1) * stride + len);
                    let (mut expected, mut found) = (before.clone(), before.clone());
                    plain::<F>(&x, &source, &mut expected, stride, &job);
                    prepared.combine(&source, &mut found, stride, core::slice::from_ref(&job));
                    assert_eq!(found, expected, "{} {len} {terms} {columns} {job:?}", engine.name());
                }
            }
        }
    }
}

#[test]
fn combine_is_the_plain_sum_over_gf16() {
    check_combine::<Gf16>();
}

#[test]
fn combine_is_the_plain_sum_over_gf256() {
    check_combine::<Gf256>();
}

/// Element `e` of the cell at (row, column) of an upper triangle.
fn triangle_element<F: PackedField>(
    packed: &[u8],
    side: usize,
    cell: usize,
    at: (usize, usize),
    e: usize,
) -> u8 {
    let start = Rows::triangle_bytes(side, cell, at.0) + (at.1 - at.0) * cell;
    F::get(&packed[start..], e)
}

fn check_products<F: PackedField>(cell: usize) {
    let mut bytes = Bytes(2);
    let elements = cell * F::PER_BYTE;
    for (side, width, columns) in [(1, 1, 1), (2, 3, 5), (7, 4, 3), (11, 2, 11), (9, 9, 9)] {
        let x = matrix::<F>(&mut bytes, side + width, columns);
        let triangle = bytes.vec(Rows::triangle_bytes(side, cell, side));
        let rectangle = bytes.vec(side * width * cell);
        let square = bytes.vec(side * columns * cell);
        for engine in Engine::available() {
            let prepared = Multipliers::<F>::new(engine, side + width, columns, |t, c| x[t][c]);
            let short = Multipliers::<F>::new(engine, side, columns, |t, c| x[t][c]);
            for cut in [0, side / 2, side] {
                let mut sums = vec![0; side * columns * cell];
                let mut transposed = vec![0; side * columns * cell];
                let mut strict = transposed.clone();
                let mut wide = vec![0; side * columns * cell];
                let mut wide_transposed = vec![0; columns * width * cell];
                for range in [0..cut, cut..side] {
                    let rows = Rows { range: range.clone(), width: side, cell };
                    let start = Rows::triangle_bytes(side, cell, range.start);
                    let end = Rows::triangle_bytes(side, cell, range.end);
                    let chunk = &triangle[start..end];
                    let out = range.start * columns * cell..range.end * columns * cell;
                    products::triangle(&prepared, 0, chunk, &rows, &mut sums[out.clone()]);
                    products::triangle_transposed(&prepared, chunk, &rows, true, &mut transposed);
                    products::triangle_transposed(&prepared, chunk, &rows, false, &mut strict);
                    let rows = Rows { range: range.clone(), width, cell };
                    let chunk = &rectangle[range.start * width * cell..range.end * width * cell];
                    products::rectangle(&prepared, side, chunk, &rows, &mut wide[out]);
                    products::rectangle_transposed(&prepared, chunk, &rows, &mut wide_transposed);
                }
                let mut lower = vec![0; columns * columns * cell];
                products::square_transposed_lower(&short, &square, cell, &mut lower);
                for e in 0..elements {
                    #[allow(clippy::needless_range_loop, reason = "the column of a matrix stored by rows")]
                    for column in 0..columns {
                        for row in 0..side {
                            let dot = |terms: &mut dyn Iterator<Item = (usize, u8)>| {
                                terms.fold(0, |sum, (t, element)| sum ^ F::multiply(x[t][column], element))
                            };
                            let at = |r, c| triangle_element::<F>(&triangle, side, cell, (r, c), e);
                            let place = (row * columns + column) * cell;
                            let name = engine.name();
                            let expected = dot(&mut (row..side).map(|c| (c, at(row, c))));
                            assert_eq!(F::get(&sums[place..], e), expected, "{name}");
                            let expected = dot(&mut (0..=row).map(|r| (r, at(r, row))));
                            assert_eq!(F::get(&transposed[place..], e), expected, "{name}");
                            let expected = dot(&mut (0..row).map(|r| (r, at(r, row))));
                            assert_eq!(F::get(&strict[place..], e), expected, "{name}");
                            let at = |r: usize, c: usize| F::get(&rectangle[(r * width + c) * cell..], e);
                            let expected = dot(&mut (0..width).map(|c| (side + c, at(row, c))));
                            assert_eq!(F::get(&wide[place..], e), expected, "{name}");
                        }
                        for c in 0..width {
                            let expected = (0..side).fold(0, |sum, r| {
                                let element = F::get(&rectangle[(r * width + c) * cell..], e);
                                sum ^ F::multiply(x[r][column], element)
                            });
                            let place = (column * width + c) * cell;
                            assert_eq!(F::get(&wide_transposed[place..], e), expected, "{}", engine.name());
                        }
                        for c in 0..=column {
                            let expected = (0..side).fold(0, |sum, r| {
                                let element = F::get(&square[(r * columns + c) * cell..], e);
                                sum ^ F::multiply(x[r][column], element)
                            });
                            let place = (column * columns + c) * cell;
                            assert_eq!(F::get(&lower[place..], e), expected, "{}", engine.name());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_four_products_agree_with_their_definitions() {
    for cell in [5, 32, 34, 39, 54, 71] {
        check_products::<Gf16>(cell);
    }
    for cell in [44, 45, 72, 96] {
        check_products::<Gf256>(cell);
    }
}

#[test]
#[should_panic(expected = "source too short")]
fn a_job_beyond_the_source_is_refused() {
    let x = Multipliers::<Gf256>::new(Engine::Portable, 2, 1, |_, _| 1);
    let job = Job { destination: 0, len: 8, source: 0, step: 8, step_shrink: 0, terms: 0..2 };
    x.combine(&[0; 15], &mut [0; 8], 8, &[job]);
}
