//! Secret bytes that are wiped as one piece.

use alloc::{vec, vec::Vec};
use core::ops::{Deref, DerefMut};

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The official bytes of a secret key, wiped when dropped.
///
/// The wiping runs over the whole slice at once: a `Zeroizing<Vec<u8>>` wipes byte by byte, which for a secret key of megabytes
/// takes longer than a signature. The length is fixed, so that no copy stays behind. Comparisons take constant time for equal
/// lengths.
#[derive(Clone, Default)]
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self(vec![0; len])
    }
}

impl From<Vec<u8>> for SecretBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Zeroizing<Vec<u8>>> for SecretBytes {
    fn from(mut bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(core::mem::take(&mut *bytes))
    }
}

impl From<&[u8]> for SecretBytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Deref for SecretBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for SecretBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl AsRef<[u8]> for SecretBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq for SecretBytes {
    fn eq(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(&self.0[..], &other.0[..]).into()
    }
}

impl Eq for SecretBytes {}

impl core::fmt::Debug for SecretBytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretBytes").field("len", &self.0.len()).finish_non_exhaustive()
    }
}

impl Zeroize for SecretBytes {
    fn zeroize(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for SecretBytes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_in_and_are_wiped_on_request() {
        let mut bytes = SecretBytes::from(Zeroizing::new(vec![1, 2, 3]));
        assert_eq!(bytes[..], [1, 2, 3]);
        assert!(bytes == SecretBytes::from(vec![1, 2, 3]) && bytes != SecretBytes::zeros(3));
        bytes[0] = 7;
        assert!(!alloc::format!("{bytes:?}").contains('7'));
        bytes.zeroize();
        assert_eq!(bytes[..], [0; 3]);
    }
}
