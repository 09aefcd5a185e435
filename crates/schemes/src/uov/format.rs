//! The three key formats over the core of [`uov_family::uov`].

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use mq_eval::packed::Engine;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use uov_family::uov::{self, CompactSecret, ExpandedSecret, Parameters, PublicCoefficients, PublicPart};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::error::check_length;
use crate::{Error, KernelBackend, KeyPairBytes, Part, SecretBytes, SetInfo, SigningReport};

/// Which parts of a key are stored and which are made from seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Both keys expanded.
    Classic,
    /// Compressed public key, expanded secret key.
    Pkc,
    /// Both keys compressed.
    PkcSkc,
}

impl Format {
    pub(super) const fn compact_public(self) -> bool {
        !matches!(self, Self::Classic)
    }

    pub(super) const fn compact_secret(self) -> bool {
        matches!(self, Self::PkcSkc)
    }
}

/// The expanded secret key of a set; wiped when dropped. Its bytes are those of the classic format, but no key type parses
/// them.
pub struct ExpandedSecretKey<P> {
    bytes: SecretBytes,
    set: PhantomData<P>,
}

impl<P> ZeroizeOnDrop for ExpandedSecretKey<P> {}

/// The expanded public key of a set: P1 ‖ P2 ‖ P3.
#[derive(Clone)]
pub struct ExpandedPublicKey<P> {
    bytes: Vec<u8>,
    set: PhantomData<P>,
}

/// What the macro of [`super::sets`] forwards to: every call gets the facts of the set and its format.
pub(super) struct Set<'a> {
    pub(super) info: &'a SetInfo,
    pub(super) format: Format,
}

fn seed_of(bytes: &[u8]) -> [u8; uov::SECRET_SEED] {
    let mut seed = [0; uov::SECRET_SEED];
    seed.copy_from_slice(&bytes[..uov::SECRET_SEED]);
    seed
}

impl Set<'_> {
    fn name(&self) -> &'static str {
        self.info.name
    }

    fn check_secret(&self, bytes: &[u8]) -> Result<(), Error> {
        check_length(self.name(), Part::SecretKey, bytes, self.info.secret_key)
    }

    pub(super) fn generate<P: Parameters, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> Result<KeyPairBytes, Error> {
        let mut seed = Zeroizing::new([0; uov::SECRET_SEED]);
        rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
        Ok(self.keys_of_seed::<P>(&seed))
    }

    fn keys_of_seed<P: Parameters>(&self, seed: &[u8; uov::SECRET_SEED]) -> KeyPairBytes {
        let engine = Engine::detect();
        if self.format.compact_secret() {
            let parts = uov::generate_compact::<P>(engine, seed);
            let public = [&parts.public_seed[..], &parts.p3].concat();
            return KeyPairBytes { public, secret: SecretBytes::from(&seed[..]) };
        }
        let part = if self.format.compact_public() { PublicPart::P3 } else { PublicPart::All };
        let mut secret = SecretBytes::zeros(ExpandedSecret::<P>::len());
        let (public_seed, mut public) = uov::generate_expanded::<P>(engine, seed, part, &mut secret);
        if self.format.compact_public() {
            public = [&public_seed[..], &public].concat();
        }
        KeyPairBytes { public, secret }
    }

    pub(super) fn expand_secret_key<P: Parameters>(
        &self,
        bytes: &[u8],
    ) -> Result<ExpandedSecretKey<P>, Error> {
        self.check_secret(bytes)?;
        let bytes = if self.format.compact_secret() {
            uov::expanded_secret_bytes::<P>(Engine::detect(), &Zeroizing::new(seed_of(bytes)))
        } else {
            SecretBytes::from(bytes)
        };
        Ok(ExpandedSecretKey { bytes, set: PhantomData })
    }

    pub(super) fn expand_public_key<P: Parameters>(
        &self,
        bytes: &[u8],
    ) -> Result<ExpandedPublicKey<P>, Error> {
        check_length(self.name(), Part::PublicKey, bytes, self.info.public_key)?;
        let bytes = match bytes.split_first_chunk() {
            Some((seed, p3)) if self.format.compact_public() => {
                let start = P::shape().p1_bytes() + P::shape().p2_bytes();
                let mut expanded = vec![0; start + p3.len()];
                uov::expand_public_seed(seed, &mut expanded[..start]);
                expanded[start..].copy_from_slice(p3);
                expanded
            }
            _ => bytes.to_vec(),
        };
        Ok(ExpandedPublicKey { bytes, set: PhantomData })
    }

    pub(super) fn public_from_secret<P: Parameters>(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.check_secret(bytes)?;
        let pair = self.keys_of_seed::<P>(&Zeroizing::new(seed_of(bytes)));
        if !bool::from(pair.secret.ct_eq(bytes)) {
            return Err(Error::Inconsistent {
                set: self.name(),
                part: Part::SecretKey,
                what: "O, P1 or S does not belong to the seed",
            });
        }
        Ok(Some(pair.public))
    }

    fn sign_with<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        signature: &mut [u8],
        expected: usize,
        sign: impl FnOnce(&[u8; uov::SALT], &mut [u8]) -> Option<u64>,
    ) -> Result<SigningReport, Error> {
        check_length(self.name(), Part::Signature, signature, expected)?;
        let mut salt = [0; uov::SALT];
        rng.try_fill_bytes(&mut salt).map_err(|_| Error::Random)?;
        let attempts = sign(&salt, signature)
            .ok_or(Error::AttemptsExhausted { set: self.name(), attempts: uov::ATTEMPTS })?;
        Ok(SigningReport { attempts })
    }

    pub(super) fn sign<P: Parameters, R: TryCryptoRng + ?Sized>(
        &self,
        key: &ExpandedSecretKey<P>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        self.sign_expanded::<P, R>(&key.bytes, message, rng, signature)
    }

    fn sign_expanded<P: Parameters, R: TryCryptoRng + ?Sized>(
        &self,
        bytes: &[u8],
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        let key = ExpandedSecret::<P>::parse(Engine::detect(), bytes).ok_or(Error::Length {
            set: self.name(),
            part: Part::SecretKey,
            expected: ExpandedSecret::<P>::len(),
            actual: bytes.len(),
        })?;
        self.sign_with(rng, signature, P::signature_bytes(), |salt, signature| {
            key.sign(message, salt, signature)
        })
    }

    pub(super) fn sign_once<P: Parameters, R: TryCryptoRng + ?Sized>(
        &self,
        secret_key: &[u8],
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        self.check_secret(secret_key)?;
        if !self.format.compact_secret() {
            return self.sign_expanded::<P, R>(secret_key, message, rng, signature);
        }
        self.sign_with(rng, signature, P::signature_bytes(), |salt, signature| {
            let seed = Zeroizing::new(seed_of(secret_key));
            CompactSecret::<P>::new(Engine::detect(), &seed).sign(message, salt, signature)
        })
    }

    fn verify_with<P: Parameters>(
        &self,
        coefficients: PublicCoefficients<'_>,
        p3: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        check_length(self.name(), Part::Signature, signature, P::signature_bytes())?;
        uov::verify::<P>(Engine::detect(), coefficients, p3, message, signature)
            .map_err(|_| Error::InvalidSignature { set: self.name() })
    }

    pub(super) fn verify<P: Parameters>(
        &self,
        bytes: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        let (coefficients, p3) = bytes.split_at(bytes.len() - P::shape().p3_bytes());
        self.verify_with::<P>(PublicCoefficients::Stored(coefficients), p3, message, signature)
    }

    pub(super) fn verify_once<P: Parameters>(
        &self,
        bytes: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        check_length(self.name(), Part::PublicKey, bytes, self.info.public_key)?;
        match bytes.split_first_chunk() {
            Some((seed, p3)) if self.format.compact_public() => {
                self.verify_with::<P>(PublicCoefficients::Seed(seed), p3, message, signature)
            }
            _ => self.verify::<P>(bytes, message, signature),
        }
    }
}

impl<P> ExpandedPublicKey<P> {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

pub(super) fn backends() -> Vec<KernelBackend> {
    vec![
        KernelBackend { kernel: "products of cells", backend: Engine::detect().name() },
        KernelBackend { kernel: "AES-128 keystream", backend: "VAES, or what the aes crate chooses" },
    ]
}
