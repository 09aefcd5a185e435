//! The back end for machines of 32-bit words, forced on whatever machine this is: the same bytes as the others. Alone in its
//! process, for the choice of the back end is the process's.
#![allow(clippy::unwrap_used, reason = "a test that fails panics")]
#![cfg(feature = "mayo")]

use gf2n::backend::{Level, set_ceiling, set_short_words};
use kat_vectors::NistDrbg;
use schemes::mayo::SETS;
use schemes::registry::{Set, SignatureSet};

/// Keys and signatures, from the official bytes and from expanded keys, with the checks of both verifications.
fn outputs(set: &dyn SignatureSet, seed: u8) -> [Vec<u8>; 4] {
    let mut random = NistDrbg::new(&[seed; 48]);
    let pair = set.generate(&mut random).unwrap();
    assert_eq!(set.public_from_secret(&pair.secret).unwrap().as_ref(), Some(&pair.public));
    let message = [seed; 33];
    let mut signature = vec![0; set.signature_len()];
    set.sign_once(&pair.secret, &message, &mut random, &mut signature).unwrap();
    set.verify_once(&pair.public, &message, &signature).unwrap();
    let mut other = vec![0; set.signature_len()];
    set.signing_key(&pair.secret).unwrap().sign(&message, &mut random, &mut other).unwrap();
    let expanded = set.verifying_key(&pair.public).unwrap();
    expanded.verify(&message, &other).unwrap();
    for byte in [0, other.len() / 2, other.len() - 1] {
        let mut changed = other.clone();
        changed[byte] ^= 1;
        assert!(expanded.verify(&message, &changed).is_err());
        assert!(set.verify_once(&pair.public, &message, &changed).is_err());
    }
    [pair.public, pair.secret.to_vec(), signature, other]
}

#[test]
fn words_of_32_bits_give_the_same_bytes() {
    for set in SETS {
        let Set::Signature(set) = set else { continue };
        for seed in 0..3 {
            set_short_words(false);
            set_ceiling(Level::Avx512);
            let expected = outputs(*set, seed);
            set_ceiling(Level::Portable);
            set_short_words(true);
            assert!(set.backends().iter().any(|kernel| kernel.backend == "words32"));
            assert!(outputs(*set, seed) == expected, "{}", set.info().name);
        }
    }
}
