//! A field as data: the arithmetic of single elements, compiled once for each number of words.
//!
//! Elements are arrays of L words, below the modulus; the modulus is data. Each operation enters the back end of its own
//! accord: this is for the few single products beside the kernels. Constant time in the elements.

use crate::kernel::Engine;
use gf2n::Reducer;
use gf2n::backend::{ClmulLanes, Narrow};
use gf2n::modulus::ModulusInfo;

/// Runs an expression under the field's back end for single operations.
macro_rules! narrow {
    ($field:ident, $lanes:ident => $expression:expr) => {
        match $field.narrow {
            Narrow::Portable($lanes) => $expression,
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            Narrow::Clmul($lanes) => $lanes.run(
                #[inline(always)]
                || $expression,
            ),
        }
    };
}

/// An element of a field of at most 64 L bits.
pub(crate) type Element<const L: usize> = [u64; L];

/// A field GF(2^n) with ceil(n / 64) = L.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<const L: usize> {
    modulus: ModulusInfo,
    scalar: Reducer,
    trace_mask: Element<L>,
    narrow: Narrow,
}

impl<const L: usize> Field<L> {
    pub(crate) fn new(modulus: ModulusInfo) -> Self {
        Self {
            scalar: Reducer::new(&modulus),
            trace_mask: modulus.trace_mask(),
            narrow: Narrow::best(),
            modulus,
        }
    }

    /// The degree n.
    #[inline(always)]
    pub(crate) const fn degree(&self) -> usize {
        self.modulus.degree()
    }

    /// The kernels for many elements at once.
    pub(crate) fn engine(&self) -> Engine<L> {
        Engine::new(&self.scalar)
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

    /// The product.
    pub(crate) fn mul(&self, a: &Element<L>, b: &Element<L>) -> Element<L> {
        narrow!(self, lanes => self.mul_with(lanes, a, b))
    }

    /// The square.
    pub(crate) fn square(&self, a: &Element<L>) -> Element<L> {
        narrow!(self, lanes => self.square_with(lanes, a))
    }

    /// The square root: n - 1 squarings.
    pub(crate) fn square_root(&self, a: &Element<L>) -> Element<L> {
        narrow!(self, lanes => {
            let mut root = *a;
            for _ in 1..self.degree() {
                root = self.square_with(lanes, &root);
            }
            root
        })
    }

    /// The inverse, 0 for 0.
    pub(crate) fn invert(&self, a: &Element<L>) -> Element<L> {
        narrow!(self, lanes => self.invert_with(lanes, a))
    }

    /// sums[i] += factor terms[i].
    pub(crate) fn add_scaled(&self, sums: &mut [Element<L>], terms: &[Element<L>], factor: &Element<L>) {
        if *factor == Self::ONE {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum = Self::add(sum, term);
            }
            return;
        }
        narrow!(self, lanes => {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum = Self::add(sum, &self.mul_with(lanes, term, factor));
            }
        });
    }

    /// values[i] *= factor.
    pub(crate) fn scale(&self, values: &mut [Element<L>], factor: &Element<L>) {
        narrow!(self, lanes => {
            for value in values {
                *value = self.mul_with(lanes, value, factor);
            }
        });
    }

    /// values[i] = values[i] * factor + terms[i] * other.
    pub(crate) fn combine(
        &self,
        values: &mut [Element<L>],
        factor: &Element<L>,
        terms: &[Element<L>],
        other: &Element<L>,
    ) {
        narrow!(self, lanes => {
            for (value, term) in values.iter_mut().zip(terms) {
                *value = self.sum_with(lanes, value, factor, term, other);
            }
        });
    }

    /// a b + c d, reduced once.
    pub(crate) fn sum_of_products(
        &self,
        a: &Element<L>,
        b: &Element<L>,
        c: &Element<L>,
        d: &Element<L>,
    ) -> Element<L> {
        narrow!(self, lanes => self.sum_with(lanes, a, b, c, d))
    }

    #[inline(always)]
    fn sum_with<B: ClmulLanes>(
        &self,
        lanes: B,
        a: &Element<L>,
        b: &Element<L>,
        c: &Element<L>,
        d: &Element<L>,
    ) -> Element<L> {
        let mut wide = [[0; 2]; L];
        Self::add_product(lanes, &mut wide, a, b);
        Self::add_product(lanes, &mut wide, c, d);
        self.scalar.reduce(&wide)
    }

    #[inline(always)]
    fn mul_with<B: ClmulLanes>(&self, lanes: B, a: &Element<L>, b: &Element<L>) -> Element<L> {
        let mut wide = [[0; 2]; L];
        Self::add_product(lanes, &mut wide, a, b);
        self.scalar.reduce(&wide)
    }

    #[inline(always)]
    fn add_product<B: ClmulLanes>(lanes: B, wide: &mut [[u64; 2]; L], a: &Element<L>, b: &Element<L>) {
        for (i, &left) in a.iter().enumerate() {
            for (j, &right) in b.iter().enumerate() {
                let [low, high] = lanes.clmul(left, right);
                let (place, next) = (i + j, i + j + 1);
                wide[place / 2][place % 2] ^= low;
                wide[next / 2][next % 2] ^= high;
            }
        }
    }

    #[inline(always)]
    fn square_with<B: ClmulLanes>(&self, lanes: B, a: &Element<L>) -> Element<L> {
        self.scalar.reduce(&core::array::from_fn(|i| lanes.clsquare(a[i])))
    }

    /// Itoh and Tsujii: with b_k = a^(2^k - 1), b_(j+k) = b_j^(2^k) b_k, and the inverse is b_(n-1)^2.
    #[inline(always)]
    fn invert_with<B: ClmulLanes>(&self, lanes: B, a: &Element<L>) -> Element<L> {
        let target = self.degree() - 1;
        let (mut base, mut power, mut reached) = (*a, *a, 1);
        // one loop with one product: the bits of n - 1 below the highest, each a doubling and perhaps an increment
        for position in (0..target.ilog2()).rev() {
            for increment in [false, true] {
                if increment && (target >> position) & 1 == 0 {
                    continue;
                }
                let count = if increment { 1 } else { reached };
                base = if increment { *a } else { power };
                for _ in 0..count {
                    power = self.square_with(lanes, &power);
                }
                power = self.mul_with(lanes, &power, &base);
                reached += count;
            }
        }
        zeroize::Zeroize::zeroize(&mut base);
        self.square_with(lanes, &power)
    }
}

impl<const L: usize> Field<L> {
    /// Some z with z^2 + z = c, for c of trace 0.
    ///
    /// For odd n the half-trace, sum of c^(4^i). In general, with Tr(t) = 1, the sum over 0 < i < n of
    /// (c + c^2 + ... + c^(2^(i-1))) t^(2^i) (Hilbert 90); t is a power of x.
    pub(crate) fn artin_schreier(&self, c: &Element<L>) -> Element<L> {
        narrow!(self, lanes => self.artin_schreier_with(lanes, c))
    }

    #[inline(always)]
    fn artin_schreier_with<B: ClmulLanes>(&self, lanes: B, c: &Element<L>) -> Element<L> {
        let degree = self.degree();
        let mut sum = Self::ZERO;
        let mut power = *c;
        if degree % 2 == 1 {
            for step in 0..degree {
                if step % 2 == 0 {
                    sum = Self::add(&sum, &power);
                }
                power = self.square_with(lanes, &power);
            }
            return sum;
        }
        let exponent = (0..degree).find(|&i| (self.trace_mask[i / 64] >> (i % 64)) & 1 == 1).unwrap_or(0);
        let mut conjugate = Self::monomial(exponent);
        let mut partial = Self::ZERO;
        for _ in 1..degree {
            partial = Self::add(&partial, &power);
            power = self.square_with(lanes, &power);
            conjugate = self.square_with(lanes, &conjugate);
            sum = Self::add(&sum, &self.mul_with(lanes, &partial, &conjugate));
        }
        sum
    }
}
