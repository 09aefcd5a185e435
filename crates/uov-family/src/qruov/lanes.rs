//! Arithmetic modulo q in the lanes of a vector: sums of products become bytes again.

use super::backend::Backend;
use super::ring::QuotientRing;

/// A multiple of q that sums are offset by, so that none is negative: all are below it in absolute value. The largest sums are twice two sums of
/// v products of at most `q (q-1) / 2`; for q = 127 and v = 1040 that is a quarter of the offset, for the others less.
const fn offset<R: QuotientRing>() -> u32 {
    R::MODULUS << 20
}

/// `x` in every byte.
const fn bytes(x: u32) -> u32 {
    0x0101_0101 * x
}

/// `x` in both halves.
const fn halves(x: u32) -> u32 {
    0x0001_0001 * x
}

/// Sums (words, below `q 2^20` in absolute value) to residues of at most 16 bits: `b = 7`: 32 766; `b = 5`: 34 814; `b = 3`: 8190.
#[inline(always)]
fn narrow<B: Backend, R: QuotientRing>(backend: B, sum: B::Vector) -> B::Vector {
    let bits = match R::BITS {
        7 => 14,
        5 => 15,
        _ => 12,
    };
    let sum = backend.add(sum, backend.broadcast(offset::<R>()));
    let low = backend.and(sum, backend.broadcast((1 << bits) - 1));
    backend.add(low, backend.shift_right(sum, bits))
}

/// The results of [`narrow`], two to a word, to residues of at most `q + 1`. After each fold: `b = 7`: 382, 128; `b = 5`: 1056, 63, 32;
/// `b = 3`: 190, 65, 14, 7.
#[inline(always)]
fn fold_halves<B: Backend, R: QuotientRing>(backend: B, x: B::Vector) -> B::Vector {
    let folds: &[u32] = match R::BITS {
        7 => &[7, 7],
        5 => &[10, 5, 5],
        _ => &[6, 6, 3, 3],
    };
    let mut x = x;
    for &bits in folds {
        let low = backend.and(x, backend.broadcast(halves((1 << bits) - 1)));
        x = backend.add_16(low, backend.shift_right_16(x, bits));
    }
    x
}

/// Bytes of at most `2 q` to residues of at most `q`.
#[inline(always)]
fn fold_bytes<B: Backend, R: QuotientRing>(backend: B, quads: B::Vector) -> B::Vector {
    let low = backend.and(quads, backend.broadcast(bytes(R::MODULUS)));
    let high = backend.and(backend.shift_right(quads, R::BITS), backend.broadcast(bytes(1)));
    backend.add(low, high)
}

/// The quads whose byte `t` is a residue of `sum(t)`, `t < count <= 4`, at most `q + 1`; other bytes are zero.
#[inline(always)]
fn pack<B: Backend, R: QuotientRing>(
    backend: B,
    count: usize,
    sum: impl Fn(usize) -> B::Vector,
) -> B::Vector {
    let mut quads = backend.zero();
    for t in 0..count.min(2) {
        // bytes 0 and 2, then 1 and 3
        let mut pair = narrow::<B, R>(backend, sum(t));
        if t + 2 < count {
            let upper = narrow::<B, R>(backend, sum(t + 2));
            pair = backend.or(pair, backend.shift_left(upper, 16));
        }
        let pair = fold_halves::<B, R>(backend, pair);
        quads = if t == 0 { pair } else { backend.or(quads, backend.shift_left(pair, 8)) };
    }
    quads
}

/// The quads whose byte `t` is a residue of `sum(t)`, `t < count <= 4`, at most q; other bytes are zero. Sums are below `q 2^20` in absolute value.
#[inline(always)]
pub(crate) fn pack_sums<B: Backend, R: QuotientRing>(
    backend: B,
    count: usize,
    sum: impl Fn(usize) -> B::Vector,
) -> B::Vector {
    fold_bytes::<B, R>(backend, pack::<B, R>(backend, count, sum))
}

/// [`pack_sums`] below q: the canonical residues.
#[inline(always)]
pub(crate) fn pack_canonical<B: Backend, R: QuotientRing>(
    backend: B,
    count: usize,
    sum: impl Fn(usize) -> B::Vector,
) -> B::Vector {
    let x = pack_sums::<B, R>(backend, count, sum);
    let ones = backend.broadcast(bytes(1));
    // 1 where a byte is q
    let equal = backend.and(backend.shift_right(backend.add(x, ones), R::BITS), ones);
    backend.add(backend.subtract(x, backend.shift_left(equal, R::BITS)), equal)
}

/// Residues, at most q, of the bytes of `quads` (below q) minus `sum(t)`.
#[inline(always)]
pub(crate) fn pack_differences<B: Backend, R: QuotientRing>(
    backend: B,
    count: usize,
    quads: B::Vector,
    sum: impl Fn(usize) -> B::Vector,
) -> B::Vector {
    let negated = pack::<B, R>(backend, count, |t| backend.subtract(backend.zero(), sum(t)));
    fold_bytes::<B, R>(backend, backend.add(negated, quads))
}

/// Halves each byte (below q): a rotation of its `b` bits to the right, see [`half`](super::ring::half).
#[inline(always)]
pub(crate) fn half_bytes<B: Backend, R: QuotientRing>(backend: B, quads: B::Vector) -> B::Vector {
    let halved = backend.and(backend.shift_right(quads, 1), backend.broadcast(bytes(R::MODULUS >> 1)));
    let lowest = backend.and(quads, backend.broadcast(bytes(1)));
    backend.or(halved, backend.shift_left(lowest, R::BITS - 1))
}
