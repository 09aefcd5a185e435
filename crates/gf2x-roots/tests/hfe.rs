//! Roots of HFE polynomials: against all elements of small fields, and with planted roots in large ones.

use gf2n::Gf2n;
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
