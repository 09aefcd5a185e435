//! Constant-time sorting: bitonic networks on vectors of integers.
//!
//! Several lists of one length may be sorted at once, interleaved: entry x of list s of S is at x S + s. If S fills a vector, the
//! network compares whole vectors only. Else the lanes of the vectors are sorted as columns first, and a transposition makes each
//! column a run of neighbours; runs are then merged, and only the last distances of a merge lie inside a vector.
//!
//! All runs ascend: the first step of a merge compares the first entry with the last, the second with the last but one, and so on.
//! Vectors pass through registers eight at a time, three distances of the network a pass, and all passes that fit a
//! small block of memory are done there before the next block. The sequence of comparisons depends on the lengths only.

use crate::backend::SortVectors;
use crate::backend::passes::pass;
use crate::wiped::Wiped;

/// Rows of a block that stays in the level 1 cache with all its passes.
const BLOCK_ROWS: usize = 256;

/// Distances of the last pass.
const LAST: usize = 3;

/// Comparisons between vectors of a list, one after another.
macro_rules! compare {
    ($backend:ident, $v:ident, $(($i:literal, $j:literal))*) => {
        {$(($v[$i], $v[$j]) = $backend.min_max($v[$i], $v[$j]);)*}
    };
}

/// A merge of rows.
#[derive(Clone, Copy)]
struct Merge {
    /// Logarithm of the number of entries.
    log: usize,
    /// Rows of an entry.
    unit: usize,
    /// Whether the first distance is still to come.
    mirrored: bool,
}

/// The comparisons of one pass between 2, 4 or 8 vectors; with `GROUP` below the length of a vector rows are compared in reverse
/// order if mirrored.
#[inline(always)]
fn step<E: Copy, B: SortVectors<E>, const COUNT: usize, const GROUP: usize>(
    backend: B,
    v: &mut [B::Vector; COUNT],
    mirrored: bool,
) {
    if mirrored && GROUP < B::SORT_LANES {
        for vector in v[COUNT / 2..].iter_mut() {
            *vector = backend.reverse_groups(*vector, GROUP);
        }
    }
    match (COUNT, mirrored) {
        (2, _) => compare!(backend, v, (0, 1)),
        (4, false) => compare!(backend, v, (0, 2)(1, 3)),
        (4, true) => compare!(backend, v, (0, 3)(1, 2)),
        (8, false) => compare!(backend, v, (0, 4)(1, 5)(2, 6)(3, 7)),
        (8, true) => compare!(backend, v, (0, 7)(1, 6)(2, 5)(3, 4)),
        _ => {}
    }
    if mirrored && GROUP < B::SORT_LANES {
        for vector in v[COUNT / 2..].iter_mut() {
            *vector = backend.reverse_groups(*vector, GROUP);
        }
    }
    match COUNT {
        4 => compare!(backend, v, (0, 1)(2, 3)),
        8 => compare!(backend, v, (0, 2)(1, 3)(4, 6)(5, 7)(0, 1)(2, 3)(4, 5)(6, 7)),
        _ => {}
    }
}

/// The last distances between rows, then those inside of vectors down to `GROUP`.
#[inline(always)]
fn finish<E: Copy, B: SortVectors<E>, const COUNT: usize, const GROUP: usize>(
    backend: B,
    v: &mut [B::Vector; COUNT],
    mirrored: bool,
) {
    if COUNT > 1 {
        step::<E, B, COUNT, GROUP>(backend, v, mirrored);
    }
    let mut distance = B::SORT_LANES / 2;
    while distance >= GROUP {
        for vector in v.iter_mut() {
            let (low, high) = backend.min_max(*vector, backend.exchange_integers(*vector, distance));
            *vector = backend.blend(low, high, distance);
        }
        distance /= 2;
    }
}

/// Sorts eight vectors lane by lane: a network of 19 comparisons.
#[inline(always)]
fn sort8<E: Copy, B: SortVectors<E>>(backend: B, v: &mut [B::Vector; 8]) {
    compare!(backend, v, (0, 2)(1, 3)(4, 6)(5, 7)(0, 4)(1, 5)(2, 6)(3, 7)(0, 1)(2, 3));
    compare!(backend, v, (4, 5)(6, 7)(2, 4)(3, 5)(1, 4)(3, 6)(1, 2)(3, 4)(5, 6));
}

impl Merge {
    /// The next distances, so that a multiple of three is left.
    #[inline(always)]
    fn descend<E: Copy, B: SortVectors<E>, const GROUP: usize>(
        self,
        backend: B,
        rows: &mut [B::Row],
    ) -> Self {
        let distances = match self.log % 3 {
            0 => 3,
            1 if self.log == 4 => 1,
            _ => 2,
        };
        if self.mirrored {
            self.distances::<E, B, GROUP>(backend, rows, distances, true);
        } else {
            self.distances::<E, B, GROUP>(backend, rows, distances, false);
        }
        Self { log: self.log - distances, mirrored: false, ..self }
    }

    /// A pass of one, two or three distances.
    #[inline(always)]
    fn distances<E: Copy, B: SortVectors<E>, const GROUP: usize>(
        self,
        backend: B,
        rows: &mut [B::Row],
        distances: usize,
        mirrored: bool,
    ) {
        let shape = (1 << (self.log - distances), self.unit);
        match distances {
            1 => pass::<E, B, 2>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| step::<E, B, 2, GROUP>(backend, v, mirrored),
            ),
            2 => pass::<E, B, 4>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| step::<E, B, 4, GROUP>(backend, v, mirrored),
            ),
            _ => pass::<E, B, 8>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| step::<E, B, 8, GROUP>(backend, v, mirrored),
            ),
        }
    }

    /// The last pass.
    #[inline(always)]
    fn last<E: Copy, B: SortVectors<E>, const GROUP: usize>(
        self,
        backend: B,
        rows: &mut [B::Row],
        mirrored: bool,
    ) {
        let shape = (1, self.unit);
        match self.log {
            3 => pass::<E, B, 8>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| finish::<E, B, 8, GROUP>(backend, v, mirrored),
            ),
            2 => pass::<E, B, 4>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| finish::<E, B, 4, GROUP>(backend, v, mirrored),
            ),
            _ => pass::<E, B, 2>(
                backend,
                rows,
                shape,
                mirrored,
                #[inline(always)]
                |v| finish::<E, B, 2, GROUP>(backend, v, mirrored),
            ),
        }
    }

    /// Merges pairs of ascending lists everywhere in `rows`.
    #[inline(always)]
    fn run<E: Copy, B: SortVectors<E>, const GROUP: usize>(self, backend: B, rows: &mut [B::Row]) {
        let mut rest = self;
        // passes over long distances on all rows, the others block by block
        while rest.log > LAST && rest.unit << rest.log > BLOCK_ROWS {
            rest = rest.descend::<E, B, GROUP>(backend, rows);
        }
        for block in rows.chunks_exact_mut(rest.unit << rest.log) {
            let mut rest = rest;
            while rest.log > LAST {
                rest = rest.descend::<E, B, GROUP>(backend, block);
            }
            if rest.mirrored {
                rest.last::<E, B, GROUP>(backend, block, true);
            } else {
                rest.last::<E, B, GROUP>(backend, block, false);
            }
        }
    }
}

/// Sorts lists of rows, `unit` of them interleaved, lane by lane. The number of rows of each is a power of two.
#[inline(always)]
fn sort_rows<E: Copy, B: SortVectors<E>, const GROUP: usize>(backend: B, rows: &mut [B::Row], unit: usize) {
    let top = (rows.len() / unit).trailing_zeros() as usize;
    let mut sorted = 0;
    if top >= 3 {
        // all sizes up to a block in one go
        sorted = top.min((BLOCK_ROWS / unit).max(8).trailing_zeros() as usize);
        for block in rows.chunks_exact_mut(unit << sorted) {
            pass::<E, B, 8>(
                backend,
                block,
                (1, unit),
                false,
                #[inline(always)]
                |v| sort8::<E, B>(backend, v),
            );
            for log in 4..=sorted {
                Merge { log, unit, mirrored: true }.run::<E, B, GROUP>(backend, block);
            }
        }
    }
    for log in sorted + 1..=top {
        Merge { log, unit, mirrored: true }.run::<E, B, GROUP>(backend, rows);
    }
}

/// Merges ascending runs of `rows.len()` / `runs` rows to one.
#[inline(always)]
fn merge_runs<E: Copy, B: SortVectors<E>, const GROUP: usize>(backend: B, rows: &mut [B::Row], runs: usize) {
    let top = rows.len().trailing_zeros() as usize;
    for log in top + 1 - runs.trailing_zeros() as usize..=top {
        Merge { log, unit: 1, mirrored: true }.run::<E, B, GROUP>(backend, rows);
    }
}

/// Sorts `lists` interleaved lists in ascending order: entry x of list s is at `data[x * lists + s]`. Lengths are powers of two.
/// `scratch` has the length of `data`; both may be exchanged.
pub fn sort_interleaved<E: Copy + Default, B: SortVectors<E>>(
    backend: B,
    data: &mut Wiped<E>,
    scratch: &mut Wiped<E>,
    lists: usize,
) {
    let lanes = B::SORT_LANES;
    debug_assert!(data.len().is_power_of_two() && lists.is_power_of_two() && lists <= data.len());
    let columns = lanes / lists.min(lanes);
    let rows = data.len() / lanes;
    if lists < lanes && rows < columns {
        // too short for the transposition: one entry a vector
        let mut wide = Wiped::zeros(data.len() * lanes);
        for (entry, value) in data.iter().enumerate() {
            wide[entry * lanes] = *value;
        }
        backend.run(
            #[inline(always)]
            || sort_rows::<E, B, { usize::MAX }>(backend, B::rows(&mut wide), lists),
        );
        for (entry, value) in data.iter_mut().enumerate() {
            *value = wide[entry * lanes];
        }
        return;
    }
    backend.run(
        #[inline(always)]
        || {
            sort_rows::<E, B, { usize::MAX }>(backend, B::rows(data), (lists / lanes).max(1));
            if lists >= lanes {
                return;
            }
            for square in 0..rows / columns {
                backend.transpose_groups(
                    &data[square * columns * lanes..][..columns * lanes],
                    &mut scratch[square * lanes..],
                    rows * lanes / columns,
                    lists,
                );
            }
            core::mem::swap(data, scratch);
            match lists {
                1 => merge_runs::<E, B, 1>(backend, B::rows(data), columns),
                2 => merge_runs::<E, B, 2>(backend, B::rows(data), columns),
                4 => merge_runs::<E, B, 4>(backend, B::rows(data), columns),
                _ => merge_runs::<E, B, 8>(backend, B::rows(data), columns),
            }
        },
    );
}

/// Sorts a list whose length is a power of two, in ascending order.
pub fn sort<E: Copy + Default, B: SortVectors<E>>(backend: B, data: &mut [E]) {
    let (mut list, mut scratch) = (Wiped::zeros(data.len()), Wiped::zeros(data.len()));
    list.copy_from_slice(data);
    sort_interleaved::<E, B>(backend, &mut list, &mut scratch, 1);
    data.copy_from_slice(&list);
}
