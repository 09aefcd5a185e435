//! The permutation network of Classic McEliece on one bit a position.
//!
//! 2m - 1 layers on q = 2^m positions; layer l has stride 2^min(l, 2m-2-l). Swap number u of a layer is controlled by bit
//! l q/2 + u of the control string. Run forward, position j receives what stood at position pi(j). Constant time.

use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;

/// Length in bytes of the control bits for 2^m positions; 1 byte at least.
#[must_use]
pub const fn control_bytes(m: usize) -> usize {
    ((2 * m - 1) << (m - 1)).div_ceil(8)
}

/// The conditional swaps of one stride below 64, within every group of 64 positions.
macro_rules! short_stride {
    ($backend:ident, $data:ident, $controls:ident, $level:literal) => {{
        let mut spread = [0u64; 8];
        for (vector, word) in $data.iter_mut().enumerate() {
            for group in 0..B::WORDS {
                let position = vector * B::WORDS + group;
                spread[group] =
                    $controls.get(position / 2).copied().unwrap_or(0) >> (32 * (position % 2)) & 0xFFFF_FFFF;
            }
            let mut mask = $backend.load(&spread[..B::WORDS]);
            if $level < 5 {
                mask = (mask | $backend.shift_left::<16>(mask)) & $backend.low_lanes(4);
            }
            if $level < 4 {
                mask = (mask | $backend.shift_left::<8>(mask)) & $backend.low_lanes(3);
            }
            if $level < 3 {
                mask = (mask | $backend.shift_left::<4>(mask)) & $backend.low_lanes(2);
            }
            if $level < 2 {
                mask = (mask | $backend.shift_left::<2>(mask)) & $backend.low_lanes(1);
            }
            if $level < 1 {
                mask = (mask | $backend.shift_left::<1>(mask)) & $backend.low_lanes(0);
            }
            let swap = (*word ^ $backend.shift_right::<{ 1 << $level }>(*word)) & mask;
            *word = *word ^ swap ^ $backend.shift_left::<{ 1 << $level }>(swap);
        }
    }};
}

/// One layer: `controls` are its q/2 bits, in words.
#[inline(always)]
fn layer<B: LaneBackend>(backend: B, data: &mut [B::Word], controls: &[u64], level: usize) {
    match level {
        0 => short_stride!(backend, data, controls, 0),
        1 => short_stride!(backend, data, controls, 1),
        2 => short_stride!(backend, data, controls, 2),
        3 => short_stride!(backend, data, controls, 3),
        4 => short_stride!(backend, data, controls, 4),
        5 => short_stride!(backend, data, controls, 5),
        _ if level < B::LOG_LANES => {
            let distance = 1usize << (level - 6);
            for (vector, word) in data.iter_mut().enumerate() {
                let (mut mask, mut next) = ([0u64; 8], vector * B::WORDS / 2);
                for group in 0..B::WORDS {
                    if group & distance == 0 {
                        mask[group] = controls.get(next).copied().unwrap_or(0);
                        mask[group + distance] = mask[group];
                        next += 1;
                    }
                }
                let mask = backend.load(&mask[..B::WORDS]);
                *word = *word ^ ((*word ^ backend.exchange_groups(*word, level)) & mask);
            }
        }
        _ => {
            let stride = 1usize << (level - B::LOG_LANES);
            for block in (0..data.len()).step_by(2 * stride) {
                for within in 0..stride {
                    let at = (block / 2 + within) * B::WORDS;
                    let mask = backend.load(&controls[at..at + B::WORDS]);
                    let (lower, upper) = (data[block + within], data[block + within + stride]);
                    let swap = (lower ^ upper) & mask;
                    data[block + within] = lower ^ swap;
                    data[block + within + stride] = upper ^ swap;
                }
            }
        }
    }
}

/// Control bits in words, layer by layer; layers of fewer than 64 bits take one word.
pub(crate) fn control_words(m: usize, control: &[u8]) -> Vec<u64> {
    let bits = 1usize << (m - 1);
    let mut words = Vec::with_capacity((2 * m - 1) * bits.div_ceil(64));
    for layer in 0..2 * m - 1 {
        if bits >= 64 {
            let bytes = &control[layer * bits / 8..(layer + 1) * bits / 8];
            words.extend(bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)));
        } else {
            let bit = |index: usize| u64::from(control[index / 8] >> (index % 8) & 1);
            words.push((0..bits).map(|u| bit(layer * bits + u) << u).sum());
        }
    }
    words
}

/// Runs the network on one bit a position, forward (position j receives the bit of position pi(j)) or inverse.
pub(crate) fn permute_bits<B: LaneBackend>(
    backend: B,
    m: usize,
    control_words: &[u64],
    data: &mut [B::Word],
    inverse: bool,
) {
    let layer_words = (1usize << (m - 1)).div_ceil(64);
    backend.run(
        #[inline(always)]
        || {
            for step in 0..2 * m - 1 {
                let number = if inverse { 2 * m - 2 - step } else { step };
                let level = number.min(2 * m - 2 - number);
                layer(backend, data, &control_words[number * layer_words..(number + 1) * layer_words], level);
            }
        },
    );
}

/// Runs the network on a list of 2^m values, one swap at a time: the definition. Constant time.
pub fn permute(m: usize, control: &[u8], data: &mut [u16]) {
    let mut at = 0;
    for number in 0..2 * m - 1 {
        let stride = 1usize << number.min(2 * m - 2 - number);
        for block in (0..1usize << m).step_by(2 * stride) {
            for lower in block..block + stride {
                let bit = core::hint::black_box(control[at / 8] >> (at % 8) & 1);
                let swap = (data[lower] ^ data[lower + stride]) & 0u16.wrapping_sub(u16::from(bit));
                data[lower] ^= swap;
                data[lower + stride] ^= swap;
                at += 1;
            }
        }
    }
}
