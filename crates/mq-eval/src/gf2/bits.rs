//! Bit vectors in words and in bytes.

/// Bit `index` of a vector of words.
#[inline(always)]
pub(super) fn bit(words: &[u64], index: usize) -> bool {
    words[index / 64] >> (index % 64) & 1 == 1
}

/// All ones if bit `index` is set, else zero. The barrier hides from the compiler that there are two values only: it would branch.
#[inline(always)]
pub(super) fn mask(words: &[u64], index: usize) -> u64 {
    core::hint::black_box((words[index / 64] >> (index % 64) & 1).wrapping_neg())
}

/// Clears the bits from `bits` on.
#[inline(always)]
pub(super) fn clear_above(words: &mut [u64], bits: usize) {
    for (k, word) in words.iter_mut().enumerate() {
        let kept = bits.saturating_sub(64 * k);
        if kept < 64 {
            *word &= (1 << kept) - 1;
        }
    }
}

/// Whether some bit from `bits` on is set.
pub(super) fn any_above(words: &[u64], bits: usize) -> bool {
    words.iter().enumerate().any(|(k, &word)| {
        let kept = bits.saturating_sub(64 * k);
        kept < 64 && word >> kept != 0
    })
}

/// The first byte, from byte `bits / 8` on, in which a bit from `bits` on is set.
pub(super) fn dirty_byte(bytes: &[u8], bits: usize) -> Option<usize> {
    let first = bits / 8;
    (first..bytes.len()).find(|&k| {
        let kept = if k == first { bits % 8 } else { 0 };
        bytes[k] >> kept != 0
    })
}

/// Writes the low bytes of a vector of words.
pub(super) fn write_bytes(words: &[u64], bytes: &mut [u8]) {
    for (chunk, word) in bytes.chunks_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
}

/// Reads bytes into the low end of a vector of words, whose other words become zero.
pub(super) fn read_bytes(bytes: &[u8], words: &mut [u64]) {
    words.fill(0);
    for (chunk, word) in bytes.chunks(8).zip(words) {
        *word = load_word(chunk);
    }
}

/// Up to eight bytes as a little-endian word.
#[inline(always)]
pub(super) fn load_word(bytes: &[u8]) -> u64 {
    if let Some(word) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// ORs the low `len` bits of `source` into `target` from bit `offset` on. Bits of the last source word above `len` must be
/// zero.
#[inline(always)]
pub(super) fn or_shifted(target: &mut [u64], offset: usize, source: &[u64], len: usize) {
    let (first, shift) = (offset / 64, offset % 64);
    let words = len.div_ceil(64);
    if shift == 0 {
        for (t, &s) in target[first..].iter_mut().zip(&source[..words]) {
            *t |= s;
        }
        return;
    }
    let mut carry = 0;
    let last = (offset + len).div_ceil(64);
    for (k, t) in target[first..last].iter_mut().enumerate() {
        let word = if k < words { source[k] } else { 0 };
        *t |= word << shift | carry;
        carry = word >> (64 - shift);
    }
}

/// Transposes a matrix of 64 x 64 bits: bit j of word i goes to bit i of word j.
pub(super) fn transpose(block: &mut [u64; 64]) {
    let mut mask = 0x0000_0000_ffff_ffff;
    let mut size = 32;
    while size != 0 {
        for row in (0..64).filter(|row| row & size == 0) {
            let swapped = (block[row] >> size ^ block[row + size]) & mask;
            block[row] ^= swapped << size;
            block[row + size] ^= swapped;
        }
        size /= 2;
        mask ^= mask << size;
    }
}
