//! Nine products for elements of at most 275 bits: evaluation at small polynomials (Toom and Cook's method over GF(2)[x]).
//!
//! The element is cut into five chunks of 55 bits, A(t) = sum u_i t^i at t = x^55. The points are the eight polynomials t in
//! the span of 1, x, x^2, and infinity; a value has at most 55 + 8 = 63 bits, so it is one word. The product C(t) has degree 8
//! in t. Its top coefficient is the product at infinity; without c_8 t^8 it is an interpolation on a subspace, an inverse additive
//! transform (as in [`crate::fft`]) over GF(2)[x] with s_1 = t^2 + t, s_2 = s_1^2 + a s_1, a = s_1(x) = x^2 + x,
//! b = s_2(x^2) = x^3 (x + 1)^3 (x^2 + x + 1). The butterflies multiply by x, x^2, x^2 + x; at the end there are exact divisions by a, b and ab.

use super::{Double, add, by_a, chunks, double, down, inverse_series, joined, times, up};
use crate::kernel::finish::Wide;
use crate::kernel::formula::MAX_POINTS;
use gf2n::backend::WordLanes;

/// The number of products.
pub(in crate::kernel) const POINTS: usize = 9;
/// The largest degree of a field.
pub(in crate::kernel) const MAX_DEGREE: usize = 5 * CHUNK as usize;
/// Bits of a chunk.
const CHUNK: u32 = 55;

/// 1 / (x + 1).
const BY_A: u128 = inverse_series(0b11);
/// 1 / ((x + 1)^3 (x^2 + x + 1)); (x + 1)^3 (x^2 + x + 1) = x^5 + x^3 + x^2 + 1.
const BY_B: u128 = inverse_series(0b10_1101);
/// 1 / ((x + 1)^4 (x^2 + x + 1)); the product is x^6 + x^5 + x^4 + x^2 + x + 1.
const BY_AB: u128 = inverse_series(0b111_0111);

/// The values of elements at the nine points.
#[inline(always)]
pub(in crate::kernel) fn evaluate<B: WordLanes, const L: usize>(
    lanes: B,
    words: &[B::Vector; L],
) -> [B::Vector; MAX_POINTS] {
    let chunks = chunks(lanes, words, CHUNK);
    let (u0, u1, u2, u3, u4) = (chunks[0], chunks[1], chunks[2], chunks[3], chunks[4]);
    let x = |value, count| lanes.shift_left(value, count);
    let add = |a, b| lanes.xor(a, b);
    // u_1 t + u_2 t^2 + u_4 t^4 is linear in t over GF(2): its values at 1, x, x^2
    let at_1 = add(add(u1, u2), u4);
    let at_x = add(add(x(u1, 1), x(u2, 2)), x(u4, 4));
    let at_xx = add(add(x(u1, 2), x(u2, 4)), x(u4, 8));
    // u_3 t^3
    let (c1, c2, c3, c4, c5, c6) = (x(u3, 1), x(u3, 2), x(u3, 3), x(u3, 4), x(u3, 5), x(u3, 6));
    let base_x = add(u0, at_x);
    let base_xx = add(u0, at_xx);
    let base_both = add(base_x, at_xx);
    let mut out = [lanes.zero(); MAX_POINTS];
    out[0] = u0;
    out[1] = add(add(u0, at_1), u3);
    out[2] = add(base_x, c3);
    // (x + 1)^3 = x^3 + x^2 + x + 1
    out[3] = add(add(add(base_x, at_1), add(c3, c2)), add(c1, u3));
    out[4] = add(base_xx, c6);
    // (x^2 + 1)^3 = x^6 + x^4 + x^2 + 1
    out[5] = add(add(add(base_xx, at_1), add(c6, c4)), add(c2, u3));
    // (x^2 + x)^3 = x^6 + x^5 + x^4 + x^3
    out[6] = add(base_both, add(add(c6, c5), add(c4, c3)));
    // (x^2 + x + 1)^3 = x^6 + x^5 + x^3 + x + 1
    out[7] = add(add(base_both, at_1), add(add(add(c6, c5), add(c3, c1)), u3));
    out[8] = u4;
    out
}

/// The words of products from their values: `first` and `second` hold the cells of the two halves of a group.
#[inline(always)]
pub(in crate::kernel) fn interpolate<B: WordLanes, const L: usize>(
    lanes: B,
    first: &[B::Vector; MAX_POINTS],
    second: &[B::Vector; MAX_POINTS],
) -> Wide<B::Vector, L> {
    let zero = Double { low: lanes.zero(), high: lanes.zero() };
    let mut values = [zero; 8];
    for (index, value) in values.iter_mut().enumerate() {
        *value = double(lanes, first[index], second[index]);
    }
    let top =
        Double { low: lanes.unpack_low(first[8], second[8]), high: lanes.unpack_high(first[8], second[8]) };

    // without c_8 t^8; t^8 is linear in t
    let (top_x, top_xx) = (up(lanes, top, 8), up(lanes, top, 16));
    for (index, value) in values.iter_mut().enumerate() {
        for (bit, term) in [top, top_x, top_xx].into_iter().enumerate() {
            if (index >> bit) & 1 == 1 {
                *value = add(lanes, *value, term);
            }
        }
    }

    // the inverse transform: factors 0, x, x^2, x^2 + x on the first level, 0 and x^2 + x on the second, 0 on the third
    for offset in [0, 2, 4, 6] {
        let difference = add(lanes, values[offset], values[offset + 1]);
        values[offset + 1] = difference;
        let product = match offset {
            0 => continue,
            2 => up(lanes, difference, 1),
            4 => up(lanes, difference, 2),
            _ => by_a(lanes, difference),
        };
        values[offset] = add(lanes, values[offset], product);
    }
    for offset in [0, 1, 4, 5] {
        let difference = add(lanes, values[offset], values[offset + 2]);
        values[offset + 2] = difference;
        if offset >= 4 {
            values[offset] = add(lanes, values[offset], by_a(lanes, difference));
        }
    }
    for offset in 0..4 {
        values[offset + 4] = add(lanes, values[offset], values[offset + 4]);
    }

    // from the normalised basis to products of t, s_1, s_2
    let [e0, e1, d2, d3, d4, d5, d6, d7] = values;
    let (e2, e3) = (down(lanes, times(lanes, d2, BY_A), 1), down(lanes, times(lanes, d3, BY_A), 1));
    let (g0, e5) = (down(lanes, times(lanes, d4, BY_B), 3), down(lanes, times(lanes, d5, BY_B), 3));
    let (e6, g3) = (down(lanes, times(lanes, d6, BY_AB), 4), down(lanes, times(lanes, d7, BY_AB), 4));
    // to powers of t: (e_2 + e_3 t)(t^2 + t), then s_2 = t^4 + (1 + a) t^2 + a t times g_0 .. g_3
    let (f1, f2) = (add(lanes, e1, e2), add(lanes, e2, e3));
    let (g1, g2) = (add(lanes, e5, e6), add(lanes, e6, g3));
    let (a0, a1, a2, a3) = (by_a(lanes, g0), by_a(lanes, g1), by_a(lanes, g2), by_a(lanes, g3));
    let coefficients = [
        e0,
        add(lanes, f1, a0),
        add(lanes, add(lanes, f2, g0), add(lanes, a0, a1)),
        add(lanes, add(lanes, e3, g1), add(lanes, a1, a2)),
        add(lanes, add(lanes, g0, g2), add(lanes, a2, a3)),
        add(lanes, add(lanes, g1, g3), a3),
        g2,
        g3,
        top,
    ];

    joined(lanes, &coefficients, CHUNK)
}
