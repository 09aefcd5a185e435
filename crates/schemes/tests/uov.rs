//! UOV: known answers of others and retries, requests to the generator, exhausted attempts, formats, back ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that fails panics")]
#![cfg(feature = "uov")]

mod common;

use common::{set, sha256, unhex};
use gf2n::backend::{Level, set_ceiling};
use kat_vectors::scripted::ScriptedRandom;
use schemes::registry::{self, Set, SignatureSet};
use schemes::{Error, Family, Part};

fn sets() -> impl Iterator<Item = &'static dyn SignatureSet> {
    registry::family(Family::Uov).filter_map(|set| match set {
        Set::Signature(set) => Some(set),
        Set::Kem(_) => None,
    })
}

/// Explicit randomness, and the SHA-256 of what follows from it.
struct Case {
    set: &'static str,
    seed: &'static str,
    salt: &'static str,
    message: &'static str,
    attempts: u64,
    public: &'static str,
    secret: &'static str,
    signature: &'static str,
}

/// The test vectors for UOV of BouncyCastle (May 2026), which give seed and salt.
const BOUNCY_CASTLE: &[Case] = &[
    Case {
        set: "OV-Is",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "2c0a6cb6e447d77be871a6fdf6b228a9c5b05543a1c3d072b960759ea037c573",
        secret: "58b9e14df549342318899fff1ab518c2fb9e8ba4aeeeaff7681d26e270569fc0",
        signature: "32bdb631e696aee2b83082990b6aeacda29fe1911769b770d8262efac523dbc2",
    },
    Case {
        set: "OV-Is-pkc",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "b003777c2f94e72400a6e92d3d05cbd46142f2e73935b888353124e716a6fc9d",
        secret: "58b9e14df549342318899fff1ab518c2fb9e8ba4aeeeaff7681d26e270569fc0",
        signature: "32bdb631e696aee2b83082990b6aeacda29fe1911769b770d8262efac523dbc2",
    },
    Case {
        set: "OV-Is-pkc-skc",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "b003777c2f94e72400a6e92d3d05cbd46142f2e73935b888353124e716a6fc9d",
        secret: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        signature: "32bdb631e696aee2b83082990b6aeacda29fe1911769b770d8262efac523dbc2",
    },
    Case {
        set: "OV-Ip-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "66a817b845db795e957caaac225cf8bd6c1a77d566dc9f8158bf18009fee61b3",
        secret: "b272ce60299aeaff192f66ffb303c49cf94b8f3fb7225e7923abb3d8749b491e",
        signature: "1c369f39bbeb07adc78f5305b5ab4be244092e6e6a3ea16e0ee5bf16396c06a9",
    },
    Case {
        set: "OV-Ip-r2",
        seed: "0708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526",
        salt: "8b8c8d8e8f909192939495969798999a",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "ef01efb8f8956b00ffe21726a8c6f4d1a649541c463b2a7b3f31db5ecedea31d",
        secret: "2e0e9adb313607f2efd2a8a36568bc1713323edb293bf53b90fb1301a9a07403",
        signature: "a4f456da296c1cb997fbd2f5b28ed30039b8038e1f9ad0c30269add239cc22ed",
    },
    Case {
        set: "OV-Ip-pkc-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "3979c1af890cdab4349b8507a5447399c3561864a0fb2451c1f1fb82e3330e3c",
        secret: "b272ce60299aeaff192f66ffb303c49cf94b8f3fb7225e7923abb3d8749b491e",
        signature: "1c369f39bbeb07adc78f5305b5ab4be244092e6e6a3ea16e0ee5bf16396c06a9",
    },
    Case {
        set: "OV-Ip-pkc-skc-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "3979c1af890cdab4349b8507a5447399c3561864a0fb2451c1f1fb82e3330e3c",
        secret: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        signature: "1c369f39bbeb07adc78f5305b5ab4be244092e6e6a3ea16e0ee5bf16396c06a9",
    },
    Case {
        set: "OV-III-pkc-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "91de8c1d2a1037b181d6567e59734d6441a4a1522e32190a884802791cd265d5",
        secret: "bca18e4a3cd3e47abf10440386d2aa3815118e925629037528f364320146231e",
        signature: "191a8916e3c011779339044797d951609ef77cdf350fa77949956887f63c8f16",
    },
    Case {
        set: "OV-III-pkc-skc-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "91de8c1d2a1037b181d6567e59734d6441a4a1522e32190a884802791cd265d5",
        secret: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        signature: "191a8916e3c011779339044797d951609ef77cdf350fa77949956887f63c8f16",
    },
    Case {
        set: "OV-V-pkc-skc-r2",
        seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        salt: "808182838485868788898a8b8c8d8e8f",
        message: "Hello, BC-Java UOV port!",
        attempts: 1,
        public: "cba6e728c9f0967c4df8bb500c91702b0af1d197dafbc7210aa66ba042ce1c5a",
        secret: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        signature: "f062d775f46ed388f85f907e93c98b9339e7a48fcdae2a27543c6ce724cb4972",
    },
];

/// Signatures of round 3 whose first linear system is singular, found by search over salts.
const RETRIES: &[Case] = &[
    Case {
        set: "OV-Ip-r3",
        seed: "95fd2644b98aa85c98856e4680a258a7bf0b1d24efa94985da18010d8473c2a5",
        salt: "f190096c4edc3b2361e4814a42fe401e",
        message: "retry vector",
        attempts: 2,
        public: "688a8505e0c80ee56d1580c4d10a7d724916edd3e9850b149179f6553fcf7d6a",
        secret: "e64262509eb95d6f792a765b5b6e3bdc0ec3130067996587a05ab39b3dd5f804",
        signature: "b84701cede5ad1092aa9762bcd07f5d67fa7fac59bcdf441be081976ebc1e354",
    },
    Case {
        set: "OV-III-r3",
        seed: "3cc6edb08cf0a4b26929b1379b4fc6ae2be0a0ba04e2f1950c415a1b2b88a3ff",
        salt: "476d9ed20a07619df486ac74be4b088e",
        message: "retry vector",
        attempts: 2,
        public: "0110d4207b1d1237bf4cceb1f258c6fde50b9f03fc6534d50b6845d9074394b1",
        secret: "16478a3dfd8da779408d26f5a10685573ab9b72be21f4716d1a175b2db75b4a7",
        signature: "023a561d3a9141cd158d3282a5b11465dd32451d5044aedec04d3ecbf7f58fb2",
    },
    Case {
        set: "OV-V-r3",
        seed: "d2a8fb3377f60ec5972a37affd3f6f4f82e6ff529379dcef45bd578f2bd907ca",
        salt: "7ca984dbcc8ea79e0d9719866cf1bee8",
        message: "retry vector",
        attempts: 2,
        public: "29674efc62802ecd76bbb53b529e2eedd7cbea06f8b0dad5e06105d26967a5c4",
        secret: "a23a10fb7e605be6e9c07d10c62c2329af984bf94668efcdabc157f77bddf0f6",
        signature: "bbd92333d868b94c957b1032d06a8bc0419c70a853fa302f0417ae4dee69d116",
    },
];

fn check(case: &Case) {
    let set = set(case.set);
    let mut random = ScriptedRandom::new([unhex(case.seed), unhex(case.salt)]);
    let pair = set.generate(&mut random).unwrap();
    assert_eq!(sha256(&pair.public), case.public, "{}", case.set);
    assert_eq!(sha256(&pair.secret), case.secret, "{}", case.set);
    let message = case.message.as_bytes();
    let mut signature = vec![0; set.signature_len()];
    let report = set.sign_once(&pair.secret, message, &mut random, &mut signature).unwrap();
    assert_eq!(
        (sha256(&signature).as_str(), report.attempts),
        (case.signature, case.attempts),
        "{}",
        case.set
    );
    assert_eq!((random.left(), random.refused), (0, None));

    // the expanded keys give the same
    let mut random = ScriptedRandom::new([unhex(case.salt)]);
    let mut again = vec![0; signature.len()];
    let report = set.signing_key(&pair.secret).unwrap().sign(message, &mut random, &mut again).unwrap();
    assert_eq!((&again, report.attempts), (&signature, case.attempts));
    set.verify_once(&pair.public, message, &signature).unwrap();
    set.verifying_key(&pair.public).unwrap().verify(message, &signature).unwrap();
    assert_eq!(
        set.verify_once(&pair.public, b"another message", &signature),
        Err(Error::InvalidSignature { set: case.set })
    );
}

#[test]
fn vectors_of_bouncycastle() {
    BOUNCY_CASTLE.iter().for_each(check);
}

#[test]
fn retries() {
    RETRIES.iter().for_each(check);
}

/// A compressed secret key makes the same signature as the expanded one, retry included, on every back end of this CPU.
#[test]
fn every_back_end_and_format_gives_the_same_signature() {
    for case in RETRIES.iter().take(1).chain(BOUNCY_CASTLE.iter().take(1)) {
        let compact = match case.set {
            "OV-Ip-r3" => set("OV-Ip-pkc-skc-r3"),
            _ => set("OV-Is-pkc-skc"),
        };
        for level in Level::ALL {
            set_ceiling(level);
            check(case);
            let mut random = ScriptedRandom::new([unhex(case.seed), unhex(case.salt)]);
            let pair = compact.generate(&mut random).unwrap();
            let mut signature = vec![0; compact.signature_len()];
            let message = case.message.as_bytes();
            let report = compact.sign_once(&pair.secret, message, &mut random, &mut signature).unwrap();
            assert_eq!((sha256(&signature).as_str(), report.attempts), (case.signature, case.attempts));
            compact.verify_once(&pair.public, message, &signature).unwrap();
        }
        set_ceiling(Level::Avx512);
    }
}

/// An expanded secret key whose S is zero makes every system singular: the attempts run out, and nothing is written.
#[test]
fn exhausted_attempts_are_an_error() {
    for set in sets().filter(|set| set.info().secret_key > 32) {
        let name = set.info().name;
        let secret = vec![0; set.info().secret_key];
        let mut signature = vec![0x5a; set.signature_len()];
        let mut random = ScriptedRandom::new([vec![1; 16]]);
        let outcome = set.sign_once(&secret, b"message", &mut random, &mut signature);
        assert_eq!(outcome.unwrap_err(), Error::AttemptsExhausted { set: name, attempts: 255 });
        assert!(signature.iter().all(|byte| *byte == 0x5a), "{name}");
    }
}

/// An expanded secret key that does not follow from its seed has no public key.
#[test]
fn a_secret_key_that_contradicts_its_seed_is_inconsistent() {
    let set = set("OV-Is-pkc");
    let mut random = ScriptedRandom::new([vec![7; 32]]);
    let pair = set.generate(&mut random).unwrap();
    assert_eq!(set.public_from_secret(&pair.secret).unwrap(), Some(pair.public.clone()));
    for at in [0, 32, 32 + 3072, pair.secret.len() - 1] {
        let mut secret = pair.secret.to_vec();
        secret[at] ^= 1;
        let outcome = set.public_from_secret(&secret);
        assert!(matches!(outcome, Err(Error::Inconsistent { part: Part::SecretKey, .. })), "{at}");
    }
}

/// The parts of the keys stand where the documentation says, and follow from each other: the formats agree in them.
#[test]
fn the_formats_share_their_parts() {
    let seed = vec![9; 32];
    let [classic, pkc, skc] = ["OV-Ip-r3", "OV-Ip-pkc-r3", "OV-Ip-pkc-skc-r3"]
        .map(|name| set(name).generate(&mut ScriptedRandom::new([seed.clone()])).unwrap());
    let (p1, p2, p3) = (124_875, 149_850, 46_575);
    assert_eq!(*skc.secret, seed);
    assert_eq!(classic.secret[..32], seed);
    assert_eq!(*classic.secret, *pkc.secret);
    assert_eq!(pkc.public, skc.public);
    assert_eq!(classic.public[..p1], classic.secret[32 + 3330..32 + 3330 + p1]);
    assert_eq!(classic.public[p1 + p2..], pkc.public[16..]);
    assert_eq!(classic.public.len(), p1 + p2 + p3);
}

#[test]
fn reused_names_are_ambiguous_and_ov_is_answers_to_both_rounds() {
    for name in ["OV-Ip", "ov-iii-pkc", "OV-V-pkc-skc"] {
        let Err(registry::LookupError::Ambiguous { candidates, .. }) = registry::find(name) else {
            panic!("{name} was found")
        };
        assert_eq!(candidates.len(), 2, "{name}");
    }
    for name in ["OV-Is-r2", "ov-is-R3", "OV-Is-pkc-skc-r3"] {
        assert!(registry::find(name).is_ok(), "{name}");
    }
    assert_eq!(sets().count(), 21);
}

#[test]
fn lengths_agree_with_the_published_tables() {
    for (name, public, secret, signature) in [
        ("OV-Is", 412_160, 348_704, 96),
        ("OV-Ip-pkc-r2", 43_576, 237_896, 128),
        ("OV-III-r2", 1_225_440, 1_044_320, 200),
        ("OV-V-pkc-skc-r2", 446_992, 32, 260),
        ("OV-Ip-r3", 321_300, 278_087, 135),
        ("OV-III-pkc-skc-r3", 189_232, 32, 209),
        ("OV-V-r3", 3_232_320, 2_801_024, 275),
    ] {
        let set = set(name);
        let info = set.info();
        assert_eq!(
            (info.public_key, info.secret_key, set.signature_len()),
            (public, secret, signature),
            "{name}"
        );
    }
}
