//! Buffers that are wiped when dropped.

use alloc::{vec, vec::Vec};
use core::ops::{Deref, DerefMut};

use zeroize::{DefaultIsZeroes, Zeroize, ZeroizeOnDrop};

/// Numbers on the heap that are wiped, as one slice, when dropped. (A `Zeroizing<Vec<_>>` wipes number by number, which takes longer than
/// many of the computations that fill such a buffer.) The length is fixed, so that no copy stays behind.
pub(crate) struct SecretVec<T: DefaultIsZeroes>(Vec<T>);

impl<T: DefaultIsZeroes> SecretVec<T> {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        Self(vec![T::default(); len])
    }

    /// The first `len` values of an iterator; zeros where it has fewer.
    pub(crate) fn of(values: impl Iterator<Item = T>, len: usize) -> Self {
        let mut out = Self::zeros(len);
        for (place, value) in out.0.iter_mut().zip(values) {
            *place = value;
        }
        out
    }
}

impl<T: DefaultIsZeroes> Deref for SecretVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: DefaultIsZeroes> DerefMut for SecretVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: DefaultIsZeroes> Drop for SecretVec<T> {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl<T: DefaultIsZeroes> ZeroizeOnDrop for SecretVec<T> {}
