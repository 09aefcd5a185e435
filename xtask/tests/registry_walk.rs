//! Walks over the registry: what every set must do, whoever wrote it. One test a family; `MQSUITE_ALL_SETS=1` takes every set.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

mod walk;

use kat_vectors::observed::{Observed, Repeats};
use rand_core::TryRng;
use schemes::registry::{KemSet, Set, SignatureSet};
use schemes::{Error, Family, KeyPairBytes, Part, Sizes};
use walk::{chosen, failing_requests, random, with_little_stack};

/// What an output buffer holds before a call that must leave it alone.
const UNTOUCHED: u8 = 0xa5;

#[test]
fn gemss() {
    walk(Family::Gemss, &["redgemss128-r3", "redgemss128-r2v2", "redgemss128-r2", "inner-dualmodems128"]);
}

#[test]
fn gui() {
    walk(Family::Gui, &["gui184", "gui184-nosalt"]);
}

#[test]
fn dualmodems() {
    walk(Family::DualModeMs, &["dualmodems-toy128", "dualmodems-toy128F"]);
}

#[test]
fn uov() {
    walk(Family::Uov, &["OV-Is", "OV-Ip-pkc-r2", "OV-Ip-pkc-skc-r3"]);
}

#[test]
fn mayo() {
    walk(Family::Mayo, &["MAYO-1-r2", "MAYO-2-r3", "MAYO-v7m-new-1"]);
}

#[test]
fn qruov() {
    walk(Family::QrUov, &["qruov1q31L3v165m60-aes", "QRUOV-1q7L10-shake"]);
}

#[test]
fn mceliece() {
    walk(Family::McEliece, &["mceliece348864f", "mceliece348864pc"]);
}

fn walk(family: Family, quick: &[&str]) {
    let sets = chosen(family, quick);
    for set in sets {
        let name = set.info().name;
        match set {
            Set::Signature(scheme) => with_little_stack(name, move || signature_set(scheme)),
            Set::Kem(scheme) => with_little_stack(name, move || kem_set(scheme)),
        }
    }
}

fn is_length_error<T>(outcome: Result<T, Error>, wanted: Part) -> bool {
    matches!(outcome, Err(Error::Length { part, .. }) if part == wanted)
}

/// The lengths that are wrong by a little, by a lot, and none at all.
fn wrong_lengths(bytes: &[u8]) -> Vec<Vec<u8>> {
    let longer = |more: usize| [bytes, &vec![0; more]].concat();
    vec![Vec::new(), bytes[..1].to_vec(), bytes[..bytes.len() - 1].to_vec(), longer(1), longer(1000)]
}

fn signature_set(scheme: &'static dyn SignatureSet) {
    let name = scheme.info().name;
    let mut recording = Observed::new(random(name));
    let pair = scheme.generate(&mut recording).expect("key generation");
    let key_requests = recording.lengths.len();
    assert_eq!(pair.public.len(), scheme.info().public_key, "{name}");
    assert_eq!(pair.secret.len(), scheme.info().secret_key, "{name}");
    if let Some(derived) = scheme.public_from_secret(&pair.secret).expect("own key") {
        assert!(derived == pair.public, "{name}: another public key was derived");
    }

    let message = b"thirteen byte";
    let mut signature = vec![0; scheme.signature_len()];
    let mut recording = Observed::new(random("signing"));
    scheme.sign_once(&pair.secret, message, &mut recording, &mut signature).expect("signing");
    let sign_requests = recording.lengths.len();
    let mut again = vec![0; signature.len()];
    let expanded = scheme.signing_key(&pair.secret).expect("own key");
    expanded.sign(message, &mut random("signing"), &mut again).expect("signing");
    assert_eq!(signature, again, "{name}: the expanded key signs otherwise");
    scheme.verify_once(&pair.public, message, &signature).expect("own signature");
    for long in [&[][..], &[7; 5000]] {
        expanded.sign(long, &mut random("other"), &mut again).expect("signing");
        scheme.verify_once(&pair.public, long, &again).expect("own signature");
        assert!(scheme.verify_once(&pair.public, message, &again).is_err(), "{name}: another message");
    }

    tampering(scheme, &pair, message, &signature);
    lengths(scheme, &pair, message, &signature);
    failing_generators(scheme, &pair, message, key_requests, sign_requests);
    repeating_generators(scheme, &pair, message);
}

/// No changed bit of a signature, no other message and no other key's signature is accepted.
fn tampering(scheme: &'static dyn SignatureSet, pair: &KeyPairBytes, message: &[u8], signature: &[u8]) {
    let name = scheme.info().name;
    let prepared = scheme.verifying_key(&pair.public).expect("own key");
    prepared.verify(message, signature).expect("own signature");
    let bits = 8 * signature.len();
    let limit = if std::env::var_os(walk::ALL_SETS).is_some() { 4096 } else { 512 };
    let mut positions: Vec<usize> = (0..bits).collect();
    if bits > limit {
        let mut generator = random("positions");
        positions = (0..limit)
            .map(|_| match generator.try_next_u64() {
                Ok(value) => (value % bits as u64) as usize,
                Err(never) => match never {},
            })
            .chain([0, 7, bits - 8, bits - 1])
            .collect();
    }
    for bit in positions {
        let mut changed = signature.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(prepared.verify(message, &changed).is_err(), "{name}: accepted with bit {bit} changed");
    }
    for byte in 0..message.len() {
        let mut changed = message.to_vec();
        changed[byte] ^= 1;
        assert!(prepared.verify(&changed, signature).is_err(), "{name}: accepted another message");
    }
    assert!(prepared.verify(&[message, &[0]].concat(), signature).is_err(), "{name}: a longer message");
    assert!(prepared.verify(&[], signature).is_err(), "{name}: the empty message");
}

/// Every wrong length is an error that says so, and outputs stay untouched.
fn lengths(scheme: &'static dyn SignatureSet, pair: &KeyPairBytes, message: &[u8], signature: &[u8]) {
    let name = scheme.info().name;
    for wrong in wrong_lengths(signature) {
        let outcome = scheme.verify_once(&pair.public, message, &wrong);
        assert!(is_length_error(outcome, Part::Signature), "{name}: signature of {} bytes", wrong.len());
        let mut output = vec![UNTOUCHED; wrong.len()];
        let outcome = scheme.sign_once(&pair.secret, message, &mut random("x"), &mut output);
        assert!(is_length_error(outcome, Part::Signature), "{name}: room for {} bytes", wrong.len());
        assert!(output.iter().all(|&byte| byte == UNTOUCHED), "{name}: written in spite of the error");
    }
    for wrong in wrong_lengths(&pair.public) {
        assert!(is_length_error(scheme.verifying_key(&wrong), Part::PublicKey), "{name}: public key");
        assert!(
            is_length_error(scheme.verify_once(&wrong, message, signature), Part::PublicKey),
            "{name}: public key"
        );
    }
    for wrong in wrong_lengths(&pair.secret) {
        assert!(is_length_error(scheme.signing_key(&wrong), Part::SecretKey), "{name}: secret key");
        assert!(is_length_error(scheme.public_from_secret(&wrong), Part::SecretKey), "{name}: secret key");
    }
    for length in [0, 1, signature.len() - 1] {
        assert!(
            matches!(scheme.open(&pair.public, &vec![1; length]), Err(Error::TooShort { .. })),
            "{name}: opened {length} bytes"
        );
    }
    let signed = scheme.join(signature, message);
    assert_eq!(scheme.open(&pair.public, &signed).ok(), Some(message), "{name}: own signed message");
}

/// A generator that fails at its j-th request makes an error, whatever j, and no output.
fn failing_generators(
    scheme: &'static dyn SignatureSet,
    pair: &KeyPairBytes,
    message: &[u8],
    key_requests: usize,
    sign_requests: usize,
) {
    let name = scheme.info().name;
    for left in failing_requests(key_requests) {
        let mut generator = Observed::failing_at(random(name), left);
        let outcome = scheme.generate(&mut generator).err();
        assert_eq!(outcome, Some(Error::Random), "{name}: key request {left}");
    }
    for left in failing_requests(sign_requests) {
        let mut generator = Observed::failing_at(random("signing"), left);
        let mut output = vec![UNTOUCHED; scheme.signature_len()];
        let outcome = scheme.sign_once(&pair.secret, message, &mut generator, &mut output).err();
        assert_eq!(outcome, Some(Error::Random), "{name}: signing request {left}");
        assert!(output.iter().all(|&byte| byte == UNTOUCHED), "{name}: written in spite of the error");
    }
}

/// A generator that repeats one value for ever ends in success or in an error, and what it made is right.
fn repeating_generators(scheme: &'static dyn SignatureSet, pair: &KeyPairBytes, message: &[u8]) {
    let name = scheme.info().name;
    for value in [0x00, 0xff, 0x5a] {
        if let Ok(pair) = scheme.generate(&mut Repeats(value)) {
            assert_eq!(pair.public.len(), scheme.info().public_key, "{name}");
        }
        let mut output = vec![UNTOUCHED; scheme.signature_len()];
        match scheme.sign_once(&pair.secret, message, &mut Repeats(value), &mut output) {
            Ok(_) => assert_eq!(scheme.verify_once(&pair.public, message, &output), Ok(()), "{name}"),
            Err(Error::AttemptsExhausted { attempts, .. }) => {
                assert!(attempts > 0, "{name}");
                assert!(output.iter().all(|&byte| byte == UNTOUCHED), "{name}: a bad signature was output");
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
}

fn kem_set(scheme: &'static dyn KemSet) {
    let name = scheme.info().name;
    let Sizes::Kem { ciphertext: ciphertext_len, shared_secret: secret_len } = scheme.info().sizes else {
        panic!("{name}: no KEM sizes");
    };
    let mut recording = Observed::new(random(name));
    let pair = scheme.generate(&mut recording).expect("key generation");
    let key_requests = recording.lengths.len();
    assert_eq!(pair.public.len(), scheme.info().public_key, "{name}");
    assert_eq!(pair.secret.len(), scheme.info().secret_key, "{name}");
    if let Some(derived) = scheme.public_from_secret(&pair.secret).expect("own key") {
        assert!(derived == pair.public, "{name}: another public key was derived");
    }

    let (mut ciphertext, mut secret) = (vec![0; ciphertext_len], vec![0; secret_len]);
    let mut recording = Observed::new(random("encapsulation"));
    scheme.encapsulate(&pair.public, &mut recording, &mut ciphertext, &mut secret).expect("encapsulation");
    let requests = recording.lengths.len();
    let prepared = scheme.decapsulation_key(&pair.secret).expect("own key");
    let mut opened = vec![0; secret_len];
    prepared.decapsulate(&ciphertext, &mut opened).expect("own ciphertext");
    assert_eq!(opened, secret, "{name}");
    scheme.decapsulate(&pair.secret, &ciphertext, &mut opened).expect("own ciphertext");
    assert_eq!(opened, secret, "{name}");

    // Nobody made these: another secret, or an error, and the same one each time.
    for bit in 0..8 * ciphertext_len {
        if ciphertext_len > 64 && bit % 7 != 0 {
            continue;
        }
        let mut changed = ciphertext.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        opened.fill(UNTOUCHED);
        match prepared.decapsulate(&changed, &mut opened) {
            Ok(()) => assert_ne!(opened, secret, "{name}: bit {bit} does not matter"),
            Err(_) => assert!(opened.iter().all(|&byte| byte == UNTOUCHED), "{name}: written"),
        }
    }

    kem_lengths(scheme, &pair, &ciphertext, secret_len);
    for left in failing_requests(key_requests) {
        let mut generator = Observed::failing_at(random(name), left);
        assert_eq!(scheme.generate(&mut generator).err(), Some(Error::Random), "{name}: key request {left}");
    }
    for left in failing_requests(requests) {
        let mut generator = Observed::failing_at(random("encapsulation"), left);
        let (mut ct, mut ss) = (vec![UNTOUCHED; ciphertext_len], vec![UNTOUCHED; secret_len]);
        let outcome = scheme.encapsulate(&pair.public, &mut generator, &mut ct, &mut ss);
        assert_eq!(outcome, Err(Error::Random), "{name}: request {left}");
        assert!(ct.iter().chain(&ss).all(|&byte| byte == UNTOUCHED), "{name}: written");
    }
    for value in [0x00, 0xff, 0x5a] {
        if let Ok(pair) = scheme.generate(&mut Repeats(value)) {
            assert_eq!(pair.public.len(), scheme.info().public_key, "{name}");
        }
        let (mut ct, mut ss) = (vec![UNTOUCHED; ciphertext_len], vec![UNTOUCHED; secret_len]);
        match scheme.encapsulate(&pair.public, &mut Repeats(value), &mut ct, &mut ss) {
            Ok(()) => {
                scheme.decapsulate(&pair.secret, &ct, &mut opened).expect("own ciphertext");
                assert_eq!(opened, ss, "{name}");
            }
            Err(Error::AttemptsExhausted { .. }) => {
                assert!(ct.iter().chain(&ss).all(|&byte| byte == UNTOUCHED), "{name}: written");
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
}

fn kem_lengths(scheme: &'static dyn KemSet, pair: &KeyPairBytes, ciphertext: &[u8], secret_len: usize) {
    let name = scheme.info().name;
    let (mut ct, mut ss) = (vec![UNTOUCHED; ciphertext.len()], vec![UNTOUCHED; secret_len]);
    for wrong in wrong_lengths(&pair.public) {
        let outcome = scheme.encapsulate(&wrong, &mut random("x"), &mut ct, &mut ss);
        assert!(is_length_error(outcome, Part::PublicKey), "{name}: public key of {} bytes", wrong.len());
    }
    for wrong in wrong_lengths(ciphertext) {
        let outcome = scheme.decapsulate(&pair.secret, &wrong, &mut ss);
        assert!(is_length_error(outcome, Part::Ciphertext), "{name}: ciphertext of {} bytes", wrong.len());
        let mut room = vec![UNTOUCHED; wrong.len()];
        let outcome = scheme.encapsulate(&pair.public, &mut random("x"), &mut room, &mut ss);
        assert!(is_length_error(outcome, Part::Ciphertext), "{name}: room for {} bytes", wrong.len());
        assert!(room.iter().all(|&byte| byte == UNTOUCHED), "{name}: written");
    }
    for wrong in wrong_lengths(&pair.secret) {
        let outcome = scheme.decapsulate(&wrong, ciphertext, &mut ss);
        assert!(is_length_error(outcome, Part::SecretKey), "{name}: secret key of {} bytes", wrong.len());
    }
    for length in [0, secret_len - 1, secret_len + 1] {
        let mut room = vec![UNTOUCHED; length];
        let outcome = scheme.decapsulate(&pair.secret, ciphertext, &mut room);
        assert!(is_length_error(outcome, Part::SharedSecret), "{name}: room for {length} bytes");
        let outcome = scheme.encapsulate(&pair.public, &mut random("x"), &mut ct, &mut room);
        assert!(is_length_error(outcome, Part::SharedSecret), "{name}: room for {length} bytes");
        assert!(room.iter().all(|&byte| byte == UNTOUCHED), "{name}: written");
    }
    assert!(ct.iter().chain(&ss).all(|&byte| byte == UNTOUCHED), "{name}: written in spite of an error");
}
