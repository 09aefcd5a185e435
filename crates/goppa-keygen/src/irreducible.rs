//! Irreducibility over GF(2^m) (Ben-Or), and the default moduli of the generic layer. Public data only: variable time.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;

use crate::extension::Extension;

/// Removes leading zero coefficients.
fn trim(polynomial: &mut Vec<u16>) {
    while polynomial.last() == Some(&0) {
        polynomial.pop();
    }
}

/// `dividend` modulo `divisor`, whose leading coefficient is not zero.
fn remainder(field: Gf2m, dividend: &mut Vec<u16>, divisor: &[u16]) {
    let Some((leading, low)) = divisor.split_last() else { return };
    let inverse = field.invert(*leading);
    while dividend.len() > low.len() {
        let Some(top) = dividend.pop() else { return };
        let quotient = field.mul(top, inverse);
        let start = dividend.len() - low.len();
        for (target, coefficient) in dividend[start..].iter_mut().zip(low) {
            *target ^= field.mul(quotient, *coefficient);
        }
    }
    trim(dividend);
}

/// Degree of the greatest common divisor of two polynomials, not both zero (index = degree). Variable time.
#[must_use]
pub fn gcd_degree(field: Gf2m, left: &[u16], right: &[u16]) -> usize {
    let (mut a, mut b) = (left.to_vec(), right.to_vec());
    trim(&mut a);
    trim(&mut b);
    while !b.is_empty() {
        remainder(field, &mut a, &b);
        core::mem::swap(&mut a, &mut b);
    }
    a.len().saturating_sub(1)
}

/// Whether the modulus of `extension` is irreducible over GF(2^m): gcd(y^(q^i) - y, F) = 1 for i = 1 .. t/2. Variable time.
#[must_use]
pub fn is_irreducible(extension: &Extension) -> bool {
    let (field, degree) = (extension.field(), extension.degree());
    if degree == 1 {
        return true;
    }
    let mut modulus = vec![0u16; degree + 1];
    modulus[degree] = 1;
    for &(exponent, coefficient) in extension.terms() {
        modulus[exponent] ^= coefficient;
    }
    let mut power = vec![0u16; degree];
    power[1] = 1;
    for _ in 0..degree / 2 {
        for _ in 0..field.degree() {
            power = extension.square(gf2n::small::gf2m::backend::Portable, &power).to_vec();
        }
        let mut difference = power.clone();
        difference[1] ^= 1;
        if difference.iter().all(|coefficient| *coefficient == 0)
            || gcd_degree(field, &modulus, &difference) > 0
        {
            return false;
        }
    }
    true
}

/// The moduli of Classic McEliece (two sets share the last): (m, t, terms below y^t).
type Fixed = (u32, usize, &'static [(usize, u16)]);
const FIXED: [Fixed; 4] = [
    (12, 64, &[(3, 1), (1, 1), (0, 2)]),
    (13, 96, &[(10, 1), (9, 1), (6, 1), (0, 1)]),
    (13, 119, &[(8, 1), (0, 1)]),
    (13, 128, &[(7, 1), (2, 1), (1, 1), (0, 1)]),
];

const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The modulus of degree t >= 1 over GF(2^m) that the generic layer uses by default.
///
/// The pairs of Classic McEliece have its moduli. Otherwise it is the first irreducible polynomial in this order: constant term
/// c = 1 (only if gcd(m, t) = 1), 2, 3, ...; for each c first y^t + y^a + c, then y^t + y^a + y^b + c, then y^t + y^a + y^b + y^d + c, exponents
/// ascending, the largest first in the comparison. For t = 1 it is y + 1.
#[must_use]
pub fn default_modulus(field: Gf2m, degree: usize) -> Option<Extension> {
    if degree == 1 {
        return Extension::new(field, 1, &[(0, 1)]);
    }
    if let Some((_, _, terms)) = FIXED.iter().find(|(m, t, _)| *m == field.degree() && *t == degree) {
        return Extension::new(field, degree, terms);
    }
    let constants = (1..field.order() as u32)
        .filter(|constant| *constant > 1 || gcd(field.degree() as usize, degree) == 1);
    for constant in constants {
        let constant = constant as u16;
        let one = (1..degree).map(|a| vec![a]);
        let two = (2..degree).flat_map(|a| (1..a).map(move |b| vec![a, b]));
        let three = (3..degree).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| vec![a, b, c])));
        for exponents in one.chain(two).chain(three) {
            let mut terms: Vec<(usize, u16)> = exponents.into_iter().map(|exponent| (exponent, 1)).collect();
            terms.push((0, constant));
            if let Some(extension) = Extension::new(field, degree, &terms)
                && is_irreducible(&extension)
            {
                return Some(extension);
            }
        }
    }
    None
}
