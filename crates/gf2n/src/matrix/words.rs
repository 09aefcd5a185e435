//! Words, masks and row operations.

/// Number of 64-bit words that hold `bits` bits.
#[must_use]
#[inline]
pub const fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Parity of the bits of a word: 0 or 1. Constant time.
#[must_use]
#[inline(always)]
pub const fn parity(word: u64) -> u64 {
    (word.count_ones() & 1) as u64
}

/// All ones if the lowest bit of `bit` is set, else zero. The barrier keeps the compiler from making a branch of the mask.
#[inline(always)]
pub(super) fn mask(bit: u64) -> u64 {
    core::hint::black_box((bit & 1).wrapping_neg())
}

/// Bit `index` of a vector, in the lowest bit.
#[inline(always)]
pub(super) fn bit(row: &[u64], index: usize) -> u64 {
    row[index / 64] >> (index % 64) & 1
}

/// `target ^= mask & source`, over the shorter of the two.
#[inline(always)]
pub(super) fn masked_add(target: &mut [u64], mask: u64, source: &[u64]) {
    for (t, s) in target.iter_mut().zip(source) {
        *t ^= mask & s;
    }
}

/// `target ^= source`, over the shorter of the two.
#[inline(always)]
pub(super) fn add(target: &mut [u64], source: &[u64]) {
    for (t, s) in target.iter_mut().zip(source) {
        *t ^= s;
    }
}

/// Parity of the scalar product, over the shorter of the two.
#[inline(always)]
pub(super) fn dot(a: &[u64], b: &[u64]) -> u64 {
    parity(a.iter().zip(b).fold(0, |sum, (x, y)| sum ^ (x & y)))
}

/// The bits of the last word that a vector of `bits` bits may use (all of them when `bits` is a multiple of 64).
#[inline]
pub(super) const fn last_word_mask(bits: usize) -> u64 {
    if bits.is_multiple_of(64) { u64::MAX } else { (1 << (bits % 64)) - 1 }
}
