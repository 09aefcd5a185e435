//! AES-128 of counter blocks under a public key.

use aes::Aes128Enc;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

#[cfg(target_arch = "x86_64")]
use crate::backend::{RoundKeys, Vaes256, Vaes512};

const BLOCK: usize = 16;
/// Blocks that are handed to the `aes` crate at once: enough that the cipher's start counts for nothing, few enough for the
/// first cache.
const BATCH: usize = 1024;

/// A public key of AES-128, expanded for the fastest back end that the process-wide ceiling allows.
///
/// With VAES, counters are made and encrypted in registers. Elsewhere they are written to memory and encrypted in place by the
/// `aes` crate, which chooses among AES-NI, the ARMv8 instructions and a constant-time bitsliced version.
#[derive(Clone)]
pub(crate) enum CounterCipher {
    Blocks(Aes128Enc),
    #[cfg(target_arch = "x86_64")]
    Vaes256(Vaes256, RoundKeys),
    #[cfg(target_arch = "x86_64")]
    Vaes512(Vaes512, RoundKeys),
}

impl CounterCipher {
    pub(crate) fn new(key: &[u8; BLOCK]) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Vaes256::detect() {
            let keys = RoundKeys::new(token, key);
            return match Vaes512::detect() {
                Some(token) => Self::Vaes512(token, keys),
                None => Self::Vaes256(token, keys),
            };
        }
        Self::Blocks(Aes128Enc::new(&(*key).into()))
    }

    /// Fills `bytes` (whole blocks) with the encryption of `mask` XOR the counters from `first` on, as 32-bit big-endian numbers
    /// in the last four bytes of a block.
    pub(crate) fn fill(&self, first: u32, mask: u128, bytes: &mut [u8]) {
        match self {
            Self::Blocks(cipher) => encrypt_counters(cipher, first, mask, bytes),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes256(token, keys) => token.encrypt_counters(keys, first, &mask.to_be_bytes(), bytes),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes512(token, keys) => token.encrypt_counters(keys, first, &mask.to_be_bytes(), bytes),
        }
    }
}

/// Fills `bytes` (whole blocks) with the encryption of `mask` XOR the counters from `first` on, as 32-bit big-endian numbers
/// in the last four bytes of a block.
fn encrypt_counters(cipher: &Aes128Enc, first: u32, mask: u128, bytes: &mut [u8]) {
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
    use alloc::vec::Vec;

    fn back_ends(key: &[u8; 16]) -> Vec<CounterCipher> {
        let mut all = vec![CounterCipher::Blocks(Aes128Enc::new(&(*key).into()))];
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Vaes256::detect() {
            let keys = RoundKeys::new(token, key);
            all.push(CounterCipher::Vaes256(token, keys));
            all.extend(Vaes512::detect().map(|token| CounterCipher::Vaes512(token, keys)));
        }
        all
    }

    #[test]
    fn back_ends_encrypt_single_counter_blocks() {
        let key: [u8; 16] = core::array::from_fn(|i| (7 * i + 1) as u8);
        let mask = 0x0123_4567_89ab_cdef_0011_2233_fedc_ba98_u128;
        let cipher = Aes128Enc::new(&key.into());
        for (name, back_end) in back_ends(&key).iter().enumerate() {
            for (first, blocks) in [(0u32, 9), (1, 3), (3, 1), (6, 70), (250, 33), (0xff_fffe, 64), (9, 0)] {
                let mut many = vec![0; 16 * blocks];
                back_end.fill(first, mask, &mut many);
                for (number, block) in many.chunks_exact(16).enumerate() {
                    let input = mask ^ u128::from(first + number as u32);
                    let mut single = Array::from(input.to_be_bytes());
                    cipher.encrypt_block(&mut single);
                    assert_eq!(block, &single[..], "back end {name}, block {number} from {first}");
                }
            }
        }
    }
}
