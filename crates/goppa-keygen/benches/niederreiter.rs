//! Key generation, encryption and decryption with binary Goppa codes, for the sets of the FPGA generator of Wang, Szefer and Niederhagen (CHES
//! 2017), of which the last two are sizes of Classic McEliece.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use criterion::{Criterion, criterion_group, criterion_main};
use goppa_keygen::Niederreiter;

/// Degree of the field, errors, length.
fn code(criterion: &mut Criterion, [m, t, n]: [usize; 3]) {
    let code = Niederreiter::new(m, t, n).expect("a code");
    let pair = code.generate(b"benchmark").expect("a key pair");
    let encryption = code.encrypt(&pair.public_key, b"error").expect("a ciphertext");
    let mut group = criterion.benchmark_group(format!("m = {m}, t = {t}, n = {n}"));
    group.sample_size(10);
    let mut counter = 0u64;
    group.bench_function("generate", |bencher| {
        bencher.iter(|| {
            counter += 1;
            code.generate(&counter.to_le_bytes()).expect("a key pair")
        });
    });
    group.bench_function("encrypt", |bencher| {
        bencher.iter(|| {
            counter += 1;
            code.encrypt(&pair.public_key, &counter.to_le_bytes()).expect("a ciphertext")
        });
    });
    group.bench_function("decrypt", |bencher| {
        bencher.iter(|| pair.secret_key.decrypt(&encryption.ciphertext).expect("the error"));
    });
    group.finish();
}

fn niederreiter(criterion: &mut Criterion) {
    for set in [[11, 27, 2048], [11, 50, 2048], [12, 66, 3307], [13, 119, 6960], [13, 128, 8192]] {
        code(criterion, set);
    }
}

criterion_group!(benches, niederreiter);
criterion_main!(benches);
