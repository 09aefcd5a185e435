//! Bit vectors in 64-bit words, bit i in bit i mod 64 of word i div 64.

use alloc::{vec, vec::Vec};

use gf2n::matrix::words_for;

/// Copies `count` bits of `source` from bit `from` on into `target` from bit `to` on (by exclusive or: the target bits are
/// zero before). Constant time in the data.
pub fn copy_bits(source: &[u64], from: usize, target: &mut [u64], to: usize, count: usize) {
    let mut done = 0;
    while done < count {
        let (read, write) = (from + done, to + done);
        // up to the end of the current source word or target word, whichever comes first
        let step = (64 - read % 64).min(64 - write % 64).min(count - done);
        let bits = source[read / 64] >> (read % 64) & low_mask(step);
        target[write / 64] ^= bits << (write % 64);
        done += step;
    }
}

/// The `count` bits of `source` from bit `from` on, as a vector of their own.
#[must_use]
pub fn extract_bits(source: &[u64], from: usize, count: usize) -> Vec<u64> {
    let mut part = vec![0; words_for(count)];
    copy_bits(source, from, &mut part, 0, count);
    part
}

/// Little-endian bytes as words; a last incomplete word is filled up with zeros.
#[must_use]
pub fn words_from_bytes(bytes: &[u8]) -> Vec<u64> {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut words = Vec::with_capacity(bytes.len().div_ceil(8));
    words.extend(whole.iter().map(|chunk| u64::from_le_bytes(*chunk)));
    if !rest.is_empty() {
        words.push(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    words
}

/// Writes the first `8 * bytes.len()` bits of `words`; bytes beyond the words are zero.
pub fn words_to_bytes(words: &[u64], bytes: &mut [u8]) {
    let mut words = words.iter();
    for chunk in bytes.chunks_mut(8) {
        let word = words.next().copied().unwrap_or(0).to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}

/// Clears the bits at and above `bits`.
pub fn clear_from(words: &mut [u64], bits: usize) {
    for (k, word) in words.iter_mut().enumerate() {
        *word &= low_mask(bits.saturating_sub(64 * k).min(64));
    }
}

/// The lowest `bits` bits of a word, `bits` at most 64.
#[inline]
const fn low_mask(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_at_every_offset() {
        let source = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x5555_aaaa_3333_cccc];
        let bit = |words: &[u64], i: usize| words[i / 64] >> (i % 64) & 1;
        for from in [0, 1, 31, 63, 64, 65] {
            for to in [0, 1, 32, 63, 64, 100] {
                for count in [0, 1, 5, 63, 64, 65, 120] {
                    let mut target = [0; 4];
                    copy_bits(&source, from, &mut target, to, count);
                    for i in 0..256 {
                        let expected =
                            if (to..to + count).contains(&i) { bit(&source, from + i - to) } else { 0 };
                        assert_eq!(bit(&target, i), expected, "bit {i}, from {from} to {to}, {count} bits");
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_and_words() {
        let bytes: Vec<u8> = (1..=19).collect();
        let words = words_from_bytes(&bytes);
        assert_eq!(words.len(), 3);
        let mut back = [0xff; 26];
        words_to_bytes(&words, &mut back);
        assert_eq!(&back[..19], bytes);
        assert_eq!(back[19..], [0; 7]);
        let mut cleared = words.clone();
        clear_from(&mut cleared, 67);
        assert_eq!(cleared, [words[0], words[1] & 7, 0]);
    }
}
