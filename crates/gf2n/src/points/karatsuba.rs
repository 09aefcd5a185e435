//! Karatsuba points: sums of limbs.
//!
//! A formula is a list of points, each a set of limbs whose sum is multiplied, and for each coefficient of the product
//! (in y = x^64) the set of point products whose sum it is; sets are masks. Two, three and four limbs take Karatsuba's 3, 6
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

/// The sum of the vectors that `MASK` selects; it is a constant, so the loop unrolls to the sums themselves.
#[inline(always)]
fn select<B: WordLanes, const MASK: u32>(lanes: B, values: &[B::Vector]) -> B::Vector {
    let first = MASK.trailing_zeros() as usize;
    let mut sum = values[first];
    for (index, &value) in values.iter().enumerate() {
        if index > first && (MASK >> index) & 1 == 1 {
            sum = lanes.xor(sum, value);
        }
    }
    sum
}

macro_rules! formulas {
    ($($limbs:literal limbs, $points:literal points, $pairs:literal pairs,
        [$($point:literal),+], [$($coefficient:literal),+];)+
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
                core::array::from_fn(|i| {
                    [lanes.unpack_low(first[i], second[i]), lanes.unpack_high(first[i], second[i])]
                })
            }
        }

        impl LimbForm<$limbs> for Karatsuba {
            #[inline(always)]
            fn sums<B: WordLanes>(lanes: B, limbs: &[B::Vector; $limbs]) -> [B::Vector; $points] {
                [$(select::<B, $point>(lanes, limbs)),+]
            }

            #[inline(always)]
            fn product_cells<B: WordLanes>(lanes: B, products: &[B::Vector; $points]) -> [B::Vector; $limbs] {
                // coefficient k starts at word k
                let coefficients = [$(select::<B, $coefficient>(lanes, products)),+];
                let coefficient = |k: usize| coefficients.get(k).copied().unwrap_or(lanes.zero());
                core::array::from_fn(|i| {
                    let below = if i == 0 { lanes.zero() } else { coefficient(2 * i - 1) };
                    lanes.xor(coefficient(2 * i), lanes.straddle(below, coefficient(2 * i + 1)))
                })
            }
        }

        #[cfg(test)]
        impl tests::Formula for tests::Limbs<$limbs> {
            const POINTS: &'static [u32] = &[$($point),+];
            const COEFFICIENTS: &'static [u32] = &[$($coefficient),+];
        }
    )+};
}

formulas! {
    1 limbs, 1 points, 1 pairs, [0x1], [0x1];
    2 limbs, 3 points, 2 pairs, [0x1, 0x2, 0x3], [0x1, 0x7, 0x2];
    3 limbs, 6 points, 3 pairs, [0x1, 0x2, 0x4, 0x3, 0x5, 0x6], [0x1, 0xb, 0x17, 0x26, 0x4];
    4 limbs, 9 points, 5 pairs,
        [0x1, 0x2, 0x4, 0x8, 0x3, 0x5, 0xa, 0xc, 0xf],
        [0x1, 0x13, 0x27, 0x1ff, 0x4e, 0x8c, 0x8];
    5 limbs, 13 points, 7 pairs,
        [0x1, 0x2, 0x4, 0x8, 0x10, 0x3, 0x5, 0x14, 0x18, 0xe, 0x17, 0x1d, 0x1f],
        [0x1, 0x23, 0x47, 0x171e, 0x1cc0, 0x1a2f, 0x9c, 0x118, 0x10];
    6 limbs, 17 points, 9 pairs,
        [0x1, 0x2, 0x3, 0x6, 0x7, 0xc, 0x10, 0x12, 0x18, 0x1b, 0x20, 0x25, 0x29, 0x2d, 0x30, 0x36, 0x38],
        [0x1, 0x7, 0x1c, 0x1696a, 0x16aa6, 0x3cc3, 0xf0f4, 0x317e, 0x14100, 0x4440, 0x400];
    7 limbs, 22 points, 11 pairs,
        [0x1, 0x2, 0x3, 0x40, 0x7f, 0x2a, 0x55, 0x6d, 0x36, 0x5b, 0x69, 0x3a, 0x74, 0x53, 0x1d, 0x4e, 0x39, 0x72, 0x5c,
         0x4b, 0x65, 0x2e],
        [0x1, 0x7, 0xfe9e8, 0x16d371, 0x2ca6e7, 0x16a418, 0x2c4c10, 0x199c11, 0x3a3817, 0x3a9df8, 0x353b61, 0x2376f7,
         0x8];
    8 limbs, 26 points, 13 pairs,
        [0x1, 0x2, 0x4, 0x3, 0x5, 0x80, 0x40, 0xc0, 0xff, 0xaa, 0x55, 0x6d, 0xb6, 0xdb, 0xe9, 0x3a, 0x74, 0xd3, 0x9d,
         0x4e, 0xb9, 0x72, 0x5c, 0xcb, 0xe5, 0x2e],
        [0x1, 0xb, 0x17, 0x16d37e1, 0x2ca6e2b, 0x194df17, 0x2c4c1e0, 0x199c121, 0x3a3810b, 0x3574117, 0x353b6e1,
         0x2376f2b, 0xfe9e17, 0xe0, 0x20];
    9 limbs, 30 points, 15 pairs,
        [0x1, 0x2, 0x4, 0x3, 0x5, 0x100, 0x80, 0x40, 0x180, 0x140, 0x1ff, 0xaa, 0xcc, 0x155, 0x133, 0x16d, 0x1b6, 0xdb,
         0xe9, 0x13a, 0x74, 0x1d3, 0x9d, 0x14e, 0xb9, 0x172, 0x5c, 0x1cb, 0xe5, 0x12e],
        [0x1, 0xb, 0x17, 0x239ddbbc, 0x2ca6aaeb, 0x194dad77, 0x1902f39d, 0x199c06e1, 0x3a38056b, 0x35740437, 0x75dfbc,
         0x2376aeeb, 0xfe9a977, 0x354ef79d, 0x2e0, 0x160, 0x20];
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
