//! Key generation, signing and verification of every DualModeMS set.

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use hfev::dual_mode::{DualModeError, DualParameters, DualPublicKey, DualSecretKey, append_stored_parts};
use rand_core::TryCryptoRng;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::inner::Inner;
use crate::error::check_length;
use crate::{Error, KernelBackend, KeyPairBytes, Part, Progress, SignatureScheme, SigningReport};

/// A parameter set of DualModeMS.
pub trait DualModeMsSet: SignatureScheme {
    /// The parameters of the outer layer.
    const DUAL: DualParameters;
    /// The inner scheme.
    type Inner: Inner;
}

/// An expanded secret key of a set.
pub type Expanded<S> = DualSecretKey<<<S as DualModeMsSet>::Inner as Inner>::Trapdoor>;

/// Bytes of a secret key: inner key, public equations, tree, seed.
pub(super) const fn secret_len(inner: usize, dual: &DualParameters) -> usize {
    inner + dual.stored_len()
}

/// An error of the dual mode in the words of this crate. `offset`: where the bytes begin in `part`.
fn convert<S: DualModeMsSet>(error: DualModeError, part: Part, offset: usize) -> Error {
    let set = S::INFO.name;
    match error {
        DualModeError::Length { expected, actual } => Error::Length { set, part, expected, actual },
        DualModeError::Padding { byte } => Error::Padding { set, part, byte: offset + byte },
        DualModeError::Invalid(_) => Error::InvalidSignature { set },
        _ => Error::Inconsistent { set, part, what: "the parameters" },
    }
}

/// A progress callback in the words of `hfev`.
fn blocks(progress: &mut dyn FnMut(Progress)) -> impl FnMut(hfev::dual_mode::Progress) {
    move |blocks| progress(Progress { done: blocks.done as u64, total: blocks.total as u64 })
}

fn expand<S: DualModeMsSet>(
    inner: &[u8],
    seed: &[u8],
    progress: &mut dyn FnMut(Progress),
) -> Result<Expanded<S>, Error> {
    let trapdoor = S::Inner::trapdoor(S::INFO.name, inner)?;
    let public = S::Inner::public_system(S::INFO.name, inner)?;
    DualSecretKey::generate(S::DUAL, trapdoor, public, seed, &mut blocks(progress))
        .map_err(|error| convert::<S>(error, Part::SecretKey, 0))
}

fn draw<S: DualModeMsSet, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<(Zeroizing<Vec<u8>>, Vec<u8>), Error> {
    let inner = S::Inner::generate(S::INFO.name, rng)?;
    let mut seed = vec![0; S::DUAL.seed_len()];
    if !seed.is_empty() {
        rng.try_fill_bytes(&mut seed).map_err(|_| Error::Random)?;
    }
    Ok((inner, seed))
}

pub(super) fn generate<S: DualModeMsSet, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    progress: &mut dyn FnMut(Progress),
) -> Result<KeyPairBytes, Error> {
    let (inner, seed) = draw::<S, R>(rng)?;
    let system = S::Inner::public_system(S::INFO.name, &inner)?;
    // the final size at once: a vector that grows leaves copies of the secret behind
    let mut secret = Zeroizing::new(Vec::with_capacity(S::INFO.secret_key));
    secret.extend_from_slice(&inner);
    let public = append_stored_parts(S::DUAL, system, &seed, &mut secret, &mut blocks(progress))
        .map_err(|error| convert::<S>(error, Part::SecretKey, inner.len()))?;
    Ok(KeyPairBytes { public, secret: secret.into() })
}

/// A secret key over any bytes: its own, or those that the caller keeps.
fn key_over<S: DualModeMsSet, B: AsRef<[u8]>>(
    inner: &[u8],
    stored: B,
) -> Result<DualSecretKey<<S::Inner as Inner>::Trapdoor, B>, Error> {
    let trapdoor = S::Inner::trapdoor(S::INFO.name, inner)?;
    DualSecretKey::from_stored(S::DUAL, trapdoor, stored)
        .map_err(|error| convert::<S>(error, Part::SecretKey, inner.len()))
}

fn split_secret_key<S: DualModeMsSet>(bytes: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    check_length(S::INFO.name, Part::SecretKey, bytes, S::INFO.secret_key)?;
    Ok(bytes.split_at(S::Inner::SECRET_LEN))
}

pub(super) fn expand_secret_key<S: DualModeMsSet>(bytes: &[u8]) -> Result<Expanded<S>, Error> {
    let (inner, stored) = split_secret_key::<S>(bytes)?;
    key_over::<S, _>(inner, stored.to_vec())
}

pub(super) fn public_from_secret<S: DualModeMsSet>(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let (inner, stored) = split_secret_key::<S>(bytes)?;
    Ok(key_over::<S, _>(inner, stored)?.public_key())
}

/// Every string of the right length is a public key: roots and a seed.
pub(super) fn check_public_key<S: DualModeMsSet>(bytes: &[u8]) -> Result<(), Error> {
    check_length(S::INFO.name, Part::PublicKey, bytes, S::INFO.public_key)
}

pub(super) fn expand_public_key<S: DualModeMsSet>(bytes: &[u8]) -> Result<DualPublicKey, Error> {
    DualPublicKey::new(S::DUAL, bytes).map_err(|error| convert::<S>(error, Part::PublicKey, 0))
}

/// Signs with the caller's bytes of a secret key, without a copy of their public parts.
pub(super) fn sign_once<S: DualModeMsSet, R: TryCryptoRng + ?Sized>(
    secret_key: &[u8],
    message: &[u8],
    rng: &mut R,
    signature: &mut [u8],
) -> Result<SigningReport, Error> {
    let (inner, stored) = split_secret_key::<S>(secret_key)?;
    sign::<S, R, _>(&key_over::<S, _>(inner, stored)?, message, rng, signature)
}

pub(super) fn sign<S: DualModeMsSet, R: TryCryptoRng + ?Sized, B: AsRef<[u8]>>(
    key: &DualSecretKey<<S::Inner as Inner>::Trapdoor, B>,
    message: &[u8],
    rng: &mut R,
    signature: &mut [u8],
) -> Result<SigningReport, Error> {
    let set = S::INFO.name;
    check_length(set, Part::Signature, signature, S::DUAL.signature_len())?;
    let signed = key.sign(message, rng).map_err(|error| match error {
        hfev::Error::AttemptsExhausted { attempts } => Error::AttemptsExhausted { set, attempts },
        _ => Error::Random,
    })?;
    signature.copy_from_slice(&signed.signature);
    Ok(SigningReport { attempts: signed.attempts })
}

pub(super) fn verify<S: DualModeMsSet>(
    key: &DualPublicKey,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    key.verify(message, signature).map_err(|error| convert::<S>(error, Part::Signature, 0))
}

pub(super) fn backends() -> Vec<KernelBackend> {
    vec![
        KernelBackend {
            kernel: "polynomials over GF(2^k), in batches",
            backend: hfev::dual_mode::batch_backend(),
        },
        KernelBackend { kernel: "SHA-3, several states", backend: hfev::dual_mode::hash_backend() },
        KernelBackend { kernel: "quadratic systems over GF(2)", backend: mq_eval::backend::gf2_backend() },
    ]
}

/// The compact form of a signature: the bits that carry information, without the padding of words. This project's format; the
/// official one pads.
///
/// # Errors
/// [`Error::Length`], [`Error::Padding`] for bytes that are no signature of the set.
pub fn compact_signature<S: DualModeMsSet>(signature: &[u8]) -> Result<Vec<u8>, Error> {
    S::DUAL.compact(signature).map_err(|error| convert::<S>(error, Part::Signature, 0))
}

/// The signature of a compact form.
///
/// # Errors
/// [`Error::Length`], [`Error::Padding`] for bytes that are no compact signature of the set.
pub fn expand_compact_signature<S: DualModeMsSet>(compact: &[u8]) -> Result<Vec<u8>, Error> {
    S::DUAL.expand_compact(compact).map_err(|error| convert::<S>(error, Part::Signature, 0))
}

/// A secret key without what can be computed again: the inner secret key and the point seed, some dozens of bytes for the sets whose
/// inner key is a seed. This project's format, not that of [`crate::SigningKey`]; neither parses the other's bytes, as the
/// lengths differ. Wiped when dropped.
pub struct CompactSecretKey<S> {
    bytes: Zeroizing<Vec<u8>>,
    set: PhantomData<S>,
}

impl<S> core::fmt::Debug for CompactSecretKey<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CompactSecretKey")
    }
}

impl<S> ZeroizeOnDrop for CompactSecretKey<S> {}

impl<S: DualModeMsSet> CompactSecretKey<S> {
    /// Length in bytes.
    pub const LEN: usize = S::Inner::SECRET_LEN + S::DUAL.seed_len();

    /// Draws a new key: the same draws, hence the same key, as [`SignatureScheme::generate`].
    ///
    /// # Errors
    /// [`Error::Random`].
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let (inner, seed) = draw::<S, R>(rng)?;
        Ok(Self::join(&inner, &seed))
    }

    fn join(inner: &[u8], seed: &[u8]) -> Self {
        let mut bytes = Zeroizing::new(Vec::with_capacity(Self::LEN));
        bytes.extend_from_slice(inner);
        bytes.extend_from_slice(seed);
        Self { bytes, set: PhantomData }
    }

    /// The compact form of a secret key in its official bytes.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_secret_bytes(secret: &[u8]) -> Result<Self, Error> {
        check_length(S::INFO.name, Part::SecretKey, secret, S::INFO.secret_key)?;
        let seed = &secret[secret.len() - S::DUAL.seed_len()..];
        Ok(Self::join(&secret[..S::Inner::SECRET_LEN], seed))
    }

    /// Parses the bytes of [`Self::as_bytes`].
    ///
    /// # Errors
    /// [`Error::Length`]; and what the inner secret key's parser refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        check_length(S::INFO.name, Part::SecretKey, bytes, Self::LEN)?;
        S::Inner::trapdoor(S::INFO.name, &bytes[..S::Inner::SECRET_LEN])?;
        Ok(Self { bytes: Zeroizing::new(bytes.to_vec()), set: PhantomData })
    }

    /// The inner secret key and the point seed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Computes equations and trees again: as long as key generation.
    ///
    /// # Errors
    /// None for a key from [`Self::generate`] or [`Self::from_bytes`] in practice.
    pub fn expand(&self, progress: &mut dyn FnMut(Progress)) -> Result<Expanded<S>, Error> {
        let (inner, seed) = self.bytes.split_at(S::Inner::SECRET_LEN);
        expand::<S>(inner, seed, progress)
    }
}
