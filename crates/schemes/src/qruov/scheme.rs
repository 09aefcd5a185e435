//! The signature scheme of a QR-UOV set: random draws, lengths, typed errors around the trapdoor of `uov_family::qruov`.

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use rand_core::TryCryptoRng;
use uov_family::qruov::{
    self as trapdoor, FormatError, Parameters, Round, SALT_LIMIT, SigningError, SigningSeeds, VerifyingError,
};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::error::check_length;
use crate::{Error, KernelBackend, KeyPairBytes, Part, SetInfo, SignatureScheme, SigningReport};

/// A QR-UOV parameter set.
pub trait QrUovSet: SignatureScheme {
    /// The parameters, the round and the expansion among them.
    const PARAMETERS: Parameters;
}

/// A QR-UOV set of round 2, whose reference implementation accepts encodings that a strict verifier refuses.
pub trait RoundTwoSet: QrUovSet {
    /// Verifies by the rule of the round-2 reference implementation: padding bits are ignored and an element equal to q counts as 0, in
    /// public keys and signatures. **Signatures are malleable under this rule.** For interoperation and side-by-side tests only;
    /// [`SignatureScheme::verify_once`] is strict.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::InvalidSignature`].
    fn verify_lax(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
        check_lengths::<Self>(public_key, signature)?;
        trapdoor::verify_lax(&Self::PARAMETERS, public_key, message, signature)
            .map_err(|error| verifying_error(&Self::INFO, &Self::PARAMETERS, error))
    }
}

/// An expanded secret key of the set `P`: see [`trapdoor::ExpandedSecretKey`]. Wiped when dropped.
pub struct ExpandedSecretKey<P> {
    key: trapdoor::ExpandedSecretKey,
    set: PhantomData<fn() -> P>,
}

impl<P> ZeroizeOnDrop for ExpandedSecretKey<P> {}

/// An expanded public key of the set `P`: see [`trapdoor::ExpandedPublicKey`].
pub struct ExpandedPublicKey<P> {
    key: trapdoor::ExpandedPublicKey,
    set: PhantomData<fn() -> P>,
}

impl<P> Clone for ExpandedPublicKey<P> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), set: PhantomData }
    }
}

fn format_error(set: &'static str, part: Part, header: usize, error: FormatError) -> Error {
    match error {
        FormatError::Padding { byte } => Error::Padding { set, part, byte: header + byte },
        FormatError::OutOfRange { index } => Error::OutOfRange { set, part, index },
    }
}

fn verifying_error(info: &SetInfo, parameters: &Parameters, error: VerifyingError) -> Error {
    let set = info.name;
    match error {
        VerifyingError::PublicKey(error) => {
            format_error(set, Part::PublicKey, parameters.public_seed_len(), error)
        }
        VerifyingError::Signature(error) => format_error(set, Part::Signature, parameters.salt_len(), error),
        VerifyingError::Invalid => Error::InvalidSignature { set },
    }
}

fn signing_error(info: &SetInfo, error: SigningError) -> Error {
    let attempts = match error {
        SigningError::RankTooLow => 1,
        SigningError::SaltsExhausted => SALT_LIMIT,
    };
    Error::AttemptsExhausted { set: info.name, attempts }
}

fn check_lengths<P: QrUovSet>(public_key: &[u8], signature: &[u8]) -> Result<(), Error> {
    check_length(P::INFO.name, Part::PublicKey, public_key, P::PARAMETERS.public_key_len())?;
    check_length(P::INFO.name, Part::Signature, signature, P::PARAMETERS.signature_len())
}

/// The secret and the public seed of a secret key.
fn split_secret_key<P: QrUovSet>(bytes: &[u8]) -> Result<(&[u8], Vec<u8>), Error> {
    check_length(P::INFO.name, Part::SecretKey, bytes, P::PARAMETERS.secret_key_len())?;
    Ok(match P::PARAMETERS.round {
        Round::Two => {
            let (secret, public) = bytes.split_at(P::PARAMETERS.secret_seed_len());
            (secret, public.to_vec())
        }
        Round::Three => (bytes, trapdoor::derive_public_seed(bytes).to_vec()),
    })
}

fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(bytes).map_err(|_| Error::Random)
}

/// Requests: round 2 the secret seed, then the public seed; round 3 the secret seed.
pub(super) fn generate<P: QrUovSet, R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
    let mut secret = Zeroizing::new(vec![0; P::PARAMETERS.secret_key_len()]);
    for seed in secret.chunks_mut(P::PARAMETERS.secret_seed_len()) {
        draw(rng, seed)?;
    }
    let public = public_from_secret::<P>(&secret)?;
    Ok(KeyPairBytes { public, secret: secret.into() })
}

pub(super) fn public_from_secret<P: QrUovSet>(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let (secret, public) = split_secret_key::<P>(bytes)?;
    Ok(trapdoor::public_key(&P::PARAMETERS, secret, &public))
}

pub(super) fn expand_secret_key<P: QrUovSet>(bytes: &[u8]) -> Result<ExpandedSecretKey<P>, Error> {
    let (secret, public) = split_secret_key::<P>(bytes)?;
    let key = trapdoor::ExpandedSecretKey::new(&P::PARAMETERS, secret, &public);
    Ok(ExpandedSecretKey { key, set: PhantomData })
}

pub(super) fn expand_public_key<P: QrUovSet>(bytes: &[u8]) -> Result<ExpandedPublicKey<P>, Error> {
    let (set, parameters) = (P::INFO.name, P::PARAMETERS);
    check_length(set, Part::PublicKey, bytes, parameters.public_key_len())?;
    let key = trapdoor::ExpandedPublicKey::new(&parameters, bytes)
        .map_err(|error| format_error(set, Part::PublicKey, parameters.public_seed_len(), error))?;
    Ok(ExpandedPublicKey { key, set: PhantomData })
}

/// Draws the three seeds of a signature (vinegar, salts, free variables; one request each, before anything else), and signs with
/// them. `signature` is written on success only.
fn sign_with<P: QrUovSet, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    signature: &mut [u8],
    sign: impl FnOnce(&SigningSeeds<'_>, &mut [u8]) -> Result<u64, SigningError>,
) -> Result<SigningReport, Error> {
    check_length(P::INFO.name, Part::Signature, signature, P::PARAMETERS.signature_len())?;
    let len = P::PARAMETERS.secret_seed_len();
    let mut seeds = Zeroizing::new(vec![0; 3 * len]);
    for seed in seeds.chunks_mut(len) {
        draw(rng, seed)?;
    }
    let seeds = SigningSeeds { vinegar: &seeds[..len], salt: &seeds[len..2 * len], free: &seeds[2 * len..] };
    let attempts = sign(&seeds, signature).map_err(|error| signing_error(&P::INFO, error))?;
    Ok(SigningReport { attempts })
}

pub(super) fn sign<P: QrUovSet, R: TryCryptoRng + ?Sized>(
    key: &ExpandedSecretKey<P>,
    message: &[u8],
    rng: &mut R,
    signature: &mut [u8],
) -> Result<SigningReport, Error> {
    sign_with::<P, R>(rng, signature, |seeds, signature| key.key.sign(message, seeds, signature))
}

pub(super) fn sign_once<P: QrUovSet, R: TryCryptoRng + ?Sized>(
    secret_key: &[u8],
    message: &[u8],
    rng: &mut R,
    signature: &mut [u8],
) -> Result<SigningReport, Error> {
    let (secret, public) = split_secret_key::<P>(secret_key)?;
    sign_with::<P, R>(rng, signature, |seeds, signature| {
        trapdoor::sign(&P::PARAMETERS, secret, &public, message, seeds, signature)
    })
}

pub(super) fn verify<P: QrUovSet>(
    key: &ExpandedPublicKey<P>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    check_length(P::INFO.name, Part::Signature, signature, P::PARAMETERS.signature_len())?;
    key.key.verify(message, signature).map_err(|error| verifying_error(&P::INFO, &P::PARAMETERS, error))
}

pub(super) fn verify_once<P: QrUovSet>(
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    check_lengths::<P>(public_key, signature)?;
    trapdoor::verify(&P::PARAMETERS, public_key, message, signature)
        .map_err(|error| verifying_error(&P::INFO, &P::PARAMETERS, error))
}

pub(super) fn backends() -> Vec<KernelBackend> {
    let name = trapdoor::backend_name();
    let kernels = ["QR-UOV products", "QR-UOV sampling", "QR-UOV parallel SHAKE", "QR-UOV linear systems"];
    kernels.into_iter().map(|kernel| KernelBackend { kernel, backend: name }).collect()
}
