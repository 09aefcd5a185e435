//! What signer and verifier both derive from the message: digests, combination rows, challenge.

use alloc::vec;
use alloc::vec::Vec;

use super::DualParameters;
use super::hash::MessageHash;
use super::points::{element, words};

/// The hashes of one message.
pub(super) struct Transcript<'p> {
    parameters: &'p DualParameters,
    hash: MessageHash,
}

impl<'p> Transcript<'p> {
    pub(super) fn new(parameters: &'p DualParameters, message: &[u8]) -> Self {
        Self { parameters, hash: MessageHash::new(parameters.security, message) }
    }

    /// D_0, D_1, ...: what the inner signatures sign, m bits in [`mq_eval::gf2::Shape::equation_words`] words each.
    pub(super) fn digests(&self) -> Vec<u64> {
        let (width, digest_len) =
            (self.parameters.shape.equation_words(), self.parameters.security.digest_len());
        let hashes = self.hash.hash_indices(self.parameters.inner_signatures, digest_len);
        let mut digests = Vec::with_capacity(self.parameters.inner_signatures * width);
        for hash in hashes.chunks_exact(digest_len) {
            let first = digests.len();
            digests.extend(words(hash).into_iter().take(width));
            self.mask_equations(&mut digests[first..]);
        }
        digests
    }

    /// t_0, t_1, ...: which equations are combined, m bits in words each, given the inner signatures.
    pub(super) fn combination_rows(&self, inner: &[u8]) -> Vec<u64> {
        let width = self.parameters.shape.equation_words();
        let mut bytes = vec![0; 8 * self.parameters.combinations * width];
        self.hash.hash(&[inner], &mut bytes);
        let mut rows = words(&bytes);
        for row in rows.chunks_exact_mut(width) {
            self.mask_equations(row);
        }
        rows
    }

    /// o_0, o_1, ...: which leaves are opened, given the inner signatures and the combined equations.
    pub(super) fn challenge(&self, inner: &[u8], combined: &[u8]) -> Vec<usize> {
        let parameters = self.parameters;
        let count = parameters.openings;
        if parameters.full_field() {
            let mut bytes = vec![0; 8 * count.div_ceil(parameters.elements_per_word())];
            self.hash.hash(&[inner, combined], &mut bytes);
            let words = words(&bytes);
            return (0..count).map(|j| element(parameters, &words, j) as usize).collect();
        }
        let mut bytes = vec![0; 4 * count];
        self.hash.hash(&[inner, combined], &mut bytes);
        let indices = bytes.as_chunks::<4>().0.iter();
        indices.map(|b| u32::from_le_bytes(*b) as usize & (parameters.points() - 1)).collect()
    }

    fn mask_equations(&self, row: &mut [u64]) {
        let used = self.parameters.shape.equations() % 64;
        if let (Some(last), true) = (row.last_mut(), used != 0) {
            *last &= (1 << used) - 1;
        }
    }
}
