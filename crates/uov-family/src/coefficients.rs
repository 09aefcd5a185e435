//! Where the coefficients of a map come from: stored bytes, or a keystream that is made chunk by chunk and consumed while it
//! is in the cache.

use alloc::vec::Vec;

use crate::counter_cipher::CounterCipher;
use crate::words32::aes::PublicKeyAes;

/// A sequence of bytes that is read once, from the front.
pub trait Coefficients {
    /// The next `count` bytes; the slice may be longer than that, and what follows is unspecified.
    fn next(&mut self, count: usize) -> &[u8];

    /// Another reader of the same sequence, `count` bytes ahead.
    #[must_use]
    fn ahead(&self, count: usize) -> Self;
}

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct Stored<'a>(pub &'a [u8]);

impl Coefficients for Stored<'_> {
    fn next(&mut self, count: usize) -> &[u8] {
        let all = self.0;
        self.0 = &all[count..];
        all
    }

    fn ahead(&self, count: usize) -> Self {
        Self(&self.0[count..])
    }
}

const BLOCK: usize = 16;
/// Bytes behind a chunk that vector loads may read.
const SLACK: usize = 96;

/// AES-128 under a public key.
#[derive(Clone)]
enum Cipher {
    Blocks(CounterCipher),
    Words32(PublicKeyAes),
}

impl Cipher {
    fn new(key: &[u8; 16]) -> Self {
        if gf2n::backend::short_words() {
            Self::Words32(PublicKeyAes::new(key))
        } else {
            Self::Blocks(CounterCipher::new(key))
        }
    }

    fn counters(&self, first: u32, bytes: &mut [u8]) {
        match self {
            Self::Blocks(cipher) => cipher.fill(first, 0, bytes),
            Self::Words32(cipher) => cipher.counters(first, bytes),
        }
    }
}

/// The AES-128 keystream of a public seed: counter blocks from 0 on, 128-bit big-endian, over zeros.
///
/// The key is public. Machines of 32-bit words use tables.
pub struct Keystream {
    cipher: Cipher,
    position: usize,
    buffer: Vec<u8>,
}

impl Keystream {
    /// The keystream of `key`.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::at(key, 0)
    }

    /// The keystream of `key` from byte `position` on.
    #[must_use]
    pub fn at(key: &[u8; 16], position: usize) -> Self {
        Self { cipher: Cipher::new(key), position, buffer: Vec::new() }
    }

    /// Writes the next bytes of the stream.
    pub fn write(&mut self, destination: &mut [u8]) {
        // a block that was used in part is made again
        let skip = (self.position % BLOCK).min(self.position);
        let mut rest = destination;
        if skip != 0 {
            let count = rest.len().min(BLOCK - skip);
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&self.next(count)[..count]);
            rest = later;
        }
        let whole = rest.len() / BLOCK * BLOCK;
        let (blocks, last) = rest.split_at_mut(whole);
        self.cipher.counters((self.position / BLOCK) as u32, blocks);
        self.position += whole;
        let count = last.len();
        last.copy_from_slice(&self.next(count)[..count]);
    }
}

impl Coefficients for Keystream {
    fn next(&mut self, count: usize) -> &[u8] {
        let skip = self.position % BLOCK;
        let bytes = (skip + count).next_multiple_of(BLOCK);
        if self.buffer.len() < bytes + SLACK {
            self.buffer.resize(bytes + SLACK, 0);
        }
        self.cipher.counters((self.position / BLOCK) as u32, &mut self.buffer[..bytes]);
        self.position += count;
        &self.buffer[skip..]
    }

    fn ahead(&self, count: usize) -> Self {
        Self { cipher: self.cipher.clone(), position: self.position + count, buffer: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn chunks_of_any_length_make_one_stream() {
        let key = core::array::from_fn(|i| i as u8);
        let mut whole = vec![0; 1000];
        Keystream::new(&key).write(&mut whole);
        // FIPS 197, C.1 encrypts another block; block 0 here is the encryption of zeros under 000102..0f
        assert_eq!(
            whole[..16],
            [0xc6, 0xa1, 0x3b, 0x37, 0x87, 0x8f, 0x5b, 0x82, 0x6f, 0x4f, 0x81, 0x62, 0xa1, 0xc8, 0xd8, 0x79]
        );
        let mut parts = Keystream::new(&key);
        let mut position = 0;
        for (turn, count) in [1, 15, 16, 17, 3, 0, 64, 100, 200, 31, 33].into_iter().enumerate() {
            let expected = &whole[position..position + count];
            if turn % 2 == 0 {
                assert_eq!(&parts.next(count)[..count], expected);
            } else {
                let mut written = vec![0; count];
                parts.write(&mut written);
                assert_eq!(written, expected);
            }
            position += count;
        }
    }
}
