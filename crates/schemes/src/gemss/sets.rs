//! The 42 parameter sets.

use alloc::vec::Vec;

use hfev::{Parameters, SecretKey};
use mq_eval::gf2::PackedSystem;
use rand_core::TryCryptoRng;

use super::definition::{Definition, Package};
use super::{format, scheme};
use crate::registry::{Entry, Set};
use crate::{Error, KernelBackend, KeyPairBytes, SetInfo, SignatureScheme, SigningReport};

/// The parameters, checked at compile time.
#[allow(clippy::panic, reason = "stops the compilation")]
const fn parameters(n: usize, degree: usize, minus: usize, vinegar: usize, iterations: usize) -> Parameters {
    match Parameters::new(n, degree, minus, vinegar, iterations) {
        Ok(parameters) => parameters,
        Err(_) => panic!("a set of valid parameters"),
    }
}

macro_rules! sets {
    ($($($type:ident $name:literal [$($alias:literal),*] $package:ident),+:
        $title:literal, $security:literal, $n:literal $limbs:literal, $degree:literal, $minus:literal, $vinegar:literal,
        $iterations:literal;)+) => {
        $($(
            #[doc = concat!("`", $name, "`: ", $title, ", GF(2^", $n, "), D = ", $degree, ", minus ", $minus, ", ", $vinegar,
                " vinegar variables, ", $iterations, " iterations; package [`Package::", stringify!($package), "`].")]
            ///
            /// **Broken: for research only** (Tao, Petzoldt, Ding, CRYPTO 2021).
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type;

            impl $type {
                /// Field, degree of the HFE polynomial, minus, vinegar, iterations.
                pub const PARAMETERS: Parameters = parameters($n, $degree, $minus, $vinegar, $iterations);
                /// The package whose bytes these are.
                pub const PACKAGE: Package = Package::$package;

                const DEFINITION: Definition = Definition {
                    name: $name,
                    aliases: &[$($alias),*],
                    title: $title,
                    security: $security,
                    parameters: Self::PARAMETERS,
                    package: Self::PACKAGE,
                };
            }

            impl SignatureScheme for $type {
                const INFO: SetInfo = Self::DEFINITION.info();

                type ExpandedSecretKey = SecretKey<$n, $limbs>;
                type ExpandedPublicKey = PackedSystem<Vec<u8>>;

                /// Each iteration ends with an inversion that finds any root: 1 - 1/e of them do.
                fn expected_attempts() -> Option<f64> {
                    Some(f64::from($iterations) / (1.0 - 1.0 / core::f64::consts::E))
                }

                fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                    scheme::generate::<$n, $limbs, R>(&Self::DEFINITION, rng)
                }

                fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                    format::parse_secret(&Self::DEFINITION, bytes)
                }

                fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                    // checked before it is copied
                    scheme::parse_public(&Self::DEFINITION, bytes)?;
                    scheme::parse_public(&Self::DEFINITION, bytes.to_vec())
                }

                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    scheme::public_from_secret::<$n, $limbs>(&Self::DEFINITION, bytes).map(Some)
                }

                fn sign<R: TryCryptoRng + ?Sized>(
                    key: &Self::ExpandedSecretKey,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    scheme::sign(&Self::DEFINITION, key, message, rng, signature)
                }

                fn verify(
                    key: &Self::ExpandedPublicKey,
                    message: &[u8],
                    signature: &[u8],
                ) -> Result<(), Error> {
                    scheme::verify(&Self::DEFINITION, key, message, signature)
                }

                fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    let key = scheme::parse_public(&Self::DEFINITION, public_key)?;
                    scheme::verify(&Self::DEFINITION, &key, message, signature)
                }

                fn backends() -> Vec<KernelBackend> {
                    scheme::backends()
                }
            }
        )+)+

        /// The sets of this family.
        pub static SETS: &[Set] = &[$($(Set::Signature(&Entry::<$type>::new())),+),+];
    };
}

// type, name, aliases and package of every set; title, security in bits, n and its limbs, D, minus, vinegar, iterations
sets! {
    GeMss128R3 "gemss128-r3" ["gemss128"] Round3,
        GeMss128R2V2 "gemss128-r2v2" ["gemss128", "gemss128v2"] Round2Version2,
        GeMss128R2 "gemss128-r2" ["gemss128"] Round2:
        "GeMSS", 128, 174 3, 513, 12, 12, 4;
    GeMss192R3 "gemss192-r3" ["gemss192"] Round3,
        GeMss192R2V2 "gemss192-r2v2" ["gemss192", "gemss192v2"] Round2Version2,
        GeMss192R2 "gemss192-r2" ["gemss192"] Round2:
        "GeMSS", 192, 265 5, 513, 22, 20, 4;
    GeMss256R3 "gemss256-r3" ["gemss256"] Round3,
        GeMss256R2V2 "gemss256-r2v2" ["gemss256", "gemss256v2"] Round2Version2,
        GeMss256R2 "gemss256-r2" ["gemss256"] Round2:
        "GeMSS", 256, 354 6, 513, 30, 33, 4;
    BlueGeMss128R3 "bluegemss128-r3" ["bluegemss128"] Round3,
        BlueGeMss128R2V2 "bluegemss128-r2v2" ["bluegemss128", "bluegemss128v2"] Round2Version2,
        BlueGeMss128R2 "bluegemss128-r2" ["bluegemss128"] Round2:
        "BlueGeMSS", 128, 175 3, 129, 13, 14, 4;
    BlueGeMss192R3 "bluegemss192-r3" ["bluegemss192"] Round3,
        BlueGeMss192R2V2 "bluegemss192-r2v2" ["bluegemss192", "bluegemss192v2"] Round2Version2,
        BlueGeMss192R2 "bluegemss192-r2" ["bluegemss192"] Round2:
        "BlueGeMSS", 192, 265 5, 129, 22, 23, 4;
    BlueGeMss256R3 "bluegemss256-r3" ["bluegemss256"] Round3,
        BlueGeMss256R2V2 "bluegemss256-r2v2" ["bluegemss256", "bluegemss256v2"] Round2Version2,
        BlueGeMss256R2 "bluegemss256-r2" ["bluegemss256"] Round2:
        "BlueGeMSS", 256, 358 6, 129, 34, 32, 4;
    RedGeMss128R3 "redgemss128-r3" ["redgemss128"] Round3,
        RedGeMss128R2V2 "redgemss128-r2v2" ["redgemss128", "redgemss128v2"] Round2Version2,
        RedGeMss128R2 "redgemss128-r2" ["redgemss128"] Round2:
        "RedGeMSS", 128, 177 3, 17, 15, 15, 4;
    RedGeMss192R3 "redgemss192-r3" ["redgemss192"] Round3,
        RedGeMss192R2V2 "redgemss192-r2v2" ["redgemss192", "redgemss192v2"] Round2Version2,
        RedGeMss192R2 "redgemss192-r2" ["redgemss192"] Round2:
        "RedGeMSS", 192, 266 5, 17, 23, 25, 4;
    RedGeMss256R3 "redgemss256-r3" ["redgemss256"] Round3,
        RedGeMss256R2V2 "redgemss256-r2v2" ["redgemss256", "redgemss256v2"] Round2Version2,
        RedGeMss256R2 "redgemss256-r2" ["redgemss256"] Round2:
        "RedGeMSS", 256, 358 6, 17, 34, 35, 4;
    WhiteGeMss128R3 "whitegemss128-r3" ["whitegemss128"] Round3: "WhiteGeMSS", 128, 175 3, 513, 12, 12, 3;
    WhiteGeMss192R3 "whitegemss192-r3" ["whitegemss192"] Round3: "WhiteGeMSS", 192, 268 5, 513, 21, 21, 3;
    WhiteGeMss256R3 "whitegemss256-r3" ["whitegemss256"] Round3: "WhiteGeMSS", 256, 364 6, 513, 31, 29, 3;
    CyanGeMss128R3 "cyangemss128-r3" ["cyangemss128"] Round3: "CyanGeMSS", 128, 177 3, 129, 14, 13, 3;
    CyanGeMss192R3 "cyangemss192-r3" ["cyangemss192"] Round3: "CyanGeMSS", 192, 270 5, 129, 23, 22, 3;
    CyanGeMss256R3 "cyangemss256-r3" ["cyangemss256"] Round3: "CyanGeMSS", 256, 364 6, 129, 31, 32, 3;
    MagentaGeMss128R3 "magentagemss128-r3" ["magentagemss128"] Round3: "MagentaGeMSS", 128, 178 3, 17, 15, 15, 3;
    MagentaGeMss192R3 "magentagemss192-r3" ["magentagemss192"] Round3: "MagentaGeMSS", 192, 271 5, 17, 24, 24, 3;
    MagentaGeMss256R3 "magentagemss256-r3" ["magentagemss256"] Round3: "MagentaGeMSS", 256, 366 6, 17, 33, 33, 3;
    FGeMss128R3 "fgemss128-r3" ["fgemss128"] Round3: "FGeMSS", 128, 266 5, 129, 10, 11, 1;
    FGeMss192R3 "fgemss192-r3" ["fgemss192"] Round3: "FGeMSS", 192, 402 7, 640, 18, 18, 1;
    FGeMss256R3 "fgemss256-r3" ["fgemss256"] Round3: "FGeMSS", 256, 537 9, 1152, 25, 26, 1;
    InnerDualModeMs128 "inner-dualmodems128" ["dualmodems128-r3"] Round3: "Inner_DualModeMS", 128, 266 5, 129, 10, 11, 1;
    InnerDualModeMs192 "inner-dualmodems192" ["dualmodems192-r3"] Round3: "Inner_DualModeMS", 192, 402 7, 129, 18, 18, 1;
    InnerDualModeMs256 "inner-dualmodems256" ["dualmodems256-r3"] Round3: "Inner_DualModeMS", 256, 544 9, 129, 32, 32, 1;
}
