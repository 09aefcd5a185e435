//! GF(2^m) one element at a time, for 2 <= m <= 16.

use core::hint::black_box;

/// `FIELD_POLYNOMIALS[m]` is the reduction polynomial of GF(2^m), bit i = coefficient of z^i; entries 0 and 1 are unused.
///
/// Each is the trinomial with the smallest middle exponent, else the first pentanomial in lexicographic order of exponents;
/// m = 12 and m = 13 are the fields of Classic McEliece.
pub const FIELD_POLYNOMIALS: [u32; 17] = [
    0, 0, 0x7, 0xB, 0x13, 0x25, 0x43, 0x83, 0x11B, 0x203, 0x409, 0x805, 0x1009, 0x201B, 0x4021, 0x8003,
    0x1002B,
];

/// The field GF(2^m), 2 <= m <= 16. Elements are `u16`, bit i = coefficient of z^i, below 2^m.
///
/// All operations are constant time in the elements (no table, no branch); the field itself is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gf2m {
    degree: u32,
    modulus: u32,
}

impl Gf2m {
    /// The field of degree `degree`, or `None` unless 2 <= degree <= 16.
    #[must_use]
    pub const fn new(degree: u32) -> Option<Self> {
        if degree < 2 || degree > 16 {
            return None;
        }
        Some(Self { degree, modulus: FIELD_POLYNOMIALS[degree as usize] })
    }

    /// The degree m.
    #[must_use]
    pub const fn degree(self) -> u32 {
        self.degree
    }

    /// The number of elements, 2^m.
    #[must_use]
    pub const fn order(self) -> usize {
        1 << self.degree
    }

    /// Mask of the m bits of an element.
    #[must_use]
    pub const fn mask(self) -> u16 {
        ((1u32 << self.degree) - 1) as u16
    }

    /// Remainder of a polynomial of degree at most 2m - 2 (a product, or an XOR of products). Constant time: only the modulus
    /// decides what is done, and no bit of the polynomial becomes a mask.
    #[inline(always)]
    #[must_use]
    pub const fn reduce(self, product: u32) -> u16 {
        let below = self.modulus ^ 1 << self.degree;
        let mut value = product;
        // bits of the value: fewer than this
        let mut bound = 2 * self.degree - 1;
        while bound > self.degree {
            let high = value >> self.degree;
            value &= (1 << self.degree) - 1;
            let mut taps = below;
            while taps != 0 {
                value ^= high << taps.trailing_zeros();
                taps &= taps - 1;
            }
            bound = bound - self.degree + below.ilog2();
        }
        value as u16
    }

    /// Product. Constant time.
    #[inline(always)]
    #[must_use]
    pub const fn mul(self, a: u16, b: u16) -> u16 {
        let mut product = 0u32;
        let mut bit = 0;
        while bit < self.degree {
            product ^= ((a as u32) << bit) & black_box(0u32.wrapping_sub((b as u32 >> bit) & 1));
            bit += 1;
        }
        self.reduce(product)
    }

    /// Square.
    #[inline(always)]
    #[must_use]
    pub const fn square(self, a: u16) -> u16 {
        let mut x = a as u32;
        x = (x | x << 8) & 0x00FF_00FF;
        x = (x | x << 4) & 0x0F0F_0F0F;
        x = (x | x << 2) & 0x3333_3333;
        x = (x | x << 1) & 0x5555_5555;
        self.reduce(x)
    }

    /// a^(2^m - 2): the inverse, and 0 for 0.
    #[must_use]
    pub const fn invert(self, a: u16) -> u16 {
        let mut power = a;
        let mut result = 1;
        let mut step = 1;
        while step < self.degree {
            power = self.square(power);
            result = self.mul(result, power);
            step += 1;
        }
        result
    }

    /// Reverses the low m bits: bit i becomes bit m - 1 - i.
    #[inline(always)]
    #[must_use]
    pub const fn reverse_bits(self, a: u16) -> u16 {
        a.reverse_bits() >> (16 - self.degree)
    }
}
