//! Bilinear formulas: the product of two polynomials of L words from few products of words.
//!
//! A formula is a list of linear forms ("points"; masks over the L words) and, for each of the 2 L - 1 coefficients of the
//! product, the set of point products whose sum it is. Up to 4 words these are Karatsuba's; 5 words take 13 products as in
//! Montgomery, "Five, six, and seven-term Karatsuba-like formulae" (2005), found by enumerating the 13-dimensional spaces
//! spanned by squares of linear forms that contain the nine coefficients; 6 are Karatsuba 2 x 3; 7, 8 and 9 words come from
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
        6 => 18,
        7 => 22,
        8 => 26,
        _ => 30,
    }
}

/// The number of cells that hold the points of one element, two to a cell.
pub(crate) const fn cells(limbs: usize) -> usize {
    points(limbs).div_ceil(2)
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
    (6, 18,
        [0x1, 0x2, 0x4, 0x3, 0x5, 0x6, 0x8, 0x10, 0x20, 0x18, 0x28, 0x30, 0x9, 0x12, 0x24, 0x1b, 0x2d, 0x36],
        [0x1, 0xb, 0x17, 0x1067, 0xb2cf, 0x175d7, 0x269e6, 0x43c4, 0x5c0, 0x980, 0x100]),
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
