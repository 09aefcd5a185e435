//! Karatsuba points: sums of limbs.
//!
//! A formula is a list of points, each a list of limbs whose sum is multiplied, and for each coefficient of the product
//! (in y = x^64) the list of point products whose sum it is. Two, three and four limbs take Karatsuba's 3, 6
//! and 9 products. Five take 13 as in Montgomery, "Five, six, and seven-term Karatsuba-like formulae" (IEEE Trans. Computers
//! 54, 2005), and six take 17; both were found by enumerating the spaces that are spanned by squares of linear forms and contain
//! the coefficients (the method of Barbulescu, Detrey, Estibals and Zimmermann, WAIFI 2012), the sparsest kept. Seven, eight and
//! nine take 22, 26 and 30 by the Chinese remainder theorem modulo small irreducible polynomials and powers of y, y + 1 and
//! the point at infinity (Cenk and Özbudak, "Improved polynomial multiplication formulas over F2 using CRT", IEEE Trans.
//! Computers 58, 2009). A test proves every formula as an identity of bilinear forms.

use super::{LimbForm, PointForm};
use crate::backend::WordLanes;

/// Evaluation at sums of limbs, interpolation by sums of products, no shifts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Karatsuba;

/// The sum of the vectors at these places, as straight-line code.
macro_rules! sum {
    ($lanes:ident, $values:ident, $first:literal $($other:literal)*) => {{
        let sum = $values[$first];
        $(let sum = $lanes.xor(sum, $values[$other]);)*
        sum
    }};
}

macro_rules! formulas {
    ($($limbs:literal limbs, $points:literal points, $pairs:literal pairs,
        [$(($($limb:literal)+))+], [$(($($product:literal)+))+];)+
    ) => {$(
        impl PointForm<$limbs> for Karatsuba {
            const POINTS: usize = $points;
            const PAIRS: usize = $pairs;
            const LARGEST_DEGREE: usize = 64 * $limbs;
            type Points<T: Copy> = [T; $points];
            type Pairs<T: Copy> = [T; $pairs];

            #[inline(always)]
            fn points<T: Copy>(value: impl FnMut(usize) -> T) -> [T; $points] {
                core::array::from_fn(value)
            }

            #[inline(always)]
            fn pairs<T: Copy>(value: impl FnMut(usize) -> T) -> [T; $pairs] {
                core::array::from_fn(value)
            }

            #[inline(always)]
            fn evaluate<B: WordLanes>(lanes: B, limbs: &[B::Vector; $limbs]) -> [B::Vector; $points] {
                Self::sums(lanes, limbs)
            }

            #[inline(always)]
            fn interpolate<B: WordLanes>(
                lanes: B,
                first: &[B::Vector; $points],
                second: &[B::Vector; $points],
            ) -> [[B::Vector; 2]; $limbs] {
                let first = <Self as LimbForm<$limbs>>::product_cells(lanes, first);
                let second = <Self as LimbForm<$limbs>>::product_cells(lanes, second);
                let mut words = [[lanes.zero(); 2]; $limbs];
                for (i, pair) in words.iter_mut().enumerate() {
                    *pair = [lanes.unpack_low(first[i], second[i]), lanes.unpack_high(first[i], second[i])];
                }
                words
            }
        }

        impl LimbForm<$limbs> for Karatsuba {
            #[inline(always)]
            #[allow(unused_variables, reason = "one limb has no sums")]
            fn sums<B: WordLanes>(lanes: B, limbs: &[B::Vector; $limbs]) -> [B::Vector; $points] {
                [$(sum!(lanes, limbs, $($limb)+)),+]
            }

            #[inline(always)]
            fn product_cells<B: WordLanes>(lanes: B, products: &[B::Vector; $points]) -> [B::Vector; $limbs] {
                // coefficient k starts at word k; a zero on both ends
                let coefficients = [lanes.zero(), $(sum!(lanes, products, $($product)+)),+, lanes.zero()];
                let mut cells = [lanes.zero(); $limbs];
                for (i, cell) in cells.iter_mut().enumerate() {
                    let shared = lanes.straddle(coefficients[2 * i], coefficients[2 * i + 2]);
                    *cell = lanes.xor(coefficients[2 * i + 1], shared);
                }
                cells
            }
        }

        #[cfg(test)]
        impl tests::Formula for tests::Limbs<$limbs> {
            const POINTS: &'static [u32] = &[$(0 $(| (1 << $limb))+),+];
            const COEFFICIENTS: &'static [u32] = &[$(0 $(| (1 << $product))+),+];
        }
    )+};
}

formulas! {
    1 limbs, 1 points, 1 pairs,
        [(0)], [(0)];
    2 limbs, 3 points, 2 pairs,
        [(0) (1) (0 1)], [(0) (0 1 2) (1)];
    3 limbs, 6 points, 3 pairs,
        [(0) (1) (2) (0 1) (0 2) (1 2)], [(0) (0 1 3) (0 1 2 4) (1 2 5) (2)];
    4 limbs, 9 points, 5 pairs,
        [(0) (1) (2) (3) (0 1) (0 2) (1 3) (2 3) (0 1 2 3)],
        [(0) (0 1 4) (0 1 2 5) (0 1 2 3 4 5 6 7 8) (1 2 3 6) (2 3 7) (3)];
    5 limbs, 13 points, 7 pairs,
        [(0) (1) (2) (3) (4) (0 1) (0 2) (2 4) (3 4) (1 2 3) (0 1 2 4) (0 2 3 4) (0 1 2 3 4)],
        [(0) (0 1 5) (0 1 2 6) (1 2 3 4 8 9 10 12) (6 7 10 11 12) (0 1 2 3 5 9 11 12) (2 3 4 7)
         (3 4 8) (4)];
    6 limbs, 17 points, 9 pairs,
        [(0) (1) (0 1) (1 2) (0 1 2) (2 3) (4) (1 4) (3 4) (0 1 3 4) (5) (0 2 5) (0 3 5) (0 2 3 5)
         (4 5) (1 2 4 5) (3 4 5)],
        [(0) (0 1 2) (2 3 4) (1 3 5 6 8 11 13 14 16) (1 2 5 7 9 11 13 14 16) (0 1 6 7 10 11 12 13)
         (2 4 5 6 7 12 13 14 15) (1 2 3 4 5 6 8 12 13) (8 14 16) (6 10 14) (10)];
    7 limbs, 22 points, 11 pairs,
        [(0) (1) (0 1) (6) (0 1 2 3 4 5 6) (1 3 5) (0 2 4 6) (0 2 3 5 6) (1 2 4 5) (0 1 3 4 6)
         (0 3 5 6) (1 3 4 5) (2 4 5 6) (0 1 4 6) (0 2 3 4) (1 2 3 6) (0 3 4 5) (1 4 5 6) (2 3 4 6)
         (0 1 3 6) (0 2 5 6) (1 2 3 5)],
        [(0) (0 1 2) (3 5 6 7 8 11 13 14 15 16 17 18 19) (0 4 5 6 8 9 12 14 15 17 18 20)
         (0 1 2 5 6 7 9 10 13 15 18 19 21) (3 4 10 13 15 17 18 20) (4 10 11 14 18 19 21)
         (0 4 10 11 12 15 16 19 20) (0 1 2 4 11 12 13 17 19 20 21)
         (3 4 5 6 7 8 10 11 12 15 17 19 20 21) (0 5 6 8 9 11 12 13 16 18 20 21)
         (0 1 2 4 5 6 7 9 10 12 13 14 16 17 21) (3)];
    8 limbs, 26 points, 13 pairs,
        [(0) (1) (2) (0 1) (0 2) (7) (6) (6 7) (0 1 2 3 4 5 6 7) (1 3 5 7) (0 2 4 6) (0 2 3 5 6)
         (1 2 4 5 7) (0 1 3 4 6 7) (0 3 5 6 7) (1 3 4 5) (2 4 5 6) (0 1 4 6 7) (0 2 3 4 7) (1 2 3 6)
         (0 3 4 5 7) (1 4 5 6) (2 3 4 6) (0 1 3 6 7) (0 2 5 6 7) (1 2 3 5)],
        [(0) (0 1 3) (0 1 2 4) (0 5 6 7 8 9 10 12 13 16 18 19 21 22 24)
         (0 1 3 5 9 10 11 13 14 17 19 22 23 25) (0 1 2 4 8 9 10 11 12 14 15 18 20 23 24)
         (5 6 7 8 14 15 18 22 23 25) (0 5 8 14 15 16 19 20 23 24) (0 1 3 8 15 16 17 21 23 24 25)
         (0 1 2 4 8 14 16 17 18 20 22 24 25) (0 5 6 7 9 10 12 13 15 16 17 20 22 24 25)
         (0 1 3 5 8 9 10 11 13 14 16 17 18 20 21 25) (0 1 2 4 9 10 11 12 15 17 18 19 20 21 22 23)
         (5 6 7) (5)];
    9 limbs, 30 points, 15 pairs,
        [(0) (1) (2) (0 1) (0 2) (8) (7) (6) (7 8) (6 8) (0 1 2 3 4 5 6 7 8) (1 3 5 7) (2 3 6 7)
         (0 2 4 6 8) (0 1 4 5 8) (0 2 3 5 6 8) (1 2 4 5 7 8) (0 1 3 4 6 7) (0 3 5 6 7) (1 3 4 5 8)
         (2 4 5 6) (0 1 4 6 7 8) (0 2 3 4 7) (1 2 3 6 8) (0 3 4 5 7) (1 4 5 6 8) (2 3 4 6)
         (0 1 3 6 7 8) (0 2 5 6 7) (1 2 3 5 8)],
        [(0) (0 1 3) (0 1 2 4) (2 3 4 5 7 8 9 11 12 14 15 16 18 19 20 23 24 25 29)
         (0 1 3 5 6 7 9 11 13 15 17 18 21 23 26 27 29)
         (0 1 2 4 5 6 8 10 11 13 15 16 18 19 22 24 27 28) (0 2 3 4 7 8 9 12 13 14 15 17 24 27 28)
         (0 5 6 7 9 10 18 19 20 23 24 27 28) (0 1 3 5 6 8 10 19 20 21 25 27 28 29)
         (0 1 2 4 5 10 18 20 21 22 24 26 28 29) (2 3 4 5 7 8 9 10 11 12 14 15 16 18 20 21 22)
         (0 1 3 5 6 7 9 10 11 13 15 17 18 20 21 22 24 25 29)
         (0 1 2 4 5 6 8 11 13 15 16 19 21 22 23 24 25 26 27)
         (0 2 3 4 7 8 9 10 12 13 14 15 17 18 19 22 24 26 28 29) (5 6 7 9) (5 6 8) (5)];
}

#[cfg(test)]
mod tests {
    pub(super) struct Limbs<const L: usize>;

    pub(super) trait Formula {
        const POINTS: &'static [u32];
        const COEFFICIENTS: &'static [u32];
    }

    /// Coefficient k must hold a_i b_j exactly for i + j = k.
    fn prove<const L: usize>()
    where
        Limbs<L>: Formula,
    {
        let (points, coefficients) = (Limbs::<L>::POINTS, Limbs::<L>::COEFFICIENTS);
        assert_eq!(coefficients.len(), 2 * L - 1);
        for (k, coefficient) in coefficients.iter().enumerate() {
            assert!(coefficient >> points.len() == 0);
            for i in 0..L {
                for j in 0..L {
                    let count = points
                        .iter()
                        .enumerate()
                        .filter(|(p, form)| (coefficient >> p) & (*form >> i) & (*form >> j) & 1 == 1)
                        .count();
                    assert_eq!(count % 2 == 1, i + j == k, "{L} limbs: a_{i} b_{j} in coefficient {k}");
                }
            }
        }
    }

    #[test]
    fn every_formula_is_an_identity() {
        prove::<1>();
        prove::<2>();
        prove::<3>();
        prove::<4>();
        prove::<5>();
        prove::<6>();
        prove::<7>();
        prove::<8>();
        prove::<9>();
    }
}
