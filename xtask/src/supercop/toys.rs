//! Toy primitives whose checksums were made with SUPERCOP's own programs: they test the procedure, not a scheme.

use super::checksum::{Size, of_kem, of_sign};
use super::subject::{Failure, KemPrimitive, KeyPair, SignPrimitive};
use kat_vectors::KeyErasure;
use rand_core::Rng;
use sha2::{Digest, Sha256};

fn hash(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update([tag]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().to_vec()
}

fn draw(random: &mut KeyErasure, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    random.fill_bytes(&mut bytes);
    bytes
}

/// Tag, salt, message; anybody can forge.
struct ToySign;

impl SignPrimitive for ToySign {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure> {
        let seed = draw(random, 32);
        let public_key = hash(0x00, &[&seed]);
        Ok((public_key.clone(), [seed, public_key].concat()))
    }

    fn sign(&self, secret_key: &[u8], message: &[u8], random: &mut KeyErasure) -> Result<Vec<u8>, Failure> {
        let salt = draw(random, 16);
        Ok([&hash(0x01, &[&secret_key[32..], &salt, message]), &salt, message].concat())
    }

    fn open(&self, public_key: &[u8], signed_message: &[u8]) -> Option<Vec<u8>> {
        let (tag, rest) = signed_message.split_at_checked(32)?;
        let (salt, message) = rest.split_at_checked(16)?;
        (hash(0x01, &[public_key, salt, message]) == tag).then(|| message.to_vec())
    }
}

/// A KEM that anybody can decapsulate.
struct ToyKem {
    rejects: bool,
}

impl KemPrimitive for ToyKem {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure> {
        let seed = draw(random, 32);
        let fallback = draw(random, 32);
        let public_key = hash(0x10, &[&seed]);
        Ok((public_key.clone(), [seed, fallback, public_key].concat()))
    }

    fn encapsulate(&self, public_key: &[u8], random: &mut KeyErasure) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let secret = draw(random, 32);
        let pad = hash(0x11, &[public_key]);
        let mut ciphertext: Vec<u8> = secret.iter().zip(pad).map(|(a, b)| a ^ b).collect();
        ciphertext.extend_from_slice(&hash(0x12, &[public_key, &secret])[..16]);
        let shared = hash(0x13, &[&secret, &ciphertext]);
        Ok((ciphertext, shared))
    }

    fn decapsulate(&self, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (fallback, public_key) = (&secret_key[32..64], &secret_key[64..]);
        let pad = hash(0x11, &[public_key]);
        let secret: Vec<u8> = ciphertext.iter().zip(pad).map(|(a, b)| a ^ b).collect();
        if hash(0x12, &[public_key, &secret])[..16] == ciphertext[32..] {
            Some(hash(0x13, &[&secret, ciphertext]))
        } else {
            (!self.rejects).then(|| hash(0x14, &[fallback, ciphertext]))
        }
    }
}

#[test]
fn toy_signature_has_the_sums_of_the_original_programs() {
    let sum = |size| of_sign(&ToySign, size, |_, _| ()).unwrap();
    assert_eq!(sum(Size::Small), "c315c92356997a4e3cad17ac1b3efdfe0129c150b5ffaea44fef17a3a72be674");
    assert_eq!(sum(Size::Big), "32dd786a2a7ab2422c92c70e67709aa7e58354d9c9d8d0afb0ec0428cd0f5866");
}

#[test]
fn toy_kems_have_the_sums_of_the_original_programs() {
    let sum = |rejects, size| of_kem(&ToyKem { rejects }, size, |_, _| ()).unwrap();
    assert_eq!(sum(false, Size::Small), "89e6781ad0271cbbf98a3d977007efc64a12da40c21eeac1c81bd71cf40e21db");
    assert_eq!(sum(false, Size::Big), "8ff351817d0957c6fe8591d42119f39d8878ad6501c94803a114535cb052dbe2");
    assert_eq!(sum(true, Size::Small), "47f94f6e7d5e1387115ddde453ac0e350befc55902abd4c070cc834be4cf4aa5");
    assert_eq!(sum(true, Size::Big), "44242cd31be37c4aad8b616c9c2bfebce29f0e37545c3ab3e744e6f323f5a99f");
}

#[test]
fn a_primitive_that_opens_tampered_messages_is_caught() {
    struct Gullible;
    impl SignPrimitive for Gullible {
        fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure> {
            ToySign.keypair(random)
        }
        fn sign(
            &self,
            secret_key: &[u8],
            message: &[u8],
            random: &mut KeyErasure,
        ) -> Result<Vec<u8>, Failure> {
            ToySign.sign(secret_key, message, random)
        }
        fn open(&self, _: &[u8], signed_message: &[u8]) -> Option<Vec<u8>> {
            signed_message.get(48..).map(<[u8]>::to_vec)
        }
    }
    assert!(of_sign(&Gullible, Size::Small, |_, _| ()).is_err());
}
