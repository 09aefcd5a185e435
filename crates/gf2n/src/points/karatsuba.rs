//! Karatsuba points: sums of limbs.

use super::PointForm;

/// Evaluation at sums of limbs, interpolation by sums of products, no shifts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Karatsuba;

/// The limbs that point `index` adds up: first each limb, then each pair i < j, by j and then i.
const fn limbs_of_point(limbs: usize, index: usize) -> (usize, usize) {
    if index < limbs {
        return (index, index);
    }
    let (mut rest, mut j) = (index - limbs, 1);
    while rest >= j {
        rest -= j;
        j += 1;
    }
    (rest, j)
}

macro_rules! karatsuba {
    ($($limbs:literal: $points:literal points, $pairs:literal pairs;)+) => {$(
        impl PointForm<$limbs> for Karatsuba {
            const POINTS: usize = $points;
            const PAIRS: usize = $pairs;
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
            fn evaluate(limbs: &[u64; $limbs]) -> [u64; $points] {
                core::array::from_fn(|point| {
                    let (i, j) = limbs_of_point($limbs, point);
                    if i == j { limbs[i] } else { limbs[i] ^ limbs[j] }
                })
            }

            #[inline(always)]
            fn interpolate(products: &[[u64; 2]; $points]) -> [[u64; 2]; $limbs] {
                let mut words = [[0; 2]; $limbs];
                let mut add = |index: usize, value: [u64; 2]| {
                    words[index / 2][index % 2] ^= value[0];
                    let next = index + 1;
                    words[next / 2][next % 2] ^= value[1];
                };
                for point in 0..$points {
                    let (i, j) = limbs_of_point($limbs, point);
                    add(i + j, products[point]);
                    if i < j {
                        add(i + j, products[i]);
                        add(i + j, products[j]);
                    }
                }
                words
            }
        }
    )+};
}

karatsuba! {
    1: 1 points, 1 pairs;
    2: 3 points, 2 pairs;
    3: 6 points, 3 pairs;
    4: 10 points, 5 pairs;
    5: 15 points, 8 pairs;
    6: 21 points, 11 pairs;
    7: 28 points, 14 pairs;
    8: 36 points, 18 pairs;
    9: 45 points, 23 pairs;
}
