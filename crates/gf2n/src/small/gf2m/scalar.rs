//! Vectors of elements of GF(2^M) that are multiplied by one scalar at a time, the scalar as secret as the vectors.
//!
//! Where a CPU has byte shuffles or bit matrices, elements lie as bytes: the products of a scalar with all digits are a few small tables in
//! registers, or its matrix is. Elsewhere vectors are bitsliced ([`Bitsliced`]).

use super::backend::LaneBackend;
use super::planes::{self, Planes};

/// Vectors of [`ELEMENTS`](Self::ELEMENTS) field elements and what multiplies them by scalars. Constant time.
///
/// As with [`LaneBackend`], methods other than [`run`](Self::run) are meant to be called inside `run`.
pub trait ScalarVectors: Copy + Send + Sync + 'static {
    /// The vector.
    type Vector<const M: usize>: Copy;
    /// A scalar, prepared for multiplying.
    type Factor<const M: usize>: Copy;
    /// A scalar, half prepared.
    type Multiples<const M: usize>: Copy;
    /// Elements of a vector.
    const ELEMENTS: usize;

    /// Runs `kernel` compiled with the CPU features.
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R;
    /// A vector of the listed elements, zeros behind them.
    fn gather<const M: usize>(self, elements: &[u16]) -> Self::Vector<M>;
    /// Writes the first elements of a vector.
    fn scatter<const M: usize>(self, vector: Self::Vector<M>, elements: &mut [u16]);
    /// Element 0.
    fn first<const M: usize>(self, vector: Self::Vector<M>) -> u16;
    /// The product of two scalars.
    fn product<const M: usize>(self, left: u16, right: u16) -> u16;
    /// The first part of [`factor`](Self::factor), a chain of few operations that other work can hide.
    fn multiples<const M: usize>(self, scalar: u16) -> Self::Multiples<M>;
    /// The second part.
    fn factor_of<const M: usize>(self, multiples: Self::Multiples<M>) -> Self::Factor<M>;
    /// Prepares a scalar.
    #[inline(always)]
    fn factor<const M: usize>(self, scalar: u16) -> Self::Factor<M> {
        self.factor_of::<M>(self.multiples::<M>(scalar))
    }
    /// `left * left_factor + right * right_factor`.
    fn combine<const M: usize>(
        self,
        left: Self::Vector<M>,
        left_factor: &Self::Factor<M>,
        right: Self::Vector<M>,
        right_factor: &Self::Factor<M>,
    ) -> Self::Vector<M>;
    /// `chosen` if `mask` is all ones, `other` if it is zero.
    fn select<const M: usize>(
        self,
        mask: u16,
        chosen: Self::Vector<M>,
        other: Self::Vector<M>,
    ) -> Self::Vector<M>;
    /// [`select`](Self::select) for scalars.
    fn select_factor<const M: usize>(
        self,
        mask: u16,
        chosen: &Self::Factor<M>,
        other: &Self::Factor<M>,
    ) -> Self::Factor<M>;
    /// Element i + 1 moves to i; the last one becomes zero.
    fn lower<const M: usize>(self, vector: Self::Vector<M>) -> Self::Vector<M>;
    /// Overwrites one element; `position` is public.
    fn insert<const M: usize>(
        self,
        vector: Self::Vector<M>,
        position: usize,
        element: u16,
    ) -> Self::Vector<M>;
}

/// Bitsliced vectors: element i is in lane LANES - 1 - i.
#[derive(Clone, Copy, Debug)]
pub struct Bitsliced<B>(pub B);

impl<B: LaneBackend> ScalarVectors for Bitsliced<B> {
    type Vector<const M: usize> = Planes<B, M>;
    type Factor<const M: usize> = Planes<B, M>;
    type Multiples<const M: usize> = u16;
    const ELEMENTS: usize = B::LANES;

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        self.0.run(kernel)
    }

    #[inline(always)]
    fn gather<const M: usize>(self, elements: &[u16]) -> Planes<B, M> {
        let mut lanes = [0u16; 512];
        for (lane, element) in lanes[..B::LANES].iter_mut().rev().zip(elements) {
            *lane = *element;
        }
        planes::from_elements::<B, M>(self.0, &lanes[..B::LANES])
    }

    #[inline(always)]
    fn scatter<const M: usize>(self, vector: Planes<B, M>, elements: &mut [u16]) {
        let mut lanes = [0u16; 512];
        planes::to_elements::<B, M>(self.0, &vector, &mut lanes[..B::LANES]);
        for (element, lane) in elements.iter_mut().zip(lanes[..B::LANES].iter().rev()) {
            *element = *lane;
        }
    }

    #[inline(always)]
    fn first<const M: usize>(self, vector: Planes<B, M>) -> u16 {
        let mut element = 0;
        for plane in 0..M {
            let mut words = [0u64; 8];
            self.0.store(vector[plane], &mut words[..B::WORDS]);
            element |= ((words[B::WORDS - 1] >> 63) as u16) << plane;
        }
        element
    }

    #[inline(always)]
    fn product<const M: usize>(self, left: u16, right: u16) -> u16 {
        reduce::<M>(self.0.carryless_mul(u64::from(left), u64::from(right)) as u32)
    }

    #[inline(always)]
    fn multiples<const M: usize>(self, scalar: u16) -> u16 {
        scalar
    }

    #[inline(always)]
    fn factor_of<const M: usize>(self, scalar: u16) -> Planes<B, M> {
        planes::splat::<B, M>(self.0, scalar)
    }

    #[inline(always)]
    fn combine<const M: usize>(
        self,
        left: Planes<B, M>,
        left_factor: &Planes<B, M>,
        right: Planes<B, M>,
        right_factor: &Planes<B, M>,
    ) -> Planes<B, M> {
        let left = planes::mul::<B, M>(self.0, &left, left_factor);
        planes::add::<B, M>(&left, &planes::mul::<B, M>(self.0, &right, right_factor))
    }

    #[inline(always)]
    fn select<const M: usize>(self, mask: u16, chosen: Planes<B, M>, other: Planes<B, M>) -> Planes<B, M> {
        let mask = self.0.splat(0u64.wrapping_sub(u64::from(mask & 1)));
        let mut selected = other;
        for plane in 0..M {
            selected[plane] = other[plane] ^ ((other[plane] ^ chosen[plane]) & mask);
        }
        selected
    }

    #[inline(always)]
    fn select_factor<const M: usize>(
        self,
        mask: u16,
        chosen: &Planes<B, M>,
        other: &Planes<B, M>,
    ) -> Planes<B, M> {
        self.select::<M>(mask, *chosen, *other)
    }

    #[inline(always)]
    fn lower<const M: usize>(self, mut vector: Planes<B, M>) -> Planes<B, M> {
        for word in &mut vector {
            *word = self.0.next_lane(*word);
        }
        vector
    }

    #[inline(always)]
    fn insert<const M: usize>(self, mut vector: Planes<B, M>, position: usize, element: u16) -> Planes<B, M> {
        let lane = B::LANES - 1 - position;
        let mut words = [0u64; 8];
        words[lane / 64] = 1 << (lane % 64);
        let place = self.0.load(&words[..B::WORDS]);
        for plane in 0..M {
            let bit = self.0.splat(0u64.wrapping_sub(u64::from(element >> plane & 1)));
            vector[plane] = (vector[plane] & !place) | (bit & place);
        }
        vector
    }
}

/// Remainder of a product, by folding all bits from z^M on at once: the chain is shorter than bit by bit.
#[inline(always)]
pub(super) fn reduce<const M: usize>(product: u32) -> u16 {
    let modulus = const { super::field::FIELD_POLYNOMIALS[M] };
    let mut value = product;
    let mut bound = 2 * M - 1;
    while bound > M {
        let high = value >> M;
        value &= (1 << M) - 1;
        let mut highest = 0;
        for low in 0..M {
            if modulus >> low & 1 == 1 {
                value ^= high << low;
                highest = low;
            }
        }
        // `high` has bound - M bits
        bound = if bound - M + highest > M { bound - M + highest } else { M };
    }
    value as u16
}

/// For each bit i of a scalar, the elements z^i z^j, j < 16 (z^j beyond M too): what the bit adds to the products of the scalar with all
/// powers.
#[cfg(target_arch = "x86_64")]
pub(super) const fn scalar_powers<const M: usize>() -> [[u16; 16]; 16] {
    let modulus = super::field::FIELD_POLYNOMIALS[M];
    let mut table = [[0u16; 16]; 16];
    let mut bit = 0;
    while bit < M {
        let mut power = 1u32 << bit;
        let mut j = 0;
        while j < 16 {
            table[bit][j] = power as u16;
            power <<= 1;
            if power >> M & 1 == 1 {
                power ^= modulus;
            }
            j += 1;
        }
        bit += 1;
    }
    table
}
