//! GF(16) = GF(2)\[x\]/(x^4 + x + 1).
//!
//! An element is the low nibble of a byte, bit k being the coefficient of x^k; a word of packed elements holds one element
//! a nibble. Everything here runs in constant time: no table, no branch on an element. An operand above 15 gives an
//! unspecified nibble (never a panic).

/// Every nibble of a word is 1.
const ONES: u64 = 0x1111_1111_1111_1111;

/// The product of two elements.
#[must_use]
#[inline]
pub const fn multiply(a: u8, b: u8) -> u8 {
    let (a, b) = (a & 15, b & 15);
    // (a & 2^i) * b is b shifted by i or 0; the sum has degree at most 6
    let product = ((a & 1) * b) ^ ((a & 2) * b) ^ ((a & 4) * b) ^ ((a & 8) * b);
    let high = product >> 4;
    (product ^ high ^ (high << 1)) & 15
}

/// The square of an element.
#[must_use]
#[inline]
pub const fn square(a: u8) -> u8 {
    multiply(a, a)
}

/// The inverse of an element as its 14th power; 0 for 0.
#[must_use]
#[inline]
pub const fn inverse(a: u8) -> u8 {
    let a2 = square(a);
    let a4 = square(a2);
    multiply(multiply(a2, a4), square(a4))
}

/// Multiplies each of the sixteen elements of `word` by x.
#[must_use]
#[inline]
pub const fn times_x(word: u64) -> u64 {
    let top = (word >> 3) & ONES;
    ((word & !(ONES << 3)) << 1) ^ top ^ (top << 1)
}

/// Multiplies each of the sixteen elements of `word` by `scalar`.
#[must_use]
#[inline]
pub const fn multiply_word(word: u64, scalar: u8) -> u64 {
    let mut multiple = word;
    let mut sum = 0;
    let mut bit = 0;
    while bit < 4 {
        sum ^= multiple & (((scalar >> bit) & 1) as u64).wrapping_neg();
        multiple = times_x(multiple);
        bit += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_products_and_inverses() {
        assert_eq!(
            [multiply(2, 8), multiply(3, 7), multiply(8, 8), multiply(15, 15), multiply(9, 2)],
            [3, 9, 12, 10, 1]
        );
        let inverses: [u8; 16] = core::array::from_fn(|a| inverse(a as u8));
        assert_eq!(inverses, [0, 1, 9, 14, 13, 11, 7, 6, 15, 2, 12, 5, 10, 4, 3, 8]);
    }

    #[test]
    fn the_laws_of_a_field_hold_for_all_triples() {
        for a in 0..16 {
            for b in 0..16 {
                assert_eq!(multiply(a, b), multiply(b, a));
                for c in 0..16 {
                    assert_eq!(multiply(a, b ^ c), multiply(a, b) ^ multiply(a, c));
                    assert_eq!(multiply(a, multiply(b, c)), multiply(multiply(a, b), c));
                }
            }
            assert_eq!(multiply(a, inverse(a)), u8::from(a != 0));
        }
    }

    #[test]
    fn words_agree_with_scalars() {
        let word = 0xFEDC_BA98_7654_3210;
        for scalar in 0..16 {
            let product = multiply_word(word, scalar);
            for element in 0..16 {
                assert_eq!((product >> (4 * element)) as u8 & 15, multiply(element as u8, scalar));
            }
        }
    }
}
