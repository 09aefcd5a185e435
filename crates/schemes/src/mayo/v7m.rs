//! The sets of "MAYO: Optimized Implementation with Revised Parameters for ARMv7-M" (ePrint 2023/540), as the artefact defines
//! their bytes. Not the official MAYO.
//!
//! Keys are expanded. Public key: E ‖ P, an upper triangle of 66 variables row by row. Secret key: E ‖ P1 ‖ oil space (o packed
//! rows of v elements) ‖ S. E is a 32-byte seed, or all matrices (new-1). Signature: salt (32) ‖ k blocks of 33 bytes.
//! Padding nibbles (m = 67: of every m-vector outside E; v odd: of every oil row) must be zero; those of E are ignored.

use alloc::vec::Vec;
use core::marker::PhantomData;
use gf2n::secret::SecretBytes;

use mq_eval::packed::Engine;
use rand_core::TryCryptoRng;
use uov_family::mayo::artefact::{self, Parameters, Public, Secret};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::nist::backends;
use crate::error::check_length;
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, Part, SetInfo, SignatureScheme, SignedMessageOrder,
    SigningReport, Sizes, Status, Verdict,
};

const STATUS: Status = Status {
    verdict: Verdict::Superseded,
    date: "2026-11-30",
    source: "ePrint 2023/540 (research parameters of the first MAYO; replaced by the NIST rounds)",
};

/// A secret key with its matrices E expanded. Wiped when dropped.
pub struct ExpandedSecretKey<P> {
    bytes: SecretBytes,
    matrices: Vec<u8>,
    set: PhantomData<P>,
}

impl<P> ZeroizeOnDrop for ExpandedSecretKey<P> {}

/// A public key with its matrices E expanded.
#[derive(Clone)]
pub struct ExpandedPublicKey<P> {
    bytes: Vec<u8>,
    matrices: Vec<u8>,
    set: PhantomData<P>,
}

macro_rules! sets {
    ($($type:ident $name:literal $aliases:expr, $header:literal ($m:literal $o:literal $k:literal) $compact:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: MAYO for ARMv7-M (ePrint 2023/540).")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type;

            impl Parameters for $type {
                const M: usize = $m;
                const O: usize = $o;
                const K: usize = $k;
                const COMPACT_E: bool = $compact;
            }

            impl $type {
                fn check_secret_key(bytes: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::SecretKey, bytes, Self::SECRET_KEY)?;
                    match artefact::secret_padding::<Self>(bytes) {
                        Some(byte) => Err(Error::Padding { set: $name, part: Part::SecretKey, byte }),
                        None => Ok(()),
                    }
                }

                fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::PublicKey, bytes, Self::PUBLIC_KEY)?;
                    match artefact::public_padding::<Self>(bytes) {
                        Some(byte) => Err(Error::Padding { set: $name, part: Part::PublicKey, byte }),
                        None => Ok(()),
                    }
                }

                fn sign_with<R: TryCryptoRng + ?Sized>(
                    secret: Option<Secret<'_>>,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    check_length($name, Part::Signature, signature, Self::SIGNATURE)?;
                    // the length of the key was checked before
                    let length = Error::Length {
                        set: $name,
                        part: Part::SecretKey,
                        expected: Self::SECRET_KEY,
                        actual: 0,
                    };
                    let draw = |bytes: &mut [u8]| rng.try_fill_bytes(bytes).map_err(|_| Error::Random);
                    match secret.ok_or(length)?.sign::<Self, Error>(Engine::detect(), message, draw, signature) {
                        Ok(attempts) => Ok(SigningReport { attempts }),
                        Err(uov_family::Error::Random(error)) => Err(error),
                        Err(uov_family::Error::AttemptsExhausted { attempts }) => {
                            Err(Error::AttemptsExhausted { set: $name, attempts })
                        }
                    }
                }

                fn verify_with(public: Option<Public<'_>>, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::Signature, signature, Self::SIGNATURE)?;
                    public
                        .and_then(|public| public.verify::<Self>(Engine::detect(), message, signature).ok())
                        .ok_or(Error::InvalidSignature { set: $name })
                }
            }

            impl SignatureScheme for $type {
                const INFO: SetInfo = SetInfo {
                    name: $name,
                    aliases: &$aliases,
                    family: Family::Mayo,
                    version: "ePrint 2023/540, artefact of July 2023",
                    level: 1,
                    origin: Origin::Official,
                    status: STATUS,
                    public_key: Self::PUBLIC_KEY,
                    secret_key: Self::SECRET_KEY,
                    sizes: Sizes::Signature {
                        signature: Self::SIGNATURE,
                        order: SignedMessageOrder::SignatureFirst,
                    },
                    kat_header: $header,
                    listed: true,
                };

                type ExpandedSecretKey = ExpandedSecretKey<Self>;
                type ExpandedPublicKey = ExpandedPublicKey<Self>;

                fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                    let mut seed = Zeroizing::new([0; artefact::SEED]);
                    rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
                    let (public, secret) = artefact::generate::<Self>(Engine::detect(), &seed);
                    Ok(KeyPairBytes { public, secret: secret.into() })
                }
                fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                    Self::check_secret_key(bytes)?;
                    let matrices = artefact::matrices::<Self>(bytes).unwrap_or_default();
                    Ok(ExpandedSecretKey { bytes: SecretBytes::from(bytes), matrices, set: PhantomData })
                }
                fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                    Self::check_public_key(bytes)?;
                    let matrices = artefact::matrices::<Self>(bytes).unwrap_or_default();
                    Ok(ExpandedPublicKey { bytes: bytes.to_vec(), matrices, set: PhantomData })
                }
                /// The secret key holds P1, O and S but not P2 and P3 themselves: P2 = S - (P1 + P1^T) O.
                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    Self::expand_secret_key(bytes)?;
                    Ok(artefact::public_key::<Self>(Engine::detect(), bytes))
                }
                fn sign<R: TryCryptoRng + ?Sized>(
                    key: &Self::ExpandedSecretKey,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    let secret = Secret::parse::<Self>(&key.bytes, &key.matrices);
                    Self::sign_with(secret, message, rng, signature)
                }
                /// The key is not copied, and matrices that it holds as a seed are not expanded all at once where memory counts.
                fn sign_once<R: TryCryptoRng + ?Sized>(
                    secret_key: &[u8],
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    if !matches!(Engine::detect(), Engine::Words32) {
                        return Self::sign(&Self::expand_secret_key(secret_key)?, message, rng, signature);
                    }
                    Self::check_secret_key(secret_key)?;
                    Self::sign_with(Secret::borrow::<Self>(secret_key), message, rng, signature)
                }
                fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::verify_with(Public::parse::<Self>(&key.bytes, &key.matrices), message, signature)
                }
                fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::check_public_key(public_key)?;
                    Self::verify_with(Public::borrow::<Self>(public_key), message, signature)
                }
                fn backends() -> Vec<KernelBackend> {
                    let mut backends = backends();
                    backends.truncate(1);
                    backends
                }
            }
        )+
    };
}

sets! {
    MayoV7mOrig1 "MAYO-v7m-orig-1" ["mayo-orig-1"], "mayo-orig-1 (revised-parameter artefact, NIST DRBG as randombytes)"
        (67 5 14) true;
    MayoV7mNew1 "MAYO-v7m-new-1" ["mayo-new-1"], "mayo-new-1 (revised-parameter artefact, NIST DRBG as randombytes)"
        (64 7 10) false;
    MayoV7mNew1K14 "MAYO-v7m-new-1-k14" ["mayo-new-1-k14"],
        "mayo-new-1-k14 (revised-parameter artefact, NIST DRBG as randombytes)" (64 7 14) true;
}
