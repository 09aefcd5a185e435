//! Cost against the degree: roots of dense random polynomials, and additive transforms.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2x_roots::Polynomial;
use gf2x_roots::fft::AdditiveFft;

fn elements<const N: usize, const L: usize>(count: usize) -> Vec<Gf2n<N, L>>
where
    LibraryModulus: Modulus<N, L>,
{
    let mut state = Gf2n::<N, L>::X + Gf2n::ONE;
    (0..count)
        .map(|_| {
            state = state * state * state + Gf2n::X;
            state
        })
        .collect()
}

fn roots<const N: usize, const L: usize>(criterion: &mut Criterion)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut group = criterion.benchmark_group(format!("count_roots over GF(2^{N})"));
    group.sample_size(10);
    for degree in [16, 64, 256, 1024, 4096] {
        let polynomial = Polynomial::new(elements::<N, L>(degree + 1));
        group.bench_function(BenchmarkId::from_parameter(degree), |bencher| {
            bencher.iter(|| polynomial.count_roots());
        });
    }
    group.finish();
}

fn transforms<const N: usize, const L: usize>(criterion: &mut Criterion)
where
    LibraryModulus: Modulus<N, L>,
{
    let mut group = criterion.benchmark_group(format!("additive FFT over GF(2^{N})"));
    group.sample_size(10);
    for dimension in [8, 12] {
        let fft = AdditiveFft::<N, L>::standard(dimension).expect("independent");
        let polynomial = Polynomial::new(elements::<N, L>(fft.points()));
        group.bench_function(BenchmarkId::from_parameter(fft.points()), |bencher| {
            bencher.iter(|| fft.evaluate(&polynomial, Gf2n::ZERO));
        });
    }
    group.finish();
}

fn polynomials(criterion: &mut Criterion) {
    roots::<64, 1>(criterion);
    roots::<174, 3>(criterion);
    transforms::<64, 1>(criterion);
    transforms::<174, 3>(criterion);
}

criterion_group!(benches, polynomials);
criterion_main!(benches);
