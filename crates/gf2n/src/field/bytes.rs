//! Elements as bytes, and random elements.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use rand_core::TryRng;
use zeroize::Zeroize;

use super::Gf2n;
use crate::modulus::{MAX_DEGREE, Modulus};

/// Why bytes are not an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementError {
    /// The input is not ceil(N / 8) bytes long.
    Length {
        /// ceil(N / 8).
        expected: usize,
        /// The length of the input.
        actual: usize,
    },
    /// A bit from N on is set.
    NonZeroPadding {
        /// The degree N.
        degree: usize,
    },
}

impl fmt::Display for ElementError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(formatter, "field element has {actual} bytes instead of {expected}")
            }
            Self::NonZeroPadding { degree } => {
                write!(formatter, "field element of {degree} bits has a non-zero padding bit")
            }
        }
    }
}

impl core::error::Error for ElementError {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Gf2n<N, L, M> {
    /// The element with this encoding: ceil(N / 8) bytes, little-endian, coefficient i in bit i mod 8 of byte i / 8. Only the
    /// canonical encoding is accepted.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ElementError> {
        if bytes.len() != Self::BYTES {
            return Err(ElementError::Length { expected: Self::BYTES, actual: bytes.len() });
        }
        Self::from_limbs(limbs_of(bytes)).ok_or(ElementError::NonZeroPadding { degree: N })
    }

    /// Writes the encoding into a slice of exactly ceil(N / 8) bytes.
    pub fn write_bytes(&self, bytes: &mut [u8]) -> Result<(), ElementError> {
        if bytes.len() != Self::BYTES {
            return Err(ElementError::Length { expected: Self::BYTES, actual: bytes.len() });
        }
        for (chunk, limb) in bytes.chunks_mut(8).zip(self.limbs()) {
            let length = chunk.len();
            chunk.copy_from_slice(&limb.to_le_bytes()[..length]);
        }
        Ok(())
    }

    /// The encoding: ceil(N / 8) bytes, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::BYTES];
        for (chunk, limb) in bytes.chunks_mut(8).zip(self.limbs()) {
            let length = chunk.len();
            chunk.copy_from_slice(&limb.to_le_bytes()[..length]);
        }
        bytes
    }

    /// A uniformly random element: one request of ceil(N / 8) bytes, bits from N on cleared.
    pub fn random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut buffer = [0; MAX_DEGREE / 8];
        let bytes = &mut buffer[..Self::BYTES];
        let outcome = rng.try_fill_bytes(bytes);
        let element = Self::from_limbs_truncated(limbs_of(bytes));
        buffer.zeroize();
        outcome.map(|()| element)
    }
}

fn limbs_of<const L: usize>(bytes: &[u8]) -> [u64; L] {
    let mut limbs = [0; L];
    for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks(8)) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        *limb = u64::from_le_bytes(word);
    }
    limbs
}
