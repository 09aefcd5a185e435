//! Lists that are overwritten with zeros when dropped.
//!
//! `Zeroizing<Vec<T>>` writes every byte of its capacity by itself, which for the hundreds of kilobytes of an elimination takes longer than
//! filling them took. Here the list is filled with zeros at full speed, and its address is made to escape afterwards, so that
//! the stores cannot be removed.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use zeroize::ZeroizeOnDrop;

/// A list of plain integers, wiped when dropped. Its length is fixed, so that no copy stays behind in a freed block.
pub struct Wiped<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> Wiped<T> {
    /// Takes a list over.
    #[must_use]
    pub fn new(list: Vec<T>) -> Self {
        Self(list)
    }
}

impl<T: Copy + Default> Deref for Wiped<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Wiped<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> Drop for Wiped<T> {
    fn drop(&mut self) {
        self.0.fill(T::default());
        core::hint::black_box(self.0.as_mut_slice());
    }
}

impl<T: Copy + Default> ZeroizeOnDrop for Wiped<T> {}
