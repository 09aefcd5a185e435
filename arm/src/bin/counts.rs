//! Prints instruction counts and memory of key generation, signing and verification, a line each:
//! set, operation, instructions, attempts, heap bytes, stack bytes.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec;

use arm::memory::HighWater;
use arm::{counter, leave, memory, say, signature_set};
use cortex_m_rt::entry;
use kat_vectors::NistDrbg;

const SETS: &[&str] = &["MAYO-v7m-new-1", "MAYO-v7m-orig-1", "MAYO-v7m-new-1-k14", "MAYO-1-r2", "MAYO-2-r2"];

/// Runs `work` twice, once for the count and once for the memory (painting the stack costs instructions), and prints both.
fn report<R>(name: &str, operation: &str, mut work: impl FnMut() -> (R, u64)) -> R {
    let ((_, _), HighWater { heap, stack }) = memory::measure(&mut work);
    let ((result, attempts), instructions) = counter::measure(&mut work);
    say!("{} {} {} {} {} {}", name, operation, instructions, attempts, heap, stack);
    result
}

#[entry]
fn main() -> ! {
    memory::start();
    if !counter::start() {
        leave(false);
    }
    for &name in SETS {
        let set = signature_set(name);
        let message = [0x5a; 59];
        let pair = report(name, "keygen", || (set.generate(&mut NistDrbg::new(&[1; 48])), 1));
        let Ok(pair) = pair else { leave(false) };
        let mut signature = vec![0; set.signature_len()];
        // The cost of one attempt: a seed whose first linear system can be solved.
        let seed = (2..=255u8).map(|byte| [byte; 48]).find(|seed| {
            let mut random = NistDrbg::new(seed);
            set.sign_once(&pair.secret, &message, &mut random, &mut signature).is_ok_and(|report| report.attempts == 1)
        });
        let Some(seed) = seed else { leave(false) };
        let signed = report(name, "sign", || {
            let report = set.sign_once(&pair.secret, &message, &mut NistDrbg::new(&seed), &mut signature);
            let attempts = report.as_ref().map_or(0, |report| report.attempts);
            (report, attempts)
        });
        let verified = report(name, "verify", || (set.verify_once(&pair.public, &message, &signature), 1));
        if signed.is_err() || verified.is_err() {
            leave(false);
        }
    }
    leave(true)
}
