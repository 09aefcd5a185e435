//! Where the bits of the index lie during a transform, and the way between coefficients and leaves.
//!
//! A list of values is in *natural order* when the low bits of the index are the lane and the others the number of the word. A butterfly is
//! cheapest between two words. So the transformed bits that are lanes in natural order change places with the lowest bits of
//! the word's number while their levels are done ([`Layout::exchange`]), as far as there are enough of these.

use gf2n::small::gf2m::backend::{LOW_LANES, LaneBackend};
use gf2n::small::gf2m::planes::{self, Planes};

use super::{Coefficients, MAX_SIZE, SIZE_WORDS};

/// Calls the function with the level as its last constant, so that its shuffles are single instructions.
macro_rules! at_constant {
    ($level:expr, $function:ident::<$backend:ty, $degree:ident>($($argument:expr),*)) => {
        match $level {
            0 => $function::<$backend, $degree, 0>($($argument),*),
            1 => $function::<$backend, $degree, 1>($($argument),*),
            2 => $function::<$backend, $degree, 2>($($argument),*),
            3 => $function::<$backend, $degree, 3>($($argument),*),
            4 => $function::<$backend, $degree, 4>($($argument),*),
            5 => $function::<$backend, $degree, 5>($($argument),*),
            6 => $function::<$backend, $degree, 6>($($argument),*),
            7 => $function::<$backend, $degree, 7>($($argument),*),
            _ => $function::<$backend, $degree, 8>($($argument),*),
        }
    };
}

/// The order of a transform of some number of levels.
pub(super) struct Layout {
    /// Degree of the field = bits of the index.
    degree: usize,
    /// Bits of the lane.
    log_lanes: usize,
    /// The lowest `free` bits of the index are not transformed: values depend on the others only, before the first level.
    pub(super) free: usize,
    /// How many of the highest lane bits and the lowest bits of the word's number are exchanged at first.
    pub(super) exchanged: usize,
}

/// The lanes of all leaves, bitsliced.
type Leaves<const M: usize> = [[u64; 8]; M];

impl Layout {
    pub(super) fn new<B: LaneBackend, const M: usize>(levels: usize) -> Self {
        let free = M - levels;
        let in_lanes = B::LOG_LANES.min(M).saturating_sub(free);
        let exchanged = in_lanes.min(M.saturating_sub(B::LOG_LANES));
        Self { degree: M, log_lanes: B::LOG_LANES, free, exchanged }
    }

    /// The coefficient bit that goes with a position (lane bits first, then bits of the word's number) before the exchange, if
    /// there is one. Leaf and coefficient numbers are reversals of each other.
    #[inline(always)]
    fn coefficient_bit(&self, position: usize) -> Option<usize> {
        let start = self.log_lanes - self.exchanged;
        let index_bit = match position {
            _ if position < start || position >= self.log_lanes + self.exchanged => position,
            _ if position < self.log_lanes => position + self.exchanged,
            _ => position - self.exchanged,
        };
        (index_bit >= self.free && index_bit < self.degree).then(|| self.degree - 1 - index_bit)
    }

    /// For each setting of `count` positions from `start` on, the bits of the coefficient's number that they stand for.
    #[inline(always)]
    fn coefficient_parts<const SIZE: usize>(&self, start: usize, count: usize) -> [u8; SIZE] {
        let mut parts = [0u8; SIZE];
        for bit in 0..count {
            let value = self.coefficient_bit(start + bit).map_or(0, |coefficient_bit| 1u8 << coefficient_bit);
            for setting in 0..1usize << bit {
                parts[setting + (1 << bit)] = parts[setting] | value;
            }
        }
        parts
    }

    /// From the order of the low levels to natural order, or back.
    #[inline(always)]
    pub(super) fn exchange<B: LaneBackend, const M: usize>(&self, backend: B, values: &mut [Planes<B, M>]) {
        for bit in 0..self.exchanged {
            let (distance, level) = (1usize << bit, self.log_lanes - self.exchanged + bit);
            at_constant!(level, exchange_lane_bit::<B, M>(backend, values, distance));
        }
    }

    /// Writes the leaf of every index to `values`; `leaves` is in the order of coefficients.
    #[inline(always)]
    pub(super) fn spread<B: LaneBackend, const M: usize>(
        &self,
        backend: B,
        leaves: &[u16; MAX_SIZE],
        values: &mut [Planes<B, M>],
    ) {
        let groups: [u8; 8] = self.coefficient_parts(6, B::LOG_LANES - 6);
        let lanes: [u8; 64] = self.coefficient_parts(0, 6);
        let word_bits = M.saturating_sub(B::LOG_LANES);
        // bits of the lane that differ between leaves: none if 64 lanes hold one
        let differing =
            (0..6).fold(
                0,
                |bits, bit| {
                    if self.coefficient_bit(bit).is_some() { bits | 1usize << bit } else { bits }
                },
            );
        for (vector, value) in values.iter_mut().enumerate() {
            let number = (0..word_bits).filter(|bit| vector >> bit & 1 == 1).fold(0, |number, bit| {
                self.coefficient_bit(B::LOG_LANES + bit)
                    .map_or(number, |coefficient_bit| number | 1 << coefficient_bit)
            });
            let mut setting = 0usize;
            loop {
                let mut words = [0u64; 8];
                for (word, group) in words.iter_mut().zip(&groups).take(B::WORDS) {
                    let leaf = leaves[number | usize::from(group | lanes[setting])];
                    *word = u64::from(leaf) << (64 - M);
                }
                let mut bits = backend.load(&words[..B::WORDS]);
                // the lanes of this setting of the differing bits
                let mut select = !0u64;
                for bit in (0..6).filter(|bit| differing >> bit & 1 == 1) {
                    select &= if setting >> bit & 1 == 1 { !LOW_LANES[bit] } else { LOW_LANES[bit] };
                }
                if differing == 0 {
                    for plane in (0..M).rev() {
                        value[plane] = backend.fill_groups(bits);
                        bits = backend.shift_left::<1>(bits);
                    }
                    break;
                }
                let select = backend.splat(select);
                for plane in (0..M).rev() {
                    let filled = backend.fill_groups(bits) & select;
                    value[plane] = if setting == 0 { filled } else { value[plane] | filled };
                    bits = backend.shift_left::<1>(bits);
                }
                setting = setting.wrapping_sub(differing) & differing;
                if setting == 0 {
                    break;
                }
            }
        }
    }

    /// Sums all values of each leaf, in the order of coefficients: the transpose of [`spread`](Self::spread). Destroys `values`.
    #[inline(always)]
    pub(super) fn fold<B: LaneBackend, const M: usize>(
        &self,
        backend: B,
        values: &mut [Planes<B, M>],
    ) -> Coefficients<M> {
        let repeat = self.free.saturating_sub(B::LOG_LANES);
        let mut count = values.len() >> repeat;
        if repeat > 0 {
            for vector in 0..count {
                let mut sum = values[vector << repeat];
                for other in 1..1 << repeat {
                    sum = planes::add::<B, M>(&sum, &values[(vector << repeat) + other]);
                }
                values[vector] = sum;
            }
        }
        // the coefficient bit in each position
        let mut holders = [None; 16];
        let mut next = B::LOG_LANES + repeat;
        for level in 0..B::LOG_LANES {
            if self.coefficient_bit(level).is_some() || level >= M {
                holders[level] = self.coefficient_bit(level);
            } else if count > 1 {
                holders[level] = self.coefficient_bit(next);
                next += 1;
                count /= 2;
                at_constant!(level, merge_pairs::<B, M>(backend, values, count));
            } else {
                for word in values[0].iter_mut() {
                    *word = *word ^ backend.exchange(*word, level);
                }
            }
        }
        for position in B::LOG_LANES..B::LOG_LANES + count.trailing_zeros() as usize {
            holders[position] = self.coefficient_bit(next);
            next += 1;
        }
        let mut leaves: Leaves<M> = [[0u64; 8]; M];
        for (vector, value) in values.iter().enumerate().take(count) {
            let start = vector * B::WORDS;
            for plane in 0..M {
                backend.store(value[plane], &mut leaves[plane][start..start + B::WORDS]);
            }
        }
        for bit in 0..M - self.free {
            let position = holders.iter().position(|holder| *holder == Some(bit)).unwrap_or(bit);
            if position != bit {
                swap_bits::<M>(&mut leaves, bit, position);
                holders.swap(bit, position);
            }
        }
        let mut coefficients = [[0u64; SIZE_WORDS]; M];
        for plane in 0..M {
            coefficients[plane].copy_from_slice(&leaves[plane][..SIZE_WORDS]);
        }
        coefficients
    }
}

/// Exchanges lane bit `LEVEL` with the bit of the vector's number whose value is `distance`.
#[inline(always)]
fn exchange_lane_bit<B: LaneBackend, const M: usize, const LEVEL: usize>(
    backend: B,
    values: &mut [Planes<B, M>],
    distance: usize,
) {
    for block in values.chunks_exact_mut(2 * distance) {
        let (low, high) = block.split_at_mut(distance);
        for (low, high) in low.iter_mut().zip(high) {
            for plane in 0..M {
                (low[plane], high[plane]) = backend.swap_lane_bit(low[plane], high[plane], LEVEL);
            }
        }
    }
}

/// Sums over lane bit `LEVEL`, which then holds the lowest bit of the vector's number: 2 `count` vectors become `count`.
#[inline(always)]
fn merge_pairs<B: LaneBackend, const M: usize, const LEVEL: usize>(
    backend: B,
    values: &mut [Planes<B, M>],
    count: usize,
) {
    for vector in 0..count {
        for plane in 0..M {
            let (even, odd) = (values[2 * vector][plane], values[2 * vector + 1][plane]);
            let (lower, upper) = backend.swap_lane_bit(even, odd, LEVEL);
            values[vector][plane] = lower ^ upper;
        }
    }
}

/// Exchanges bits `first` < `second` of the lane index, of which the low six number the lanes of a word.
#[inline(always)]
fn swap_bits<const M: usize>(leaves: &mut Leaves<M>, first: usize, second: usize) {
    if second < 6 {
        let distance = (1 << second) - (1 << first);
        let select = !LOW_LANES[first] & LOW_LANES[second];
        for plane in leaves.iter_mut() {
            for word in plane.iter_mut() {
                let swap = (*word >> distance ^ *word) & select;
                *word ^= swap ^ swap << distance;
            }
        }
        return;
    }
    let step = 1usize << (second - 6);
    for plane in leaves.iter_mut() {
        for low in (0..8).filter(|low| low & step == 0) {
            if first < 6 {
                let swap = (plane[low] >> (1 << first) ^ plane[low + step]) & LOW_LANES[first];
                plane[low + step] ^= swap;
                plane[low] ^= swap << (1 << first);
            } else if low >> (first - 6) & 1 == 1 {
                plane.swap(low, low + step - (1 << (first - 6)));
            }
        }
    }
}
