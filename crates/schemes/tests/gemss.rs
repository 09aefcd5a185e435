//! GeMSS: known answers, requests to the generator, bad input, failing generators, small stacks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![cfg(feature = "gemss")]

mod common;

use common::{hex, set, sha256};
use kat_vectors::NistDrbg;
use kat_vectors::observed::{Observed, Repeats};
use schemes::registry::{self, DynRandom, LookupError, Set, SignatureSet};
use schemes::{Error, Family, KeyPairBytes, Part, Verdict};

fn gemss() -> impl Iterator<Item = &'static dyn SignatureSet> {
    registry::family(Family::Gemss).filter_map(|set| match set {
        Set::Signature(set) => Some(set),
        Set::Kem(_) => None,
    })
}

/// The generator and the message of count 0 of every NIST file.
fn count_zero() -> (NistDrbg, [u8; 33]) {
    let mut master = NistDrbg::of_request_files();
    let seed = master.draw();
    let message = master.draw();
    (NistDrbg::new(&seed), message)
}

/// The key pair and signature of count 0.
fn first_answer(set: &dyn SignatureSet, rng: &mut dyn DynRandom) -> (KeyPairBytes, [u8; 33], Vec<u8>) {
    let (_, message) = count_zero();
    let pair = set.generate(rng).unwrap();
    let mut signature = vec![0; set.signature_len()];
    set.sign_once(&pair.secret, &message, rng, &mut signature).unwrap();
    (pair, message, signature)
}

/// Set, SHA-256 of the public key, SHA-256 of the secret key (second round) or its beginning, signature; of count 0.
const ANSWERS: [(&str, &str, &str, &str); 7] = [
    (
        "redgemss128-r3",
        "15567ebda5f4367368b873127eb4d3d291edaa7e30302ff753c5f2b8ae36bda7",
        "7C9935A0B07694AA0C6D10E4DB6B1ADD",
        "AF28B3CBB412C53A66DBAE90C734EA7477B7E739CE93F0ACEC67CB5C2B0549BDED31E002",
    ),
    (
        "redgemss128-r2v2",
        "15567ebda5f4367368b873127eb4d3d291edaa7e30302ff753c5f2b8ae36bda7",
        "7C9935A0B07694AA0C6D10E4DB6B1ADD",
        "EAB827B8D0F3A7B1FE3A31D9E019F70FF5CE8498E40187B2B85BCB722B0549BDED31E002",
    ),
    (
        "redgemss128-r2",
        "bc94885de27009abc2023ec47fcc571a642fd7ca0c17bc7e1a2da4e0ec58e5e1",
        "907ddf1a08336690df36db59b0c5b49c0156bb88848ce03914ad2d1a978587e5",
        "EC4A796762CA454979E8FDC7714081D297D72508500F488D6528E05830FC6A4F89E17F02",
    ),
    (
        "gemss128-r3",
        "4da73bae72c34bb314b8a4a808a0674e64043e60e0197f33572fa6436c3c8eb1",
        "7C9935A0B07694AA0C6D10E4DB6B1ADD",
        "29F8DE8924D6780E8E06D9F36E9686378B541153AC1F97C8FDDB1313545082E300",
    ),
    (
        "redgemss192-r3",
        "6b47f879f2b9852be70b90cf54640e0a9e4b68ea4f24382019360c24aca49cab",
        "7C9935A0B07694AA0C6D10E4DB6B1ADD2FD81A25CCB14803",
        "91A18C3F66DC6F29ADCE50C99E1AA3C21ED00029E08C8692CEED77FCEF58177CF8DA17F1EEDAA9FEEC0717AAEC7BEE135DF724C5F8B807",
    ),
    (
        "redgemss256-r2",
        "e0d38b51109c649bc1771571eb0019d31993dbfe08b8663953b887cec1142d5d",
        "3d36135e5dee660b9385c678eedd617a675a77ca204c13cfc2ff48f2eec51224",
        "A1F65C80BC8D560A191B3A9D79B9C275C8E48E8CC74A311DBBE70973EB19136F912E528180D5B3A4FB8F9ADD7629605971EDE17BAE07A869A1C416EE964C6E2536800D6B04CB00C7EA80C7",
    ),
    (
        "inner-dualmodems256",
        "7d8d10d2376e3281b8dfaeaba56136284c96f948af2a00e550189e893a9cac5c",
        "7C9935A0B07694AA0C6D10E4DB6B1ADD2FD81A25CCB148032DCD739936737F2D",
        "73D5D15B1F38441DF374C0559C28D7554AB275B3B92DAF3D01EC2893108E3B23ECB9D45A6D1BA1E23347B7DEA241DBB1EEAB278FDCA1B090E825E639CC245FF68F86A795958230A9",
    ),
];

#[test]
fn known_answers() {
    for (name, public, secret, expected) in ANSWERS {
        let set = set(name);
        let (pair, message, signature) = first_answer(set, &mut count_zero().0);
        assert_eq!(sha256(&pair.public), public, "{name}");
        assert!(hex(&pair.secret).to_uppercase() == secret || sha256(&pair.secret) == secret, "{name}");
        assert_eq!(hex(&signature).to_uppercase(), expected, "{name}");
        assert_eq!(set.public_from_secret(&pair.secret), Ok(Some(pair.public.clone())), "{name}");
        assert_eq!(set.verify_once(&pair.public, &message, &signature), Ok(()), "{name}");
        let key = set.signing_key(&pair.secret).unwrap();
        let mut rng = count_zero().0;
        set.generate(&mut rng).unwrap();
        let mut again = vec![0; signature.len()];
        key.sign(&message, &mut rng, &mut again).unwrap();
        assert_eq!(again, signature, "{name}");
    }
}

#[test]
fn the_registry_has_42_sets() {
    let sizes = |name: &str| {
        let set = set(name);
        (set.info().public_key, set.info().secret_key, set.signature_len())
    };
    assert_eq!(gemss().count(), 42);
    assert!(gemss().all(|set| set.info().status.verdict == Verdict::Broken));
    assert_eq!(sizes("gemss128-r3"), (352_188, 16, 33));
    assert_eq!(sizes("GeMSS256-R2V2"), (3_040_700, 32, 72));
    assert_eq!(sizes("gemss256-r2"), (3_046_848, 83_688, 72));
    assert_eq!(sizes("gemss128-r2"), (417_408, 14_520, 33));
    assert_eq!(sizes("bluegemss192-r2"), (1_331_744, 41_720, 53));
    assert_eq!(sizes("redgemss256-r2"), (3_141_912, 78_408, 75));
    assert_eq!(sizes("magentagemss192"), (1_348_034, 24, 49));
    assert_eq!(sizes("fgemss256-r3"), (10_161_088, 32, 71));
    assert_eq!(sizes("dualmodems256-r3"), (10_635_328, 32, 72));
    assert_eq!(set("gemss128v2").info().name, "gemss128-r2v2");
    match registry::find("bluegemss192") {
        Err(LookupError::Ambiguous { candidates, .. }) => {
            assert_eq!(candidates, ["bluegemss192-r3", "bluegemss192-r2v2", "bluegemss192-r2"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn requests_to_the_generator() {
    let requests = |name: &str| {
        let mut rng = Observed::new(count_zero().0);
        first_answer(set(name), &mut rng);
        rng.lengths
    };
    // the key, then rounds of 2, 2, 1 and 4 attempts without a split
    assert_eq!(requests("redgemss128-r3"), [16, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2]);
    // from the second round on another signature: attempts and splits of 2, 2 and 23; 2 and 23; 2, 23 and 23
    assert_eq!(requests("redgemss128-r2v2"), [16, 3, 2, 3, 2, 3, 2, 3, 2, 23, 3, 2, 23, 3, 2, 23, 23]);
    // 207 coefficients of 3 words, factors of S of 384 words, factors of T of 339
    assert_eq!(requests("redgemss128-r2")[..5], [4968, 3072, 3072, 2712, 2712]);
    // m a multiple of 8: no bits of the digest are covered
    assert_eq!(requests("inner-dualmodems256")[..3], [32, 4, 4]);
    for (name, total) in [("bluegemss128-r3", 32), ("redgemss192-r3", 302), ("redgemss256-r3", 182)] {
        assert_eq!(requests(name).iter().sum::<usize>(), total, "{name}");
    }
}

#[test]
fn a_failing_generator_is_an_error_at_every_draw() {
    for name in ["redgemss128-r3", "redgemss128-r2v2", "redgemss128-r2"] {
        let set = set(name);
        let (_, message) = count_zero();
        let mut rng = Observed::new(count_zero().0);
        let pair = set.generate(&mut rng).unwrap();
        let of_keys = rng.lengths.len();
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, &message, &mut rng, &mut signature).unwrap();
        for draw in 0..rng.lengths.len() {
            let mut failing = Observed::failing_at(count_zero().0, draw);
            let keys = set.generate(&mut failing);
            if draw < of_keys {
                assert!(matches!(keys, Err(Error::Random)), "{name}, draw {draw}");
                continue;
            }
            let mut untouched = vec![0xa5; set.signature_len()];
            let outcome = set.sign_once(&pair.secret, &message, &mut failing, &mut untouched);
            assert_eq!(outcome, Err(Error::Random), "{name}, draw {draw}");
            assert!(untouched.iter().all(|&byte| byte == 0xa5), "{name}, draw {draw}");
        }
    }
}

#[test]
fn a_constant_generator_ends() {
    let (mut signed, mut exhausted) = (0, 0);
    for name in ["magentagemss128-r3", "redgemss128-r2v2"] {
        let set = set(name);
        for byte in 0..24 {
            let pair = set.generate(&mut Repeats(byte)).unwrap();
            let mut signature = vec![0; set.signature_len()];
            match set.sign_once(&pair.secret, b"constant", &mut Repeats(byte), &mut signature) {
                Ok(_) => {
                    assert_eq!(set.verify_once(&pair.public, b"constant", &signature), Ok(()));
                    signed += 1;
                }
                Err(error) => {
                    assert!(matches!(error, Error::AttemptsExhausted { attempts: 128 | 256, .. }), "{error}");
                    assert!(signature.iter().all(|&byte| byte == 0));
                    exhausted += 1;
                }
            }
        }
    }
    assert!(signed > 0 && exhausted > 0, "{signed} and {exhausted}");
}

/// Every bit of a signature of one set, every 29th of one set a package.
#[test]
fn changed_signatures_are_refused() {
    for (name, step) in [
        ("redgemss128-r3", 1),
        ("redgemss128-r2v2", 29),
        ("redgemss128-r2", 29),
        ("redgemss192-r3", 29),
        ("redgemss256-r2", 29),
    ] {
        let set = set(name);
        let (pair, message, signature) = first_answer(set, &mut count_zero().0);
        let key = set.verifying_key(&pair.public).unwrap();
        assert_eq!(key.verify(&message, &signature), Ok(()));
        let invalid = Error::InvalidSignature { set: set.info().name };
        for bit in (0..8 * signature.len()).step_by(step) {
            let mut changed = signature.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let error = key.verify(&message, &changed).unwrap_err();
            let padding = Error::Padding { set: set.info().name, part: Part::Signature, byte: bit / 8 };
            assert!(error == invalid || error == padding, "{name}, bit {bit}: {error}");
        }
        assert_eq!(key.verify(&message[1..], &signature), Err(invalid.clone()));
        assert_eq!(key.verify(&[], &signature), Err(invalid));
        for length in [0, 1, signature.len() - 1, signature.len() + 1, signature.len() + 1000] {
            let mut other = signature.clone();
            other.resize(length, 0);
            let error = Error::Length {
                set: set.info().name,
                part: Part::Signature,
                expected: signature.len(),
                actual: length,
            };
            assert_eq!(key.verify(&message, &other), Err(error));
        }
        for length in [0, 1, signature.len() - 1] {
            let error = Error::TooShort { set: set.info().name, minimum: signature.len(), actual: length };
            assert_eq!(set.open(&pair.public, &signature[..length]), Err(error));
        }
        let joined = set.join(&signature, &message);
        assert_eq!(set.open(&pair.public, &joined), Ok(&message[..]));
    }
}

#[test]
fn padding_bits() {
    // 282 of 288 bits of a signature; 6 bits of padding at the end of the public key
    let red = set("redgemss128-r3");
    let (pair, message, signature) = first_answer(red, &mut count_zero().0);
    for bit in 282..288 {
        let mut dirty = signature.clone();
        dirty[35] |= 1 << (bit % 8);
        let error = Error::Padding { set: "redgemss128-r3", part: Part::Signature, byte: 35 };
        assert_eq!(red.verify_once(&pair.public, &message, &dirty), Err(error));
    }
    // 18529 * 162 coefficients, two of the last byte are used
    for bit in 2..8 {
        let mut dirty = pair.public.clone();
        *dirty.last_mut().unwrap() ^= 1 << bit;
        let byte = dirty.len() - 1;
        let error = Error::Padding { set: "redgemss128-r3", part: Part::PublicKey, byte };
        assert_eq!(red.verify_once(&dirty, &message, &signature), Err(error.clone()));
        assert_eq!(red.verifying_key(&dirty).err(), Some(error));
    }
    for length in [0, pair.public.len() - 1, pair.public.len() + 1] {
        let mut other = pair.public.clone();
        other.resize(length, 0);
        assert!(matches!(red.verifying_key(&other), Err(Error::Length { part: Part::PublicKey, .. })));
    }
    // second round: words of the public key beyond bit 162, of the secret key beyond bits 177 and 192
    let second = set("redgemss128-r2");
    let pair = second.generate(&mut count_zero().0).unwrap();
    for bit in [162, 191] {
        let mut dirty = pair.public.clone();
        dirty[24 * 1000 + bit / 8] ^= 1 << (bit % 8);
        let error =
            Error::Padding { set: "redgemss128-r2", part: Part::PublicKey, byte: 24 * 1000 + bit / 8 };
        assert_eq!(second.verifying_key(&dirty).err(), Some(error));
    }
    let coefficients = 207 * 24;
    for (row, bit) in [(0, 177), (3, 191), (206, 180)] {
        let mut dirty = pair.secret.clone();
        let byte = 24 * row + bit / 8;
        dirty[byte] ^= 1 << (bit % 8);
        let error = Error::Padding { set: "redgemss128-r2", part: Part::SecretKey, byte };
        assert_eq!(second.signing_key(&dirty).err(), Some(error));
    }
    let output = coefficients + 192 * 24;
    for (row, bit) in [(0, 177), (176, 191)] {
        let mut dirty = pair.secret.clone();
        let byte = output + 24 * row + bit / 8;
        dirty[byte] ^= 1 << (bit % 8);
        let error = Error::Padding { set: "redgemss128-r2", part: Part::SecretKey, byte };
        assert_eq!(second.signing_key(&dirty).err(), Some(error));
    }
    // two equal rows: no inverse
    let mut singular = pair.secret.clone();
    singular.copy_within(coefficients..coefficients + 24, coefficients + 24);
    assert!(matches!(second.signing_key(&singular), Err(Error::Inconsistent { .. })));
    for length in [0, 16, pair.secret.len() - 1, pair.secret.len() + 1] {
        let mut other = pair.secret.to_vec();
        other.resize(length, 0);
        assert!(matches!(second.signing_key(&other), Err(Error::Length { part: Part::SecretKey, .. })));
    }
}

#[test]
fn every_set_works_on_a_small_stack() {
    let worker = std::thread::Builder::new().stack_size(512 << 10).spawn(|| {
        for set in gemss() {
            let (pair, message, signature) = first_answer(set, &mut count_zero().0);
            assert_eq!(set.verify_once(&pair.public, &message, &signature), Ok(()), "{}", set.info().name);
            let mut changed = signature.clone();
            changed[set.signature_len() / 2] ^= 4;
            let error = Error::InvalidSignature { set: set.info().name };
            assert_eq!(set.verify_once(&pair.public, &message, &changed), Err(error));
        }
    });
    worker.unwrap().join().unwrap();
}
