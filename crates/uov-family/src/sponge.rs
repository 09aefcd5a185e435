//! SHAKE256, by the `shake` crate or, on machines of 32-bit words, with interleaved bits. Constant time.

use shake::{ExtendableOutput, Shake256, Shake256Reader, Update, XofReader};

use crate::words32::keccak;

/// A sponge that is being squeezed.
pub struct Sponge(Implementation);

enum Implementation {
    Library(Shake256Reader),
    Words32(keccak::Shake256),
}

impl Sponge {
    /// Absorbs the parts one after the other.
    #[must_use]
    pub fn new(parts: &[&[u8]]) -> Self {
        if gf2n::backend::short_words() {
            return Self(Implementation::Words32(keccak::Shake256::new(parts)));
        }
        let mut state = Shake256::default();
        parts.iter().for_each(|part| state.update(part));
        Self(Implementation::Library(state.finalize_xof()))
    }

    /// Squeezes the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        match &mut self.0 {
            Implementation::Library(reader) => reader.read(out),
            Implementation::Words32(sponge) => sponge.read(out),
        }
    }
}

/// The beginning of what SHAKE256 makes of the parts.
pub fn shake256(parts: &[&[u8]], out: &mut [u8]) {
    Sponge::new(parts).read(out);
}
