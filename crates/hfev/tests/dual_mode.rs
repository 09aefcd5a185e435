//! The dual mode over inner schemes of other families' sizes: GeMSS with any root, Gui with a unique root and affine maps.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use core::convert::Infallible;

use gf2n::matrix::BitMatrix;
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::dual_mode::{
    Check, DualModeError, DualParameters, DualPublicKey, DualSecretKey, HfevInner, InnerTrapdoor, Security,
};
use hfev::{HashedRoot, PairRule, Parameters, SecretKey, SecretMap, UniqueRoot};
use mq_eval::gf2::{Layout, Shape, System};

/// A small generator: the tests need variety, not security.
struct Mixer(u64);

impl rand_core::TryRng for Mixer {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Ok(self.0 ^ self.0 >> 31)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = (self.try_next_u64()? >> 40) as u8;
        }
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Mixer {}

fn key<const N: usize, const L: usize>(parameters: Parameters, rng: &mut Mixer) -> SecretKey<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    let words: Vec<u64> = (0..parameters.secret_words())
        .map(|_| match rand_core::TryRng::try_next_u64(rng) {
            Ok(word) => word,
        })
        .collect();
    SecretKey::from_words(parameters, &words).unwrap()
}

fn dual(shape: Shape) -> DualParameters {
    DualParameters {
        security: Security::Bits128,
        shape,
        inner_signatures: 5,
        combinations: 3,
        mac_modulus: 1 << 16 | 0b101101,
        points_log2: 12,
        openings: 9,
        roots_log2: 3,
    }
    .checked()
    .unwrap()
}

fn round_trip<I: InnerTrapdoor>(inner: I, public: &System, rng: &mut Mixer) {
    let parameters = dual(public.shape());
    let seed = [3; 16];
    let (mut calls, mut last) = (0, 0);
    let key = DualSecretKey::generate(parameters, inner, public.clone(), &seed, &mut |progress| {
        assert!(progress.done > last && progress.done <= progress.total);
        (calls, last) = (calls + 1, progress.done);
    })
    .unwrap();
    assert!(calls > 0);
    let verifier = DualPublicKey::new(parameters, &key.public_key()).unwrap();
    for message in [&b""[..], b"message"] {
        let signed = key.sign(message, rng).unwrap();
        assert_eq!(signed.signature.len(), parameters.signature_len());
        assert!(signed.attempts >= 5);
        verifier.verify(message, &signed.signature).unwrap();
        assert_eq!(
            verifier.verify(b"another", &signed.signature),
            Err(DualModeError::Invalid(Check::InnerSignature))
        );
        let compact = parameters.compact(&signed.signature).unwrap();
        assert_eq!(parameters.expand_compact(&compact).unwrap(), signed.signature);
    }
    // the stored parts make the same key
    let stored = key.stored_parts();
    assert_eq!(stored[..parameters.equations_len()], Layout::EquationMajor.encode(public).unwrap());
    assert_eq!(stored.len(), parameters.equations_len() + parameters.tree_len() + seed.len());
}

#[test]
fn over_a_system_of_the_size_of_gemss128() {
    let mut rng = Mixer(1);
    let parameters = Parameters::new(174, 17, 12, 12, 1).unwrap();
    let key = key::<174, 3>(parameters, &mut rng);
    let public = key.public_system().unwrap();
    let rule = HashedRoot::new(|element: &[u8]| u64::from(element[0]), PairRule::FormulaIfOdd);
    round_trip(HfevInner::new(key, rule), &public, &mut rng);
}

#[test]
fn over_a_system_of_the_size_of_gui184_with_affine_maps() {
    let mut rng = Mixer(2);
    let parameters = Parameters::new(184, 33, 16, 16, 1).unwrap();
    let mut random_map = |side: usize| {
        let matrix = loop {
            let Ok(matrix) = BitMatrix::random(side, side, &mut rng);
            if matrix.inverse().is_some() {
                break matrix;
            }
        };
        let translation = (0..side.div_ceil(64)).map(|k| 0x0123_4567 << k).collect();
        SecretMap::Affine { translation, matrix }
    };
    let (input, output) = (random_map(200), random_map(184));
    let words: Vec<u64> =
        (0..parameters.secret_words() as u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let (polynomial, _, _) = SecretKey::<184, 3>::parts_from_words(parameters, &words).unwrap();
    let key = SecretKey::<184, 3>::new(parameters, polynomial, input, output).unwrap();
    let public = key.public_system().unwrap();
    round_trip(HfevInner::new(key, UniqueRoot), &public, &mut rng);
}

#[test]
fn parameters_that_fit_nothing_are_refused() {
    let good = dual(Shape::new(71, 20).unwrap());
    for bad in [
        DualParameters { mac_modulus: 0, ..good },
        DualParameters { mac_modulus: 1, ..good },
        DualParameters { points_log2: 64, roots_log2: 63, ..good },
        DualParameters { mac_modulus: 1 << 25 | 9, ..good },
        DualParameters { points_log2: 17, ..good },
        DualParameters { roots_log2: 12, ..good },
        DualParameters { inner_signatures: 0, ..good },
        DualParameters { combinations: 0, ..good },
        DualParameters { openings: 0, ..good },
        DualParameters { shape: Shape::new(30, 257).unwrap(), ..good },
        DualParameters { shape: Shape::new(30, 0).unwrap(), ..good },
        DualParameters { mac_modulus: 0b111, points_log2: 2, roots_log2: 1, ..good },
    ] {
        assert!(bad.checked().is_err(), "{bad:?}");
        assert_eq!(bad.compact(&[]), Err(DualModeError::Parameters));
        assert_eq!(bad.expand_compact(&[]), Err(DualModeError::Parameters));
        assert_eq!(DualPublicKey::new(bad, &[]).err(), Some(DualModeError::Parameters));
    }
    let mut rng = Mixer(3);
    let parameters = Parameters::new(66, 17, 46, 5, 1).unwrap();
    let mut generate = |dual: DualParameters, shape: Shape, seed: &[u8]| {
        let inner = HfevInner::new(key::<66, 2>(parameters, &mut rng), UniqueRoot);
        DualSecretKey::generate(dual, inner, System::zero(shape), seed, &mut |_| ()).err()
    };
    let shape = Shape::new(71, 20).unwrap();
    assert_eq!(generate(good, shape, &[0; 16]), None);
    let length = DualModeError::Length { expected: 16, actual: 15 };
    assert_eq!(generate(good, shape, &[0; 15]), Some(length));
    let other = Shape::new(72, 20).unwrap();
    assert_eq!(generate(good, other, &[0; 16]), Some(DualModeError::Parameters));
    // the system of the parameters, but another trapdoor
    let narrow = Shape::new(30, 20).unwrap();
    assert_eq!(generate(dual(narrow), narrow, &[0; 16]), Some(DualModeError::Parameters));
    // x^16 + 1 is reducible
    let reducible = DualParameters { mac_modulus: 1 << 16 | 1, ..good };
    assert_eq!(generate(reducible, shape, &[0; 16]), Some(DualModeError::Parameters));
    let public_key = vec![0; reducible.public_key_len()];
    assert_eq!(DualPublicKey::new(reducible, &public_key).err(), Some(DualModeError::Parameters));
    // the number of elements in a word of GF(1) is not defined: refused before anything is computed
    for bad in [DualParameters { mac_modulus: 1, ..good }, DualParameters { points_log2: 64, ..good }] {
        assert_eq!(generate(bad, shape, &[0; 16]), Some(DualModeError::Parameters));
        let inner = HfevInner::new(
            key::<66, 2>(Parameters::new(66, 17, 46, 5, 1).unwrap(), &mut Mixer(4)),
            UniqueRoot,
        );
        assert_eq!(DualSecretKey::from_stored(bad, inner, Vec::new()).err(), Some(DualModeError::Parameters));
    }
}
