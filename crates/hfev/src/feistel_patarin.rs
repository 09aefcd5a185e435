//! The Feistel-Patarin construction: several inversions chained, so that collisions of short hashes do not help.
//!
//! With the public map p from N bits to M bits and targets D_1, ..., D_k (S_0 = 0):
//!
//! * signing: for i = 1..k let z be a preimage of D_i + S_(i-1); S_i is its first M bits, X_i the others;
//! * the signature is the bit string S_k, X_k, X_(k-1), ..., X_1;
//! * verification: for i = k..1 let S_(i-1) = p(S_i, X_i) + D_i, and accept if S_0 = 0.
//!
//! Source: Patarin, Courtois, Goubin, "QUARTZ, 128-bit long digital signatures", CT-RSA 2001.

use alloc::{vec, vec::Vec};

use gf2n::matrix::words_for;
use zeroize::{Zeroize, Zeroizing};

use crate::Parameters;
use crate::bits::{copy_bits, extract_bits, words_from_bytes, words_to_bytes};

/// Why signature bytes are malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// A wrong number of bytes.
    #[error("signature has {actual} bytes, expected {expected}")]
    Length {
        /// The length that the parameters need.
        expected: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A bit behind the last one is set.
    #[error("non-zero padding bit in byte {byte} of the signature")]
    Padding {
        /// Offset of the byte that holds the bit.
        byte: usize,
    },
}

/// Sizes of a chain: N input bits, M output bits, k rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeistelPatarin {
    inputs: usize,
    outputs: usize,
    rounds: usize,
}

impl From<Parameters> for FeistelPatarin {
    fn from(parameters: Parameters) -> Self {
        Self {
            inputs: parameters.variables(),
            outputs: parameters.equations(),
            rounds: parameters.iterations(),
        }
    }
}

impl FeistelPatarin {
    /// Length of a signature in bits.
    #[must_use]
    pub const fn signature_bits(&self) -> usize {
        self.inputs + (self.rounds - 1) * (self.inputs - self.outputs)
    }

    /// Length of a signature in bytes.
    #[must_use]
    pub const fn signature_bytes(&self) -> usize {
        self.signature_bits().div_ceil(8)
    }

    /// Chains the inversions. `targets` holds D_1, ..., D_k, ceil(M/64) words each; `invert(i, d)` gives N bits with
    /// p(those) = d for round i (from 0), or `None` where this chain is given up. The bytes of the signature, or `None`.
    ///
    /// # Errors
    /// Those of `invert`.
    ///
    /// # Panics
    /// If `targets` is shorter than that.
    pub fn sign<E>(
        &self,
        targets: &[u64],
        mut invert: impl FnMut(usize, &[u64]) -> Result<Option<Zeroizing<Vec<u64>>>, E>,
    ) -> Result<Option<Vec<u8>>, E> {
        let width = words_for(self.outputs);
        let rest = self.inputs - self.outputs;
        // filled from the end: X_1 is the last part
        let mut signature = Zeroizing::new(vec![0; words_for(self.signature_bits())]);
        let mut state = Zeroizing::new(vec![0; width]);
        for round in 0..self.rounds {
            let target = &targets[round * width..(round + 1) * width];
            state.iter_mut().zip(target).for_each(|(s, d)| *s ^= d);
            let Some(preimage) = invert(round, &state)? else {
                return Ok(None);
            };
            let end = self.signature_bits() - round * rest;
            copy_bits(&preimage, self.outputs, &mut signature, end - rest, rest);
            state.zeroize();
            state.resize(width, 0);
            copy_bits(&preimage, 0, &mut state, 0, self.outputs);
        }
        copy_bits(&state, 0, &mut signature, 0, self.outputs);
        let mut bytes = vec![0; self.signature_bytes()];
        words_to_bytes(&signature, &mut bytes);
        Ok(Some(bytes))
    }

    /// Checks length and padding of a signature.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn check(&self, signature: &[u8]) -> Result<(), SignatureError> {
        let expected = self.signature_bytes();
        if signature.len() != expected {
            return Err(SignatureError::Length { expected, actual: signature.len() });
        }
        match signature.last() {
            Some(&last)
                if !self.signature_bits().is_multiple_of(8) && last >> (self.signature_bits() % 8) != 0 =>
            {
                Err(SignatureError::Padding { byte: expected - 1 })
            }
            _ => Ok(()),
        }
    }

    /// Whether the chain of a signature ends at zero. `targets` as in [`Self::sign`]; `evaluate(x, y)` sets y := p(x).
    /// Everything is public.
    ///
    /// # Errors
    /// [`SignatureError`] if the bytes are malformed.
    ///
    /// # Panics
    /// If `targets` is shorter than that.
    pub fn verify(
        &self,
        signature: &[u8],
        targets: &[u64],
        mut evaluate: impl FnMut(&[u64], &mut [u64]),
    ) -> Result<bool, SignatureError> {
        self.check(signature)?;
        let bits = words_from_bytes(signature);
        let width = words_for(self.outputs);
        let rest = self.inputs - self.outputs;
        let mut point = extract_bits(&bits, 0, self.inputs);
        let mut value = vec![0; width];
        let mut position = self.inputs;
        for round in (0..self.rounds).rev() {
            value.fill(0);
            evaluate(&point, &mut value);
            let target = &targets[round * width..(round + 1) * width];
            value.iter_mut().zip(target).for_each(|(s, d)| *s ^= d);
            if round > 0 {
                point.fill(0);
                copy_bits(&value, 0, &mut point, 0, self.outputs);
                copy_bits(&bits, position, &mut point, self.outputs, rest);
                position += rest;
            }
        }
        Ok(value.iter().all(|&word| word == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;

    /// p(x) = the first M bits of x, and a preimage fills the rest with ones.
    #[test]
    fn a_chain_of_projections() {
        for (n, minus, vinegar, iterations) in [(25, 5, 6, 3), (24, 8, 8, 2), (130, 2, 0, 4), (70, 6, 64, 1)]
        {
            let parameters = Parameters::new(n, 9, minus, vinegar, iterations).unwrap();
            let chain = FeistelPatarin::from(parameters);
            let (inputs, outputs) = (parameters.variables(), parameters.equations());
            let width = words_for(outputs);
            let mut targets = vec![0x9e37_79b9_7f4a_7c15; width * iterations];
            for target in targets.chunks_mut(width) {
                crate::bits::clear_from(target, outputs);
            }
            let invert = |_: usize, target: &[u64]| {
                let mut x = vec![0; words_for(inputs)];
                copy_bits(target, 0, &mut x, 0, outputs);
                copy_bits(&[u64::MAX; 17], 0, &mut x, outputs, inputs - outputs);
                Ok::<_, Infallible>(Some(Zeroizing::new(x)))
            };
            let evaluate = |x: &[u64], y: &mut [u64]| copy_bits(x, 0, y, 0, outputs);
            let signature = chain.sign(&targets, invert).unwrap().unwrap();
            assert_eq!(signature.len(), parameters.signature_bits().div_ceil(8));
            assert_eq!(chain.verify(&signature, &targets, evaluate), Ok(true));
            // bits of S_k decide; a projection ignores the X_i
            for bit in 0..outputs {
                let mut wrong = signature.clone();
                wrong[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(chain.verify(&wrong, &targets, evaluate), Ok(false));
            }
            for bit in parameters.signature_bits()..8 * signature.len() {
                let mut dirty = signature.clone();
                dirty[bit / 8] ^= 1 << (bit % 8);
                let error = SignatureError::Padding { byte: signature.len() - 1 };
                assert_eq!(chain.verify(&dirty, &targets, evaluate), Err(error));
            }
            let error = SignatureError::Length { expected: signature.len(), actual: signature.len() - 1 };
            assert_eq!(chain.verify(&signature[1..], &targets, evaluate), Err(error));
            let given_up = chain.sign(&targets, |_, _| Ok::<_, Infallible>(None)).unwrap();
            assert_eq!(given_up, None);
        }
    }
}
