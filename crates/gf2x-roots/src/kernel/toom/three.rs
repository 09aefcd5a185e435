//! Five products for elements of at most 186 bits.
//!
//! A(t) = u_0 + u_1 t + u_2 t^2 at t = x^62; the points are 0, 1, x, x + 1 and infinity; a value has at most 62 + 2 = 64 bits. With
//! P_t the products and c_0 = P_0, c_4 = P_infinity,
//!
//! ```text
//! p = P_1 + c_0 + c_4                         = c_1 + c_2 + c_3
//! r = (P_x + c_0 + x^4 c_4) / x               = c_1 + x c_2 + x^2 c_3
//! c_3 = (P_x + P_(x+1) + c_4 + p) / (x^2 + x)
//! c_2 = (p + r) / (x + 1) + (x + 1) c_3
//! c_1 = p + c_2 + c_3
//! ```

use super::{Double, add, chunks, double, down, inverse_series, joined, times, up};
use crate::kernel::finish::Wide;
use crate::kernel::formula::MAX_POINTS;
use gf2n::backend::WordLanes;

/// The number of products.
pub(in crate::kernel) const POINTS: usize = 5;
/// The largest degree of a field.
pub(in crate::kernel) const MAX_DEGREE: usize = 3 * CHUNK as usize;
/// Bits of a chunk.
const CHUNK: u32 = 62;

/// 1 / (x + 1).
const BY_X_PLUS_1: u128 = inverse_series(0b11);

/// The values of elements at the five points.
#[inline(always)]
pub(in crate::kernel) fn evaluate<B: WordLanes, const L: usize>(
    lanes: B,
    words: &[B::Vector; L],
) -> [B::Vector; MAX_POINTS] {
    let chunks = chunks(lanes, words, CHUNK);
    let (u0, u1, u2) = (chunks[0], chunks[1], chunks[2]);
    let mut out = [lanes.zero(); MAX_POINTS];
    let rest = lanes.xor(u1, u2);
    out[0] = u0;
    out[1] = lanes.xor(u0, rest);
    out[2] = lanes.xor(u0, lanes.xor(lanes.shift_left(u1, 1), lanes.shift_left(u2, 2)));
    // (x + 1)^2 = x^2 + 1
    out[3] = lanes.xor(out[2], rest);
    out[4] = u2;
    out
}

/// The words of products from their values: `first` and `second` hold the cells of the two halves of a group.
#[inline(always)]
pub(in crate::kernel) fn interpolate<B: WordLanes, const L: usize>(
    lanes: B,
    first: &[B::Vector; MAX_POINTS],
    second: &[B::Vector; MAX_POINTS],
) -> Wide<B::Vector, L> {
    let at = |index: usize| -> Double<B::Vector> { double(lanes, first[index], second[index]) };
    let (c0, at_1, at_x, at_x1, c4) = (at(0), at(1), at(2), at(3), at(4));
    let p = add(lanes, at_1, add(lanes, c0, c4));
    let r = down(lanes, add(lanes, at_x, add(lanes, c0, up(lanes, c4, 4))), 1);
    let sum = add(lanes, add(lanes, at_x, at_x1), add(lanes, c4, p));
    let c3 = down(lanes, times(lanes, sum, BY_X_PLUS_1), 1);
    let quotient = times(lanes, add(lanes, p, r), BY_X_PLUS_1);
    let c2 = add(lanes, quotient, add(lanes, c3, up(lanes, c3, 1)));
    let c1 = add(lanes, p, add(lanes, c2, c3));
    joined(lanes, &[c0, c1, c2, c3, c4], CHUNK)
}
