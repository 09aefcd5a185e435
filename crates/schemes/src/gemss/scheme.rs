//! Key generation, signing and verification, generic over the field.

use alloc::{vec, vec::Vec};

use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::bits::words_from_bytes;
use hfev::{FeistelPatarin, HashedRoot, PairRule, SecretKey, SignatureError, public_system, sign_redrawing};
use mq_eval::gf2::{LayoutError, PackedSystem};
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::definition::{Definition, Package};
use super::format::{misfit, parse_secret, write_expanded};
use super::hash;
use crate::error::check_length;
use crate::{Error, KernelBackend, KeyPairBytes, Part, SigningReport};

/// Makes a key pair.
pub(super) fn generate<const N: usize, const L: usize, R: TryCryptoRng + ?Sized>(
    definition: &Definition,
    rng: &mut R,
) -> Result<KeyPairBytes, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    match definition.package {
        Package::Round3 | Package::Round2Version2 => {
            let mut seed = Zeroizing::new(vec![0; definition.secret_len()]);
            rng.try_fill_bytes(&mut seed).map_err(|_| Error::Random)?;
            let public = public_from_secret::<N, L>(definition, &seed)?;
            Ok(KeyPairBytes { public, secret: seed.into() })
        }
        Package::Round2 => generate_expanded::<N, L, R>(definition, rng),
    }
}

fn generate_expanded<const N: usize, const L: usize, R: TryCryptoRng + ?Sized>(
    definition: &Definition,
    rng: &mut R,
) -> Result<KeyPairBytes, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    let parameters = definition.parameters;
    let mut words = Zeroizing::new(Vec::with_capacity(parameters.secret_words()));
    for count in [
        parameters.coefficient_words(),
        parameters.input_factor_words(),
        parameters.input_factor_words(),
        parameters.output_factor_words(),
        parameters.output_factor_words(),
    ] {
        let mut bytes = Zeroizing::new(vec![0; 8 * count]);
        rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Random)?;
        let mut drawn = words_from_bytes(&bytes);
        words.extend_from_slice(&drawn);
        drawn.zeroize();
    }
    // here the factors are those of S and T themselves
    let (polynomial, input, output) =
        SecretKey::<N, L>::parts_from_words(parameters, &words).map_err(|_| misfit(definition))?;
    let system = public_system(parameters, &polynomial, (&input.product(), None), (&output.product(), None))
        .map_err(|_| misfit(definition))?;
    let coefficients = &words[..parameters.coefficient_words()];
    Ok(KeyPairBytes {
        public: definition.layout().encode(&system).map_err(|_| misfit(definition))?,
        secret: write_expanded(definition, coefficients, &input.inverse(), &output.inverse()).into(),
    })
}

/// Recomputes the public key.
pub(super) fn public_from_secret<const N: usize, const L: usize>(
    definition: &Definition,
    secret: &[u8],
) -> Result<Vec<u8>, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    let system = parse_secret::<N, L>(definition, secret)?.public_system().map_err(|_| misfit(definition))?;
    definition.layout().encode(&system).map_err(|_| misfit(definition))
}

/// Signs.
pub(super) fn sign<const N: usize, const L: usize, R: TryCryptoRng + ?Sized>(
    definition: &Definition,
    key: &SecretKey<N, L>,
    message: &[u8],
    rng: &mut R,
    signature: &mut [u8],
) -> Result<SigningReport, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    let parameters = definition.parameters;
    let length = parameters.signature_bits().div_ceil(8);
    check_length(definition.name, Part::Signature, signature, length)?;
    let targets =
        hash::targets(definition.security, message, parameters.equations(), parameters.iterations());
    let split = match definition.package {
        Package::Round3 => PairRule::FormulaIfOdd,
        Package::Round2Version2 | Package::Round2 => PairRule::Draws,
    };
    let rule = HashedRoot::new(|element: &[u8]| hash::root_index(definition.security, element), split);
    let signed = sign_redrawing(key, &targets, &rule, rng).map_err(|error| match error {
        hfev::Error::AttemptsExhausted { attempts } => {
            Error::AttemptsExhausted { set: definition.name, attempts }
        }
        _ => Error::Random,
    })?;
    signature.copy_from_slice(&signed.signature);
    Ok(SigningReport { attempts: signed.attempts })
}

/// Checks and takes the bytes of a public key.
pub(super) fn parse_public<B: AsRef<[u8]>>(
    definition: &Definition,
    bytes: B,
) -> Result<PackedSystem<B>, Error> {
    PackedSystem::new(definition.layout(), definition.shape(), bytes).map_err(|error| match error {
        LayoutError::Length { expected, actual } => {
            Error::Length { set: definition.name, part: Part::PublicKey, expected, actual }
        }
        LayoutError::Padding { byte } => Error::Padding { set: definition.name, part: Part::PublicKey, byte },
        _ => misfit(definition),
    })
}

/// Verifies.
pub(super) fn verify<B: AsRef<[u8]>>(
    definition: &Definition,
    key: &PackedSystem<B>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let parameters = definition.parameters;
    let chain = FeistelPatarin::from(parameters);
    let malformed = |error| match error {
        SignatureError::Length { expected, actual } => {
            Error::Length { set: definition.name, part: Part::Signature, expected, actual }
        }
        SignatureError::Padding { byte } => {
            Error::Padding { set: definition.name, part: Part::Signature, byte }
        }
        _ => Error::InvalidSignature { set: definition.name },
    };
    // before a long message is hashed
    chain.check(signature).map_err(malformed)?;
    let targets =
        hash::targets(definition.security, message, parameters.equations(), parameters.iterations());
    match chain.verify(signature, &targets, |point, value| key.evaluate(point, value)) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::InvalidSignature { set: definition.name }),
        Err(error) => Err(malformed(error)),
    }
}

/// The back end of every kernel.
pub(super) fn backends() -> Vec<KernelBackend> {
    let mut backends = crate::hfe_backends::backends();
    backends.push(KernelBackend { kernel: "public map", backend: mq_eval::backend::gf2_backend() });
    backends
}
