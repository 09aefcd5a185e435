//! The two formats of a signature.

use alloc::vec;
use alloc::vec::Vec;

use super::error::check_length;
use super::{DualModeError, DualParameters};

/// A signature in the word format, taken apart.
pub(super) struct Parts<'a> {
    /// The inner signatures, the combined equations and the leaves as bytes.
    pub(super) inner: &'a [u8],
    pub(super) combined: &'a [u8],
    pub(super) leaves: &'a [u8],
    pub(super) paths: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Takes a signature apart and checks its padding.
    pub(super) fn new(parameters: &DualParameters, signature: &'a [u8]) -> Result<Self, DualModeError> {
        check_length(signature.len(), parameters.signature_len())?;
        let (inner, rest) = signature.split_at(parameters.inner_part_len());
        let (combined, rest) = rest.split_at(parameters.combined_part_len());
        let (leaves, paths) = rest.split_at(parameters.leaf_part_len());
        let shape = parameters.shape;
        check_fields(inner, 8 * shape.variable_words(), shape.variables(), 0)?;
        check_fields(combined, 8 * shape.monomial_words(), shape.monomials(), inner.len())?;
        check_leaves(parameters, leaves, inner.len() + combined.len())?;
        Ok(Self { inner, combined, leaves, paths })
    }
}

/// Every field of `size` bytes has zeros from bit `bits` on. `offset`: where the fields begin in the signature.
fn check_fields(fields: &[u8], size: usize, bits: usize, offset: usize) -> Result<(), DualModeError> {
    if size == 0 {
        return Ok(());
    }
    for (k, field) in fields.chunks_exact(size).enumerate() {
        for (byte, &value) in field.iter().enumerate().skip(bits / 8) {
            let used = bits.saturating_sub(8 * byte);
            if value >> used != 0 {
                return Err(DualModeError::Padding { byte: offset + k * size + byte });
            }
        }
    }
    Ok(())
}

/// Every word of a leaf has zeros behind its elements.
fn check_leaves(parameters: &DualParameters, leaves: &[u8], offset: usize) -> Result<(), DualModeError> {
    let (per, degree) = (parameters.elements_per_word(), parameters.mac_degree() as usize);
    let words = parameters.leaf_words();
    let last = parameters.shape.equations() - per * (words - 1);
    for (k, bytes) in leaves.as_chunks::<8>().0.iter().enumerate() {
        let used = degree * if k % words == words - 1 { last } else { per };
        if used < 64 {
            let padding = u64::from_le_bytes(*bytes) >> used;
            if padding != 0 {
                let byte = (used + padding.trailing_zeros() as usize) / 8;
                return Err(DualModeError::Padding { byte: offset + 8 * k + byte });
            }
        }
    }
    Ok(())
}

/// A string of bits, first bit lowest.
struct BitString {
    bytes: Vec<u8>,
    position: usize,
}

impl BitString {
    fn push(&mut self, value: u64, bits: usize) {
        for (k, byte) in ((u128::from(value)) << (self.position % 8)).to_le_bytes().into_iter().enumerate() {
            if byte != 0 {
                self.bytes[self.position / 8 + k] |= byte;
            }
        }
        self.position += bits;
    }

    fn take(&mut self, bits: usize) -> u64 {
        let first = self.position / 8;
        let mut window = [0; 16];
        let count = (self.bytes.len() - first).min(9);
        window[..count].copy_from_slice(&self.bytes[first..first + count]);
        let value = (u128::from_le_bytes(window) >> (self.position % 8)) as u64;
        self.position += bits;
        if bits == 64 { value } else { value & ((1 << bits) - 1) }
    }
}

/// The words of a signature's first three parts, each with the number of its bits that carry information, or for leaves the
/// number of elements.
fn word_bits(parameters: &DualParameters) -> impl Iterator<Item = usize> {
    let shape = parameters.shape;
    let field = |bits: usize| (0..bits.div_ceil(64)).map(move |k| (bits - 64 * k).min(64));
    let (per, degree) = (parameters.elements_per_word(), parameters.mac_degree() as usize);
    let (words, equations) = (parameters.leaf_words(), shape.equations());
    let inner = (0..parameters.inner_signatures).flat_map(move |_| field(shape.variables()));
    let combined = (0..parameters.combinations).flat_map(move |_| field(shape.monomials()));
    let leaves = (0..parameters.openings)
        .flat_map(move |_| (0..words).map(move |k| degree * (equations - per * k).min(per)));
    inner.chain(combined).chain(leaves)
}

impl DualParameters {
    /// The compact form of a signature in the word format: the bits that carry information in one bit string, filled up with
    /// zeros to a whole byte, then the paths.
    ///
    /// # Errors
    /// [`DualModeError::Length`] and [`DualModeError::Padding`] for bytes that are not of the word format;
    /// [`DualModeError::Parameters`] if [`Self::checked`] refuses the parameters.
    pub fn compact(&self, signature: &[u8]) -> Result<Vec<u8>, DualModeError> {
        self.checked().map_err(|_| DualModeError::Parameters)?;
        let parts = Parts::new(self, signature)?;
        let mut bits = BitString { bytes: vec![0; self.compact_bits().div_ceil(8)], position: 0 };
        let words = signature[..signature.len() - parts.paths.len()].as_chunks::<8>().0;
        for (word, used) in words.iter().zip(word_bits(self)) {
            bits.push(u64::from_le_bytes(*word), used);
        }
        bits.bytes.extend_from_slice(parts.paths);
        Ok(bits.bytes)
    }

    /// The word format of a compact signature.
    ///
    /// # Errors
    /// [`DualModeError::Length`] and [`DualModeError::Padding`] for bytes that are not of the compact format;
    /// [`DualModeError::Parameters`] if [`Self::checked`] refuses the parameters.
    pub fn expand_compact(&self, compact: &[u8]) -> Result<Vec<u8>, DualModeError> {
        self.checked().map_err(|_| DualModeError::Parameters)?;
        check_length(compact.len(), self.compact_len())?;
        let (string, paths) = compact.split_at(self.compact_bits().div_ceil(8));
        let padded = self.compact_bits() % 8;
        if padded != 0 && string.last().is_some_and(|last| last >> padded != 0) {
            return Err(DualModeError::Padding { byte: string.len() - 1 });
        }
        let mut bits = BitString { bytes: string.to_vec(), position: 0 };
        let mut signature = Vec::with_capacity(self.signature_len());
        for used in word_bits(self) {
            signature.extend_from_slice(&bits.take(used).to_le_bytes());
        }
        signature.extend_from_slice(paths);
        Ok(signature)
    }
}
