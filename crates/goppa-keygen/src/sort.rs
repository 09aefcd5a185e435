//! Constant-time sorting: bitonic networks on vectors of integers.
//!
//! Two shapes: [`sort_columns`] sorts every lane of a list of vectors by itself (no lane ever meets another), and [`sort`] sorts
//! one list. The latter first sorts the columns of the list seen as rows of vectors, alternately up and down, transposes,
//! and merges; only the merges of the last phases compare lanes of one vector.
//!
//! The sequence of comparisons depends on the length only.

use alloc::vec;
use zeroize::{Zeroize, Zeroizing};

use crate::backend::SortVectors;

/// Puts the smaller of two vectors at `data[i]`, or the larger if descending.
macro_rules! compare {
    ($backend:ident, $down:ident, $v:ident, $i:expr, $j:expr) => {{
        let (low, high) = $backend.min_max($v[$i], $v[$j]);
        if $down {
            ($v[$i], $v[$j]) = (high, low);
        } else {
            ($v[$i], $v[$j]) = (low, high);
        }
    }};
}

/// Loads `COUNT` vectors from rows start, start + stride, ...
#[inline(always)]
fn gather<E: Copy, B: SortVectors<E>, const COUNT: usize>(
    backend: B,
    data: &[E],
    start: usize,
    stride: usize,
) -> [B::Vector; COUNT] {
    core::array::from_fn(|index| backend.load_integers(&data[(start + index * stride) * B::SORT_LANES..]))
}

#[inline(always)]
fn scatter<E: Copy, B: SortVectors<E>, const COUNT: usize>(
    backend: B,
    vectors: [B::Vector; COUNT],
    data: &mut [E],
    start: usize,
    stride: usize,
) {
    for (index, vector) in vectors.into_iter().enumerate() {
        backend.store_integers(vector, &mut data[(start + index * stride) * B::SORT_LANES..]);
    }
}

/// The comparisons at distances 2^(log), 2^(log - 1), ..., 1 rows within a block of `rows` rows from `start`.
#[inline(always)]
fn merge_block<E: Copy, B: SortVectors<E>>(
    backend: B,
    data: &mut [E],
    start: usize,
    rows: usize,
    down: bool,
) {
    let mut log = rows.trailing_zeros() as usize;
    while log > 0 {
        // three distances at a time while three are left
        let (fused, stride) = match log {
            1 => (1, 1),
            2 => (2, 1),
            4 => (2, 4),
            _ => (3, 1usize << (log - 3)),
        };
        let block = stride << fused;
        for base in (start..start + rows).step_by(block) {
            for within in base..base + stride {
                match fused {
                    1 => {
                        let mut v = gather::<E, B, 2>(backend, data, within, stride);
                        compare!(backend, down, v, 0, 1);
                        scatter::<E, B, 2>(backend, v, data, within, stride);
                    }
                    2 => {
                        let mut v = gather::<E, B, 4>(backend, data, within, stride);
                        compare!(backend, down, v, 0, 2);
                        compare!(backend, down, v, 1, 3);
                        compare!(backend, down, v, 0, 1);
                        compare!(backend, down, v, 2, 3);
                        scatter::<E, B, 4>(backend, v, data, within, stride);
                    }
                    _ => {
                        let mut v = gather::<E, B, 8>(backend, data, within, stride);
                        merge8(backend, &mut v, down);
                        scatter::<E, B, 8>(backend, v, data, within, stride);
                    }
                }
            }
        }
        log -= fused;
    }
}

/// Three distances on eight vectors.
#[inline(always)]
fn merge8<E: Copy, B: SortVectors<E>>(backend: B, v: &mut [B::Vector; 8], down: bool) {
    for i in 0..4 {
        compare!(backend, down, v, i, i + 4);
    }
    for i in [0, 1, 4, 5] {
        compare!(backend, down, v, i, i + 2);
    }
    for i in [0, 2, 4, 6] {
        compare!(backend, down, v, i, i + 1);
    }
}

/// Sorts eight vectors lane by lane: a network of 19 comparisons.
#[inline(always)]
fn sort8<E: Copy, B: SortVectors<E>>(backend: B, v: &mut [B::Vector; 8], down: bool) {
    const NETWORK: [(usize, usize); 19] = [
        (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7), (0, 1), (2, 3), (4, 5), (6, 7), (2, 4), (3, 5),
        (1, 4), (3, 6), (1, 2), (3, 4), (5, 6),
    ];
    for (i, j) in NETWORK {
        compare!(backend, down, v, i, j);
    }
}

/// The body of [`sort_columns`].
#[inline(always)]
fn sort_columns_inline<E: Copy, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    let rows = data.len() / B::SORT_LANES;
    let mut size = 2;
    if rows >= 8 {
        for start in (0..rows).step_by(8) {
            let mut v = gather::<E, B, 8>(backend, data, start, 1);
            if start & 8 != 0 && rows > 8 {
                sort8(backend, &mut v, true);
            } else {
                sort8(backend, &mut v, false);
            }
            scatter::<E, B, 8>(backend, v, data, start, 1);
        }
        size = 16;
    }
    while size <= rows {
        for start in (0..rows).step_by(size) {
            if start & size != 0 && size < rows {
                merge_block(backend, data, start, size, true);
            } else {
                merge_block(backend, data, start, size, false);
            }
        }
        size *= 2;
    }
}

/// Sorts each of the `SORT_LANES` lanes of a list of vectors in ascending order. The number of vectors is a power of two.
pub fn sort_columns<E: Copy, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    debug_assert!((data.len() / B::SORT_LANES).is_power_of_two());
    backend.run(
        #[inline(always)]
        || sort_columns_inline(backend, data),
    );
}

/// Comparisons at the distances below a vector's length, in one vector.
#[inline(always)]
fn merge_lanes<E: Copy, B: SortVectors<E>>(backend: B, vector: B::Vector, down: bool) -> B::Vector {
    let mut v = vector;
    let mut distance = B::SORT_LANES / 2;
    while distance > 0 {
        let (low, high) = backend.min_max(v, backend.exchange_integers(v, distance));
        v = if down { backend.blend(high, low, distance) } else { backend.blend(low, high, distance) };
        distance /= 2;
    }
    v
}

/// Sorts a list whose length is a power of two, in ascending order.
pub fn sort<E: Copy + Default + Ord + Zeroize, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    debug_assert!(data.len().is_power_of_two());
    let lanes = B::SORT_LANES;
    if data.len() < lanes * lanes {
        // too short for the transposition: pad in front with nothing, sort with one column a vector
        let mut columns = Zeroizing::new(vec![E::default(); data.len() * lanes]);
        for (row, value) in data.iter().enumerate() {
            columns[row * lanes] = *value;
        }
        sort_columns(backend, &mut columns);
        for (row, value) in data.iter_mut().enumerate() {
            *value = columns[row * lanes];
        }
        return;
    }
    let rows = data.len() / lanes;
    let mut work = Zeroizing::new(vec![E::default(); data.len()]);
    backend.run(
        #[inline(always)]
        || {
            if lanes == 1 {
                sort_columns_inline(backend, data);
                return;
            }
            for row in 0..rows {
                let vector = backend.load_integers(&data[row * lanes..]);
                backend.store_integers(backend.complement_odd(vector), &mut work[row * lanes..]);
            }
            sort_columns_inline(backend, &mut work);
            for row in 0..rows {
                let vector = backend.load_integers(&work[row * lanes..]);
                backend.store_integers(backend.complement_odd(vector), &mut work[row * lanes..]);
            }
            for square in 0..rows / lanes {
                backend.transpose_square(
                    &work[square * lanes * lanes..],
                    &mut data[square * lanes..],
                    rows,
                );
            }
            // runs of `rows` integers, alternately ascending and descending
            let mut size = 2 * rows;
            while size <= data.len() {
                let block = size / lanes;
                for start in (0..rows).step_by(block) {
                    let down = start & block != 0 && size < data.len();
                    if down {
                        merge_run::<E, B, true>(backend, data, start, block);
                    } else {
                        merge_run::<E, B, false>(backend, data, start, block);
                    }
                }
                size *= 2;
            }
        },
    );
}

/// Merges `block` vectors from `start` at all distances.
#[inline(always)]
fn merge_run<E: Copy, B: SortVectors<E>, const DOWN: bool>(
    backend: B,
    data: &mut [E],
    start: usize,
    block: usize,
) {
    merge_block(backend, data, start, block, DOWN);
    for row in start..start + block {
        let at = row * B::SORT_LANES;
        let vector = merge_lanes(backend, backend.load_integers(&data[at..]), DOWN);
        backend.store_integers(vector, &mut data[at..]);
    }
}
