//! Byte buffers that are wiped when dropped.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes on the heap that are wiped, as one slice, when dropped. (A `Zeroizing<Vec<u8>>` wipes byte by byte, which costs more
/// than the products for which such a buffer is filled.) The length is fixed, so that no copy stays behind.
#[derive(Default)]
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self(vec![0; len])
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

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for SecretBytes {}
