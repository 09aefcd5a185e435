//! Bilinear formulas: the product of two polynomials of L words from few products of words.
//!
//! A formula is a list of linear forms ("points"; masks over the L words) and, for each of the 2 L - 1 coefficients of the
//! product, the set of point products whose sum it is. Up to 4 words these are Karatsuba's; 5 and 6 words take 13 and 17
//! products as in Montgomery, "Five, six, and seven-term Karatsuba-like formulae" (2005), found by searching spaces of that
//! dimension that are spanned by squares of linear forms and contain all coefficients; 7, 8 and 9 words come from
//! the Chinese remainder theorem modulo small irreducible polynomials and powers of y, y + 1 and the point at infinity
//! (Cenk and Özbudak, "Improved polynomial multiplication formulas over F2 using CRT", 2009): 22, 26 and 30 products. A test
//! proves each identity.
//!
//! Evaluation and interpolation are linear, so a sum of products is interpolated once, and an operand that is used many
//! times is evaluated once.

use gf2n::backend::WordLanes;

/// The largest number of words of an operand.
pub(crate) const MAX_LIMBS: usize = 9;
/// The largest number of points of a formula.
pub(crate) const MAX_POINTS: usize = 30;
/// The largest number of coefficients of a product.
pub(crate) const MAX_PRODUCT: usize = 2 * MAX_LIMBS - 1;

/// The number of points of the formula for `limbs` words.
pub(crate) const fn points(limbs: usize) -> usize {
    match limbs {
        1 => 1,
        2 => 3,
        3 => 6,
        4 => 9,
        5 => 13,
        6 => 17,
        7 => 22,
        8 => 26,
        _ => 30,
    }
}

/// The sum of the vectors selected by `MASK`; `MASK` is a constant, so the loop unrolls to the XORs themselves.
#[inline(always)]
fn select<B: WordLanes, const MASK: u64>(lanes: B, values: &[B::Vector]) -> B::Vector {
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
    ($(($limbs:literal, $points:literal, [$($form:literal),+], [$($sum:literal),+])),+ $(,)?) => {
        /// The points of an element given by its `L` words.
        #[inline(always)]
        pub(crate) fn evaluate<B: WordLanes, const L: usize>(
            lanes: B,
            words: &[B::Vector; L],
        ) -> [B::Vector; MAX_POINTS] {
            let mut out = [lanes.zero(); MAX_POINTS];
            match L {
                $($limbs => {
                    let forms = [$(select::<B, $form>(lanes, words)),+];
                    out[..$points].copy_from_slice(&forms);
                })+
                _ => {}
            }
            out
        }

        /// The 2 `L` - 1 coefficients (128-bit cells) of a product, from the products at the points.
        #[inline(always)]
        pub(crate) fn interpolate<B: WordLanes, const L: usize>(
            lanes: B,
            products: &[B::Vector; MAX_POINTS],
        ) -> [B::Vector; MAX_PRODUCT] {
            let mut out = [lanes.zero(); MAX_PRODUCT];
            match L {
                $($limbs => {
                    let sums = [$(select::<B, $sum>(lanes, products)),+];
                    out[..2 * $limbs - 1].copy_from_slice(&sums);
                })+
                _ => {}
            }
            out
        }
    };
}

formulas! {
    (1, 1, [0x1], [0x1]),
    (2, 3, [0x1, 0x2, 0x3], [0x1, 0x7, 0x2]),
    (3, 6, [0x1, 0x2, 0x4, 0x3, 0x5, 0x6], [0x1, 0xb, 0x17, 0x26, 0x4]),
    (4, 9, [0x1, 0x2, 0x4, 0x8, 0x3, 0x5, 0xa, 0xc, 0xf], [0x1, 0x13, 0x27, 0x1ff, 0x4e, 0x8c, 0x8]),
    (5, 13,
        [0x1, 0x2, 0x4, 0x8, 0x10, 0x3, 0x5, 0x14, 0x18, 0xe, 0x17, 0x1d, 0x1f],
        [0x1, 0x23, 0x47, 0x171e, 0x1cc0, 0x1a2f, 0x9c, 0x118, 0x10]),
    (6, 17,
        [0x1, 0x2, 0x10, 0x20, 0x3, 0x6, 0xc, 0x12, 0x18, 0x30, 0x7, 0x25, 0x29, 0x38, 0x1b, 0x2d, 0x36],
        [0x1, 0x13, 0x430, 0xab66, 0xead2, 0x988f, 0x196d4, 0x9576, 0x2300, 0x20c, 0x8]),
    (7, 22,
        [0x1, 0x2, 0x3, 0x40, 0x7f, 0x2a, 0x55, 0x6d, 0x36, 0x5b, 0x69, 0x3a, 0x74, 0x53, 0x1d, 0x4e, 0x39, 0x72, 0x5c,
         0x4b, 0x65, 0x2e],
        [0x1, 0x7, 0xfe9e8, 0x16d371, 0x2ca6e7, 0x16a418, 0x2c4c10, 0x199c11, 0x3a3817, 0x3a9df8, 0x353b61, 0x2376f7,
         0x8]),
    (8, 26,
        [0x1, 0x2, 0x4, 0x3, 0x5, 0x80, 0x40, 0xc0, 0xff, 0xaa, 0x55, 0x6d, 0xb6, 0xdb, 0xe9, 0x3a, 0x74, 0xd3, 0x9d,
         0x4e, 0xb9, 0x72, 0x5c, 0xcb, 0xe5, 0x2e],
        [0x1, 0xb, 0x17, 0x16d37e1, 0x2ca6e2b, 0x194df17, 0x2c4c1e0, 0x199c121, 0x3a3810b, 0x3574117, 0x353b6e1,
         0x2376f2b, 0xfe9e17, 0xe0, 0x20]),
    (9, 30,
        [0x1, 0x2, 0x4, 0x3, 0x5, 0x100, 0x80, 0x40, 0x180, 0x140, 0x1ff, 0xaa, 0xcc, 0x155, 0x133, 0x16d, 0x1b6, 0xdb,
         0xe9, 0x13a, 0x74, 0x1d3, 0x9d, 0x14e, 0xb9, 0x172, 0x5c, 0x1cb, 0xe5, 0x12e],
        [0x1, 0xb, 0x17, 0x239ddbbc, 0x2ca6aaeb, 0x194dad77, 0x1902f39d, 0x199c06e1, 0x3a38056b, 0x35740437, 0x75dfbc,
         0x2376aeeb, 0xfe9a977, 0x354ef79d, 0x2e0, 0x160, 0x20]),
}

#[cfg(test)]
mod tests {
    use super::{evaluate, interpolate, points};
    use gf2n::backend::{Cell, Portable};

    /// Both sides of a formula are bilinear: it holds if it holds for the words' basis.
    fn prove<const L: usize>() {
        let basis = |i: usize| core::array::from_fn::<_, L, _>(|k| Cell([u64::from(i == k), 0]));
        for i in 0..L {
            for j in 0..L {
                let a = evaluate::<_, L>(Portable, &basis(i));
                let b = evaluate::<_, L>(Portable, &basis(j));
                let products = core::array::from_fn(|point| Cell([a[point].0[0] & b[point].0[0], 0]));
                let sums = interpolate::<_, L>(Portable, &products);
                for (k, sum) in sums.iter().enumerate() {
                    assert_eq!(sum.0[0], u64::from(k == i + j), "{L} words, {i}, {j}, {k}");
                }
            }
        }
        // no product is left out of the count
        let all = evaluate::<_, L>(Portable, &[Cell([1, 0]); L]);
        assert!(all[points(L)..].iter().all(|point| *point == Cell::ZERO));
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
