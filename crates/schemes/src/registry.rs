//! Every parameter set by name, at run time.

use alloc::{boxed::Box, vec, vec::Vec};
use core::marker::PhantomData;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::error::check_length;
use crate::{
    Error, Family, KemScheme, KernelBackend, KeyPairBytes, Part, Progress, SetInfo, SignatureScheme,
    SignedMessageOrder, SigningReport, Sizes,
};

/// A random generator behind a pointer. Failures lose their cause: [`Error::Random`].
pub trait DynRandom {
    /// One request of the specification.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    fn request(&mut self, destination: &mut [u8]) -> Result<(), Error>;
}

impl<R: TryCryptoRng> DynRandom for R {
    fn request(&mut self, destination: &mut [u8]) -> Result<(), Error> {
        self.try_fill_bytes(destination).map_err(|_| Error::Random)
    }
}

/// A [`DynRandom`] seen as a `rand_core` generator again.
struct Erased<'a>(&'a mut dyn DynRandom);

impl rand_core::TryRng for Erased<'_> {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        let mut word = [0; 4];
        self.0.request(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        let mut word = [0; 8];
        self.0.request(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Error> {
        self.0.request(destination)
    }
}

impl TryCryptoRng for Erased<'_> {}

/// An expanded signing key of some registry set.
pub trait DynSigningKey: Send + Sync {
    /// See [`SignatureScheme::sign`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::sign`].
    fn sign(
        &self,
        message: &[u8],
        rng: &mut dyn DynRandom,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error>;
}

/// A prepared verifying key of some registry set.
pub trait DynVerifyingKey: Send + Sync {
    /// See [`SignatureScheme::verify`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::verify`].
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error>;
}

/// A prepared decapsulation key of some registry set.
pub trait DynDecapsulationKey: Send + Sync {
    /// See [`KemScheme::decapsulate`].
    ///
    /// # Errors
    /// Those of [`KemScheme::decapsulate`].
    fn decapsulate(&self, ciphertext: &[u8], shared_secret: &mut [u8]) -> Result<(), Error>;
}

/// The object-safe calls of a signature set; bytes in, bytes out.
pub trait SignatureSet: Sync {
    /// The public facts.
    fn info(&self) -> &'static SetInfo;
    /// Name of the parameter type (`GeMss128R3`), which the family's module exports.
    fn type_name(&self) -> &'static str;
    /// See [`SignatureScheme::backends`].
    fn backends(&self) -> Vec<KernelBackend>;
    /// See [`SignatureScheme::expected_attempts`].
    fn expected_attempts(&self) -> Option<f64> {
        None
    }
    /// See [`SignatureScheme::generate`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::generate`].
    fn generate(&self, rng: &mut dyn DynRandom) -> Result<KeyPairBytes, Error>;
    /// See [`SignatureScheme::generate_with_progress`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::generate`].
    fn generate_with_progress(
        &self,
        rng: &mut dyn DynRandom,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<KeyPairBytes, Error> {
        let _ = progress;
        self.generate(rng)
    }
    /// See [`SignatureScheme::public_from_secret`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::public_from_secret`].
    fn public_from_secret(&self, secret_key: &[u8]) -> Result<Option<Vec<u8>>, Error>;
    /// See [`SignatureScheme::expand_secret_key`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::expand_secret_key`].
    fn signing_key(&self, secret_key: &[u8]) -> Result<Box<dyn DynSigningKey>, Error>;
    /// See [`SignatureScheme::expand_public_key`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::expand_public_key`].
    fn verifying_key(&self, public_key: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error>;
    /// See [`SignatureScheme::sign_once`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::sign_once`].
    fn sign_once(
        &self,
        secret_key: &[u8],
        message: &[u8],
        rng: &mut dyn DynRandom,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error>;
    /// See [`SignatureScheme::verify_once`].
    ///
    /// # Errors
    /// Those of [`SignatureScheme::verify_once`].
    fn verify_once(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error>;
}

impl dyn SignatureSet + '_ {
    /// Length of a signature in bytes.
    #[must_use]
    pub fn signature_len(&self) -> usize {
        match self.info().sizes {
            Sizes::Signature { signature, .. } => signature,
            Sizes::Kem { .. } => 0,
        }
    }

    /// Joins a signature and a message in the scheme's own order.
    #[must_use]
    pub fn join(&self, signature: &[u8], message: &[u8]) -> Vec<u8> {
        match self.info().sizes {
            Sizes::Signature { order: SignedMessageOrder::MessageFirst, .. } => [message, signature].concat(),
            _ => [signature, message].concat(),
        }
    }

    /// Splits a signed message into (signature, message).
    ///
    /// # Errors
    /// [`Error::TooShort`].
    pub fn split<'m>(&self, signed_message: &'m [u8]) -> Result<(&'m [u8], &'m [u8]), Error> {
        let minimum = self.signature_len();
        let too_short = Error::TooShort { set: self.info().name, minimum, actual: signed_message.len() };
        match self.info().sizes {
            Sizes::Signature { order: SignedMessageOrder::MessageFirst, .. } => {
                let cut = signed_message.len().checked_sub(minimum).ok_or(too_short)?;
                let (message, signature) = signed_message.split_at(cut);
                Ok((signature, message))
            }
            _ => signed_message.split_at_checked(minimum).ok_or(too_short),
        }
    }

    /// Verifies a signed message and returns its message part; nothing is released otherwise.
    ///
    /// # Errors
    /// [`Error::TooShort`], and those of [`SignatureSet::verify_once`].
    pub fn open<'m>(&self, public_key: &[u8], signed_message: &'m [u8]) -> Result<&'m [u8], Error> {
        let (signature, message) = self.split(signed_message)?;
        self.verify_once(public_key, message, signature)?;
        Ok(message)
    }
}

/// The object-safe calls of a KEM set; bytes in, bytes out.
pub trait KemSet: Sync {
    /// The public facts.
    fn info(&self) -> &'static SetInfo;
    /// Name of the parameter type (`GeMss128R3`), which the family's module exports.
    fn type_name(&self) -> &'static str;
    /// See [`KemScheme::backends`].
    fn backends(&self) -> Vec<KernelBackend>;
    /// See [`KemScheme::generate_into`].
    ///
    /// # Errors
    /// Those of [`KemScheme::generate_into`].
    fn generate(&self, rng: &mut dyn DynRandom) -> Result<KeyPairBytes, Error>;
    /// See [`KemScheme::public_from_secret`].
    ///
    /// # Errors
    /// Those of [`KemScheme::public_from_secret`].
    fn public_from_secret(&self, secret_key: &[u8]) -> Result<Option<Vec<u8>>, Error>;
    /// See [`KemScheme::expand_secret_key`].
    ///
    /// # Errors
    /// Those of [`KemScheme::expand_secret_key`].
    fn decapsulation_key(&self, secret_key: &[u8]) -> Result<Box<dyn DynDecapsulationKey>, Error>;
    /// See [`KemScheme::encapsulate`].
    ///
    /// # Errors
    /// Those of [`KemScheme::encapsulate`].
    fn encapsulate(
        &self,
        public_key: &[u8],
        rng: &mut dyn DynRandom,
        ciphertext: &mut [u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error>;
    /// See [`KemScheme::decapsulate`].
    ///
    /// # Errors
    /// Those of [`KemScheme::expand_secret_key`] and [`KemScheme::decapsulate`].
    fn decapsulate(
        &self,
        secret_key: &[u8],
        ciphertext: &[u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error>;
}

impl dyn KemSet + '_ {
    /// Length of a ciphertext in bytes.
    #[must_use]
    pub fn ciphertext_len(&self) -> usize {
        match self.info().sizes {
            Sizes::Kem { ciphertext, .. } => ciphertext,
            Sizes::Signature { .. } => 0,
        }
    }

    /// Length of a shared secret in bytes.
    #[must_use]
    pub fn shared_secret_len(&self) -> usize {
        match self.info().sizes {
            Sizes::Kem { shared_secret, .. } => shared_secret,
            Sizes::Signature { .. } => 0,
        }
    }
}

fn last_segment(path: &'static str) -> &'static str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The registry entry of a parameter type.
#[derive(Clone, Copy, Debug)]
pub struct Entry<P>(PhantomData<P>);

impl<P> Entry<P> {
    /// The entry of `P`.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<P> Default for Entry<P> {
    fn default() -> Self {
        Self::new()
    }
}

struct SigningKeyOf<P: SignatureScheme>(P::ExpandedSecretKey);

impl<P: SignatureScheme> DynSigningKey for SigningKeyOf<P> {
    fn sign(
        &self,
        message: &[u8],
        rng: &mut dyn DynRandom,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        P::sign(&self.0, message, &mut Erased(rng), signature)
    }
}

struct VerifyingKeyOf<P: SignatureScheme>(P::ExpandedPublicKey);

impl<P: SignatureScheme> DynVerifyingKey for VerifyingKeyOf<P> {
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        P::verify(&self.0, message, signature)
    }
}

impl<P: SignatureScheme> SignatureSet for Entry<P> {
    fn info(&self) -> &'static SetInfo {
        const { &P::INFO }
    }
    fn type_name(&self) -> &'static str {
        last_segment(core::any::type_name::<P>())
    }
    fn backends(&self) -> Vec<KernelBackend> {
        P::backends()
    }
    fn expected_attempts(&self) -> Option<f64> {
        P::expected_attempts()
    }
    fn generate(&self, rng: &mut dyn DynRandom) -> Result<KeyPairBytes, Error> {
        P::generate(&mut Erased(rng))
    }
    fn generate_with_progress(
        &self,
        rng: &mut dyn DynRandom,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<KeyPairBytes, Error> {
        P::generate_with_progress(&mut Erased(rng), progress)
    }
    fn public_from_secret(&self, secret_key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        P::public_from_secret(secret_key)
    }
    fn signing_key(&self, secret_key: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(SigningKeyOf::<P>(P::expand_secret_key(secret_key)?)))
    }
    fn verifying_key(&self, public_key: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        Ok(Box::new(VerifyingKeyOf::<P>(P::expand_public_key(public_key)?)))
    }
    fn sign_once(
        &self,
        secret_key: &[u8],
        message: &[u8],
        rng: &mut dyn DynRandom,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        P::sign_once(secret_key, message, &mut Erased(rng), signature)
    }
    fn verify_once(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
        P::verify_once(public_key, message, signature)
    }
}

struct DecapsulationKeyOf<P: KemScheme>(P::ExpandedSecretKey);

impl<P: KemScheme> DynDecapsulationKey for DecapsulationKeyOf<P> {
    fn decapsulate(&self, ciphertext: &[u8], shared_secret: &mut [u8]) -> Result<(), Error> {
        P::decapsulate(&self.0, ciphertext, shared_secret)
    }
}

impl<P: KemScheme> KemSet for Entry<P> {
    fn info(&self) -> &'static SetInfo {
        const { &P::INFO }
    }
    fn type_name(&self) -> &'static str {
        last_segment(core::any::type_name::<P>())
    }
    fn backends(&self) -> Vec<KernelBackend> {
        P::backends()
    }
    fn generate(&self, rng: &mut dyn DynRandom) -> Result<KeyPairBytes, Error> {
        let mut public = vec![0; P::INFO.public_key];
        let secret: Zeroizing<Vec<u8>> = P::generate_into(&mut Erased(rng), &mut public)?;
        Ok(KeyPairBytes { public, secret: secret.into() })
    }
    fn public_from_secret(&self, secret_key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        P::public_from_secret(secret_key)
    }
    fn decapsulation_key(&self, secret_key: &[u8]) -> Result<Box<dyn DynDecapsulationKey>, Error> {
        Ok(Box::new(DecapsulationKeyOf::<P>(P::expand_secret_key(secret_key)?)))
    }
    fn encapsulate(
        &self,
        public_key: &[u8],
        rng: &mut dyn DynRandom,
        ciphertext: &mut [u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error> {
        P::encapsulate(public_key, &mut Erased(rng), ciphertext, shared_secret)
    }
    fn decapsulate(
        &self,
        secret_key: &[u8],
        ciphertext: &[u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error> {
        check_length(P::INFO.name, Part::SecretKey, secret_key, P::INFO.secret_key)?;
        P::decapsulate(&P::expand_secret_key(secret_key)?, ciphertext, shared_secret)
    }
}

/// A registry entry.
#[derive(Clone, Copy)]
pub enum Set {
    /// A signature set.
    Signature(&'static dyn SignatureSet),
    /// A KEM set.
    Kem(&'static dyn KemSet),
}

impl Set {
    /// The public facts.
    #[must_use]
    pub fn info(&self) -> &'static SetInfo {
        match self {
            Set::Signature(set) => set.info(),
            Set::Kem(set) => set.info(),
        }
    }

    /// The back end that each kernel would use here.
    #[must_use]
    pub fn backends(&self) -> Vec<KernelBackend> {
        match self {
            Set::Signature(set) => set.backends(),
            Set::Kem(set) => set.backends(),
        }
    }
}

impl core::fmt::Debug for Set {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.info().name)
    }
}

/// Why a lookup failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// No set has this name.
    #[error("no parameter set is called {0:?}")]
    Unknown(alloc::string::String),
    /// The name was used for several rounds or packages.
    #[error("{name:?} was used more than once; one of {candidates:?} is meant")]
    Ambiguous {
        /// The name asked for.
        name: alloc::string::String,
        /// The sets it could mean.
        candidates: Vec<&'static str>,
    },
}

fn every_set() -> impl Iterator<Item = Set> {
    static FAMILIES: &[&[Set]] = &[
        #[cfg(feature = "gemss")]
        crate::gemss::SETS,
        #[cfg(feature = "gui")]
        crate::gui::SETS,
        #[cfg(feature = "dualmodems")]
        crate::dualmodems::SETS,
        #[cfg(feature = "uov")]
        crate::uov::SETS,
        #[cfg(feature = "mayo")]
        crate::mayo::SETS,
        #[cfg(feature = "qruov")]
        crate::qruov::SETS,
        #[cfg(feature = "mceliece")]
        crate::mceliece::SETS,
    ];
    FAMILIES.iter().copied().flatten().copied()
}

/// Every listed set (no toys), family by family.
pub fn all() -> impl Iterator<Item = Set> {
    every_set().filter(|set| set.info().listed)
}

/// The listed sets of one family.
pub fn family(family: Family) -> impl Iterator<Item = Set> {
    all().filter(move |set| set.info().family == family)
}

/// Finds a set by name or alias, case ignored; toys included.
///
/// # Errors
/// [`LookupError::Unknown`]; [`LookupError::Ambiguous`] for a bare name that several rounds reused, given without its suffix
/// (an alias that more than one set carries).
pub fn find(name: &str) -> Result<Set, LookupError> {
    if let Some(set) = every_set().find(|set| set.info().name.eq_ignore_ascii_case(name)) {
        return Ok(set);
    }
    let found: Vec<Set> = every_set()
        .filter(|set| set.info().aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name)))
        .collect();
    match found.as_slice() {
        [] => Err(LookupError::Unknown(name.into())),
        [set] => Ok(*set),
        several => Err(LookupError::Ambiguous {
            name: name.into(),
            candidates: several.iter().map(|set| set.info().name).collect(),
        }),
    }
}
