//! The random streams of the generic layer.

use alloc::vec::Vec;

use shake::{ExtendableOutput, Shake256, Shake256Reader, Update, XofReader};
use zeroize::Zeroizing;

/// What a stream is for: its byte enters the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The order of the support.
    Permutation,
    /// The Goppa polynomial.
    Polynomial,
    /// Error positions.
    Error,
}

/// SHAKE256("goppa-keygen-v1" || purpose || m (1 byte) || t (2) || n (4) || attempt (4) || seed), numbers little-endian, read as 16-bit
/// little-endian words.
pub struct Stream {
    reader: Shake256Reader,
}

impl Stream {
    /// The stream of one purpose and attempt.
    #[must_use]
    pub fn new(purpose: Purpose, m: usize, t: usize, n: usize, attempt: u32, seed: &[u8]) -> Self {
        let letter = match purpose {
            Purpose::Permutation => b'P',
            Purpose::Polynomial => b'G',
            Purpose::Error => b'E',
        };
        let mut hash = Shake256::default();
        hash.update(b"goppa-keygen-v1");
        hash.update(&[letter, m as u8]);
        hash.update(&(t as u16).to_le_bytes());
        hash.update(&(n as u32).to_le_bytes());
        hash.update(&attempt.to_le_bytes());
        hash.update(seed);
        Self { reader: hash.finalize_xof() }
    }

    /// The next word.
    pub fn word(&mut self) -> u16 {
        let mut bytes = Zeroizing::new([0u8; 2]);
        self.reader.read(&mut *bytes);
        u16::from_le_bytes(*bytes)
    }

    /// A uniform number below `bound`, 1 <= bound <= 65536: words masked to the bit length of bound - 1 until one is below.
    pub fn below(&mut self, bound: u32) -> u32 {
        let mask = match bound.saturating_sub(1) {
            0 => 0,
            highest => u32::MAX >> highest.leading_zeros(),
        };
        loop {
            let value = u32::from(self.word()) & mask;
            if value < bound.max(1) {
                return value;
            }
        }
    }
}

/// A uniform permutation of 0 .. 2^m - 1 (Fisher and Yates; Durstenfeld's form). Indexes memory by secrets: not constant time.
#[must_use]
pub fn fisher_yates(m: usize, stream: &mut Stream) -> Zeroizing<Vec<u16>> {
    let mut list: Zeroizing<Vec<u16>> = Zeroizing::new((0..1u32 << m).map(|x| x as u16).collect());
    for index in (1..list.len()).rev() {
        let other = stream.below(index as u32 + 1) as usize;
        list.swap(index, other);
    }
    list
}
