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

/// Integers of one batch: entry x of the permutation in lane c is at x * width + c.
type Batch = Zeroizing<Vec<u32>>;

/// Sorts every permutation of a batch.
fn sort_batch<B: SortVectors<u32>>(backend: B, batch: &mut [u32], width: usize) {
    if width == 1 { sort(backend, batch) } else { sort_columns(backend, batch) }
}

/// Writes the bits of one layer: `set(index, mask, count)` stores `count` bits at bit `index`.
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
        let value = u64::from(bits) << shift;
        for (offset, target) in self.bytes[byte..].iter_mut().enumerate().take((shift + count).div_ceil(8)) {
            *target |= (value >> (8 * offset)) as u8;
        }
    }
}

/// The control bits of the permutation `pi` of {0..2^m-1}, 2 <= 2^m = `pi.len()` <= 65536: layer by layer, least significant bit
/// first. Constant time in `pi`.
#[must_use]
pub fn control_bits<B: SortVectors<u32>>(backend: B, pi: &[u16]) -> Zeroizing<Vec<u8>> {
    let m = pi.len().trailing_zeros() as usize;
    let mut control = Zeroizing::new(vec![0u8; control_bytes(m)]);
    let mut batches: Vec<Batch> = vec![Zeroizing::new(pi.iter().map(|&value| u32::from(value)).collect())];
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
        let mut next: Vec<Batch> = (0..2 * batches.len()).map(|_| Zeroizing::new(Vec::new())).collect();
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
    let mut joined = Zeroizing::new(vec![0u32; batches.len() * batches[0].len()]);
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
            } else {
                for (j, pair) in batch.chunks_exact(2).enumerate() {
                    layer.put(place(j), pair[0] & 1, 1);
                }
            }
        },
    );
}

/// One level of the recursion on a batch of permutations of 2^w entries: returns (a list whose entries 2 j hold first[j] in bit 0,
/// the list F(p(x))).
fn split<B: SortVectors<u32>>(backend: B, p: &[u32], w: usize, width: usize) -> (Batch, Batch) {
    let (length, low) = (p.len(), (1u32 << w) - 1);
    let three_fit = 3 * w <= 32;
    let mut words: Batch = Zeroizing::new(vec![0; length]);
    let mut involution: Batch = Zeroizing::new(vec![0; length]);
    let mut inverse: Batch = Zeroizing::new(vec![0; length]);
    let mut minimum: Batch = Zeroizing::new(vec![0; length]);
    let neighbours = 2 * width;
    // Y = p X p^-1, and p^-1 where three entries fit a word
    backend.run(
        #[inline(always)]
        || {
            for (row, (pair, out)) in
                p.chunks_exact(neighbours).zip(words.chunks_exact_mut(neighbours)).enumerate()
            {
                for lane in 0..width {
                    let (a, b) = (pair[lane], pair[width + lane]);
                    let x = 2 * row as u32;
                    if three_fit {
                        out[lane] = ((a << w | b) << w) | x;
                        out[width + lane] = ((b << w | a) << w) | (x + 1);
                    } else {
                        out[lane] = a << w | b;
                        out[width + lane] = b << w | a;
                    }
                }
            }
        },
    );
    sort_batch(backend, &mut words, width);
    backend.run(
        #[inline(always)]
        || {
            for ((word, y), z) in words.iter().zip(involution.iter_mut()).zip(inverse.iter_mut()) {
                if three_fit {
                    *y = word >> w & low;
                    *z = word & low;
                } else {
                    *y = word & low;
                }
            }
            for (row, (y, c)) in
                involution.chunks_exact(neighbours).zip(minimum.chunks_exact_mut(neighbours)).enumerate()
            {
                for lane in 0..width {
                    let x = 2 * row as u32;
                    c[lane] = x.min(y[width + lane]);
                    c[width + lane] = (x + 1).min(y[lane]);
                }
            }
        },
    );
    if !three_fit {
        backend.run(
            #[inline(always)]
            || {
                for (row, (values, out)) in
                    p.chunks_exact(width).zip(words.chunks_exact_mut(width)).enumerate()
                {
                    for lane in 0..width {
                        out[lane] = values[lane] << w | row as u32;
                    }
                }
            },
        );
        sort_batch(backend, &mut words, width);
        for (word, z) in words.iter().zip(inverse.iter_mut()) {
            *z = word & low;
        }
    }
    // double the power and the window until it covers the longest cycle, 2^(w-1)
    if three_fit {
        double(backend, &mut words, &mut involution, &mut minimum, w, width, false);
        for _ in 0..w - 2 {
            double(backend, &mut words, &mut involution, &mut minimum, w, width, true);
        }
    } else {
        for _ in 0..w - 2 {
            double(backend, &mut words, &mut involution, &mut minimum, w, width, false);
            gather_minimum(backend, &mut words, &involution, &mut minimum, w, width);
        }
    }
    // F(v) = v xor first[v / 2], then F p = gather(p^-1, F)
    backend.run(
        #[inline(always)]
        || {
            for (row, ((c, z), out)) in minimum
                .chunks_exact(neighbours)
                .zip(inverse.chunks_exact(neighbours))
                .zip(words.chunks_exact_mut(neighbours))
                .enumerate()
            {
                for lane in 0..width {
                    let first = c[lane] & 1;
                    let v = 2 * row as u32;
                    out[lane] = z[lane] << w | (v ^ first);
                    out[width + lane] = z[width + lane] << w | ((v + 1) ^ first);
                }
            }
        },
    );
    sort_batch(backend, &mut words, width);
    for word in words.iter_mut() {
        *word &= low;
    }
    (minimum, words)
}

/// Y <- Y X Y; if `with_minimum` also c(x) <- min(c(x), c(P^k x)) for the power k that Y stands for on entry.
fn double<B: SortVectors<u32>>(
    backend: B,
    words: &mut [u32],
    involution: &mut [u32],
    minimum: &mut [u32],
    w: usize,
    width: usize,
    with_minimum: bool,
) {
    let (low, neighbours) = ((1u32 << w) - 1, 2 * width);
    backend.run(
        #[inline(always)]
        || {
            for ((y, c), out) in involution
                .chunks_exact(neighbours)
                .zip(minimum.chunks_exact(neighbours))
                .zip(words.chunks_exact_mut(neighbours))
            {
                for lane in 0..width {
                    let (a, b) = (y[lane], y[width + lane]);
                    if with_minimum {
                        out[lane] = (a << w | b) << w | c[lane];
                        out[width + lane] = (b << w | a) << w | c[width + lane];
                    } else {
                        out[lane] = a << w | b;
                        out[width + lane] = b << w | a;
                    }
                }
            }
        },
    );
    sort_batch(backend, words, width);
    backend.run(
        #[inline(always)]
        || {
            if with_minimum {
                for (word, y) in words.iter().zip(involution.iter_mut()) {
                    *y = word >> w & low;
                }
                take_minimum(words, minimum, low, width);
            } else {
                for (word, y) in words.iter().zip(involution.iter_mut()) {
                    *y = word & low;
                }
            }
        },
    );
}

/// c(x) <- min(c(x), d(X x)) with d in the low bits of `words`.
#[inline(always)]
fn take_minimum(words: &[u32], minimum: &mut [u32], low: u32, width: usize) {
    for (d, c) in words.chunks_exact(2 * width).zip(minimum.chunks_exact_mut(2 * width)) {
        for lane in 0..width {
            c[lane] = c[lane].min(d[width + lane] & low);
            c[width + lane] = c[width + lane].min(d[lane] & low);
        }
    }
}

/// c(x) <- min(c(x), c(P^k x)) for the power k that Y stands for.
fn gather_minimum<B: SortVectors<u32>>(
    backend: B,
    words: &mut [u32],
    involution: &[u32],
    minimum: &mut [u32],
    w: usize,
    width: usize,
) {
    backend.run(
        #[inline(always)]
        || {
            for ((word, y), c) in words.iter_mut().zip(involution).zip(minimum.iter()) {
                *word = y << w | c;
            }
        },
    );
    sort_batch(backend, words, width);
    backend.run(
        #[inline(always)]
        || take_minimum(words, minimum, (1 << w) - 1, width),
    );
}

/// The two permutations of the next level: M(x) = F p(x xor last[x / 2]) keeps parities; p_e(j) = M(2 j + e) / 2.
fn halves<B: SortVectors<u32>>(backend: B, fp: &[u32], width: usize) -> (Batch, Batch) {
    let mut even: Batch = Zeroizing::new(vec![0; fp.len() / 2]);
    let mut odd: Batch = Zeroizing::new(vec![0; fp.len() / 2]);
    backend.run(
        #[inline(always)]
        || {
            for ((pair, e), o) in fp
                .chunks_exact(2 * width)
                .zip(even.chunks_exact_mut(width))
                .zip(odd.chunks_exact_mut(width))
            {
                for lane in 0..width {
                    let last = pair[lane] & 1;
                    let swap = (pair[lane] ^ pair[width + lane]) & 0u32.wrapping_sub(last);
                    e[lane] = (pair[lane] ^ swap) >> 1;
                    o[lane] = (pair[width + lane] ^ swap) >> 1;
                }
            }
        },
    );
    (even, odd)
}
