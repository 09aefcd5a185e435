//! Reduction polynomials: the library's table, polynomials of the user's own, and their descriptions at run time.
//!
//! A modulus is a type. [`LibraryModulus`], the default of [`Gf2n`](crate::Gf2n), stands for the polynomial that the schemes
//! prescribe, for every degree from 2 to 576. A polynomial of one's own is a [`LowTerms`] type inside [`OwnModulus`]; Rabin's
//! test runs when the program is compiled, and a reducible polynomial does not compile. [`ModulusInfo::new`] is the same check
//! at run time.

mod irreducible;
mod table;

use core::fmt;
use core::marker::PhantomData;

pub use irreducible::is_irreducible;

use crate::points::{Karatsuba, LimbForm};

/// The largest degree N of a field GF(2^N) of this library.
pub const MAX_DEGREE: usize = 576;

/// An irreducible polynomial x^N + (low terms) as a value: what a kernel needs that is not compiled for one N.
///
/// Values exist for irreducible polynomials only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModulusInfo {
    degree: usize,
    low_exponents: &'static [u16],
}

/// Why a polynomial cannot be a field's modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModulusError {
    /// The degree is outside 2..=576.
    DegreeOutOfRange {
        /// The degree asked for.
        degree: usize,
    },
    /// The low exponents are not strictly decreasing from below the degree down to 0.
    MalformedExponents {
        /// The degree asked for.
        degree: usize,
    },
    /// The polynomial has a proper factor.
    Reducible {
        /// The degree asked for.
        degree: usize,
    },
}

impl fmt::Display for ModulusError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DegreeOutOfRange { degree } => {
                write!(formatter, "modulus degree {degree} is outside 2..=576")
            }
            Self::MalformedExponents { degree } => {
                write!(formatter, "low exponents must fall strictly from below {degree} to 0")
            }
            Self::Reducible { degree } => write!(formatter, "modulus of degree {degree} is reducible"),
        }
    }
}

impl core::error::Error for ModulusError {}

/// Whether the list falls strictly from below `degree` to 0.
const fn is_well_formed(degree: usize, low_exponents: &[u16]) -> bool {
    if degree < 2 || degree > MAX_DEGREE || low_exponents.is_empty() {
        return false;
    }
    let mut previous = degree;
    let mut index = 0;
    while index < low_exponents.len() {
        if low_exponents[index] as usize >= previous {
            return false;
        }
        previous = low_exponents[index] as usize;
        index += 1;
    }
    previous == 0
}

impl ModulusInfo {
    /// The polynomial x^degree + (sum of x^e over `low_exponents`), checked for irreducibility.
    ///
    /// `low_exponents` fall strictly and end with 0.
    ///
    /// ```
    /// use gf2n::modulus::{ModulusError, ModulusInfo};
    /// assert!(ModulusInfo::new(233, &[74, 0]).is_ok());
    /// assert_eq!(ModulusInfo::new(257, &[84, 72, 68, 0]), Err(ModulusError::Reducible { degree: 257 }));
    /// ```
    pub const fn new(degree: usize, low_exponents: &'static [u16]) -> Result<Self, ModulusError> {
        if degree < 2 || degree > MAX_DEGREE {
            return Err(ModulusError::DegreeOutOfRange { degree });
        }
        if !is_well_formed(degree, low_exponents) {
            return Err(ModulusError::MalformedExponents { degree });
        }
        if !is_irreducible(degree, low_exponents) {
            return Err(ModulusError::Reducible { degree });
        }
        Ok(Self { degree, low_exponents })
    }

    /// The library's polynomial of this degree: the one that GeMSS, Gui and DualModeMS prescribe, and the same rule for
    /// all other degrees. All 575 are proved irreducible by a test.
    pub const fn library(degree: usize) -> Result<Self, ModulusError> {
        if degree < 2 || degree > MAX_DEGREE {
            return Err(ModulusError::DegreeOutOfRange { degree });
        }
        Ok(Self { degree, low_exponents: table::low_exponents(degree) })
    }

    /// The degree N.
    #[must_use]
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// The exponents below N, strictly falling, 0 last.
    #[must_use]
    pub const fn low_exponents(&self) -> &'static [u16] {
        self.low_exponents
    }

    /// The number of 64-bit limbs of an element.
    #[must_use]
    pub const fn limbs(&self) -> usize {
        self.degree.div_ceil(64)
    }

    /// Tr(x^i) for i = 0..N, packed like an element: the trace of e is the parity of e AND this vector.
    ///
    /// The traces are the power sums of the roots, by Newton's identities. `L` must be `self.limbs()` or more.
    #[must_use]
    pub const fn trace_mask<const L: usize>(&self) -> [u64; L] {
        let mut mask = [0; L];
        let mut power = 0;
        while power < self.degree {
            // p_k = (sum over j < k of e_j p_(k-j)) + k e_k, with e_j the coefficient of x^(N-j); p_0 = N
            let mut sum = power == 0 && self.degree % 2 == 1;
            let mut term = 0;
            while term < self.low_exponents.len() {
                let below = self.degree - self.low_exponents[term] as usize;
                if below < power {
                    let index = power - below;
                    sum ^= (mask[index / 64] >> (index % 64)) & 1 == 1;
                } else if below == power {
                    sum ^= power % 2 == 1;
                }
                term += 1;
            }
            if sum {
                mask[power / 64] |= 1 << (power % 64);
            }
            power += 1;
        }
        mask
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The modulus of a field GF(2^N) on L limbs as a type: [`LibraryModulus`] or [`OwnModulus`]. Sealed, so that every field has
/// an irreducible modulus. Implemented for L from 1 to 9; that L is ceil(N / 64) is checked when a field is compiled.
pub trait Modulus<const N: usize, const L: usize>: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The polynomial.
    const INFO: ModulusInfo;

    /// The points at which products are formed.
    type Form: LimbForm<L>;
}

/// Checks that L limbs are what degree N takes.
const fn assert_shape(degree: usize, limbs: usize) {
    assert!(degree >= 2 && degree <= MAX_DEGREE, "the degree of a field must be in 2..=576");
    assert!(limbs == degree.div_ceil(64), "the number of limbs must be ceil(N / 64)");
}

macro_rules! implement_modulus {
    ($($limbs:literal)+) => {$(
        impl<const N: usize> Modulus<N, $limbs> for LibraryModulus {
            const INFO: ModulusInfo = {
                assert_shape(N, $limbs);
                match ModulusInfo::library(N) {
                    Ok(info) => info,
                    Err(_) => panic!("the degree of a field must be in 2..=576"),
                }
            };
            type Form = Karatsuba;
        }

        impl<const N: usize, T: LowTerms> Modulus<N, $limbs> for OwnModulus<T> {
            const INFO: ModulusInfo = {
                assert_shape(N, $limbs);
                match ModulusInfo::new(N, T::LOW_EXPONENTS) {
                    Ok(info) => info,
                    Err(ModulusError::Reducible { .. }) => panic!("the modulus is reducible"),
                    Err(_) => panic!("the modulus is malformed or its degree is outside 2..=576"),
                }
            };
            type Form = Karatsuba;
        }
    )+};
}

implement_modulus! { 1 2 3 4 5 6 7 8 9 }

/// The library's polynomial of each degree from 2 to 576; see [`ModulusInfo::library`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LibraryModulus;

impl sealed::Sealed for LibraryModulus {}

/// The low terms of a polynomial of one's own; see [`OwnModulus`].
pub trait LowTerms: Copy + Send + Sync + 'static {
    /// The exponents below the leading one, strictly falling, the constant term 0 last.
    const LOW_EXPONENTS: &'static [u16];
}

/// A modulus of one's own, proved irreducible when the program is compiled.
///
/// ```
/// use gf2n::{Gf2n, modulus::{LowTerms, OwnModulus}};
/// #[derive(Clone, Copy)]
/// struct Sect233;
/// impl LowTerms for Sect233 {
///     const LOW_EXPONENTS: &'static [u16] = &[74, 0];
/// }
/// type Field = Gf2n<233, 4, OwnModulus<Sect233>>;
/// assert_eq!(Field::ONE.square(), Field::ONE);
/// ```
/// A reducible polynomial makes no field:
/// ```compile_fail
/// use gf2n::{Gf2n, modulus::{LowTerms, OwnModulus}};
/// #[derive(Clone, Copy)]
/// struct Reducible;
/// impl LowTerms for Reducible {
///     const LOW_EXPONENTS: &'static [u16] = &[84, 72, 68, 0];
/// }
/// type Field = Gf2n<257, 5, OwnModulus<Reducible>>;
/// assert_eq!(Field::ONE.square(), Field::ONE);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OwnModulus<T>(PhantomData<T>);

impl<T: LowTerms> sealed::Sealed for OwnModulus<T> {}
