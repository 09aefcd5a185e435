//! Classic McEliece: known answers of every set and back end, bad input, failing and stuck generators, small stacks.

#![cfg(feature = "mceliece")]
#![allow(clippy::unwrap_used, clippy::panic)]

use gf2n::backend::{Level, set_ceiling};
use kat_vectors::digest::{AnswerDigest, Form};
use kat_vectors::request::{Kind, Requests};
use kat_vectors::response::{Answer, Output, OutputKind, OutputLengths};
use kat_vectors::{NistDrbg, manifest};
use schemes::registry::{self, KemSet, Set};
use schemes::{Family, Sizes};

fn sets() -> Vec<&'static dyn KemSet> {
    registry::family(Family::McEliece)
        .map(|set| match set {
            Set::Kem(set) => set,
            Set::Signature(_) => unreachable!(),
        })
        .collect()
}

fn set(name: &str) -> &'static dyn KemSet {
    match registry::find(name).unwrap() {
        Set::Kem(set) => set,
        Set::Signature(_) => unreachable!(),
    }
}

fn ciphertext_len(set: &dyn KemSet) -> usize {
    match set.info().sizes {
        Sizes::Kem { ciphertext, .. } => ciphertext,
        Sizes::Signature { .. } => unreachable!(),
    }
}

/// The first known answer of a set; panics where decapsulation disagrees with encapsulation.
fn answer(set: &dyn KemSet) -> Answer {
    let request = Requests::new(Kind::Kem).next().unwrap();
    let mut rng = NistDrbg::new(&request.seed);
    let pair = set.generate(&mut rng).unwrap();
    let (mut ciphertext, mut shared_secret) = (vec![0; ciphertext_len(set)], vec![0; 32]);
    set.encapsulate(&pair.public, &mut rng, &mut ciphertext, &mut shared_secret).unwrap();
    let mut decapsulated = vec![0; 32];
    set.decapsulate(&pair.secret, &ciphertext, &mut decapsulated).unwrap();
    assert_eq!(decapsulated, shared_secret, "{}", set.info().name);
    Answer {
        request,
        public_key: pair.public,
        secret_key: pair.secret.to_vec(),
        output: Output::Encapsulation { ciphertext, shared_secret },
    }
}

fn check(set: &dyn KemSet) {
    let info = set.info();
    let answer = answer(set);
    let lengths = OutputLengths {
        public_key: info.public_key,
        secret_key: info.secret_key,
        output: OutputKind::Encapsulation(ciphertext_len(set), 32),
    };
    let mut digest = AnswerDigest::new(Form::Single, "", 1, &lengths).unwrap();
    digest.absorb(&answer);
    let records = manifest::all().unwrap();
    let record =
        records.iter().find(|record| record.set == info.name && record.form == Form::Single).unwrap();
    assert_eq!(digest.finish().unwrap(), record.digest, "{} {:?}", info.name, set.backends().first());
}

#[test]
fn first_known_answer_of_every_set() {
    assert_eq!(sets().len(), 20);
    for set in sets() {
        check(set);
    }
}

#[test]
fn first_known_answer_on_every_back_end() {
    for level in Level::ALL {
        set_ceiling(level);
        check(set("mceliece348864f"));
        check(set("mceliece348864pc"));
        check(set("mceliece6960119f"));
    }
    set_ceiling(Level::Avx512);
}
