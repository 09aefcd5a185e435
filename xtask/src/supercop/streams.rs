//! The deterministic byte streams of SUPERCOP's checksum programs (`try-anything.c`).

use salsa20::SalsaCore;
use salsa20::cipher::consts::U10;
use salsa20::cipher::{KeyIvInit, StreamCipherCore, StreamCipherSeekCore};

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

#[cfg(test)]
mod tests {
    use super::Inputs;

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
