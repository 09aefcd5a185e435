//! DualModeMS: known answers of the toy sets, bad input, failing generators, and the real sets end to end.
#![cfg(feature = "dualmodems")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::sha256;
use gf2n::backend::{Level, set_ceiling};
use hfev::dual_mode::{Check, DualModeError, DualPublicKey};
use kat_vectors::NistDrbg;
use kat_vectors::observed::{Observed, Repeats};
use kat_vectors::request::{Kind, Requests};
use schemes::dualmodems::*;
use schemes::registry::{Set, find};
use schemes::{Error, Part, SignatureScheme};

/// SHA-256 of secret key, public key and signed message.
type Answer = [&'static str; 3];

fn known_answers<S: DualModeMsSet>(answers: &[Answer]) {
    for level in Level::ALL {
        set_ceiling(level);
        for (request, answer) in Requests::new(Kind::Signature).zip(answers) {
            let mut rng = NistDrbg::new(&request.seed);
            let pair = S::generate(&mut rng).unwrap();
            assert_eq!(sha256(&pair.secret), answer[0], "{} count {} {level:?}", S::INFO.name, request.count);
            assert_eq!(sha256(&pair.public), answer[1]);
            assert_eq!(S::public_from_secret(&pair.secret).unwrap().unwrap(), pair.public);
            let mut signature = vec![0; S::DUAL.signature_len()];
            S::sign_once(&pair.secret, &request.message, &mut rng, &mut signature).unwrap();
            S::verify_once(&pair.public, &request.message, &signature).unwrap();
            assert_eq!(sha256(&[&signature[..], &request.message].concat()), answer[2]);
        }
    }
    set_ceiling(Level::Avx512);
}

#[test]
fn known_answers_of_toy128() {
    known_answers::<DualModeMsToy128>(&[
        [
            "1db3a578b4594c3fc713eb50dceef2f79e353a59357124018bafa7062e249a7f",
            "bbc404d8d008147133faa3a683468708c6d8d2c0a92833059c8f2ce09fd01366",
            "ddeac79a2a76d989e172d33b99686ae83c2d0aba7efc095efd75f178e4d1d07a",
        ],
        [
            "065f0da32a011525baf427f19231c03f85e31dfbfbc7b9ace027338705aa2fcb",
            "48149dab278d997251e06914eb2c480f33cd87f555053748dc543dd947b58e9d",
            "805870585e3a9128019ae105aa7857e8defe7c4b3b7cab0fc75a967b49277884",
        ],
    ]);
}

#[test]
fn known_answers_of_toy192() {
    known_answers::<DualModeMsToy192>(&[
        [
            "708d0548cb100c02ae86b0f5717cf57e8bbc57a89fb1b10865c1814acd1080d2",
            "b5272d20aafe72b52309e826f116ddbeef6bfe9c08186ca71736ffd8753b2342",
            "74b4d01b47967d39ba09c5f387bf9ba3d1d17fad8ed345b0e34d60daed4b6da0",
        ],
        [
            "a5c7b979b62e4bf913a9c5c7c35ff7d10c8cbb913e5e0ed5de1c427d55460a45",
            "47c135630c4013c3252a37472accae917488e6ed8acbd4d7839299a9fa1a6982",
            "71857799ad1fdae4c56647ba61d1ef8250f35a91baab6be80fe714c701b3c276",
        ],
    ]);
}

#[test]
fn known_answers_of_toy256() {
    known_answers::<DualModeMsToy256>(&[
        [
            "1983e9e05a9d9e9501ed0d969b86bbd6d363e03af55c0e5e417df031e5d8fdec",
            "e0ed62502eb9cedda330c2654a2d4372d83b7a5f4b9e65b08ad837e0beee9fdd",
            "84e7873a98a599f4fc16eeb5b6ea3b4db74d7a9a31a7c22995a404518373cb51",
        ],
        [
            "cf0746b3a61860ae91f06905258d73f62f5bd1c0cf1f30fa513778a8447e74c6",
            "e17a7995e31d85f2eb4d5b57e6b846390c7e83b893ea58ddefa09d836f26fa48",
            "ccb4f4142d1cd695236ce6d09c61e3360ef047ee548960edfb16b541c82fcdec",
        ],
    ]);
}

#[test]
fn known_answers_of_toy128f() {
    known_answers::<DualModeMsToy128F>(&[
        [
            "4e939c91360343e04eea31e9161d60e9caaf9ad9525c735ee063ff66727271fc",
            "870fefb5de301c5041bd82fa4ce1df00d9582f99edd5214ffa48221b45c9bc47",
            "9e6cc69b3026351cf80fa90a52adff6350e3d68c564ca2ef3c31a9311d871102",
        ],
        [
            "4f4eb6793e31005b72f39ecbaeedce9e70f6f445e78d1f4b4ed45a9c3946f4c4",
            "c1463a1f3e719b2fd42396deda595b6941c3d0ede5ac82930a95cf9a0e65b48f",
            "3c289e48fd8b8f6d55129657dca8b733dbe5acd73a35393ca3f12735146833aa",
        ],
    ]);
}

#[test]
fn sizes_of_the_specification() {
    fn sizes<S: DualModeMsSet>(
        public: usize,
        signature: usize,
        compact: usize,
        equations: usize,
        tree: usize,
    ) {
        assert_eq!(S::INFO.public_key, public);
        assert_eq!((S::DUAL.signature_len(), S::DUAL.compact_len()), (signature, compact));
        assert_eq!((S::DUAL.equations_len(), S::DUAL.tree_len()), (equations, tree));
        assert_eq!(S::INFO.secret_key, equations + tree + CompactSecretKey::<S>::LEN);
    }
    sizes::<DualModeMs128>(528, 32640, 32002, 1_232_896, 16_776_192);
    sizes::<DualModeMs192>(1560, 81872, 79415, 4_245_504, 25_162_752);
    sizes::<DualModeMs256>(2080, 153_608, 149_029, 10_637_312, 33_550_336);
    sizes::<DualModeMs128F>(512, 33776, 31298, 1_232_896, 16_776_192);
    sizes::<DualModeMs192F>(1536, 83520, 77735, 4_245_504, 25_162_752);
    sizes::<DualModeMs256F>(2048, 158_008, 146_341, 10_637_312, 33_550_336);
    sizes::<DualModeMs128R1>(528, 32640, 32002, 1_232_896, 16_776_192);
    assert_eq!(DualModeMs128R1::INFO.secret_key, 18_038_184);
    assert_eq!(DualModeMs128F::INFO.name, Recommended::INFO.name);
    for (toy, public, secret, signature) in [
        ("dualmodems-toy128", 144, 8472, 1216),
        ("dualmodems-toy192", 216, 6528, 1224),
        ("dualmodems-toy256", 544, 32528, 3208),
        ("dualmodems-toy128F", 128, 16648, 1408),
    ] {
        let Set::Signature(set) = find(toy).unwrap() else { panic!("a signature set") };
        assert_eq!((set.info().public_key, set.info().secret_key), (public, secret));
        assert_eq!(set.signature_len(), signature);
        assert!(!set.info().listed);
    }
}

/// A key, a message and a signature of a toy set.
fn signed<S: DualModeMsSet>() -> (DualPublicKey, Vec<u8>, Vec<u8>) {
    let mut rng = NistDrbg::new(&[7; 48]);
    let pair = S::generate(&mut rng).unwrap();
    let message = b"an honest message".to_vec();
    let mut signature = vec![0; S::DUAL.signature_len()];
    S::sign_once(&pair.secret, &message, &mut rng, &mut signature).unwrap();
    (DualPublicKey::new(S::DUAL, &pair.public).unwrap(), message, signature)
}

fn every_flipped_bit_is_refused<S: DualModeMsSet>() {
    let (key, message, signature) = signed::<S>();
    key.verify(&message, &signature).unwrap();
    let information = S::DUAL.compact_bits() + 8 * S::DUAL.path_part_len();
    let mut padding = 0;
    for bit in 0..8 * signature.len() {
        let mut changed = signature.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        match key.verify(&message, &changed).expect_err("a changed signature") {
            DualModeError::Padding { byte } => {
                assert_eq!(byte, bit / 8);
                assert_eq!(S::DUAL.compact(&changed), Err(DualModeError::Padding { byte }));
                padding += 1;
            }
            DualModeError::Invalid(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(padding, 8 * signature.len() - information);
    for other in [&b""[..], b"an honest messagf", b"an honest messag", b"an honest message "] {
        assert!(matches!(key.verify(other, &signature), Err(DualModeError::Invalid(_))));
    }
    for length in [0, 1, signature.len() - 1, signature.len() + 1, signature.len() + 1000] {
        let mut changed = signature.clone();
        changed.resize(length, 0);
        let error = DualModeError::Length { expected: signature.len(), actual: length };
        assert_eq!(key.verify(&message, &changed), Err(error));
    }
    let compact = S::DUAL.compact(&signature).unwrap();
    assert_eq!(compact.len(), S::DUAL.compact_len());
    assert_eq!(S::DUAL.expand_compact(&compact).unwrap(), signature);
    for length in [0, compact.len() - 1, compact.len() + 1] {
        let mut changed = compact.clone();
        changed.resize(length, 0);
        assert!(matches!(S::DUAL.expand_compact(&changed), Err(DualModeError::Length { .. })));
    }
    let used = S::DUAL.compact_bits();
    for bit in used..used.next_multiple_of(8) {
        let mut changed = compact.clone();
        changed[bit / 8] |= 1 << (bit % 8);
        assert_eq!(S::DUAL.expand_compact(&changed), Err(DualModeError::Padding { byte: bit / 8 }));
    }
}

#[test]
fn every_flipped_bit_is_refused_in_every_toy_set() {
    every_flipped_bit_is_refused::<DualModeMsToy128>();
    every_flipped_bit_is_refused::<DualModeMsToy192>();
    every_flipped_bit_is_refused::<DualModeMsToy256>();
    every_flipped_bit_is_refused::<DualModeMsToy128F>();
}

/// Changes of whole parts of a valid signature, and the check that must notice each.
fn changed_parts_are_refused<S: DualModeMsSet>() {
    let (key, message, signature) = signed::<S>();
    let dual = S::DUAL;
    let combined = dual.inner_part_len();
    let leaves = combined + dual.combined_part_len();
    let paths = leaves + dual.leaf_part_len();
    let (leaf_len, path_len) = (dual.leaf_len(), dual.path_part_len() / dual.openings);
    let leaf = |k: usize| leaves + k * leaf_len..leaves + (k + 1) * leaf_len;
    let path = |k: usize| paths + k * path_len..paths + (k + 1) * path_len;
    let refused = |what: &str, change: &dyn Fn(&mut Vec<u8>), check: Option<Check>| {
        let mut changed = signature.clone();
        change(&mut changed);
        if changed == signature {
            return false;
        }
        let error = key.verify(&message, &changed).expect_err(what);
        assert!(check.is_none_or(|check| error == DualModeError::Invalid(check)), "{what}: {error:?}");
        true
    };
    let opening = Some(Check::Opening);
    let mut changes = 0;
    for k in 0..dual.openings {
        let other = (k + 1) % dual.openings;
        // the same opening twice is no change: a challenge may repeat an index
        let both = |s: &mut Vec<u8>| {
            s.copy_within(leaf(other), leaf(k).start);
            s.copy_within(path(other), path(k).start);
        };
        changes += usize::from(refused("an opening in the place of another", &both, opening));
        let only_leaf = |s: &mut Vec<u8>| s.copy_within(leaf(other), leaf(k).start);
        changes += usize::from(refused("a leaf of another opening", &only_leaf, opening));
        let only_path = |s: &mut Vec<u8>| s.copy_within(path(other), path(k).start);
        changes += usize::from(refused("a path of another opening", &only_path, opening));
        let upside_down = |s: &mut Vec<u8>| {
            let nodes: Vec<u8> = s[path(k)].rchunks(dual.security.digest_len()).flatten().copied().collect();
            s[path(k)].copy_from_slice(&nodes);
        };
        changes += usize::from(refused("a path from the root downwards", &upside_down, opening));
    }
    assert!(changes >= 3 * dual.openings);
    let permuted = |s: &mut Vec<u8>| {
        s[leaves..paths].rotate_left(leaf_len);
        s[paths..].rotate_left(path_len);
    };
    assert!(refused("permuted openings", &permuted, opening));
    let constant = |s: &mut Vec<u8>| s[combined] ^= 1;
    assert!(refused("another constant of a combination", &constant, Some(Check::InnerSignature)));
    assert!(refused("a combination of zeros", &|s| s[combined..leaves].fill(0), None));
    if dual.combinations > 1 {
        let half = dual.combined_part_len() / dual.combinations;
        assert!(refused("combinations exchanged", &|s| s[combined..leaves].rotate_left(half), None));
    }
    assert!(refused("inner signatures exchanged", &|s| s[..combined].rotate_left(8), None));
    assert!(refused("inner signatures of zeros", &|s| s[..combined].fill(0), None));
    assert!(refused("all zeros", &|s| s.fill(0), None));
}

#[test]
fn changed_parts_are_refused_in_every_toy_set() {
    changed_parts_are_refused::<DualModeMsToy128>();
    changed_parts_are_refused::<DualModeMsToy192>();
    changed_parts_are_refused::<DualModeMsToy256>();
    changed_parts_are_refused::<DualModeMsToy128F>();
}

/// A signer who holds a trapdoor, and the committed equations and trees of another key.
#[test]
fn parts_of_two_keys_make_no_signature() {
    type S = DualModeMsToy128F;
    let mut rng = NistDrbg::new(&[9; 48]);
    let (own, other) = (S::generate(&mut rng).unwrap(), S::generate(&mut rng).unwrap());
    let inner = CompactSecretKey::<S>::LEN;
    let tree = inner + S::DUAL.equations_len();
    let mut signature = vec![0; S::DUAL.signature_len()];
    // own trapdoor and equations, the other's trees: the leaves do not lead to the roots
    let mut mixed = own.secret.to_vec();
    mixed[tree..].copy_from_slice(&other.secret[tree..]);
    S::sign_once(&mixed, b"m", &mut rng, &mut signature).unwrap();
    let key = DualPublicKey::new(S::DUAL, &other.public).unwrap();
    assert_eq!(key.verify(b"m", &signature), Err(DualModeError::Invalid(Check::Opening)));
    // own trapdoor, the other's equations and trees: the combinations do not take the combined digests
    mixed[inner..].copy_from_slice(&other.secret[inner..]);
    S::sign_once(&mixed, b"m", &mut rng, &mut signature).unwrap();
    assert_eq!(key.verify(b"m", &signature), Err(DualModeError::Invalid(Check::InnerSignature)));
}

#[test]
fn malformed_keys_are_refused() {
    type S = DualModeMsToy128;
    let pair = S::generate(&mut NistDrbg::new(&[3; 48])).unwrap();
    let set = S::INFO.name;
    for length in [0, 1, pair.secret.len() - 1, pair.secret.len() + 1] {
        let mut bytes = pair.secret.to_vec();
        bytes.resize(length, 0);
        let expected = pair.secret.len();
        let error = Error::Length { set, part: Part::SecretKey, expected, actual: length };
        assert_eq!(S::expand_secret_key(&bytes).err(), Some(error));
    }
    for length in [0, pair.public.len() - 1, pair.public.len() + 1] {
        let error = S::expand_public_key(&vec![0; length]).err();
        assert!(matches!(error, Some(Error::Length { part: Part::PublicKey, .. })));
    }
    // every bit of the inner key and of the equations: information (which may make a map singular), or a typed error at its byte
    let inner = CompactSecretKey::<S>::LEN - S::DUAL.seed_len();
    let equations = inner + S::DUAL.equations_len();
    // n = 12, N = 14, 106 monomials, each in whole words
    let coefficients = inner / 8 - 14 - 12;
    let (mut refused, mut singular) = (0, 0);
    for bit in 0..8 * equations {
        let mut bytes = pair.secret.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        match S::expand_secret_key(&bytes) {
            Ok(_) => {}
            Err(Error::Inconsistent { what, .. }) => {
                assert!((8 * coefficients..inner).contains(&(bit / 8)), "{what} at bit {bit}");
                singular += 1;
            }
            Err(error) => {
                assert_eq!(error, Error::Padding { set, part: Part::SecretKey, byte: bit / 8 });
                refused += 1;
            }
        }
    }
    // an entry of a map decides with probability 1/2 whether the map is regular: its cofactor is 1
    assert!((70..270).contains(&singular), "{singular} of {}", 14 * 14 + 12 * 12);
    assert_eq!(refused, coefficients * 52 + 14 * 50 + 12 * 52 + 10 * (128 - 106));
}

#[test]
fn a_failing_generator_is_an_error_at_every_request() {
    type S = DualModeMsToy128;
    let rng = |index| Observed::failing_at(NistDrbg::new(&[5; 48]), index);
    let mut whole = Observed::new(NistDrbg::new(&[5; 48]));
    let pair = S::generate(&mut whole).unwrap();
    // central map: 4 of the constant, 3 of each l_0 .. l_3, 3 b_ij below the leading one; L and U of S and of T; the seed
    assert_eq!(whole.lengths, [8 * (4 + 4 * 3 + 3), 8 * 14, 8 * 14, 8 * 12, 8 * 12, 16]);
    for left in 0..whole.lengths.len() {
        assert!(matches!(S::generate(&mut rng(left)), Err(Error::Random)));
    }
    let key = S::expand_secret_key(&pair.secret).unwrap();
    let mut signer = Observed::new(NistDrbg::new(&[5; 48]));
    let mut signature = vec![0; S::DUAL.signature_len()];
    let report = S::sign(&key, b"", &mut signer, &mut signature).unwrap();
    // m = 10 of n = 12 bits: one byte for the minus bits, then one for the vinegar bits, an attempt
    assert_eq!(signer.lengths, vec![1; 2 * report.attempts as usize]);
    for left in 0..signer.lengths.len() {
        let mut untouched = vec![0xa5; signature.len()];
        assert_eq!(S::sign(&key, b"", &mut rng(left), &mut untouched), Err(Error::Random));
        assert!(untouched.iter().all(|&byte| byte == 0xa5));
    }
    let mut short = vec![0xa5; signature.len() - 1];
    assert!(matches!(S::sign(&key, b"", &mut rng(99), &mut short), Err(Error::Length { .. })));
    assert!(short.iter().all(|&byte| byte == 0xa5));
}

#[test]
fn a_generator_that_repeats_itself_ends_in_success_or_in_the_attempts_error() {
    type S = DualModeMsToy128;
    let pair = S::generate(&mut NistDrbg::new(&[1; 48])).unwrap();
    let key = S::expand_secret_key(&pair.secret).unwrap();
    let mut exhausted = 0;
    for byte in 0..=15 {
        let mut signature = vec![0; S::DUAL.signature_len()];
        match S::sign(&key, &[byte], &mut Repeats(17 * byte), &mut signature) {
            Ok(_) => S::verify_once(&pair.public, &[byte], &signature).unwrap(),
            Err(error) => {
                assert!(matches!(error, Error::AttemptsExhausted { .. }));
                exhausted += 1;
            }
        }
    }
    // sixteen targets, each without a root with probability 1/e
    assert!(exhausted > 0);
}

#[test]
fn compact_secret_keys_expand_to_the_same_key() {
    type S = DualModeMsToy256;
    let pair = S::generate(&mut NistDrbg::new(&[8; 48])).unwrap();
    let compact = CompactSecretKey::<S>::generate(&mut NistDrbg::new(&[8; 48])).unwrap();
    let cut = CompactSecretKey::<S>::from_secret_bytes(&pair.secret).unwrap();
    assert_eq!(compact.as_bytes(), cut.as_bytes());
    let parsed = CompactSecretKey::<S>::from_bytes(compact.as_bytes()).unwrap();
    let mut calls = 0;
    let key = parsed
        .expand(&mut |progress| {
            calls += 1;
            assert!(progress.done <= progress.total);
        })
        .unwrap();
    assert!(calls > 0);
    assert_eq!(key.public_key(), pair.public);
    assert_eq!(key.stored_parts(), &pair.secret[compact.as_bytes().len() - S::DUAL.seed_len()..]);
    assert!(CompactSecretKey::<S>::from_bytes(&pair.secret).is_err());
    assert!(S::expand_secret_key(compact.as_bytes()).is_err());
}

fn end_to_end<S: DualModeMsSet>() {
    let mut rng = NistDrbg::new(&[42; 48]);
    let pair = S::generate(&mut rng).unwrap();
    assert_eq!((pair.public.len(), pair.secret.len()), (S::INFO.public_key, S::INFO.secret_key));
    let key = S::expand_secret_key(&pair.secret).unwrap();
    let verifier = S::expand_public_key(&pair.public).unwrap();
    let mut signature = vec![0; S::DUAL.signature_len()];
    S::sign(&key, b"message", &mut rng, &mut signature).unwrap();
    S::verify(&verifier, b"message", &signature).unwrap();
    assert!(S::verify(&verifier, b"massage", &signature).is_err());
    let compact = compact_signature::<S>(&signature).unwrap();
    assert_eq!(expand_compact_signature::<S>(&compact).unwrap(), signature);
    for k in 0..64 {
        let mut changed = signature.clone();
        let position = (k * 2_654_435_761) % changed.len();
        changed[position] ^= 1 << (k % 8);
        assert!(S::verify(&verifier, b"message", &changed).is_err());
    }
}

#[test]
fn the_recommended_set_end_to_end_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(end_to_end::<Recommended>).unwrap().join().unwrap();
}

/// The inner keys are those of the inner sets of the GeMSS family, whose answers are official.
#[cfg(feature = "gemss")]
#[test]
fn inner_keys_are_those_of_the_inner_sets() {
    use mq_eval::gf2::Layout;
    use schemes::dualmodems::inner::Inner;
    fn same<S: DualModeMsSet>(name: &str) {
        let Set::Signature(set) = find(name).unwrap() else { panic!("a signature set") };
        let pair = set.generate(&mut NistDrbg::new(&[11; 48])).unwrap();
        let mut rng = NistDrbg::new(&[11; 48]);
        let secret = S::Inner::generate(S::INFO.name, &mut rng).unwrap();
        assert_eq!(*secret, *pair.secret);
        let public = S::Inner::public_system(S::INFO.name, &secret).unwrap();
        assert!(Layout::ByteHybrid.encode(&public).unwrap() == pair.public, "{name}");
    }
    same::<DualModeMs128>("inner-dualmodems128");
    same::<DualModeMs192>("inner-dualmodems192");
    same::<DualModeMs256>("inner-dualmodems256");
}

#[test]
#[ignore = "several seconds a set"]
fn every_real_set_end_to_end() {
    end_to_end::<DualModeMs128>();
    end_to_end::<DualModeMs128R1>();
    end_to_end::<DualModeMs192>();
    end_to_end::<DualModeMs192F>();
    end_to_end::<DualModeMs256>();
    end_to_end::<DualModeMs256F>();
}

/// A key of the first-round format whose inverse maps are singular makes signatures that nothing accepts: it is refused.
#[test]
fn singular_maps_are_refused() {
    type Toy = DualModeMsToy128;
    let pair = Toy::generate(&mut NistDrbg::of_request_files()).unwrap();
    let end = <<Toy as DualModeMsSet>::Inner as inner::Inner>::SECRET_LEN;
    // T^-1 has 12 rows of a word each, at the end; S^-1 lies before it
    for rows in [end - 8 * 12, end - 8 * 13] {
        let mut singular = pair.secret.to_vec();
        singular[rows..rows + 8].fill(0);
        let mut signature = vec![0; Toy::DUAL.signature_len()];
        let results = [
            Toy::expand_secret_key(&singular).err(),
            Toy::sign_once(&singular, b"message", &mut NistDrbg::of_request_files(), &mut signature).err(),
            Toy::public_from_secret(&singular).err(),
        ];
        for result in results {
            assert!(matches!(result, Some(Error::Inconsistent { part: Part::SecretKey, .. })), "{result:?}");
        }
        assert!(signature.iter().all(|&byte| byte == 0));
    }
}
