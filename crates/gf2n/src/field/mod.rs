//! Elements of GF(2^N).

mod arithmetic;
mod bytes;
mod quadratic;

use core::fmt;
use core::marker::PhantomData;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

pub use bytes::ElementError;

use crate::ct;
use crate::modulus::{LibraryModulus, Modulus, ModulusInfo};
use crate::reduce::Reducer;

/// An element of GF(2^N) = GF(2)\[x\] / f on L = ceil(N / 64) limbs.
///
/// Coefficient i is bit i mod 64 of limb i / 64; bits from N on are zero, always. `L` must be `N.div_ceil(64)`, and `N` in
/// 2..=576: anything else does not compile. `M` is the reduction polynomial; by default the library's of this degree.
///
/// All operations run in time that depends on the type only, unless their names end in `_vartime`. An element may be a
/// secret: it can be wiped ([`Zeroize`]); wrap it where it must not be copied or printed.
///
/// ```
/// use gf2n::Gf2n;
/// type Field = Gf2n<174, 3>;
/// let a = Field::from_limbs([3, 0, 1]).unwrap();
/// assert_eq!(a * a.invert(), Field::ONE);
/// ```
/// A number of limbs that does not fit the degree is refused:
/// ```compile_fail
/// let _ = gf2n::Gf2n::<174, 4>::ZERO;
/// ```
pub struct Gf2n<const N: usize, const L: usize, M = LibraryModulus> {
    limbs: [u64; L],
    modulus: PhantomData<M>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Gf2n<N, L, M> {
    /// The degree N.
    pub const DEGREE: usize = N;
    /// Bytes of an encoded element: ceil(N / 8).
    pub const BYTES: usize = N.div_ceil(8);
    /// The reduction polynomial.
    pub const MODULUS: ModulusInfo = M::INFO;
    /// The reduction modulo [`MODULUS`](Self::MODULUS), for kernels that take it as data.
    pub const REDUCER: Reducer = Reducer::new(&M::INFO);
    /// Bits of the top limb that an element may use.
    pub const TOP_MASK: u64 = u64::MAX >> (64 * L - N);

    /// The zero element.
    pub const ZERO: Self = {
        // evaluating the modulus checks the shape
        assert!(M::INFO.degree() == N);
        Self { limbs: [0; L], modulus: PhantomData }
    };

    /// The element 1.
    pub const ONE: Self = Self::power_of_x(0);

    /// The element x, a root of the reduction polynomial.
    pub const X: Self = Self::power_of_x(1);

    /// The basis element x^exponent.
    ///
    /// # Panics
    /// If `exponent >= N`.
    #[must_use]
    pub const fn power_of_x(exponent: usize) -> Self {
        assert!(exponent < N, "exponent outside the basis");
        let mut element = Self::ZERO;
        element.limbs[exponent / 64] = 1 << (exponent % 64);
        element
    }

    /// The element with these limbs, or `None` if a bit from N on is set.
    #[inline]
    #[must_use]
    pub const fn from_limbs(limbs: [u64; L]) -> Option<Self> {
        if limbs[L - 1] & !Self::TOP_MASK == 0 { Some(Self::from_limbs_truncated(limbs)) } else { None }
    }

    /// The element with these limbs, bits from N on cleared.
    #[inline(always)]
    #[must_use]
    pub const fn from_limbs_truncated(limbs: [u64; L]) -> Self {
        let mut element = Self::ZERO;
        element.limbs = limbs;
        element.limbs[L - 1] &= Self::TOP_MASK;
        element
    }

    /// The limbs, lowest first.
    #[inline(always)]
    #[must_use]
    pub const fn limbs(&self) -> &[u64; L] {
        &self.limbs
    }

    /// The limbs, lowest first.
    #[inline(always)]
    #[must_use]
    pub const fn to_limbs(self) -> [u64; L] {
        self.limbs
    }

    /// Limbs that are known to be reduced.
    #[inline(always)]
    pub(crate) const fn from_reduced(limbs: [u64; L]) -> Self {
        debug_assert!(limbs[L - 1] & !Self::TOP_MASK == 0);
        Self { limbs, modulus: PhantomData }
    }

    /// Coefficient i, in the lowest bit.
    ///
    /// # Panics
    /// If `index >= N`.
    #[inline]
    #[must_use]
    pub const fn bit(&self, index: usize) -> u64 {
        assert!(index < N, "coefficient index outside the element");
        (self.limbs[index / 64] >> (index % 64)) & 1
    }

    /// Whether the element is zero, in constant time.
    #[inline]
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }

    /// The element if the lowest bit of `bit` is 1, else zero, in constant time.
    #[inline(always)]
    #[must_use]
    pub fn and_bit(self, bit: u64) -> Self {
        let mask = ct::mask(bit);
        Self { limbs: self.limbs.map(|limb| limb & mask), modulus: PhantomData }
    }
}

// The usual traits by hand: derived ones would ask them of `M`.

impl<const N: usize, const L: usize, M> Clone for Gf2n<N, L, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: usize, const L: usize, M> Copy for Gf2n<N, L, M> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Default for Gf2n<N, L, M> {
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

/// In constant time.
impl<const N: usize, const L: usize, M> PartialEq for Gf2n<N, L, M> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<const N: usize, const L: usize, M> Eq for Gf2n<N, L, M> {}

impl<const N: usize, const L: usize, M> core::hash::Hash for Gf2n<N, L, M> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.limbs.hash(state);
    }
}

/// Prints the element as a hexadecimal number, x^0 in the lowest bit. Do not print secrets.
impl<const N: usize, const L: usize, M> fmt::Debug for Gf2n<N, L, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GF(2^{N}):0x")?;
        self.limbs.iter().rev().try_for_each(|limb| write!(formatter, "{limb:016x}"))
    }
}

impl<const N: usize, const L: usize, M> ConstantTimeEq for Gf2n<N, L, M> {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        let difference = self.limbs.iter().zip(&other.limbs).fold(0, |union, (a, b)| union | (a ^ b));
        difference.ct_eq(&0)
    }
}

impl<const N: usize, const L: usize, M> ConditionallySelectable for Gf2n<N, L, M> {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let mask = ct::mask(u64::from(choice.unwrap_u8()));
        let limbs = core::array::from_fn(|i| a.limbs[i] ^ (mask & (a.limbs[i] ^ b.limbs[i])));
        Self { limbs, modulus: PhantomData }
    }
}

impl<const N: usize, const L: usize, M> Zeroize for Gf2n<N, L, M> {
    fn zeroize(&mut self) {
        self.limbs.zeroize();
    }
}
