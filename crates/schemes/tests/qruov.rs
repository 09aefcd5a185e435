//! QR-UOV: known answers, rank-deficient systems, the verdicts on altered inputs, requests to the generator, names, back ends.
#![cfg(feature = "qruov")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{hex, set, unhex};
use gf2n::backend::{Level, set_ceiling};
use kat_vectors::digest::Form;
use kat_vectors::observed::{Observed, Repeats};
use kat_vectors::request::{Kind, Requests};
use kat_vectors::scripted::ScriptedRandom;
use kat_vectors::{NistDrbg, manifest};
use schemes::qruov::{
    QrUov1Q7L10AesR2, QrUov1Q31L3AesR2, QrUov1Q31L3ShakeR3, QrUov1Q127L3AesR2, QrUovSet, RoundTwoSet,
};
use schemes::registry::{self, LookupError};
use schemes::{Error, Family, Part, SignatureScheme, Verdict};
use sha2::{Digest, Sha256};

fn manifest_digest(name: &str, form: Form, counts: usize) -> Option<String> {
    let records = manifest::all().unwrap();
    let found = records.into_iter().find(|r| r.set == name && r.form == form && r.counts == counts);
    found.map(|record| record.digest)
}

/// The digests of the manifest for the public key and the signed messages of the first `counts` entries.
fn known_answers(name: &str, counts: usize) {
    let set = set(name);
    let (mut keys, mut signed_messages) = (Sha256::new(), Sha256::new());
    for (count, request) in Requests::new(Kind::Signature).take(counts).enumerate() {
        let mut random = NistDrbg::new(&request.seed);
        let pair = set.generate(&mut random).unwrap();
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, &request.message, &mut random, &mut signature).unwrap();
        let signed = set.join(&signature, &request.message);
        assert_eq!(set.open(&pair.public, &signed).unwrap(), request.message);
        assert_eq!(set.public_from_secret(&pair.secret).unwrap().unwrap(), pair.public);
        keys.update(&pair.public);
        signed_messages.update(&signed);
        if count == 0 {
            let digest = manifest_digest(name, Form::Pk0, 1).unwrap();
            assert_eq!(hex(&Sha256::digest(&pair.public)), digest, "{name}");
        }
    }
    if let Some(digest) = manifest_digest(name, Form::PkConcat, counts) {
        assert_eq!(hex(&keys.finalize()), digest, "{name}");
    }
    if let Some(digest) = manifest_digest(name, Form::SmConcat, counts) {
        assert_eq!(hex(&signed_messages.finalize()), digest, "{name}");
    }
}

#[test]
fn count_0_of_every_set() {
    let names: Vec<&str> = registry::family(Family::QrUov).map(|set| set.info().name).collect();
    assert_eq!(names.len(), 54);
    for name in names {
        known_answers(name, 1);
    }
}

#[test]
fn all_counts_of_two_sets() {
    for name in ["qruov1q127L3v156m54-aes", "qruov1q31L3v165m60-shake"] {
        assert!(manifest_digest(name, Form::SmConcat, 100).is_some());
        known_answers(name, 100);
    }
}

/// Explicit seeds that give a rank-deficient system: secret key, the three seeds, message, salts, digest of the signature.
type Deficient = (&'static str, &'static str, [&'static str; 3], &'static str, u64, &'static str);

/// Systems of rank m - 1 and m - 2: the free variables in use, and many salts (with 24-byte salts in the middle of AES blocks).
const DEFICIENT: [Deficient; 5] = [
    (
        "qruov1q127L3v156m54-aes",
        "cc8a69b2f46d49e976df0021deb2b4394591a154a99f9de3ad0b47f8e60186e8",
        [
            "b41c845e613619c3d963e2d53f9cfe01",
            "32202dedb28bc5d21608d6cebd96401b",
            "df2be413f0946dabec13d5a91c83edb7",
        ],
        "e739cc90459989d5f40292b5ec7cdfcb51eea233aced8a39",
        30,
        "d100d44605e3fd89b61b29064a99ae68903b25ed6411e0643cb1dc9f10d60bf6",
    ),
    (
        "qruov3q127L3v228m78-aes",
        "cc8a69b2f46d49e976df0021deb2b439a0c29d4299db49884336ada178a9732898b247afba615f1e4d70b4b38b61725b",
        [
            "26ed757927d700d959205a98dc7762c3d157e73a46c46e00",
            "a500ff9af27f6c7fc754338743d0a7919ab5d4c4695043ae",
            "d2160f014040a712da6de8424e1611e16a38e58e7f00d5e5",
        ],
        "ea838beb3ceb4785dc18ffe0956238e3c31d33e601b42016",
        246,
        "da9dd04925e208feb105b285974555c8123f915cba560b8f99216707d7ebef32",
    ),
    (
        "qruov1q7L10v740m100-shake",
        "cc8a69b2f46d49e976df0021deb2b4394591a154a99f9de3ad0b47f8e60186e8",
        [
            "a75eda9bafdfc9784d433bc0bfb7bd63",
            "ab7ae32101c3cc2d9f596e0fdd692e30",
            "eddfeb3e370047c2b4f83d11ffe8f7a1",
        ],
        "e739cc90459989d5f40292b5ec7cdfcb51eea233aced8a39",
        33,
        "9b0d64d129cd4df90b3697098f79bc04013d2c61a0946f656a5e43e614085a23",
    ),
    (
        "QRUOV-1q127L10-shake",
        "ea05bb7fba0a2651275e5c00b0fcbb247ba469e4487624ecea374fbcef96e546",
        [
            "f66b02efd06dac5bdfd172dc40f064731bc2c393cb702f5499e3875173ab9cb2",
            "17992633787f6c83a4f5417a4adacd2f6c6a6b5c1172386e3f8b8f7ede51a1ef",
            "805792c957b192cc46cd6f982a0a7f050d4c465a2d196471802d6a0707997584",
        ],
        "5ea285adecdf449593ea28aac18c6a7c89efc0e2f7994d2f",
        58,
        "5a841a6ac878604865ba3985bba7471b3322d40e446dee35e7217c8827832470",
    ),
    (
        "QRUOV-1q7L10-shake",
        "7a3b32a8670123b483a966097f8e768d1ed5bf427b3616dc322c4339aa1b02b2",
        [
            "3a3c04132fe9b992b1d77c4e425e08722aae00950a475a16e831b9e9fa76d2da",
            "b30be0cb66e39ddfc4ce9748a64be99243c1c6d5225167ceb921e68c50d2ea46",
            "333c7af1cc8980a520c305a83fcc5bca0151e766c1be63ab21b66a85c9455c64",
        ],
        "25ee958806c1a1b68fff1cfdc9e1693a626761af1c6ce6d3",
        119,
        "52c62b1fbcccdb84155130cdf861cd2f8c9c4f3b8e37b4f723f2b05ba4aaabf6",
    ),
];

#[test]
fn rank_deficient_systems() {
    for (name, secret, seeds, message, salts, digest) in DEFICIENT {
        let set = set(name);
        let (secret, message) = (unhex(secret), unhex(message));
        let key = set.signing_key(&secret).unwrap();
        for expanded in [false, true] {
            let mut random = ScriptedRandom::new(seeds.map(unhex));
            let mut signature = vec![0; set.signature_len()];
            let report = if expanded {
                key.sign(&message, &mut random, &mut signature).unwrap()
            } else {
                set.sign_once(&secret, &message, &mut random, &mut signature).unwrap()
            };
            assert_eq!(report.attempts, salts, "{name}");
            assert_eq!(hex(&Sha256::digest(&signature)), digest, "{name}, expanded: {expanded}");
        }
    }
}

struct Case {
    public: Vec<u8>,
    secret: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

fn case<P: SignatureScheme>(seed: u8, message: &[u8]) -> Case {
    let mut random = NistDrbg::new(&[seed; 48]);
    let pair = P::generate(&mut random).unwrap();
    let name = P::INFO.name;
    let mut signature = vec![0; set(name).signature_len()];
    P::sign_once(&pair.secret, message, &mut random, &mut signature).unwrap();
    Case { public: pair.public, secret: pair.secret.to_vec(), message: message.to_vec(), signature }
}

/// The bit offset of element `index` in a packed list that begins at byte `header`.
fn set_element<P: QrUovSet>(bytes: &mut [u8], header: usize, index: usize, value: u8) {
    let width = P::PARAMETERS.ring.bits();
    for bit in 0..width {
        let at = 8 * header + index * width + bit;
        bytes[at / 8] &= !(1 << (at % 8));
        bytes[at / 8] |= ((value >> bit) & 1) << (at % 8);
    }
}

fn element<P: QrUovSet>(bytes: &[u8], header: usize, index: usize) -> u8 {
    let width = P::PARAMETERS.ring.bits();
    (0..width).fold(0, |value, bit| {
        let at = 8 * header + index * width + bit;
        value | ((bytes[at / 8] >> (at % 8)) & 1) << bit
    })
}

#[test]
fn every_bit_of_a_signature_counts() {
    let case = case::<QrUov1Q31L3AesR2>(1, b"bits");
    let key = QrUov1Q31L3AesR2::expand_public_key(&case.public).unwrap();
    for bit in 0..8 * case.signature.len() {
        let mut changed = case.signature.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(QrUov1Q31L3AesR2::verify(&key, &case.message, &changed).is_err(), "bit {bit}");
    }
    QrUov1Q31L3AesR2::verify(&key, &case.message, &case.signature).unwrap();
}

fn malformed_encodings<P: QrUovSet>(case: &Case) {
    let (p, set) = (P::PARAMETERS, P::INFO.name);
    let modulus = p.ring.modulus();
    let verify = |public: &[u8], signature: &[u8]| P::verify_once(public, &case.message, signature);
    verify(&case.public, &case.signature).unwrap();
    // padding bits
    for (part, bytes, used) in [
        (Part::Signature, &case.signature, 8 * p.salt_len() + (p.vinegar + p.oil) * p.ring.bits()),
        (Part::PublicKey, &case.public, 8 * p.public_seed_len() + p.oil * p.p3_len() * p.ring.bits()),
    ] {
        for bit in used..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] |= 1 << (bit % 8);
            let error = Err(Error::Padding { set, part, byte: bytes.len() - 1 });
            if part == Part::Signature {
                assert_eq!(verify(&case.public, &changed), error);
            } else {
                assert_eq!(verify(&changed, &case.signature), error);
                assert_eq!(P::expand_public_key(&changed).err(), error.err());
            }
        }
    }
    // elements equal to q
    for index in [0, 1, p.vinegar, p.vinegar + p.oil - 1] {
        let mut changed = case.signature.clone();
        set_element::<P>(&mut changed, p.salt_len(), index, modulus);
        let error = Error::OutOfRange { set, part: Part::Signature, index };
        assert_eq!(verify(&case.public, &changed), Err(error));
    }
    for index in [0, 57, p.oil * p.p3_len() - 1] {
        let mut changed = case.public.clone();
        set_element::<P>(&mut changed, p.public_seed_len(), index, modulus);
        let error = Error::OutOfRange { set, part: Part::PublicKey, index };
        assert_eq!(verify(&changed, &case.signature), Err(error));
    }
}

#[test]
fn malformed_encodings_are_refused_in_both_rounds() {
    malformed_encodings::<QrUov1Q31L3AesR2>(&case::<QrUov1Q31L3AesR2>(2, b"strict"));
    malformed_encodings::<QrUov1Q127L3AesR2>(&case::<QrUov1Q127L3AesR2>(2, b"strict"));
    malformed_encodings::<QrUov1Q7L10AesR2>(&case::<QrUov1Q7L10AesR2>(2, b"strict"));
    malformed_encodings::<QrUov1Q31L3ShakeR3>(&case::<QrUov1Q31L3ShakeR3>(2, b"strict"));
}

/// What the round-2 reference accepts: a zero element written as q, and padding bits, in signature and public key; nothing else.
#[test]
fn the_lax_rule_is_that_of_the_reference() {
    type P = QrUov1Q31L3AesR2;
    let p = P::PARAMETERS;
    let case = case::<P>(3, b"lax");
    let lax = |public: &[u8], message: &[u8], signature: &[u8]| P::verify_lax(public, message, signature);
    lax(&case.public, &case.message, &case.signature).unwrap();

    let last = case.signature.len() - 1;
    let mut padded = case.signature.clone();
    padded[last] |= 0x80;
    lax(&case.public, &case.message, &padded).unwrap();
    assert!(P::verify_once(&case.public, &case.message, &padded).is_err());

    let zero = (0..p.vinegar + p.oil)
        .find(|&index| element::<P>(&case.signature, p.salt_len(), index) == 0)
        .expect("one element in 31 is zero");
    let mut second = case.signature.clone();
    set_element::<P>(&mut second, p.salt_len(), zero, 31);
    lax(&case.public, &case.message, &second).unwrap();
    assert!(P::verify_once(&case.public, &case.message, &second).is_err());

    let zero = (0..p.oil * p.p3_len())
        .find(|&index| element::<P>(&case.public, p.public_seed_len(), index) == 0)
        .unwrap();
    let mut other = case.public.clone();
    set_element::<P>(&mut other, p.public_seed_len(), zero, 31);
    lax(&other, &case.message, &case.signature).unwrap();
    assert!(P::verify_once(&other, &case.message, &case.signature).is_err());

    let invalid = Err(Error::InvalidSignature { set: P::INFO.name });
    assert_eq!(lax(&case.public, b"another message", &case.signature), invalid);
    let nonzero = (0..).find(|&index| element::<P>(&case.signature, p.salt_len(), index) != 0).unwrap();
    set_element::<P>(&mut second, p.salt_len(), nonzero, 31);
    assert_eq!(lax(&case.public, &case.message, &second), invalid);
    assert!(matches!(lax(&case.public, &case.message, &second[1..]), Err(Error::Length { .. })));
}

/// Round 3: -s satisfies the equations and breaks the sign rule. In round 2 it is a second signature.
#[test]
fn negated_signatures() {
    fn negate<P: QrUovSet>(case: &Case) -> Result<(), Error> {
        let p = P::PARAMETERS;
        let mut negated = case.signature.clone();
        for index in 0..p.vinegar + p.oil {
            let value = element::<P>(&negated, p.salt_len(), index);
            let negative = if value == 0 { 0 } else { p.ring.modulus() - value };
            set_element::<P>(&mut negated, p.salt_len(), index, negative);
        }
        P::verify_once(&case.public, &case.message, &negated)
    }
    assert_eq!(negate::<QrUov1Q31L3AesR2>(&case::<QrUov1Q31L3AesR2>(4, b"sign")), Ok(()));
    for seed in 4..8 {
        let refused = Err(Error::InvalidSignature { set: QrUov1Q31L3ShakeR3::INFO.name });
        assert_eq!(negate::<QrUov1Q31L3ShakeR3>(&case::<QrUov1Q31L3ShakeR3>(seed, b"sign")), refused);
    }
}

#[test]
fn lengths() {
    for name in ["qruov1q31L3v165m60-aes", "QRUOV-1q31L3-aes"] {
        let set = set(name);
        let mut random = NistDrbg::new(&[9; 48]);
        let pair = set.generate(&mut random).unwrap();
        let len = set.signature_len();
        for message in [vec![7; 13], vec![7; 5000], vec![]] {
            let mut signature = vec![0; len];
            set.sign_once(&pair.secret, &message, &mut random, &mut signature).unwrap();
            set.verify_once(&pair.public, &message, &signature).unwrap();
            for wrong in [len - 1, len + 1, len + 1000, 0] {
                let mut other = signature.clone();
                other.resize(wrong, 0);
                let error = Error::Length {
                    set: set.info().name,
                    part: Part::Signature,
                    expected: len,
                    actual: wrong,
                };
                assert_eq!(set.verify_once(&pair.public, &message, &other), Err(error.clone()));
                assert_eq!(
                    set.verifying_key(&pair.public).unwrap().verify(&message, &other),
                    Err(error.clone())
                );
                let unchanged = other.clone();
                assert_eq!(set.sign_once(&pair.secret, &message, &mut random, &mut other), Err(error));
                assert_eq!(other, unchanged);
            }
            for short in [0, 1, len - 1] {
                assert!(matches!(set.open(&pair.public, &signature[..short]), Err(Error::TooShort { .. })));
            }
        }
        for wrong in [0, 1, pair.public.len() - 1, pair.public.len() + 1] {
            let mut key = pair.public.clone();
            key.resize(wrong, 0);
            assert!(matches!(set.verifying_key(&key), Err(Error::Length { part: Part::PublicKey, .. })));
        }
        for wrong in [0, 31, 33] {
            let key = vec![1; wrong];
            assert!(matches!(set.signing_key(&key), Err(Error::Length { part: Part::SecretKey, .. })));
            assert!(matches!(set.public_from_secret(&key), Err(Error::Length { .. })));
        }
    }
}

/// In category 1 the lengths are equal and both rounds expand a public key alike. A secret key gives different public keys, and a
/// signature of round 2 holds in round 3 exactly if it obeys the sign rule. Only the name tells the rounds apart.
#[test]
fn rounds_do_not_mix() {
    type Two = QrUov1Q127L3AesR2;
    let (two, three) = (set(Two::INFO.name), set("QRUOV-1q127L3-aes"));
    assert_eq!(two.info().public_key, three.info().public_key);
    assert_eq!(two.info().secret_key, three.info().secret_key);
    let secret = [5; 32];
    let public = two.public_from_secret(&secret).unwrap().unwrap();
    assert_ne!(public, three.public_from_secret(&secret).unwrap().unwrap());
    let mut verdicts = [0; 2];
    for seed in 0..16 {
        let mut signature = vec![0; two.signature_len()];
        two.sign_once(&secret, b"", &mut NistDrbg::new(&[seed; 48]), &mut signature).unwrap();
        two.verify_once(&public, b"", &signature).unwrap();
        let first = (0..).map(|index| element::<Two>(&signature, 16, index)).find(|&e| e != 0).unwrap();
        let accepted = three.verify_once(&public, b"", &signature).is_ok();
        assert_eq!(accepted, first <= 63);
        verdicts[usize::from(accepted)] += 1;
    }
    assert!(verdicts[0] > 0 && verdicts[1] > 0);

    match registry::find("QRUOV1Q127L3V156M54") {
        Err(LookupError::Ambiguous { candidates, .. }) => assert_eq!(candidates.len(), 4),
        other => panic!("{other:?}"),
    }
    assert!(matches!(registry::find("qruov-1q7l10"), Err(LookupError::Ambiguous { .. })));
    assert_eq!(set("qruov-5Q127l10-SHAKE").info().name, "QRUOV-5q127L10-shake");
    for entry in registry::family(Family::QrUov) {
        let info = entry.info();
        let expected =
            if info.name.starts_with("QRUOV") { Verdict::NoKnownAttack } else { Verdict::Superseded };
        assert_eq!(info.status.verdict, expected);
    }
}

#[test]
fn requests_and_failures_of_the_generator() {
    for entry in registry::family(Family::QrUov).filter(|set| set.info().name.contains("L3")) {
        let set = set(entry.info().name);
        let info = set.info();
        let round_three = info.name.starts_with("QRUOV");
        let lambda = [16, 24, 32][usize::from(info.level / 2)];
        let (for_keys, for_signature) =
            if round_three { (vec![32], vec![32; 3]) } else { (vec![lambda; 2], vec![lambda; 3]) };
        let recorder = |index| Observed::failing_at(NistDrbg::new(&[7; 48]), index);
        let mut random = recorder(usize::MAX);
        let pair = set.generate(&mut random).unwrap();
        assert_eq!(random.lengths, for_keys, "{}", info.name);
        let mut random = recorder(usize::MAX);
        let mut signature = vec![0; set.signature_len()];
        set.sign_once(&pair.secret, b"m", &mut random, &mut signature).unwrap();
        assert_eq!(random.lengths, for_signature, "{}", info.name);
        for fail_at in 0..for_keys.len() {
            assert_eq!(set.generate(&mut recorder(fail_at)).err(), Some(Error::Random));
        }
        for fail_at in 0..for_signature.len() {
            let mut signature = vec![0xaa; set.signature_len()];
            let result = set.sign_once(&pair.secret, b"m", &mut recorder(fail_at), &mut signature);
            assert_eq!(result, Err(Error::Random));
            assert!(signature.iter().all(|&byte| byte == 0xaa));
        }
    }
}

/// A generator that repeats one value for ever: no hang, and a valid signature.
#[test]
fn a_constant_generator_ends() {
    for value in [0, 0xff, 0x55] {
        for name in ["qruov1q7L10v740m100-aes", "QRUOV-1q31L3-shake"] {
            let set = set(name);
            let pair = set.generate(&mut Repeats(value)).unwrap();
            let mut signature = vec![0; set.signature_len()];
            set.sign_once(&pair.secret, b"", &mut Repeats(value), &mut signature).unwrap();
            set.verify_once(&pair.public, b"", &signature).unwrap();
        }
    }
}

/// The same bytes and verdicts from every back end of this CPU, expanded keys included. (Other tests of this process may run on a
/// lowered ceiling meanwhile; that changes their speed only.)
#[test]
fn every_back_end_gives_the_same_bytes() {
    for name in [
        "qruov1q127L3v156m54-shake",
        "qruov1q31L3v165m60-aes",
        "qruov1q31L10v600m70-aes",
        "QRUOV-1q7L10-aes",
        "QRUOV-1q127L10-shake",
        "QRUOV-3q31L3-aes",
        "qruov3q127L3v228m78-aes",
    ] {
        let set = set(name);
        let mut outputs = Vec::new();
        for level in Level::ALL {
            set_ceiling(level);
            let mut random = NistDrbg::new(&[11; 48]);
            let pair = set.generate(&mut random).unwrap();
            let mut signature = vec![0; set.signature_len()];
            set.sign_once(&pair.secret, b"level", &mut random, &mut signature).unwrap();
            let mut random = NistDrbg::new(&[11; 48]);
            set.generate(&mut random).unwrap();
            let mut again = vec![0; set.signature_len()];
            let key = set.signing_key(&pair.secret).unwrap();
            key.sign(b"level", &mut random, &mut again).unwrap();
            assert_eq!(signature, again, "{name} {level:?}");
            let key = set.verifying_key(&pair.public).unwrap();
            key.verify(b"level", &signature).unwrap();
            set.verify_once(&pair.public, b"level", &signature).unwrap();
            let refused = Err(Error::InvalidSignature { set: name });
            assert_eq!(key.verify(b"Level", &signature), refused);
            assert_eq!(set.verify_once(&pair.public, b"Level", &signature), refused);
            outputs.push((pair.public, signature));
        }
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
    }
    set_ceiling(Level::Avx512);
}

/// The formats cut at their documented offsets.
#[test]
fn parts_of_the_formats() {
    let case = case::<QrUov1Q31L3AesR2>(6, b"parts");
    assert_eq!(case.secret.len(), 32);
    assert_eq!(case.secret[16..], case.public[..16]);
    let three = self::case::<QrUov1Q31L3ShakeR3>(6, b"parts");
    assert_eq!(three.secret.len(), 32);
    let mut random = NistDrbg::new(&[6; 48]);
    assert_eq!(three.secret, random.draw::<32>());
}
