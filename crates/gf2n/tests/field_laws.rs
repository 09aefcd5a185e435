//! The field laws over many degrees: a new field is tested by one line.

use gf2n::backend::Portable;
use gf2n::points::{Evaluated, PointProducts};
use gf2n::{ElementError, Gf2n, Unreduced};
use proptest::prelude::*;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// a b by the definition: shift, add, reduce one bit at a time.
fn naive_product<const N: usize, const L: usize>(a: Gf2n<N, L>, b: Gf2n<N, L>) -> Gf2n<N, L>
where
    gf2n::modulus::LibraryModulus: gf2n::modulus::Modulus<N, L>,
{
    let mut product = [0u64; L];
    for i in (0..N).rev() {
        let overflow = (product[(N - 1) / 64] >> ((N - 1) % 64)) & 1;
        for j in (0..L).rev() {
            product[j] = (product[j] << 1) | if j > 0 { product[j - 1] >> 63 } else { 0 };
        }
        product[L - 1] &= Gf2n::<N, L>::TOP_MASK;
        if overflow == 1 {
            for &exponent in Gf2n::<N, L>::MODULUS.low_exponents() {
                product[usize::from(exponent) / 64] ^= 1 << (exponent % 64);
            }
        }
        if a.bit(i) == 1 {
            for (limb, addend) in product.iter_mut().zip(b.limbs()) {
                *limb ^= addend;
            }
        }
    }
    Gf2n::from_limbs_truncated(product)
}

macro_rules! field_laws {
    ($($name:ident: $n:literal, $l:literal;)+) => {$(
        mod $name {
            use super::*;

            type Field = Gf2n<$n, $l>;

            fn element() -> impl Strategy<Value = Field> {
                let random = any::<[u64; $l]>().prop_map(Field::from_limbs_truncated);
                let edge = prop_oneof![
                    Just(Field::ZERO),
                    Just(Field::ONE),
                    Just(Field::from_limbs_truncated([u64::MAX; $l])),
                    (0..$n as usize).prop_map(Field::power_of_x),
                ];
                prop_oneof![4 => random, 1 => edge]
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(32))]

                #[test]
                fn ring_laws(a in element(), b in element(), c in element()) {
                    prop_assert_eq!(a * b, naive_product(a, b));
                    prop_assert_eq!(a * b, b * a);
                    prop_assert_eq!((a * b) * c, a * (b * c));
                    prop_assert_eq!(a * (b + c), a * b + a * c);
                    prop_assert_eq!(a - b, a + b);
                    prop_assert_eq!(a + a, Field::ZERO);
                    prop_assert_eq!(a * Field::ONE, a);
                    prop_assert_eq!(-a, a);
                }

                #[test]
                fn squares_and_inverses(a in element(), b in element()) {
                    prop_assert_eq!(a.square(), a * a);
                    prop_assert_eq!((a + b).square(), a.square() + b.square());
                    prop_assert_eq!(a.square_n($n), a);
                    prop_assert_eq!(a.square_n(3), a.square().square().square());
                    let inverse = a.invert();
                    prop_assert_eq!(a * inverse, if a == Field::ZERO { Field::ZERO } else { Field::ONE });
                }

                #[test]
                fn sums_are_reduced_once(a in element(), b in element(), c in element(), d in element()) {
                    let expected = a * b + c * d + a.square() + d;
                    let sum = a.mul_wide(b) + c.mul_wide(d) + a.square_wide() + Unreduced::from(d);
                    prop_assert_eq!(sum.reduce(), expected);
                    let (at, bt, ct, dt) =
                        (Evaluated::from(a), Evaluated::from(b), Evaluated::from(c), Evaluated::from(d));
                    let mut products = PointProducts::zero();
                    products.add_product_with(Portable, &at, &bt);
                    products.add_product_with(Portable, &ct, &(dt + at));
                    prop_assert_eq!(products.interpolate().reduce(), a * b + c * (d + a));
                }

                #[test]
                fn trace_is_the_sum_of_conjugates(a in element()) {
                    let conjugates = std::iter::successors(Some(a), |power| Some(power.square()));
                    let sum: Field = conjugates.take($n).sum();
                    prop_assert_eq!(sum, Field::ONE.and_bit(a.trace()));
                    prop_assert_eq!(a.square().trace(), a.trace());
                }

                #[test]
                fn quadratic_equations(a in element()) {
                    let c = a.square() + a;
                    let z = c.solve_quadratic();
                    prop_assert!(bool::from(z.is_some()));
                    let z = z.unwrap();
                    prop_assert!(z == a || z == a + Field::ONE);
                    prop_assert_eq!(bool::from(a.solve_quadratic().is_some()), a.trace() == 0);
                }

                #[test]
                fn encodings(a in element(), b in element(), choice: bool) {
                    let bytes = a.to_bytes();
                    prop_assert_eq!(Field::from_bytes(&bytes), Ok(a));
                    let mut written = bytes.clone();
                    prop_assert_eq!(b.write_bytes(&mut written), Ok(()));
                    prop_assert_eq!(written, b.to_bytes());
                    prop_assert_eq!(Field::from_limbs(*a.limbs()), Some(a));
                    prop_assert_eq!(bool::from(a.ct_eq(&b)), a.limbs() == b.limbs());
                    let selected = Field::conditional_select(&a, &b, u8::from(choice).into());
                    prop_assert_eq!(selected, if choice { b } else { a });
                }
            }

            #[test]
            fn wrong_bytes_are_refused() {
                let length = Field::BYTES;
                assert_eq!(length, usize::div_ceil($n, 8));
                for wrong in [0, length - 1, length + 1, length + 1000] {
                    let error = ElementError::Length { expected: length, actual: wrong };
                    assert_eq!(Field::from_bytes(&vec![0; wrong]), Err(error));
                    assert_eq!(Field::ONE.write_bytes(&mut vec![0; wrong]), Err(error));
                }
                for bit in (0..8 * length).skip($n) {
                    let mut bytes = vec![0; length];
                    bytes[bit / 8] |= 1 << (bit % 8);
                    assert_eq!(Field::from_bytes(&bytes), Err(ElementError::NonZeroPadding { degree: $n }));
                }
                for bit in (0..64 * $l).skip($n) {
                    let mut limbs = [0; $l];
                    limbs[bit / 64] |= 1 << (bit % 64);
                    assert_eq!(Field::from_limbs(limbs), None);
                }
            }
        }
    )+};
}

field_laws! {
    gf_2: 2, 1; // the smallest
    gf_8: 8, 1; // pentanomial whose terms overflow twice
    gf_13: 13, 1;
    gf_64: 64, 1; // a full limb
    gf_65: 65, 2;
    gf_128: 128, 2;
    gf_174: 174, 3; // gemss128
    gf_192: 192, 3;
    gf_233: 233, 4;
    gf_256: 256, 4;
    gf_265: 265, 5; // gemss192
    gf_312: 312, 5; // general form, 128
    gf_354: 354, 6; // gemss256, trinomial 99
    gf_402: 402, 7; // trinomial 171
    gf_448: 448, 7; // 64, 39, 33 and full limbs
    gf_511: 511, 8;
    gf_512: 512, 8;
    gf_537: 537, 9; // fgemss256
    gf_544: 544, 9; // dualmodems256
    gf_576: 576, 9; // the largest
}
