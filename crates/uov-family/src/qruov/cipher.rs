//! AES in counter mode, keyed with a seed.

use aes::cipher::consts::U16;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256, Block};

#[cfg(target_arch = "x86_64")]
use super::backend::x86::aes_ctr::{RoundKeys, Vaes};

/// AES keyed with a seed, on VAES where the CPU has it, else by the `aes` crate. Wipes its round keys when dropped.
pub(crate) enum Cipher {
    #[cfg(target_arch = "x86_64")]
    Vaes(RoundKeys),
    Aes128(Aes128),
    Aes192(Aes192),
    Aes256(Aes256),
}

impl Cipher {
    pub(crate) fn new(seed: &[u8]) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(vaes) = Vaes::detect() {
            return Cipher::Vaes(RoundKeys::new(vaes, seed));
        }
        Self::portable(seed)
    }

    fn portable(seed: &[u8]) -> Self {
        fn key<C: KeyInit>(seed: &[u8]) -> C {
            let mut key = aes::cipher::Key::<C>::default();
            key.copy_from_slice(seed);
            C::new(&key)
        }
        match seed.len() {
            16 => Cipher::Aes128(key(seed)),
            24 => Cipher::Aes192(key(seed)),
            _ => Cipher::Aes256(key(seed)),
        }
    }

    /// The key stream whose first counter block is `index` (8 bytes, big-endian) and `block` (8 bytes, big-endian). Fills whole
    /// blocks; a remainder of `out` below 16 bytes stays.
    pub(crate) fn key_stream(&self, index: u64, block: u64, out: &mut [u8]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cipher::Vaes(keys) => keys.key_stream(index, block, out),
            Cipher::Aes128(cipher) => encrypt_counters(cipher, index, block, out),
            Cipher::Aes192(cipher) => encrypt_counters(cipher, index, block, out),
            Cipher::Aes256(cipher) => encrypt_counters(cipher, index, block, out),
        }
    }
}

fn encrypt_counters<C>(cipher: &C, index: u64, block: u64, out: &mut [u8])
where
    C: BlockCipherEncrypt<BlockSize = U16>,
{
    let (blocks, _): (&mut [Block], _) = Array::slice_as_chunks_mut(out);
    for (counter, bytes) in (block..).zip(blocks.iter_mut()) {
        bytes[..8].copy_from_slice(&index.to_be_bytes());
        bytes[8..].copy_from_slice(&counter.to_be_bytes());
    }
    cipher.encrypt_blocks(blocks);
}

#[cfg(test)]
mod tests {
    use super::super::backend::{Scratch, portable};
    use super::super::ring::{Q7L10, Q31L3, Q127L3, QuotientRing};
    use super::*;
    use alloc::{vec, vec::Vec};

    /// Every key length, lengths around the batches, block numbers with a carry.
    #[test]
    fn counter_mode_agrees_with_the_crate() {
        for key_len in [16, 24, 32] {
            let seed: Vec<u8> = (0..key_len).map(|i| (i * 11 + 3) as u8).collect();
            let (fast, slow) = (Cipher::new(&seed), Cipher::portable(&seed));
            for len in [0, 15, 16, 17, 32, 48, 255, 256, 257, 512, 528, 1039, 4267] {
                for (index, block) in [(0, 0), (379, 0), (1, 254), (65535, 65534)] {
                    let (mut a, mut b) = (vec![0; len], vec![0; len]);
                    fast.key_stream(index, block, &mut a);
                    slow.key_stream(index, block, &mut b);
                    assert_eq!(a, b, "key {key_len} len {len} index {index} block {block}");
                }
            }
        }
    }

    /// Sampling in registers against the definition on the key stream.
    #[cfg(target_arch = "x86_64")]
    fn elements_agree<R: QuotientRing>(keys: &RoundKeys, seed: &[u8]) {
        for (count, spare) in
            [(1_usize, 0_usize), (54, 28), (63, 40), (64, 40), (300, 3), (300, 120), (4134, 133)]
        {
            for index in [0, 379] {
                let drawn = count + spare;
                let mut expected = vec![0; drawn.next_multiple_of(16)];
                Cipher::portable(seed).key_stream(index, 0, &mut expected);
                let sufficed = portable::sample::<R>(&mut expected[..drawn], count);
                let mut scratch = Scratch::new(count, spare);
                let mut found = vec![0; drawn + 64];
                let extent = (count, drawn);
                let found_sufficed = keys.elements(index, R::MODULUS as u8, extent, &mut found, &mut scratch);
                assert_eq!(
                    found[..count],
                    expected[..count],
                    "q = {} count {count} spare {spare}",
                    R::MODULUS
                );
                assert!(sufficed || !found_sufficed);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn sampling_in_registers_agrees_with_the_definition() {
        for seed in [&[7; 16][..], &[8; 24], &[9; 32]] {
            for vaes in Vaes::all() {
                let keys = RoundKeys::new(vaes, seed);
                elements_agree::<Q7L10>(&keys, seed);
                elements_agree::<Q31L3>(&keys, seed);
                elements_agree::<Q127L3>(&keys, seed);
            }
        }
    }
}
