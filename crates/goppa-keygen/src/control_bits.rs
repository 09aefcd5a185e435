//! Control bits of the permutation network, by the oblivious form of the looping algorithm.
//!
//! For a permutation p of {0..N-1} and X(x) = x xor 1, the first layer is given by the minima of the cycles of P = Y X, where
//! Y = p X p^-1 is an involution. Composition with a secret permutation is one sort by its values ("gather"). Powers of P are
//! kept through Y alone: (Y X)^2 = (Y X Y) X, and Y X Y is one gather with key Y. Inverses need no sort, because P^-1 = X P X.
//! See Bernstein, *Verified fast formulas for control bits for permutation networks* (2020), for the closed form.
//!
//! All permutations of one level of the recursion are handled together, breadth first: as soon as there are as many as a vector
//! has lanes, each lane holds one of them and the sorts never mix lanes.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::SortVectors;
use crate::network::control_bytes;
use crate::sort::{sort, sort_columns};
use crate::wiped::Wiped;

/// Integers of one batch: entry x of the permutation in lane c is at x * width + c.
type Batch = Wiped<u32>;

/// Sorts every permutation of a batch.
fn sort_batch<B: SortVectors<u32>>(backend: B, batch: &mut [u32], width: usize) {
    if width == 1 { sort(backend, batch) } else { sort_columns(backend, batch) }
}

/// The bits of one layer.
struct Layer<'a> {
    bytes: &'a mut [u8],
    first_bit: usize,
}

impl Layer<'_> {
    /// Sets `count` <= 32 bits from bit `index` of the layer; the bits were zero.
    #[inline(always)]
    fn put(&mut self, index: usize, bits: u32, count: usize) {
        let at = self.first_bit + index;
        let (byte, shift) = (at / 8, at % 8);
        if shift == 0 && count.is_multiple_of(8) {
            self.bytes[byte..byte + count / 8].copy_from_slice(&bits.to_le_bytes()[..count / 8]);
            return;
        }
        let value = u64::from(bits) << shift;
        for (offset, target) in self.bytes[byte..].iter_mut().enumerate().take((shift + count).div_ceil(8)) {
            *target |= (value >> (8 * offset)) as u8;
        }
    }

    /// Sets the bits `index`, `index` + 2^log, ... to the eight low bits of `bits`; log <= 3, `index` < 2^log modulo 2^(log + 3).
    #[inline(always)]
    fn put_spread(&mut self, index: usize, bits: u32, log: usize) {
        let mut spread = u64::from(bits & 0xFF);
        for _ in 0..log {
            spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF;
            spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF;
            spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F;
            spread = (spread | spread << 2) & 0x3333_3333_3333_3333;
            spread = (spread | spread << 1) & 0x5555_5555_5555_5555;
        }
        let at = self.first_bit + index;
        let value = (spread << (at % 8)).to_le_bytes();
        for (target, byte) in self.bytes[at / 8..].iter_mut().zip(value).take(1 << log) {
            *target |= byte;
        }
    }
}

/// The control bits of the permutation `pi` of {0..2^m-1}, 2 <= 2^m = `pi.len()` <= 65536: layer by layer, least significant bit
/// first. Constant time in `pi`.
#[must_use]
pub fn control_bits<B: SortVectors<u32>>(backend: B, pi: &[u16]) -> Zeroizing<Vec<u8>> {
    let m = pi.len().trailing_zeros() as usize;
    let mut control = Zeroizing::new(vec![0u8; control_bytes(m)]);
    let mut batches: Vec<Batch> = vec![Wiped::new(pi.iter().map(|&value| u32::from(value)).collect())];
    let mut width = 1;
    for depth in 0..m {
        if width == 1 && 1usize << depth == B::SORT_LANES && depth > 0 {
            batches = vec![interleave(&batches)];
            width = B::SORT_LANES;
        }
        let w = m - depth;
        let half = pi.len() / 2;
        if w == 1 {
            let mut layer = Layer { bytes: &mut control, first_bit: depth * half };
            for (number, batch) in batches.iter().enumerate() {
                for (lane, value) in batch.iter().enumerate().take(width) {
                    layer.put(number * width + lane, value & 1, 1);
                }
            }
            break;
        }
        let mut next: Vec<Batch> = (0..2 * batches.len()).map(|_| Wiped::new(Vec::new())).collect();
        for (number, batch) in batches.iter().enumerate() {
            let (first, fp) = split(backend, batch, w, width);
            let place = |j: usize| (j << depth) + number * width;
            let mut layer = Layer { bytes: &mut control, first_bit: depth * half };
            write_even_bits(backend, &mut layer, &first, width, place);
            let mut layer = Layer { bytes: &mut control, first_bit: (2 * m - 2 - depth) * half };
            write_even_bits(backend, &mut layer, &fp, width, place);
            let (even, odd) = halves(backend, &fp, width);
            next[number] = even;
            next[number + batches.len()] = odd;
        }
        batches = next;
    }
    control
}

/// Turns as many batches of one permutation as a vector has lanes into one batch.
fn interleave(batches: &[Batch]) -> Batch {
    let mut joined = Wiped::new(vec![0u32; batches.len() * batches[0].len()]);
    for (lane, batch) in batches.iter().enumerate() {
        for (x, value) in batch.iter().enumerate() {
            joined[x * batches.len() + lane] = *value;
        }
    }
    joined
}

/// Writes bit 0 of the entries with even x; those of entry 2 j go to `place(j)`.
fn write_even_bits<B: SortVectors<u32>>(
    backend: B,
    layer: &mut Layer<'_>,
    batch: &[u32],
    width: usize,
    place: impl Fn(usize) -> usize,
) {
    backend.run(
        #[inline(always)]
        || {
            if width > 1 {
                for (j, rows) in batch.chunks_exact(2 * width).enumerate() {
                    layer.put(place(j), backend.low_bits(backend.load_integers(rows)), width);
                }
            } else if batch.len() >= 16 && place(1) - place(0) <= 8 && layer.first_bit.is_multiple_of(8) {
                let log = (place(1) - place(0)).trailing_zeros() as usize;
                for (eight, entries) in batch.chunks_exact(16).enumerate() {
                    let bits = (0..8).fold(0, |bits, j| bits | (entries[2 * j] & 1) << j);
                    layer.put_spread(place(8 * eight), bits, log);
                }
            } else {
                for (j, pair) in batch.chunks_exact(2).enumerate() {
                    layer.put(place(j), pair[0] & 1, 1);
                }
            }
        },
    );
}

/// `target[x] = source[x xor 1]` in every lane.
#[inline(always)]
fn neighbours(source: &[u32], target: &mut [u32], width: usize) {
    match width {
        1 => exchange_rows::<1>(source, target),
        2 => exchange_rows::<2>(source, target),
        4 => exchange_rows::<4>(source, target),
        8 => exchange_rows::<8>(source, target),
        _ => exchange_rows::<16>(source, target),
    }
}

/// [`neighbours`] for rows of a constant width (1, 2, 4, 8 or 16 are the lanes of all back ends): whole vectors move.
#[inline(always)]
fn exchange_rows<const WIDTH: usize>(source: &[u32], target: &mut [u32]) {
    let (from, to) = (source.as_chunks::<WIDTH>().0, target.as_chunks_mut::<WIDTH>().0);
    for (from, to) in from.as_chunks::<2>().0.iter().zip(to.as_chunks_mut::<2>().0) {
        *to = [from[1], from[0]];
    }
}

/// Lists of one batch that a level works on.
struct Work {
    /// Sort words: key above payload.
    words: Batch,
    /// Y, or p at first.
    involution: Batch,
    /// The list before with neighbours exchanged.
    exchanged: Batch,
    /// c.
    minimum: Batch,
    /// The position x of every entry.
    position: Batch,
}

/// One level of the recursion on a batch of permutations of 2^w entries: returns (a list whose entries 2 j hold first[j] in bit 0,
/// the list F(p(x))).
fn split<B: SortVectors<u32>>(backend: B, p: &[u32], w: usize, width: usize) -> (Batch, Batch) {
    let (length, low) = (p.len(), (1u32 << w) - 1);
    let three_fit = 3 * w <= 32;
    let list = || -> Batch { Wiped::new(vec![0; length]) };
    let mut work =
        Work { words: list(), involution: list(), exchanged: list(), minimum: list(), position: list() };
    let mut inverse = list();
    // Y = p X p^-1, and p^-1 where three entries fit a word
    backend.run(
        #[inline(always)]
        || {
            let Work { words, exchanged, position, .. } = &mut work;
            for (row, entries) in position.chunks_exact_mut(width).enumerate() {
                entries.fill(row as u32);
            }
            neighbours(p, exchanged, width);
            if three_fit {
                for (((out, a), b), x) in words.iter_mut().zip(p).zip(exchanged.iter()).zip(position.iter()) {
                    *out = (a << w | b) << w | x;
                }
            } else {
                for ((out, a), b) in words.iter_mut().zip(p).zip(exchanged.iter()) {
                    *out = a << w | b;
                }
            }
        },
    );
    sort_batch(backend, &mut work.words, width);
    backend.run(
        #[inline(always)]
        || {
            let Work { words, involution, exchanged, minimum, position } = &mut work;
            let shift = if three_fit { w } else { 0 };
            for ((word, y), z) in words.iter().zip(involution.iter_mut()).zip(inverse.iter_mut()) {
                *y = word >> shift & low;
                *z = word & low;
            }
            neighbours(involution, exchanged, width);
            for ((c, x), y) in minimum.iter_mut().zip(position.iter()).zip(exchanged.iter()) {
                *c = *x.min(y);
            }
            if !three_fit {
                for ((out, a), x) in words.iter_mut().zip(p).zip(position.iter()) {
                    *out = a << w | x;
                }
            }
        },
    );
    if !three_fit {
        sort_batch(backend, &mut work.words, width);
        backend.run(
            #[inline(always)]
            || {
                for (word, z) in work.words.iter().zip(inverse.iter_mut()) {
                    *z = word & low;
                }
            },
        );
    }
    // double the power and the window until it covers the longest cycle, 2^(w-1)
    if three_fit {
        double(backend, &mut work, w, width, false);
        for _ in 0..w - 2 {
            double(backend, &mut work, w, width, true);
        }
    } else {
        for _ in 0..w - 2 {
            double(backend, &mut work, w, width, false);
            gather_minimum(backend, &mut work, w, width);
        }
    }
    // F(v) = v xor first[v / 2], then F p = gather(p^-1, F)
    backend.run(
        #[inline(always)]
        || {
            let Work { words, minimum, position, .. } = &mut work;
            // c(x xor 1) = c(x) xor 1: both entries of a pair know first[v / 2]
            for (((out, z), c), v) in
                words.iter_mut().zip(inverse.iter()).zip(minimum.iter()).zip(position.iter())
            {
                *out = z << w | (v ^ ((c ^ v) & 1));
            }
        },
    );
    sort_batch(backend, &mut work.words, width);
    backend.run(
        #[inline(always)]
        || {
            for word in work.words.iter_mut() {
                *word &= low;
            }
        },
    );
    (work.minimum, work.words)
}

/// Y <- Y X Y; if `with_minimum` also c(x) <- min(c(x), c(P^k x)) for the power k that Y stands for on entry.
fn double<B: SortVectors<u32>>(backend: B, work: &mut Work, w: usize, width: usize, with_minimum: bool) {
    let low = (1u32 << w) - 1;
    let Work { words, involution, exchanged, minimum, .. } = work;
    backend.run(
        #[inline(always)]
        || {
            neighbours(involution, exchanged, width);
            if with_minimum {
                for (((out, a), b), c) in
                    words.iter_mut().zip(involution.iter()).zip(exchanged.iter()).zip(minimum.iter())
                {
                    *out = (a << w | b) << w | c;
                }
            } else {
                for ((out, a), b) in words.iter_mut().zip(involution.iter()).zip(exchanged.iter()) {
                    *out = a << w | b;
                }
            }
        },
    );
    sort_batch(backend, words, width);
    backend.run(
        #[inline(always)]
        || {
            let shift = if with_minimum { w } else { 0 };
            for (word, y) in words.iter().zip(involution.iter_mut()) {
                *y = word >> shift & low;
            }
            if with_minimum {
                take_minimum(words, exchanged, minimum, low, width);
            }
        },
    );
}

/// c(x) <- min(c(x), d(X x)) with d in the low bits of `words`.
#[inline(always)]
fn take_minimum(words: &[u32], exchanged: &mut [u32], minimum: &mut [u32], low: u32, width: usize) {
    neighbours(words, exchanged, width);
    for (d, c) in exchanged.iter().zip(minimum.iter_mut()) {
        *c = (*c).min(d & low);
    }
}

/// c(x) <- min(c(x), c(P^k x)) for the power k that Y stands for.
fn gather_minimum<B: SortVectors<u32>>(backend: B, work: &mut Work, w: usize, width: usize) {
    let Work { words, involution, exchanged, minimum, .. } = work;
    backend.run(
        #[inline(always)]
        || {
            for ((word, y), c) in words.iter_mut().zip(involution.iter()).zip(minimum.iter()) {
                *word = y << w | c;
            }
        },
    );
    sort_batch(backend, words, width);
    backend.run(
        #[inline(always)]
        || take_minimum(words, exchanged, minimum, (1 << w) - 1, width),
    );
}

/// The two permutations of the next level: M(x) = F p(x xor last[x / 2]) keeps parities; p_e(j) = M(2 j + e) / 2.
fn halves<B: SortVectors<u32>>(backend: B, fp: &[u32], width: usize) -> (Batch, Batch) {
    let mut even: Batch = Wiped::new(vec![0; fp.len() / 2]);
    let mut odd: Batch = Wiped::new(vec![0; fp.len() / 2]);
    backend.run(
        #[inline(always)]
        || match width {
            1 => halve::<1>(fp, &mut even, &mut odd),
            2 => halve::<2>(fp, &mut even, &mut odd),
            4 => halve::<4>(fp, &mut even, &mut odd),
            8 => halve::<8>(fp, &mut even, &mut odd),
            _ => halve::<16>(fp, &mut even, &mut odd),
        },
    );
    (even, odd)
}

/// The body of [`halves`] for rows of a constant width.
#[inline(always)]
fn halve<const WIDTH: usize>(fp: &[u32], even: &mut [u32], odd: &mut [u32]) {
    let pairs = fp.as_chunks::<WIDTH>().0.as_chunks::<2>().0;
    let (even, odd) = (even.as_chunks_mut::<WIDTH>().0, odd.as_chunks_mut::<WIDTH>().0);
    for ((pair, e), o) in pairs.iter().zip(even).zip(odd) {
        for lane in 0..WIDTH {
            let last = pair[0][lane] & 1;
            let swap = (pair[0][lane] ^ pair[1][lane]) & 0u32.wrapping_sub(last);
            e[lane] = (pair[0][lane] ^ swap) >> 1;
            o[lane] = (pair[1][lane] ^ swap) >> 1;
        }
    }
}
