//! GF(256) = GF(2)\[x\]/(x^8 + x^4 + x^3 + x + 1), the field of AES.
//!
//! An element is a byte, bit k being the coefficient of x^k; a word of packed elements holds one element a byte. Everything
//! here runs in constant time: no table, no branch on an element.

/// Every byte of a word is 1.
const ONES: u64 = 0x0101_0101_0101_0101;

const fn reduce(product: u32) -> u8 {
    // x^8 = x^4 + x^3 + x + 1: the first fold leaves degree at most 10, the second at most 6
    let high = product >> 8;
    let folded = (product & 0xff) ^ high ^ (high << 1) ^ (high << 3) ^ (high << 4);
    let high = folded >> 8;
    ((folded & 0xff) ^ high ^ (high << 1) ^ (high << 3) ^ (high << 4)) as u8
}

/// The product of two elements.
#[must_use]
#[inline]
pub const fn multiply(a: u8, b: u8) -> u8 {
    let (a, b) = (a as u32, b as u32);
    let mut product = 0;
    let mut bit = 0;
    while bit < 8 {
        // b shifted by `bit`, or 0
        product ^= (a & (1 << bit)) * b;
        bit += 1;
    }
    reduce(product)
}

/// The square of an element.
#[must_use]
#[inline]
pub const fn square(a: u8) -> u8 {
    let mut spread = a as u32;
    spread = (spread | (spread << 4)) & 0x0f0f;
    spread = (spread | (spread << 2)) & 0x3333;
    spread = (spread | (spread << 1)) & 0x5555;
    reduce(spread)
}

/// The inverse of an element as its 254th power; 0 for 0.
#[must_use]
#[inline]
pub const fn inverse(a: u8) -> u8 {
    let a2 = square(a);
    let a3 = multiply(a2, a);
    let a12 = square(square(a3));
    let a15 = multiply(a12, a3);
    let a240 = square(square(square(square(a15))));
    multiply(multiply(a240, a12), a2)
}

/// Multiplies each of the eight elements of `word` by x.
#[must_use]
#[inline]
pub const fn times_x(word: u64) -> u64 {
    let top = (word >> 7) & ONES;
    ((word & !(ONES << 7)) << 1) ^ top ^ (top << 1) ^ (top << 3) ^ (top << 4)
}

/// Multiplies each of the eight elements of `word` by `scalar`.
#[must_use]
#[inline]
pub const fn multiply_word(word: u64, scalar: u8) -> u64 {
    let mut multiple = word;
    let mut sum = 0;
    let mut bit = 0;
    while bit < 8 {
        sum ^= multiple & (((scalar >> bit) & 1) as u64).wrapping_neg();
        multiple = times_x(multiple);
        bit += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Product by repeated doubling, the schoolbook way.
    fn reference(mut a: u8, mut b: u8) -> u8 {
        let mut sum = 0;
        while b != 0 {
            if b & 1 == 1 {
                sum ^= a;
            }
            a = (a << 1) ^ if a & 0x80 != 0 { 0x1b } else { 0 };
            b >>= 1;
        }
        sum
    }

    #[test]
    fn all_products_squares_and_inverses() {
        assert_eq!((multiply(2, 0x80), inverse(0x53)), (0x1b, 0xca));
        for a in 0..=255 {
            for b in 0..=255 {
                assert_eq!(multiply(a, b), reference(a, b));
            }
            assert_eq!(square(a), reference(a, a));
            assert_eq!(reference(a, inverse(a)), u8::from(a != 0));
        }
    }

    #[test]
    fn words_agree_with_scalars() {
        let word = 0xFF80_7F1B_5301_00CA_u64;
        for scalar in 0..=255 {
            let product = multiply_word(word, scalar).to_le_bytes();
            for (element, result) in word.to_le_bytes().into_iter().zip(product) {
                assert_eq!(result, reference(element, scalar));
            }
        }
    }
}
