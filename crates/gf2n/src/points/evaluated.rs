//! Evaluated elements and sums of their products.

use core::marker::PhantomData;
use core::ops::{Add, AddAssign};

use zeroize::Zeroize;

use super::{LimbForm, PointForm};
use crate::backend::{Cell, ClmulLanes, Portable};
use crate::modulus::{LibraryModulus, Modulus};
use crate::{Gf2n, Unreduced};

/// An element at the points of `F`, for use in many products.
///
/// ```
/// use gf2n::{Gf2n, backend::Portable, points::{Evaluated, PointProducts}};
/// type Field = Gf2n<265, 5>;
/// let (a, b, c) = (Field::X.square_n(70), Field::X.square_n(201), Field::ONE + Field::X);
/// let (at, bt, ct) = (Evaluated::from(a), Evaluated::from(b), Evaluated::from(c));
/// let mut sum = PointProducts::zero();
/// sum.add_product_with(Portable, &at, &bt);
/// sum.add_product_with(Portable, &bt, &ct);
/// assert_eq!(sum.interpolate().reduce(), a * b + b * c);
/// ```
pub struct Evaluated<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    cells: <M::Form as PointForm<L>>::Pairs<Cell>,
    modulus: PhantomData<M>,
}

/// A sum of products of evaluated elements, as unreduced word products at the points.
pub struct PointProducts<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    products: <M::Form as PointForm<L>>::Points<Cell>,
    modulus: PhantomData<M>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Evaluated<N, L, M> {
    /// The cells: pair p holds the values at the points 2 p and 2 p + 1 (zero beyond the last point).
    #[inline(always)]
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        self.cells.as_ref()
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> From<Gf2n<N, L, M>> for Evaluated<N, L, M> {
    #[inline(always)]
    fn from(element: Gf2n<N, L, M>) -> Self {
        let points = M::Form::evaluate(Portable, &element.limbs().map(|limb| Cell([limb, 0])));
        let word = |index: usize| points.as_ref().get(index).map_or(0, |cell| cell.0[0]);
        Self { cells: M::Form::pairs(|p| Cell([word(2 * p), word(2 * p + 1)])), modulus: PhantomData }
    }
}

/// Evaluation is linear.
impl<const N: usize, const L: usize, M: Modulus<N, L>> Add for Evaluated<N, L, M> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (cell, addend) in self.cells.as_mut().iter_mut().zip(other.cells.as_ref()) {
            cell.0[0] ^= addend.0[0];
            cell.0[1] ^= addend.0[1];
        }
        self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Clone for Evaluated<N, L, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Copy for Evaluated<N, L, M> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Zeroize for Evaluated<N, L, M> {
    fn zeroize(&mut self) {
        for cell in self.cells.as_mut() {
            cell.0.zeroize();
        }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> PointProducts<N, L, M> {
    /// The empty sum.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self { products: M::Form::points(|_| Cell::ZERO), modulus: PhantomData }
    }

    /// From one product for each point, point 0 first; missing products count as zero.
    #[inline(always)]
    #[must_use]
    pub fn from_cells(cells: &[Cell]) -> Self {
        Self {
            products: M::Form::points(|point| cells.get(point).copied().unwrap_or(Cell::ZERO)),
            modulus: PhantomData,
        }
    }

    /// Adds the product, inside a kernel that runs under `backend`.
    #[inline(always)]
    pub fn add_product_with<B: ClmulLanes>(
        &mut self,
        backend: B,
        a: &Evaluated<N, L, M>,
        b: &Evaluated<N, L, M>,
    ) {
        let (a, b) = (a.cells(), b.cells());
        for (point, sum) in self.products.as_mut().iter_mut().enumerate() {
            let product = backend.clmul(a[point / 2].0[point % 2], b[point / 2].0[point % 2]);
            sum.0[0] ^= product[0];
            sum.0[1] ^= product[1];
        }
    }

    /// The sum as a polynomial.
    #[inline(always)]
    #[must_use]
    pub fn interpolate(&self) -> Unreduced<N, L, M> {
        Unreduced::from_words(M::Form::product_cells(Portable, &self.products).map(|cell| cell.0))
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Clone for PointProducts<N, L, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Copy for PointProducts<N, L, M> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> AddAssign for PointProducts<N, L, M> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        for (sum, addend) in self.products.as_mut().iter_mut().zip(other.products.as_ref()) {
            sum.0[0] ^= addend.0[0];
            sum.0[1] ^= addend.0[1];
        }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Zeroize for PointProducts<N, L, M> {
    fn zeroize(&mut self) {
        for cell in self.products.as_mut() {
            cell.0.zeroize();
        }
    }
}
