//! AES-128 in counter mode under a *public* key, on 32-bit words, by tables.
//!
//! The seed of P1 and P2 is part of the public key, and so is what comes of it: table look-ups give nothing away. They take a
//! third of the instructions of a bitsliced AES. The key must never be secret.
//!
//! Rounds are the look-ups of the AES proposal (section 5.2.1), one table of a kilobyte and rotations of its entries. As the
//! counter moves through its last byte only one column of the state changes in the first round, and one byte of each column in
//! the second, so that the rest is made once for 256 blocks.

/// Multiplies an element of AES's field by x.
const fn times_x(element: u8) -> u8 {
    (element << 1) ^ ((element >> 7) * 0x1b)
}

const fn multiply(a: u8, b: u8) -> u8 {
    let (mut a, mut product, mut bit) = (a, 0, 0);
    while bit < 8 {
        product ^= a * ((b >> bit) & 1);
        a = times_x(a);
        bit += 1;
    }
    product
}

const fn substitute(element: u8) -> u8 {
    // the inverse is the 254th power
    let (mut inverse, mut count) = (1, 0);
    while count < 254 {
        inverse = multiply(inverse, element);
        count += 1;
    }
    let i = inverse;
    i ^ i.rotate_left(1) ^ i.rotate_left(2) ^ i.rotate_left(3) ^ i.rotate_left(4) ^ 0x63
}

/// For each byte its substitute times 2, 1, 1, 3, from the lowest byte of the word up.
static TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let s = substitute(byte as u8);
        table[byte] = u32::from_le_bytes([times_x(s), s, s, times_x(s) ^ s]);
        byte += 1;
    }
    table
};

/// The contribution of a byte in row `row` of the state to a column of the next one.
#[inline(always)]
fn look_up(column: u32, row: u32) -> u32 {
    TABLE[(column >> (8 * row)) as usize & 0xff].rotate_left(8 * row)
}

#[inline(always)]
fn substituted(column: u32, row: u32) -> u32 {
    ((TABLE[(column >> (8 * row)) as usize & 0xff] >> 8) & 0xff) << (8 * row)
}

/// A round: columns, little-endian, of the state to those of the next one, without the round key.
#[inline(always)]
fn mix(s: [u32; 4]) -> [u32; 4] {
    let column = |c: usize| {
        look_up(s[c], 0)
            ^ look_up(s[(c + 1) % 4], 1)
            ^ look_up(s[(c + 2) % 4], 2)
            ^ look_up(s[(c + 3) % 4], 3)
    };
    [column(0), column(1), column(2), column(3)]
}

#[inline(always)]
fn add(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// AES-128 under a public key.
#[derive(Clone)]
pub(crate) struct PublicKeyAes {
    round_keys: [[u32; 4]; 11],
}

impl PublicKeyAes {
    pub(crate) fn new(key: &[u8; 16]) -> Self {
        let mut round_keys = [[0; 4]; 11];
        let (words, _) = key.as_chunks::<4>();
        round_keys[0] = core::array::from_fn(|word| u32::from_le_bytes(words[word]));
        let mut constant = 1;
        for round in 1..11 {
            let [a, b, c, d] = round_keys[round - 1];
            let turned = d.rotate_right(8);
            let bytes = (0..4).fold(0, |sum, row| sum | substituted(turned, row));
            let a = a ^ bytes ^ u32::from(constant);
            round_keys[round] = [a, a ^ b, a ^ b ^ c, a ^ b ^ c ^ d];
            constant = times_x(constant);
        }
        Self { round_keys }
    }

    /// Fills `bytes` (whole blocks) with the encryptions of the counters from `first` on, big-endian numbers of 128 bits.
    pub(crate) fn counters(&self, first: u32, bytes: &mut [u8]) {
        let keys = &self.round_keys;
        let mut counter = first;
        let (mut blocks, _) = bytes.as_chunks_mut::<16>();
        while !blocks.is_empty() {
            let count = blocks.len().min(256 - (counter & 0xff) as usize);
            let (now, later) = blocks.split_at_mut(count);
            // Of the first round, with the last byte of the counter 0: byte (3, 3) of the state goes to column 0 only.
            let start = add([0, 0, 0, (counter & !0xff).swap_bytes()], keys[0]);
            let mut fixed = add(mix(start), keys[1]);
            fixed[0] ^= look_up(start[3], 3);
            // Of the second round: the byte of column 0 that goes to column c is the one in row -c.
            let row_of_column_0 = |c: usize| (4 - c as u32) % 4;
            let mut second = add(mix([0, fixed[1], fixed[2], fixed[3]]), keys[2]);
            for (c, column) in second.iter_mut().enumerate() {
                *column ^= look_up(0, row_of_column_0(c));
            }
            for (block, low) in now.iter_mut().zip(counter & 0xff..) {
                let column = fixed[0] ^ look_up((low << 24) ^ start[3], 3);
                let mut state = second;
                for (c, word) in state.iter_mut().enumerate() {
                    *word ^= look_up(column, row_of_column_0(c));
                }
                for key in &keys[3..10] {
                    state = add(mix(state), *key);
                }
                let (words, _) = block.as_chunks_mut::<4>();
                for (c, bytes) in words.iter_mut().enumerate() {
                    let row = |r: usize| substituted(state[(c + r) % 4], r as u32);
                    *bytes = (row(0) ^ row(1) ^ row(2) ^ row(3) ^ keys[10][c]).to_le_bytes();
                }
            }
            counter = counter.wrapping_add(count as u32);
            blocks = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aes::Aes128Enc;
    use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
    use alloc::vec;

    #[test]
    fn it_is_aes_128() {
        for seed in 0..4u8 {
            let key = core::array::from_fn(|i| (i as u8).wrapping_mul(29) ^ seed.wrapping_mul(77));
            let (cipher, tables) = (Aes128Enc::new(&key.into()), PublicKeyAes::new(&key));
            for first in [0, 1, 200, 255, 256, 0x1234_56fe, u32::MAX - 300] {
                for count in [0, 1, 2, 300] {
                    let mut bytes = vec![0; 16 * count];
                    tables.counters(first, &mut bytes);
                    for (number, block) in bytes.chunks_exact(16).enumerate() {
                        let mut expected = Array::from((u128::from(first) + number as u128).to_be_bytes());
                        cipher.encrypt_block(&mut expected);
                        assert_eq!(block, &expected[..], "{first} {number}");
                    }
                }
            }
        }
    }
}
