//! The MAC field GF(2^k), k <= 24, and the MAC polynomials of equations.
//!
//! All values are public. A factor that is used for a whole polynomial gets tables of its multiples.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// GF(2^k) with elements as integers, bit i the coefficient of x^i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MacField {
    modulus: u32,
    degree: u32,
}

impl MacField {
    pub(super) const fn new(modulus: u32) -> Self {
        Self { modulus, degree: 31 - (modulus | 1).leading_zeros() }
    }

    /// x a.
    const fn shifted(self, a: u32) -> u32 {
        let top = a >> (self.degree - 1) & 1;
        (a << 1) ^ (self.modulus & top.wrapping_neg())
    }

    /// All multiples of `factor`.
    pub(super) fn multiples(self, factor: u32) -> Multiples {
        let mut tables = Box::new([[0; 256]; 3]);
        let mut power = factor;
        for table in tables.iter_mut() {
            for bit in 0..8 {
                for low in 0..1usize << bit {
                    table[low + (1 << bit)] = table[low] ^ power;
                }
                power = self.shifted(power);
            }
        }
        Multiples(tables)
    }
}

/// The multiples of an element.
pub(super) struct Multiples(Box<[[u32; 256]; 3]>);

impl Multiples {
    /// The product with `a`.
    #[inline(always)]
    pub(super) fn times(&self, a: u32) -> u32 {
        let [low, middle, high] = &*self.0;
        low[(a & 255) as usize] ^ middle[(a >> 8 & 255) as usize] ^ high[(a >> 16 & 255) as usize]
    }
}

/// Coefficient `index` of the MAC polynomial of an equation in its bytes: bits k `index` .. of its coefficient string.
#[inline(always)]
pub(super) fn mac_coefficient(equation: &[u8], index: usize, degree: u32) -> u32 {
    let offset = index * degree as usize;
    let (byte, shift) = (offset / 8, offset % 8);
    // shift + degree <= 7 + 24 bits
    let mut window = [0; 4];
    match equation.get(byte..byte + 4) {
        Some(bytes) => window.copy_from_slice(bytes),
        None => window.iter_mut().zip(&equation[byte..]).for_each(|(w, b)| *w = *b),
    }
    u32::from_le_bytes(window) >> shift & ((1 << degree) - 1)
}

/// Values of the MAC polynomials of a few equations at a few points: for every point the values of all equations. Horner's
/// rule, all chains side by side for the sake of the latency.
///
/// `equations`: `len` bytes each; `coefficients`: how many coefficients a polynomial has.
pub(super) fn mac_values(
    field: MacField,
    equations: &[u8],
    len: usize,
    coefficients: usize,
    points: &[u32],
) -> Vec<u32> {
    const CHAINS: usize = 8;
    let count = equations.len() / len;
    let mut values = vec![0; count * points.len()];
    for (points, values) in points.chunks(CHAINS).zip(values.chunks_mut(CHAINS * count)) {
        let multiples: Vec<Multiples> = points.iter().map(|&z| field.multiples(z)).collect();
        for (e, equation) in equations.chunks_exact(len).enumerate() {
            let mut sums = [0; CHAINS];
            for index in (0..coefficients).rev() {
                let c = mac_coefficient(equation, index, field.degree);
                for (sum, multiples) in sums.iter_mut().zip(&multiples) {
                    *sum = multiples.times(*sum) ^ c;
                }
            }
            for (value, sum) in values.iter_mut().skip(e).step_by(count).zip(sums) {
                *value = sum;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_the_specification() {
        for (modulus, product) in [(1 << 21 | 5, 0x4edf6), (1 << 20 | 9, 0xe1e8e), (1 << 18 | 9, 0x21e95)] {
            let field = MacField::new(modulus);
            let factor = (1 << field.degree) - 2;
            assert_eq!(field.multiples(factor).times(0x2bcde), product);
            assert_eq!(field.multiples(0x2bcde).times(factor), product);
        }
    }

    #[test]
    fn values_of_the_specification() {
        // P_0 of toy128 and its values at 0, ..., 7
        let text: u128 = 0x380_3158_8e1e_740f_9b8d_c7aa_4403;
        let equation_bits = text.to_le_bytes();
        let field = MacField::new(0b10_0000_0011);
        let coefficients: Vec<u32> = (0..12).map(|j| mac_coefficient(&equation_bits, j, 9)).collect();
        assert_eq!(coefficients, [3, 290, 490, 440, 440, 124, 464, 60, 142, 172, 12, 112]);
        let points: Vec<u32> = (0..8).collect();
        let values = mac_values(field, &equation_bits, 16, 12, &points);
        assert_eq!(values, [3, 261, 308, 42, 330, 288, 211, 194]);
    }
}
