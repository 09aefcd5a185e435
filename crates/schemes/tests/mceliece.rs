//! Classic McEliece: known answers of every set and back end, bad input, failing and stuck generators, small stacks.

#![cfg(feature = "mceliece")]
#![allow(clippy::unwrap_used, clippy::panic)]

use gf2n::backend::{Level, set_ceiling};
use kat_vectors::digest::{AnswerDigest, Form};
use kat_vectors::request::{Kind, Requests};
use kat_vectors::response::{Answer, Output, OutputKind, OutputLengths};
use kat_vectors::{NistDrbg, manifest};
use schemes::registry::{self, KemSet, Set};
use schemes::{Error, Family, Part, Sizes};

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

/// Every set makes keys and works in a thread with a stack of 512 KiB.
#[test]
fn small_stacks() {
    for set in sets() {
        let work = move || {
            let answer = answer(set);
            let public = set.public_from_secret(&answer.secret_key).unwrap();
            assert!(public.as_deref() == Some(&answer.public_key[..]), "{}", set.info().name);
        };
        std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
    }
}

/// Every length but the right one is refused, with both numbers.
#[test]
fn wrong_lengths_are_refused() {
    for set in sets() {
        let (info, ciphertext) = (set.info(), ciphertext_len(set));
        let mut rng = NistDrbg::new(&[1; 48]);
        let (mut out, mut secret) = (vec![0xAA; ciphertext], vec![0xAA; 32]);
        for wrong in [0, info.public_key - 1, info.public_key + 1, info.public_key + 1000] {
            let error = set.encapsulate(&vec![0; wrong], &mut rng, &mut out, &mut secret).unwrap_err();
            let expected = Error::Length {
                set: info.name,
                part: Part::PublicKey,
                expected: info.public_key,
                actual: wrong,
            };
            assert_eq!(error, expected);
        }
        for wrong in [0, info.secret_key - 1, info.secret_key + 1] {
            let error = set.decapsulate(&vec![0; wrong], &out, &mut secret).unwrap_err();
            assert!(matches!(error, Error::Length { part: Part::SecretKey, actual, .. } if actual == wrong));
            assert!(set.public_from_secret(&vec![0; wrong]).is_err());
        }
        // any bytes of the right length are a secret key: the reference computes with whatever they are
        let key = set.decapsulation_key(&vec![0; info.secret_key]).unwrap();
        for wrong in [0, ciphertext - 1, ciphertext + 1, ciphertext ^ 32] {
            let error = key.decapsulate(&vec![0; wrong], &mut secret).unwrap_err();
            assert!(matches!(error, Error::Length { part: Part::Ciphertext, actual, .. } if actual == wrong));
        }
        assert!(key.decapsulate(&vec![0; ciphertext], &mut [0; 31]).is_err());
        assert!(out.iter().chain(&secret).all(|byte| *byte == 0xAA), "outputs are untouched");
    }
}

/// Bit flips in a ciphertext: padding bits are errors, all others give the implicit-rejection secret.
#[test]
fn changed_ciphertexts() {
    for name in ["mceliece348864", "mceliece348864pc", "mceliece6960119f", "mceliece6960119pcf"] {
        let set = set(name);
        let answer = answer(set);
        let Output::Encapsulation { ciphertext, shared_secret } = &answer.output else { unreachable!() };
        let key = set.decapsulation_key(&answer.secret_key).unwrap();
        let padded = if name.contains("6960119") { 193 * 8 + 3..194 * 8 } else { 0..0 };
        let mut seen = vec![shared_secret.clone()];
        for bit in (0..8 * ciphertext.len()).filter(|bit| bit % 7 == 0 || padded.contains(bit)) {
            let mut changed = ciphertext.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let mut secret = vec![0xAA; 32];
            let result = key.decapsulate(&changed, &mut secret);
            if padded.contains(&bit) {
                assert_eq!(result, Err(Error::Padding { set: name, part: Part::Ciphertext, byte: 193 }));
                assert_eq!(secret, [0xAA; 32]);
            } else {
                result.unwrap();
                assert!(!seen.contains(&secret), "{name} bit {bit}");
                seen.push(secret);
            }
        }
    }
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Implicit rejection is part of the known answers: the secret of the first ciphertext with bit 0 flipped, on every back end.
#[test]
fn known_rejections() {
    for (name, expected) in [
        ("mceliece348864", "dbfec255b296fe9db1a8e5d2f23e10d2067de509a6a4fcbf94365185c39f74f8"),
        ("mceliece348864f", "9aada66acaa96c4bcd5059155b23be5df7bc22527fe19161aaf0bf712f4f07ee"),
        ("mceliece6960119f", "82533c4566e1bb1caee22c71a8a9a7402ccdac38e4b87921bdb379d9de56b701"),
    ] {
        let set = set(name);
        let answer = answer(set);
        let Output::Encapsulation { mut ciphertext, .. } = answer.output else { unreachable!() };
        ciphertext[0] ^= 1;
        for level in Level::ALL {
            set_ceiling(level);
            let mut secret = vec![0; 32];
            set.decapsulate(&answer.secret_key, &ciphertext, &mut secret).unwrap();
            assert_eq!(secret, hex(expected), "{name} {level:?}");
        }
        set_ceiling(Level::Avx512);
    }
}

/// Every padding bit of a public key, set alone, is refused (6960119 has three in every row).
#[test]
fn padding_of_public_keys() {
    let set = set("mceliece6960119");
    let mut key = vec![0u8; set.info().public_key];
    let mut rng = NistDrbg::new(&[2; 48]);
    let (mut ciphertext, mut secret) = (vec![0xAA; 194], vec![0xAA; 32]);
    for row in 0..1547 {
        let byte = row * 677 + 676;
        for bit in 5..8 {
            key[byte] = 1 << bit;
            let error = set.encapsulate(&key, &mut rng, &mut ciphertext, &mut secret).unwrap_err();
            assert_eq!(error, Error::Padding { set: "mceliece6960119", part: Part::PublicKey, byte });
        }
        key[byte] = 0;
    }
    assert!(ciphertext.iter().chain(&secret).all(|byte| *byte == 0xAA));
    set.encapsulate(&key, &mut rng, &mut ciphertext, &mut secret).unwrap();
}

/// The unused high bits of the polynomial's words in a secret key are ignored, as in the standard.
#[test]
fn ignored_bits_of_secret_keys() {
    let set = set("mceliece348864");
    let answer = answer(set);
    let Output::Encapsulation { ciphertext, shared_secret } = &answer.output else { unreachable!() };
    let mut key = answer.secret_key.clone();
    for word in 0..64 {
        key[40 + 2 * word + 1] |= 0xF0;
    }
    let mut secret = vec![0; 32];
    set.decapsulate(&key, ciphertext, &mut secret).unwrap();
    assert_eq!(&secret, shared_secret);
    // but the key is not the one that its seed makes
    assert!(matches!(set.public_from_secret(&key), Err(Error::Inconsistent { part: Part::SecretKey, .. })));
}

/// A generator that counts its requests, fails at one of them, or repeats one byte for ever.
struct Odd {
    requests: Vec<usize>,
    fail_at: usize,
    inner: Option<NistDrbg>,
}

impl rand_core::TryRng for Odd {
    type Error = Error;
    fn try_next_u32(&mut self) -> Result<u32, Error> {
        unreachable!()
    }
    fn try_next_u64(&mut self) -> Result<u64, Error> {
        unreachable!()
    }
    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Error> {
        self.requests.push(destination.len());
        if self.requests.len() > self.fail_at {
            return Err(Error::Random);
        }
        match &mut self.inner {
            Some(inner) => inner.generate(destination),
            None => destination.fill(0),
        }
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Odd {}

#[test]
fn requests_failures_and_stuck_generators() {
    let set = set("mceliece348864");
    let mut rng = Odd { requests: Vec::new(), fail_at: usize::MAX, inner: Some(NistDrbg::new(&[5; 48])) };
    let pair = set.generate(&mut rng).unwrap();
    assert_eq!(rng.requests, [32]);
    rng.requests.clear();
    let (mut ciphertext, mut secret) = (vec![0xAA; 96], vec![0xAA; 32]);
    set.encapsulate(&pair.public, &mut rng, &mut ciphertext, &mut secret).unwrap();
    let count = rng.requests.len();
    assert!(rng.requests.iter().all(|length| *length == 256));
    for fail_at in 0..count {
        let mut rng =
            Odd { requests: Vec::new(), fail_at: fail_at + 1, inner: Some(NistDrbg::new(&[5; 48])) };
        set.generate(&mut rng).unwrap();
        rng.requests.clear();
        rng.fail_at = fail_at;
        let (mut ciphertext, mut secret) = (vec![0xAA; 96], vec![0xAA; 32]);
        let error = set.encapsulate(&pair.public, &mut rng, &mut ciphertext, &mut secret).unwrap_err();
        assert_eq!(error, Error::Random);
        assert!(ciphertext.iter().chain(&secret).all(|byte| *byte == 0xAA));
    }
    let mut failing = Odd { requests: Vec::new(), fail_at: 0, inner: None };
    assert!(matches!(set.generate(&mut failing), Err(Error::Random)));
    let mut stuck = Odd { requests: Vec::new(), fail_at: usize::MAX, inner: None };
    let (mut ciphertext, mut secret) = (vec![0xAA; 96], vec![0xAA; 32]);
    let error = set.encapsulate(&pair.public, &mut stuck, &mut ciphertext, &mut secret).unwrap_err();
    assert!(matches!(error, Error::AttemptsExhausted { set: "mceliece348864", .. }));
    assert!(ciphertext.iter().chain(&secret).all(|byte| *byte == 0xAA));
    stuck.requests.clear();
    assert!(set.generate(&mut stuck).is_ok(), "the seed is expanded, so any seed makes a key");
}

/// The `kem` traits on one set of each ciphertext form.
#[test]
fn kem_traits() {
    use schemes::kem::{Decapsulator, Encapsulate, Kem, KeyExport, TryDecapsulate, TryKeyInit};
    use schemes::mceliece::{McEliece348864f, McEliece348864pcf};
    use schemes::{DecapsulationKey, EncapsulationKey, KemScheme};

    fn check<P>()
    where
        P: KemScheme + Kem<EncapsulationKey = EncapsulationKey<P>, DecapsulationKey = DecapsulationKey<P>>,
    {
        let mut rng = NistDrbg::new(&[9; 48]);
        let (decapsulation, encapsulation) = P::generate_keypair_from_rng(&mut rng);
        assert_eq!(decapsulation.encapsulation_key(), &encapsulation);
        let (ciphertext, secret) = encapsulation.encapsulate_with_rng(&mut rng);
        assert_eq!(decapsulation.try_decapsulate(&ciphertext).unwrap(), secret);
        let parsed = EncapsulationKey::<P>::new_from_slice(encapsulation.as_bytes()).unwrap();
        assert_eq!(parsed, encapsulation);
        assert!(EncapsulationKey::<P>::new_from_slice(&encapsulation.as_bytes()[1..]).is_err());
        assert!(EncapsulationKey::<P>::new(&encapsulation.to_bytes()).is_err());
        let again = DecapsulationKey::<P>::from_secret_bytes(decapsulation.secret_bytes()).unwrap();
        assert_eq!(again.public_key(), &encapsulation);
        let (ciphertext, secret) = parsed.try_encapsulate(&mut rng).unwrap();
        assert_eq!(again.decapsulate_bytes(&ciphertext).unwrap(), secret);
        assert!(matches!(again.decapsulate_bytes(&ciphertext[1..]), Err(Error::Length { .. })));
        assert!(!format!("{again:?}").contains("secret:"));
    }
    check::<McEliece348864f>();
    check::<McEliece348864pcf>();
    // the error of the generator itself comes back, not a substitute
    let mut failing = Odd { requests: Vec::new(), fail_at: 0, inner: None };
    let error = <DecapsulationKey<McEliece348864f> as kem::Generate>::try_generate_from_rng(&mut failing);
    assert_eq!(error.unwrap_err(), Error::Random);
}
