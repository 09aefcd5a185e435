//! Every back end of this CPU makes the same bytes and gives the same verdicts as the portable one.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use gf2n::backend::{Level, set_ceiling};
use kat_vectors::request::Requests;
use schemes::registry::{self, Set};
use xtask::answers::{answer, kind};
use xtask::backend::highest_of_this_cpu;

/// One quick set of each kind of kernel.
const QUICK: &[&str] = &[
    "redgemss128-r3",
    "gui184",
    "OV-Is",
    "OV-Ip-pkc-r2",
    "MAYO-1-r2",
    "MAYO-2-r3",
    "MAYO-v7m-new-1",
    "qruov1q31L3v165m60-aes",
    "qruov1q127L3v156m54-shake",
    "QRUOV-1q7L10-shake",
    "mceliece348864f",
    "mceliece460896pcf",
];

// One test: the ceiling belongs to the process.
#[test]
fn every_level_answers_alike() {
    let all = std::env::var_os("MQSUITE_ALL_SETS").is_some();
    let sets: Vec<Set> = registry::all().filter(|set| all || QUICK.contains(&set.info().name)).collect();
    for set in sets {
        let name = set.info().name;
        let request = Requests::new(kind(set)).nth(1).expect("requests have no end");
        set_ceiling(Level::Portable);
        let expected = answer(set, request.clone()).expect("portable");
        for level in Level::ALL {
            if level == Level::Portable || level > highest_of_this_cpu() {
                continue;
            }
            set_ceiling(level);
            let computed =
                answer(set, request.clone()).unwrap_or_else(|error| panic!("{}: {error:#}", level.name()));
            assert!(expected == computed, "{name}: {} differs from portable", level.name());
            let tampered = with_a_changed_bit(set, &expected);
            set_ceiling(Level::Portable);
            assert_eq!(
                tampered,
                with_a_changed_bit(set, &expected),
                "{name}: {} judges otherwise",
                level.name()
            );
        }
    }
}

/// The verdicts on some altered outputs, as text.
fn with_a_changed_bit(set: Set, answer: &kat_vectors::response::Answer) -> Vec<String> {
    use kat_vectors::response::Output;
    let verdict = |bit: usize| match (set, &answer.output) {
        (Set::Signature(scheme), Output::SignedMessage(signed)) => {
            let mut signed = signed.clone();
            let bit = bit * 7919 % (8 * signed.len());
            signed[bit / 8] ^= 1 << (bit % 8);
            format!("{:?}", scheme.open(&answer.public_key, &signed).map(<[u8]>::to_vec))
        }
        (Set::Kem(scheme), Output::Encapsulation { ciphertext, shared_secret }) => {
            let mut ciphertext = ciphertext.clone();
            let bit = bit * 7919 % (8 * ciphertext.len());
            ciphertext[bit / 8] ^= 1 << (bit % 8);
            let mut secret = vec![0; shared_secret.len()];
            let outcome = scheme.decapsulate(&answer.secret_key, &ciphertext, &mut secret);
            format!("{outcome:?} {secret:?}")
        }
        _ => unreachable!("kinds agree"),
    };
    (0..24).map(verdict).collect()
}
