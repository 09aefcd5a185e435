//! Writing the bits of a layer, in the order of the network.

use alloc::vec;
use alloc::vec::Vec;

use crate::backend::SortVectors;
use crate::wiped::Wiped;

/// The bits of one layer of the network.
pub(super) struct Layer<'a> {
    bytes: &'a mut [u8],
    first_bit: usize,
    count: usize,
}

impl<'a> Layer<'a> {
    /// Layer `number` of the network on 2^m positions; its bits are zero.
    pub(super) fn new(control: &'a mut [u8], m: usize, number: usize) -> Self {
        let count = 1usize << (m - 1);
        Self { bytes: control, first_bit: number * count, count }
    }

    /// Sets all bits of the layer, bit i from bit i % 64 of word i / 64; unused bits of the words are zero.
    #[inline(always)]
    pub(super) fn set(&mut self, words: &[u64]) {
        if self.count >= 8 {
            let target = &mut self.bytes[self.first_bit / 8..][..self.count / 8];
            for (bytes, word) in target.chunks_mut(8).zip(words) {
                let count = bytes.len();
                bytes.copy_from_slice(&word.to_le_bytes()[..count]);
            }
            return;
        }
        for (index, target) in self.bytes[self.first_bit / 8..].iter_mut().enumerate().take(2) {
            *target |= (words[0] << (self.first_bit % 8) >> (8 * index)) as u8;
        }
    }
}

/// Bit 0 of all entries with even x of a list whose entry x of permutation s is at x 2^depth + s: in this order, 64 a word.
#[inline(always)]
pub(super) fn even_bits<B: SortVectors<u32>>(backend: B, list: &[u32], depth: usize) -> Wiped<u64> {
    let mut words = Wiped::zeros((list.len() / 2).div_ceil(64));
    let lanes = B::SORT_LANES.min(list.len());
    let word = |entries: &[u32]| {
        if lanes < B::SORT_LANES {
            return entries.iter().enumerate().fold(0, |word, (i, entry)| word | u64::from(entry & 1) << i);
        }
        entries.chunks_exact(lanes).enumerate().fold(0, |word, (i, row)| {
            word | u64::from(backend.low_bits(backend.load_integers(row))) << (lanes * i)
        })
    };
    if depth >= 6 {
        let blocks = list.chunks_exact(2 << depth).flat_map(|pair| pair[..1 << depth].chunks_exact(64));
        for (target, entries) in words.iter_mut().zip(blocks) {
            *target = word(entries);
        }
    } else {
        for (number, entries) in list.chunks(64).enumerate() {
            words[number / 2] |= u64::from(gather_even(word(entries), depth)) << (32 * (number % 2));
        }
    }
    words
}

/// The 32 bits of a word whose index has bit `depth` clear, in order.
#[inline(always)]
fn gather_even(word: u64, depth: usize) -> u32 {
    /// `MASKS[k]`: bits whose index has bit k clear.
    const MASKS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    let mut word = word & MASKS[depth];
    for level in depth..5 {
        word = (word | word >> (1 << level)) & MASKS[level + 1];
    }
    word as u32
}

/// Spreads the bits of a half word to the even places of a word.
#[inline(always)]
fn spread(half: u64) -> u64 {
    let mut word = half & 0xFFFF_FFFF;
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF;
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF;
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & 0x5555_5555_5555_5555
}

/// Moves the bit with index i, of `log` bits, to the index that is i rotated to the left by `count` < `log` bits.
#[inline(always)]
pub(super) fn rotate_indices(words: &mut Vec<u64>, log: usize, count: usize) {
    if log < 7 {
        let (old, size) = (words[0], 1usize << log);
        words[0] = (0..size).fold(0, |word, i| {
            let target = (i << count | i >> (log - count)) & (size - 1);
            word | (old >> i & 1) << target
        });
        return;
    }
    let mut moved = vec![0u64; words.len()];
    let half = words.len() / 2;
    if 2 * count <= log {
        for _ in 0..count {
            // the halves interleave
            let (low, high) = words.split_at(half);
            for ((pair, a), b) in moved.as_chunks_mut::<2>().0.iter_mut().zip(low).zip(high) {
                *pair = [spread(*a) | spread(*b) << 1, spread(*a >> 32) | spread(*b >> 32) << 1];
            }
            core::mem::swap(words, &mut moved);
        }
    } else {
        for _ in count..log {
            let (low, high) = moved.split_at_mut(half);
            for ((pair, a), b) in words.as_chunks::<2>().0.iter().zip(low).zip(high) {
                *a = u64::from(gather_even(pair[0], 0)) | u64::from(gather_even(pair[1], 0)) << 32;
                *b = u64::from(gather_even(pair[0] >> 1, 0)) | u64::from(gather_even(pair[1] >> 1, 0)) << 32;
            }
            core::mem::swap(words, &mut moved);
        }
    }
    moved.fill(0);
    core::hint::black_box(&mut moved);
}
