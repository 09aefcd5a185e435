//! Evaluation at small polynomials: Toom and Cook's method over GF(2)[x], for elements that are a little short of 3 or 5 words.
//!
//! The element is cut into chunks of fewer than 64 bits, so that values at points of low degree in x still fill one word. The
//! interpolation divides by constants exactly and is dearer than that of a formula that only adds words; for sums of some ten
//! products the saved products pay.
//!
//! Values are polynomials modulo x^128. All coefficients of a product have fewer than 128 - 4 bits; sums and products are exact
//! modulo x^128, and so is a division by a polynomial with constant term 1 (a product with the inverse power series); a
//! division by x^4 costs four of the bits to spare.

pub(super) mod five;
pub(super) mod three;

use super::finish::Wide;
use gf2n::backend::WordLanes;

/// 1 / polynomial modulo x^128, for a polynomial with constant term 1.
const fn inverse_series(polynomial: u128) -> u128 {
    let (mut inverse, mut rest, mut bit) = (0, 1u128, 0);
    while bit < 128 {
        if (rest >> bit) & 1 == 1 {
            inverse |= 1 << bit;
            rest ^= polynomial << bit;
        }
        bit += 1;
    }
    inverse
}

/// Polynomials modulo x^128, as vectors of low and high words.
#[derive(Clone, Copy)]
struct Double<V> {
    low: V,
    high: V,
}

#[inline(always)]
fn add<B: WordLanes>(lanes: B, a: Double<B::Vector>, b: Double<B::Vector>) -> Double<B::Vector> {
    Double { low: lanes.xor(a.low, b.low), high: lanes.xor(a.high, b.high) }
}

/// Times x^count, 0 < count < 64.
#[inline(always)]
fn up<B: WordLanes>(lanes: B, a: Double<B::Vector>, count: u32) -> Double<B::Vector> {
    let carry = lanes.shift_right(a.low, 64 - count);
    Double { low: lanes.shift_left(a.low, count), high: lanes.xor(lanes.shift_left(a.high, count), carry) }
}

/// Divided by x^count, 0 < count < 64.
#[inline(always)]
fn down<B: WordLanes>(lanes: B, a: Double<B::Vector>, count: u32) -> Double<B::Vector> {
    let carry = lanes.shift_left(a.high, 64 - count);
    Double { low: lanes.xor(lanes.shift_right(a.low, count), carry), high: lanes.shift_right(a.high, count) }
}

/// Times a = x^2 + x.
#[inline(always)]
fn by_a<B: WordLanes>(lanes: B, value: Double<B::Vector>) -> Double<B::Vector> {
    let once = up(lanes, value, 1);
    add(lanes, once, up(lanes, once, 1))
}

/// Times a power series.
#[inline(always)]
fn times<B: WordLanes>(lanes: B, a: Double<B::Vector>, series: u128) -> Double<B::Vector> {
    let (low, high) = (lanes.splat(series as u64), lanes.splat((series >> 64) as u64));
    let (even, odd) = (lanes.clmul_low(a.low, low), lanes.clmul_high(a.low, low));
    let cross_even = lanes.xor(lanes.clmul_low(a.low, high), lanes.clmul_low(a.high, low));
    let cross_odd = lanes.xor(lanes.clmul_high(a.low, high), lanes.clmul_high(a.high, low));
    let cross = lanes.unpack_low(cross_even, cross_odd);
    Double { low: lanes.unpack_low(even, odd), high: lanes.xor(lanes.unpack_high(even, odd), cross) }
}

/// The chunks of `bits` bits of elements.
#[inline(always)]
fn chunks<B: WordLanes, const L: usize>(lanes: B, words: &[B::Vector; L], bits: u32) -> [B::Vector; L] {
    let mask = lanes.splat(u64::MAX >> (64 - bits));
    let mut out = [lanes.zero(); L];
    for (index, chunk) in out.iter_mut().enumerate() {
        let from = index as u32 * bits;
        let (word, shift) = ((from / 64) as usize, from % 64);
        let mut value = lanes.shift_right(words[word], shift);
        if word + 1 < L {
            value = lanes.xor(value, lanes.shift_left(words[word + 1], 64 - shift));
        }
        *chunk = lanes.and(value, mask);
    }
    out
}

/// The sum of coefficient i times x^(`bits` i).
#[inline(always)]
fn joined<B: WordLanes, const L: usize>(
    lanes: B,
    coefficients: &[Double<B::Vector>],
    bits: u32,
) -> Wide<B::Vector, L> {
    let mut wide = [[lanes.zero(); 2]; L];
    for (index, &Double { low, high }) in coefficients.iter().enumerate() {
        let from = index as u32 * bits;
        let (word, shift) = ((from / 64) as usize, from % 64);
        let parts = [
            lanes.shift_left(low, shift),
            lanes.xor(lanes.shift_right(low, 64 - shift), lanes.shift_left(high, shift)),
            lanes.shift_right(high, 64 - shift),
        ];
        for (distance, part) in parts.into_iter().enumerate() {
            let place = word + distance;
            // past the last word there are no bits
            if place < 2 * L {
                wide[place / 2][place % 2] = lanes.xor(wide[place / 2][place % 2], part);
            }
        }
    }
    wide
}

/// The products at a point, from the cells of the two halves of a group.
#[inline(always)]
fn double<B: WordLanes>(lanes: B, first: B::Vector, second: B::Vector) -> Double<B::Vector> {
    Double { low: lanes.unpack_low(first, second), high: lanes.unpack_high(first, second) }
}
