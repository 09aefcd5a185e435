//! Root finding for HFE polynomials at the sizes of the schemes, under every back end of this CPU.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use criterion::{Criterion, criterion_group, criterion_main};
use gf2n::Gf2n;
use gf2n::backend::{ClmulBackend, Level, set_ceiling};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::hfe::HfePolynomial;

/// A polynomial with fixed, random-looking coefficients.
fn polynomial<const N: usize, const L: usize>(high: usize, low: usize) -> HfePolynomial<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    let mut state = Gf2n::<N, L>::X + Gf2n::ONE;
    let mut next = || {
        state = state * state * state + Gf2n::X;
        state
    };
    let linear = (0..=high).map(|_| next()).collect();
    let quadratic = (0..HfePolynomial::<N, L>::quadratic_len(high, low)).map(|_| next()).collect();
    HfePolynomial::new(high, low, next(), linear, quadratic).expect("the shape fits")
}

fn one<const N: usize, const L: usize>(criterion: &mut Criterion, name: &str, high: usize, low: usize)
where
    LibraryModulus: Modulus<N, L>,
{
    let polynomial = polynomial::<N, L>(high, low);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for backend in ClmulBackend::available().collect::<Vec<_>>() {
        set_ceiling(backend.level());
        group.bench_function(backend.name(), |bencher| bencher.iter(|| polynomial.count_roots()));
        set_ceiling(Level::Avx512);
    }
    group.finish();
}

fn hfe(criterion: &mut Criterion) {
    one::<174, 3>(criterion, "gemss128", 9, 0);
    one::<265, 5>(criterion, "gemss192", 9, 0);
    one::<354, 6>(criterion, "gemss256", 9, 0);
    one::<175, 3>(criterion, "bluegemss128", 7, 0);
    one::<177, 3>(criterion, "redgemss128", 4, 0);
    one::<537, 9>(criterion, "fgemss256", 10, 7);
}

criterion_group!(benches, hfe);
criterion_main!(benches);
