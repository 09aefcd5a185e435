//! Toom points for 3 and 5 limbs: small polynomials of GF(2)\[x\] as points.
//!
//! An operand is cut into L chunks u_i that are a little shorter than a limb, as a polynomial in y = x^chunk. It is evaluated at
//! infinity and at all polynomials v of degree below 2 (L = 3) or 3 (L = 5): 5 and 9 products instead of 6 and 13. The chunks are
//! 62 and 56 bits, so that the values u_0 + u_1 v + ... still fit 64 bits: they have room for v^2 = x^2 and v^4 = x^8.
//!
//! The points form a vector space over GF(2), so interpolation is an inverse additive Fourier transform (Cantor; Gao and
//! Mateer, "Additive fast Fourier transforms over finite fields", IEEE Trans. Inf. Theory 56, 2010). With
//!
//! ```text
//! s_1(y) = y^2 + y,      t = s_1(x)   = x^2 + x,
//! s_2(y) = s_1^2 + t s_1, w = s_2(x^2) = t^4 + t^3 = x^8 + x^6 + x^5 + x^3,
//! ```
//!
//! which vanish on {0, 1} and on the span of 1 and x, a polynomial of degree below 8 is R_0 + R_1 y + (R_2 + R_3 y) s_1 +
//! (R_4 + R_5 y + (R_6 + R_7 y) s_1) s_2. One butterfly a level finds the R: with f(p + d) and f(p), where the level's s takes
//! values u and u + delta, the upper half is (f(p) + f(p + d)) / delta and the lower half f(p) + u times that; delta is 1, t and
//! w on the three levels, and all divisions are exact. The value at infinity is the leading coefficient, times s_2 or
//! s_3 = s_2^2 + w s_2, which vanishes at all other points.
//!
//! All intermediate values have degree below 128: coefficients of the product have degree at most 2 (chunk - 1), values at the
//! points at most 126, and no factor v, u, t or w is applied to more than what the divisions before it have left room for.

use super::PointForm;
use crate::backend::WordLanes;

/// Evaluation at small polynomials, for 3 limbs and N <= 186, and for 5 limbs and N <= 280.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toom;

/// Bits of a chunk of a 3-limb operand.
const CHUNK_3: usize = 62;
/// Bits of a chunk of a 5-limb operand.
const CHUNK_5: usize = 56;

/// A polynomial of degree below 128 for each element: the vectors of low and of high words.
type Wide<V> = [V; 2];

/// 1 / (1 + x) modulo x^128.
const INVERSE_OF_T_OVER_X: [u64; 2] = power_series_inverse(0b11);
/// x^3 / w modulo x^128.
const INVERSE_OF_W_OVER_X3: [u64; 2] = power_series_inverse(0b10_1101);

/// 1 / `polynomial` modulo x^128, for a constant term 1.
const fn power_series_inverse(polynomial: u128) -> [u64; 2] {
    let (mut remainder, mut inverse) = (1u128, 0u128);
    let mut index = 0;
    while index < 128 {
        if (remainder >> index) & 1 == 1 {
            inverse |= 1 << index;
            remainder ^= polynomial << index;
        }
        index += 1;
    }
    [inverse as u64, (inverse >> 64) as u64]
}

#[inline(always)]
fn add<B: WordLanes>(lanes: B, a: Wide<B::Vector>, b: Wide<B::Vector>) -> Wide<B::Vector> {
    [lanes.xor(a[0], b[0]), lanes.xor(a[1], b[1])]
}

#[inline(always)]
fn sum<B: WordLanes>(lanes: B, a: B::Vector, b: B::Vector) -> B::Vector {
    lanes.xor(a, b)
}

#[inline(always)]
fn up<B: WordLanes>(lanes: B, a: B::Vector, count: u32) -> B::Vector {
    lanes.shift_left(a, count)
}

/// a x^count, for 1 <= count <= 63.
#[inline(always)]
fn shift<B: WordLanes>(lanes: B, a: Wide<B::Vector>, count: u32) -> Wide<B::Vector> {
    let carry = lanes.shift_right(a[0], 64 - count);
    [lanes.shift_left(a[0], count), lanes.xor(lanes.shift_left(a[1], count), carry)]
}

/// a t = a (x^2 + x).
#[inline(always)]
fn times_t<B: WordLanes>(lanes: B, a: Wide<B::Vector>) -> Wide<B::Vector> {
    add(lanes, shift(lanes, a, 1), shift(lanes, a, 2))
}

/// a t^2 = a (x^4 + x^2).
#[inline(always)]
fn times_t_squared<B: WordLanes>(lanes: B, a: Wide<B::Vector>) -> Wide<B::Vector> {
    add(lanes, shift(lanes, a, 2), shift(lanes, a, 4))
}

/// Every word times a constant: the low and the high words of the products.
#[inline(always)]
fn times_constant<B: WordLanes>(lanes: B, words: B::Vector, constant: B::Vector) -> Wide<B::Vector> {
    let (even, odd) = (lanes.clmul_low(words, constant), lanes.clmul_high(words, constant));
    [lanes.unpack_low(even, odd), lanes.unpack_high(even, odd)]
}

/// The exact quotient of a by x^count / `inverse`.
#[inline(always)]
fn divide<B: WordLanes>(lanes: B, a: Wide<B::Vector>, count: u32, inverse: [u64; 2]) -> Wide<B::Vector> {
    let carry = lanes.shift_left(a[1], 64 - count);
    let (low, high) = (lanes.xor(lanes.shift_right(a[0], count), carry), lanes.shift_right(a[1], count));
    // modulo x^128, which the quotient's degree stays below
    let inverse = [lanes.splat(inverse[0]), lanes.splat(inverse[1])];
    let below = times_constant(lanes, low, inverse[0]);
    let across =
        lanes.xor(times_constant(lanes, low, inverse[1])[0], times_constant(lanes, high, inverse[0])[0]);
    [below[0], lanes.xor(below[1], across)]
}

#[inline(always)]
fn divide_by_t<B: WordLanes>(lanes: B, a: Wide<B::Vector>) -> Wide<B::Vector> {
    divide(lanes, a, 1, INVERSE_OF_T_OVER_X)
}

#[inline(always)]
fn divide_by_w<B: WordLanes>(lanes: B, a: Wide<B::Vector>) -> Wide<B::Vector> {
    divide(lanes, a, 3, INVERSE_OF_W_OVER_X3)
}

/// The `L` chunks of `bits` bits each.
#[inline(always)]
fn chunks<B: WordLanes, const L: usize>(lanes: B, limbs: &[B::Vector; L], bits: usize) -> [B::Vector; L] {
    let mask = lanes.splat(u64::MAX >> (64 - bits));
    let mut chunks = [lanes.zero(); L];
    for (i, place) in chunks.iter_mut().enumerate() {
        let (word, offset) = (i * bits / 64, (i * bits % 64) as u32);
        let mut chunk = lanes.shift_right(limbs[word], offset);
        if offset as usize + bits > 64 && word + 1 < L {
            chunk = lanes.xor(chunk, lanes.shift_left(limbs[word + 1], 64 - offset));
        }
        *place = lanes.and(chunk, mask);
    }
    chunks
}

/// The sum of coefficient k times x^(k `bits`).
#[inline(always)]
fn assemble<B: WordLanes, const L: usize, const C: usize>(
    lanes: B,
    coefficients: [Wide<B::Vector>; C],
    bits: usize,
) -> [[B::Vector; 2]; L] {
    let mut words = [[lanes.zero(); 2]; L];
    for (k, [low, high]) in coefficients.into_iter().enumerate() {
        let (word, offset) = (k * bits / 64, (k * bits % 64) as u32);
        let parts = if offset == 0 {
            [low, high, lanes.zero()]
        } else {
            let middle = lanes.xor(lanes.shift_right(low, 64 - offset), lanes.shift_left(high, offset));
            [lanes.shift_left(low, offset), middle, lanes.shift_right(high, 64 - offset)]
        };
        for (i, part) in parts.into_iter().enumerate() {
            // what lies beyond is zero: the product has fewer than 128 L bits
            if word + i < 2 * L {
                let place = &mut words[(word + i) / 2][(word + i) % 2];
                *place = lanes.xor(*place, part);
            }
        }
    }
    words
}

/// R_0, ..., R_3 from the values at p, p + 1, p + x and p + x + 1, for p = 0 or, `SHIFTED`, p = x^2.
#[inline(always)]
fn two_levels<B: WordLanes, const SHIFTED: bool>(
    lanes: B,
    values: [Wide<B::Vector>; 4],
) -> [Wide<B::Vector>; 4] {
    let [at_0, at_1, at_x, at_x1] = values;
    // level 0: delta = 1, u = the point
    let odd_0 = add(lanes, at_0, at_1);
    let odd_1 = add(lanes, at_x, at_x1);
    let mut even_0 = at_0;
    let mut even_1 = add(lanes, at_x, shift(lanes, odd_1, 1));
    if SHIFTED {
        even_0 = add(lanes, even_0, shift(lanes, odd_0, 2));
        even_1 = add(lanes, even_1, shift(lanes, odd_1, 2));
    }
    // level 1: delta = t, u = s_1(p), which is 0 or t^2
    let upper_even = divide_by_t(lanes, add(lanes, even_0, even_1));
    let upper_odd = divide_by_t(lanes, add(lanes, odd_0, odd_1));
    let (mut lower_even, mut lower_odd) = (even_0, odd_0);
    if SHIFTED {
        lower_even = add(lanes, lower_even, times_t_squared(lanes, upper_even));
        lower_odd = add(lanes, lower_odd, times_t_squared(lanes, upper_odd));
    }
    [lower_even, lower_odd, upper_even, upper_odd]
}

/// R_0 + R_1 y + (R_2 + R_3 y) s_1 as a polynomial in y.
#[inline(always)]
fn expand<B: WordLanes>(lanes: B, r: [Wide<B::Vector>; 4]) -> [Wide<B::Vector>; 4] {
    [r[0], add(lanes, r[1], r[2]), add(lanes, r[2], r[3]), r[3]]
}

/// Pairs the low and the high words of two cell vectors of products.
#[inline(always)]
fn wide<B: WordLanes, const P: usize>(
    lanes: B,
    first: &[B::Vector; P],
    second: &[B::Vector; P],
) -> [Wide<B::Vector>; P] {
    let mut products = [[lanes.zero(); 2]; P];
    for (i, product) in products.iter_mut().enumerate() {
        *product = [lanes.unpack_low(first[i], second[i]), lanes.unpack_high(first[i], second[i])];
    }
    products
}

impl PointForm<3> for Toom {
    const POINTS: usize = 5;
    const PAIRS: usize = 3;
    const LARGEST_DEGREE: usize = 3 * CHUNK_3;
    type Points<T: Copy> = [T; 5];
    type Pairs<T: Copy> = [T; 3];

    #[inline(always)]
    fn points<T: Copy>(value: impl FnMut(usize) -> T) -> [T; 5] {
        core::array::from_fn(value)
    }

    #[inline(always)]
    fn pairs<T: Copy>(value: impl FnMut(usize) -> T) -> [T; 3] {
        core::array::from_fn(value)
    }

    /// The points 0, 1, x, x + 1, infinity.
    #[inline(always)]
    fn evaluate<B: WordLanes>(lanes: B, limbs: &[B::Vector; 3]) -> [B::Vector; 5] {
        let [u0, u1, u2] = chunks(lanes, limbs, CHUNK_3);
        // u_1 v + u_2 v^2 is additive in v
        let at_1 = lanes.xor(u1, u2);
        let at_x = lanes.xor(lanes.shift_left(u1, 1), lanes.shift_left(u2, 2));
        let value_x = lanes.xor(u0, at_x);
        [u0, lanes.xor(u0, at_1), value_x, lanes.xor(value_x, at_1), u2]
    }

    #[inline(always)]
    fn interpolate<B: WordLanes>(
        lanes: B,
        first: &[B::Vector; 5],
        second: &[B::Vector; 5],
    ) -> [[B::Vector; 2]; 3] {
        let [at_0, at_1, at_x, at_x1, leading] = wide(lanes, first, second);
        let r = two_levels::<B, false>(lanes, [at_0, at_1, at_x, at_x1]);
        let [g0, g1, g2, g3] = expand(lanes, r);
        // plus `leading` times s_2 = y^4 + (1 + t) y^2 + t y
        let multiple = times_t(lanes, leading);
        let c1 = add(lanes, g1, multiple);
        let c2 = add(lanes, g2, add(lanes, leading, multiple));
        assemble(lanes, [g0, c1, c2, g3, leading], CHUNK_3)
    }
}

impl PointForm<5> for Toom {
    const POINTS: usize = 9;
    const PAIRS: usize = 5;
    const LARGEST_DEGREE: usize = 5 * CHUNK_5;
    type Points<T: Copy> = [T; 9];
    type Pairs<T: Copy> = [T; 5];

    #[inline(always)]
    fn points<T: Copy>(value: impl FnMut(usize) -> T) -> [T; 9] {
        core::array::from_fn(value)
    }

    #[inline(always)]
    fn pairs<T: Copy>(value: impl FnMut(usize) -> T) -> [T; 5] {
        core::array::from_fn(value)
    }

    /// The points b_0 + b_1 x + b_2 x^2 in the order of b_0 + 2 b_1 + 4 b_2, then infinity.
    #[inline(always)]
    fn evaluate<B: WordLanes>(lanes: B, limbs: &[B::Vector; 5]) -> [B::Vector; 9] {
        let [u0, u1, u2, u3, u4] = chunks(lanes, limbs, CHUNK_5);
        // u_1 v + u_2 v^2 + u_4 v^4 is additive in v
        let at_1 = sum(lanes, u1, sum(lanes, u2, u4));
        let at_x = sum(lanes, up(lanes, u1, 1), sum(lanes, up(lanes, u2, 2), up(lanes, u4, 4)));
        let at_x2 = sum(lanes, up(lanes, u1, 2), sum(lanes, up(lanes, u2, 4), up(lanes, u4, 8)));
        // u_3 v^3, with (x + 1)^3 = x^3 + x^2 + x + 1, (x^2 + 1)^3 = x^6 + x^4 + x^2 + 1, (x^2 + x)^3 = x^6 + x^5 + x^4 + x^3,
        // (x^2 + x + 1)^3 = x^6 + x^5 + x^3 + x + 1
        let cube = [
            u3,
            up(lanes, u3, 1),
            up(lanes, u3, 2),
            up(lanes, u3, 3),
            up(lanes, u3, 4),
            up(lanes, u3, 5),
            up(lanes, u3, 6),
        ];
        let low_and_1 = sum(lanes, cube[0], cube[1]);
        let fifth_and_sixth = sum(lanes, cube[5], cube[6]);
        let cubes = [
            cube[0],
            cube[3],
            sum(lanes, low_and_1, sum(lanes, cube[2], cube[3])),
            cube[6],
            sum(lanes, sum(lanes, cube[0], cube[2]), sum(lanes, cube[4], cube[6])),
            sum(lanes, sum(lanes, cube[3], cube[4]), fifth_and_sixth),
            sum(lanes, low_and_1, sum(lanes, cube[3], fifth_and_sixth)),
        ];
        let base = [u0, sum(lanes, u0, at_x), sum(lanes, u0, at_x2), sum(lanes, u0, sum(lanes, at_x, at_x2))];
        [
            u0,
            sum(lanes, sum(lanes, base[0], at_1), cubes[0]),
            sum(lanes, base[1], cubes[1]),
            sum(lanes, sum(lanes, base[1], at_1), cubes[2]),
            sum(lanes, base[2], cubes[3]),
            sum(lanes, sum(lanes, base[2], at_1), cubes[4]),
            sum(lanes, base[3], cubes[5]),
            sum(lanes, sum(lanes, base[3], at_1), cubes[6]),
            u4,
        ]
    }

    #[inline(always)]
    fn interpolate<B: WordLanes>(
        lanes: B,
        first: &[B::Vector; 9],
        second: &[B::Vector; 9],
    ) -> [[B::Vector; 2]; 5] {
        let [v0, v1, v2, v3, v4, v5, v6, v7, leading] = wide(lanes, first, second);
        let lower = two_levels::<B, false>(lanes, [v0, v1, v2, v3]);
        let upper = two_levels::<B, true>(lanes, [v4, v5, v6, v7]);
        // level 2: delta = w, u = 0
        let mut quotients = [[lanes.zero(); 2]; 4];
        for ((quotient, &a), &b) in quotients.iter_mut().zip(&lower).zip(&upper) {
            *quotient = divide_by_w(lanes, add(lanes, a, b));
        }
        let [g0, g1, g2, g3] = expand(lanes, lower);
        let [h0, h1, h2, h3] = expand(lanes, quotients);
        // c = g + s_2 (h + leading (s_2 + w)) with s_2 = y^4 + (1 + t) y^2 + t y and w = x^8 + x^6 + x^5 + x^3
        let leading_t = times_t(lanes, leading);
        let leading_w = add(
            lanes,
            add(lanes, shift(lanes, leading, 3), shift(lanes, leading, 5)),
            add(lanes, shift(lanes, leading, 6), shift(lanes, leading, 8)),
        );
        let k0 = add(lanes, h0, leading_w);
        let k1 = add(lanes, h1, leading_t);
        let k2 = add(lanes, h2, add(lanes, leading, leading_t));
        let (t0, t1) = (times_t(lanes, k0), times_t(lanes, k1));
        let (t2, t3) = (times_t(lanes, k2), times_t(lanes, h3));
        let c1 = add(lanes, g1, t0);
        let c2 = add(lanes, g2, add(lanes, add(lanes, k0, t0), t1));
        let c3 = add(lanes, g3, add(lanes, add(lanes, k1, t1), t2));
        let c4 = add(lanes, k0, add(lanes, add(lanes, k2, t2), t3));
        let c5 = add(lanes, h1, add(lanes, h3, t3));
        assemble(lanes, [g0, c1, c2, c3, c4, c5, h2, h3, leading], CHUNK_5)
    }
}
