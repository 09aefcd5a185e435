//! Times of key generation, encapsulation and decapsulation: `mceliece_times [LEVEL] [COUNT] SET...`; minimum and median.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::Instant;

use gf2n::backend::{Level, set_ceiling};
use kat_vectors::NistDrbg;
use schemes::Sizes;
use schemes::registry::{Set, find};

fn report(name: &str, what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!("{name:18} {what:14} min {:9.1} us  median {:9.1} us", times[0], times[times.len() / 2]);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let level = Level::ALL.into_iter().find(|level| level.name() == arguments[0]).unwrap();
    set_ceiling(level);
    let count: usize = arguments[1].parse().unwrap();
    for name in &arguments[2..] {
        let Ok(Set::Kem(set)) = find(name) else { continue };
        let Sizes::Kem { ciphertext, shared_secret } = set.info().sizes else { continue };
        let mut rng = NistDrbg::new(&[7; 48]);
        let mut times = [const { Vec::new() }; 5];
        for _ in 0..count {
            let start = Instant::now();
            let pair = set.generate(&mut rng).unwrap();
            times[0].push(start.elapsed().as_secs_f64() * 1e6);
            let key = set.decapsulation_key(&pair.secret).unwrap();
            for _ in 0..20 {
                let (mut ct, mut ss, mut back) =
                    (vec![0; ciphertext], vec![0; shared_secret], vec![0; shared_secret]);
                let start = Instant::now();
                set.encapsulate(&pair.public, &mut rng, &mut ct, &mut ss).unwrap();
                times[1].push(start.elapsed().as_secs_f64() * 1e6);
                let start = Instant::now();
                set.decapsulate(&pair.secret, &ct, &mut back).unwrap();
                times[2].push(start.elapsed().as_secs_f64() * 1e6);
                assert_eq!(ss, back);
                let start = Instant::now();
                key.decapsulate(&ct, &mut back).unwrap();
                times[3].push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        let [keygen, encapsulate, decapsulate, expanded, _] = times;
        report(name, "keygen", keygen);
        report(name, "encapsulate", encapsulate);
        report(name, "decapsulate", decapsulate);
        report(name, "dec expanded", expanded);
    }
}
