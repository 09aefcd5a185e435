//! SHAKE128 and SHAKE256 (FIPS 202) of one input, and of several short inputs side by side.

use mq_eval::keccak::{Kernel, StateLanes, permute, permute_one, run_widest};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Rate of SHAKE128 in bytes.
pub(crate) const SHAKE128_RATE: usize = 168;
/// Rate of SHAKE256 in bytes.
pub(crate) const SHAKE256_RATE: usize = 136;

/// A SHAKE sponge: absorb any number of times, then squeeze any number of times. Wiped when dropped.
pub(crate) struct Shake {
    state: [u64; 25],
    rate: usize,
    /// Bytes of the current block that were absorbed or squeezed.
    position: usize,
    squeezing: bool,
}

impl Shake {
    /// An empty sponge with [`SHAKE128_RATE`] or [`SHAKE256_RATE`].
    pub(crate) fn new(rate: usize) -> Self {
        Self { state: [0; 25], rate, position: 0, squeezing: false }
    }

    /// Absorbs `bytes`. To be called before the first [`Self::squeeze`] only.
    pub(crate) fn absorb(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.position.is_multiple_of(8)
                && let Some((words, _)) = bytes.split_at_checked((self.rate - self.position) / 8 * 8)
                && !words.is_empty()
            {
                let first = self.position / 8;
                for (word, bytes) in self.state[first..].iter_mut().zip(words.as_chunks::<8>().0) {
                    *word ^= u64::from_le_bytes(*bytes);
                }
                self.position += words.len();
                bytes = &bytes[words.len()..];
            } else {
                self.mix(bytes[0]);
                self.position += 1;
                bytes = &bytes[1..];
            }
            if self.position == self.rate {
                permute_one(&mut self.state);
                self.position = 0;
            }
        }
    }

    fn mix(&mut self, byte: u8) {
        self.state[self.position / 8] ^= u64::from(byte) << (8 * (self.position % 8));
    }

    /// The next `out.len()` bytes of output.
    pub(crate) fn squeeze(&mut self, out: &mut [u8]) {
        if !self.squeezing {
            self.mix(0x1f);
            self.state[self.rate / 8 - 1] ^= 1 << 63;
            permute_one(&mut self.state);
            self.position = 0;
            self.squeezing = true;
        }
        let mut out = out;
        while !out.is_empty() {
            if self.position == self.rate {
                permute_one(&mut self.state);
                self.position = 0;
            }
            let (word, byte) = (self.position / 8, self.position % 8);
            let bytes = self.state[word].to_le_bytes();
            let len = out.len().min(8 - byte);
            let (now, later) = out.split_at_mut(len);
            now.copy_from_slice(&bytes[byte..byte + len]);
            self.position += len;
            out = later;
        }
    }
}

impl Drop for Shake {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl ZeroizeOnDrop for Shake {}

/// Output of the sponge of `rate` for `parts` in a row.
pub(crate) fn shake(rate: usize, parts: &[&[u8]], out: &mut [u8]) {
    let mut sponge = Shake::new(rate);
    for part in parts {
        sponge.absorb(part);
    }
    sponge.squeeze(out);
}

/// SHAKE with `rate` bytes a block of `seed || index` (two bytes, big-endian): the output for `indices[e]` goes to the front of
/// `out[e * stride..]`, `length` bytes, possibly followed by the rest of a block of `rate` bytes.
///
/// `seed` has at most `rate - 3` bytes. Nothing here depends on `seed` but the data.
#[inline(never)]
pub(crate) fn shake_indexed(
    rate: usize,
    seed: &[u8],
    indices: &[u16],
    (out, stride): (&mut [u8], usize),
    length: usize,
) {
    run_widest(Indexed { rate, seed, indices, out, stride, length });
}

/// The arguments of [`shake_indexed`].
struct Indexed<'a> {
    rate: usize,
    seed: &'a [u8],
    indices: &'a [u16],
    out: &'a mut [u8],
    stride: usize,
    length: usize,
}

impl Kernel for Indexed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: StateLanes>(self, lanes: L) {
        let words = self.rate / 8;
        for (group, indices) in self.indices.chunks(L::COUNT).enumerate() {
            let mut blocks = [[0_u8; SHAKE128_RATE]; 8];
            for (state, block) in blocks.iter_mut().enumerate() {
                // a last group that is not full repeats its first index; the copies are not written out
                let index = indices.get(state).copied().unwrap_or(indices[0]);
                let (seed, rest) = block.split_at_mut(self.seed.len());
                seed.copy_from_slice(self.seed);
                rest[..2].copy_from_slice(&index.to_be_bytes());
                rest[2] = 0x1f;
                block[self.rate - 1] |= 0x80;
            }
            let mut a = [lanes.splat(0); 25];
            for (i, word) in a.iter_mut().enumerate().take(words) {
                *word = lanes.gather(
                    #[inline(always)]
                    |state| u64::from_le_bytes(blocks[state].as_chunks::<8>().0[i]),
                );
            }
            let base = group * L::COUNT * self.stride;
            for at in (0..self.length).step_by(self.rate) {
                permute(lanes, &mut a);
                for (i, word) in a.iter().enumerate().take(words) {
                    let mut values = [0; 8];
                    lanes.write(*word, &mut values);
                    for (state, value) in values.iter().enumerate().take(indices.len().min(L::COUNT)) {
                        let start = base + state * self.stride + at + 8 * i;
                        self.out[start..start + 8].copy_from_slice(&value.to_le_bytes());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::shake::{ExtendableOutput, Update, XofReader};
    use alloc::{vec, vec::Vec};
    use gf2n::backend::{Level, set_ceiling};
    use proptest::prelude::*;

    proptest! {
        /// Any cut of input and output gives the bytes of the `shake` crate.
        #[test]
        fn agrees_with_the_crate(
            inputs in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..400), 0..4),
            outputs in proptest::collection::vec(0_usize..400, 1..4),
        ) {
            let mut hashers = (::shake::Shake128::default(), ::shake::Shake256::default());
            let mut sponges = [Shake::new(SHAKE128_RATE), Shake::new(SHAKE256_RATE)];
            for input in &inputs {
                hashers.0.update(input);
                hashers.1.update(input);
                sponges.iter_mut().for_each(|sponge| sponge.absorb(input));
            }
            let total: usize = outputs.iter().sum();
            let (mut first, mut second) = (vec![0; total], vec![0; total]);
            hashers.0.finalize_xof().read(&mut first);
            hashers.1.finalize_xof().read(&mut second);
            for (sponge, expected) in sponges.iter_mut().zip([first, second]) {
                let mut squeezed = Vec::new();
                for &len in &outputs {
                    let mut part = vec![0; len];
                    sponge.squeeze(&mut part);
                    squeezed.extend_from_slice(&part);
                }
                prop_assert_eq!(squeezed, expected);
            }
        }
    }

    /// Groups that are full and not, on every back end.
    #[test]
    fn side_by_side_agrees_with_one_after_the_other() {
        for level in Level::ALL {
            set_ceiling(level);
            for (rate, seed_len) in [(168, 16), (136, 16), (136, 24), (136, 32)] {
                let seed: Vec<u8> = (0..seed_len).map(|i| i as u8 * 7 + 1).collect();
                let indices: Vec<u16> = (0..19).map(|i| i * 331).collect();
                let (stride, length) = (1024, 777);
                let mut out = vec![0; stride * indices.len()];
                shake_indexed(rate, &seed, &indices, (&mut out, stride), length);
                for (e, index) in indices.iter().enumerate() {
                    let mut expected = vec![0; length];
                    shake(rate, &[&seed, &index.to_be_bytes()], &mut expected);
                    assert_eq!(&out[e * stride..][..length], &expected[..], "rate {rate} stream {e}");
                }
            }
        }
        set_ceiling(Level::Avx512);
    }
}
