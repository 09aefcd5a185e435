//! The definition: 64 lanes in a `u64`.

use super::{LaneBackend, LaneWord};
use crate::small::gf2m::scalar::Bitsliced;

impl LaneWord for u64 {}

/// The portable back end.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl LaneBackend for Portable {
    type Word = u64;
    type Narrow = Portable;
    type Scalars = Bitsliced<Self>;
    const LOG_LANES: usize = 6;
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        kernel()
    }
    #[inline(always)]
    fn narrow(self) -> Portable {
        self
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        Bitsliced(self)
    }
    #[inline(always)]
    fn splat(self, value: u64) -> u64 {
        value
    }
    #[inline(always)]
    fn load(self, words: &[u64]) -> u64 {
        words.first().copied().unwrap_or(0)
    }
    #[inline(always)]
    fn store(self, word: u64, words: &mut [u64]) {
        if let Some(first) = words.first_mut() {
            *first = word;
        }
    }
    #[inline(always)]
    fn shift_left<const SHIFT: i32>(self, value: u64) -> u64 {
        value << SHIFT
    }
    #[inline(always)]
    fn shift_right<const SHIFT: i32>(self, value: u64) -> u64 {
        value >> SHIFT
    }
    #[inline(always)]
    fn exchange_groups(self, value: u64, _level: usize) -> u64 {
        value
    }
    #[inline(always)]
    fn next_lane(self, value: u64) -> u64 {
        value << 1
    }
    #[inline(always)]
    fn fill_groups(self, value: u64) -> u64 {
        (value as i64 >> 63) as u64
    }
    #[inline(always)]
    fn and_xor(self, accumulator: u64, left: u64, right: u64) -> u64 {
        accumulator ^ (left & right)
    }
    #[inline(always)]
    fn carryless_mul(self, left: u64, right: u64) -> u128 {
        let mut product = 0u128;
        for bit in 0..64 {
            product ^= (u128::from(left) << bit) & 0u128.wrapping_sub(u128::from(right >> bit & 1));
        }
        product
    }
}
