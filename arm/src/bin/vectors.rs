//! Prints the first entries of the known-answer file of every set, in the format of the files, for the host to compare.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec;

use arm::{leave, memory, say, signature_set};
use cortex_m_rt::entry;
use kat_vectors::NistDrbg;
use kat_vectors::drbg::SEED_LEN;
use rand_core::Rng;

/// Sets and the number of entries of each; the retries of the v7m sets begin at count 0.
const WORK: &[(&str, usize)] = &[
    ("MAYO-1-r2", 2),
    ("MAYO-2-r2", 2),
    ("MAYO-3-r2", 1),
    ("MAYO-5-r2", 1),
    ("MAYO-1-r3", 1),
    ("MAYO-2-r3", 1),
    ("MAYO-3-r3", 1),
    ("MAYO-5-r3", 1),
    ("MAYO-v7m-orig-1", 5),
    ("MAYO-v7m-new-1", 5),
    ("MAYO-v7m-new-1-k14", 5),
];

/// The seed of the request generator of every known-answer file: 00 01 .. 2f.
const ENTROPY: [u8; SEED_LEN] = {
    let mut entropy = [0; SEED_LEN];
    let mut i = 0;
    while i < SEED_LEN {
        entropy[i] = i as u8;
        i += 1;
    }
    entropy
};

fn entry_of(name: &str, count: usize, seed: &[u8; SEED_LEN], message: &[u8]) -> bool {
    let set = signature_set(name);
    let mut random = NistDrbg::new(seed);
    let Ok(pair) = set.generate(&mut random) else { return false };
    let mut signature = vec![0; set.signature_len()];
    if set.sign_once(&pair.secret, message, &mut random, &mut signature).is_err() {
        return false;
    }
    if set.verify_once(&pair.public, message, &signature).is_err() {
        return false;
    }
    signature[0] ^= 1;
    if set.verify_once(&pair.public, message, &signature).is_ok() {
        return false;
    }
    signature[0] ^= 1;
    let signed = set.join(&signature, message);
    say!("count = {}", count);
    say!("set = {}", name);
    say!("seed = {}", hex::encode_upper(seed));
    say!("mlen = {}", message.len());
    say!("msg = {}", hex::encode_upper(message));
    say!("pk = {}", hex::encode_upper(&pair.public));
    say!("sk = {}", hex::encode_upper(&*pair.secret));
    say!("smlen = {}", signed.len());
    say!("sm = {}", hex::encode_upper(&signed));
    say!("");
    true
}

#[entry]
fn main() -> ! {
    memory::start();
    for &(name, counts) in WORK {
        let mut requests = NistDrbg::new(&ENTROPY);
        for count in 0..counts {
            let mut seed = [0; SEED_LEN];
            requests.fill_bytes(&mut seed);
            let mut message = vec![0; 33 * (count + 1)];
            requests.fill_bytes(&mut message);
            if !entry_of(name, count, &seed, &message) {
                say!("{}: count {} failed", name, count);
                leave(false);
            }
        }
    }
    leave(true)
}
