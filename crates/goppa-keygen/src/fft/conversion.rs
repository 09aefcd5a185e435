//! The change of basis on the coefficients, before the butterflies or (transposed) after them: Taylor expansions at x^2 + x and scalings.
//!
//! Coefficients are bitsliced in their natural order, at most [`MAX_SIZE`](super::MAX_SIZE) of them.

use gf2n::small::gf2m::backend::{LOW_LANES, LaneBackend};
use gf2n::small::gf2m::planes;

use super::constants::Tables;
use super::{Coefficients, SIZE_WORDS};

/// From the coefficients of a polynomial to the values at the leaves.
pub(super) fn convert<B: LaneBackend, const M: usize>(
    backend: B,
    coefficients: &mut Coefficients<M>,
    levels: usize,
) {
    for level in 0..levels {
        if level > 0 {
            scale::<B::Narrow, M>(backend.narrow(), coefficients, level, levels);
        }
        backend.run(
            #[inline(always)]
            || expand::<M, false>(coefficients, level, levels),
        );
    }
}

/// The transpose of [`convert`].
pub(super) fn convert_transposed<B: LaneBackend, const M: usize>(
    backend: B,
    coefficients: &mut Coefficients<M>,
    levels: usize,
) {
    for level in (0..levels).rev() {
        backend.run(
            #[inline(always)]
            || expand::<M, true>(coefficients, level, levels),
        );
        if level > 0 {
            scale::<B::Narrow, M>(backend.narrow(), coefficients, level, levels);
        }
    }
}

/// Multiplies coefficient j by the level's constant.
fn scale<N: LaneBackend, const M: usize>(
    narrow: N,
    coefficients: &mut Coefficients<M>,
    level: usize,
    levels: usize,
) {
    let constants = &Tables::<M>::TABLES.scales[level];
    narrow.run(
        #[inline(always)]
        || {
            for start in (0..(1usize << levels).div_ceil(64)).step_by(N::WORDS) {
                let end = (start + N::WORDS).min(SIZE_WORDS);
                let (mut left, mut right) = ([narrow.zero(); M], [narrow.zero(); M]);
                for plane in 0..M {
                    left[plane] = narrow.load(&coefficients[plane][start..end]);
                    right[plane] = narrow.load(&constants[plane][start..end]);
                }
                let product = planes::mul::<N, M>(narrow, &left, &right);
                for plane in 0..M {
                    narrow.store(product[plane], &mut coefficients[plane][start..end]);
                }
            }
        },
    );
}

/// Taylor expansion at x^2 + x of the 2^level interleaved polynomials of 2^(levels - level) coefficients each: in every block of 4 * 2^log
/// lanes, the fourth quarter is added to the third and this to the second; or the transpose.
#[inline(always)]
fn expand<const M: usize, const TRANSPOSED: bool>(
    coefficients: &mut Coefficients<M>,
    level: usize,
    levels: usize,
) {
    let logs = level..(levels - 1).max(level);
    for step in logs.clone() {
        let log = if TRANSPOSED { step } else { logs.start + logs.end - 1 - step };
        let words = coefficients.as_flattened_mut();
        match log {
            0 => within_words::<1, TRANSPOSED>(words, quarters(0)),
            1 => within_words::<2, TRANSPOSED>(words, quarters(1)),
            2 => within_words::<4, TRANSPOSED>(words, quarters(2)),
            3 => within_words::<8, TRANSPOSED>(words, quarters(3)),
            4 => within_words::<16, TRANSPOSED>(words, quarters(4)),
            5 => {
                for [first, second] in words.as_chunks_mut::<2>().0 {
                    if TRANSPOSED {
                        *second ^= *first >> 32;
                        *second ^= *second << 32;
                    } else {
                        *second ^= *second >> 32;
                        *first ^= *second << 32;
                    }
                }
            }
            _ => {
                for plane in coefficients.iter_mut() {
                    if TRANSPOSED {
                        plane[2] ^= plane[1];
                        plane[3] ^= plane[2];
                    } else {
                        plane[2] ^= plane[3];
                        plane[1] ^= plane[2];
                    }
                }
            }
        }
    }
}

/// Masks of the lanes in the second and the third quarter of every block of 4 * 2^log lanes.
const fn quarters(log: usize) -> (u64, u64) {
    let (low, lower_half) = (LOW_LANES[log], LOW_LANES[log + 1]);
    (!low & lower_half, low & !lower_half)
}

/// One step of [`expand`] where a quarter of a block is `DISTANCE` < 32 lanes.
#[inline(always)]
fn within_words<const DISTANCE: u32, const TRANSPOSED: bool>(words: &mut [u64], (second, third): (u64, u64)) {
    for word in words {
        if TRANSPOSED {
            *word ^= (*word & second) << DISTANCE;
            *word ^= (*word & third) << DISTANCE;
        } else {
            *word ^= *word >> DISTANCE & third;
            *word ^= *word >> DISTANCE & second;
        }
    }
}
