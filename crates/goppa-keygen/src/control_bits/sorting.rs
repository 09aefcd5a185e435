//! Levels of the recursion by sorting: z(key(x)) = payload(x) is one sort of words, the key above the payload.

use super::bits::{Layer, even_bits};
use super::layer_numbers;
use crate::backend::SortVectors;
use crate::sort::sort_interleaved;
use crate::wiped::Wiped;

type List = Wiped<u32>;

/// Lists that a level works on; entry x of permutation s of 2^depth is at x 2^depth + s.
pub(super) struct Work {
    /// Sort words.
    words: List,
    scratch: List,
    /// Y.
    involution: List,
    /// Y(X x).
    exchanged: List,
    /// What a sort brought along, with neighbours exchanged.
    neighbour: List,
    /// c.
    minimum: List,
    /// p^-1.
    inverse: List,
}

/// `target[x] = source[x xor 1]` in every permutation.
#[inline(always)]
fn neighbours(source: &[u32], target: &mut [u32], permutations: usize) {
    match permutations {
        1 => exchange_rows::<1>(source, target),
        2 => exchange_rows::<2>(source, target),
        4 => exchange_rows::<4>(source, target),
        8 => exchange_rows::<8>(source, target),
        _ => {
            let pairs = source.chunks_exact(2 * permutations).zip(target.chunks_exact_mut(2 * permutations));
            for (from, to) in pairs {
                let (from_even, from_odd) = from.split_at(permutations);
                let (to_even, to_odd) = to.split_at_mut(permutations);
                copy_rows(from_odd, to_even);
                copy_rows(from_even, to_odd);
            }
        }
    }
}

/// Copies a multiple of 16 entries, without a call for so few.
#[inline(always)]
fn copy_rows(source: &[u32], target: &mut [u32]) {
    for (from, to) in source.as_chunks::<16>().0.iter().zip(target.as_chunks_mut::<16>().0) {
        *to = *from;
    }
}

/// [`neighbours`] for rows of a constant width: whole vectors move.
#[inline(always)]
fn exchange_rows<const WIDTH: usize>(source: &[u32], target: &mut [u32]) {
    let (from, to) = (source.as_chunks::<WIDTH>().0, target.as_chunks_mut::<WIDTH>().0);
    for (from, to) in from.as_chunks::<2>().0.iter().zip(to.as_chunks_mut::<2>().0) {
        *to = [from[1], from[0]];
    }
}

impl Work {
    /// Lists of 2^m entries.
    pub(super) fn new(length: usize) -> Self {
        let list = || Wiped::zeros(length);
        Self {
            words: list(),
            scratch: list(),
            involution: list(),
            exchanged: list(),
            neighbour: list(),
            minimum: list(),
            inverse: list(),
        }
    }

    #[inline(always)]
    fn sort<B: SortVectors<u32>>(&mut self, backend: B, depth: usize) {
        sort_interleaved(backend, &mut self.words, &mut self.scratch, 1 << depth);
    }

    /// p^-1 for all permutations of a level, the last that is worked on.
    pub(super) fn inverse<B: SortVectors<u32>>(
        &mut self,
        backend: B,
        p: &[u32],
        m: usize,
        depth: usize,
    ) -> List {
        self.invert(backend, p, m - depth, depth);
        core::mem::replace(&mut self.inverse, Wiped::zeros(0))
    }

    fn invert<B: SortVectors<u32>>(&mut self, backend: B, p: &[u32], w: usize, depth: usize) {
        let low = (1u32 << w) - 1;
        backend.run(
            #[inline(always)]
            || {
                for (position, (word, value)) in self.words.iter_mut().zip(p).enumerate() {
                    *word = value << w | (position >> depth) as u32;
                }
            },
        );
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                for (q, word) in self.inverse.iter_mut().zip(self.words.iter()) {
                    *q = word & low;
                }
            },
        );
    }

    /// One level: writes its two layers and replaces the permutations by those of the next level.
    pub(super) fn level<B: SortVectors<u32>>(
        &mut self,
        backend: B,
        p: &mut [u32],
        m: usize,
        depth: usize,
        control: &mut [u8],
    ) {
        let w = m - depth;
        let (first_layer, last_layer) = layer_numbers(m, depth);
        if w == 1 {
            Layer::new(control, m, first_layer).set(&even_bits(backend, p, depth));
            return;
        }
        self.involution(backend, p, w, depth);
        // three entries of a small permutation fit a word: the minima ride along with Y
        let three_fit = 3 * w <= 32;
        for round in 0..w - 2 {
            let last = round == w - 3;
            if three_fit {
                self.round_of_three(backend, w, depth, last);
            } else {
                self.round_of_two(backend, w, depth, last);
            }
        }
        // F(v) = v xor first[v / 2], then F p = F (p^-1)^-1
        let low = (1u32 << w) - 1;
        backend.run(
            #[inline(always)]
            || {
                let Self { words, minimum, inverse, .. } = self;
                let entries = words.iter_mut().zip(inverse.iter()).zip(minimum.iter());
                for (position, ((word, q), c)) in entries.enumerate() {
                    // c(X x) = X c(x): both entries of a pair know first[v / 2]
                    let v = (position >> depth) as u32;
                    *word = q << w | (v ^ ((c ^ v) & 1));
                }
            },
        );
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                let Self { words, minimum, neighbour, .. } = self;
                Layer::new(control, m, first_layer).set(&even_bits(backend, minimum, depth));
                Layer::new(control, m, last_layer).set(&even_bits(backend, words, depth));
                // M(x) = F p(x xor last[x / 2]) keeps parities; p_e(j) = M(2 j + e) / 2
                neighbours(words, neighbour, 1 << depth);
                let entries = p.iter_mut().zip(words.iter()).zip(neighbour.iter());
                for (position, ((target, value), other)) in entries.enumerate() {
                    let last = (value ^ (position >> depth) as u32) & 1;
                    let swap = (value ^ other) & 0u32.wrapping_sub(last);
                    *target = ((value ^ swap) & low) >> 1;
                }
            },
        );
    }

    /// Y = p X p^-1, p^-1, and c over the window P^-1 x, x, P x.
    fn involution<B: SortVectors<u32>>(&mut self, backend: B, p: &[u32], w: usize, depth: usize) {
        let low = (1u32 << w) - 1;
        let three_fit = 3 * w <= 32;
        if !three_fit {
            self.invert(backend, p, w, depth);
        }
        backend.run(
            #[inline(always)]
            || {
                let Self { words, exchanged, .. } = self;
                neighbours(p, exchanged, 1 << depth);
                let entries = words.iter_mut().zip(p).zip(exchanged.iter());
                if three_fit {
                    for (position, ((word, a), b)) in entries.enumerate() {
                        *word = (a << w | b) << w | (position >> depth) as u32;
                    }
                } else {
                    for ((word, a), b) in entries {
                        *word = a << w | b;
                    }
                }
            },
        );
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                let Self { words, involution, exchanged, minimum, inverse, .. } = self;
                if three_fit {
                    for ((word, y), q) in words.iter().zip(involution.iter_mut()).zip(inverse.iter_mut()) {
                        *y = word >> w & low;
                        *q = word & low;
                    }
                } else {
                    for (word, y) in words.iter().zip(involution.iter_mut()) {
                        *y = word & low;
                    }
                }
                neighbours(involution, exchanged, 1 << depth);
                let entries = minimum.iter_mut().zip(exchanged.iter()).zip(involution.iter());
                for (position, ((c, forward), back)) in entries.enumerate() {
                    *c = ((position >> depth) as u32).min(*forward).min(back ^ 1);
                }
            },
        );
    }

    /// c(x) <- minimum over P^-L x, x, P^L x of c, for the power P^L = Y X; then Y <- Y X Y unless `last`. One sort.
    fn round_of_three<B: SortVectors<u32>>(&mut self, backend: B, w: usize, depth: usize, last: bool) {
        let low = (1u32 << w) - 1;
        backend.run(
            #[inline(always)]
            || {
                let Self { words, involution, exchanged, minimum, .. } = self;
                let entries =
                    words.iter_mut().zip(involution.iter()).zip(exchanged.iter()).zip(minimum.iter());
                for (((word, y), z), c) in entries {
                    *word = (y << w | z) << w | c;
                }
            },
        );
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                self.take_minimum(low, 1 << depth);
                if !last {
                    for (word, y) in self.words.iter().zip(self.involution.iter_mut()) {
                        *y = word >> w & low;
                    }
                    neighbours(&self.involution, &mut self.exchanged, 1 << depth);
                }
            },
        );
    }

    /// The same in two sorts.
    fn round_of_two<B: SortVectors<u32>>(&mut self, backend: B, w: usize, depth: usize, last: bool) {
        let low = (1u32 << w) - 1;
        backend.run(
            #[inline(always)]
            || {
                let Self { words, involution, minimum, .. } = self;
                for ((word, y), c) in words.iter_mut().zip(involution.iter()).zip(minimum.iter()) {
                    *word = y << w | c;
                }
            },
        );
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                self.take_minimum(low, 1 << depth);
                if !last {
                    let Self { words, involution, exchanged, .. } = self;
                    for ((word, y), z) in words.iter_mut().zip(involution.iter()).zip(exchanged.iter()) {
                        *word = y << w | z;
                    }
                }
            },
        );
        if last {
            return;
        }
        self.sort(backend, depth);
        backend.run(
            #[inline(always)]
            || {
                let Self { words, involution, exchanged, .. } = self;
                for (word, y) in words.iter().zip(involution.iter_mut()) {
                    *y = word & low;
                }
                neighbours(involution, exchanged, 1 << depth);
            },
        );
    }

    /// c(x) <- min(c(x), d(X x), X d(x)) with d in the low bits of the sorted words.
    #[inline(always)]
    fn take_minimum(&mut self, low: u32, permutations: usize) {
        let Self { words, neighbour, minimum, .. } = self;
        neighbours(words, neighbour, permutations);
        for ((c, forward), back) in minimum.iter_mut().zip(neighbour.iter()).zip(words.iter()) {
            *c = (*c).min(forward & low).min(back & low ^ 1);
        }
    }
}
