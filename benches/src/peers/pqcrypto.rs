//! The crate `pqcrypto-classicmceliece`: PQClean's C, with AVX2 where the CPU has it. Draws from the system's generator.

use kat_vectors::NistDrbg;
use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};

use crate::contestant::Contestant;

struct Peer<P, S> {
    keypair: fn() -> (P, S),
    encapsulate: fn(&P) -> (Vec<u8>, Vec<u8>),
    decapsulate: fn(&[u8], &S) -> Option<Vec<u8>>,
    ciphertext_len: usize,
    keys: Option<(P, S)>,
}

macro_rules! sets {
    ($set:expr, $($name:ident),+) => {
        match $set {
            $(stringify!($name) => {
                use pqcrypto_classicmceliece::$name as scheme;
                Some(Box::new(Peer::<scheme::PublicKey, scheme::SecretKey> {
                    keypair: scheme::keypair,
                    encapsulate: |public| {
                        let (secret, ciphertext) = scheme::encapsulate(public);
                        (ciphertext.as_bytes().to_vec(), secret.as_bytes().to_vec())
                    },
                    decapsulate: |ciphertext, secret_key| {
                        let ciphertext = scheme::Ciphertext::from_bytes(ciphertext).ok()?;
                        Some(scheme::decapsulate(&ciphertext, secret_key).as_bytes().to_vec())
                    },
                    ciphertext_len: scheme::ciphertext_bytes(),
                    keys: None,
                }))
            })+
            _ => None,
        }
    };
}

pub(super) fn contestant(set: &str) -> Option<Box<dyn Contestant>> {
    sets!(
        set,
        mceliece348864,
        mceliece348864f,
        mceliece460896,
        mceliece460896f,
        mceliece6688128,
        mceliece6688128f,
        mceliece6960119,
        mceliece6960119f,
        mceliece8192128,
        mceliece8192128f
    )
}

impl<P: PublicKey, S: SecretKey> Contestant for Peer<P, S> {
    fn name(&self) -> String {
        format!("pqcrypto-classicmceliece {}", super::version("pqcrypto-classicmceliece"))
    }

    fn build(&self) -> String {
        "PQClean C, avx2 where the CPU has it, flags of the crate".into()
    }

    fn keypair(&mut self, _random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = (self.keypair)();
        let bytes = (keys.0.as_bytes().to_vec(), keys.1.as_bytes().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, _message: &[u8], _random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let (public, _) = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        let (ciphertext, secret) = (self.encapsulate)(public);
        Ok([ciphertext, secret].concat())
    }

    fn accepts(&mut self, _message: &[u8], product: &[u8]) -> bool {
        let (Some((_, secret_key)), Some((ciphertext, secret))) =
            (&self.keys, product.split_at_checked(self.ciphertext_len))
        else {
            return false;
        };
        (self.decapsulate)(ciphertext, secret_key).is_some_and(|opened| opened == secret)
    }
}
