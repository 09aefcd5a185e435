//! Words of many lanes, by CPU.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod scalar_avx2;
#[cfg(target_arch = "x86_64")]
mod scalar_avx512;

use core::ops::{BitAnd, BitOr, BitXor, Not};

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::{Avx512, Avx512Narrow};
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Portable;

use super::scalar::ScalarVectors;

/// A machine word seen as a row of bits, lane j = bit j.
pub trait LaneWord:
    Copy
    + Send
    + Sync
    + 'static
    + BitXor<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
}

/// A CPU back end for bitsliced work: a token that proves the CPU features, and the operations on its words.
///
/// The methods other than [`run`](Self::run) are meant to be called inside `run`, where they compile to single instructions;
/// elsewhere they are correct and slow.
pub trait LaneBackend: Copy + Send + Sync + 'static {
    /// The word type.
    type Word: LaneWord;
    /// The back end on words of at most 256 lanes, for short vectors.
    type Narrow: LaneBackend;
    /// The back end for vectors that are multiplied by scalars.
    type Scalars: ScalarVectors;

    /// Logarithm of the number of lanes.
    const LOG_LANES: usize;
    /// Number of lanes.
    const LANES: usize = 1 << Self::LOG_LANES;
    /// Number of 64-bit words in a word.
    const WORDS: usize = Self::LANES / 64;
    /// Name for reports.
    const NAME: &'static str;

    /// Runs `kernel` compiled with the CPU features.
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R;
    /// The narrow back end.
    fn narrow(self) -> Self::Narrow;
    /// The back end for scalar multiples.
    fn scalars(self) -> Self::Scalars;
    /// `value` in every group of 64 lanes.
    fn splat(self, value: u64) -> Self::Word;
    /// Lanes 64 i .. 64 i + 63 from `words[i]`; missing words count as zero.
    fn load(self, words: &[u64]) -> Self::Word;
    /// The inverse of [`load`](Self::load); words beyond the slice are dropped.
    fn store(self, word: Self::Word, words: &mut [u64]);
    /// Word i of the result is `value` shifted left by `SHIFT`, bit by bit, within each group of 64 lanes.
    fn shift_left<const SHIFT: i32>(self, value: Self::Word) -> Self::Word;
    /// Shift towards lane 0 within each group of 64 lanes.
    fn shift_right<const SHIFT: i32>(self, value: Self::Word) -> Self::Word;
    /// Moves 64-lane group i to group i xor 2^(level - 6), 6 <= level < LOG_LANES.
    fn exchange_groups(self, value: Self::Word, level: usize) -> Self::Word;
    /// Moves every lane to the next one; lane 0 becomes zero and the last lane falls out.
    fn next_lane(self, value: Self::Word) -> Self::Word;
    /// `accumulator ^ (left & right)`.
    fn and_xor(self, accumulator: Self::Word, left: Self::Word, right: Self::Word) -> Self::Word;
    /// Carry-less product of two 64-bit polynomials.
    fn carryless_mul(self, left: u64, right: u64) -> u128;

    /// Stores lanes 0..64 in `words[0]`.
    #[inline(always)]
    fn store_first(self, word: Self::Word, words: &mut [u64; 1]) {
        let mut all = [0u64; 8];
        self.store(word, &mut all[..Self::WORDS]);
        words[0] = all[0];
    }

    /// All lanes zero.
    #[inline(always)]
    fn zero(self) -> Self::Word {
        self.splat(0)
    }

    /// Moves lane j to lane j xor 2^level, level < LOG_LANES.
    #[inline(always)]
    fn exchange(self, value: Self::Word, level: usize) -> Self::Word {
        let low = self.splat(LOW_LANES[level.min(6)]);
        match level {
            0 => self.shift_left::<1>(value & low) | self.shift_right::<1>(value) & low,
            1 => self.shift_left::<2>(value & low) | self.shift_right::<2>(value) & low,
            2 => self.shift_left::<4>(value & low) | self.shift_right::<4>(value) & low,
            3 => self.shift_left::<8>(value & low) | self.shift_right::<8>(value) & low,
            4 => self.shift_left::<16>(value & low) | self.shift_right::<16>(value) & low,
            5 => self.shift_left::<32>(value & low) | self.shift_right::<32>(value) & low,
            _ => self.exchange_groups(value, level),
        }
    }

    /// Exchanges bit `level` of the lane index with the choice between two words: the first result holds the lanes whose index
    /// has the bit clear (those of `high` moved up by 2^level), the second the others.
    #[inline(always)]
    fn swap_lane_bit(self, low: Self::Word, high: Self::Word, level: usize) -> (Self::Word, Self::Word) {
        let mask = self.low_lanes(level);
        macro_rules! within_groups {
            ($distance:literal) => {{
                let swap = (self.shift_right::<$distance>(low) ^ high) & mask;
                (low ^ self.shift_left::<$distance>(swap), high ^ swap)
            }};
        }
        match level {
            0 => within_groups!(1),
            1 => within_groups!(2),
            2 => within_groups!(4),
            3 => within_groups!(8),
            4 => within_groups!(16),
            5 => within_groups!(32),
            _ => {
                let (low_moved, high_moved) =
                    (self.exchange_groups(low, level), self.exchange_groups(high, level));
                ((low & mask) | (high_moved & !mask), (low_moved & mask) | (high & !mask))
            }
        }
    }

    /// The groups of 64 lanes in another order: the highest bit of the lane index moves down to `level`, 6 <= level < LOG_LANES, and those
    /// from `level` on up by one.
    #[inline(always)]
    fn lower_top_group_bit(self, value: Self::Word, level: usize) -> Self::Word {
        let (mut words, mut moved) = ([0u64; 8], [0u64; 8]);
        self.store(value, &mut words[..Self::WORDS]);
        let (bit, top) = (1usize << (level - 6), Self::LOG_LANES - 7);
        for (group, word) in moved.iter_mut().enumerate().take(Self::WORDS) {
            let source = (group % bit) | (((group / bit) & 1) << top) | (group / (2 * bit) * bit);
            *word = words[source];
        }
        self.load(&moved[..Self::WORDS])
    }

    /// Fills each group of 64 lanes with its lane 63.
    #[inline(always)]
    fn fill_groups(self, value: Self::Word) -> Self::Word {
        let mut filled = self.shift_right::<63>(value);
        filled = filled | self.shift_left::<1>(filled);
        filled = filled | self.shift_left::<2>(filled);
        filled = filled | self.shift_left::<4>(filled);
        filled = filled | self.shift_left::<8>(filled);
        filled = filled | self.shift_left::<16>(filled);
        filled | self.shift_left::<32>(filled)
    }

    /// Ones in the lanes whose index has bit `level` clear.
    #[inline(always)]
    fn low_lanes(self, level: usize) -> Self::Word {
        if level < 6 {
            return self.splat(LOW_LANES[level]);
        }
        let words: [u64; 8] =
            core::array::from_fn(|word| if word >> (level - 6) & 1 == 0 { u64::MAX } else { 0 });
        self.load(&words[..Self::WORDS])
    }
}

/// Within 64 lanes: ones in the lanes whose index has bit `level` clear; entry 6 is all ones.
pub const LOW_LANES: [u64; 7] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
    u64::MAX,
];

/// Runs a kernel that is generic over the back end on the best one that detection grants.
pub trait LaneKernel {
    /// What the kernel returns.
    type Output;
    /// The kernel. Implementations run their loops inside `backend.run`.
    fn call<B: LaneBackend>(self, backend: B) -> Self::Output;
}

/// Calls `kernel` with the best back end of this CPU below the process-wide ceiling.
pub fn dispatch<K: LaneKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(backend) = Avx512::detect() {
            return kernel.call(backend);
        }
        if let Some(backend) = Avx2::detect() {
            return kernel.call(backend);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(backend) = Neon::detect() {
        return kernel.call(backend);
    }
    kernel.call(Portable)
}
