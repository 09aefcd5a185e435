//! The eight sets of the NIST process.

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use mq_eval::packed::Engine;
use rand_core::TryCryptoRng;
use uov_family::mayo::Schedule;
use uov_family::mayo::nist::{self, ExpandedPublic, ExpandedSecret, Parameters};
use uov_family::mayo::schedule::{BLOCKS_5, BLOCKS_10, BLOCKS_11, BLOCKS_12};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::error::check_length;
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, Part, SetInfo, SignatureScheme, SignedMessageOrder,
    SigningReport, Sizes, Status, Verdict,
};

const ROUND_2: Status = Status {
    verdict: Verdict::Superseded,
    date: "2026-11-30",
    source: "MAYO submission, NIST additional signatures: parameters and equations changed for round 3 (August 2026); \
             ePrint 2026/2247 estimates forgery 18 bits (level 1) and 16 bits (level 3) cheaper than claimed",
};
const ROUND_3_ESTIMATED: Status = Status {
    verdict: Verdict::AttackClaimed,
    date: "2026-11-30",
    source: "ePrint 2026/2247 estimates forgery 6, 4 and 2 bits cheaper than claimed for MAYO-1, -2 and -3 of round 3",
};
const ROUND_3: Status = Status {
    verdict: Verdict::NoKnownAttack,
    date: "2026-11-30",
    source: "MAYO submission, NIST additional signatures, round 3 (August 2026)",
};

/// The expanded secret key of a set: P1 and L in memory. Wiped when dropped.
pub struct ExpandedSecretKey<P> {
    key: ExpandedSecret,
    set: PhantomData<P>,
}

impl<P> ZeroizeOnDrop for ExpandedSecretKey<P> {}

/// The expanded public key of a set: P1, P2, P3 in memory.
#[derive(Clone)]
pub struct ExpandedPublicKey<P> {
    key: ExpandedPublic,
    set: PhantomData<P>,
}

pub(super) fn backends() -> Vec<KernelBackend> {
    vec![
        KernelBackend { kernel: "products of cells", backend: Engine::detect().name() },
        KernelBackend { kernel: "AES-128 keystream", backend: "VAES, or what the aes crate chooses" },
    ]
}

macro_rules! sets {
    ($($type:ident $name:literal $aliases:expr, $version:literal $level:literal $status:ident $header:literal
        ($n:literal $m:literal $o:literal $k:literal) $salt:literal $digest:literal $tail:expr, $schedule:expr;)+) => {
        $(
            #[doc = concat!("`", $name, "`: MAYO, ", $version, ".")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type;

            impl Parameters for $type {
                const N: usize = $n;
                const M: usize = $m;
                const O: usize = $o;
                const K: usize = $k;
                const SALT: usize = $salt;
                const DIGEST: usize = $digest;
                const TAIL: [u8; 4] = $tail;
                const SCHEDULE: Schedule = $schedule;
            }

            impl $type {
                fn sign_with<R: TryCryptoRng + ?Sized>(
                    rng: &mut R,
                    signature: &mut [u8],
                    sign: impl FnOnce(&[u8], &mut [u8]) -> Option<u64>,
                ) -> Result<SigningReport, Error> {
                    check_length($name, Part::Signature, signature, Self::SIGNATURE)?;
                    let mut random = Zeroizing::new([0; $salt]);
                    rng.try_fill_bytes(&mut *random).map_err(|_| Error::Random)?;
                    let attempts = sign(&*random, signature)
                        .ok_or(Error::AttemptsExhausted { set: $name, attempts: nist::ATTEMPTS })?;
                    Ok(SigningReport { attempts })
                }
            }

            impl SignatureScheme for $type {
                const INFO: SetInfo = SetInfo {
                    name: $name,
                    aliases: &$aliases,
                    family: Family::Mayo,
                    version: $version,
                    level: $level,
                    origin: Origin::Official,
                    status: $status,
                    public_key: Self::PUBLIC_KEY,
                    secret_key: $salt,
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
                    let mut secret = Zeroizing::new(vec![0; $salt]);
                    rng.try_fill_bytes(&mut secret).map_err(|_| Error::Random)?;
                    let public = nist::public_key::<Self>(Engine::detect(), &secret);
                    Ok(KeyPairBytes { public, secret: secret.into() })
                }
                fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                    check_length($name, Part::SecretKey, bytes, $salt)?;
                    let key = ExpandedSecret::new::<Self>(Engine::detect(), bytes);
                    Ok(ExpandedSecretKey { key, set: PhantomData })
                }
                fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                    let length = Error::Length {
                        set: $name,
                        part: Part::PublicKey,
                        expected: Self::PUBLIC_KEY,
                        actual: bytes.len(),
                    };
                    let key = ExpandedPublic::new::<Self>(Engine::detect(), bytes).ok_or(length)?;
                    Ok(ExpandedPublicKey { key, set: PhantomData })
                }
                fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::PublicKey, bytes, Self::PUBLIC_KEY)
                }
                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    check_length($name, Part::SecretKey, bytes, $salt)?;
                    Ok(Some(nist::public_key::<Self>(Engine::detect(), bytes)))
                }
                fn sign<R: TryCryptoRng + ?Sized>(
                    key: &Self::ExpandedSecretKey,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    Self::sign_with(rng, signature, |random, signature| {
                        key.key.sign::<Self>(message, random, signature)
                    })
                }
                fn sign_once<R: TryCryptoRng + ?Sized>(
                    secret_key: &[u8],
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    check_length($name, Part::SecretKey, secret_key, $salt)?;
                    Self::sign_with(rng, signature, |random, signature| {
                        nist::sign::<Self>(Engine::detect(), secret_key, message, random, signature)
                    })
                }
                fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::Signature, signature, Self::SIGNATURE)?;
                    key.key
                        .verify::<Self>(message, signature)
                        .map_err(|_| Error::InvalidSignature { set: $name })
                }
                fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    check_length($name, Part::PublicKey, public_key, Self::PUBLIC_KEY)?;
                    check_length($name, Part::Signature, signature, Self::SIGNATURE)?;
                    nist::verify::<Self>(Engine::detect(), public_key, message, signature)
                        .map_err(|_| Error::InvalidSignature { set: $name })
                }
                fn backends() -> Vec<KernelBackend> {
                    backends()
                }
            }
        )+
    };
}

sets! {
    Mayo1R2 "MAYO-1-r2" ["MAYO-1", "MAYO_1", "Mayo1"], "NIST round 2" 1 ROUND_2 "MAYO_1"
        (86 78 8 10) 24 32 [8, 1, 1, 0], Schedule::Round2;
    Mayo2R2 "MAYO-2-r2" ["MAYO-2", "MAYO_2", "Mayo2"], "NIST round 2" 1 ROUND_2 "MAYO_2"
        (81 64 17 4) 24 32 [8, 0, 2, 8], Schedule::Round2;
    Mayo3R2 "MAYO-3-r2" ["MAYO-3", "MAYO_3", "Mayo3"], "NIST round 2" 3 ROUND_2 "MAYO_3"
        (118 108 10 11) 32 48 [8, 0, 1, 7], Schedule::Round2;
    Mayo5R2 "MAYO-5-r2" ["MAYO-5", "MAYO_5", "Mayo5"], "NIST round 2" 5 ROUND_2 "MAYO_5"
        (154 142 12 12) 40 64 [4, 0, 8, 1], Schedule::Round2;
    Mayo1R3 "MAYO-1-r3" ["MAYO-1", "MAYO_1", "Mayo1"], "NIST round 3" 1 ROUND_3_ESTIMATED "MAYO-1"
        (88 80 8 10) 24 32 [2, 0, 4, 2], Schedule::Round3(&BLOCKS_10);
    Mayo2R3 "MAYO-2-r3" ["MAYO-2", "MAYO_2", "Mayo2"], "NIST round 3" 1 ROUND_3_ESTIMATED "MAYO-2"
        (86 64 13 5) 24 32 [8, 0, 2, 8], Schedule::Round3(&BLOCKS_5);
    Mayo3R3 "MAYO-3-r3" ["MAYO-3", "MAYO_3", "Mayo3"], "NIST round 3" 3 ROUND_3_ESTIMATED "MAYO-3"
        (118 108 10 11) 32 48 [8, 0, 1, 7], Schedule::Round3(&BLOCKS_11);
    Mayo5R3 "MAYO-5-r3" ["MAYO-5", "MAYO_5", "Mayo5"], "NIST round 3" 5 ROUND_3 "MAYO-5"
        (154 142 12 12) 40 64 [4, 0, 8, 1], Schedule::Round3(&BLOCKS_12);
}
