//! The twenty sets.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::decapsulate::{self, ExpandedSecretKey};
use super::parameters::{HASH_BYTES, Parameters};
use super::{encapsulate, keygen};
use crate::registry::{Entry, Set};
use crate::{Error, Family, KemScheme, KernelBackend, Origin, SetInfo, Sizes, Status, Verdict};

/// Terms of the moduli below y^t, exponent and coefficient.
const Y64: &[(usize, u16)] = &[(3, 1), (1, 1), (0, 2)];
const Y96: &[(usize, u16)] = &[(10, 1), (9, 1), (6, 1), (0, 1)];
const Y119: &[(usize, u16)] = &[(8, 1), (0, 1)];
const Y128: &[(usize, u16)] = &[(7, 1), (2, 1), (1, 1), (0, 1)];

const STATUS: Status = Status {
    verdict: Verdict::NoKnownAttack,
    date: "2026-11-30",
    source: "Classic McEliece, NIST round-4 submission, guide for security reviewers: information-set decoding is the best \
             attack known; NIST IR 8545 (2025) names no attack",
};

const STANDARD: &str = "NIST round 4, ISO";
const CONFIRMING: &str = "NIST rounds 1 to 3 ciphertexts (plaintext confirmation)";

/// Defines the type of a set and its registry entry.
macro_rules! sets {
    ($($(#[$meta:meta])* $type:ident = $name:literal, level $level:literal, $version:expr,
       ($m:literal, $n:literal, $t:literal, $modulus:expr, $semi_systematic:literal, $confirmation:literal);)+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $type;

            impl $type {
                const PARAMETERS: &'static Parameters = &Parameters {
                    name: $name,
                    m: $m,
                    n: $n,
                    t: $t,
                    modulus: $modulus,
                    semi_systematic: $semi_systematic,
                    confirmation: $confirmation,
                };
            }

            impl KemScheme for $type {
                const INFO: SetInfo = SetInfo {
                    name: $name,
                    aliases: &[],
                    family: Family::McEliece,
                    version: $version,
                    level: $level,
                    origin: Origin::Official,
                    status: STATUS,
                    public_key: Self::PARAMETERS.public_key(),
                    secret_key: Self::PARAMETERS.secret_key(),
                    sizes: Sizes::Kem {
                        ciphertext: Self::PARAMETERS.ciphertext(),
                        shared_secret: HASH_BYTES,
                    },
                    kat_header: $name,
                    listed: true,
                };

                type ExpandedSecretKey = ExpandedSecretKey;

                fn generate_into<R: TryCryptoRng + ?Sized>(
                    rng: &mut R,
                    public_key: &mut [u8],
                ) -> Result<Zeroizing<Vec<u8>>, Error> {
                    keygen::generate(Self::PARAMETERS, rng, public_key)
                }

                fn expand_secret_key(bytes: &[u8]) -> Result<ExpandedSecretKey, Error> {
                    decapsulate::expand(Self::PARAMETERS, bytes)
                }

                fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
                    Self::PARAMETERS.check_public_key(bytes)
                }

                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    keygen::public_from_secret(Self::PARAMETERS, bytes).map(Some)
                }

                fn encapsulate<R: TryCryptoRng + ?Sized>(
                    public_key: &[u8],
                    rng: &mut R,
                    ciphertext: &mut [u8],
                    shared_secret: &mut [u8],
                ) -> Result<(), Error> {
                    encapsulate::encapsulate(Self::PARAMETERS, public_key, rng, ciphertext, shared_secret)
                }

                fn decapsulate(
                    key: &ExpandedSecretKey,
                    ciphertext: &[u8],
                    shared_secret: &mut [u8],
                ) -> Result<(), Error> {
                    decapsulate::decapsulate(Self::PARAMETERS, key, ciphertext, shared_secret)
                }

                fn backends() -> Vec<KernelBackend> {
                    backends()
                }
            }
        )+

        /// The sets of this family.
        pub static SETS: &[Set] = &[$(Set::Kem(&Entry::<$type>::new())),+];
    };
}

/// All kernels share one choice.
fn backends() -> Vec<KernelBackend> {
    let backend = goppa_keygen::backend::name();
    ["GF(2^m) bitsliced", "GF(2) products", "sorting networks", "row parities"]
        .into_iter()
        .map(|kernel| KernelBackend { kernel, backend })
        .collect()
}

sets! {
    /// mceliece348864.
    McEliece348864 = "mceliece348864", level 1, STANDARD, (12, 3488, 64, Y64, false, false);
    /// mceliece348864f: semi-systematic keys.
    McEliece348864f = "mceliece348864f", level 1, STANDARD, (12, 3488, 64, Y64, true, false);
    /// mceliece348864pc: plaintext confirmation.
    McEliece348864pc = "mceliece348864pc", level 1, CONFIRMING, (12, 3488, 64, Y64, false, true);
    /// mceliece348864pcf: semi-systematic keys, plaintext confirmation.
    McEliece348864pcf = "mceliece348864pcf", level 1, CONFIRMING, (12, 3488, 64, Y64, true, true);
    /// mceliece460896.
    McEliece460896 = "mceliece460896", level 3, STANDARD, (13, 4608, 96, Y96, false, false);
    /// mceliece460896f: semi-systematic keys.
    McEliece460896f = "mceliece460896f", level 3, STANDARD, (13, 4608, 96, Y96, true, false);
    /// mceliece460896pc: plaintext confirmation.
    McEliece460896pc = "mceliece460896pc", level 3, CONFIRMING, (13, 4608, 96, Y96, false, true);
    /// mceliece460896pcf: semi-systematic keys, plaintext confirmation.
    McEliece460896pcf = "mceliece460896pcf", level 3, CONFIRMING, (13, 4608, 96, Y96, true, true);
    /// mceliece6688128.
    McEliece6688128 = "mceliece6688128", level 5, STANDARD, (13, 6688, 128, Y128, false, false);
    /// mceliece6688128f: semi-systematic keys.
    McEliece6688128f = "mceliece6688128f", level 5, STANDARD, (13, 6688, 128, Y128, true, false);
    /// mceliece6688128pc: plaintext confirmation.
    McEliece6688128pc = "mceliece6688128pc", level 5, CONFIRMING, (13, 6688, 128, Y128, false, true);
    /// mceliece6688128pcf: semi-systematic keys, plaintext confirmation.
    McEliece6688128pcf = "mceliece6688128pcf", level 5, CONFIRMING, (13, 6688, 128, Y128, true, true);
    /// mceliece6960119.
    McEliece6960119 = "mceliece6960119", level 5, STANDARD, (13, 6960, 119, Y119, false, false);
    /// mceliece6960119f: semi-systematic keys.
    McEliece6960119f = "mceliece6960119f", level 5, STANDARD, (13, 6960, 119, Y119, true, false);
    /// mceliece6960119pc: plaintext confirmation.
    McEliece6960119pc = "mceliece6960119pc", level 5, CONFIRMING, (13, 6960, 119, Y119, false, true);
    /// mceliece6960119pcf: semi-systematic keys, plaintext confirmation.
    McEliece6960119pcf = "mceliece6960119pcf", level 5, CONFIRMING, (13, 6960, 119, Y119, true, true);
    /// mceliece8192128.
    McEliece8192128 = "mceliece8192128", level 5, STANDARD, (13, 8192, 128, Y128, false, false);
    /// mceliece8192128f: semi-systematic keys.
    McEliece8192128f = "mceliece8192128f", level 5, STANDARD, (13, 8192, 128, Y128, true, false);
    /// mceliece8192128pc: plaintext confirmation.
    McEliece8192128pc = "mceliece8192128pc", level 5, CONFIRMING, (13, 8192, 128, Y128, false, true);
    /// mceliece8192128pcf: semi-systematic keys, plaintext confirmation.
    McEliece8192128pcf = "mceliece8192128pcf", level 5, CONFIRMING, (13, 8192, 128, Y128, true, true);
}

crate::kem_keys::kem_traits! {
    McEliece348864: U96, U32;
    McEliece348864f: U96, U32;
    McEliece348864pc: U128, U32;
    McEliece348864pcf: U128, U32;
    McEliece460896: U156, U32;
    McEliece460896f: U156, U32;
    McEliece460896pc: U188, U32;
    McEliece460896pcf: U188, U32;
    McEliece6688128: U208, U32;
    McEliece6688128f: U208, U32;
    McEliece6688128pc: U240, U32;
    McEliece6688128pcf: U240, U32;
    McEliece6960119: U194, U32;
    McEliece6960119f: U194, U32;
    McEliece6960119pc: U226, U32;
    McEliece6960119pcf: U226, U32;
    McEliece8192128: U208, U32;
    McEliece8192128f: U208, U32;
    McEliece8192128pc: U240, U32;
    McEliece8192128pcf: U240, U32;
}
