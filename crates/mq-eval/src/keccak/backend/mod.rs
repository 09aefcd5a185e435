//! Several Keccak states side by side.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Single512;

/// A back end that works on `COUNT` states at once: word i of all states in one vector. Implemented by CPU tokens, whose value
/// proves the features, and by [`Single`]; [`run_widest`](super::run_widest) chooses.
pub trait StateLanes: Copy {
    /// One word of every state.
    type Word: Copy;
    /// Number of states.
    const COUNT: usize;

    /// The same word in every state.
    fn splat(self, word: u64) -> Self::Word;
    /// Words of the states, first state first; missing ones are zero.
    fn gather(self, words: impl Fn(usize) -> u64) -> Self::Word;
    /// The words of all states, first state first; the rest of `words` keeps its contents.
    fn write(self, a: Self::Word, words: &mut [u64; 8]);
    /// The word of one state.
    #[inline(always)]
    fn word(self, a: Self::Word, state: usize) -> u64 {
        let mut words = [0; 8];
        self.write(a, &mut words);
        words[state]
    }
    /// a ^ b.
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// a ^ b ^ c.
    fn xor3(self, a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word;
    /// a ^ (!b & c).
    fn chi(self, a: Self::Word, b: Self::Word, c: Self::Word) -> Self::Word;
    /// Rotation to the left by `LEFT`, 0 < `LEFT` < 64 and `LEFT` + `RIGHT` = 64.
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: Self::Word) -> Self::Word;
}

/// One state in plain words: the portable back end and the definition.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl StateLanes for Single {
    type Word = u64;
    const COUNT: usize = 1;

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }
    #[inline(always)]
    fn gather(self, words: impl Fn(usize) -> u64) -> u64 {
        words(0)
    }
    #[inline(always)]
    fn write(self, a: u64, words: &mut [u64; 8]) {
        words[0] = a;
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn xor3(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ b ^ c
    }
    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ (!b & c)
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: u64) -> u64 {
        a.rotate_left(LEFT as u32)
    }
}
