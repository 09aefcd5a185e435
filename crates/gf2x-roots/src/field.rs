//! A field as data: the arithmetic of single elements, compiled once for each number of words.
//!
//! Elements are arrays of L words, below the modulus. Everything is generic over the back end, which the caller has entered;
//! the modulus is data. Constant time in the elements.

use crate::kernel::reduction::WordReducer;
use gf2n::Reducer;
use gf2n::backend::ClmulLanes;
use gf2n::modulus::ModulusInfo;

/// An element of a field of at most 64 L bits.
pub(crate) type Element<const L: usize> = [u64; L];

/// A field GF(2^n) with ceil(n / 64) = L.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<const L: usize> {
    modulus: ModulusInfo,
    scalar: Reducer,
    words: WordReducer,
    trace_mask: Element<L>,
}

impl<const L: usize> Field<L> {
    pub(crate) const fn new(modulus: ModulusInfo) -> Self {
        Self {
            scalar: Reducer::new(&modulus),
            words: WordReducer::new(&modulus),
            trace_mask: modulus.trace_mask(),
            modulus,
        }
    }

    /// The degree n.
    #[inline(always)]
    pub(crate) const fn degree(&self) -> usize {
        self.modulus.degree()
    }

    /// The reduction for the vector kernels.
    #[inline(always)]
    pub(crate) const fn word_reducer(&self) -> &WordReducer {
        &self.words
    }

    pub(crate) const ZERO: Element<L> = [0; L];

    pub(crate) const ONE: Element<L> = {
        let mut one = [0; L];
        one[0] = 1;
        one
    };

    /// The element x^`exponent`, `exponent` below n.
    pub(crate) fn monomial(exponent: usize) -> Element<L> {
        let mut out = [0; L];
        out[exponent / 64] = 1 << (exponent % 64);
        out
    }

    #[inline(always)]
    pub(crate) fn add(a: &Element<L>, b: &Element<L>) -> Element<L> {
        core::array::from_fn(|i| a[i] ^ b[i])
    }

    /// Whether the element is zero; the answer is public.
    #[inline(always)]
    pub(crate) fn is_zero(a: &Element<L>) -> bool {
        a.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(crate) fn mul<B: ClmulLanes>(&self, lanes: B, a: &Element<L>, b: &Element<L>) -> Element<L> {
        let mut wide = [[0; 2]; L];
        for (i, &left) in a.iter().enumerate() {
            for (j, &right) in b.iter().enumerate() {
                let [low, high] = lanes.clmul(left, right);
                wide[(i + j) / 2][(i + j) % 2] ^= low;
                wide[(i + j + 1) / 2][(i + j + 1) % 2] ^= high;
            }
        }
        self.scalar.reduce(&wide)
    }

    #[inline(always)]
    pub(crate) fn square<B: ClmulLanes>(&self, lanes: B, a: &Element<L>) -> Element<L> {
        self.scalar.reduce(&core::array::from_fn(|i| lanes.clsquare(a[i])))
    }

    /// a^(2^count).
    #[inline(always)]
    pub(crate) fn square_n<B: ClmulLanes>(&self, lanes: B, a: &Element<L>, count: usize) -> Element<L> {
        (0..count).fold(*a, |power, _| self.square(lanes, &power))
    }

    /// The inverse, 0 for 0: Itoh and Tsujii.
    #[inline(always)]
    pub(crate) fn invert<B: ClmulLanes>(&self, lanes: B, a: &Element<L>) -> Element<L> {
        let target = self.degree() - 1;
        let mut power = *a;
        let mut reached = 1;
        for position in (0..target.ilog2()).rev() {
            power = self.mul(lanes, &self.square_n(lanes, &power, reached), &power);
            reached *= 2;
            if (target >> position) & 1 == 1 {
                power = self.mul(lanes, &self.square(lanes, &power), a);
                reached += 1;
            }
        }
        self.square(lanes, &power)
    }

    /// The trace to GF(2).
    #[inline(always)]
    pub(crate) fn trace(&self, a: &Element<L>) -> bool {
        let word = (0..L).fold(0, |sum, i| sum ^ (a[i] & self.trace_mask[i]));
        word.count_ones() % 2 == 1
    }
}

impl<const L: usize> Field<L> {
    /// Some z with z^2 + z = c, for c of trace 0.
    ///
    /// For odd n the half-trace, sum of c^(4^i). In general, with Tr(t) = 1, the sum over 0 < i < n of
    /// (c + c^2 + ... + c^(2^(i-1))) t^(2^i) (Hilbert 90); t is a power of x.
    #[inline(always)]
    pub(crate) fn artin_schreier<B: ClmulLanes>(&self, lanes: B, c: &Element<L>) -> Element<L> {
        let degree = self.degree();
        let mut sum = Self::ZERO;
        if degree % 2 == 1 {
            let mut power = *c;
            for step in 0..=(degree - 1) / 2 {
                if step > 0 {
                    power = self.square_n(lanes, &power, 2);
                }
                sum = Self::add(&sum, &power);
            }
            return sum;
        }
        let exponent = (0..degree).find(|&i| (self.trace_mask[i / 64] >> (i % 64)) & 1 == 1).unwrap_or(0);
        let mut conjugate = Self::monomial(exponent);
        let mut partial = Self::ZERO;
        let mut power = *c;
        for _ in 1..degree {
            partial = Self::add(&partial, &power);
            power = self.square(lanes, &power);
            conjugate = self.square(lanes, &conjugate);
            sum = Self::add(&sum, &self.mul(lanes, &partial, &conjugate));
        }
        sum
    }
}
