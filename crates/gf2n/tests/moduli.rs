//! Reduction polynomials: what is refused, what is taken, and how many there are.

use gf2n::modulus::{LowTerms, ModulusError, ModulusInfo, OwnModulus, is_irreducible};
use gf2n::{Gf2n, Reducer};
use proptest::prelude::*;

#[test]
fn reducible_and_malformed_moduli_are_refused() {
    assert_eq!(ModulusInfo::new(257, &[84, 72, 68, 0]), Err(ModulusError::Reducible { degree: 257 }));
    assert_eq!(ModulusInfo::new(8, &[1, 0]), Err(ModulusError::Reducible { degree: 8 }));
    assert_eq!(ModulusInfo::new(2, &[0]), Err(ModulusError::Reducible { degree: 2 }));
    assert_eq!(ModulusInfo::new(1, &[0]), Err(ModulusError::DegreeOutOfRange { degree: 1 }));
    assert_eq!(ModulusInfo::new(577, &[25, 0]), Err(ModulusError::DegreeOutOfRange { degree: 577 }));
    assert_eq!(ModulusInfo::library(577), Err(ModulusError::DegreeOutOfRange { degree: 577 }));
    for malformed in [&[][..], &[1], &[0, 1], &[3, 3, 0], &[8, 0], &[9, 1, 0]] {
        assert_eq!(ModulusInfo::new(8, malformed), Err(ModulusError::MalformedExponents { degree: 8 }));
        assert!(!is_irreducible(8, malformed));
    }
}

#[test]
fn known_moduli_are_taken() {
    // the fields of FIPS 186-4 and of AES
    let known: [(usize, &[u16]); 6] = [
        (8, &[4, 3, 1, 0]),
        (163, &[7, 6, 3, 0]),
        (233, &[74, 0]),
        (283, &[12, 7, 5, 0]),
        (409, &[87, 0]),
        (571, &[10, 5, 2, 0]),
    ];
    for (degree, low) in known {
        let info = ModulusInfo::new(degree, low).unwrap();
        assert_eq!((info.degree(), info.low_exponents(), info.limbs()), (degree, low, degree.div_ceil(64)));
    }
}

/// The number of irreducible polynomials of a degree: (1 / n) times the sum of mu(d) 2^(n / d) over the divisors d of n.
fn count_by_formula(degree: usize) -> usize {
    /// 0 for a multiple of a square, else the parity of the number of prime factors as 1 or -1.
    fn moebius(number: usize) -> i64 {
        match (2..=number).find(|&divisor| number.is_multiple_of(divisor)) {
            None => 1,
            Some(prime) if (number / prime).is_multiple_of(prime) => 0,
            Some(prime) => -moebius(number / prime),
        }
    }
    let divisors = (1..=degree).filter(|&divisor| degree.is_multiple_of(divisor));
    let sum: i64 = divisors.map(|divisor| moebius(divisor) << (degree / divisor)).sum();
    sum as usize / degree
}

#[test]
fn the_number_of_irreducible_polynomials_agrees_with_the_formula() {
    for degree in 2..=16 {
        let count = (0..1u32 << degree)
            .filter(|bits| {
                let low: Vec<u16> = (0..16).rev().filter(|exponent| (bits >> exponent) & 1 == 1).collect();
                is_irreducible(degree, &low)
            })
            .count();
        assert_eq!(count, count_by_formula(degree), "degree {degree}");
    }
}

/// A product of two polynomials of degree above 1 is never irreducible.
#[test]
fn products_are_reducible() {
    for (a, b) in [(0x11bu128, 0x25u128), ((1 << 60) | 3, (1 << 61) | 0x27), (7, (1 << 90) | 0x1f)] {
        let product =
            (0..128).filter(|i| (b >> i) & 1 == 1).fold(0u128, |sum, i| sum ^ a.checked_shl(i).unwrap_or(0));
        let degree = usize::try_from(product.ilog2()).unwrap();
        let low: Vec<u16> = (0..degree).rev().filter(|i| (product >> i) & 1 == 1).map(|i| i as u16).collect();
        assert!(!is_irreducible(degree, &low));
    }
}

/// A modulus with many terms close to the top: folds that hardly lower the degree.
#[derive(Clone, Copy)]
struct Heavy;
impl LowTerms for Heavy {
    // reciprocal of x^89 + x^38 + 1
    const LOW_EXPONENTS: &'static [u16] = &[51, 0];
}

#[derive(Clone, Copy)]
struct Top;
impl LowTerms for Top {
    // reciprocal of x^127 + x + 1
    const LOW_EXPONENTS: &'static [u16] = &[126, 0];
}

#[derive(Clone, Copy)]
struct Full;
impl LowTerms for Full {
    // the all-one polynomial of degree 28: 2 is a primitive root modulo 29
    const LOW_EXPONENTS: &'static [u16] = &[
        27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    ];
}

macro_rules! own_field {
    ($name:ident: $n:literal, $l:literal, $modulus:ty) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(32))]
            #[test]
            fn $name(a: [u64; $l], b: [u64; $l], c: [u64; $l]) {
                type Field = Gf2n<$n, $l, OwnModulus<$modulus>>;
                let [a, b, c] = [a, b, c].map(Field::from_limbs_truncated);
                prop_assert_eq!((a * b) * c, a * (b * c));
                prop_assert_eq!(a * (b + c), a * b + a * c);
                prop_assert_eq!(a.square(), a * a);
                prop_assert_eq!(a.square_n($n), a);
                prop_assert_eq!(a * a.invert(), if a == Field::ZERO { Field::ZERO } else { Field::ONE });
                // f(x) = 0
                let power = |exponent: usize| (0..exponent).fold(Field::ONE, |power, _| power * Field::X);
                let terms = Field::MODULUS.low_exponents();
                let low: Field = terms.iter().map(|&exponent| power(exponent.into())).sum();
                prop_assert_eq!(power($n), low);
                prop_assert_eq!(Reducer::new(&Field::MODULUS).degree(), $n);
                prop_assert_eq!(a.square().trace(), a.trace());
            }
        }
    };
}

own_field!(one_term_in_the_middle: 89, 2, Heavy);
own_field!(one_term_at_the_top: 127, 2, Top);
own_field!(all_terms: 28, 1, Full);
