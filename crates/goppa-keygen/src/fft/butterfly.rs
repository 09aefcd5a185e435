//! The butterflies of one level: (u, v) -> (u + s v, u + s v + v) with s the element of the level's span that belongs to the position, or
//! the transpose (a, b) -> (a + b, s (a + b) + b).

use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};

use super::constants::Tables;

/// The part of s that depends on the lane, whose lowest `lane_bits` bits are index bits.
#[inline(always)]
fn lane_part<B: LaneBackend, const M: usize>(backend: B, level: usize, lane_bits: usize) -> Planes<B, M> {
    let words = &Tables::<M>::TABLES.lane_words[level][lane_bits.min(6)];
    let spans = &Tables::<M>::TABLES.spans[level];
    let mut part = [backend.zero(); M];
    for plane in 0..M {
        part[plane] = backend.splat(words[plane]);
    }
    for bit in 6..lane_bits {
        let ones = !backend.low_lanes(bit);
        for plane in 0..M {
            part[plane] = part[plane] ^ (backend.splat(spans[bit][plane]) & ones);
        }
    }
    part
}

/// Between words: the lane holds the index bits below `lane_bits`, the word's number those from there on.
#[inline(always)]
pub(super) fn between_words<B: LaneBackend, const M: usize, const TRANSPOSED: bool>(
    backend: B,
    values: &mut [Planes<B, M>],
    lane_bits: usize,
    dimension: usize,
) {
    let spans = &Tables::<M>::TABLES.spans[M - 1 - dimension];
    let mut factor = lane_part::<B, M>(backend, M - 1 - dimension, lane_bits);
    let stride = 1usize << (dimension - lane_bits);
    for count in 0..stride {
        // Gray code: one basis element more or less a step
        if count > 0 {
            let span = &spans[lane_bits + count.trailing_zeros() as usize];
            for plane in 0..M {
                factor[plane] = factor[plane] ^ backend.splat(span[plane]);
            }
        }
        let within = count ^ count >> 1;
        for block in (0..values.len()).step_by(2 * stride) {
            let (low, high) = values.split_at_mut(block + within + stride);
            let (lower, upper) = (&mut low[block + within], &mut high[0]);
            if TRANSPOSED {
                for plane in 0..M {
                    lower[plane] = lower[plane] ^ upper[plane];
                }
                planes::mul_add::<B, M>(backend, upper, &factor, lower);
            } else {
                forward::<B, M>(backend, lower, upper, &factor);
            }
        }
    }
}

/// One forward butterfly: the product and both sums in one go, so that its vectors are loaded and stored once.
#[inline(never)]
fn forward<B: LaneBackend, const M: usize>(
    backend: B,
    lower: &mut Planes<B, M>,
    upper: &mut Planes<B, M>,
    factor: &Planes<B, M>,
) {
    backend.run(
        #[inline(always)]
        || {
            let product = planes::mul_inline::<B, M>(backend, factor, upper);
            for plane in 0..M {
                lower[plane] = lower[plane] ^ product[plane];
                upper[plane] = upper[plane] ^ lower[plane];
            }
        },
    );
}

/// Within words: all index bits up to `dimension` are lanes. Half of every product is wasted.
#[inline(always)]
pub(super) fn within_words<B: LaneBackend, const M: usize, const TRANSPOSED: bool>(
    backend: B,
    values: &mut [Planes<B, M>],
    dimension: usize,
) {
    let factor = lane_part::<B, M>(backend, M - 1 - dimension, dimension);
    let low = backend.low_lanes(dimension);
    for value in values.iter_mut() {
        let mut swapped = *value;
        for word in &mut swapped {
            *word = backend.exchange(*word, dimension);
        }
        if TRANSPOSED {
            let sum = planes::add::<B, M>(value, &swapped);
            let product = planes::mul::<B, M>(backend, &factor, &sum);
            for plane in 0..M {
                value[plane] = (sum[plane] & low) | ((product[plane] ^ value[plane]) & !low);
            }
        } else {
            let mut upper = swapped;
            for plane in 0..M {
                upper[plane] = (value[plane] & !low) | (swapped[plane] & low);
            }
            let product = planes::mul::<B, M>(backend, &factor, &upper);
            for plane in 0..M {
                let lower = (value[plane] & low) | (swapped[plane] & !low);
                value[plane] = lower ^ product[plane] ^ (upper[plane] & !low);
            }
        }
    }
}
