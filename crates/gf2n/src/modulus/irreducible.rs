//! Rabin's irreducibility test over GF(2), as `const fn`: a modulus is checked at compile time or at run time.
//!
//! A polynomial f of degree n is irreducible exactly if x^(2^n) = x modulo f and gcd(x^(2^(n/p)) - x, f) = 1 for every
//! prime p that divides n (M. O. Rabin, "Probabilistic algorithms in finite fields", SIAM J. Comput. 9, 1980).
//! Moduli are public: nothing here is constant time.

use super::MAX_DEGREE;

/// Words of a polynomial of degree up to [`MAX_DEGREE`].
const WORDS: usize = MAX_DEGREE / 64 + 1;

/// A polynomial over GF(2), coefficient i in bit i mod 64 of word i / 64.
type Polynomial = [u64; WORDS];

/// Whether x^degree + (sum of x^e over `low_exponents`) is irreducible over GF(2).
///
/// `low_exponents` are the exponents below the leading one, strictly decreasing, the constant term 0 last. False for a
/// list that breaks these rules and for a degree outside 2..=576. Run time of about degree^2 word operations; usable in
/// constant evaluation.
#[must_use]
pub const fn is_irreducible(degree: usize, low_exponents: &[u16]) -> bool {
    if !super::is_well_formed(degree, low_exponents) {
        return false;
    }
    let mut modulus: Polynomial = [0; WORDS];
    modulus[degree / 64] ^= 1 << (degree % 64);
    let mut index = 0;
    while index < low_exponents.len() {
        let exponent = low_exponents[index] as usize;
        modulus[exponent / 64] ^= 1 << (exponent % 64);
        index += 1;
    }
    // The gcds of small degrees first: they expose most reducible polynomials at once.
    let mut power = [0; WORDS];
    power[0] = 2;
    let mut step = 1;
    while step <= degree {
        power = square(&power, degree, low_exponents);
        let proper_maximal_divisor = step < degree && degree.is_multiple_of(step) && is_prime(degree / step);
        if proper_maximal_divisor || (step <= 5 && 2 * step <= degree) {
            let mut difference = power;
            difference[0] ^= 2;
            if !coprime(modulus, difference) {
                return false;
            }
        }
        step += 1;
    }
    power[0] ^= 2;
    is_zero(&power)
}

const fn is_prime(number: usize) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    number >= 2
}

/// The 64 coefficients of half a squared word: bit i moves to bit 2 i.
const fn spread(half: u32) -> u64 {
    let mut word = half as u64;
    word = (word | (word << 16)) & 0x0000_ffff_0000_ffff;
    word = (word | (word << 8)) & 0x00ff_00ff_00ff_00ff;
    word = (word | (word << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    word = (word | (word << 2)) & 0x3333_3333_3333_3333;
    (word | (word << 1)) & 0x5555_5555_5555_5555
}

/// The square of `operand` modulo x^degree + (low terms).
const fn square(operand: &Polynomial, degree: usize, low_exponents: &[u16]) -> Polynomial {
    let limbs = degree.div_ceil(64);
    let mut wide = [0u64; 2 * WORDS];
    let mut index = 0;
    while index < limbs {
        wide[2 * index] = spread(operand[index] as u32);
        wide[2 * index + 1] = spread((operand[index] >> 32) as u32);
        index += 1;
    }
    // Every fold replaces x^degree h by (low terms) h.
    let mut top = 2 * degree - 2;
    while top >= degree {
        let words = (top - degree) / 64 + 1;
        let mut high = [0u64; WORDS];
        let (offset, shift) = (degree / 64, degree % 64);
        let mut index = 0;
        while index < words {
            high[index] = wide[offset + index] >> shift;
            if shift > 0 && offset + index + 1 < 2 * WORDS {
                high[index] |= wide[offset + index + 1] << (64 - shift);
            }
            index += 1;
        }
        wide[offset] &= (1 << shift) - 1;
        let mut index = offset + 1;
        while index < 2 * limbs {
            wide[index] = 0;
            index += 1;
        }
        let mut term = 0;
        while term < low_exponents.len() {
            let (offset, shift) = (low_exponents[term] as usize / 64, low_exponents[term] % 64);
            let mut index = 0;
            while index < words {
                wide[offset + index] ^= high[index] << shift;
                if shift > 0 {
                    wide[offset + index + 1] ^= high[index] >> (64 - shift);
                }
                index += 1;
            }
            term += 1;
        }
        // high has degree at most top - degree
        let largest = low_exponents[0] as usize;
        top = if largest == 0 { degree - 1 } else { top - degree + largest };
    }
    let mut result = [0; WORDS];
    let mut index = 0;
    while index < limbs {
        result[index] = wide[index];
        index += 1;
    }
    result
}

const fn is_zero(polynomial: &Polynomial) -> bool {
    let mut union = 0;
    let mut index = 0;
    while index < WORDS {
        union |= polynomial[index];
        index += 1;
    }
    union == 0
}

/// The degree; 0 for constants, the zero polynomial included.
const fn degree_of(polynomial: &Polynomial) -> usize {
    let mut index = WORDS;
    while index > 0 {
        index -= 1;
        if polynomial[index] != 0 {
            return 64 * index + polynomial[index].ilog2() as usize;
        }
    }
    0
}

/// Whether gcd(a, b) = 1, by Euclid's algorithm with shifted subtractions.
const fn coprime(mut a: Polynomial, mut b: Polynomial) -> bool {
    loop {
        if is_zero(&b) {
            return a[0] == 1 && degree_of(&a) == 0;
        }
        let mut degree_a = degree_of(&a);
        let degree_b = degree_of(&b);
        if degree_b == 0 {
            return true;
        }
        while degree_a >= degree_b {
            let (offset, shift) = ((degree_a - degree_b) / 64, (degree_a - degree_b) % 64);
            let mut index = WORDS;
            while index > offset {
                index -= 1;
                a[index] ^= b[index - offset] << shift;
                if shift > 0 && index > offset {
                    a[index] ^= b[index - offset - 1] >> (64 - shift);
                }
            }
            degree_a = degree_of(&a);
        }
        let remainder = a;
        a = b;
        b = remainder;
    }
}
