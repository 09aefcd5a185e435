//! The permutation network of Classic McEliece on one bit a position.
//!
//! 2m - 1 layers on q = 2^m positions; layer l has stride 2^min(l, 2m-2-l). Swap number u of a layer is controlled by bit
//! l q/2 + u of the control string. Run forward, position j receives what stood at position pi(j). Constant time.

use gf2n::small::gf2m::backend::LaneBackend;

use crate::wiped::Wiped;

/// Length in bytes of the control bits for 2^m positions; 1 byte at least.
#[must_use]
pub const fn control_bytes(m: usize) -> usize {
    ((2 * m - 1) << (m - 1)).div_ceil(8)
}

/// Bits of the words' number are exchanged with the low bits of the lane before and after the layers of stride below 64, so
/// that all swaps are between words. Networks of fewer than 2^12 positions are run as parts of one of that size.
const SMALLEST: usize = 12;

/// A network with its control bits, in words and where the layers want them. Wiped when dropped.
pub struct Network {
    m: usize,
    controls: Wiped<u64>,
}

impl Network {
    /// Prepares the control bits ([`control_bytes`] of them) of a network on 2^m positions. Constant time.
    #[must_use]
    pub fn new<B: LaneBackend>(backend: B, m: usize, control: &[u8]) -> Self {
        let bits = 1usize << (m - 1);
        let layer_words = Self::layer_words(m);
        let mut controls = Wiped::<u64>::zeros((2 * m - 1) * layer_words);
        backend.run(
            #[inline(always)]
            || {
                for (number, layer) in controls.chunks_exact_mut(layer_words).enumerate() {
                    if bits >= 64 {
                        let bytes = &control[number * bits / 8..(number + 1) * bits / 8];
                        for (word, chunk) in layer.iter_mut().zip(bytes.as_chunks::<8>().0) {
                            *word = u64::from_le_bytes(*chunk);
                        }
                    } else {
                        for u in 0..bits {
                            let at = number * bits + u;
                            layer[0] |= u64::from(control[at / 8] >> (at % 8) & 1) << u;
                        }
                    }
                    if number.min(2 * m - 2 - number) < 6 {
                        for block in layer.chunks_mut(64) {
                            transpose(backend, block);
                        }
                    }
                }
            },
        );
        Self { m, controls }
    }

    /// Words of control bits of one layer.
    fn layer_words(m: usize) -> usize {
        1 << (m.max(SMALLEST) - 7)
    }

    /// Runs the network on one bit a position, forward (position j receives the bit of position pi(j)) or inverse. The 2^m bits are
    /// the first ones of `data`. Constant time.
    pub fn permute<B: LaneBackend>(&self, backend: B, data: &mut [u64], inverse: bool) {
        let m = self.m;
        let words = 2 * Self::layer_words(m);
        let mut natural = Wiped::<u64>::zeros(words);
        let mut other = Wiped::<u64>::zeros(words);
        let used = data.len().min(words);
        natural[..used].copy_from_slice(&data[..used]);
        backend.run(
            #[inline(always)]
            || {
                let layer_words = Self::layer_words(m);
                let mut transposed = false;
                for step in 0..2 * m - 1 {
                    let number = if inverse { 2 * m - 2 - step } else { step };
                    let controls = &self.controls[number * layer_words..(number + 1) * layer_words];
                    let level = number.min(2 * m - 2 - number);
                    if transposed != (level < 6) {
                        transposed = !transposed;
                        if transposed {
                            to_transposed(backend, &natural, &mut other);
                        } else {
                            from_transposed(backend, &mut other, &mut natural);
                        }
                    }
                    if transposed {
                        swap_layer(backend, &mut other, controls, level);
                    } else {
                        swap_layer(backend, &mut natural, controls, level - 6);
                    }
                }
                // the last layer has stride 1
                from_transposed(backend, &mut other, &mut natural);
            },
        );
        data[..used].copy_from_slice(&natural[..used]);
    }
}

/// Exchanges bit k of the lane with bit k of the word's number, for all bits of the latter, of at most six. There are two vectors of words at least.
#[inline(always)]
fn transpose<B: LaneBackend>(backend: B, words: &mut [u64]) {
    let bits = words.len().trailing_zeros();
    exchange_bit::<B, 0>(backend, words);
    exchange_bit::<B, 1>(backend, words);
    exchange_bit::<B, 2>(backend, words);
    exchange_bit::<B, 3>(backend, words);
    exchange_bit::<B, 4>(backend, words);
    if bits > 5 {
        exchange_bit::<B, 5>(backend, words);
    }
}

/// [`transpose`] for one bit.
#[inline(always)]
fn exchange_bit<B: LaneBackend, const BIT: usize>(backend: B, words: &mut [u64]) {
    let in_vector = B::LOG_LANES - 6;
    let distance = B::WORDS << BIT.saturating_sub(in_vector);
    for block in words.chunks_exact_mut(2 * distance) {
        let (low, high) = block.split_at_mut(distance);
        for (low, high) in low.chunks_exact_mut(B::WORDS).zip(high.chunks_exact_mut(B::WORDS)) {
            let (mut even, mut odd) = (backend.load(low), backend.load(high));
            if BIT < in_vector {
                // the number's bit is a bit of the vector's lane: it changes places with the lowest bit of the vector's number, and back
                (even, odd) = backend.swap_lane_bit(even, odd, 6 + BIT);
            }
            (even, odd) = backend.swap_lane_bit(even, odd, BIT);
            if BIT < in_vector {
                (even, odd) = backend.swap_lane_bit(even, odd, 6 + BIT);
            }
            backend.store(even, low);
            backend.store(odd, high);
        }
    }
}

/// From words whose lane is the low six bits of the position to words whose number has these bits: bit 6 of the position moves to the top of
/// every 128 (64) words first, then blocks of 64 words are transposed.
#[inline(always)]
fn to_transposed<B: LaneBackend>(backend: B, natural: &[u64], transposed: &mut [u64]) {
    let size = natural.len().min(128);
    for (from, to) in natural.chunks_exact(size).zip(transposed.chunks_exact_mut(size)) {
        let (even, odd) = to.split_at_mut(size / 2);
        for (pair, (even, odd)) in from.as_chunks::<2>().0.iter().zip(even.iter_mut().zip(odd)) {
            [*even, *odd] = *pair;
        }
    }
    for block in transposed.chunks_exact_mut(64) {
        transpose(backend, block);
    }
}

/// The inverse of [`to_transposed`].
#[inline(always)]
fn from_transposed<B: LaneBackend>(backend: B, transposed: &mut [u64], natural: &mut [u64]) {
    for block in transposed.chunks_exact_mut(64) {
        transpose(backend, block);
    }
    let size = natural.len().min(128);
    for (to, from) in natural.chunks_exact_mut(size).zip(transposed.chunks_exact(size)) {
        let (even, odd) = from.split_at(size / 2);
        for (pair, (even, odd)) in to.as_chunks_mut::<2>().0.iter_mut().zip(even.iter().zip(odd)) {
            *pair = [*even, *odd];
        }
    }
}

/// The conditional swaps of words whose numbers differ in bit `level`.
#[inline(always)]
fn swap_layer<B: LaneBackend>(backend: B, words: &mut [u64], controls: &[u64], level: usize) {
    let in_vector = B::LOG_LANES - 6;
    // a match on constants, so that the vectors of each case are shuffled by one instruction
    match level {
        0 if in_vector > 0 => swap_within::<B, 0>(backend, words, controls),
        1 if in_vector > 1 => swap_within::<B, 1>(backend, words, controls),
        2 if in_vector > 2 => swap_within::<B, 2>(backend, words, controls),
        _ => {
            let stride = 1usize << level;
            for (block, controls) in words.chunks_exact_mut(2 * stride).zip(controls.chunks_exact(stride)) {
                let (low, high) = block.split_at_mut(stride);
                for ((low, high), control) in low
                    .chunks_exact_mut(B::WORDS)
                    .zip(high.chunks_exact_mut(B::WORDS))
                    .zip(controls.chunks_exact(B::WORDS))
                {
                    let (first, second) = (backend.load(low), backend.load(high));
                    let swap = (first ^ second) & backend.load(control);
                    backend.store(first ^ swap, low);
                    backend.store(second ^ swap, high);
                }
            }
        }
    }
}

/// [`swap_layer`] for a bit of the number that lies inside of vectors: it changes places with the lowest bit of the vector's number meanwhile.
#[inline(always)]
fn swap_within<B: LaneBackend, const LEVEL: usize>(backend: B, words: &mut [u64], controls: &[u64]) {
    for (pair, controls) in words.chunks_exact_mut(2 * B::WORDS).zip(controls.chunks_exact(B::WORDS)) {
        let (low, high) = pair.split_at_mut(B::WORDS);
        let (mut first, mut second) = (backend.load(low), backend.load(high));
        (first, second) = backend.swap_lane_bit(first, second, 6 + LEVEL);
        let swap = (first ^ second) & backend.lower_top_group_bit(backend.load(controls), 6 + LEVEL);
        (first, second) = backend.swap_lane_bit(first ^ swap, second ^ swap, 6 + LEVEL);
        backend.store(first, low);
        backend.store(second, high);
    }
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
