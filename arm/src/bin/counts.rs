//! Prints instruction counts and memory of key generation, signing and verification, a line each:
//! set, operation, instructions, attempts, heap bytes, stack bytes, and the instructions of hashing, of the keystream and of the
//! request generator among those of the operation.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec;

use arm::memory::HighWater;
use arm::primitives::{MESSAGE, Operation, Primitives};
use arm::{counter, leave, memory, primitives, say, signature_set};
use cortex_m_rt::entry;
use kat_vectors::NistDrbg;
use schemes::registry::SignatureSet;
use schemes::mayo::{Mayo1R2, Mayo2R2, MayoV7mNew1, MayoV7mNew1K14, MayoV7mOrig1};

type OfSet = fn(Operation) -> Primitives;

const SETS: &[(&str, OfSet)] = &[
    ("MAYO-v7m-new-1", primitives::artefact::<MayoV7mNew1>),
    ("MAYO-v7m-orig-1", primitives::artefact::<MayoV7mOrig1>),
    ("MAYO-v7m-new-1-k14", primitives::artefact::<MayoV7mNew1K14>),
    ("MAYO-1-r2", primitives::nist::<Mayo1R2>),
    ("MAYO-2-r2", primitives::nist::<Mayo2R2>),
];

/// Runs `work` twice, once for the count and once for the memory (painting the stack costs instructions), and prints both.
fn report<R>(name: &str, operation: &str, parts: Primitives, mut work: impl FnMut() -> (R, u64)) -> R {
    let ((_, _), HighWater { heap, stack }) = memory::measure(&mut work);
    let ((result, attempts), instructions) = counter::measure(&mut work);
    let Primitives { hash, keystream, random } = parts;
    say!("{name} {operation} {instructions} {attempts} {heap} {stack} {hash} {keystream} {random}");
    result
}

/// Instructions of signing with one attempt under other keys; where everything else is public, they must not depend on the key.
fn steady(set: &dyn SignatureSet, message: &[u8]) -> bool {
    let mut counts = (u64::MAX, 0);
    let mut signature = vec![0; set.signature_len()];
    for seed in 10..14u8 {
        let Ok(pair) = set.generate(&mut NistDrbg::new(&[seed; 48])) else { return false };
        let mut random = NistDrbg::new(&[seed; 48]);
        let (signed, count) =
            counter::measure(|| set.sign_once(&pair.secret, message, &mut random, &mut signature));
        if signed.is_ok_and(|report| report.attempts == 1) {
            counts = (counts.0.min(count), counts.1.max(count));
        }
    }
    // the timer ticks once in 40 instructions, and its interrupts are counted
    counts.1.saturating_sub(counts.0) <= SLACK
}

/// Ticks at both ends, and one interrupt more or less.
const SLACK: u64 = 4 * counter::INSTRUCTIONS_PER_TICK;

#[entry]
fn main() -> ! {
    memory::start();
    if !counter::start() {
        leave(false);
    }
    for &(name, parts) in SETS {
        let set = signature_set(name);
        let message = [0x5a; MESSAGE];
        let pair = report(name, "keygen", parts(Operation::KeyGeneration), || {
            (set.generate(&mut NistDrbg::new(&[1; 48])), 1)
        });
        let Ok(pair) = pair else { leave(false) };
        let mut signature = vec![0; set.signature_len()];
        // The cost of one attempt: a seed whose first linear system can be solved.
        let seed = (2..=255u8).map(|byte| [byte; 48]).find(|seed| {
            let mut random = NistDrbg::new(seed);
            set.sign_once(&pair.secret, &message, &mut random, &mut signature)
                .is_ok_and(|report| report.attempts == 1)
        });
        let Some(seed) = seed else { leave(false) };
        let signed = report(name, "sign", parts(Operation::Signing), || {
            let report = set.sign_once(&pair.secret, &message, &mut NistDrbg::new(&seed), &mut signature);
            let attempts = report.as_ref().map_or(0, |report| report.attempts);
            (report, attempts)
        });
        let verified = report(name, "verify", parts(Operation::Verifying), || {
            (set.verify_once(&pair.public, &message, &signature), 1)
        });
        if signed.is_err() || verified.is_err() {
            leave(false);
        }
        // the shuffle of the other sets is public, and takes its time
        if set.info().version == "NIST round 2" && !steady(set, &message) {
            say!("{}: the instructions of signing depend on the key", name);
            leave(false);
        }
    }
    leave(true)
}
