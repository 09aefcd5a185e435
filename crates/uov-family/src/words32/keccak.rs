//! SHAKE256 on 32-bit words.
//!
//! A lane of 64 bits is two words: one of its even bits, one of its odd bits. So a rotation of a lane is two rotations of words,
//! which machines without 64-bit registers have, and the two halves of most steps do not meet (Keccak implementation overview,
//! section 2.1, bit interleaving). Constant time.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes absorbed or squeezed by one permutation.
const RATE: usize = 136;

/// Lane (x, y) is the words 2 (x + 5 y), its even bits, and the next one.
type State = [u32; 50];

/// Moves the even bits of a word to its low half, the odd ones to its high half.
const fn separate(mut word: u32) -> u32 {
    let mut difference = (word ^ (word >> 1)) & 0x2222_2222;
    word ^= difference ^ (difference << 1);
    difference = (word ^ (word >> 2)) & 0x0c0c_0c0c;
    word ^= difference ^ (difference << 2);
    difference = (word ^ (word >> 4)) & 0x00f0_00f0;
    word ^= difference ^ (difference << 4);
    difference = (word ^ (word >> 8)) & 0x0000_ff00;
    word ^ difference ^ (difference << 8)
}

/// The inverse of [`separate`].
const fn merge(mut word: u32) -> u32 {
    let mut difference = (word ^ (word >> 8)) & 0x0000_ff00;
    word ^= difference ^ (difference << 8);
    difference = (word ^ (word >> 4)) & 0x00f0_00f0;
    word ^= difference ^ (difference << 4);
    difference = (word ^ (word >> 2)) & 0x0c0c_0c0c;
    word ^= difference ^ (difference << 2);
    difference = (word ^ (word >> 1)) & 0x2222_2222;
    word ^ difference ^ (difference << 1)
}

/// Even and odd bits of a lane.
const fn interleave(low: u32, high: u32) -> [u32; 2] {
    let (low, high) = (separate(low), separate(high));
    [(low & 0xffff) | (high << 16), (low >> 16) | (high & 0xffff_0000)]
}

/// Low and high word of a lane.
const fn deinterleave(even: u32, odd: u32) -> [u32; 2] {
    [merge((even & 0xffff) | (odd << 16)), merge((even >> 16) | (odd & 0xffff_0000))]
}

/// The round constants from their linear feedback shift register (FIPS 202, 3.2.5).
const ROUND_CONSTANTS: [[u32; 2]; 24] = {
    let mut constants = [[0; 2]; 24];
    let mut register = 1u32;
    let mut round = 0;
    while round < 24 {
        let mut constant = 0u64;
        let mut bit = 0;
        while bit < 7 {
            constant |= ((register & 1) as u64) << ((1 << bit) - 1);
            register <<= 1;
            register ^= (register >> 8) * 0x171;
            bit += 1;
        }
        constants[round] = interleave(constant as u32, (constant >> 32) as u32);
        round += 1;
    }
    constants
};

/// Rotation offsets of the lanes x + 5 y.
const ROTATIONS: [u32; 25] =
    [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/// One round from `from` to `to`.
#[inline(always)]
fn round(from: &State, to: &mut State, constant: [u32; 2]) {
    let mut parities = [[0u32; 2]; 5];
    for (x, parity) in parities.iter_mut().enumerate() {
        for (half, parity) in parity.iter_mut().enumerate() {
            let lane = |y: usize| from[2 * (x + 5 * y) + half];
            *parity = lane(0) ^ lane(1) ^ lane(2) ^ lane(3) ^ lane(4);
        }
    }
    let mut sums = [[0u32; 2]; 5];
    for (x, sum) in sums.iter_mut().enumerate() {
        let (before, after) = (parities[(x + 4) % 5], parities[(x + 1) % 5]);
        // a rotation by one exchanges the halves
        *sum = [before[0] ^ after[1].rotate_left(1), before[1] ^ after[0]];
    }
    for y in 0..5 {
        for half in 0..2 {
            // lane (x, y) of the next state is lane (x + 3 y, x) of this one
            let lane = |x: usize| {
                let (from_x, from_y) = ((x + 3 * y) % 5, x);
                let rotation = ROTATIONS[from_x + 5 * from_y];
                let from_half = if rotation % 2 == 0 { half } else { 1 - half };
                let amount = if rotation % 2 == 1 && half == 0 { rotation / 2 + 1 } else { rotation / 2 };
                (from[2 * (from_x + 5 * from_y) + from_half] ^ sums[from_x][from_half]).rotate_left(amount)
            };
            let row = [lane(0), lane(1), lane(2), lane(3), lane(4)];
            for x in 0..5 {
                to[2 * (x + 5 * y) + half] = row[x] ^ (!row[(x + 1) % 5] & row[(x + 2) % 5]);
            }
            if y == 0 {
                to[half] ^= constant[half];
            }
        }
    }
}

#[inline(never)]
fn permute(state: &mut State) {
    let mut other = [0; 50];
    for constants in ROUND_CONSTANTS.chunks_exact(2) {
        round(state, &mut other, constants[0]);
        round(&other, state, constants[1]);
    }
    other.zeroize();
}

/// A sponge that is being squeezed. Wiped when dropped.
pub(crate) struct Shake256 {
    state: State,
    /// Bytes of the current block that were read.
    position: usize,
}

impl Shake256 {
    /// Absorbs the parts one after the other.
    pub(crate) fn new(parts: &[&[u8]]) -> Self {
        let mut new = Self { state: [0; 50], position: 0 };
        let mut position = 0;
        let mut lane = [0; 8];
        for byte in parts.iter().flat_map(|part| part.iter()) {
            lane[position % 8] = *byte;
            position += 1;
            if position.is_multiple_of(8) {
                new.add_lane(position / 8 - 1, &lane);
            }
            if position == RATE {
                permute(&mut new.state);
                position = 0;
            }
        }
        lane[position % 8] = 0x1f;
        lane[position % 8 + 1..].fill(0);
        new.add_lane(position / 8, &lane);
        new.add_lane(RATE / 8 - 1, &[0, 0, 0, 0, 0, 0, 0, 0x80]);
        permute(&mut new.state);
        lane.zeroize();
        new
    }

    fn add_lane(&mut self, index: usize, bytes: &[u8; 8]) {
        let [a, b, c, d, e, f, g, h] = *bytes;
        let halves = interleave(u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        self.state[2 * index] ^= halves[0];
        self.state[2 * index + 1] ^= halves[1];
    }

    fn lane(&self, index: usize) -> [u8; 8] {
        let [low, high] = deinterleave(self.state[2 * index], self.state[2 * index + 1]);
        ((u64::from(high) << 32) | u64::from(low)).to_le_bytes()
    }

    /// Squeezes the next bytes.
    pub(crate) fn read(&mut self, out: &mut [u8]) {
        let mut rest = out;
        while !rest.is_empty() {
            if self.position == RATE {
                permute(&mut self.state);
                self.position = 0;
            }
            let lane = self.lane(self.position / 8);
            let available = &lane[self.position % 8..];
            let count = available.len().min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&available[..count]);
            self.position += count;
            rest = later;
        }
    }
}

impl Drop for Shake256 {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl ZeroizeOnDrop for Shake256 {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use shake::{ExtendableOutput, Update, XofReader};

    #[test]
    fn it_is_shake256() {
        let bytes: Vec<u8> = (0..500usize).map(|i| (i * i + 3 * i) as u8).collect();
        for len in [0, 1, 7, 8, 9, 31, 32, 127, 128, 135, 136, 137, 143, 144, 271, 272, 273, 500] {
            for cut in [0, len / 3, len] {
                let mut expected = vec![0; 700];
                shake::Shake256::default().chain(&bytes[..len]).finalize_xof().read(&mut expected);
                let mut sponge = Shake256::new(&[&bytes[..cut], &bytes[cut..len]]);
                let mut found = vec![0; 700];
                let mut rest = &mut found[..];
                for count in [1, 7, 8, 120, 3, 133, 0, 136, 292] {
                    let (now, later) = rest.split_at_mut(count);
                    sponge.read(now);
                    rest = later;
                }
                assert!(rest.is_empty());
                assert_eq!(found, expected, "{len} {cut}");
            }
        }
    }
}
