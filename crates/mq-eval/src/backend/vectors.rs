//! Vectors of 256 bits: the unit in which table entries are summed.

/// A back end that adds vectors of 256 bits. Implemented by the CPU tokens (whose value proves the features that the methods
/// need) and by [`Portable`]. The methods are to be called where the token's `run` has compiled the caller with its features.
pub(crate) trait Vectors: Copy {
    /// 256 bits.
    type Vector: Copy;

    /// Zero.
    fn zero(self) -> Self::Vector;
    /// The 32 bytes, which may lie at any address.
    fn load(self, bytes: &[u8; 32]) -> Self::Vector;
    /// The four words.
    fn load_words(self, words: &[u64; 4]) -> Self::Vector;
    /// The same word in every place.
    fn broadcast(self, word: u64) -> Self::Vector;
    /// a + b.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a + b + c.
    #[inline(always)]
    fn add3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.add(a, self.add(b, c))
    }
    /// a + (b AND c).
    fn add_masked(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The words, lowest first.
    fn words(self, a: Self::Vector) -> [u64; 4];
}

/// The back end without CPU features: the definition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Vectors for Portable {
    type Vector = [u64; 4];

    #[inline(always)]
    fn zero(self) -> [u64; 4] {
        [0; 4]
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> [u64; 4] {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*chunk);
        }
        words
    }

    #[inline(always)]
    fn load_words(self, words: &[u64; 4]) -> [u64; 4] {
        *words
    }

    #[inline(always)]
    fn broadcast(self, word: u64) -> [u64; 4] {
        [word; 4]
    }

    #[inline(always)]
    fn add(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        core::array::from_fn(|k| a[k] ^ b[k])
    }

    #[inline(always)]
    fn add_masked(self, a: [u64; 4], b: [u64; 4], c: [u64; 4]) -> [u64; 4] {
        core::array::from_fn(|k| a[k] ^ (b[k] & c[k]))
    }

    #[inline(always)]
    fn words(self, a: [u64; 4]) -> [u64; 4] {
        a
    }
}
