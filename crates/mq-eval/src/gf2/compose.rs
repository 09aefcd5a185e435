//! The public system of a trapdoor: a central map between two affine maps.

use alloc::vec;

use zeroize::Zeroizing;

use super::bits::mask;
use super::{Shape, System};

/// An affine map between bit vectors, acting on row vectors: x -> x M + c.
#[derive(Clone, Copy)]
pub struct AffineMap<'a> {
    /// Number of input bits: rows of M.
    pub inputs: usize,
    /// Number of output bits: columns of M. A row is ceil(outputs / 64) words.
    pub outputs: usize,
    /// The rows of M one after another. Bits above the last column are ignored.
    pub rows: &'a [u64],
    /// c, ceil(outputs / 64) words, or nothing for a linear map.
    pub offset: &'a [u64],
}

impl AffineMap<'_> {
    fn row_words(&self) -> usize {
        self.outputs.div_ceil(64)
    }

    fn row(&self, i: usize) -> &[u64] {
        &self.rows[i * self.row_words()..(i + 1) * self.row_words()]
    }
}

/// The system x -> central(x `inner`) `outer`, for secret maps: constant time, about n^3 / 64 words times the words of a
/// coefficient row of `central`. What it holds in between is wiped.
///
/// This is the general construction by S Q S^T; a trapdoor with more structure has cheaper ways.
///
/// # Panics
/// If the shapes do not fit: `inner` must end in the variables and `outer` begin with the equations of `central`; and if an
/// input or output is larger than [`Shape::MAX`].
#[must_use]
pub fn compose(inner: AffineMap<'_>, central: &System, outer: AffineMap<'_>) -> System {
    let shape = central.shape();
    assert_eq!(inner.outputs, shape.variables(), "the inner map ends in the central variables");
    assert_eq!(outer.inputs, shape.equations(), "the outer map begins with the central equations");
    let substituted = Zeroizing::new(substitute(inner, central));
    mix(&substituted, outer)
}

/// The system x -> central(x `inner`).
fn substitute(inner: AffineMap<'_>, central: &System) -> System {
    let old = central.shape();
    let (inputs, width) = (inner.inputs, old.equation_words());
    let mut result = System::zero(fitting(inputs, old.equations()));
    if width == 0 {
        return result;
    }
    let shape = result.shape();
    let middle = old.variables();

    // half[i][b] = sum over a <= b of M[i][a] Q[a][b]; row `inputs` belongs to the offset c
    let rows = inputs + 1;
    let mut half = Zeroizing::new(vec![0u64; rows * middle * width]);
    let zero = vec![0; inner.row_words()];
    let offset = if inner.offset.is_empty() { &zero } else { inner.offset };
    let map_row = |i: usize| if i < inputs { inner.row(i) } else { offset };
    for i in 0..rows {
        for a in 0..middle {
            let m = mask(map_row(i), a);
            let first = (i * middle + a) * width;
            let source = old.upper_index(a, a) * width;
            let count = (middle - a) * width;
            for (h, q) in half[first..first + count].iter_mut().zip(&central.rows()[source..]) {
                *h ^= q & m;
            }
        }
    }
    // entry (i, j) = sum over b of half[i][b] M[j][b], folded to i <= j; diagonal and offset give the linear part
    let entry = |i: usize, j: usize, target: &mut [u64]| {
        for b in 0..middle {
            let m = mask(map_row(j), b);
            let first = (i * middle + b) * width;
            for (t, h) in target.iter_mut().zip(&half[first..first + width]) {
                *t ^= h & m;
            }
        }
    };
    result.row_mut(0).copy_from_slice(central.row(0));
    entry(inputs, inputs, result.row_mut(0));
    for i in 0..inputs {
        for j in i..inputs {
            let target = result.row_mut(shape.upper_index(i, j));
            entry(i, j, target);
            if i == j {
                // (x_i r_i + c) (x_i r_i + c): the cross terms with c
                if !inner.offset.is_empty() {
                    entry(i, inputs, target);
                    entry(inputs, i, target);
                }
            } else {
                entry(j, i, target);
            }
        }
    }
    result
}

/// The system x -> substituted(x) `outer`.
fn mix(substituted: &System, outer: AffineMap<'_>) -> System {
    let old = substituted.shape();
    let shape = fitting(old.variables(), outer.outputs);
    let mut result = System::zero(shape);
    for k in 0..shape.monomials() {
        let target = result.row_mut(k);
        for e in 0..old.equations() {
            let m = mask(substituted.row(k), e);
            for (t, o) in target.iter_mut().zip(outer.row(e)) {
                *t ^= o & m;
            }
        }
        super::bits::clear_above(target, outer.outputs);
    }
    for (t, o) in result.row_mut(0).iter_mut().zip(outer.offset) {
        *t ^= o;
    }
    super::bits::clear_above(result.row_mut(0), outer.outputs);
    result
}

fn fitting(variables: usize, equations: usize) -> Shape {
    match Shape::new(variables, equations) {
        Ok(shape) => shape,
        Err(_) => {
            assert!(
                variables <= Shape::MAX && equations <= Shape::MAX,
                "at most {} inputs and outputs",
                Shape::MAX
            );
            unreachable!("the bounds were just checked")
        }
    }
}
