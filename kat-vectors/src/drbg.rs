//! The AES-256 CTR_DRBG of NIST's known-answer harness (SP 800-90A without derivation function, as `rng.c` of the 2017
//! submission package uses it).
//!
//! For tests and known answers only: never a source of real randomness.

use core::convert::Infallible;

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use rand_core::{TryCryptoRng, TryRng};

/// Length of the entropy input, the seed of a known-answer entry, in bytes.
pub const SEED_LEN: usize = 48;

/// The generator. One call of [`TryRng::try_fill_bytes`] is one GENERATE of the standard, and every GENERATE ends with an
/// update: two requests of 32 bytes give other bytes than one request of 64.
#[derive(Clone)]
pub struct NistDrbg {
    key: [u8; 32],
    counter: u128,
}

impl NistDrbg {
    /// INSTANTIATE with `entropy` and no personalisation string.
    #[must_use]
    pub fn new(entropy: &[u8; SEED_LEN]) -> Self {
        let mut generator = Self { key: [0; 32], counter: 0 };
        generator.update(Some(entropy));
        generator
    }

    /// The generator that makes the seeds and messages of every NIST request file: entropy 00 01 02 .. 2f.
    #[must_use]
    pub fn of_request_files() -> Self {
        Self::new(&core::array::from_fn(|i| i as u8))
    }

    /// GENERATE into a fixed-size array.
    pub fn draw<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.generate(&mut bytes);
        bytes
    }

    /// GENERATE: one request. An empty request outputs nothing and still changes the state.
    pub fn generate(&mut self, destination: &mut [u8]) {
        let cipher = Aes256::new(&self.key.into());
        for chunk in destination.chunks_mut(16) {
            let block = self.step(&cipher);
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
        self.update_with(&cipher, None);
    }

    fn step(&mut self, cipher: &Aes256) -> [u8; 16] {
        self.counter = self.counter.wrapping_add(1);
        let mut block = self.counter.to_be_bytes().into();
        cipher.encrypt_block(&mut block);
        block.into()
    }

    fn update(&mut self, data: Option<&[u8; SEED_LEN]>) {
        let cipher = Aes256::new(&self.key.into());
        self.update_with(&cipher, data);
    }

    fn update_with(&mut self, cipher: &Aes256, data: Option<&[u8; SEED_LEN]>) {
        let mut state = [0; SEED_LEN];
        for chunk in state.chunks_exact_mut(16) {
            chunk.copy_from_slice(&self.step(cipher));
        }
        if let Some(data) = data {
            for (byte, other) in state.iter_mut().zip(data) {
                *byte ^= other;
            }
        }
        let (key, counter) = state.split_at(32);
        self.key.copy_from_slice(key);
        let mut big_endian = [0; 16];
        big_endian.copy_from_slice(counter);
        self.counter = u128::from_be_bytes(big_endian);
    }
}

impl TryRng for NistDrbg {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.draw()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.draw()))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Infallible> {
        self.generate(destination);
        Ok(())
    }
}

impl TryCryptoRng for NistDrbg {}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(generator: &mut NistDrbg, length: usize) -> String {
        let mut bytes = vec![0; length];
        generator.generate(&mut bytes);
        hex::encode(bytes)
    }

    #[test]
    fn check_values_of_the_request_generator() {
        let mut generator = NistDrbg::of_request_files();
        assert_eq!(
            hex::encode(generator.key),
            "530e88f8c34030bea16abefac8c67d84deb6522e59757d791f57dfc8a6ee8307"
        );
        assert_eq!(hex::encode(generator.counter.to_be_bytes()), "524121e913830c53f98bdfa5592b1ba1");
        let first = "061550234d158c5ec95595fe04ef7a25767f2e24cc2bc479d09d86dc9abcfde7056a8c266f9ef97ed08541dbd2e1ffa1";
        assert_eq!(request(&mut generator, 48), first);
        assert_eq!(
            request(&mut generator, 33),
            "d81c4d8d734fcbfbeade3d3f8a039faa2a2c9957e835ad55b22e75bf57bb556ac8"
        );

        let seed: [u8; 48] = hex::decode(first).expect("hex").try_into().expect("48 bytes");
        let mut generator = NistDrbg::new(&seed);
        assert_eq!(
            request(&mut generator, 32),
            "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d"
        );
        assert_eq!(request(&mut generator, 16), "8626ed79d451140800e03b59b956f821");
    }

    #[test]
    fn two_requests_are_not_one() {
        let mut once = NistDrbg::of_request_files();
        let mut twice = once.clone();
        let whole = request(&mut once, 64);
        let halves = request(&mut twice, 32) + &request(&mut twice, 32);
        assert_eq!(whole[..64], halves[..64]);
        assert_ne!(whole, halves);
    }

    #[test]
    fn short_and_empty_requests() {
        let mut generator = NistDrbg::of_request_files();
        assert_eq!(request(&mut generator, 1), "06");
        assert_eq!(request(&mut generator, 1), "7b");
        let mut generator = NistDrbg::of_request_files();
        assert_eq!(request(&mut generator, 0), "");
        assert_eq!(request(&mut generator, 16), "76c548165d1675a1c68235b4215fe2be");
    }
}
