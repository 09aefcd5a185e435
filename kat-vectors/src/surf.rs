//! D. J. Bernstein's "surf" byte generator, from which PQClean and pqm4 draw their test vectors. Not a secure generator.

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};

const KEY_ADD: [u32; 12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
const KEY_INPUT: [u32; 12] = [9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4];
const KEY_OUTPUT: [u32; 8] = [3, 3, 8, 3, 2, 7, 9, 5];
const ROTATIONS: [u32; 4] = [5, 7, 9, 13];

/// The generator: a plain byte stream, whatever the cut of the requests.
#[derive(Clone, Debug, Default)]
pub struct Surf {
    input: [u32; 12],
    output: [u32; 8],
    left: usize,
}

impl Surf {
    /// The stream from its beginning.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// pqm4's re-seeding before the message length `length`: every byte of the input counter becomes `length` mod 256.
    pub fn reseed(&mut self, length: usize) {
        self.input = [0x0101_0101 * (length as u32 & 0xff); 12];
        self.left = 0;
    }

    fn refill(&mut self) {
        for word in &mut self.input[..4] {
            *word = word.wrapping_add(1);
            if *word != 0 {
                break;
            }
        }
        let mut state: [u32; 12] = core::array::from_fn(|i| self.input[i] ^ KEY_INPUT[i]);
        self.output = KEY_OUTPUT;
        let mut previous = state[11];
        let mut sum = 0u32;
        for _ in 0..2 {
            for _ in 0..16 {
                sum = sum.wrapping_add(0x9e37_79b9);
                for (i, word) in state.iter_mut().enumerate() {
                    let mixed = (previous ^ KEY_ADD[i]).wrapping_add(sum);
                    *word = word.wrapping_add(mixed ^ previous.rotate_left(ROTATIONS[i % 4]));
                    previous = *word;
                }
            }
            for (out, word) in self.output.iter_mut().zip(&state[4..]) {
                *out ^= word;
            }
        }
        self.left = 8;
    }

    fn byte(&mut self) -> u8 {
        if self.left == 0 {
            self.refill();
        }
        self.left -= 1;
        self.output[self.left] as u8
    }
}

impl TryRng for Surf {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(core::array::from_fn(|_| self.byte())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(core::array::from_fn(|_| self.byte())))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Infallible> {
        destination.fill_with(|| self.byte());
        Ok(())
    }
}

impl TryCryptoRng for Surf {}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    #[test]
    fn check_values() {
        let mut bytes = vec![0; 4096];
        Surf::new().fill_bytes(&mut bytes);
        assert_eq!(
            hex::encode(&bytes[..32]),
            "934d60b35624d740b30a7f227af2ae7c678e4e04e13c5f509eade2b79aea77e2"
        );
        assert_eq!(
            hex::encode(&bytes[4064..]),
            "c95edb20b79a81e80ef6115e96dd54247d3b75f95b6298b02f0212492eb95c11"
        );
    }

    #[test]
    fn reseeded_for_length_one() {
        let mut surf = Surf::new();
        surf.fill_bytes(&mut [0; 5]);
        surf.reseed(1);
        let mut bytes = [0; 16];
        surf.fill_bytes(&mut bytes);
        assert_eq!(hex::encode(bytes), "d936eec75cd0e8c6de7f2f08b0901c1c");
    }
}
