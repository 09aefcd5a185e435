//! Levels of the recursion by looking up permutations in registers.
//!
//! Entry x of permutation s is at s 2^w + x here, its low and its high byte in separate lists. The even entries of a level make the
//! first half of the next level's lists, the odd ones the second, so that permutation s keeps its meaning and the bits of a layer need
//! their indices rotated.

use alloc::vec;

use super::bits::{Layer, rotate_indices};
use super::layer_numbers;
use crate::backend::tables::{Bytes, PermutationTables, TABLE_PADDING};
use crate::wiped::Wiped;

/// A list of integers below 2^16, the low and the high bytes by themselves.
struct Split {
    low: Wiped<u8>,
    high: Wiped<u8>,
}

impl Split {
    fn new(length: usize) -> Self {
        let list = || Wiped::zeros(length + TABLE_PADDING);
        Self { low: list(), high: list() }
    }

    fn view(&self, wide: bool) -> Bytes<'_> {
        Bytes { low: &self.low, high: wide.then_some(&self.high) }
    }

    /// Pieces of 64 entries; the last ones may lie in the padding.
    #[inline(always)]
    fn pieces(&self) -> impl Iterator<Item = (&[u8; 64], &[u8; 64])> {
        self.low.as_chunks().0.iter().zip(self.high.as_chunks().0)
    }

    /// The same to write to.
    #[inline(always)]
    fn pieces_mut(&mut self) -> impl Iterator<Item = (&mut [u8; 64], &mut [u8; 64])> {
        self.low.as_chunks_mut().0.iter_mut().zip(self.high.as_chunks_mut().0)
    }

    /// Pieces of 32 entries to write to.
    #[inline(always)]
    fn halves_mut(&mut self) -> impl Iterator<Item = (&mut [u8; 32], &mut [u8; 32])> {
        self.low.as_chunks_mut().0.iter_mut().zip(self.high.as_chunks_mut().0)
    }
}

/// `minimum[i]` <- min(`minimum[i]`, d(2 i + 1), d(2 i) xor 1) for d(x) = `found[x]` xor bit 0 of `sides[x]`.
#[inline(always)]
fn minimum_of_bytes(minimum: &mut [u8; 32], found: &[u8; 64], sides: &[u8; 64]) {
    let mut turned = [0u8; 64];
    for x in 0..64 {
        turned[x] = found[x] ^ sides[x] & 1 ^ (x as u8 & 1 ^ 1);
    }
    for (c, [even, odd]) in minimum.iter_mut().zip(turned.as_chunks().0) {
        *c = (*c).min(*even).min(*odd);
    }
}

/// The even and the odd entries of a piece.
#[inline(always)]
fn unzip((low, high): (&[u8; 64], &[u8; 64])) -> ([u16; 32], [u16; 32]) {
    let (mut even, mut odd) = ([0; 32], [0; 32]);
    let (low, high) = (low.as_chunks::<2>().0, high.as_chunks::<2>().0);
    for i in 0..32 {
        let (low, high) = (u16::from_le_bytes(low[i]), u16::from_le_bytes(high[i]));
        even[i] = low & 0xFF | high << 8;
        odd[i] = low >> 8 | high & 0xFF00;
    }
    (even, odd)
}

/// The levels of 2^w entries, w = `levels`, ..., 1, of the recursion on 2^m entries. `p` and `q` are the permutations and their
/// inverses in the order of the sorting levels.
pub(super) fn levels<B: PermutationTables>(
    backend: B,
    p: &[u32],
    q: &[u32],
    m: usize,
    levels: usize,
    control: &mut [u8],
) {
    let length = 1usize << m;
    let mut work = Work {
        p: Split::new(length),
        q: Split::new(length),
        next_p: Split::new(length),
        next_q: Split::new(length),
        involution: Split::new(length),
        table: Split::new(length),
        found: Split::new(length),
        minimum: Split::new(length / 2),
        last: Wiped::zeros(length / 2 + TABLE_PADDING),
    };
    let depth = m - levels;
    for (source, target) in [(p, &mut work.p), (q, &mut work.q)] {
        for (x, row) in source.chunks_exact(1 << depth).enumerate() {
            for (s, value) in row.iter().enumerate() {
                target.low[s << levels | x] = *value as u8;
                target.high[s << levels | x] = (value >> 8) as u8;
            }
        }
    }
    for depth in depth..m {
        backend.run(
            #[inline(always)]
            || work.level(backend, m, depth, control),
        );
        core::mem::swap(&mut work.p, &mut work.next_p);
        core::mem::swap(&mut work.q, &mut work.next_q);
    }
}

struct Work {
    p: Split,
    /// p^-1.
    q: Split,
    /// The permutations of the next level.
    next_p: Split,
    next_q: Split,
    /// Y.
    involution: Split,
    /// A table.
    table: Split,
    /// What was looked up.
    found: Split,
    /// c at even entries.
    minimum: Split,
    /// The bits of the last layer, one a byte.
    last: Wiped<u8>,
}

/// `target[x] = source[x xor 1]`.
#[inline(always)]
fn exchange(source: &[u8], target: &mut [u8]) {
    for (from, to) in source.as_chunks::<2>().0.iter().zip(target.as_chunks_mut::<2>().0) {
        *to = [from[1], from[0]];
    }
}

impl Work {
    #[inline(always)]
    fn level<B: PermutationTables>(&mut self, backend: B, m: usize, depth: usize, control: &mut [u8]) {
        let (length, w) = (1usize << m, m - depth);
        let (first_layer, last_layer) = layer_numbers(m, depth);
        if w == 1 {
            for (bit, value) in self.last.iter_mut().zip(self.p.low.as_chunks::<2>().0) {
                *bit = value[0];
            }
            write(control, m, depth, first_layer, &self.last);
            return;
        }
        let (wide, pieces) = (w > 8, length.div_ceil(64));
        if w == 8 {
            // left from the wide levels
            self.involution.high.fill(0);
            self.found.high.fill(0);
        }
        let Self { p, q, next_p, next_q, involution, table, found, minimum, last } = self;
        // Y = p X p^-1
        exchange(&p.low, &mut table.low);
        if wide {
            exchange(&p.high, &mut table.high);
        }
        backend.look_up(w, length, q.view(wide), table.view(wide), &mut involution.low, &mut involution.high);
        let within = (1u16 << (w - 1)) - 1;
        let lists = minimum.halves_mut().zip(involution.pieces()).take(pieces);
        for (number, ((low, high), piece)) in lists.enumerate() {
            if !wide {
                for i in 0..32 {
                    low[i] = ((32 * number + i) as u16 & within) as u8 * 2;
                }
                minimum_of_bytes(low, piece.0, &[0; 64]);
                continue;
            }
            let (even, odd) = unzip(piece);
            for i in 0..32 {
                let x = ((32 * number + i) as u16 & within) << 1;
                let c = x.min(odd[i]).min(even[i] ^ 1);
                low[i] = c as u8;
                high[i] = (c >> 8) as u8;
            }
        }
        for round in 0..w - 2 {
            // c(x) <- min(c(x), d(X x), X d(x)), d(x) = c(Y x) = c(Y x - Y x % 2) xor Y x % 2
            backend.look_up_pairs(
                w,
                length,
                involution.view(wide),
                minimum.view(wide),
                &mut found.low,
                &mut found.high,
            );
            let found_pieces = found.pieces().zip(involution.low.as_chunks::<64>().0);
            for ((low, high), (piece, y)) in minimum.halves_mut().zip(found_pieces).take(pieces) {
                if !wide {
                    minimum_of_bytes(low, piece.0, y);
                    continue;
                }
                let (even, odd) = unzip(piece);
                for i in 0..32 {
                    let c = u16::from(low[i]) | u16::from(high[i]) << 8;
                    let (forward, back) = (u16::from(y[2 * i + 1] & 1), u16::from(y[2 * i] & 1 ^ 1));
                    let c = c.min(odd[i] ^ forward).min(even[i] ^ back);
                    low[i] = c as u8;
                    high[i] = (c >> 8) as u8;
                }
            }
            if round + 3 < w {
                // Y <- Y X Y
                exchange(&involution.low, &mut table.low);
                if wide {
                    exchange(&involution.high, &mut table.high);
                }
                backend.look_up(
                    w,
                    length,
                    involution.view(wide),
                    table.view(wide),
                    &mut found.low,
                    &mut found.high,
                );
                core::mem::swap(involution, found);
            }
        }
        let first = &minimum.low;
        write(control, m, depth, first_layer, first);
        // F p(x) = p(x) xor first[p(x) / 2]
        backend.look_up_pairs(
            w,
            length,
            p.view(wide),
            Bytes { low: first, high: None },
            &mut found.low,
            &mut found.high,
        );
        for (value, bit) in p.low.iter_mut().zip(found.low.iter()) {
            *value ^= bit & 1;
        }
        for (bit, value) in last.iter_mut().zip(p.low.as_chunks::<2>().0) {
            *bit = value[0] & 1;
        }
        write(control, m, depth, last_layer, last);
        // M(x) = F p(L x), L x = x xor last[x / 2], and M^-1(x) = L p^-1(F x)
        halve(p, last, next_p, length);
        swap_pairs(q, first, table, pieces);
        backend.look_up_pairs(
            w,
            length,
            table.view(wide),
            Bytes { low: last, high: None },
            &mut found.low,
            &mut found.high,
        );
        for (value, bit) in table.low.iter_mut().zip(found.low.iter()) {
            *value ^= bit & 1;
        }
        last.fill(0);
        halve(table, last, next_q, length);
    }
}

/// Writes the bits 0 of a list, in order of permutations, to a layer.
#[inline(always)]
fn write(control: &mut [u8], m: usize, depth: usize, layer: usize, list: &[u8]) {
    let count = 1usize << (m - 1);
    let mut words = vec![0u64; count.div_ceil(64)];
    for (word, entries) in words.iter_mut().zip(list[..count].chunks(64)) {
        for (index, eight) in entries.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            bytes[..eight.len()].copy_from_slice(eight);
            let bits = u64::from_le_bytes(bytes) & 0x0101_0101_0101_0101;
            *word |= bits.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * index);
        }
    }
    rotate_indices(&mut words, m - 1, depth);
    Layer::new(control, m, layer).set(&words);
    words.fill(0);
    core::hint::black_box(&mut words);
}

/// The even and the odd entries of a piece, exchanged where bit 0 of `bits` is set.
#[inline(always)]
fn unzip_swapped(piece: (&[u8; 64], &[u8; 64]), bits: &[u8; 32]) -> ([u16; 32], [u16; 32]) {
    let (mut even, mut odd) = unzip(piece);
    for i in 0..32 {
        let swap = (even[i] ^ odd[i]) & 0u16.wrapping_sub(u16::from(bits[i] & 1));
        even[i] ^= swap;
        odd[i] ^= swap;
    }
    (even, odd)
}

/// `target` = `source` with the pairs exchanged whose bit is set.
#[inline(always)]
fn swap_pairs(source: &Split, bits: &[u8], target: &mut Split, pieces: usize) {
    let lists = target.pieces_mut().zip(source.pieces()).zip(bits.as_chunks().0);
    for (((low, high), piece), bits) in lists.take(pieces) {
        let (even, odd) = unzip_swapped(piece, bits);
        for i in 0..32 {
            let (low_pair, high_pair) = (even[i] & 0xFF | odd[i] << 8, even[i] >> 8 | odd[i] & 0xFF00);
            [low[2 * i], low[2 * i + 1]] = low_pair.to_le_bytes();
            [high[2 * i], high[2 * i + 1]] = high_pair.to_le_bytes();
        }
    }
}

/// Half of every entry, the even ones to the first half of `target` and the odd ones to the second, after the exchange of the pairs
/// whose bit is set.
#[inline(always)]
fn halve(source: &Split, bits: &[u8], target: &mut Split, length: usize) {
    for (number, (piece, bits)) in source.pieces().zip(bits.as_chunks().0).enumerate() {
        let (even, odd) = unzip_swapped(piece, bits);
        for (half, entries) in [even, odd].iter().enumerate() {
            let first = half * length / 2 + 32 * number;
            let (mut low, mut high) = ([0u8; 32], [0u8; 32]);
            for i in 0..32 {
                low[i] = (entries[i] >> 1) as u8;
                high[i] = (entries[i] >> 9) as u8;
            }
            match (length / 2).saturating_sub(32 * number) {
                32.. => {
                    target.low[first..first + 32].copy_from_slice(&low);
                    target.high[first..first + 32].copy_from_slice(&high);
                }
                count => {
                    target.low[first..first + count].copy_from_slice(&low[..count]);
                    target.high[first..first + count].copy_from_slice(&high[..count]);
                }
            }
        }
    }
}
