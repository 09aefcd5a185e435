//! Secret numbers that are wiped as one piece.

use alloc::{vec, vec::Vec};
use core::ops::{Deref, DerefMut};

use zeroize::{DefaultIsZeroes, Zeroize, ZeroizeOnDrop, Zeroizing};

/// Numbers on the heap that are wiped when dropped.
///
/// The wiping runs over the whole slice at once: a `Zeroizing<Vec<_>>` wipes number by number, which takes longer than many of
/// the computations that fill such a list. The length is fixed, so that no copy stays behind.
#[derive(Clone, Default)]
pub struct SecretVec<T: DefaultIsZeroes>(Vec<T>);

/// Secret bytes. Comparisons take constant time for equal lengths.
pub type SecretBytes = SecretVec<u8>;

impl<T: DefaultIsZeroes> SecretVec<T> {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self(vec![T::default(); len])
    }

    /// The first `len` values of an iterator; zeros where it has fewer.
    #[must_use]
    pub fn of(values: impl Iterator<Item = T>, len: usize) -> Self {
        let mut out = Self::zeros(len);
        for (place, value) in out.0.iter_mut().zip(values) {
            *place = value;
        }
        out
    }
}

impl<T: DefaultIsZeroes> From<Vec<T>> for SecretVec<T> {
    fn from(list: Vec<T>) -> Self {
        Self(list)
    }
}

impl<T: DefaultIsZeroes> From<Zeroizing<Vec<T>>> for SecretVec<T> {
    fn from(mut list: Zeroizing<Vec<T>>) -> Self {
        Self(core::mem::take(&mut *list))
    }
}

impl<T: DefaultIsZeroes> From<&[T]> for SecretVec<T> {
    fn from(list: &[T]) -> Self {
        Self(list.to_vec())
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

impl<T: DefaultIsZeroes> AsRef<[T]> for SecretVec<T> {
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl PartialEq for SecretBytes {
    fn eq(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(&self.0[..], &other.0[..]).into()
    }
}

impl Eq for SecretBytes {}

impl<T: DefaultIsZeroes> core::fmt::Debug for SecretVec<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretVec").field("len", &self.0.len()).finish_non_exhaustive()
    }
}

impl<T: DefaultIsZeroes> Zeroize for SecretVec<T> {
    fn zeroize(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl<T: DefaultIsZeroes> Drop for SecretVec<T> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<T: DefaultIsZeroes> ZeroizeOnDrop for SecretVec<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_move_in_and_are_wiped_on_request() {
        let mut bytes = SecretBytes::from(Zeroizing::new(vec![1, 2, 3]));
        assert_eq!(bytes[..], [1, 2, 3]);
        assert!(bytes == SecretBytes::from(vec![1, 2, 3]) && bytes != SecretBytes::zeros(3));
        bytes[0] = 7;
        assert!(!alloc::format!("{bytes:?}").contains('7'));
        bytes.zeroize();
        assert_eq!(bytes[..], [0; 3]);
        assert_eq!(SecretVec::of([5_u16, 6].into_iter(), 3)[..], [5, 6, 0]);
    }
}
