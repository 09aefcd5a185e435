//! The crate `pq-mceliece`.

use kat_vectors::NistDrbg;
use pq_mceliece::{Algorithm, DecapsulationKey, EncapsulationKey};

use crate::contestant::Contestant;

struct Peer {
    algorithm: Algorithm,
    keys: Option<(EncapsulationKey, DecapsulationKey)>,
}

pub(super) fn contestant(set: &str) -> Option<Box<dyn Contestant>> {
    let algorithm = Algorithm::enabled_algorithms()
        .iter()
        .find(|algorithm| algorithm.name().eq_ignore_ascii_case(set))?;
    Some(Box::new(Peer { algorithm: *algorithm, keys: None }))
}

impl Contestant for Peer {
    fn name(&self) -> String {
        format!("pq-mceliece {}", super::version("pq-mceliece"))
    }

    fn build(&self) -> String {
        super::rust_build()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = self.algorithm.generate_keypair(random);
        let bytes = (keys.0.value().to_vec(), keys.1.value().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, _message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let (public, _) = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        let (ciphertext, secret) =
            self.algorithm.encapsulate(public, random).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        Ok([ciphertext.value(), secret.value()].concat())
    }

    fn accepts(&mut self, _message: &[u8], product: &[u8]) -> bool {
        let Some((_, secret_key)) = &self.keys else { return false };
        let split = self.algorithm.params().ciphertext_length;
        let Some((ciphertext, secret)) = product.split_at_checked(split) else { return false };
        self.algorithm
            .ciphertext_from_bytes(ciphertext)
            .and_then(|ciphertext| self.algorithm.decapsulate(secret_key, &ciphertext))
            .is_ok_and(|opened| opened.value() == secret)
    }
}
