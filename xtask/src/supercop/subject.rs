//! What the checksum procedure works on: a primitive as SUPERCOP sees it, bytes in and bytes out.

use kat_vectors::KeyErasure;
use schemes::registry::{KemSet, SignatureSet};

/// A primitive reported failure where the procedure demands success.
#[derive(Debug, thiserror::Error)]
#[error("{operation} failed: {reason}")]
pub(crate) struct Failure {
    operation: &'static str,
    reason: String,
}

impl Failure {
    pub(super) fn new(operation: &'static str, reason: impl ToString) -> Self {
        Self { operation, reason: reason.to_string() }
    }
}

/// Public key, then secret key.
pub(super) type KeyPair = (Vec<u8>, Vec<u8>);

/// A signature primitive (`crypto_sign`).
pub(super) trait SignPrimitive {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure>;
    /// The signed message.
    fn sign(&self, secret_key: &[u8], message: &[u8], random: &mut KeyErasure) -> Result<Vec<u8>, Failure>;
    /// The message, or nothing where opening is refused.
    fn open(&self, public_key: &[u8], signed_message: &[u8]) -> Option<Vec<u8>>;
}

/// A key encapsulation primitive (`crypto_kem`).
pub(super) trait KemPrimitive {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure>;
    /// Ciphertext, then shared secret.
    fn encapsulate(&self, public_key: &[u8], random: &mut KeyErasure) -> Result<(Vec<u8>, Vec<u8>), Failure>;
    /// The shared secret, or nothing where the ciphertext is refused.
    fn decapsulate(&self, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>>;
}

impl SignPrimitive for &dyn SignatureSet {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure> {
        let pair = self.generate(random).map_err(|error| Failure::new("keypair", error))?;
        Ok((pair.public, pair.secret.to_vec()))
    }

    fn sign(&self, secret_key: &[u8], message: &[u8], random: &mut KeyErasure) -> Result<Vec<u8>, Failure> {
        let mut signature = vec![0; self.signature_len()];
        self.sign_once(secret_key, message, random, &mut signature)
            .map_err(|error| Failure::new("sign", error))?;
        Ok(self.join(&signature, message))
    }

    fn open(&self, public_key: &[u8], signed_message: &[u8]) -> Option<Vec<u8>> {
        <dyn SignatureSet>::open(*self, public_key, signed_message).ok().map(<[u8]>::to_vec)
    }
}

impl KemPrimitive for &dyn KemSet {
    fn keypair(&self, random: &mut KeyErasure) -> Result<KeyPair, Failure> {
        let pair = self.generate(random).map_err(|error| Failure::new("keypair", error))?;
        Ok((pair.public, pair.secret.to_vec()))
    }

    fn encapsulate(&self, public_key: &[u8], random: &mut KeyErasure) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let mut ciphertext = vec![0; self.ciphertext_len()];
        let mut shared_secret = vec![0; self.shared_secret_len()];
        KemSet::encapsulate(*self, public_key, random, &mut ciphertext, &mut shared_secret)
            .map_err(|error| Failure::new("enc", error))?;
        Ok((ciphertext, shared_secret))
    }

    fn decapsulate(&self, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let mut shared_secret = vec![0; self.shared_secret_len()];
        KemSet::decapsulate(*self, secret_key, ciphertext, &mut shared_secret).ok()?;
        Some(shared_secret)
    }
}
