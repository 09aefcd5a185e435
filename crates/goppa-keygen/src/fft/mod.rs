//! Additive FFT over GF(2^M) (Gao and Mateer 2010) and its transpose, bitsliced.
//!
//! Values are indexed so that index x stands for the field element `reverse_bits(x)`: index bit i goes with the basis element
//! z^(M-1-i). This is the order that the permutation network of Classic McEliece works in.
//!
//! One transform takes up to 2^[`MAX_LEVELS`] coefficients; longer polynomials are cut into pieces f = sum x^(jK) f_j, which
//! are evaluated one by one and joined by Horner's rule. All of it is constant time in the coefficients and values.

mod butterfly;
mod constants;
mod conversion;
mod layout;

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};
use gf2n::small::gf2m::slicing;

use self::butterfly::{between_words, within_words};
use self::layout::Layout;
use crate::berlekamp_massey::wipe;

/// Levels of recursion of one transform, at most.
pub const MAX_LEVELS: usize = 8;
const MAX_SIZE: usize = 1 << MAX_LEVELS;
const SIZE_WORDS: usize = MAX_SIZE / 64;

/// The coefficients of one transform, bitsliced: bit j of the four words of plane i = bit i of coefficient j.
type Coefficients<const M: usize> = [[u64; SIZE_WORDS]; M];

/// Number of words of the back end that hold one bit for each element of GF(2^M).
#[must_use]
pub const fn vector_count<B: LaneBackend, const M: usize>() -> usize {
    if M > B::LOG_LANES { 1 << (M - B::LOG_LANES) } else { 1 }
}

/// Adds the values of a linear map over GF(2) at all field elements, in index order; `images[i]` is that of z^i.
fn add_linear_map<B: LaneBackend, const M: usize>(
    backend: B,
    images: &[u16; M],
    values: &mut [Planes<B, M>],
) {
    backend.run(
        #[inline(always)]
        || {
            let mut part = [backend.zero(); M];
            for index_bit in 0..M.min(B::LOG_LANES) {
                let image = planes::splat::<B, M>(backend, images[M - 1 - index_bit]);
                let ones = !backend.low_lanes(index_bit);
                for plane in 0..M {
                    part[plane] = part[plane] ^ (image[plane] & ones);
                }
            }
            for count in 0..values.len() {
                // Gray code: one bit of the word's number more or less a step
                if count > 0 {
                    let index_bit = B::LOG_LANES + count.trailing_zeros() as usize;
                    let image = planes::splat::<B, M>(backend, images[M - 1 - index_bit]);
                    part = planes::add::<B, M>(&part, &image);
                }
                let value = &mut values[count ^ count >> 1];
                for plane in 0..M {
                    value[plane] = value[plane] ^ part[plane];
                }
            }
        },
    );
}

/// The field elements in index order: lane x of the list is `reverse_bits(x)`.
#[must_use]
pub fn points<B: LaneBackend, const M: usize>(backend: B) -> Vec<Planes<B, M>> {
    frobenius::<B, M>(backend, 0)
}

/// x^(2^count) for every element x, in index order; count <= 16.
#[must_use]
pub fn frobenius<B: LaneBackend, const M: usize>(backend: B, count: usize) -> Vec<Planes<B, M>> {
    let mut values = vec![[backend.zero(); M]; vector_count::<B, M>()];
    add_frobenius::<B, M>(backend, count, &mut values);
    values
}

/// Adds x^(2^count) at every element x, in index order; count <= 16.
pub fn add_frobenius<B: LaneBackend, const M: usize>(backend: B, count: usize, values: &mut [Planes<B, M>]) {
    add_linear_map::<B, M>(backend, &const { frobenius_images::<M>() }[count], values);
}

/// Row c: the images of z^0, ..., z^(M-1) under x -> x^(2^c).
// evaluated at compile time: a degree without a field would not compile
#[allow(clippy::panic)]
const fn frobenius_images<const M: usize>() -> [[u16; M]; 17] {
    let field = match Gf2m::new(M as u32) {
        Some(field) => field,
        None => panic!("no such field"),
    };
    let mut images = [[0u16; M]; 17];
    let mut count = 0;
    while count < 17 {
        let mut bit = 0;
        while bit < M {
            images[count][bit] = if count == 0 { 1 << bit } else { field.square(images[count - 1][bit]) };
            bit += 1;
        }
        count += 1;
    }
    images
}

/// Values of the polynomial `coefficients` (index = degree; any length) at every element of GF(2^M), in index order.
#[must_use]
pub fn evaluate<B: LaneBackend, const M: usize>(backend: B, coefficients: &[u16]) -> Vec<Planes<B, M>> {
    let mut values = vec![[backend.zero(); M]; vector_count::<B, M>()];
    evaluate_into::<B, M>(backend, coefficients, &mut values);
    values
}

/// [`evaluate`] into a list of [`vector_count`] vectors.
pub fn evaluate_into<B: LaneBackend, const M: usize>(
    backend: B,
    coefficients: &[u16],
    values: &mut [Planes<B, M>],
) {
    let piece = 1 << MAX_LEVELS.min(M);
    let mut pieces = coefficients.chunks(piece).rev();
    let Some(top) = pieces.next() else {
        values.fill([backend.zero(); M]);
        return;
    };
    let top_levels = top.len().next_power_of_two().trailing_zeros() as usize;
    evaluate_piece::<B, M>(backend, top, top_levels, values);
    let levels = piece.trailing_zeros() as usize;
    if coefficients.len() > piece {
        let steps = frobenius::<B, M>(backend, levels);
        let mut lower_values = vec![[backend.zero(); M]; values.len()];
        for lower in pieces {
            evaluate_piece::<B, M>(backend, lower, levels, &mut lower_values);
            for ((value, step), add) in values.iter_mut().zip(&steps).zip(&mut lower_values) {
                planes::mul_add::<B, M>(backend, add, value, step);
                *value = *add;
            }
        }
        wipe::<B, M>(backend, &mut lower_values);
    }
}

/// The `sums.len()` power sums sum over x of values(x) x^i, i = 0, 1, ...: the transpose of [`evaluate`]. Wipes the values.
pub fn power_sums<B: LaneBackend, const M: usize>(
    backend: B,
    mut values: Vec<Planes<B, M>>,
    sums: &mut [u16],
) {
    power_sums_of::<B, M>(backend, &mut values, sums);
    wipe::<B, M>(backend, &mut values);
}

/// [`power_sums`] of borrowed values, which are destroyed and not wiped.
pub fn power_sums_of<B: LaneBackend, const M: usize>(
    backend: B,
    values: &mut [Planes<B, M>],
    sums: &mut [u16],
) {
    let piece = 1 << MAX_LEVELS.min(M);
    if sums.len() <= piece {
        power_sums_piece::<B, M>(backend, values, sums);
        return;
    }
    let mut chunks = sums.chunks_mut(piece).peekable();
    let steps = frobenius::<B, M>(backend, piece.trailing_zeros() as usize);
    while let Some(chunk) = chunks.next() {
        let mut work = values.to_vec();
        power_sums_piece::<B, M>(backend, &mut work, chunk);
        wipe::<B, M>(backend, &mut work);
        if chunks.peek().is_some() {
            for (value, step) in values.iter_mut().zip(&steps) {
                *value = planes::mul::<B, M>(backend, value, step);
            }
        }
    }
}

/// Up to 2^levels coefficients, levels <= min(M, MAX_LEVELS).
fn evaluate_piece<B: LaneBackend, const M: usize>(
    backend: B,
    coefficients: &[u16],
    levels: usize,
    values: &mut [Planes<B, M>],
) {
    let layout = Layout::new::<B, M>(levels);
    let words = (1usize << levels).div_ceil(64);
    let mut list = [0u16; MAX_SIZE];
    list[..coefficients.len()].copy_from_slice(coefficients);
    let mut sliced: Coefficients<M> = [[0; SIZE_WORDS]; M];
    backend.run(
        #[inline(always)]
        || {
            for (word, chunk) in list.chunks_exact(64).enumerate().take(words) {
                let slice = slicing::to_planes(chunk);
                for plane in 0..M {
                    sliced[plane][word] = slice[plane];
                }
            }
        },
    );
    conversion::convert::<B, M>(backend, &mut sliced, levels);
    backend.run(
        #[inline(always)]
        || {
            for word in 0..words {
                let mut slice = [0u64; 16];
                for plane in 0..M {
                    slice[plane] = sliced[plane][word];
                }
                list[64 * word..64 * word + 64].copy_from_slice(&slicing::from_planes(&slice));
            }
            layout.spread::<B, M>(backend, &list, values);
        },
    );
    for dimension in M - levels..M {
        level::<B, M, false>(backend, values, &layout, dimension);
    }
}

/// All butterflies of one dimension, with the exchange of the layout between those of lanes and those of words.
#[inline(never)]
fn level<B: LaneBackend, const M: usize, const TRANSPOSED: bool>(
    backend: B,
    values: &mut [Planes<B, M>],
    layout: &Layout,
    dimension: usize,
) {
    let lane_bits = B::LOG_LANES - layout.exchanged;
    backend.run(
        #[inline(always)]
        || {
            if dimension < lane_bits {
                within_words::<B, M, TRANSPOSED>(backend, values, dimension);
                return;
            }
            let natural = dimension >= B::LOG_LANES;
            if !TRANSPOSED && dimension == B::LOG_LANES {
                layout.exchange::<B, M>(backend, values);
            }
            let lane_bits = if natural { B::LOG_LANES } else { lane_bits };
            between_words::<B, M, TRANSPOSED>(backend, values, lane_bits, dimension);
            if TRANSPOSED && dimension == B::LOG_LANES {
                layout.exchange::<B, M>(backend, values);
            }
        },
    );
}

/// Up to 2^min(M, MAX_LEVELS) sums; destroys `values`.
fn power_sums_piece<B: LaneBackend, const M: usize>(
    backend: B,
    values: &mut [Planes<B, M>],
    sums: &mut [u16],
) {
    let levels = sums.len().next_power_of_two().trailing_zeros() as usize;
    let layout = Layout::new::<B, M>(levels);
    for dimension in (M - levels..M).rev() {
        level::<B, M, true>(backend, values, &layout, dimension);
    }
    let mut sliced = backend.run(
        #[inline(always)]
        || layout.fold::<B, M>(backend, values),
    );
    conversion::convert_transposed::<B, M>(backend, &mut sliced, levels);
    backend.run(
        #[inline(always)]
        || {
            for (word, chunk) in sums.chunks_mut(64).enumerate() {
                let mut slice = [0u64; 16];
                for plane in 0..M {
                    slice[plane] = sliced[plane][word];
                }
                let list = slicing::from_planes(&slice);
                let count = chunk.len();
                chunk.copy_from_slice(&list[..count]);
            }
        },
    );
}
