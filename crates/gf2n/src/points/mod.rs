//! Operands and products as values at points: the evaluated form.
//!
//! A product of two L-limb polynomials is a linear map, applied to the point-wise products of linear maps of the operands
//! (Karatsuba's method and its relatives). All three maps can be used apart: an operand that occurs in many products is
//! evaluated once, a sum of products is accumulated point by point and interpolated once. [`PointForm`] names a choice of
//! points: [`Karatsuba`] has one for every number of limbs from 1 to 9, [`Toom`] cheaper ones for sums of many products
//! of 3 or 5 limbs. [`Evaluated`] and [`PointProducts`] are the same as field types; kernels that lay out whole arrays of
//! operands use the vectors of the form directly.

mod evaluated;
mod karatsuba;
mod toom;

pub use evaluated::{Evaluated, PointProducts};
pub use karatsuba::Karatsuba;
pub use toom::Toom;

use crate::backend::WordLanes;

/// A bilinear algorithm for products of L-limb polynomials over GF(2).
///
/// Evaluation and interpolation work on vectors, many elements at once, with the operations of any back end; the two methods
/// belong inside a kernel ([`ClmulLanes::run`](crate::backend::ClmulLanes::run)). Both are linear.
///
/// *Word vectors* hold one word of each element: with C lanes, 2 C elements, in the order that unpacking two cell vectors gives
/// (lane c, half h is the element c of the h-th cell vector).
pub trait PointForm<const L: usize>: Copy + Send + Sync + 'static {
    /// The number of points: word products in one product.
    const POINTS: usize;
    /// ceil(POINTS / 2): cells of an evaluated operand.
    const PAIRS: usize;
    /// The largest degree N of a field whose elements the form takes.
    const LARGEST_DEGREE: usize;

    /// One value for each point.
    type Points<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]>;
    /// One value for each pair of points; pair p holds the points 2 p and 2 p + 1.
    type Pairs<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]>;

    /// An array over the points.
    fn points<T: Copy>(value: impl FnMut(usize) -> T) -> Self::Points<T>;

    /// An array over the pairs of points.
    fn pairs<T: Copy>(value: impl FnMut(usize) -> T) -> Self::Pairs<T>;

    /// The values at the points, as word vectors, of the elements given by their L limbs as word vectors.
    fn evaluate<B: WordLanes>(lanes: B, limbs: &[B::Vector; L]) -> Self::Points<B::Vector>;

    /// The 2 L words (in pairs, lowest first) of the products of two cell vectors of elements, as word vectors, from the
    /// products, or sums of products, at the points, as cell vectors.
    fn interpolate<B: WordLanes>(
        lanes: B,
        first: &Self::Points<B::Vector>,
        second: &Self::Points<B::Vector>,
    ) -> [[B::Vector; 2]; L];
}

/// A form whose maps are sums without shifts, so that it applies to cells as they are.
pub trait LimbForm<const L: usize>: PointForm<L> {
    /// The sums of limbs that are the points; any vectors will do.
    fn sums<B: WordLanes>(lanes: B, limbs: &[B::Vector; L]) -> Self::Points<B::Vector>;

    /// The words 2 i and 2 i + 1 of the product as cells, for i = 0..L, from the products at the points as cells.
    fn product_cells<B: WordLanes>(lanes: B, products: &Self::Points<B::Vector>) -> [B::Vector; L];
}
