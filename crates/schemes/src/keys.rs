//! Typed keys and signatures of every signature set, with the `signature` traits.
//!
//! [`SigningKey`] holds a whole key pair in its official bytes, [`VerifyingKey`] the public part. Both parse from and print to
//! exactly the official bytes. [`ExpandedSigningKey`] and [`ExpandedVerifyingKey`] are types of their own for users who sign
//! or verify often with one key; they have no byte format.

use alloc::{boxed::Box, vec, vec::Vec};
use core::marker::PhantomData;

use rand_core::TryCryptoRng;
use signature::{Keypair, RandomizedSigner, SignatureEncoding, Verifier};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::error::check_length;
use crate::{Error, Part, SecretBytes, SignatureScheme, Sizes};

const fn signature_len<P: SignatureScheme>() -> usize {
    match P::INFO.sizes {
        Sizes::Signature { signature, .. } => signature,
        Sizes::Kem { .. } => 0,
    }
}

/// A key pair of the set `P`: the official secret key, and the public key that belongs to it.
pub struct SigningKey<P: SignatureScheme> {
    secret: SecretBytes,
    public: VerifyingKey<P>,
}

impl<P: SignatureScheme> SigningKey<P> {
    /// Makes a new key pair.
    ///
    /// # Errors
    /// Those of [`SignatureScheme::generate`].
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let pair = P::generate(rng)?;
        Ok(Self { secret: pair.secret, public: VerifyingKey::from_bytes(&pair.public)? })
    }

    /// Parses a secret key and recomputes its public key.
    ///
    /// # Errors
    /// The reason why the bytes are no secret key; [`Error::Inconsistent`] where the secret key does not determine the public
    /// key (then use [`Self::from_key_pair_bytes`]).
    pub fn from_secret_bytes(secret: &[u8]) -> Result<Self, Error> {
        let public = P::public_from_secret(secret)?.ok_or(Error::Inconsistent {
            set: P::INFO.name,
            part: Part::SecretKey,
            what: "the secret key does not determine the public key",
        })?;
        Self::from_key_pair_bytes(secret, &public)
    }

    /// Parses a secret and a public key; does not check that they belong together.
    ///
    /// # Errors
    /// The reason why the bytes are no keys of this set.
    pub fn from_key_pair_bytes(secret: &[u8], public: &[u8]) -> Result<Self, Error> {
        P::expand_secret_key(secret)?;
        Ok(Self { secret: SecretBytes::from(secret), public: VerifyingKey::from_bytes(public)? })
    }

    /// The official bytes of the secret key.
    #[must_use]
    pub fn secret_bytes(&self) -> &[u8] {
        &self.secret
    }

    /// Expands the key for signing many messages.
    ///
    /// # Errors
    /// None in practice: the bytes were checked when this key was made.
    pub fn expand(&self) -> Result<ExpandedSigningKey<P>, Error> {
        Ok(ExpandedSigningKey { key: P::expand_secret_key(&self.secret)?, public: self.public.clone() })
    }
}

impl<P: SignatureScheme> core::fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: SignatureScheme> ZeroizeOnDrop for SigningKey<P> {}

impl<P: SignatureScheme> Keypair for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
    fn verifying_key(&self) -> VerifyingKey<P> {
        self.public.clone()
    }
}

impl<P: SignatureScheme> RandomizedSigner<Signature<P>> for SigningKey<P> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, signature::Error> {
        let mut bytes = vec![0; signature_len::<P>()];
        P::sign_once(&self.secret, message, rng, &mut bytes)?;
        Ok(Signature::wrap(bytes))
    }
}

/// An expanded secret key of the set `P`, wiped when dropped.
pub struct ExpandedSigningKey<P: SignatureScheme> {
    key: P::ExpandedSecretKey,
    public: VerifyingKey<P>,
}

impl<P: SignatureScheme> core::fmt::Debug for ExpandedSigningKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: SignatureScheme> ZeroizeOnDrop for ExpandedSigningKey<P> {}

impl<P: SignatureScheme> Keypair for ExpandedSigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
    fn verifying_key(&self) -> VerifyingKey<P> {
        self.public.clone()
    }
}

impl<P: SignatureScheme> RandomizedSigner<Signature<P>> for ExpandedSigningKey<P> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, signature::Error> {
        let mut bytes = vec![0; signature_len::<P>()];
        P::sign(&self.key, message, rng, &mut bytes)?;
        Ok(Signature::wrap(bytes))
    }
}

/// A public key of the set `P` in its official bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey<P: SignatureScheme> {
    bytes: Box<[u8]>,
    set: PhantomData<P>,
}

impl<P: SignatureScheme> VerifyingKey<P> {
    /// Parses a public key.
    ///
    /// # Errors
    /// The reason why the bytes are no public key of this set.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::check_public_key(bytes)?;
        Ok(Self { bytes: bytes.into(), set: PhantomData })
    }

    /// The official bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Prepares the key for verifying many signatures.
    ///
    /// # Errors
    /// None in practice: the bytes were checked when this key was made.
    pub fn expand(&self) -> Result<ExpandedVerifyingKey<P>, Error> {
        Ok(ExpandedVerifyingKey { key: P::expand_public_key(&self.bytes)? })
    }
}

impl<P: SignatureScheme> core::fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("VerifyingKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: SignatureScheme> Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), signature::Error> {
        Ok(P::verify_once(&self.bytes, message, &signature.bytes)?)
    }
}

/// A prepared public key of the set `P`.
#[derive(Clone)]
pub struct ExpandedVerifyingKey<P: SignatureScheme> {
    key: P::ExpandedPublicKey,
}

impl<P: SignatureScheme> core::fmt::Debug for ExpandedVerifyingKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedVerifyingKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: SignatureScheme> Verifier<Signature<P>> for ExpandedVerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), signature::Error> {
        Ok(P::verify(&self.key, message, &signature.bytes)?)
    }
}

/// A signature of the set `P`: exactly the official number of bytes. Whether the bytes are well formed is for the verifier
/// to say.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature<P: SignatureScheme> {
    bytes: Box<[u8]>,
    set: PhantomData<P>,
}

impl<P: SignatureScheme> Signature<P> {
    fn wrap(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into_boxed_slice(), set: PhantomData }
    }

    /// The official bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<P: SignatureScheme> core::fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signature").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: SignatureScheme> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        check_length(P::INFO.name, Part::Signature, bytes, signature_len::<P>())?;
        Ok(Self { bytes: bytes.into(), set: PhantomData })
    }
}

impl<P: SignatureScheme> From<Signature<P>> for Box<[u8]> {
    fn from(signature: Signature<P>) -> Box<[u8]> {
        signature.bytes
    }
}

impl<P: SignatureScheme> SignatureEncoding for Signature<P> {
    type Repr = Box<[u8]>;
}

impl<P: SignatureScheme> Zeroize for SigningKey<P> {
    fn zeroize(&mut self) {
        self.secret.zeroize();
    }
}
