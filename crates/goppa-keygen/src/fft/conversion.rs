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
        match log {
            0..=4 => {
                let (low, lower_half) = (LOW_LANES[log], LOW_LANES[log + 1]);
                let (second, third) = (!low & lower_half, low & !lower_half);
                for plane in coefficients.iter_mut() {
                    for word in plane.iter_mut() {
                        if TRANSPOSED {
                            *word ^= (*word & second) << (1 << log);
                            *word ^= (*word & third) << (1 << log);
                        } else {
                            *word ^= *word >> (1 << log) & third;
                            *word ^= *word >> (1 << log) & second;
                        }
                    }
                }
            }
            5 => {
                for plane in coefficients.iter_mut() {
                    for pair in 0..SIZE_WORDS / 2 {
                        if TRANSPOSED {
                            plane[2 * pair + 1] ^= plane[2 * pair] >> 32;
                            plane[2 * pair + 1] ^= plane[2 * pair + 1] << 32;
                        } else {
                            plane[2 * pair + 1] ^= plane[2 * pair + 1] >> 32;
                            plane[2 * pair] ^= plane[2 * pair + 1] << 32;
                        }
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
