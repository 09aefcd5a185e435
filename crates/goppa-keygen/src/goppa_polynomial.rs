//! Root-free Goppa polynomials, the choice of the FPGA generator of Wang, Szefer and Niederhagen (CHES 2017): random monic g,
//! accepted if it has no root in the whole field (one additive FFT) and is squarefree (or t errors could not be corrected).

use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::irreducible::gcd_degree;
use crate::stream::Stream;
use crate::support::evaluate_monic;

/// Whether the monic polynomial with these low coefficients has no root in GF(2^M). The verdict is meant to be public; constant
/// time otherwise.
#[must_use]
pub fn is_root_free<B: LaneBackend, const M: usize>(backend: B, low_coefficients: &[u16]) -> bool {
    let values = evaluate_monic::<B, M>(backend, low_coefficients);
    let valid = B::LANES.min(1 << M);
    let mut words = [0u64; 8];
    let mut roots = 0u64;
    for value in values {
        let nonzero = value[1..].iter().fold(value[0], |any, word| any | *word);
        backend.store(nonzero, &mut words[..B::WORDS]);
        for (group, word) in words.iter().enumerate().take(valid.div_ceil(64)) {
            let used = if valid - 64 * group < 64 { (1 << valid) - 1 } else { u64::MAX };
            roots |= !word & used;
        }
    }
    roots == 0
}

/// Whether the monic polynomial with these low coefficients is squarefree: gcd(g, g') = 1. Variable time.
#[must_use]
pub fn is_squarefree(field: Gf2m, low_coefficients: &[u16]) -> bool {
    let mut polynomial = Zeroizing::new(low_coefficients.to_vec());
    polynomial.push(1);
    // in characteristic 2 the derivative keeps the coefficients of odd degree
    let derivative: Zeroizing<Vec<u16>> = Zeroizing::new(
        polynomial[1..]
            .iter()
            .enumerate()
            .map(|(degree, coefficient)| if degree % 2 == 0 { *coefficient } else { 0 })
            .collect(),
    );
    derivative.iter().any(|coefficient| *coefficient != 0) && gcd_degree(field, &polynomial, &derivative) == 0
}

/// A random root-free and squarefree monic polynomial of the given degree: its low coefficients, from `stream` 16-bit words masked to
/// M bits, coefficient 0 first. The squarefree test is variable time: for research.
///
/// # Errors
/// [`Error::AttemptsExhausted`] after `attempts` polynomials (about e of them are needed).
pub fn root_free_polynomial<B: LaneBackend, const M: usize>(
    backend: B,
    degree: usize,
    stream: &mut Stream,
    attempts: u32,
) -> Result<Zeroizing<Vec<u16>>, Error> {
    let field = Gf2m::new(M as u32).ok_or(Error::Parameters { m: M, t: degree, n: 0 })?;
    for _ in 0..attempts {
        let candidate: Zeroizing<Vec<u16>> =
            Zeroizing::new((0..degree).map(|_| stream.word() & field.mask()).collect());
        if is_root_free::<B, M>(backend, &candidate) && is_squarefree(field, &candidate) {
            return Ok(candidate);
        }
    }
    Err(Error::AttemptsExhausted { attempts })
}
