//! Sums of products at the evaluation points: the inner loop of everything.

use super::formula::MAX_POINTS;
use super::planes::{Planes, wipe};
use gf2n::backend::{Cell, WordLanes};

/// Vectors of accumulators for each of the two points of a cell: enough independent sums to hide the latency of a product,
/// few enough for sixteen registers.
const UNROLL: usize = 4;
/// The largest number of lanes of a back end.
const MAX_LANES: usize = 4;
/// The largest number of outputs of one block.
pub(crate) const MAX_BLOCK: usize = UNROLL * MAX_LANES;

/// The number of neighbouring outputs that one call of [`dot`] produces: 4, 8 or 16.
pub(super) const fn block<B: WordLanes>() -> usize {
    UNROLL * B::LANES
}

/// Sums of point products: for every point, [`block`] neighbouring outputs.
pub(crate) struct PointSums([[Cell; MAX_BLOCK]; MAX_POINTS]);

impl PointSums {
    pub(crate) const fn new() -> Self {
        Self([[Cell::ZERO; MAX_BLOCK]; MAX_POINTS])
    }

    /// The outputs from `start` on, for the first `points` points.
    #[inline(always)]
    pub(super) fn load<B: WordLanes>(
        &self,
        lanes: B,
        points: usize,
        start: usize,
    ) -> [B::Vector; MAX_POINTS] {
        let mut out = [lanes.zero(); MAX_POINTS];
        for (vector, sums) in out.iter_mut().zip(&self.0).take(points) {
            *vector = lanes.load(&sums[start..]);
        }
        out
    }
}

impl Drop for PointSums {
    fn drop(&mut self) {
        for sums in &mut self.0 {
            wipe(sums);
        }
    }
}

/// The factors that are the same for all outputs: evaluated cells, plane by plane, and where each factor's partner lies.
pub(crate) struct Terms<'a> {
    /// One cell a term in every plane, from `first` on.
    pub(crate) coefficients: &'a Planes,
    /// The place of the first term's cells.
    pub(crate) first: usize,
    /// For each term the distance that its window lies below the anchor.
    pub(crate) offsets: &'a [usize],
}

/// For u = 0, 1, ..., `outputs` - 1 (at most [`block`]; whole vectors are computed) the sum over the terms i of coefficient i
/// times the row's element `anchor` - offset i + u.
///
/// Every window must lie inside the row; callers put zero guard cells around it. The sequence of operations depends on the
/// arguments' shapes only.
#[inline(always)]
pub(super) fn dot<B: WordLanes>(
    lanes: B,
    points: usize,
    terms: &Terms<'_>,
    row: &Planes,
    (anchor, outputs): (usize, usize),
    sums: &mut PointSums,
) {
    match outputs.div_ceil(B::LANES) {
        1 => vectors::<B, 1>(lanes, points, terms, row, anchor, sums),
        2 => vectors::<B, 2>(lanes, points, terms, row, anchor, sums),
        3 => vectors::<B, 3>(lanes, points, terms, row, anchor, sums),
        _ => vectors::<B, UNROLL>(lanes, points, terms, row, anchor, sums),
    }
}

/// The first `UNITS` vectors of sums.
#[inline(always)]
fn vectors<B: WordLanes, const UNITS: usize>(
    lanes: B,
    points: usize,
    terms: &Terms<'_>,
    row: &Planes,
    anchor: usize,
    sums: &mut PointSums,
) {
    let offsets = terms.offsets;
    for cell in 0..points.div_ceil(2) {
        let coefficients = &terms.coefficients.plane(cell)[terms.first..][..offsets.len()];
        let plane = row.plane(cell);
        let mut low = [lanes.zero(); UNITS];
        if 2 * cell + 1 < points {
            let mut high = [lanes.zero(); UNITS];
            for (coefficient, &offset) in coefficients.iter().zip(offsets) {
                let window = &plane[anchor - offset..][..UNITS * B::LANES];
                let coefficient = lanes.broadcast(coefficient);
                for unit in 0..UNITS {
                    let values = lanes.load(&window[unit * B::LANES..]);
                    low[unit] = lanes.xor(low[unit], lanes.clmul_low(coefficient, values));
                    high[unit] = lanes.xor(high[unit], lanes.clmul_high(coefficient, values));
                }
            }
            for (unit, &vector) in high.iter().enumerate() {
                lanes.store(vector, &mut sums.0[2 * cell + 1][unit * B::LANES..]);
            }
        } else {
            for (coefficient, &offset) in coefficients.iter().zip(offsets) {
                let window = &plane[anchor - offset..][..UNITS * B::LANES];
                let coefficient = lanes.broadcast(coefficient);
                for unit in 0..UNITS {
                    let values = lanes.load(&window[unit * B::LANES..]);
                    low[unit] = lanes.xor(low[unit], lanes.clmul_low(coefficient, values));
                }
            }
        }
        for (unit, &vector) in low.iter().enumerate() {
            lanes.store(vector, &mut sums.0[2 * cell][unit * B::LANES..]);
        }
    }
}
