//! Additive FFT: values of polynomials at all points of an affine subspace of GF(2^N) over GF(2), and back.
//!
//! The points are shift + sum of j_i v_i over the bits j_i of an index j, for independent v_0, .., v_(d-1). With s_l the
//! product of X - w over the span of v_0, .., v_(l-1), a linearised polynomial with s_0 = X and
//! s_(l+1) = s_l^2 + s_l(v_l) s_l, and S_l = s_l / s_l(v_l), the basis polynomial X_j is the product of S_l over the set bits
//! l of j (Lin, Chung and Han, "Novel polynomial basis and its application to Reed-Solomon erasure codes", FOCS 2014). In
//! this basis a transform is d levels of butterflies, one product each; the conversion from monomials divides by the sparse
//! s_l, level by level. In all about d 2^(d-1) products for the butterflies and d^2 2^(d-2) for the conversion.
//!
//! Everything is linear; each step can be undone and transposed, which gives interpolation, and the transposed evaluation
//! (power sums of weighted points).
//!
//! The sequence of operations depends on the sizes and the basis, not on coefficients and values. For batches over fields of at most 24
//! bits see [`crate::batch`].

mod steps;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::field::{Element, Field};
use crate::polynomial::Polynomial;
use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};

/// Why a transform is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FftError {
    /// A basis vector is in the span of those before it.
    DependentBasis {
        /// The index of the vector.
        index: usize,
    },
    /// More than 2^24 points, or more basis vectors than the field has dimensions.
    TooManyPoints {
        /// The number of basis vectors.
        dimension: usize,
    },
    /// The number of values is not 2^dimension (times the width of the batch).
    Length {
        /// The number of values that fits.
        expected: usize,
        /// The number given.
        actual: usize,
    },
}

impl fmt::Display for FftError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DependentBasis { index } => {
                write!(formatter, "basis vector {index} depends on those before it")
            }
            Self::TooManyPoints { dimension } => {
                write!(formatter, "a subspace of dimension {dimension} is too large")
            }
            Self::Length { expected, actual } => write!(formatter, "{actual} values instead of {expected}"),
        }
    }
}

impl core::error::Error for FftError {}

/// The precomputation for one subspace; any shift.
///
/// ```
/// use gf2n::Gf2n;
/// use gf2x_roots::{Polynomial, fft::AdditiveFft};
/// type Field = Gf2n<174, 3>;
/// let fft = AdditiveFft::<174, 3>::standard(3).unwrap();
/// let polynomial = Polynomial::new(vec![Field::ONE, Field::X, Field::ZERO, Field::ONE]);
/// let values = fft.evaluate(&polynomial, Field::X.square_n(50));
/// assert_eq!(values[5], polynomial.value(Field::X.square_n(50) + fft.point(5)));
/// assert_eq!(fft.interpolate(&values, Field::X.square_n(50)).unwrap(), polynomial);
/// ```
pub struct AdditiveFft<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    basis: Vec<Gf2n<N, L, M>>,
    tables: Tables<L>,
}

/// What the steps need, without the field's type.
struct Tables<const L: usize> {
    field: Field<L>,
    /// v_i.
    basis: Vec<Element<L>>,
    /// The coefficients of s_l for X^(2^t), t < l (the leading one is 1), for l = 0..=d.
    subspace: Vec<Vec<Element<L>>>,
    /// s_l(v_l) and its inverse, l < d.
    scales: Vec<[Element<L>; 2]>,
    /// S_l(v_i), l < i < d.
    twiddles: Vec<Vec<Element<L>>>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> AdditiveFft<N, L, M> {
    /// The largest dimension of a subspace.
    pub const MAX_DIMENSION: usize = 24;

    /// For the span of these vectors; index bit i belongs to `basis[i]`.
    pub fn new(basis: Vec<Gf2n<N, L, M>>) -> Result<Self, FftError> {
        let dimension = basis.len();
        if dimension > N.min(Self::MAX_DIMENSION) {
            return Err(FftError::TooManyPoints { dimension });
        }
        let field = Field::<L>::new(M::INFO);
        let erased = basis.iter().map(|vector| vector.to_limbs()).collect();
        Ok(Self { tables: Tables::new(field, erased)?, basis })
    }

    /// For the span of 1, x, .., x^(dimension - 1): the index of a point is the integer of its element.
    pub fn standard(dimension: usize) -> Result<Self, FftError> {
        if dimension > N {
            return Err(FftError::TooManyPoints { dimension });
        }
        Self::new((0..dimension).map(Gf2n::power_of_x).collect())
    }

    /// d.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.basis.len()
    }

    /// The number of points, 2^d.
    #[must_use]
    pub fn points(&self) -> usize {
        1 << self.basis.len()
    }

    /// Point `index` of the subspace itself (shift 0); bits of the index from d on are ignored.
    #[must_use]
    pub fn point(&self, index: usize) -> Gf2n<N, L, M> {
        let bits = self.basis.iter().enumerate().filter(|&(bit, _)| (index >> bit) & 1 == 1);
        bits.map(|(_, &vector)| vector).sum()
    }

    /// The values at `shift` + [`point`](Self::point)(j) for all j. Any degree: coefficients from 2^d on are folded first.
    #[must_use]
    pub fn evaluate(&self, polynomial: &Polynomial<N, L, M>, shift: Gf2n<N, L, M>) -> Vec<Gf2n<N, L, M>> {
        let shift = shift.to_limbs();
        let mut data = polynomial.erased();
        self.tables.fold(&mut data, &shift);
        data.resize(self.points(), Field::<L>::ZERO);
        self.tables.convert(&mut data, 1, false, false);
        self.tables.butterflies(&mut data, 1, &shift, false, false);
        restored(data)
    }

    /// The polynomial of degree below 2^d with these values.
    pub fn interpolate(
        &self,
        values: &[Gf2n<N, L, M>],
        shift: Gf2n<N, L, M>,
    ) -> Result<Polynomial<N, L, M>, FftError> {
        self.check(values.len(), 1)?;
        let mut data = erased(values);
        self.tables.butterflies(&mut data, 1, &shift.to_limbs(), true, false);
        self.tables.convert(&mut data, 1, true, false);
        Ok(Polynomial::restored(data))
    }

    /// The transposed evaluation: sum over j of `weights[j]` (shift + point j)^i for i = 0 .. 2^d - 1.
    pub fn power_sums(
        &self,
        weights: &[Gf2n<N, L, M>],
        shift: Gf2n<N, L, M>,
    ) -> Result<Vec<Gf2n<N, L, M>>, FftError> {
        self.check(weights.len(), 1)?;
        let mut data = erased(weights);
        self.tables.butterflies(&mut data, 1, &shift.to_limbs(), false, true);
        self.tables.convert(&mut data, 1, false, true);
        Ok(restored(data))
    }

    /// The values of many polynomials of degree below 2^d at once, in place: on entry `data[i * width + p]` is coefficient i of
    /// polynomial p, on return the value at point i.
    ///
    /// All polynomials meet the same factor at the same place; one table of factors serves the batch.
    pub fn evaluate_batch(
        &self,
        data: &mut [Gf2n<N, L, M>],
        width: usize,
        shift: Gf2n<N, L, M>,
    ) -> Result<(), FftError> {
        self.check(data.len(), width)?;
        if width == 0 {
            return Ok(());
        }
        let mut values = erased(data);
        self.tables.convert(&mut values, width, false, false);
        self.tables.butterflies(&mut values, width, &shift.to_limbs(), false, false);
        for (place, value) in data.iter_mut().zip(values) {
            *place = Gf2n::from_limbs_truncated(value);
        }
        Ok(())
    }

    fn check(&self, actual: usize, width: usize) -> Result<(), FftError> {
        let expected = self.points().saturating_mul(width);
        if actual == expected { Ok(()) } else { Err(FftError::Length { expected, actual }) }
    }
}

impl<const L: usize> Tables<L> {
    fn new(field: Field<L>, basis: Vec<Element<L>>) -> Result<Self, FftError> {
        let mut subspace: Vec<Vec<Element<L>>> = vec![Vec::new()];
        let mut scales = Vec::with_capacity(basis.len());
        for (level, vector) in basis.iter().enumerate() {
            let current = &subspace[level];
            let scale = linearised(&field, current, vector);
            if Field::is_zero(&scale) {
                return Err(FftError::DependentBasis { index: level });
            }
            // s_(l+1) = s_l^2 + scale s_l, where s_l has the leading coefficient 1
            let mut next: Vec<_> =
                core::iter::once(Field::<L>::ZERO).chain(current.iter().map(|c| field.square(c))).collect();
            for (place, coefficient) in next.iter_mut().zip(current.iter().chain([&Field::<L>::ONE])) {
                *place = Field::add(place, &field.mul(coefficient, &scale));
            }
            subspace.push(next);
            scales.push([scale, field.invert(&scale)]);
        }
        let twiddles = (0..basis.len())
            .map(|level| {
                let values =
                    basis[level + 1..].iter().map(|vector| linearised(&field, &subspace[level], vector));
                values.map(|value| field.mul(&value, &scales[level][1])).collect()
            })
            .collect();
        Ok(Self { field, basis, subspace, scales, twiddles })
    }

    /// Reduces a polynomial modulo the one that vanishes on the affine subspace, s_d(X) + s_d(shift).
    fn fold(&self, polynomial: &mut Vec<Element<L>>, shift: &Element<L>) {
        let vanishing = &self.subspace[self.basis.len()];
        let constant = linearised(&self.field, vanishing, shift);
        let points = 1 << self.basis.len();
        while polynomial.len() > points {
            let Some(leading) = polynomial.pop() else { return };
            let base = polynomial.len() - points;
            let terms = vanishing.iter().enumerate().map(|(t, coefficient)| (1 << t, coefficient));
            for (exponent, coefficient) in terms.chain([(0, &constant)]) {
                let place = &mut polynomial[base + exponent];
                *place = Field::add(place, &self.field.mul(&leading, coefficient));
            }
        }
    }
}

/// The value of X^(2^l) + sum of c_t X^(2^t), l the number of coefficients.
fn linearised<const L: usize>(
    field: &Field<L>,
    coefficients: &[Element<L>],
    point: &Element<L>,
) -> Element<L> {
    let mut power = *point;
    let mut sum = Field::<L>::ZERO;
    for coefficient in coefficients {
        sum = Field::add(&sum, &field.mul(coefficient, &power));
        power = field.square(&power);
    }
    Field::add(&sum, &power)
}

fn erased<const N: usize, const L: usize, M: Modulus<N, L>>(elements: &[Gf2n<N, L, M>]) -> Vec<Element<L>> {
    elements.iter().map(|element| element.to_limbs()).collect()
}

fn restored<const N: usize, const L: usize, M: Modulus<N, L>>(
    elements: Vec<Element<L>>,
) -> Vec<Gf2n<N, L, M>> {
    elements.into_iter().map(Gf2n::from_limbs_truncated).collect()
}
