//! SHAKE128 and SHAKE256 of one input (FIPS 202), on the permutation that the parallel streams use.

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::backend::{Backend, with_backend};

#[inline(never)]
fn permute(state: &mut [u64; 25]) {
    with_backend!(|backend| backend.run(
        #[inline(always)]
        || backend.permute(state)
    ));
}

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
                permute(&mut self.state);
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
            permute(&mut self.state);
            self.position = 0;
            self.squeezing = true;
        }
        let mut out = out;
        while !out.is_empty() {
            if self.position == self.rate {
                permute(&mut self.state);
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

#[cfg(test)]
mod tests {
    use super::*;
    use ::shake::{ExtendableOutput, Update, XofReader};
    use alloc::{vec, vec::Vec};
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
}
