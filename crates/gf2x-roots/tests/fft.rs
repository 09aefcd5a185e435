//! The additive FFT against evaluation by Horner's rule, and its inverse and transpose against the definition.
#![allow(clippy::expect_used, reason = "a failure ends the test")]

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::Polynomial;
use gf2x_roots::fft::{AdditiveFft, FftError};

fn element<const N: usize, const L: usize>(seed: &mut u64) -> Gf2n<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    Gf2n::from_limbs_truncated(core::array::from_fn(|_| {
        *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        *seed ^ (*seed >> 31)
    }))
}

fn laws<const N: usize, const L: usize>(dimension: usize)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut seed = (N * 100 + dimension) as u64;
    let standard = AdditiveFft::<N, L>::standard(dimension).expect("independent");
    assert_eq!(standard.point(standard.points() - 1), (0..dimension).map(Gf2n::power_of_x).sum());
    // some random basis is independent
    let random = (0..50)
        .find_map(|_| AdditiveFft::<N, L>::new((0..dimension).map(|_| element(&mut seed)).collect()).ok())
        .expect("a random basis is independent often");
    for fft in [standard, random] {
        for shift in [Gf2n::ZERO, element(&mut seed)] {
            let points: Vec<_> = (0..fft.points()).map(|index| shift + fft.point(index)).collect();
            for degree in [0, fft.points() / 2, fft.points() - 1, fft.points(), 3 * fft.points() + 1] {
                let polynomial = Polynomial::new((0..=degree).map(|_| element(&mut seed)).collect());
                let values = fft.evaluate(&polynomial, shift);
                let expected: Vec<_> = points.iter().map(|&point| polynomial.value(point)).collect();
                assert_eq!(values, expected, "n = {N}, d = {dimension}, degree {degree}");
                if degree < fft.points() {
                    assert_eq!(fft.interpolate(&values, shift), Ok(polynomial));
                }
            }
            let weights: Vec<_> = (0..fft.points()).map(|_| element(&mut seed)).collect();
            let sums = fft.power_sums(&weights, shift).expect("the length fits");
            let mut powers = vec![Gf2n::ONE; fft.points()];
            for sum in sums {
                assert_eq!(sum, weights.iter().zip(&powers).map(|(&weight, &power)| weight * power).sum());
                for (power, &point) in powers.iter_mut().zip(&points) {
                    *power *= point;
                }
            }
        }
    }
}

#[test]
fn evaluation_interpolation_and_transpose() {
    for dimension in 0..=3 {
        laws::<3, 1>(dimension);
    }
    for dimension in 0..=7 {
        laws::<8, 1>(dimension);
        laws::<21, 1>(dimension);
    }
    laws::<64, 1>(5);
    laws::<174, 3>(4);
    laws::<576, 9>(3);
}

#[test]
fn batches() {
    let fft = AdditiveFft::<20, 1>::standard(5).expect("independent");
    let mut seed = 7;
    let shift = element(&mut seed);
    let polynomials: Vec<Vec<Gf2n<20, 1>>> =
        (0..3).map(|_| (0..32).map(|_| element(&mut seed)).collect()).collect();
    let mut data: Vec<_> =
        (0..32).flat_map(|i| polynomials.iter().map(move |polynomial| polynomial[i])).collect();
    fft.evaluate_batch(&mut data, 3, shift).expect("the length fits");
    for (p, coefficients) in polynomials.into_iter().enumerate() {
        let values = fft.evaluate(&Polynomial::new(coefficients), shift);
        for (i, value) in values.into_iter().enumerate() {
            assert_eq!(data[3 * i + p], value);
        }
    }
}

#[test]
fn bad_input() {
    type Fft = AdditiveFft<8, 1>;
    let x = Gf2n::<8, 1>::X;
    assert_eq!(Fft::new(vec![x, x * x, x + x * x]).err(), Some(FftError::DependentBasis { index: 2 }));
    assert_eq!(Fft::new(vec![Gf2n::ZERO]).err(), Some(FftError::DependentBasis { index: 0 }));
    assert_eq!(Fft::standard(9).err(), Some(FftError::TooManyPoints { dimension: 9 }));
    assert_eq!(Fft::new(vec![x; 9]).err(), Some(FftError::TooManyPoints { dimension: 9 }));
    let fft = Fft::standard(2).expect("independent");
    let length = FftError::Length { expected: 4, actual: 3 };
    assert_eq!(fft.interpolate(&[x; 3], x), Err(length));
    assert_eq!(fft.power_sums(&[x; 3], x), Err(length));
    assert_eq!(fft.evaluate_batch(&mut [x; 3], 1, x), Err(length));
    assert_eq!(fft.evaluate_batch(&mut [], 0, x), Ok(()));
}
