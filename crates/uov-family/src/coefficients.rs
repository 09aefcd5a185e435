//! Where the coefficients of a map come from: stored bytes, or a keystream that is made chunk by chunk and consumed while it
//! is in the cache.

use aes::Aes128Enc;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use alloc::vec::Vec;

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
    Library(Aes128Enc),
    Words32(PublicKeyAes),
}

impl Cipher {
    fn new(key: &[u8; 16]) -> Self {
        if gf2n::backend::short_words() {
            Self::Words32(PublicKeyAes::new(key))
        } else {
            Self::Library(Aes128Enc::new(&(*key).into()))
        }
    }

    fn counters(&self, first: u32, bytes: &mut [u8]) {
        match self {
            Self::Library(cipher) => encrypt_counters(cipher, first, 0, bytes),
            Self::Words32(cipher) => cipher.counters(first, bytes),
        }
    }
}

/// The AES-128 keystream of a public seed: counter blocks from 0 on, 128-bit big-endian, over zeros.
///
/// The key is public. The `aes` crate chooses among VAES on 512 and 256 bits, AES-NI, the ARMv8 instructions and a
/// constant-time bitsliced version; machines of 32-bit words use tables. Blocks are handed to it many at once and encrypted in place.
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

/// Blocks that are encrypted at once: enough that the cipher's start counts for nothing, few enough for the first cache.
const BATCH: usize = 1024;

/// Fills `bytes` (whole blocks) with the encryption of `mask` XOR the counters from `first` on, as 32-bit big-endian numbers
/// in the last four bytes of a block.
pub(crate) fn encrypt_counters(cipher: &Aes128Enc, first: u32, mask: u128, bytes: &mut [u8]) {
    let (high, low) = ((mask >> 64) as u64, mask as u64);
    let mut counter = first;
    for batch in bytes.chunks_mut(BATCH * BLOCK) {
        let until = counter.next_multiple_of(4).wrapping_sub(counter) as usize * BLOCK;
        let (start, rest) = batch.split_at_mut(until.min(batch.len()));
        write_counters(start, high, low, &mut counter);
        let mut fours = rest.chunks_exact_mut(4 * BLOCK);
        for four in &mut fours {
            // below a multiple of 4 the number of the block is XORed to the last byte
            let (high, low) = (high.to_be(), (low ^ u64::from(counter)).to_be());
            let last = 56 * u32::from(cfg!(target_endian = "little"));
            let words =
                [high, low, high, low ^ (1 << last), high, low ^ (2 << last), high, low ^ (3 << last)];
            for (bytes, word) in four.chunks_exact_mut(8).zip(words) {
                bytes.copy_from_slice(&word.to_ne_bytes());
            }
            counter = counter.wrapping_add(4);
        }
        write_counters(fours.into_remainder(), high, low, &mut counter);
        let (blocks, _) = Array::slice_as_chunks_mut(batch);
        cipher.encrypt_blocks(blocks);
    }
}

/// Writes single counter blocks.
fn write_counters(bytes: &mut [u8], high: u64, low: u64, counter: &mut u32) {
    for block in bytes.chunks_exact_mut(BLOCK) {
        block[..8].copy_from_slice(&high.to_be_bytes());
        block[8..].copy_from_slice(&(low ^ u64::from(*counter)).to_be_bytes());
        *counter = counter.wrapping_add(1);
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
        // counters are XORed to the mask, from any start
        let mask = 0x0123_4567_89ab_cdef_0011_2233_fedc_ba98_u128;
        let cipher = Aes128Enc::new(&key.into());
        for (first, blocks) in [(0u32, 9), (1, 3), (3, 1), (6, 70)] {
            let mut many = vec![0; 16 * blocks];
            encrypt_counters(&cipher, first, mask, &mut many);
            for (number, block) in many.chunks_exact(16).enumerate() {
                let input = mask ^ u128::from(first + number as u32);
                let mut single = Array::from(input.to_be_bytes());
                cipher.encrypt_block(&mut single);
                assert_eq!(block, &single[..]);
            }
        }
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
