//! From sums of point products to reduced elements, and from elements to points and squares; many elements at once.
//!
//! A *group* is the set of 2 C neighbouring elements (C lanes) whose words fill one vector. Word vectors hold them in the
//! order that unpacking gives: lane c, half h is element h C + c of the group.

use super::dot::PointSums;
use super::formula::{Form, Wide, evaluate, interpolate};
use super::planes::Planes;
use gf2n::backend::{Cell, WordLanes};

/// The number of elements of a group: 2, 4 or 8.
pub(super) const fn group<B: WordLanes>() -> usize {
    2 * B::LANES
}

/// Interpolates the outputs `start ..` of a block.
#[inline(always)]
pub(super) fn collect<B: WordLanes, const L: usize>(
    lanes: B,
    form: Form,
    sums: &PointSums,
    start: usize,
) -> Wide<B::Vector, L> {
    let first = sums.load(lanes, form.points(L), start);
    let second = sums.load(lanes, form.points(L), start + B::LANES);
    interpolate(lanes, form, &first, &second)
}

/// Adds the unreduced values (`L` planes of cells: words 2 i and 2 i + 1) that start at `position`.
#[inline(always)]
pub(super) fn add_wide<B: WordLanes, const L: usize>(
    lanes: B,
    wide: &mut Wide<B::Vector, L>,
    values: &Planes,
    position: usize,
) {
    for (index, pair) in wide.iter_mut().enumerate() {
        let plane = &values.plane(index)[position..];
        let first = lanes.load(plane);
        let second = lanes.load(&plane[B::LANES..]);
        pair[0] = lanes.xor(pair[0], lanes.unpack_low(first, second));
        pair[1] = lanes.xor(pair[1], lanes.unpack_high(first, second));
    }
}

/// The words of a group of elements, from the first [`group`] of `elements` (missing ones are zero).
#[inline(always)]
pub(super) fn gather<B: WordLanes, const L: usize>(lanes: B, elements: &[[u64; L]]) -> [B::Vector; L] {
    let mut words = [lanes.zero(); L];
    for (word, values) in words.iter_mut().enumerate() {
        let mut vector = [Cell::ZERO; 4];
        for (place, element) in elements.iter().take(group::<B>()).enumerate() {
            vector[place % B::LANES].0[place / B::LANES] = element[word];
        }
        *values = lanes.load(&vector);
    }
    words
}

/// Writes the first `elements.len()` elements of a group.
#[inline(always)]
pub(super) fn scatter<B: WordLanes, const L: usize>(
    lanes: B,
    words: &[B::Vector; L],
    elements: &mut [[u64; L]],
) {
    for (word, &values) in words.iter().enumerate() {
        let mut vector = [Cell::ZERO; 4];
        lanes.store(values, &mut vector);
        for (place, element) in elements.iter_mut().take(group::<B>()).enumerate() {
            element[word] = vector[place % B::LANES].0[place / B::LANES];
        }
    }
}

/// Evaluates a group of elements and writes the cells from `position` on.
#[inline(always)]
pub(super) fn store_points<B: WordLanes, const L: usize>(
    lanes: B,
    form: Form,
    words: &[B::Vector; L],
    row: &mut Planes,
    position: usize,
) {
    let values = evaluate(lanes, form, words);
    for cell in 0..form.points(L).div_ceil(2) {
        // beyond the last point of an odd formula the array holds zero
        let (even, odd) = (values[2 * cell], values[2 * cell + 1]);
        let plane = &mut row.plane_mut(cell)[position..];
        lanes.store(lanes.unpack_low(even, odd), plane);
        lanes.store(lanes.unpack_high(even, odd), &mut plane[B::LANES..]);
    }
}

/// Sets all but the first `count` elements of a group to zero.
#[inline(always)]
pub(super) fn keep_first<B: WordLanes, const L: usize>(lanes: B, words: &mut [B::Vector; L], count: usize) {
    if count < group::<B>() {
        let ones = [[u64::MAX]; 8];
        let [mask] = gather::<B, 1>(lanes, &ones[..count]);
        for word in words {
            *word = lanes.and(*word, mask);
        }
    }
}

/// The unreduced squares of a group.
#[inline(always)]
pub(super) fn square<B: WordLanes, const L: usize>(lanes: B, words: &[B::Vector; L]) -> Wide<B::Vector, L> {
    let mut wide = [[lanes.zero(); 2]; L];
    for (pair, &word) in wide.iter_mut().zip(words) {
        let (first, second) = (lanes.clmul_low(word, word), lanes.clmul_high(word, word));
        *pair = [lanes.unpack_low(first, second), lanes.unpack_high(first, second)];
    }
    wide
}

/// Writes the first `count` values (two words to a cell) to the cells `position`, `position` + `step`, ...; values are given
/// as pairs of word vectors.
#[inline(always)]
pub(super) fn store_wide<B: WordLanes, const L: usize>(
    lanes: B,
    wide: &Wide<B::Vector, L>,
    values: &mut Planes,
    position: usize,
    step: usize,
    count: usize,
) {
    if count == 0 {
        return;
    }
    for (index, &[low, high]) in wide.iter().enumerate() {
        let mut buffer = [Cell::ZERO; 8];
        lanes.store(lanes.unpack_low(low, high), &mut buffer);
        lanes.store(lanes.unpack_high(low, high), &mut buffer[B::LANES..]);
        let plane = &mut values.plane_mut(index)[position..];
        if step == 1 && count >= group::<B>() {
            plane[..group::<B>()].copy_from_slice(&buffer[..group::<B>()]);
            continue;
        }
        for (place, value) in buffer.iter().take(group::<B>().min(count)).enumerate() {
            plane[step * place] = *value;
        }
    }
}
