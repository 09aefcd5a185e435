//! Operands and products as values at points: the evaluated form.
//!
//! A product of two L-limb polynomials is a linear map, applied to the point-wise products of linear maps of the operands
//! (Karatsuba's method and its relatives). All three maps can be used apart: an operand that occurs in many products is
//! evaluated once, a sum of products is accumulated point by point and interpolated once. [`PointForm`] names a choice of points;
//! [`Karatsuba`] has one for every number of limbs from 1 to 9. [`Evaluated`] and [`PointProducts`] are the same as
//! field types; kernels that lay out whole arrays of operands use the cells of the form directly.

mod evaluated;
mod karatsuba;

pub use evaluated::{Evaluated, PointProducts};
pub use karatsuba::Karatsuba;

/// A bilinear algorithm for products of L-limb polynomials over GF(2).
pub trait PointForm<const L: usize>: Copy + Send + Sync + 'static {
    /// The number of points: word products in one product.
    const POINTS: usize;
    /// ceil(POINTS / 2): cells of an evaluated operand.
    const PAIRS: usize;

    /// One value for each point.
    type Points<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]>;
    /// One value for each pair of points; pair p holds the points 2 p and 2 p + 1.
    type Pairs<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]>;

    /// An array over the points.
    fn points<T: Copy>(value: impl FnMut(usize) -> T) -> Self::Points<T>;

    /// An array over the pairs of points.
    fn pairs<T: Copy>(value: impl FnMut(usize) -> T) -> Self::Pairs<T>;

    /// The operand's values at the points.
    fn evaluate(limbs: &[u64; L]) -> Self::Points<u64>;

    /// The 2 L words of the product (in pairs, lowest first) from the products, or sums of products, at the points.
    fn interpolate(products: &Self::Points<[u64; 2]>) -> [[u64; 2]; L];
}
