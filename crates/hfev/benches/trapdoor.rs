//! Keys and Feistel-Patarin signatures of the HFEv- trapdoor at sizes of GeMSS, on every back end of this CPU.
#![allow(clippy::expect_used, reason = "a failure ends the benchmark")]
#![allow(missing_docs, reason = "criterion makes the entry point")]

use core::convert::Infallible;

use criterion::{Criterion, criterion_group, criterion_main};
use gf2n::backend::{ClmulBackend, Level, set_ceiling};
use gf2n::matrix::words_for;
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::{FeistelPatarin, HashedRoot, PairRule, Parameters, SecretKey, sign_redrawing};
use rand_core::{Rng, TryCryptoRng, TryRng};

/// Repeatable words; no generator for keys.
struct Repeatable(u64);

impl TryRng for Repeatable {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Ok(self.0 ^ self.0 >> 29)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = (self.try_next_u64()? >> 24) as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}

/// n, D, equations dropped, vinegar variables, iterations.
fn system<const N: usize, const L: usize>(
    criterion: &mut Criterion,
    name: &str,
    [degree, minus, vinegar, iterations]: [usize; 4],
) where
    LibraryModulus: Modulus<N, L>,
{
    let mut random = Repeatable(1);
    let parameters = Parameters::new(N, degree, minus, vinegar, iterations).expect("valid parameters");
    let words: Vec<u64> = (0..parameters.secret_words()).map(|_| random.next_u64()).collect();
    let target_words = words_for(parameters.equations());
    let last = u64::MAX >> (64 * target_words - parameters.equations());
    let targets: Vec<u64> = (1..=iterations * target_words)
        .map(|word| random.next_u64() & if word % target_words == 0 { last } else { u64::MAX })
        .collect();
    let rule = HashedRoot::new(|element: &[u8]| u64::from(element[0]), PairRule::Draws);
    let chain = FeistelPatarin::from(parameters);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for backend in ClmulBackend::available().collect::<Vec<_>>() {
        set_ceiling(backend.level());
        let key = SecretKey::<N, L>::from_words(parameters, &words).expect("secret key");
        let public = key.public_system().expect("public system");
        let signed = sign_redrawing(&key, &targets, &rule, &mut random).expect("signature");
        group.bench_function(format!("public system/{}", backend.name()), |bencher| {
            bencher.iter(|| key.public_system().expect("public system"));
        });
        group.bench_function(format!("sign/{}", backend.name()), |bencher| {
            bencher.iter(|| sign_redrawing(&key, &targets, &rule, &mut random).expect("signature"));
        });
        group.bench_function(format!("verify/{}", backend.name()), |bencher| {
            bencher.iter(|| chain.verify(&signed.signature, &targets, |x, y| public.evaluate(x, y)));
        });
        set_ceiling(Level::Avx512);
    }
    group.finish();
}

fn trapdoor(criterion: &mut Criterion) {
    system::<174, 3>(criterion, "gemss128", [513, 12, 12, 4]);
    system::<177, 3>(criterion, "redgemss128", [17, 15, 15, 4]);
    system::<266, 5>(criterion, "redgemss192", [17, 23, 25, 4]);
}

criterion_group!(benches, trapdoor);
criterion_main!(benches);
