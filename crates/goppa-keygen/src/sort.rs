//! Constant-time sorting: bitonic networks on vectors of integers.
//!
//! Two shapes: [`sort_columns`] sorts every lane of a list of vectors by itself (no lane ever meets another), and [`sort`] sorts
//! one list. The latter first sorts the columns of the list seen as rows of vectors, alternately up and down, transposes,
//! and merges; only the merges of the last phases compare lanes of one vector.
//!
//! The sequence of comparisons depends on the length only.

use alloc::vec;

use crate::backend::SortVectors;
use crate::wiped::Wiped;

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

/// Cuts a block into `COUNT` parts of `stride` rows.
#[inline(always)]
fn parts<R, const COUNT: usize>(block: &mut [R], stride: usize) -> [&mut [R]; COUNT] {
    let mut rest = block;
    core::array::from_fn(|_| {
        let (part, after) = core::mem::take(&mut rest).split_at_mut(stride);
        rest = after;
        part
    })
}

#[inline(always)]
fn load<E: Copy, B: SortVectors<E>>(backend: B, row: &B::Row) -> B::Vector {
    backend.load_integers(row.as_ref())
}

#[inline(always)]
fn store<E: Copy, B: SortVectors<E>>(backend: B, vector: B::Vector, row: &mut B::Row) {
    backend.store_integers(vector, row.as_mut());
}

/// The comparisons at distances `rows.len()` / 2, ..., 2, 1 rows.
#[inline(always)]
fn merge_block<E: Copy, B: SortVectors<E>>(backend: B, rows: &mut [B::Row], down: bool) {
    let mut log = rows.len().trailing_zeros() as usize;
    while log > 0 {
        // three distances at a time while three are left
        let (fused, stride) = match log {
            1 => (1, 1),
            2 => (2, 1),
            4 => (2, 4),
            _ => (3, 1usize << (log - 3)),
        };
        for block in rows.chunks_exact_mut(stride << fused) {
            match fused {
                1 => {
                    let [a, b] = parts::<B::Row, 2>(block, stride);
                    for index in 0..stride {
                        let mut v = [load::<E, B>(backend, &a[index]), load::<E, B>(backend, &b[index])];
                        compare!(backend, down, v, 0, 1);
                        store::<E, B>(backend, v[0], &mut a[index]);
                        store::<E, B>(backend, v[1], &mut b[index]);
                    }
                }
                2 => {
                    let parts = parts::<B::Row, 4>(block, stride);
                    for index in 0..stride {
                        let mut v = [load::<E, B>(backend, &parts[0][index]); 4];
                        for part in 1..4 {
                            v[part] = load::<E, B>(backend, &parts[part][index]);
                        }
                        compare!(backend, down, v, 0, 2);
                        compare!(backend, down, v, 1, 3);
                        compare!(backend, down, v, 0, 1);
                        compare!(backend, down, v, 2, 3);
                        for part in 0..4 {
                            store::<E, B>(backend, v[part], &mut parts[part][index]);
                        }
                    }
                }
                _ => {
                    let parts = parts::<B::Row, 8>(block, stride);
                    for index in 0..stride {
                        let mut v = [load::<E, B>(backend, &parts[0][index]); 8];
                        for part in 1..8 {
                            v[part] = load::<E, B>(backend, &parts[part][index]);
                        }
                        merge8::<E, B>(backend, &mut v, down);
                        for part in 0..8 {
                            store::<E, B>(backend, v[part], &mut parts[part][index]);
                        }
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
        (0, 2),
        (1, 3),
        (4, 6),
        (5, 7),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
        (0, 1),
        (2, 3),
        (4, 5),
        (6, 7),
        (2, 4),
        (3, 5),
        (1, 4),
        (3, 6),
        (1, 2),
        (3, 4),
        (5, 6),
    ];
    for (i, j) in NETWORK {
        compare!(backend, down, v, i, j);
    }
}

/// The body of [`sort_columns`].
#[inline(always)]
fn sort_columns_inline<E: Copy, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    let rows = B::rows(data);
    let count = rows.len();
    let mut size = 2;
    if count >= 8 {
        for (number, block) in rows.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut v = [load::<E, B>(backend, &block[0]); 8];
            for row in 1..8 {
                v[row] = load::<E, B>(backend, &block[row]);
            }
            if number & 1 != 0 {
                sort8::<E, B>(backend, &mut v, true);
            } else {
                sort8::<E, B>(backend, &mut v, false);
            }
            for row in 0..8 {
                store::<E, B>(backend, v[row], &mut block[row]);
            }
        }
        size = 16;
    }
    while size <= count {
        for (number, block) in rows.chunks_exact_mut(size).enumerate() {
            if number & 1 != 0 {
                merge_block::<E, B>(backend, block, true);
            } else {
                merge_block::<E, B>(backend, block, false);
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
        || sort_columns_inline::<E, B>(backend, data),
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
pub fn sort<E: Copy + Default + Ord, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    debug_assert!(data.len().is_power_of_two());
    let lanes = B::SORT_LANES;
    if data.len() < lanes * lanes {
        // too short for the transposition: pad in front with nothing, sort with one column a vector
        let mut columns = Wiped::new(vec![E::default(); data.len() * lanes]);
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
    let mut work = Wiped::new(vec![E::default(); data.len()]);
    backend.run(
        #[inline(always)]
        || {
            if lanes == 1 {
                sort_columns_inline::<E, B>(backend, data);
                return;
            }
            work.copy_from_slice(data);
            complement(backend, &mut work);
            sort_columns_inline::<E, B>(backend, &mut work);
            complement(backend, &mut work);
            for square in 0..rows / lanes {
                backend.transpose_square(&work[square * lanes * lanes..], &mut data[square * lanes..], rows);
            }
            // runs of `rows` integers, alternately ascending and descending
            let mut size = 2 * rows;
            while size <= data.len() {
                let last = size == data.len();
                for (number, block) in B::rows(data).chunks_exact_mut(size / lanes).enumerate() {
                    if number & 1 != 0 && !last {
                        merge_run::<E, B, true>(backend, block);
                    } else {
                        merge_run::<E, B, false>(backend, block);
                    }
                }
                size *= 2;
            }
        },
    );
}

/// Complements the columns with odd index.
#[inline(always)]
fn complement<E: Copy, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    for row in B::rows(data) {
        let vector = load::<E, B>(backend, row);
        store::<E, B>(backend, backend.complement_odd(vector), row);
    }
}

/// Merges a block of rows at all distances.
#[inline(always)]
fn merge_run<E: Copy, B: SortVectors<E>, const DOWN: bool>(backend: B, rows: &mut [B::Row]) {
    merge_block::<E, B>(backend, rows, DOWN);
    for row in rows {
        let vector = merge_lanes::<E, B>(backend, load::<E, B>(backend, row), DOWN);
        store::<E, B>(backend, vector, row);
    }
}
