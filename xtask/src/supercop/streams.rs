//! The deterministic byte streams of SUPERCOP's checksum programs (`try-anything.c`, `knownrandombytes`).

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherCore, StreamCipherSeekCore};
use core::convert::Infallible;
use salsa20::SalsaCore;
use salsa20::cipher::consts::U10;

/// The Salsa20/20 block function with the 16 bytes `input` in the place of nonce and block counter.
pub(super) fn salsa20_block(key: &[u8; 32], input: &[u8; 16]) -> [u8; 64] {
    let mut nonce = [0; 8];
    let mut counter = [0; 8];
    nonce.copy_from_slice(&input[..8]);
    counter.copy_from_slice(&input[8..]);
    // Ten double rounds are Salsa20/20.
    let mut core = SalsaCore::<U10>::new(&(*key).into(), &nonce.into());
    core.set_block_pos(u64::from_le_bytes(counter));
    let mut block = [0; 64].into();
    core.write_keystream_block(&mut block);
    block.into()
}

/// The stream that the harness draws its inputs from: every request is the start of its own Salsa20 stream.
pub(super) struct Inputs {
    calls: u64,
}

impl Inputs {
    const KEY: &[u8; 32] = b"generate inputs for test vectors";

    pub(super) const fn new() -> Self {
        Self { calls: 0 }
    }

    /// One request for `length` bytes; a request for none counts as well.
    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let nonce = self.calls.to_le_bytes();
        self.calls += 1;
        let mut output = Vec::with_capacity(length + 63);
        for block in 0..length.div_ceil(64) as u64 {
            let mut input = [0; 16];
            input[..8].copy_from_slice(&nonce);
            input[8..].copy_from_slice(&block.to_le_bytes());
            output.extend_from_slice(&salsa20_block(Self::KEY, &input));
        }
        output.truncate(length);
        output
    }

    /// A request for eight bytes, read as a little-endian integer.
    pub(super) fn number(&mut self) -> u64 {
        let bytes = self.bytes(8);
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }
}

/// The fast-key-erasure generator behind `randombytes` during checksums: a plain byte stream, whatever the requests.
pub(super) struct KnownRandom {
    key: [u8; 32],
    buffer: Vec<u8>,
    used: usize,
}

impl KnownRandom {
    /// Bytes of one refill, the next key included.
    const REFILL: usize = 768;

    pub(super) const fn new() -> Self {
        Self { key: [0; 32], buffer: Vec::new(), used: 0 }
    }

    fn refill(&mut self) {
        let mut output = vec![0; Self::REFILL];
        // The original 64-bit counter layout with a zero nonce equals the 96-bit layout for these twelve blocks.
        ChaCha20::new(&self.key.into(), &[0; 12].into()).apply_keystream(&mut output);
        self.key.copy_from_slice(&output[..32]);
        self.buffer = output.split_off(32);
        self.used = 0;
    }
}

impl rand_core::TryRng for KnownRandom {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Infallible> {
        let mut rest = destination;
        while !rest.is_empty() {
            if self.used == self.buffer.len() {
                self.refill();
            }
            let take = rest.len().min(self.buffer.len() - self.used);
            let (now, later) = rest.split_at_mut(take);
            now.copy_from_slice(&self.buffer[self.used..self.used + take]);
            self.used += take;
            rest = later;
        }
        Ok(())
    }
}

impl rand_core::TryCryptoRng for KnownRandom {}

#[cfg(test)]
mod tests {
    use super::{Inputs, KnownRandom};
    use rand_core::Rng;

    #[test]
    fn known_random_bytes_is_one_stream_across_requests_and_refills() {
        let mut whole = vec![0; 768];
        KnownRandom::new().fill_bytes(&mut whole);
        assert_eq!(
            hex::encode(&whole[..64]),
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586\
             9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        );
        assert_eq!(
            hex::encode(&whole[736..]),
            "afbdad2845b93cdbb2fe6463d2fe162adae0f6e676f0494218f5ce0596e79f5c"
        );
        let mut random = KnownRandom::new();
        let mut pieces = Vec::new();
        for length in [0, 1, 735, 0, 32] {
            let mut piece = vec![0; length];
            random.fill_bytes(&mut piece);
            pieces.extend(piece);
        }
        assert_eq!(pieces, whole);
    }

    #[test]
    fn input_requests_have_streams_of_their_own() {
        assert_eq!(
            hex::encode(Inputs::new().bytes(32)),
            "89cd55a8e1594a633b4d815ba78dfcb1fd51bf2b992f9012da2b66216b63f9e7"
        );
        let mut inputs = Inputs::new();
        let numbers: Vec<u64> = (0..4).map(|_| inputs.number()).collect();
        assert_eq!(
            numbers,
            [0x634a_59e1_a855_cd89, 0x047a_b62b_62a8_5b25, 0x5451_8529_af7d_19db, 0xcf82_f94a_b15c_d63a]
        );
    }
}
