//! Roots of HFE polynomials: against all elements of small fields, and with planted roots in large ones.

#![allow(clippy::expect_used, reason = "a failure ends the test")]

use gf2n::Gf2n;
use gf2n::backend::{ClmulBackend, Level, set_ceiling};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::hfe::HfePolynomial;

/// SplitMix64: reproducible coefficients.
struct Stream(u64);

impl Stream {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn element<const N: usize, const L: usize>(&mut self) -> Gf2n<N, L>
    where
        LibraryModulus: Modulus<N, L>,
    {
        Gf2n::from_limbs_truncated(core::array::from_fn(|_| self.word()))
    }

    fn polynomial<const N: usize, const L: usize>(&mut self, high: usize, low: usize) -> HfePolynomial<N, L>
    where
        LibraryModulus: Modulus<N, L>,
    {
        let linear = (0..=high).map(|_| self.element()).collect();
        let count = HfePolynomial::<N, L>::quadratic_len(high, low);
        let quadratic = (0..count).map(|_| self.element()).collect();
        HfePolynomial::new(high, low, self.element(), linear, quadratic).expect("the shape fits")
    }
}

fn against_all_elements<const N: usize>(high: usize, low: usize, count: usize)
where
    LibraryModulus: Modulus<N, 1>,
{
    let mut stream = Stream((N + 100 * high + 10_000 * low) as u64);
    for _ in 0..count {
        let polynomial = stream.polynomial::<N, 1>(high, low);
        let expected: Vec<_> = (0..1u64 << N)
            .map(|value| Gf2n::<N, 1>::from_limbs_truncated([value]))
            .filter(|&point| polynomial.value(point) == Gf2n::ZERO)
            .collect();
        assert_eq!(polynomial.roots(), expected, "n = {N}, I = {high}, J = {low}");
        assert_eq!(polynomial.count_roots(), expected.len());
        assert_eq!(polynomial.unique_root(), (expected.len() == 1).then(|| expected[0]));
    }
}

#[test]
fn small_fields() {
    for high in 1..=6 {
        for low in 0..high {
            against_all_elements::<2>(high, low, 5);
            against_all_elements::<3>(high, low, 5);
            against_all_elements::<7>(high, low, 5);
            against_all_elements::<8>(high, low, 5);
        }
    }
    against_all_elements::<11>(5, 0, 20);
    against_all_elements::<12>(7, 2, 20);
    against_all_elements::<5>(8, 7, 5);
}

fn planted<const N: usize, const L: usize>(high: usize, low: usize)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut stream = Stream((N + 1000 * high + low) as u64);
    let mut polynomial = stream.polynomial::<N, L>(high, low);
    let root = stream.element();
    let value = polynomial.value(root);
    polynomial.set_constant(polynomial.constant() + value);
    let roots = polynomial.roots();
    assert!(roots.contains(&root), "n = {N}, I = {high}, J = {low}");
    for pair in roots.windows(2) {
        assert!(pair[0].limbs().iter().rev().lt(pair[1].limbs().iter().rev()));
    }
    for root in roots {
        assert_eq!(polynomial.value(root), Gf2n::ZERO);
    }
}

#[test]
fn planted_roots() {
    planted::<63, 1>(5, 0);
    planted::<64, 1>(4, 2);
    planted::<127, 2>(6, 0);
    planted::<174, 3>(7, 0);
    planted::<177, 3>(4, 0);
    planted::<256, 4>(5, 0);
    planted::<265, 5>(6, 0);
    planted::<354, 6>(5, 3);
    planted::<402, 7>(5, 0);
    planted::<450, 8>(5, 1);
    planted::<544, 9>(5, 0);
    planted::<537, 9>(6, 3);
    planted::<576, 9>(2, 1);
}

/// Every back end of this CPU finds what the portable one finds, for every number of words.
#[test]
fn back_ends_agree() {
    fn check<const N: usize, const L: usize>(high: usize, low: usize)
    where
        LibraryModulus: Modulus<N, L>,
    {
        let mut stream = Stream((7 * N + high) as u64);
        for _ in 0..3 {
            let polynomial = stream.polynomial::<N, L>(high, low);
            let mut found = Vec::new();
            for backend in ClmulBackend::available() {
                set_ceiling(backend.level());
                found.push((backend.name(), polynomial.roots()));
                set_ceiling(Level::Avx512);
            }
            for (name, roots) in &found {
                assert!(*roots == found[0].1, "{name}: n = {N}, I = {high}, J = {low}");
            }
        }
    }
    // sweeps (gap 16 or more) and tables; moduli with long and short tails
    check::<62, 1>(5, 0);
    check::<64, 1>(6, 0);
    check::<128, 2>(6, 0);
    check::<184, 3>(5, 0);
    check::<192, 3>(4, 0);
    check::<256, 4>(6, 5);
    check::<313, 5>(6, 0);
    check::<354, 6>(4, 0);
    check::<402, 7>(6, 0);
    check::<448, 7>(5, 0);
    check::<512, 8>(4, 3);
    check::<544, 9>(6, 0);
    check::<576, 9>(4, 0);
}

#[test]
fn impossible_shapes() {
    use gf2x_roots::hfe::HfeShapeError;
    type P = HfePolynomial<8, 1>;
    let zeros = |count| vec![Gf2n::<8, 1>::ZERO; count];
    let error =
        |high, low, linear, quadratic| P::new(high, low, Gf2n::ZERO, zeros(linear), zeros(quadratic)).err();
    assert_eq!(error(2, 2, 3, 3), Some(HfeShapeError::Exponents { high: 2, low: 2 }));
    assert_eq!(error(0, 0, 1, 0), Some(HfeShapeError::Exponents { high: 0, low: 0 }));
    assert_eq!(error(17, 0, 18, 136), Some(HfeShapeError::Exponents { high: 17, low: 0 }));
    assert_eq!(error(3, 1, 3, 4), Some(HfeShapeError::Linear { expected: 4, actual: 3 }));
    assert_eq!(error(3, 1, 4, 3), Some(HfeShapeError::Quadratic { expected: 4, actual: 3 }));
    assert_eq!(error(3, 1, 4, 4), None);
}
