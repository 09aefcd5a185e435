//! Keys, signatures and verification of QR-UOV: (q, l) = (127, 3) and (31, 10) of category 1, with both generators.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use criterion::{Criterion, criterion_group, criterion_main};
use uov_family::qruov::{
    self, ExpandedPublicKey, ExpandedSecretKey, Expansion, Parameters, SigningSeeds, sets,
};

fn set(criterion: &mut Criterion, name: &str, parameters: &Parameters) {
    let (secret_seed, public_seed) =
        (vec![1; parameters.secret_seed_len()], vec![2; parameters.public_seed_len()]);
    let public_key = qruov::public_key(parameters, &secret_seed, &public_seed);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("generate", |bencher| {
        bencher.iter(|| qruov::public_key(parameters, &secret_seed, &public_seed));
    });
    let seed = vec![3; parameters.secret_seed_len()];
    let seeds = SigningSeeds { vinegar: &seed, salt: &seed, free: &seed };
    let mut signature = vec![0; parameters.signature_len()];
    group.bench_function("sign", |bencher| {
        bencher.iter(|| {
            qruov::sign(parameters, &secret_seed, &public_seed, b"message", &seeds, &mut signature)
                .expect("a signature")
        });
    });
    let secret = ExpandedSecretKey::new(parameters, &secret_seed, &public_seed);
    group.bench_function("sign, expanded key", |bencher| {
        bencher.iter(|| secret.sign(b"message", &seeds, &mut signature).expect("a signature"));
    });
    group.bench_function("verify", |bencher| {
        bencher.iter(|| qruov::verify(parameters, &public_key, b"message", &signature).expect("accepted"));
    });
    let public = ExpandedPublicKey::new(parameters, &public_key).expect("a public key");
    group.bench_function("verify, expanded key", |bencher| {
        bencher.iter(|| public.verify(b"message", &signature).expect("accepted"));
    });
    group.finish();
}

fn category_1(criterion: &mut Criterion) {
    for (name, parameters) in
        [("qruov1q127L3v156m54", sets::C1Q127L3), ("qruov1q31L10v600m70", sets::C1Q31L10)]
    {
        set(criterion, &format!("{name}-aes"), &parameters);
        set(criterion, &format!("{name}-shake"), &parameters.with_expansion(Expansion::Shake));
    }
}

criterion_group!(qruov_keys, category_1);
criterion_main!(qruov_keys);
