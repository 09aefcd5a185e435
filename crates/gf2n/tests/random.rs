//! Random elements: one request each, errors passed on; and wiping.

use core::fmt;
use gf2n::points::{Evaluated, PointProducts};
use gf2n::{Gf2n, Unreduced};
use rand_core::TryRng;
use zeroize::Zeroize;

#[derive(Debug, PartialEq, Eq)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("broken")
    }
}

impl core::error::Error for Broken {}

/// Writes ones, records the requests, and fails from a given one on.
struct Scripted {
    requests: Vec<usize>,
    good: usize,
}

impl TryRng for Scripted {
    type Error = Broken;

    fn try_next_u32(&mut self) -> Result<u32, Broken> {
        Err(Broken)
    }

    fn try_next_u64(&mut self) -> Result<u64, Broken> {
        Err(Broken)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Broken> {
        self.requests.push(bytes.len());
        bytes.fill(0xff);
        if self.requests.len() > self.good { Err(Broken) } else { Ok(()) }
    }
}

#[test]
fn one_request_of_the_encoded_length() {
    let mut rng = Scripted { requests: Vec::new(), good: 3 };
    let all = Gf2n::<174, 3>::from_limbs_truncated([u64::MAX; 3]);
    assert_eq!(Gf2n::<174, 3>::random(&mut rng), Ok(all));
    let all = Gf2n::<576, 9>::from_limbs_truncated([u64::MAX; 9]);
    assert_eq!(Gf2n::<576, 9>::random(&mut rng), Ok(all));
    assert_eq!(Gf2n::<2, 1>::random(&mut rng), Ok(Gf2n::ONE + Gf2n::X));
    assert_eq!(Gf2n::<265, 5>::random(&mut rng), Err(Broken));
    assert_eq!(rng.requests, [22, 72, 1, 34]);
}

#[test]
fn wiped_values_are_zero() {
    type Field = Gf2n<265, 5>;
    let mut element = Field::X.invert();
    let mut product = element.mul_wide(element);
    let mut evaluated = Evaluated::from(element);
    let mut sums = PointProducts::zero();
    sums.add_product_with(gf2n::backend::Portable, &evaluated, &evaluated);
    element.zeroize();
    product.zeroize();
    evaluated.zeroize();
    sums.zeroize();
    assert_eq!(element, Field::ZERO);
    assert_eq!(product.words(), Unreduced::<265, 5>::ZERO.words());
    assert!(evaluated.cells().iter().all(|cell| cell.0 == [0; 2]));
    assert_eq!(sums.interpolate().words(), Unreduced::<265, 5>::ZERO.words());
}
