//! Lists that are overwritten with zeros when dropped.
//!
//! `Zeroizing<Vec<T>>` writes every byte of its capacity by itself, which for the hundreds of kilobytes of an elimination takes longer than
//! filling them took. Here the list is filled with zeros at full speed, and its address is made to escape afterwards, so that
//! the stores cannot be removed.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use zeroize::ZeroizeOnDrop;

/// Alignment of the lists of [`Wiped::zeros`] in bytes: a vector that starts there never crosses a cache line.
const ALIGNMENT: usize = 64;

/// A list of plain integers, wiped when dropped. Its length is fixed, so that no copy stays behind in a freed block.
pub struct Wiped<T: Copy + Default> {
    list: Vec<T>,
    start: usize,
}

impl<T: Copy + Default> Wiped<T> {
    /// Takes a list over.
    #[must_use]
    pub fn new(list: Vec<T>) -> Self {
        Self { list, start: 0 }
    }

    /// A list of `length` zeros that starts on a cache line.
    #[must_use]
    pub fn zeros(length: usize) -> Self {
        let spare = ALIGNMENT / size_of::<T>().max(1);
        let list = alloc::vec![T::default(); length + spare];
        // an offset that cannot be known costs the alignment only
        let start = list.as_ptr().align_offset(ALIGNMENT).min(spare);
        let mut aligned = Self { list, start };
        aligned.list.truncate(start + length);
        aligned
    }

    /// [`zeros`](Self::zeros) in a block with room for as many entries again, which are never touched.
    ///
    /// For the largest list of an operation that is done again and again: an allocator that returns the end of the heap to the system above
    /// some multiple of the largest block it has seen (glibc: twice) then keeps the pages of all lists for the next time.
    #[must_use]
    pub fn zeros_with_room(length: usize) -> Self {
        let spare = ALIGNMENT / size_of::<T>().max(1);
        let mut list: Vec<T> = Vec::with_capacity(2 * length + spare);
        let start = list.as_ptr().align_offset(ALIGNMENT).min(spare);
        list.resize(start + length, T::default());
        Self { list, start }
    }

    /// The first `length` entries of a scratch list, which is replaced by a longer one if it is too short. Old entries remain.
    #[must_use]
    pub fn scratch(&mut self, length: usize) -> &mut [T] {
        if self.len() < length {
            *self = Self::zeros(length);
        }
        &mut self[..length]
    }
}

impl<T: Copy + Default> Deref for Wiped<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.list[self.start..]
    }
}

impl<T: Copy + Default> DerefMut for Wiped<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.list[self.start..]
    }
}

impl<T: Copy + Default> Drop for Wiped<T> {
    fn drop(&mut self) {
        self.list.fill(T::default());
        core::hint::black_box(self.list.as_mut_slice());
    }
}

impl<T: Copy + Default> ZeroizeOnDrop for Wiped<T> {}
