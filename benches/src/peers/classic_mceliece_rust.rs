//! The crate `classic-mceliece-rust`, which is built for one parameter set.

use classic_mceliece_rust::{
    CRYPTO_CIPHERTEXTBYTES, Ciphertext, PublicKey, SecretKey, decapsulate_boxed, encapsulate_boxed,
    keypair_boxed,
};
use kat_vectors::NistDrbg;

use crate::contestant::Contestant;

/// NIST's generator behind the traits of an older `rand`.
struct Older<'r>(&'r mut NistDrbg);

impl rand08::RngCore for Older<'_> {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(self.0.draw())
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes(self.0.draw())
    }

    fn fill_bytes(&mut self, destination: &mut [u8]) {
        self.0.generate(destination);
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), rand08::Error> {
        self.0.generate(destination);
        Ok(())
    }
}

impl rand08::CryptoRng for Older<'_> {}

#[derive(Default)]
struct Peer {
    keys: Option<(PublicKey<'static>, SecretKey<'static>)>,
}

pub(super) fn contestant(set: &str) -> Option<Box<dyn Contestant>> {
    (set == "mceliece348864f").then(|| Box::new(Peer::default()) as Box<dyn Contestant>)
}

impl Contestant for Peer {
    fn name(&self) -> String {
        format!("classic-mceliece-rust {}", super::version("classic-mceliece-rust"))
    }

    fn build(&self) -> String {
        super::rust_build()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = keypair_boxed(&mut Older(random));
        let bytes = (keys.0.as_array().to_vec(), keys.1.as_array().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, _message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let (public, _) = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        let (ciphertext, secret) = encapsulate_boxed(public, &mut Older(random));
        Ok([&ciphertext.as_array()[..], secret.as_array()].concat())
    }

    fn accepts(&mut self, _message: &[u8], product: &[u8]) -> bool {
        let (Some((_, secret_key)), Some((ciphertext, secret))) =
            (&self.keys, product.split_at_checked(CRYPTO_CIPHERTEXTBYTES))
        else {
            return false;
        };
        let Ok(ciphertext) = <[u8; CRYPTO_CIPHERTEXTBYTES]>::try_from(ciphertext) else { return false };
        decapsulate_boxed(&Ciphertext::from(ciphertext), secret_key).as_array() == secret
    }
}
