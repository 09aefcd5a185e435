//! Gui: known answers, requests to the generator, bad input, and parameters of a user's own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that fails panics")]
#![cfg(feature = "gui")]

mod common;

use common::{hex, set};
use kat_vectors::NistDrbg;
use kat_vectors::observed::{Observed, Repeats};
use kat_vectors::request::{Kind, Requests};
use rand_core::SeedableRng;
use schemes::gui::{Definition, DefinitionError, Gui, Gui184, Gui312, Hash, Roots};
use schemes::{Error, Part};
use sha2::{Digest, Sha256};

/// SHA-256 of all public keys, secret keys and signed messages of the first `counts` entries of the known-answer file.
fn digests(name: &str, counts: usize) -> [String; 3] {
    let set = set(name);
    let mut hashes = [Sha256::new(), Sha256::new(), Sha256::new()];
    for request in Requests::new(Kind::Signature).take(counts) {
        let mut random = NistDrbg::new(&request.seed);
        let pair = set.generate(&mut random).unwrap();
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, &request.message, &mut random, &mut signature).unwrap();
        let signed = set.join(&signature, &request.message);
        assert_eq!(set.open(&pair.public, &signed).unwrap(), request.message);
        assert_eq!(set.public_from_secret(&pair.secret).unwrap().unwrap(), pair.public);
        hashes[0].update(&pair.public);
        hashes[1].update(&*pair.secret);
        hashes[2].update(&signed);
    }
    hashes.map(|hash| hex(&hash.finalize()))
}

/// The values of an independent model of the same format.
#[test]
fn toys() {
    let keys = [
        "8431c71fa39bd3cf570c6f09f9233c8b7499ec31ca9eccd5c845e9d53dff9ca3",
        "fcc35ea15d8ab88c79866a95ba9398bfb9ddeb0ab06bf09e46a651a4a0108338",
    ];
    let unique = "d1d9882707237892dd5958eebe34661bc790902e69a8cb584a246a946ef0147c";
    let any = "3179296e88a03e69a839da2bc10107e5315ec62bb94f948d1f3e32dcd8b2aadc";
    assert_eq!(digests("gui-toy", 8), [keys[0], keys[1], unique]);
    assert_eq!(digests("gui-toy-anyroot", 8), [keys[0], keys[1], any]);
    assert_eq!(
        digests("gui-toy25-nosalt", 8),
        [
            "ba14b19efbcbd299d23e3b7a0ff70383bdbaab9f222b5bd77604c169d583e7e8",
            "c33fb0bf4779c6dc3fe35d99b02acbec3b82b67762ce9a32100b6a824bb6a6b0",
            "af4f1156fb3699d1d18880364a33d179cf13fc861a04bcefa8794498616d88ff",
        ]
    );
}

/// Count 0 of the official parameters of level 1, of four iterations, and of the trinomial field.
#[test]
fn real_sets_of_level_1() {
    let keys = [
        "404a7ffc2cae80a9b840b50e7fd0dbb1882a0495fc578b279d68bd247294ac02",
        "a9d171ca7ac10ae0900d566fb8a993913272d83a407407849e77c0bc4ba197dc",
    ];
    assert_eq!(digests("gui184", 1)[..2], keys);
    assert_eq!(digests("gui184-k4-nosalt", 1)[..2], keys);
    assert_eq!(
        digests("gui185-k4-nosalt", 1)[..2],
        [
            "bb8d0ea237b1c658fb6454b5eae7831f60746200d18aea2c1b75cf9bcbc28a12",
            "ca89a14d1bd24da1db3183870b01482671431c35f7afacf8add6cafb47635a47",
        ]
    );
}

/// The generator of count 0 of the known answers.
fn first_random() -> NistDrbg {
    NistDrbg::new(&Requests::new(Kind::Signature).next().unwrap().seed)
}

#[test]
fn requests_of_gui184() {
    let set = set("gui184");
    let message = Requests::new(Kind::Signature).next().unwrap().message;
    let mut random = Observed::new(first_random());
    let pair = set.generate(&mut random).unwrap();
    let made = random.lengths.clone();
    let vectors = made.iter().filter(|&&length| length == 25).count();
    let elements = made.iter().filter(|&&length| length == 23).count();
    // whole matrices and one translation of each kind, then the central polynomial
    assert_eq!((vectors % 200, elements % 184), (1, 1));
    assert_eq!(made.last(), Some(&5704));
    assert_eq!(made.len(), vectors + elements + 1);
    let mut signature = vec![0; set.signature_len()];
    let report = set.sign_once(&pair.secret, &message, &mut random, &mut signature).unwrap();
    assert_eq!(random.lengths[made.len()..], [2, 2, 16, 16, 16]);
    assert_eq!(report.attempts, 3);
}

#[test]
fn a_generator_that_fails_at_any_request_is_an_error() {
    for name in ["gui-toy", "gui-toy25-nosalt"] {
        let set = set(name);
        let mut random = Observed::new(first_random());
        let pair = set.generate(&mut random).unwrap();
        for at in 0..random.lengths.len() {
            assert_eq!(
                set.generate(&mut Observed::failing_at(first_random(), at)).err(),
                Some(Error::Random),
                "{name} at {at}"
            );
        }
        let mut random = Observed::new(first_random());
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, b"message", &mut random, &mut signature).unwrap();
        for at in 0..random.lengths.len() {
            let mut untouched = vec![0xa5; set.signature_len()];
            let result = set.sign_once(
                &pair.secret,
                b"message",
                &mut Observed::failing_at(first_random(), at),
                &mut untouched,
            );
            assert_eq!(result, Err(Error::Random), "{name} at {at}");
            assert!(untouched.iter().all(|&byte| byte == 0xa5));
        }
    }
}

#[test]
fn a_generator_that_repeats_itself_runs_out_of_attempts() {
    let set = set("gui-toy");
    // Equal columns: no matrix is invertible.
    assert_eq!(
        set.generate(&mut Repeats(7)).err(),
        Some(Error::AttemptsExhausted { set: "gui-toy", attempts: 100 })
    );
    let pair = set.generate(&mut Observed::new(first_random())).unwrap();
    let mut outcomes = [0; 2];
    for byte in 0..16 {
        let mut signature = vec![0xa5; set.signature_len()];
        match set.sign_once(&pair.secret, b"message", &mut Repeats(byte), &mut signature) {
            Ok(_) => {
                outcomes[0] += 1;
                set.verify_once(&pair.public, b"message", &signature).unwrap();
            }
            Err(error) => {
                outcomes[1] += 1;
                assert_eq!(error, Error::AttemptsExhausted { set: "gui-toy", attempts: 128 * 9 });
                assert!(signature.iter().all(|&byte| byte == 0xa5));
            }
        }
    }
    assert!(outcomes[0] > 0 && outcomes[1] > 0, "{outcomes:?}");
}

#[test]
fn every_bit_of_a_signature_counts() {
    for name in ["gui184", "gui-toy25-nosalt"] {
        let set = set(name);
        let mut random = Observed::new(first_random());
        let pair = set.generate(&mut random).unwrap();
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, b"message", &mut random, &mut signature).unwrap();
        let prepared = set.verifying_key(&pair.public).unwrap();
        prepared.verify(b"message", &signature).unwrap();
        for bit in 0..8 * signature.len() {
            signature[bit / 8] ^= 1 << (bit % 8);
            assert!(prepared.verify(b"message", &signature).is_err(), "{name}: bit {bit}");
            signature[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// N = 31, M = 20, n = 25, 10 linear and quadratic coefficients and more: every vector has padding.
#[test]
fn padding_of_keys_and_signatures() {
    let set = set("gui-toy25-nosalt");
    let mut random = Observed::new(first_random());
    let pair = set.generate(&mut random).unwrap();
    let mut signature = vec![0; set.signature_len()];
    set.sign_once(&pair.secret, b"message", &mut random, &mut signature).unwrap();
    let padding = |part, byte| Some(Error::Padding { set: "gui-toy25-nosalt", part, byte });

    let mut dirty = pair.public.clone();
    dirty[2] |= 0x80;
    assert_eq!(set.verifying_key(&dirty).err(), padding(Part::PublicKey, 2));
    // The last byte is a remark.
    let mut remark = pair.public.clone();
    *remark.last_mut().unwrap() ^= 0xff;
    set.verify_once(&remark, b"message", &signature).unwrap();

    // 31 + 2 * 11 = 53 bits in 7 bytes
    let mut dirty = signature.clone();
    dirty[6] |= 0x80;
    assert_eq!(set.verify_once(&pair.public, b"message", &dirty).err(), padding(Part::Signature, 6));

    let sign = |secret: &[u8]| {
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(secret, b"message", &mut Observed::new(first_random()), &mut signature)
            .map(|_| signature)
    };
    let reference = sign(&pair.secret).unwrap();
    let (input_columns, output_columns) = (31 * 4, 25 * 4);
    for offset in [3, input_columns - 1, input_columns + 4 + 3, input_columns + 4 + output_columns - 1] {
        let mut dirty = pair.secret.to_vec();
        dirty[offset] |= 0x80;
        assert_eq!(sign(&dirty).err(), padding(Part::SecretKey, offset));
    }
    // Padding of t, s and the coefficients is drawn, and the last byte is a remark.
    let translation = input_columns + 3;
    let constant = input_columns + 4 + output_columns + 3;
    for offset in [translation, constant, constant + 4, pair.secret.len() - 2, pair.secret.len() - 1] {
        let mut drawn = pair.secret.to_vec();
        drawn[offset] ^= 0x80;
        assert_eq!(sign(&drawn).unwrap(), reference, "byte {offset}");
    }
    // Two equal columns.
    let mut singular = pair.secret.to_vec();
    singular.copy_within(0..4, 4);
    assert!(matches!(sign(&singular), Err(Error::Inconsistent { part: Part::SecretKey, .. })));
}

#[test]
fn impossible_definitions() {
    let possible = Definition {
        name: "mine",
        degree: 17,
        minus: 10,
        vinegar: 9,
        iterations: 2,
        hash: Hash::Sha256,
        salted: true,
        roots: Roots::Unique,
    };
    assert!(Gui::<83, 2>::new(possible).is_ok());
    let parameters =
        |definition| matches!(Gui::<83, 2>::new(definition), Err(DefinitionError::Parameters(_)));
    assert!(parameters(Definition { degree: 7, ..possible }));
    assert!(parameters(Definition { degree: 1, ..possible }));
    assert!(parameters(Definition { minus: 83, ..possible }));
    assert!(parameters(Definition { minus: usize::MAX, ..possible }));
    assert!(parameters(Definition { vinegar: 1000, ..possible }));
    assert!(parameters(Definition { iterations: 0, ..possible }));
    assert_eq!(
        Gui::<300, 5>::new(possible).err(),
        Some(DefinitionError::DigestTooShort { equations: 290, digest_bits: 256 })
    );
}

fn signs_and_verifies<const N: usize, const L: usize>(definition: Definition)
where
    gf2n::modulus::LibraryModulus: gf2n::modulus::Modulus<N, L>,
{
    let mut random = rand_chacha::ChaCha20Rng::seed_from_u64(N as u64);
    let scheme = Gui::<N, L>::new(definition).unwrap();
    let keys = scheme.generate(&mut random).unwrap();
    assert_eq!(keys.public.len(), scheme.public_key_len());
    assert_eq!(keys.secret.len(), scheme.secret_key_len());
    let key = scheme.secret_key(&keys.secret).unwrap();
    assert_eq!(scheme.public_key(&key).unwrap(), keys.public);
    let mut signature = vec![0; scheme.signature_len()];
    for message in [b"".as_slice(), b"a message"] {
        scheme.sign(&key, message, &mut random, &mut signature).unwrap();
        scheme.verify(&keys.public, message, &signature).unwrap();
        signature[0] ^= 1;
        assert!(scheme.verify(&keys.public, message, &signature).is_err());
    }
}

#[test]
fn definitions_of_a_users_own() {
    let base = Definition {
        name: "mine",
        degree: 17,
        minus: 7,
        vinegar: 5,
        iterations: 2,
        hash: Hash::Sha256,
        salted: true,
        roots: Roots::Unique,
    };
    signs_and_verifies::<83, 2>(base);
    signs_and_verifies::<64, 1>(Definition { roots: Roots::Any, ..base });
    signs_and_verifies::<129, 3>(Definition { salted: false, iterations: 3, ..base });
    signs_and_verifies::<97, 2>(Definition { degree: 20, minus: 0, ..base });
    signs_and_verifies::<65, 2>(Definition { degree: 16, vinegar: 3, ..base });
    signs_and_verifies::<70, 2>(Definition {
        degree: 2,
        vinegar: 0,
        iterations: 1,
        roots: Roots::Any,
        ..base
    });
    signs_and_verifies::<320, 5>(Definition { hash: Hash::Sha512, degree: 9, salted: false, ..base });
}

/// The bench shows these beside the measured mean, which for toys is measured here.
#[test]
fn attempts_are_as_many_as_expected() {
    let expected = |name: &str| set(name).expected_attempts().unwrap();
    let e = core::f64::consts::E;
    assert!((expected("gui184") - e * e).abs() < 1e-9);
    assert!((expected("gui184-k4-nosalt") - 4.0 * e).abs() < 1e-9);
    for name in ["gui-toy", "gui-toy25-nosalt", "gui-toy-anyroot"] {
        let set = set(name);
        let mut random = NistDrbg::new(&[9; 48]);
        let (mut attempts, mut signatures) = (0, 0);
        for key in 0..8_u8 {
            let pair = set.generate(&mut random).unwrap();
            let signing_key = set.signing_key(&pair.secret).unwrap();
            for message in 0..100_u8 {
                let mut signature = vec![0; set.signature_len()];
                attempts += signing_key.sign(&[key, message], &mut random, &mut signature).unwrap().attempts;
                signatures += 1;
            }
        }
        let mean = attempts as f64 / f64::from(signatures);
        let ratio = mean / expected(name);
        assert!((0.8..1.25).contains(&ratio), "{name}: {mean}");
    }
}

#[test]
fn a_system_of_another_set_is_refused() {
    let own = Gui184::SCHEME;
    let zeros = vec![0; own.public_key_len()];
    let system = own.public_system(&zeros).unwrap();
    let signature = vec![0; own.signature_len()];
    assert_eq!(
        own.verify_with(&system, b"message", &signature),
        Err(Error::InvalidSignature { set: "gui184" })
    );
    let other = Gui312::SCHEME;
    let zeros = vec![0; other.public_key_len()];
    let system = other.public_system(&zeros).unwrap();
    assert!(matches!(
        own.verify_with(&system, b"message", &signature),
        Err(Error::Inconsistent { set: "gui184", part: Part::PublicKey, .. })
    ));
}
