//! SHA-2 by security level, and the chain that stretches a digest to the targets of the iterations.

use alloc::{vec, vec::Vec};

use hfev::bits::{clear_from, words_from_bytes};
use sha2::{Digest, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

/// The hash function of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hash {
    /// SHA-256, 32 bytes.
    Sha256,
    /// SHA-384, 48 bytes.
    Sha384,
    /// SHA-512, 64 bytes.
    Sha512,
}

impl Hash {
    /// Length of a digest in bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a digest is never empty")]
    pub const fn len(self) -> usize {
        match self {
            Hash::Sha256 => 32,
            Hash::Sha384 => 48,
            Hash::Sha512 => 64,
        }
    }

    /// The digest of the parts one after another.
    #[must_use]
    pub fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        fn of<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let mut hasher = D::new();
            for part in parts {
                hasher.update(part);
            }
            hasher.finalize().to_vec()
        }
        match self {
            Hash::Sha256 => of::<Sha256>(parts),
            Hash::Sha384 => of::<Sha384>(parts),
            Hash::Sha512 => of::<Sha512>(parts),
        }
    }

    /// The first 8 bytes of the digest as a little-endian number; the digest is wiped.
    pub(super) fn number(self, bytes: &[u8]) -> u64 {
        let digest = Zeroizing::new(self.digest(&[bytes]));
        digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// D_1, ..., D_k of `bits` bits each, in words: consecutive pieces of ceil(bits / 8) bytes of
    /// block || H(block) || H(H(block)) || ..., bits beyond the last one cleared.
    pub(super) fn targets(self, block: Vec<u8>, iterations: usize, bits: usize) -> Vec<u64> {
        let piece = bits.div_ceil(8);
        let mut stream = Vec::with_capacity(iterations * piece + self.len());
        let mut block = block;
        while stream.len() < iterations * piece {
            stream.extend_from_slice(&block);
            block = self.digest(&[&block]);
        }
        let mut targets = Vec::with_capacity(iterations * bits.div_ceil(64));
        for bytes in stream.chunks_exact(piece).take(iterations) {
            let mut target = vec![0; bits.div_ceil(64)];
            for (word, bits) in target.iter_mut().zip(words_from_bytes(bytes)) {
                *word = bits;
            }
            clear_from(&mut target, bits);
            targets.extend(target);
        }
        targets
    }
}
