//! SHAKE256 on 32-bit words.
//!
//! A lane of 64 bits is two words: one of its even bits, one of its odd bits. So a rotation of a lane is two rotations of words,
//! which machines without 64-bit registers have, and the two halves of most steps do not meet (Keccak implementation overview,
//! section 2.1, bit interleaving). Constant time.

use core::cell::Cell;

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

/// One row of the next state, one half of its lanes, with all indices constant: lane (x, y) is lane (x + 3 y, x) of this state.
macro_rules! row {
    ($from:ident, $sums:ident, $to:ident, $y:literal, $half:literal) => {
        row!($from, $sums, $to, $y, $half, 0)
    };
    ($from:ident, $sums:ident, $to:ident, $y:literal, $half:literal, $constant:expr) => {{
        macro_rules! lane {
            ($x:literal) => {{
                const X: usize = ($x + 3 * $y) % 5;
                const ROTATION: u32 = ROTATIONS[X + 5 * $x];
                // an odd rotation exchanges the halves
                const HALF: usize = if ROTATION % 2 == 0 { $half } else { 1 - $half };
                const AMOUNT: u32 = (ROTATION + 1 - $half) / 2;
                ($from[2 * (X + 5 * $x) + HALF].get() ^ $sums[2 * X + HALF]).rotate_left(AMOUNT)
            }};
        }
        let (a, b, c, d, e) = (lane!(0), lane!(1), lane!(2), lane!(3), lane!(4));
        $to[10 * $y + $half].set(a ^ (!b & c) ^ $constant);
        $to[10 * $y + 2 + $half].set(b ^ (!c & d));
        $to[10 * $y + 4 + $half].set(c ^ (!d & e));
        $to[10 * $y + 6 + $half].set(d ^ (!e & a));
        $to[10 * $y + 8 + $half].set(e ^ (!a & b));
    }};
}

/// One round from `from` to `to`.
///
/// Cells instead of slices keep the compiler from holding on to lanes that it cannot keep in registers: reading a lane again costs
/// one instruction, putting it aside two.
#[inline(never)]
fn round(from: &[Cell<u32>; 50], to: &[Cell<u32>; 50], constant: [u32; 2]) {
    macro_rules! parity {
        ($place:literal) => {
            from[$place].get()
                ^ from[$place + 10].get()
                ^ from[$place + 20].get()
                ^ from[$place + 30].get()
                ^ from[$place + 40].get()
        };
    }
    // column x, its even and its odd bits
    let (p0, q0, p1, q1, p2, q2, p3, q3, p4, q4) = (
        parity!(0),
        parity!(1),
        parity!(2),
        parity!(3),
        parity!(4),
        parity!(5),
        parity!(6),
        parity!(7),
        parity!(8),
        parity!(9),
    );
    // the column before and the column behind, rotated by one, which exchanges the halves
    let sums = [
        p4 ^ q1.rotate_left(1),
        q4 ^ p1,
        p0 ^ q2.rotate_left(1),
        q0 ^ p2,
        p1 ^ q3.rotate_left(1),
        q1 ^ p3,
        p2 ^ q4.rotate_left(1),
        q2 ^ p4,
        p3 ^ q0.rotate_left(1),
        q3 ^ p0,
    ];
    row!(from, sums, to, 0, 0, constant[0]);
    row!(from, sums, to, 0, 1, constant[1]);
    row!(from, sums, to, 1, 0);
    row!(from, sums, to, 1, 1);
    row!(from, sums, to, 2, 0);
    row!(from, sums, to, 2, 1);
    row!(from, sums, to, 3, 0);
    row!(from, sums, to, 3, 1);
    row!(from, sums, to, 4, 0);
    row!(from, sums, to, 4, 1);
}

fn permute(state: &mut State) {
    let mut other = [0; 50];
    let from = Cell::from_mut(&mut state[..]).as_slice_of_cells().first_chunk();
    let to = Cell::from_mut(&mut other[..]).as_slice_of_cells().first_chunk();
    // both have 50 words
    if let (Some(from), Some(to)) = (from, to) {
        for constants in ROUND_CONSTANTS.chunks_exact(2) {
            round(from, to, constants[0]);
            round(to, from, constants[1]);
        }
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
            let offset = self.position % 8;
            let (now, later) = rest.split_at_mut(rest.len().min(8 - offset));
            self.position += now.len();
            if let Some(whole) = now.first_chunk_mut::<8>() {
                *whole = lane;
            } else {
                now.iter_mut().zip(&lane[offset..]).for_each(|(to, from)| *to = *from);
            }
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
