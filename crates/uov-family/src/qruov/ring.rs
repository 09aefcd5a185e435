//! The quotient rings `F_q[x] / (x^l - fc x^fe - 1)` of QR-UOV and their arithmetic.
//!
//! `q = 2^b - 1` is a Mersenne prime, so a reduction modulo `q` is a few shifts and additions: no divide instruction occurs
//! anywhere, and every function here takes the same time for all operands.

use core::fmt::Debug;

/// The largest extension degree of any set.
pub const MAX_DEGREE: usize = 10;

/// The coefficients of a ring element, constant coefficient first; entries from the degree on are zero.
pub type Element = [u8; MAX_DEGREE];

/// A ring `F_q[x] / (x^l - fc x^fe - 1)`, `q = 2^b - 1`.
pub trait QuotientRing: Copy + Debug + Eq + Send + Sync + 'static {
    /// The prime `q`.
    const MODULUS: u32;
    /// `b`, the number of bits of an element of `F_q`.
    const BITS: u32;
    /// `l`, the number of coefficients.
    const DEGREE: usize;
    /// `fc` of the rewriting rule `x^l = fc x^fe + 1`.
    const FACTOR: u32;
    /// `fe` of the rewriting rule.
    const EXPONENT: usize;
    /// Groups of four bytes that hold the coefficients of one element.
    const QUADS: usize = Self::DEGREE.div_ceil(4);
}

macro_rules! rings {
    ($($(#[$meta:meta])* $name:ident: $modulus:literal, $bits:literal, $degree:literal, $factor:literal, $exponent:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;
        impl QuotientRing for $name {
            const MODULUS: u32 = $modulus;
            const BITS: u32 = $bits;
            const DEGREE: usize = $degree;
            const FACTOR: u32 = $factor;
            const EXPONENT: usize = $exponent;
        }
    )+};
}

rings! {
    /// `F_7[x] / (x^10 - 2x - 1)`.
    Q7L10: 7, 3, 10, 2, 1;
    /// `F_31[x] / (x^3 - x - 1)`.
    Q31L3: 31, 5, 3, 1, 1;
    /// `F_31[x] / (x^10 - 5x^3 - 1)`.
    Q31L10: 31, 5, 10, 5, 3;
    /// `F_127[x] / (x^3 - x - 1)`.
    Q127L3: 127, 7, 3, 1, 1;
    /// `F_127[x] / (x^10 - 2x^3 - 1)`.
    Q127L10: 127, 7, 10, 2, 3;
}

#[inline(always)]
const fn fold(x: u32, bits: u32) -> u32 {
    // 2^bits = 1 mod q whenever b divides bits
    (x & ((1 << bits) - 1)) + (x >> bits)
}

/// `x mod q` in `0..q`, for every 32-bit `x`, in constant time.
///
/// Bounds after each fold, from `x < 2^32`: `b = 7`: 2^19, 4223, 160, 127; `b = 5`: 163 838, 1182, 67, 33, 31;
/// `b = 3`: 2^21, 4351, 130, 23, 9, 7.
#[inline(always)]
#[must_use]
pub const fn reduce<R: QuotientRing>(x: u32) -> u32 {
    let x = match R::BITS {
        7 => fold(fold(fold(fold(x, 14), 7), 7), 7),
        5 => fold(fold(fold(fold(fold(x, 15), 10), 5), 5), 5),
        _ => fold(fold(fold(fold(fold(fold(x, 12), 12), 6), 3), 3), 3),
    };
    canonical::<R>(x)
}

/// `x` for `x < q`, 0 for `x = q`. Defined for `x <= q`.
#[inline(always)]
#[must_use]
pub const fn canonical<R: QuotientRing>(x: u32) -> u32 {
    x & !(R::MODULUS * ((x + 1) >> R::BITS))
}

/// `x mod q` in `0..q` for `|x| < q 2^22`, in constant time.
#[inline(always)]
#[must_use]
pub const fn reduce_signed<R: QuotientRing>(x: i32) -> u32 {
    reduce::<R>((x + ((R::MODULUS as i32) << 22)) as u32)
}

/// The representative of `x` (in `0..q`) in `-(q-1)/2 ..= (q-1)/2`, as the two's complement byte.
#[inline(always)]
#[must_use]
pub const fn centred<R: QuotientRing>(x: u32) -> u8 {
    // the top bit of the b bits says whether x > (q-1)/2 = 2^(b-1) - 1
    x.wrapping_sub(R::MODULUS * (x >> (R::BITS - 1))) as u8
}

/// [`centred`] in byte arithmetic, for loops over many bytes.
#[inline(always)]
#[must_use]
pub const fn centred_byte<R: QuotientRing>(x: u8) -> u8 {
    x.wrapping_sub(R::MODULUS as u8 * (x >> (R::BITS - 1)))
}

/// `x / 2` for `x` in `0..q`: a rotation of the `b` bits to the right.
#[inline(always)]
#[must_use]
pub const fn half<R: QuotientRing>(x: u32) -> u32 {
    (x >> 1) | ((x & 1) << (R::BITS - 1))
}

/// `x^(q-2)`: the inverse of a non-zero `x`, and 0 for 0.
#[inline(always)]
#[must_use]
pub const fn inverse<R: QuotientRing>(x: u32) -> u32 {
    // q - 2 = 2^b - 3 = 1 + 4 (2^(b-2) - 1): bit 1 is clear, all others set
    let mut power = x;
    let mut square = x;
    let mut bit = 1;
    while bit < R::BITS {
        square = reduce::<R>(square * square);
        if bit != 1 {
            power = reduce::<R>(power * square);
        }
        bit += 1;
    }
    power
}

/// The index `u` with `psi(x^u x^t) = 1`, `psi` being the coefficient of `x^(fe-1)`.
#[inline(always)]
#[must_use]
pub const fn pairing_index<R: QuotientRing>(t: usize) -> usize {
    (R::EXPONENT - 1 + R::DEGREE - t) % R::DEGREE
}

/// Reads an element from its `l` coefficients.
#[inline(always)]
#[must_use]
pub fn element<R: QuotientRing>(coefficients: &[u8]) -> Element {
    let mut out = [0; MAX_DEGREE];
    out[..R::DEGREE].copy_from_slice(&coefficients[..R::DEGREE]);
    out
}

/// `x a`.
#[inline(always)]
#[must_use]
pub fn times_x<R: QuotientRing>(a: &Element) -> Element {
    let top = a[R::DEGREE - 1];
    let mut out = [0; MAX_DEGREE];
    let mut t = 1;
    while t < R::DEGREE {
        out[t] = a[t - 1];
        t += 1;
    }
    out[0] = top;
    // at most (1 + fc)(q - 1); two folds give at most q + fc, then q
    let sum = u32::from(out[R::EXPONENT]) + R::FACTOR * u32::from(top);
    out[R::EXPONENT] = canonical::<R>(fold(fold(sum, R::BITS), R::BITS)) as u8;
    out
}

/// The matrix of multiplication by `a`: row `t` holds the coefficients of `x^t a`.
#[inline(always)]
#[must_use]
pub fn multiplication_matrix<R: QuotientRing>(a: &Element) -> [Element; MAX_DEGREE] {
    let mut rows = [[0; MAX_DEGREE]; MAX_DEGREE];
    let mut row = *a;
    for out in rows.iter_mut().take(R::DEGREE) {
        *out = row;
        row = times_x::<R>(&row);
    }
    rows
}

/// `a b`.
#[inline(always)]
#[must_use]
pub fn multiply<R: QuotientRing>(a: &Element, b: &Element) -> Element {
    let rows = multiplication_matrix::<R>(a);
    let mut out = [0; MAX_DEGREE];
    for (c, out) in out.iter_mut().enumerate().take(R::DEGREE) {
        // at most 10 * 126 * 126 < 2^18
        let sum = (0..R::DEGREE).map(|t| u32::from(rows[t][c]) * u32::from(b[t])).sum();
        *out = reduce::<R>(sum) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scalar_laws<R: QuotientRing>() {
        let q = R::MODULUS;
        for x in (0..2000).chain([u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1, q << 22]) {
            assert_eq!(reduce::<R>(x), x % q, "{x} mod {q}");
        }
        for x in 0..q {
            assert_eq!(half::<R>(x) * 2 % q, x);
            assert_eq!(inverse::<R>(x) * x % q, u32::from(x != 0));
            let signed = i32::from(centred::<R>(x) as i8);
            assert!(signed.unsigned_abs() <= q / 2);
            assert_eq!(reduce_signed::<R>(signed), x);
        }
        // the modulus is irreducible: x^(q^l) = x, and x^(q^d) != x for the maximal proper divisors d of l
        let x = element::<R>(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut frobenius = x;
        for degree in 1..=R::DEGREE {
            let base = frobenius;
            for _ in 1..q {
                frobenius = multiply::<R>(&frobenius, &base);
            }
            assert_eq!(frobenius == x, degree == R::DEGREE, "{:?} degree {degree}", R::MODULUS);
        }
    }

    #[test]
    fn every_ring() {
        scalar_laws::<Q7L10>();
        scalar_laws::<Q31L3>();
        scalar_laws::<Q31L10>();
        scalar_laws::<Q127L3>();
        scalar_laws::<Q127L10>();
    }

    /// The schoolbook product and the rewriting rule, one power at a time from the top.
    fn naive<R: QuotientRing>(a: &Element, b: &Element) -> Element {
        let (l, q) = (R::DEGREE, u64::from(R::MODULUS));
        let mut product = [0_u64; 2 * MAX_DEGREE];
        for i in 0..l {
            for j in 0..l {
                product[i + j] += u64::from(a[i]) * u64::from(b[j]);
            }
        }
        for power in (l..2 * l).rev() {
            let top = core::mem::take(&mut product[power]) % q;
            product[power - l] += top;
            product[power - l + R::EXPONENT] += u64::from(R::FACTOR) * top;
        }
        core::array::from_fn(|t| if t < l { (product[t] % q) as u8 } else { 0 })
    }

    fn product_laws<R: QuotientRing>(raw: &[[u8; MAX_DEGREE]; 3]) {
        let [a, b, c] = raw.map(|e| {
            let mut out = [0; MAX_DEGREE];
            for t in 0..R::DEGREE {
                out[t] = reduce::<R>(u32::from(e[t])) as u8;
            }
            out
        });
        let ab = multiply::<R>(&a, &b);
        assert_eq!(ab, naive::<R>(&a, &b));
        assert_eq!(ab, multiply::<R>(&b, &a));
        assert_eq!(multiply::<R>(&ab, &c), multiply::<R>(&a, &multiply::<R>(&b, &c)));
        let pairing: u32 =
            (0..R::DEGREE).map(|t| u32::from(a[t]) * u32::from(b[pairing_index::<R>(t)])).sum();
        assert_eq!(u32::from(ab[R::EXPONENT - 1]), pairing % R::MODULUS);
    }

    proptest! {
        #[test]
        fn products(raw in any::<[[u8; MAX_DEGREE]; 3]>(), x in any::<u32>()) {
            product_laws::<Q7L10>(&raw);
            product_laws::<Q31L3>(&raw);
            product_laws::<Q31L10>(&raw);
            product_laws::<Q127L3>(&raw);
            product_laws::<Q127L10>(&raw);
            prop_assert_eq!(reduce::<Q7L10>(x), x % 7);
            prop_assert_eq!(reduce::<Q31L3>(x), x % 31);
            prop_assert_eq!(reduce::<Q127L3>(x), x % 127);
        }
    }
}
