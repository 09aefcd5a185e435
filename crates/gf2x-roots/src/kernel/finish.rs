//! From sums of point products to reduced elements, and from elements to points and squares; many elements at once.
//!
//! A *group* is the set of 2 C neighbouring elements (C lanes) whose words fill one vector. Word vectors hold them in the
//! order that unpacking gives: lane c, half h is element h C + c of the group.

use super::dot::PointSums;
use super::formula::{evaluate, interpolate, points};
use super::planes::Planes;
use super::toom;
use gf2n::backend::{Cell, WordLanes};

/// The evaluated form of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Sums of words, see [`super::formula`].
    Sums,
    /// Values at small polynomials, see [`super::toom`]; some elements of three and five words only.
    Toom,
}

impl Form {
    /// The form with the fewest points for elements of this many words and bits.
    pub(super) const fn best(limbs: usize, degree: usize) -> Self {
        match limbs {
            3 if degree <= toom::three::MAX_DEGREE => Self::Toom,
            5 if degree <= toom::five::MAX_DEGREE => Self::Toom,
            _ => Self::Sums,
        }
    }

    /// The number of points.
    pub(super) const fn points(self, limbs: usize) -> usize {
        match (self, limbs) {
            (Self::Sums, _) => points(limbs),
            (Self::Toom, 3) => toom::three::POINTS,
            (Self::Toom, _) => toom::five::POINTS,
        }
    }
}

/// The number of elements of a group: 2, 4 or 8.
pub(super) const fn group<B: WordLanes>() -> usize {
    2 * B::LANES
}

/// The words of the unreduced products of one group.
pub(super) type Wide<V, const L: usize> = [[V; 2]; L];

/// Interpolates the outputs `start ..` of a block.
#[inline(always)]
pub(super) fn collect<B: WordLanes, const L: usize>(
    lanes: B,
    form: Form,
    sums: &PointSums,
    start: usize,
) -> Wide<B::Vector, L> {
    if form == Form::Toom && (L == 3 || L == 5) {
        let first = sums.load(lanes, form.points(L), start);
        let second = sums.load(lanes, form.points(L), start + B::LANES);
        return if L == 3 {
            toom::three::interpolate(lanes, &first, &second)
        } else {
            toom::five::interpolate(lanes, &first, &second)
        };
    }
    let first = interpolate::<B, L>(lanes, &sums.load(lanes, points(L), start));
    let second = interpolate::<B, L>(lanes, &sums.load(lanes, points(L), start + B::LANES));
    let mut wide = [[lanes.zero(); 2]; L];
    for index in 0..2 * L - 1 {
        let low = lanes.unpack_low(first[index], second[index]);
        let high = lanes.unpack_high(first[index], second[index]);
        let place = &mut wide[index / 2][index % 2];
        *place = lanes.xor(*place, low);
        let next = index + 1;
        wide[next / 2][next % 2] = high;
    }
    wide
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
    let values = match (form, L) {
        (Form::Toom, 3) => toom::three::evaluate(lanes, words),
        (Form::Toom, 5) => toom::five::evaluate(lanes, words),
        _ => evaluate::<B, L>(lanes, words),
    };
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
