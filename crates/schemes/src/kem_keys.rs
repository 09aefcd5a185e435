//! Typed keys of every KEM set, with the `kem` traits.
//!
//! [`EncapsulationKey`] holds a public key in its official bytes, on the heap and shared by clones; [`DecapsulationKey`] a whole key pair with
//! the secret key prepared for many decapsulations. Both parse from and print to exactly the official bytes.
//!
//! The `kem` traits describe a public key as an array whose length is a type-level number, passed by value. Keys of a megabyte have no
//! such array type, and none could live on an ordinary stack. So [`KeyExport::to_bytes`] and [`TryKeyInit::new`] of
//! [`EncapsulationKey`] deal in empty arrays (the latter always refuses): use [`EncapsulationKey::as_bytes`], and
//! [`EncapsulationKey::from_bytes`] or [`TryKeyInit::new_from_slice`], which take the official bytes.

use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use kem::common::typenum::consts::U0;
use kem::{
    Ciphertext, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport, KeySizeUser, SharedKey,
    TryDecapsulate, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng, TryRng};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::{Error, KemScheme, SecretBytes, Sizes};

/// Lengths of (ciphertext, shared secret) of a set.
const fn lengths<P: KemScheme>() -> (usize, usize) {
    match P::INFO.sizes {
        Sizes::Kem { ciphertext, shared_secret } => (ciphertext, shared_secret),
        Sizes::Signature { .. } => (0, 0),
    }
}

/// A public key of the set `P` in its official bytes. Clones share them.
pub struct EncapsulationKey<P: KemScheme> {
    bytes: Arc<[u8]>,
    set: PhantomData<P>,
}

impl<P: KemScheme> EncapsulationKey<P> {
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

    /// Encapsulates: (ciphertext, shared secret). Constant time as [`KemScheme::encapsulate`].
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::AttemptsExhausted`].
    #[allow(clippy::type_complexity)]
    pub fn try_encapsulate<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> Result<(Vec<u8>, Zeroizing<Vec<u8>>), Error> {
        let (ciphertext, shared_secret) = lengths::<P>();
        let (mut ciphertext, mut shared_secret) =
            (vec![0; ciphertext], Zeroizing::new(vec![0; shared_secret]));
        P::encapsulate(&self.bytes, rng, &mut ciphertext, &mut shared_secret)?;
        Ok((ciphertext, shared_secret))
    }
}

impl<P: KemScheme> Clone for EncapsulationKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), set: PhantomData }
    }
}

impl<P: KemScheme> PartialEq for EncapsulationKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: KemScheme> Eq for EncapsulationKey<P> {}

impl<P: KemScheme> core::fmt::Debug for EncapsulationKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EncapsulationKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

/// A key pair of the set `P`: the official secret key, prepared for decapsulating, and the public key. Wiped when dropped.
pub struct DecapsulationKey<P: KemScheme> {
    secret: SecretBytes,
    expanded: P::ExpandedSecretKey,
    public: EncapsulationKey<P>,
}

impl<P: KemScheme> DecapsulationKey<P> {
    /// Makes a new key pair.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::AttemptsExhausted`].
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut public = vec![0; P::INFO.public_key];
        let secret = P::generate_into(rng, &mut public)?;
        let expanded = P::expand_secret_key(&secret)?;
        Ok(Self {
            secret: secret.into(),
            expanded,
            public: EncapsulationKey { bytes: public.into(), set: PhantomData },
        })
    }

    /// Parses a secret key and recomputes its public key.
    ///
    /// # Errors
    /// The reason why the bytes are no secret key; [`Error::Inconsistent`] where it does not determine the public key.
    pub fn from_secret_bytes(secret: &[u8]) -> Result<Self, Error> {
        let public = P::public_from_secret(secret)?.ok_or(Error::Inconsistent {
            set: P::INFO.name,
            part: crate::Part::SecretKey,
            what: "the secret key does not determine the public key",
        })?;
        Self::from_key_pair_bytes(secret, &public)
    }

    /// Parses a secret and a public key; does not check that they belong together.
    ///
    /// # Errors
    /// The reason why the bytes are no keys of this set.
    pub fn from_key_pair_bytes(secret: &[u8], public: &[u8]) -> Result<Self, Error> {
        let expanded = P::expand_secret_key(secret)?;
        let public = EncapsulationKey::from_bytes(public)?;
        Ok(Self { secret: SecretBytes::from(secret), expanded, public })
    }

    /// The official bytes of the secret key.
    #[must_use]
    pub fn secret_bytes(&self) -> &[u8] {
        &self.secret
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> &EncapsulationKey<P> {
        &self.public
    }

    /// Decapsulates; a well-formed ciphertext that nobody made gives the implicit-rejection secret, in the same time.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Padding`].
    pub fn decapsulate_bytes(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut shared_secret = Zeroizing::new(vec![0; lengths::<P>().1]);
        P::decapsulate(&self.expanded, ciphertext, &mut shared_secret)?;
        Ok(shared_secret)
    }
}

impl<P: KemScheme> core::fmt::Debug for DecapsulationKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DecapsulationKey").field("set", &P::INFO.name).finish_non_exhaustive()
    }
}

impl<P: KemScheme> ZeroizeOnDrop for DecapsulationKey<P> {}

/// A generator that keeps the error that [`Error::Random`] loses.
struct Keeping<'a, R: TryRng + ?Sized> {
    rng: &'a mut R,
    error: Option<R::Error>,
}

/// See [`Keeping`]: the error itself is kept there.
#[derive(Debug, thiserror::Error)]
#[error("the random generator failed")]
struct Kept;

impl<R: TryRng + ?Sized> Keeping<'_, R> {
    fn keep<T>(&mut self, result: Result<T, R::Error>) -> Result<T, Kept> {
        result.map_err(|error| {
            self.error = Some(error);
            Kept
        })
    }
}

impl<R: TryRng + ?Sized> TryRng for Keeping<'_, R> {
    type Error = Kept;
    fn try_next_u32(&mut self) -> Result<u32, Kept> {
        let word = self.rng.try_next_u32();
        self.keep(word)
    }
    fn try_next_u64(&mut self) -> Result<u64, Kept> {
        let word = self.rng.try_next_u64();
        self.keep(word)
    }
    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Kept> {
        let done = self.rng.try_fill_bytes(destination);
        self.keep(done)
    }
}

impl<R: TryCryptoRng + ?Sized> TryCryptoRng for Keeping<'_, R> {}

impl<P: KemScheme> Generate for DecapsulationKey<P> {
    /// # Panics
    /// If key generation uses up its attempts, which it does with probability below 2^-2000 and with no generator that anyone
    /// can name. [`DecapsulationKey::try_generate`] has an error for it.
    #[allow(clippy::panic)]
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut keeping = Keeping { rng, error: None };
        match Self::try_generate(&mut keeping) {
            Ok(key) => Ok(key),
            Err(reason) => match keeping.error {
                Some(error) => Err(error),
                None => panic!("{reason}"),
            },
        }
    }
}

impl<P: KemScheme> KeySizeUser for EncapsulationKey<P> {
    /// Empty: see the module documentation.
    type KeySize = U0;
}

impl<P: KemScheme> TryKeyInit for EncapsulationKey<P> {
    /// Always refuses: see the module documentation.
    fn new(_key: &Key<Self>) -> Result<Self, InvalidKey> {
        Err(InvalidKey)
    }

    /// Parses the official bytes.
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }
}

impl<P: KemScheme> KeyExport for EncapsulationKey<P> {
    /// Empty: see the module documentation.
    fn to_bytes(&self) -> Key<Self> {
        Key::<Self>::default()
    }
}

impl<P: KemScheme + Kem<EncapsulationKey = Self>> Encapsulate for EncapsulationKey<P> {
    type Kem = P;

    /// # Panics
    /// If the generator is stuck, so that no error of the right weight can be drawn from it: the trait leaves no other way out.
    /// [`EncapsulationKey::try_encapsulate`] has an error for it.
    #[allow(clippy::panic)]
    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedKey<P>) {
        let (mut ciphertext, mut shared_secret) = (Ciphertext::<P>::default(), SharedKey::<P>::default());
        match P::encapsulate(&self.bytes, rng, &mut ciphertext, &mut shared_secret) {
            Ok(()) => (ciphertext, shared_secret),
            Err(reason) => panic!("{reason}"),
        }
    }
}

impl<P: KemScheme + Kem<EncapsulationKey = EncapsulationKey<P>>> Decapsulator for DecapsulationKey<P> {
    type Kem = P;
    fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.public
    }
}

impl<P: KemScheme + Kem<EncapsulationKey = EncapsulationKey<P>>> TryDecapsulate for DecapsulationKey<P> {
    type Error = Error;
    fn try_decapsulate(&self, ciphertext: &Ciphertext<P>) -> Result<SharedKey<P>, Error> {
        let mut shared_secret = SharedKey::<P>::default();
        P::decapsulate(&self.expanded, ciphertext, &mut shared_secret)?;
        Ok(shared_secret)
    }
}

/// Implements [`Kem`] for a set: its type, and the type-level lengths of ciphertext and shared secret.
macro_rules! kem_traits {
    ($($type:ty: $ciphertext:ident, $shared_secret:ident;)+) => {
        $(
            impl kem::Kem for $type {
                type DecapsulationKey = $crate::kem_keys::DecapsulationKey<Self>;
                type EncapsulationKey = $crate::kem_keys::EncapsulationKey<Self>;
                type SharedKeySize = kem::consts::$shared_secret;
                type CiphertextSize = kem::consts::$ciphertext;
            }

            const _: () = {
                use kem::common::typenum::Unsigned;
                let lengths = match <$type as $crate::KemScheme>::INFO.sizes {
                    $crate::Sizes::Kem { ciphertext, shared_secret } => (ciphertext, shared_secret),
                    $crate::Sizes::Signature { .. } => (0, 0),
                };
                assert!(lengths.0 == kem::consts::$ciphertext::USIZE);
                assert!(lengths.1 == kem::consts::$shared_secret::USIZE);
            };
        )+
    };
}

pub(crate) use kem_traits;
