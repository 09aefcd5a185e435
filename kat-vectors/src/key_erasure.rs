//! SUPERCOP's generator behind `randombytes`: ChaCha20 with fast key erasure, a plain byte stream whatever the requests.
//!
//! With the zero key it is `knownrandombytes`, from which checksums are made; with a key from the operating system it is
//! `fastrandombytes`, which measurements draw from, and which counts requests and bytes.

use core::convert::Infallible;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};

/// Bytes of one refill, the next key included.
const REFILL: usize = 768;
const KEY: usize = 32;

/// The generator.
pub struct KeyErasure {
    key: [u8; KEY],
    buffer: [u8; REFILL - KEY],
    used: usize,
    requests: u64,
    bytes: u64,
}

impl KeyErasure {
    /// The generator that starts from `key`.
    #[must_use]
    pub const fn new(key: [u8; KEY]) -> Self {
        Self { key, buffer: [0; REFILL - KEY], used: REFILL - KEY, requests: 0, bytes: 0 }
    }

    /// Requests so far.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// Bytes handed out so far.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    fn refill(&mut self) {
        let mut output = [0; REFILL];
        // The original 64-bit counter layout with a zero nonce equals the 96-bit layout for these twelve blocks.
        ChaCha20::new(&self.key.into(), &[0; 12].into()).apply_keystream(&mut output);
        self.key.copy_from_slice(&output[..KEY]);
        self.buffer.copy_from_slice(&output[KEY..]);
        self.used = 0;
    }
}

impl rand_core::TryRng for KeyErasure {
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
        self.requests += 1;
        self.bytes += destination.len() as u64;
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

impl rand_core::TryCryptoRng for KeyErasure {}

#[cfg(test)]
mod tests {
    use super::KeyErasure;
    use rand_core::Rng;

    #[test]
    fn one_stream_across_requests_and_refills() {
        let mut whole = vec![0; 768];
        KeyErasure::new([0; 32]).fill_bytes(&mut whole);
        assert_eq!(
            hex::encode(&whole[..64]),
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586\
             9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        );
        assert_eq!(
            hex::encode(&whole[736..]),
            "afbdad2845b93cdbb2fe6463d2fe162adae0f6e676f0494218f5ce0596e79f5c"
        );
        let mut random = KeyErasure::new([0; 32]);
        let mut pieces = Vec::new();
        for length in [0, 1, 735, 0, 32] {
            let mut piece = vec![0; length];
            random.fill_bytes(&mut piece);
            pieces.extend(piece);
        }
        assert_eq!(pieces, whole);
        assert_eq!((random.requests(), random.bytes()), (5, 768));
    }
}
