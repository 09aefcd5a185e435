//! SUPERCOP's checksum accumulator: a chain of Salsa20 blocks.

use super::streams::salsa20_block;

/// Collects the outputs of a scheme; starts from the zero state.
pub(super) struct Accumulator {
    state: [u8; 32],
}

impl Accumulator {
    pub(super) const fn new() -> Self {
        Self { state: [0; 32] }
    }

    fn absorb(&mut self, block: &[u8; 16]) {
        let next = salsa20_block(&self.state, block);
        self.state.copy_from_slice(&next[..32]);
    }

    /// Enters one byte string, closed by a padding block of its own.
    pub(super) fn enter(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<16>();
        for block in blocks {
            self.absorb(block);
        }
        self.state[0] ^= 1;
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        self.absorb(&last);
    }

    /// The checksum of everything entered, in lower-case hexadecimal.
    pub(super) fn hex(&self) -> String {
        hex::encode(self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::Accumulator;

    fn of(parts: &[&[u8]]) -> String {
        let mut accumulator = Accumulator::new();
        for part in parts {
            accumulator.enter(part);
        }
        accumulator.hex()
    }

    #[test]
    fn check_values() {
        let counting: Vec<u8> = (0..=0x20).collect();
        assert_eq!(of(&[b""]), "fdf67b6f45959d953bcf5b4fb1a2c2440c9629a1c7018f84510a8fbfbb138f1c");
        assert_eq!(of(&[b"abc"]), "3da59394cc9276ef913ebd3632b4274fd728ce49d7a9b6b48bcee4556dfa6500");
        assert_eq!(
            of(&[&counting[..16]]),
            "f1f14b34d97116442e425945f74b1d662e4435e854e93a461ef8852b31969037"
        );
        assert_eq!(
            of(&[&counting[..16], &counting]),
            "4b5adab7224d4991993c1c438060917af4ec18b7daa69dff27ae231fdc5fa63f"
        );
    }
}
