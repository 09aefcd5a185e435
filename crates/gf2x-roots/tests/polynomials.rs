//! Dense polynomials: brute force in small fields, products of known factors, edge cases.
#![allow(clippy::expect_used, reason = "a failure ends the test")]

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::{Polynomial, RootError};

type Small<const N: usize> = Polynomial<N, 1>;

fn element<const N: usize>(value: u64) -> Gf2n<N, 1>
where
    LibraryModulus: Modulus<N, 1>,
{
    Gf2n::from_limbs_truncated([value])
}

/// Roots with multiplicities by trying every element and dividing by hand (synthetic division).
fn brute_force<const N: usize>(polynomial: &Small<N>) -> Vec<(Gf2n<N, 1>, usize)>
where
    LibraryModulus: Modulus<N, 1>,
{
    let mut roots = Vec::new();
    for value in 0..1u64 << N {
        let point = element::<N>(value);
        let mut coefficients: Vec<_> = polynomial.coefficients().to_vec();
        let mut multiplicity = 0;
        loop {
            let mut carry = Gf2n::ZERO;
            let mut quotient = Vec::new();
            for &coefficient in coefficients.iter().rev() {
                carry = carry * point + coefficient;
                quotient.push(carry);
            }
            if quotient.pop() != Some(Gf2n::ZERO) {
                break;
            }
            quotient.reverse();
            coefficients = quotient;
            multiplicity += 1;
        }
        if multiplicity > 0 {
            roots.push((point, multiplicity));
        }
    }
    roots
}

fn all_polynomials<const N: usize>(largest_degree: u32)
where
    LibraryModulus: Modulus<N, 1>,
{
    let size = 1u64 << N;
    for number in 1..size.pow(largest_degree + 1) {
        let coefficients: Vec<_> =
            (0..=largest_degree).map(|i| element::<N>(number / size.pow(i) % size)).collect();
        let polynomial = Polynomial::new(coefficients);
        let expected = brute_force(&polynomial);
        assert_eq!(polynomial.roots_with_multiplicities(), Ok(expected.clone()), "{polynomial:?}");
        assert_eq!(polynomial.count_roots(), Ok(expected.len()));
        assert_eq!(polynomial.unique_root(), Ok((expected.len() == 1).then(|| expected[0].0)));
    }
}

#[test]
fn every_polynomial_over_gf4() {
    all_polynomials::<2>(4);
}

#[test]
fn every_polynomial_over_gf8() {
    all_polynomials::<3>(4);
}

#[test]
fn every_polynomial_over_gf16() {
    all_polynomials::<4>(3);
}

#[test]
fn zero_and_constants() {
    let zero = Small::<7>::new(vec![Gf2n::ZERO; 3]);
    assert!(zero.is_zero() && zero.degree().is_none());
    assert_eq!(zero.roots(), Err(RootError::ZeroPolynomial));
    assert_eq!(zero.count_roots(), Err(RootError::ZeroPolynomial));
    assert_eq!(zero.unique_root(), Err(RootError::ZeroPolynomial));
    assert_eq!(zero.factors(), Err(RootError::ZeroPolynomial));
    assert_eq!(zero.factor_degrees(), Err(RootError::ZeroPolynomial));
    assert!(zero.frobenius_map().is_none());
    assert_eq!(zero.gcd(&zero), zero);
    let constant = Small::<7>::new(vec![element(5)]);
    assert_eq!(constant.roots(), Ok(vec![]));
    assert_eq!(constant.factors(), Ok(vec![]));
    assert_eq!(constant.equal_degree_split(3), Ok(Some(vec![])));
    assert!(constant.div_rem(&zero).is_none());
    assert_eq!(constant.gcd(&zero), Small::new(vec![Gf2n::ONE]));
}

/// SplitMix64: reproducible elements.
struct Stream(u64);

impl Stream {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn elements<const N: usize, const L: usize>(&mut self, count: usize) -> Vec<Gf2n<N, L>>
    where
        LibraryModulus: Modulus<N, L>,
    {
        (0..count).map(|_| Gf2n::from_limbs_truncated(core::array::from_fn(|_| self.word()))).collect()
    }
}

fn power<const N: usize, const L: usize>(base: &Polynomial<N, L>, exponent: usize) -> Polynomial<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    (0..exponent).fold(Polynomial::new(vec![Gf2n::ONE]), |product, _| &product * base)
}

/// Factors a product of factors that the factorisation itself found in random polynomials: irreducible by their own count
/// of degrees, then multiplied with chosen multiplicities.
fn products_of_factors<const N: usize, const L: usize>(seed: u64, degree: usize)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut stream = Stream(seed);
    let mut expected = Vec::new();
    for multiplicity in [1, 2, 3, 4, 6] {
        let random = Polynomial::<N, L>::new(stream.elements(degree + 1));
        for (factor, _) in random.factors().expect("not zero") {
            assert_eq!(factor.factor_degrees(), Ok(vec![(factor.degree().expect("not zero"), 1, 1)]));
            if !expected.iter().any(|(other, _)| *other == factor) {
                expected.push((factor, multiplicity));
            }
        }
    }
    let product = expected.iter().fold(Polynomial::new(vec![Gf2n::X]), |product, (factor, multiplicity)| {
        &product * &power(factor, *multiplicity)
    });
    let mut found = product.factors().expect("not zero");
    assert_eq!(found.len(), expected.len());
    for (factor, multiplicity) in expected {
        let position =
            found.iter().position(|found| *found == (factor.clone(), multiplicity)).expect("the factor");
        found.swap_remove(position);
    }
}

#[test]
fn factorisations() {
    products_of_factors::<2, 1>(1, 9);
    products_of_factors::<3, 1>(2, 8);
    products_of_factors::<8, 1>(3, 7);
    products_of_factors::<13, 1>(4, 6);
    products_of_factors::<64, 1>(5, 5);
    products_of_factors::<177, 3>(6, 4);
}

/// A product of known linear factors and one polynomial without roots.
fn known_roots<const N: usize, const L: usize>(count: usize)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut stream = Stream(count as u64);
    let mut roots = stream.elements::<N, L>(count);
    roots.sort_by(|a, b| a.limbs().iter().rev().cmp(b.limbs().iter().rev()));
    roots.dedup();
    let without = (0..)
        .map(|_| Polynomial::<N, L>::new(stream.elements(6)))
        .find(|random| random.count_roots() == Ok(0))
        .expect("some polynomial has no root");
    let product = &Polynomial::from_roots(&roots) * &without;
    assert_eq!(product.roots(), Ok(roots), "n = {N}");
}

#[test]
fn many_roots() {
    known_roots::<8, 1>(60);
    known_roots::<20, 1>(700);
    known_roots::<64, 1>(40);
    known_roots::<174, 3>(33);
    known_roots::<266, 5>(20);
}

/// The methods for the Frobenius map (tables, sweeps, reciprocal) agree with repeated squaring by division.
#[test]
fn frobenius_maps() {
    fn check<const N: usize, const L: usize>(terms: &[usize])
    where
        LibraryModulus: Modulus<N, L>,
    {
        let mut stream = Stream(terms.len() as u64);
        let coefficients = stream.elements::<N, L>(terms.len());
        let polynomial = Polynomial::from_terms(&terms.iter().copied().zip(coefficients).collect::<Vec<_>>());
        let mut expected = Polynomial::new(vec![Gf2n::ZERO, Gf2n::ONE]);
        for _ in 0..N {
            expected = (&expected * &expected).div_rem(&polynomial).expect("not zero").1;
        }
        assert_eq!(polynomial.frobenius_map(), Some(expected), "n = {N}, {terms:?}");
    }
    for degree in 1..40 {
        check::<5, 1>(&(0..=degree).collect::<Vec<_>>());
        check::<63, 1>(&[0, degree / 2, degree]);
    }
    check::<9, 1>(&[0, 100]);
    check::<9, 1>(&[1, 5, 77, 100]);
    check::<130, 3>(&[0, 1, 2, 3, 90, 130]);
    check::<130, 3>(&(0..130).collect::<Vec<_>>());
    // too large for a table of powers
    check::<3, 1>(&(0..1500).collect::<Vec<_>>());
}

/// Degree 4096 with 4096 roots. Cost: one Frobenius map and one trace map of the full degree, then of halves, quarters, ...
#[test]
fn degree_4096() {
    known_roots::<16, 1>(4096 - 5);
}

/// Products by the kernels, undone by division, whose products are single ones: every evaluated form, at the ends of its range.
#[test]
fn products_and_divisions() {
    fn check<const N: usize, const L: usize>()
    where
        LibraryModulus: Modulus<N, L>,
    {
        let mut stream = Stream(N as u64);
        let ones = vec![Gf2n::from_limbs_truncated([u64::MAX; L]); 20];
        for (a, b) in [
            (stream.elements::<N, L>(1), stream.elements::<N, L>(40)),
            (stream.elements::<N, L>(50), stream.elements::<N, L>(37)),
            (ones.clone(), ones),
            (stream.elements::<N, L>(250), stream.elements::<N, L>(201)),
        ] {
            let (a, b) = (Polynomial::new(a), Polynomial::new(b));
            let (quotient, remainder) = (&a * &b).div_rem(&a).expect("not zero");
            assert!(quotient == b && remainder.is_zero(), "n = {N}");
        }
    }
    check::<2, 1>();
    check::<64, 1>();
    check::<65, 2>();
    check::<129, 3>();
    check::<186, 3>();
    check::<187, 3>();
    check::<192, 3>();
    check::<256, 4>();
    check::<257, 5>();
    check::<275, 5>();
    check::<276, 5>();
    check::<320, 5>();
    check::<384, 6>();
    check::<402, 7>();
    check::<512, 8>();
    check::<576, 9>();
}
