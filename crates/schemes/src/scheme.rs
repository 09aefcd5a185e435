//! What a parameter set implements: one trait for signatures, one for KEMs.
//!
//! A family implements these for its parameter types; the typed keys ([`crate::keys`], [`crate::kem_keys`]) and the run-time
//! [`crate::registry`] are then generic over them, so that no family writes its own key types or registry entries.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::{Error, KernelBackend, SecretBytes, SetInfo};

/// A fresh key pair in its official bytes.
pub struct KeyPairBytes {
    /// Public key.
    pub public: Vec<u8>,
    /// Secret key; wiped when dropped.
    pub secret: SecretBytes,
}

/// What a signing operation tells besides the signature. All of it is public: the specifications let the number of
/// rejected attempts show in the running time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SigningReport {
    /// Attempts made, the successful one included (summed over the rounds of an iterated scheme).
    pub attempts: u64,
}

/// How far a long operation has come, in steps of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

/// A signature parameter set.
///
/// Randomness: one request of the specification is one call of `try_fill_bytes`, in the specification's order; known answers
/// depend on it.
pub trait SignatureScheme: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The public facts.
    const INFO: SetInfo;

    /// A secret key expanded for signing many times; wiped when dropped.
    type ExpandedSecretKey: Send + Sync + zeroize::ZeroizeOnDrop;
    /// A public key prepared for verifying many times.
    type ExpandedPublicKey: Clone + Send + Sync;

    /// Makes a key pair.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, [`Error::AttemptsExhausted`] where key generation can be rejected.
    fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error>;

    /// [`Self::generate`], which tells how far it has come. Families whose key generation takes long override this; the others
    /// tell nothing.
    ///
    /// # Errors
    /// Those of [`Self::generate`].
    fn generate_with_progress<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<KeyPairBytes, Error> {
        let _ = progress;
        Self::generate(rng)
    }

    /// Parses and expands a secret key.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a secret key of this set.
    fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error>;

    /// Parses and prepares a public key.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a public key of this set.
    fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error>;

    /// Checks the official bytes of a public key as [`Self::expand_public_key`] does. Families that can check without preparing
    /// override this.
    ///
    /// # Errors
    /// Those of [`Self::expand_public_key`].
    fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
        Self::expand_public_key(bytes).map(|_| ())
    }

    /// Recomputes the public key from the secret key, or `None` where the format does not hold enough.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a secret key of this set.
    fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error>;

    /// Signs `message`; writes the whole of `signature`, which has the official length, or on error leaves it untouched.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::AttemptsExhausted`], [`Error::Length`] for an output of another length.
    fn sign<R: TryCryptoRng + ?Sized>(
        key: &Self::ExpandedSecretKey,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error>;

    /// Signs once with the official bytes of a secret key. Families whose one-time expansion is avoidable override this.
    ///
    /// # Errors
    /// Those of [`Self::expand_secret_key`] and [`Self::sign`].
    fn sign_once<R: TryCryptoRng + ?Sized>(
        secret_key: &[u8],
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        Self::sign(&Self::expand_secret_key(secret_key)?, message, rng, signature)
    }

    /// Verifies a signature. Variable time: all of it is public.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], or the reason why `signature` is not well formed.
    fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Verifies once with the official bytes of a public key. Families whose expansion is avoidable override this.
    ///
    /// # Errors
    /// Those of [`Self::expand_public_key`] and [`Self::verify`].
    fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
        Self::verify(&Self::expand_public_key(public_key)?, message, signature)
    }

    /// The mean of [`SigningReport::attempts`] that the probabilities of the scheme give, where signing is a rejection loop of HFE
    /// inversions; of the others nothing is said.
    fn expected_attempts() -> Option<f64> {
        None
    }

    /// The back end that each kernel would use here.
    fn backends() -> Vec<KernelBackend>;
}

/// A KEM parameter set. Randomness as in [`SignatureScheme`].
pub trait KemScheme: Copy + core::fmt::Debug + Ord + Default + Send + Sync + 'static {
    /// The public facts.
    const INFO: SetInfo;

    /// A secret key prepared for decapsulating many times; wiped when dropped.
    type ExpandedSecretKey: Send + Sync + zeroize::ZeroizeOnDrop;

    /// Makes a key pair; writes the public key straight into `public_key`, which has the official length.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::AttemptsExhausted`], [`Error::Length`] for an output of another length.
    fn generate_into<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        public_key: &mut [u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// Parses and prepares a secret key.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a secret key of this set.
    fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error>;

    /// Checks the official bytes of a public key: length, padding.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a public key of this set.
    fn check_public_key(bytes: &[u8]) -> Result<(), Error>;

    /// Recomputes the public key from the secret key.
    ///
    /// # Errors
    /// A typed error for every byte string that is not a secret key of this set.
    fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error>;

    /// Encapsulates; writes the whole of both outputs, which have the official lengths, or on error leaves them untouched.
    ///
    /// # Errors
    /// [`Error::Random`], and what [`Self::check_public_key`] gives.
    fn encapsulate<R: TryCryptoRng + ?Sized>(
        public_key: &[u8],
        rng: &mut R,
        ciphertext: &mut [u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error>;

    /// Decapsulates. A well-formed ciphertext that nobody made gives the implicit-rejection secret, in the same time.
    ///
    /// # Errors
    /// A typed error for a ciphertext of the wrong length or with non-zero padding.
    fn decapsulate(
        key: &Self::ExpandedSecretKey,
        ciphertext: &[u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error>;

    /// The back end that each kernel would use here.
    fn backends() -> Vec<KernelBackend>;
}
