//! Additive FFT over GF(2^M) (Gao and Mateer 2010) and its transpose, bitsliced.
//!
//! Values are indexed so that index x stands for the field element `reverse_bits(x)`: index bit i goes with the basis element
//! z^(M-1-i). This is the order that the permutation network of Classic McEliece works in.
//!
//! One transform takes up to 2^[`MAX_LEVELS`] coefficients; longer polynomials are cut into pieces f = sum x^(jK) f_j, which
//! are evaluated one by one and joined by Horner's rule. All of it is constant time in the coefficients and values.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};
use gf2n::small::gf2m::slicing;

use crate::berlekamp_massey::wipe;

/// Levels of recursion of one transform, at most.
pub const MAX_LEVELS: usize = 8;
const MAX_SIZE: usize = 1 << MAX_LEVELS;
const SIZE_WORDS: usize = MAX_SIZE / 64;

/// The coefficients of one transform, bitsliced: bit j of the four words of plane i = bit i of coefficient j.
type Coefficients<const M: usize> = [[u64; SIZE_WORDS]; M];

/// The constants of the transform over GF(2^M), computed at compile time.
struct Tables<const M: usize> {
    /// `spans[l][i]`: basis element i of the butterfly of level l, i < M - 1 - l.
    spans: [[u16; 16]; MAX_LEVELS],
    /// `scales[l]`: the power of the level's last basis element that coefficient j is multiplied by.
    scales: [Coefficients<M>; MAX_LEVELS],
}

impl<const M: usize> Tables<M> {
    const TABLES: &'static Self = &Self::new();

    // evaluated at compile time: a degree without a field would not compile
    #[allow(clippy::panic)]
    const fn new() -> Self {
        let field = match Gf2m::new(M as u32) {
            Some(field) => field,
            None => panic!("no such field"),
        };
        let mut spans = [[0u16; 16]; MAX_LEVELS];
        let mut scales = [[[0u64; SIZE_WORDS]; M]; MAX_LEVELS];
        let mut basis = [0u16; 16];
        let mut i = 0;
        while i < M {
            basis[i] = 1 << (M - 1 - i);
            i += 1;
        }
        let mut level = 0;
        while level < MAX_LEVELS && level < M {
            let last = basis[M - 1 - level];
            let inverse = field.invert(last);
            let mut power = 1u16;
            let mut local = 0;
            while local < MAX_SIZE >> level {
                let mut plane = 0;
                while plane < M {
                    if power >> plane & 1 == 1 {
                        let mut j = local << level;
                        while j < (local + 1) << level {
                            scales[level][plane][j / 64] |= 1 << (j % 64);
                            j += 1;
                        }
                    }
                    plane += 1;
                }
                power = field.mul(power, last);
                local += 1;
            }
            let mut i = 0;
            while i < M - 1 - level {
                let gamma = field.mul(basis[i], inverse);
                spans[level][i] = gamma;
                basis[i] = field.square(gamma) ^ gamma;
                i += 1;
            }
            level += 1;
        }
        Self { spans, scales }
    }
}

/// Number of words of the back end that hold one bit for each element of GF(2^M).
#[must_use]
pub const fn vector_count<B: LaneBackend, const M: usize>() -> usize {
    if M > B::LOG_LANES { 1 << (M - B::LOG_LANES) } else { 1 }
}

/// The field elements in index order: lane x of the list is `reverse_bits(x)`.
#[must_use]
pub fn points<B: LaneBackend, const M: usize>(backend: B) -> Vec<Planes<B, M>> {
    let zero = backend.zero();
    (0..vector_count::<B, M>())
        .map(|vector| {
            core::array::from_fn(|plane| {
                let index_bit = M - 1 - plane;
                if index_bit < B::LOG_LANES {
                    !backend.low_lanes(index_bit)
                } else if vector >> (index_bit - B::LOG_LANES) & 1 == 1 {
                    !zero
                } else {
                    zero
                }
            })
        })
        .collect()
}

/// Values of the polynomial `coefficients` (index = degree; any length) at every element of GF(2^M), in index order.
#[must_use]
pub fn evaluate<B: LaneBackend, const M: usize>(backend: B, coefficients: &[u16]) -> Vec<Planes<B, M>> {
    let piece = 1 << MAX_LEVELS.min(M);
    let mut pieces = coefficients.chunks(piece).rev();
    let Some(top) = pieces.next() else {
        return vec![[backend.zero(); M]; vector_count::<B, M>()];
    };
    let top_levels = top.len().next_power_of_two().trailing_zeros() as usize;
    let mut values = evaluate_piece::<B, M>(backend, top, top_levels);
    let levels = piece.trailing_zeros() as usize;
    if coefficients.len() > piece {
        let steps = frobenius::<B, M>(backend, levels);
        for lower in pieces {
            let lower = evaluate_piece::<B, M>(backend, lower, levels);
            for ((value, step), add) in values.iter_mut().zip(&steps).zip(&lower) {
                *value = planes::add::<B, M>(&planes::mul::<B, M>(backend, value, step), add);
            }
        }
    }
    values
}

/// x^(2^count) for every element x, in index order.
#[must_use]
pub fn frobenius<B: LaneBackend, const M: usize>(backend: B, count: usize) -> Vec<Planes<B, M>> {
    let mut list = points::<B, M>(backend);
    backend.run(
        #[inline(always)]
        || {
            for value in &mut list {
                for _ in 0..count {
                    *value = planes::square::<B, M>(backend, value);
                }
            }
        },
    );
    list
}

/// The `sums.len()` power sums sum over x of values(x) x^i, i = 0, 1, ...: the transpose of [`evaluate`].
pub fn power_sums<B: LaneBackend, const M: usize>(
    backend: B,
    mut values: Vec<Planes<B, M>>,
    sums: &mut [u16],
) {
    let piece = 1 << MAX_LEVELS.min(M);
    let count = sums.len();
    let mut chunks = sums.chunks_mut(piece).peekable();
    if count <= piece {
        if let Some(chunk) = chunks.next() {
            power_sums_piece::<B, M>(backend, &mut values, chunk);
        }
        wipe::<B, M>(backend, &mut values);
        return;
    }
    let steps = frobenius::<B, M>(backend, piece.trailing_zeros() as usize);
    while let Some(chunk) = chunks.next() {
        let mut work = values.clone();
        power_sums_piece::<B, M>(backend, &mut work, chunk);
        wipe::<B, M>(backend, &mut work);
        if chunks.peek().is_some() {
            for (value, step) in values.iter_mut().zip(&steps) {
                *value = planes::mul::<B, M>(backend, value, step);
            }
        }
    }
    wipe::<B, M>(backend, &mut values);
}

/// Up to 2^levels coefficients, levels <= min(M, MAX_LEVELS).
fn evaluate_piece<B: LaneBackend, const M: usize>(
    backend: B,
    coefficients: &[u16],
    levels: usize,
) -> Vec<Planes<B, M>> {
    let mut values = vec![[backend.zero(); M]; vector_count::<B, M>()];
    let narrow = backend.narrow();
    let (coefficient_words, leaf_words) = used_words::<B, M>(levels);
    let mut sliced: Coefficients<M> = [[0; SIZE_WORDS]; M];
    backend.run(
        #[inline(always)]
        || {
            for (word, chunk) in coefficients.chunks(64).enumerate() {
                let slice = slicing::to_planes(chunk);
                for plane in 0..M {
                    sliced[plane][word] = slice[plane];
                }
            }
        },
    );
    for level in 0..levels {
        if level > 0 {
            scale::<B::Narrow, M>(narrow, &mut sliced, level, levels);
        }
        backend.run(
            #[inline(always)]
            || {
                for plane in &mut sliced {
                    convert(plane, level, levels);
                }
            },
        );
    }
    backend.run(
        #[inline(always)]
        || {
            let leaves = move_lanes::<M, SIZE_WORDS, LEAF_WORDS>(
                &sliced,
                (coefficient_words, leaf_words),
                (0..1usize << levels)
                    .map(|leaf| (leaf_coefficient(leaf, levels), leaf_lane::<B, M>(leaf, levels))),
            );
            spread::<B, M>(backend, &leaves, levels, &mut values);
        },
    );
    for level in (0..levels).rev() {
        backend.run(
            #[inline(always)]
            || butterfly::<B, M, false>(backend, &mut values, level),
        );
    }
    values
}

/// Up to 2^min(M, MAX_LEVELS) sums; destroys `values`.
fn power_sums_piece<B: LaneBackend, const M: usize>(
    backend: B,
    values: &mut [Planes<B, M>],
    sums: &mut [u16],
) {
    let levels = sums.len().next_power_of_two().trailing_zeros() as usize;
    let narrow = backend.narrow();
    let (coefficient_words, leaf_words) = used_words::<B, M>(levels);
    for level in 0..levels {
        backend.run(
            #[inline(always)]
            || butterfly::<B, M, true>(backend, values, level),
        );
    }
    let mut sliced = backend.run(
        #[inline(always)]
        || {
            let leaves = fold::<B, M>(backend, levels, values);
            move_lanes::<M, LEAF_WORDS, SIZE_WORDS>(
                &leaves,
                (leaf_words, coefficient_words),
                (0..1usize << levels)
                    .map(|leaf| (leaf_lane::<B, M>(leaf, levels), leaf_coefficient(leaf, levels))),
            )
        },
    );
    for level in (0..levels).rev() {
        backend.run(
            #[inline(always)]
            || {
                for plane in &mut sliced {
                    convert_transposed(plane, level, levels);
                }
            },
        );
        if level > 0 {
            scale::<B::Narrow, M>(narrow, &mut sliced, level, levels);
        }
    }
    for (word, chunk) in sums.chunks_mut(64).enumerate() {
        let mut slice = [0u64; 16];
        for plane in 0..M {
            slice[plane] = sliced[plane][word];
        }
        let list = slicing::from_planes(&slice);
        let count = chunk.len();
        chunk.copy_from_slice(&list[..count]);
    }
}

/// Multiplies coefficient j by the level's constant.
fn scale<N: LaneBackend, const M: usize>(
    narrow: N,
    sliced: &mut Coefficients<M>,
    level: usize,
    levels: usize,
) {
    let constants = Tables::<M>::TABLES.scales[level];
    for start in (0..(1usize << levels).div_ceil(64)).step_by(N::WORDS) {
        let range = start..(start + N::WORDS).min(SIZE_WORDS);
        let (mut left, mut right) = ([narrow.zero(); M], [narrow.zero(); M]);
        for plane in 0..M {
            left[plane] = narrow.load(&sliced[plane][range.clone()]);
            right[plane] = narrow.load(&constants[plane][range.clone()]);
        }
        let product = planes::mul::<N, M>(narrow, &left, &right);
        for plane in 0..M {
            narrow.store(product[plane], &mut sliced[plane][range.clone()]);
        }
    }
}

/// Masks of the lanes in the second and the third quarter of every block of 4 * 2^log lanes, log <= 4.
const fn quarters(log: usize) -> (u64, u64) {
    let (mut second, mut third) = (0, 0);
    let mut lane = 0;
    while lane < 64 {
        match lane >> log & 3 {
            1 => second |= 1 << lane,
            2 => third |= 1 << lane,
            _ => {}
        }
        lane += 1;
    }
    (second, third)
}

const QUARTERS: [(u64, u64); 5] = [quarters(0), quarters(1), quarters(2), quarters(3), quarters(4)];

/// Taylor expansion at x^2 + x of the 2^level interleaved polynomials of 2^(levels - level) coefficients each.
#[inline(always)]
fn convert(plane: &mut [u64; SIZE_WORDS], level: usize, levels: usize) {
    // `log`: logarithm of a quarter of the block, counted in lanes
    for log in (level..(levels - 1).max(level)).rev() {
        match log {
            0..=4 => {
                let (second, third) = QUARTERS[log];
                for word in plane.iter_mut() {
                    *word ^= *word >> (1 << log) & third;
                    *word ^= *word >> (1 << log) & second;
                }
            }
            5 => {
                for pair in 0..SIZE_WORDS / 2 {
                    plane[2 * pair + 1] ^= plane[2 * pair + 1] >> 32;
                    plane[2 * pair] ^= plane[2 * pair + 1] << 32;
                }
            }
            _ => {
                plane[2] ^= plane[3];
                plane[1] ^= plane[2];
            }
        }
    }
}

/// The transpose of [`convert`].
#[inline(always)]
fn convert_transposed(plane: &mut [u64; SIZE_WORDS], level: usize, levels: usize) {
    for log in level..(levels - 1).max(level) {
        match log {
            0..=4 => {
                let (second, third) = QUARTERS[log];
                for word in plane.iter_mut() {
                    *word ^= (*word & second) << (1 << log);
                    *word ^= (*word & third) << (1 << log);
                }
            }
            5 => {
                for pair in 0..SIZE_WORDS / 2 {
                    plane[2 * pair + 1] ^= plane[2 * pair] >> 32;
                    plane[2 * pair + 1] ^= plane[2 * pair + 1] << 32;
                }
            }
            _ => {
                plane[2] ^= plane[1];
                plane[3] ^= plane[2];
            }
        }
    }
}

/// Where [`spread`] starts from (and [`fold`] ends): the lane of the leaf with number `leaf` (the top `levels` index bits).
fn leaf_lane<B: LaneBackend, const M: usize>(leaf: usize, levels: usize) -> usize {
    let free = M - levels;
    let index = leaf << free;
    if M <= B::LOG_LANES {
        return index;
    }
    let vector = (index >> B::LOG_LANES) >> free.saturating_sub(B::LOG_LANES);
    let mergeable = free.min(B::LOG_LANES).min(M - free.max(B::LOG_LANES));
    let merged = vector & ((1 << mergeable) - 1);
    // bits of the word's number move to free lane bits; those that find none stay in the word's number
    (index & (B::LANES - 1)) | merged | (vector >> mergeable) << B::LOG_LANES
}

/// Words of 64 lanes that hold the leaves of one transform.
const LEAF_WORDS: usize = 8;

/// Moves bitsliced elements from 64 * FROM lanes to 64 * TO lanes, of which the first `used` words matter: pairs (source lane,
/// destination lane).
#[inline(always)]
fn move_lanes<const M: usize, const FROM: usize, const TO: usize>(
    source: &[[u64; FROM]; M],
    used: (usize, usize),
    moves: impl Iterator<Item = (usize, usize)>,
) -> [[u64; TO]; M] {
    let mut elements = [[0u16; 64]; FROM];
    for (word, list) in elements.iter_mut().enumerate().take(used.0) {
        let mut slice = [0u64; 16];
        for plane in 0..M {
            slice[plane] = source[plane][word];
        }
        *list = slicing::from_planes(&slice);
    }
    let mut moved = [[0u16; 64]; TO];
    for (from, to) in moves {
        moved[to / 64][to % 64] = elements[from / 64][from % 64];
    }
    let mut result = [[0u64; TO]; M];
    for (word, list) in moved.iter().enumerate().take(used.1) {
        let slice = slicing::to_planes(list);
        for plane in 0..M {
            result[plane][word] = slice[plane];
        }
    }
    result
}

/// The coefficient that ends at a leaf: the `levels` bits of its number reversed.
#[inline(always)]
fn leaf_coefficient(leaf: usize, levels: usize) -> usize {
    if levels == 0 { 0 } else { leaf.reverse_bits() >> (usize::BITS as usize - levels) }
}

/// Words of 64 lanes in use: (for the coefficients, for the leaves).
fn used_words<B: LaneBackend, const M: usize>(levels: usize) -> (usize, usize) {
    let (_, merged) = leaf_layout::<B, M>(levels);
    let repeat = (M - levels).saturating_sub(B::LOG_LANES);
    ((1usize << levels).div_ceil(64), ((vector_count::<B, M>() >> repeat) >> merged) * B::WORDS)
}

/// How the leaves lie: (index bits that are lanes and free, how many of them hold bits of the word's number).
#[inline(always)]
fn leaf_layout<B: LaneBackend, const M: usize>(levels: usize) -> (usize, usize) {
    let free = M - levels;
    if M <= B::LOG_LANES {
        (free, 0)
    } else {
        let lanes = free.min(B::LOG_LANES);
        (lanes, lanes.min(M - free.max(B::LOG_LANES)))
    }
}

/// Copies the value of each leaf to all index positions below it.
#[inline(always)]
fn spread<B: LaneBackend, const M: usize>(
    backend: B,
    leaves: &[[u64; LEAF_WORDS]; M],
    levels: usize,
    values: &mut [Planes<B, M>],
) {
    let (free_lanes, merged) = leaf_layout::<B, M>(levels);
    let repeat = (M - levels).saturating_sub(B::LOG_LANES);
    let mut count = (values.len() >> repeat) >> merged;
    for (vector, value) in values.iter_mut().enumerate().take(count) {
        let start = vector * B::WORDS;
        for (plane, word) in value.iter_mut().enumerate() {
            *word = backend.load(&leaves[plane][start..start + B::WORDS]);
        }
    }
    for level in (0..free_lanes).rev() {
        let low = backend.low_lanes(level);
        if level >= merged {
            for value in values.iter_mut().take(count) {
                for word in value.iter_mut() {
                    *word = *word | backend.exchange(*word, level);
                }
            }
        } else {
            for vector in (0..count).rev() {
                for plane in 0..M {
                    let word = values[vector][plane];
                    let (even, odd) = (word & low, word & !low);
                    values[2 * vector][plane] = even | backend.exchange(even, level);
                    values[2 * vector + 1][plane] = odd | backend.exchange(odd, level);
                }
            }
            count *= 2;
        }
    }
    for vector in (0..values.len()).rev() {
        values[vector] = values[vector >> repeat];
    }
}

/// Sums all index positions below each leaf: the transpose of [`spread`].
#[inline(always)]
fn fold<B: LaneBackend, const M: usize>(
    backend: B,
    levels: usize,
    values: &mut [Planes<B, M>],
) -> [[u64; LEAF_WORDS]; M] {
    let (free_lanes, merged) = leaf_layout::<B, M>(levels);
    let repeat = (M - levels).saturating_sub(B::LOG_LANES);
    let mut count = values.len() >> repeat;
    for vector in 0..count {
        let mut sum = values[vector << repeat];
        for other in 1..1 << repeat {
            sum = planes::add::<B, M>(&sum, &values[(vector << repeat) + other]);
        }
        values[vector] = sum;
    }
    for level in 0..free_lanes {
        let low = backend.low_lanes(level);
        if level >= merged {
            for value in values.iter_mut().take(count) {
                for word in value.iter_mut() {
                    *word = *word ^ backend.exchange(*word, level);
                }
            }
        } else {
            count /= 2;
            for vector in 0..count {
                for plane in 0..M {
                    let (even, odd) = (values[2 * vector][plane], values[2 * vector + 1][plane]);
                    let crossed = (even & !low) | (odd & low);
                    values[vector][plane] = (even & low) ^ (odd & !low) ^ backend.exchange(crossed, level);
                }
            }
        }
    }
    let mut leaves = [[0u64; LEAF_WORDS]; M];
    for (vector, value) in values.iter().enumerate().take(count) {
        let start = vector * B::WORDS;
        for plane in 0..M {
            backend.store(value[plane], &mut leaves[plane][start..start + B::WORDS]);
        }
    }
    leaves
}

/// All butterflies of one level: (u, v) -> (u + s v, u + s v + v) with s the element of the span that belongs to the position,
/// or the transpose (a, b) -> (a + b, s (a + b) + b).
#[inline(always)]
fn butterfly<B: LaneBackend, const M: usize, const TRANSPOSED: bool>(
    backend: B,
    values: &mut [Planes<B, M>],
    level: usize,
) {
    let spans = Tables::<M>::TABLES.spans[level];
    let dimension = M - 1 - level;
    // the part of s that depends on the lane
    let mut lane_part = [backend.zero(); M];
    for (bit, span) in spans.iter().enumerate().take(dimension.min(B::LOG_LANES)) {
        let ones = !backend.low_lanes(bit);
        for (plane, word) in lane_part.iter_mut().enumerate() {
            if span >> plane & 1 == 1 {
                *word = *word ^ ones;
            }
        }
    }
    if dimension < B::LOG_LANES {
        let low = backend.low_lanes(dimension);
        for value in values.iter_mut() {
            let mut swapped = *value;
            for word in &mut swapped {
                *word = backend.exchange(*word, dimension);
            }
            if TRANSPOSED {
                let sum = planes::add::<B, M>(value, &swapped);
                let product = planes::mul::<B, M>(backend, &lane_part, &sum);
                for plane in 0..M {
                    value[plane] = (sum[plane] & low) | ((product[plane] ^ value[plane]) & !low);
                }
            } else {
                let mut upper = swapped;
                for plane in 0..M {
                    upper[plane] = (value[plane] & !low) | (swapped[plane] & low);
                }
                let product = planes::mul::<B, M>(backend, &lane_part, &upper);
                for plane in 0..M {
                    let lower = (value[plane] & low) | (swapped[plane] & !low);
                    value[plane] = lower ^ product[plane] ^ (upper[plane] & !low);
                }
            }
        }
        return;
    }
    let stride = 1usize << (dimension - B::LOG_LANES);
    for within in 0..stride {
        // the part of s that depends on the number of the word: public, the same for all secrets
        let mut scalar = 0;
        for bit in 0..dimension - B::LOG_LANES {
            if within >> bit & 1 == 1 {
                scalar ^= spans[B::LOG_LANES + bit];
            }
        }
        let constant = planes::add::<B, M>(&lane_part, &planes::splat::<B, M>(backend, scalar));
        for block in (0..values.len()).step_by(2 * stride) {
            let (lower, upper) = (block + within, block + within + stride);
            if TRANSPOSED {
                let sum = planes::add::<B, M>(&values[lower], &values[upper]);
                let product = planes::mul::<B, M>(backend, &constant, &sum);
                values[upper] = planes::add::<B, M>(&product, &values[upper]);
                values[lower] = sum;
            } else {
                let product = planes::mul::<B, M>(backend, &constant, &values[upper]);
                values[lower] = planes::add::<B, M>(&values[lower], &product);
                values[upper] = planes::add::<B, M>(&values[upper], &values[lower]);
            }
        }
    }
}
