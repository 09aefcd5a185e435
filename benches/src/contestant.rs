//! The two sides of a comparison behind one interface: ours through the registry, and peers.

use anyhow::{Context, bail};
use kat_vectors::NistDrbg;
use schemes::Sizes;
use schemes::registry::{KemSet, SignatureSet};

/// One side of a comparison. It keeps the key pair that it made last, in whatever form its own users keep it.
pub(crate) trait Contestant {
    /// Name and version.
    fn name(&self) -> String;
    /// How it was built and which back end it uses, as far as it says.
    fn build(&self) -> String;
    /// Makes a key pair, keeps it, and returns the official bytes.
    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)>;
    /// Signs: the signature alone. Encapsulates: ciphertext and shared secret, one after the other.
    fn produce(&mut self, message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>>;
    /// Whether it verifies the signature, or decapsulates the ciphertext to the shared secret.
    fn accepts(&mut self, message: &[u8], product: &[u8]) -> bool;
}

/// Ours: one-shot calls on the official bytes.
pub(crate) struct OursSignature {
    scheme: &'static dyn SignatureSet,
    keys: (Vec<u8>, Vec<u8>),
}

/// Ours: one-shot calls on the official bytes.
pub(crate) struct OursKem {
    scheme: &'static dyn KemSet,
    keys: (Vec<u8>, Vec<u8>),
    ciphertext_len: usize,
    secret_len: usize,
}

impl OursSignature {
    pub(crate) fn new(scheme: &'static dyn SignatureSet) -> Self {
        Self { scheme, keys: Default::default() }
    }
}

impl OursKem {
    pub(crate) fn new(scheme: &'static dyn KemSet) -> anyhow::Result<Self> {
        let Sizes::Kem { ciphertext, shared_secret } = scheme.info().sizes else { bail!("no KEM sizes") };
        Ok(Self { scheme, keys: Default::default(), ciphertext_len: ciphertext, secret_len: shared_secret })
    }
}

impl Contestant for OursSignature {
    fn name(&self) -> String {
        "ours".into()
    }

    fn build(&self) -> String {
        gf2n::backend::ceiling().name().into()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let pair = self.scheme.generate(random)?;
        self.keys = (pair.public, pair.secret.to_vec());
        Ok(self.keys.clone())
    }

    fn produce(&mut self, message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let mut signature = vec![0; self.scheme.signature_len()];
        self.scheme.sign_once(&self.keys.1, message, random, &mut signature)?;
        Ok(signature)
    }

    fn accepts(&mut self, message: &[u8], product: &[u8]) -> bool {
        self.scheme.verify_once(&self.keys.0, message, product).is_ok()
    }
}

impl Contestant for OursKem {
    fn name(&self) -> String {
        "ours".into()
    }

    fn build(&self) -> String {
        gf2n::backend::ceiling().name().into()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let pair = self.scheme.generate(random)?;
        self.keys = (pair.public, pair.secret.to_vec());
        Ok(self.keys.clone())
    }

    fn produce(&mut self, _message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let mut product = vec![0; self.ciphertext_len + self.secret_len];
        let (ciphertext, secret) = product.split_at_mut(self.ciphertext_len);
        self.scheme.encapsulate(&self.keys.0, random, ciphertext, secret)?;
        Ok(product)
    }

    fn accepts(&mut self, _message: &[u8], product: &[u8]) -> bool {
        let Some((ciphertext, secret)) = product.split_at_checked(self.ciphertext_len) else { return false };
        let mut opened = vec![0; self.secret_len];
        self.scheme.decapsulate(&self.keys.1, ciphertext, &mut opened).is_ok() && opened == secret
    }
}

/// Makes the keys of a contestant that is to be compared.
pub(crate) fn fresh_keys(
    contestant: &mut dyn Contestant,
    random: &mut NistDrbg,
) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let name = contestant.name();
    contestant.keypair(random).with_context(|| format!("{name}: key pair"))
}
