//! The permutation Keccak-f\[1600\] on one state or on several states side by side (FIPS 202, section 3): what many streams or digests
//! at once are made of, such as the expansion of a system from a seed, or the leaves of a hash tree.
//!
//! A kernel is written once over [`StateLanes`] and run by [`run_widest`] on as many states as the CPU takes. Everything here is
//! constant time.
//!
//! ```
//! use mq_eval::keccak::{Kernel, StateLanes, permute, permute_one, run_widest};
//!
//! /// The first word of the permutation of states that begin with 0, 1, 2, ...
//! struct FirstWords;
//! impl Kernel for FirstWords {
//!     type Output = Vec<u64>;
//!     fn run<L: StateLanes>(self, lanes: L) -> Vec<u64> {
//!         let mut states = [lanes.splat(0); 25];
//!         states[0] = lanes.gather(|state| state as u64);
//!         permute(lanes, &mut states);
//!         (0..L::COUNT).map(|state| lanes.word(states[0], state)).collect()
//!     }
//! }
//! let mut single = [0; 25];
//! permute_one(&mut single);
//! assert_eq!(run_widest(FirstWords)[0], single[0]);
//! ```

mod backend;

pub use backend::{Single, StateLanes};

#[cfg(target_arch = "x86_64")]
use crate::backend::{Avx2, Avx512};

/// A computation on several states, for any number of them.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Runs on `L::COUNT` states. Implementations are `#[inline(always)]`, so that they are compiled with the features of the
    /// back end.
    fn run<L: StateLanes>(self, lanes: L) -> Self::Output;
}

/// Runs `kernel` on the widest back end of this CPU.
pub fn run_widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(lanes) = Avx512::detect() {
            return lanes.run(
                #[inline(always)]
                || kernel.run(lanes),
            );
        }
        if let Some(lanes) = Avx2::detect() {
            return lanes.run(
                #[inline(always)]
                || kernel.run(lanes),
            );
        }
    }
    kernel.run(Single)
}

/// The number of states that [`run_widest`] gives a kernel.
#[must_use]
pub fn widest() -> usize {
    struct Count;
    impl Kernel for Count {
        type Output = usize;
        #[inline(always)]
        fn run<L: StateLanes>(self, _lanes: L) -> usize {
            L::COUNT
        }
    }
    run_widest(Count)
}

/// One permutation of one state.
pub fn permute_one(state: &mut [u64; 25]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        let lanes = backend::Single512(token);
        return token.run(
            #[inline(always)]
            || {
                let mut words = [lanes.splat(0); 25];
                for (word, &value) in words.iter_mut().zip(state.iter()) {
                    *word = lanes.splat(value);
                }
                permute(lanes, &mut words);
                for (out, word) in state.iter_mut().zip(words) {
                    *out = lanes.word(word, 0);
                }
            },
        );
    }
    // scalar, but with the three-operand instructions of BMI
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx2::detect() {
        return token.run(
            #[inline(always)]
            || permute(Single, state),
        );
    }
    permute(Single, state);
}

/// Round constants of step iota.
const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// One permutation of every state. Word x + 5y of a state is the lane (x, y) of the standard. Constant time.
#[inline(always)]
pub fn permute<L: StateLanes>(lanes: L, a: &mut [L::Word; 25]) {
    for constant in ROUND_CONSTANTS {
        // theta
        let c: [L::Word; 5] = core::array::from_fn(
            #[inline(always)]
            |x| lanes.xor3(lanes.xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]),
        );
        let d: [L::Word; 5] = core::array::from_fn(
            #[inline(always)]
            |x| lanes.xor(c[(x + 4) % 5], lanes.rotate::<1, 63>(c[(x + 1) % 5])),
        );
        // rho and pi
        let b = [
            lanes.xor(a[0], d[0]),
            lanes.rotate::<44, 20>(lanes.xor(a[6], d[1])),
            lanes.rotate::<43, 21>(lanes.xor(a[12], d[2])),
            lanes.rotate::<21, 43>(lanes.xor(a[18], d[3])),
            lanes.rotate::<14, 50>(lanes.xor(a[24], d[4])),
            lanes.rotate::<28, 36>(lanes.xor(a[3], d[3])),
            lanes.rotate::<20, 44>(lanes.xor(a[9], d[4])),
            lanes.rotate::<3, 61>(lanes.xor(a[10], d[0])),
            lanes.rotate::<45, 19>(lanes.xor(a[16], d[1])),
            lanes.rotate::<61, 3>(lanes.xor(a[22], d[2])),
            lanes.rotate::<1, 63>(lanes.xor(a[1], d[1])),
            lanes.rotate::<6, 58>(lanes.xor(a[7], d[2])),
            lanes.rotate::<25, 39>(lanes.xor(a[13], d[3])),
            lanes.rotate::<8, 56>(lanes.xor(a[19], d[4])),
            lanes.rotate::<18, 46>(lanes.xor(a[20], d[0])),
            lanes.rotate::<27, 37>(lanes.xor(a[4], d[4])),
            lanes.rotate::<36, 28>(lanes.xor(a[5], d[0])),
            lanes.rotate::<10, 54>(lanes.xor(a[11], d[1])),
            lanes.rotate::<15, 49>(lanes.xor(a[17], d[2])),
            lanes.rotate::<56, 8>(lanes.xor(a[23], d[3])),
            lanes.rotate::<62, 2>(lanes.xor(a[2], d[2])),
            lanes.rotate::<55, 9>(lanes.xor(a[8], d[3])),
            lanes.rotate::<39, 25>(lanes.xor(a[14], d[4])),
            lanes.rotate::<41, 23>(lanes.xor(a[15], d[0])),
            lanes.rotate::<2, 62>(lanes.xor(a[21], d[1])),
        ];
        // chi and iota
        for y in 0..5 {
            for x in 0..5 {
                a[5 * y + x] = lanes.chi(b[5 * y + x], b[5 * y + (x + 1) % 5], b[5 * y + (x + 2) % 5]);
            }
        }
        a[0] = lanes.xor(a[0], lanes.splat(constant));
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::vec::Vec;
    use gf2n::backend::{Level, set_ceiling};

    /// A few permutations of states that differ.
    struct Several;

    impl Kernel for Several {
        type Output = Vec<[u64; 25]>;
        #[inline(always)]
        fn run<L: StateLanes>(self, lanes: L) -> Vec<[u64; 25]> {
            let mut states: [L::Word; 25] =
                core::array::from_fn(|i| lanes.gather(|state| (i * 77 + state * 1001) as u64));
            permute(lanes, &mut states);
            permute(lanes, &mut states);
            let mut words = [[0; 8]; 25];
            for (words, word) in words.iter_mut().zip(states) {
                lanes.write(word, words);
            }
            let state = |k: usize| core::array::from_fn(|i| words[i][k]);
            assert!((0..L::COUNT).all(|k| lanes.word(states[3], k) == words[3][k]));
            (0..L::COUNT).map(state).collect()
        }
    }

    #[test]
    fn every_back_end_agrees() {
        for level in Level::ALL {
            set_ceiling(level);
            let found = run_widest(Several);
            for (k, found) in found.iter().enumerate() {
                let mut expected: [u64; 25] = core::array::from_fn(|i| (i * 77 + k * 1001) as u64);
                permute(Single, &mut expected);
                permute_one(&mut expected);
                assert_eq!(found, &expected, "{level:?} state {k}");
            }
        }
        set_ceiling(Level::Avx512);
    }

    /// The permutation of the zero state, once and twice: the first words of the published intermediate values.
    #[test]
    fn published_values() {
        let mut state = [0; 25];
        permute(Single, &mut state);
        assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
        assert_eq!(state[24], 0xeaf1_ff7b_5cec_a249);
        permute_one(&mut state);
        assert_eq!(state[0], 0x2d5c_954d_f96e_cb3c);
    }
}
