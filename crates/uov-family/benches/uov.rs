//! Keys, signatures and verification of UOV at the sizes of its level-1 sets.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use criterion::{Criterion, criterion_group, criterion_main};
use mq_eval::packed::{Engine, Gf16, Gf256};
use uov_family::uov::{self, CompactSecret, Parameters, PublicCoefficients};

/// n = 112, m = 44 over GF(256).
#[derive(Clone, Copy)]
struct Ip;

impl Parameters for Ip {
    type Field = Gf256;
    const VINEGAR: usize = 68;
    const OIL: usize = 44;
}

/// n = 160, m = 64 over GF(16).
#[derive(Clone, Copy)]
struct Is;

impl Parameters for Is {
    type Field = Gf16;
    const VINEGAR: usize = 96;
    const OIL: usize = 64;
}

fn set<P: Parameters>(criterion: &mut Criterion, name: &str) {
    let engine = Engine::detect();
    let key = uov::generate_compact::<P>(engine, &[1; 32]);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("generate, compact", |bencher| {
        bencher.iter(|| uov::generate_compact::<P>(engine, &[1; 32]));
    });
    group.bench_function("expand the secret key", |bencher| {
        bencher.iter(|| CompactSecret::<P>::new(engine, &[1; 32]));
    });
    let secret = CompactSecret::<P>::new(engine, &[1; 32]);
    let mut signature = vec![0; P::signature_bytes()];
    let mut counter = 0u64;
    group.bench_function("sign", |bencher| {
        bencher.iter(|| {
            counter += 1;
            secret.sign(&counter.to_le_bytes(), &[2; 16], &mut signature).expect("a signature")
        });
    });
    let attempts = secret.sign(b"message", &[2; 16], &mut signature);
    assert!(attempts.is_some(), "a signature");
    let coefficients = PublicCoefficients::Seed(&key.public_seed);
    group.bench_function("verify, compressed key", |bencher| {
        bencher.iter(|| {
            uov::verify::<P>(engine, coefficients, &key.p3, b"message", &signature).expect("accepted");
        });
    });
    group.finish();
}

fn level_1(criterion: &mut Criterion) {
    set::<Ip>(criterion, "uov, n = 112, m = 44, GF(256)");
    set::<Is>(criterion, "uov, n = 160, m = 64, GF(16)");
}

criterion_group!(benches, level_1);
criterion_main!(benches);
