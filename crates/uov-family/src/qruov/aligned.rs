//! Byte buffers that begin at a cache line: the streams and weights that vector kernels read.

use alloc::{vec, vec::Vec};
use core::ops::{Deref, DerefMut};

use zeroize::Zeroize;

const LINE: usize = 64;

/// Zero-initialised bytes that begin at a multiple of 64. The alignment is a matter of speed only: a clone may not have it.
#[derive(Clone)]
pub(crate) struct AlignedBytes {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBytes {
    pub(crate) fn new(len: usize) -> Self {
        let bytes = vec![0; len + LINE - 1];
        // `align_offset` may decline (it returns `usize::MAX`)
        let start = bytes.as_ptr().align_offset(LINE).min(LINE - 1);
        Self { bytes, start, len }
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

impl Zeroize for AlignedBytes {
    fn zeroize(&mut self) {
        self.bytes.as_mut_slice().zeroize();
    }
}
