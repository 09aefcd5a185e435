//! The evaluation points.

use alloc::vec;
use alloc::vec::Vec;

use super::DualParameters;
use super::hash::sha3_long;

/// The points Z_0, Z_1, ... of a key.
#[derive(Clone)]
pub(super) enum Points {
    /// Z_i = i.
    WholeField,
    /// Drawn from a seed: the words of the long hash, several points in each.
    Drawn(Vec<u64>),
}

impl Points {
    /// The points of a seed (empty where the points are the whole field). This is a sequential hash computation of some
    /// milliseconds for the official parameter sets.
    pub(super) fn new(parameters: &DualParameters, seed: &[u8]) -> Self {
        if parameters.full_field() {
            return Self::WholeField;
        }
        let mut bytes = vec![0; 8 * parameters.points().div_ceil(parameters.elements_per_word())];
        sha3_long(parameters.security, seed, &mut bytes);
        Self::Drawn(words(&bytes))
    }

    /// Z_i.
    pub(super) fn get(&self, parameters: &DualParameters, index: usize) -> u32 {
        match self {
            Self::WholeField => index as u32,
            Self::Drawn(words) => element(parameters, words, index),
        }
    }
}

/// Element `index` of packed MAC field elements.
#[inline(always)]
pub(super) fn element(parameters: &DualParameters, words: &[u64], index: usize) -> u32 {
    let (per, degree) = (parameters.elements_per_word(), parameters.mac_degree());
    let shift = degree * (index % per) as u32;
    (words[index / per] >> shift & ((1 << degree) - 1)) as u32
}

/// Whole words, little-endian.
pub(super) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
