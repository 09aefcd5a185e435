//! The parameter sets.

use alloc::vec::Vec;

use hfev::dual_mode::{DualParameters, DualPublicKey, Security};
use mq_eval::gf2;
use rand_core::TryCryptoRng;

use super::inner::{
    ExpandedKeys, Inner, InnerShape, SeedKeys, Shape128, Shape192, Shape256, ShapeToy128, ShapeToy192,
    ShapeToy256,
};
use super::scheme::{self, DualModeMsSet, Expanded};
use crate::registry::{Entry, Set};
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, Progress, SetInfo, SignatureScheme,
    SignedMessageOrder, SigningReport, Sizes, Status, Verdict,
};

/// The outer parameters of a set over an inner shape.
#[expect(clippy::panic, reason = "evaluated in constants only: an error of the compiler")]
const fn dual<S: InnerShape>(
    signatures: usize,
    combinations: usize,
    mac_modulus: u32,
    points_log2: u32,
    openings: usize,
    roots_log2: u32,
) -> DualParameters {
    let shape = match gf2::Shape::new(S::PARAMETERS.variables(), S::PARAMETERS.equations()) {
        Ok(shape) => shape,
        Err(_) => panic!("the shape of a published set"),
    };
    let parameters = DualParameters {
        security: S::SECURITY,
        shape,
        inner_signatures: signatures,
        combinations,
        mac_modulus,
        points_log2,
        openings,
        roots_log2,
    };
    match parameters.checked() {
        Ok(parameters) => parameters,
        Err(_) => panic!("the parameters of a published set"),
    }
}

/// What a set's entry says beside its sizes.
struct Facts {
    name: &'static str,
    aliases: &'static [&'static str],
    version: &'static str,
    origin: Origin,
    toy: bool,
}

const fn info(facts: Facts, inner: usize, dual: &DualParameters) -> SetInfo {
    let level = match dual.security {
        _ if facts.toy => 0,
        Security::Bits128 => 1,
        Security::Bits192 => 3,
        Security::Bits256 => 5,
    };
    let status = if facts.toy {
        Status {
            verdict: Verdict::Toy,
            date: "2026-11-30",
            source: "every mechanism at a tiny size, for tests",
        }
    } else {
        Status {
            verdict: Verdict::Broken,
            date: "2026-11-30",
            source: "Tao, Petzoldt, Ding, CRYPTO 2021: key recovery for HFEv-, the inner scheme",
        }
    };
    SetInfo {
        name: facts.name,
        aliases: facts.aliases,
        family: Family::DualModeMs,
        version: facts.version,
        level,
        origin: facts.origin,
        status,
        public_key: dual.public_key_len(),
        secret_key: scheme::secret_len(inner, dual),
        sizes: Sizes::Signature {
            signature: dual.signature_len(),
            order: SignedMessageOrder::SignatureFirst,
        },
        kat_header: facts.name,
        listed: !facts.toy,
    }
}

macro_rules! set {
    ($(#[$doc:meta])* $type:ident, $inner:ty, $dual:expr, $facts:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $type;

        impl DualModeMsSet for $type {
            const DUAL: DualParameters = $dual;
            type Inner = $inner;
        }

        impl SignatureScheme for $type {
            const INFO: SetInfo = info($facts, <$inner as Inner>::SECRET_LEN, &Self::DUAL);
            type ExpandedSecretKey = Expanded<Self>;
            type ExpandedPublicKey = DualPublicKey;

            fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                scheme::generate::<Self, R>(rng, &mut |_| ())
            }

            fn generate_with_progress<R: TryCryptoRng + ?Sized>(
                rng: &mut R,
                progress: &mut dyn FnMut(Progress),
            ) -> Result<KeyPairBytes, Error> {
                scheme::generate::<Self, R>(rng, progress)
            }

            fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
                scheme::check_public_key::<Self>(bytes)
            }

            fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                scheme::expand_secret_key::<Self>(bytes)
            }

            fn expand_public_key(bytes: &[u8]) -> Result<DualPublicKey, Error> {
                scheme::expand_public_key::<Self>(bytes)
            }

            fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                scheme::public_from_secret::<Self>(bytes).map(Some)
            }

            fn sign<R: TryCryptoRng + ?Sized>(
                key: &Self::ExpandedSecretKey,
                message: &[u8],
                rng: &mut R,
                signature: &mut [u8],
            ) -> Result<SigningReport, Error> {
                scheme::sign::<Self, R, _>(key, message, rng, signature)
            }

            fn sign_once<R: TryCryptoRng + ?Sized>(
                secret_key: &[u8],
                message: &[u8],
                rng: &mut R,
                signature: &mut [u8],
            ) -> Result<SigningReport, Error> {
                scheme::sign_once::<Self, R>(secret_key, message, rng, signature)
            }

            fn verify(key: &DualPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                scheme::verify::<Self>(key, message, signature)
            }

            fn backends() -> Vec<KernelBackend> {
                scheme::backends()
            }
        }
    };
}

const OFFICIAL: &str = "NIST round 1, inner keys of round 3";
const FULL: &str = "full-field variant of this project";

const fn official(name: &'static str) -> Facts {
    Facts { name, aliases: &[], version: OFFICIAL, origin: Origin::Official, toy: false }
}

const fn full(name: &'static str, aliases: &'static [&'static str]) -> Facts {
    Facts { name, aliases, version: FULL, origin: Origin::Project, toy: false }
}

const fn toy(name: &'static str) -> Facts {
    Facts { name, aliases: &[], version: "toy", origin: Origin::Project, toy: true }
}

set!(
    /// DualModeMS128. **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021), and the points of this set
    /// repeat, which brings a forgery of the outer layer from 2^129 down to about 2^107 hashes.
    DualModeMs128, SeedKeys<Shape128, 266, 5>, dual::<Shape128>(64, 2, 1 << 21 | 0b101, 18, 18, 4), official("DualModeMS128")
);
set!(
    /// DualModeMS192. **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021), and the points of this set
    /// repeat, which brings a forgery of the outer layer from 2^194 down to about 2^150 hashes.
    DualModeMs192, SeedKeys<Shape192, 402, 7>, dual::<Shape192>(96, 2, 1 << 20 | 0b1001, 18, 33, 5), official("DualModeMS192")
);
set!(
    /// DualModeMS256. **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021), and the points of this set
    /// repeat, which brings a forgery of the outer layer from 2^259 down to about 2^197 hashes.
    DualModeMs256, SeedKeys<Shape256, 544, 9>, dual::<Shape256>(256, 1, 1 << 20 | 0b1001, 18, 52, 5), official("DualModeMS256")
);
set!(
    /// DualModeMS128 with the inner keys of the first-round package. **Research only**, as [`DualModeMs128`].
    DualModeMs128R1, ExpandedKeys<Shape128, 266, 5>, dual::<Shape128>(64, 2, 1 << 21 | 0b101, 18, 18, 4),
    Facts { name: "DualModeMS128-r1", aliases: &[], version: "NIST round 1", origin: Origin::Official, toy: false }
);
set!(
    /// DualModeMS128 over all points of GF(2^18), without repetition: the set for new keys where none is named.
    /// **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021).
    DualModeMs128F, SeedKeys<Shape128, 266, 5>, dual::<Shape128>(64, 2, 1 << 18 | 0b1001, 18, 19, 4), full("DualModeMS128F", &["DualModeMS"])
);
set!(
    /// DualModeMS192 over all points of GF(2^18), without repetition.
    /// **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021).
    DualModeMs192F, SeedKeys<Shape192, 402, 7>, dual::<Shape192>(96, 2, 1 << 18 | 0b1001, 18, 34, 5), full("DualModeMS192F", &[])
);
set!(
    /// DualModeMS256 over all points of GF(2^18), without repetition.
    /// **Research only**: the inner scheme is broken (Tao, Petzoldt, Ding, CRYPTO 2021).
    DualModeMs256F, SeedKeys<Shape256, 544, 9>, dual::<Shape256>(256, 1, 1 << 18 | 0b1001, 18, 54, 5), full("DualModeMS256F", &[])
);
set!(
    /// A toy of 128-bit hashes with drawn points.
    DualModeMsToy128, ExpandedKeys<ShapeToy128, 12, 1>, dual::<ShapeToy128>(16, 2, 1 << 9 | 0b11, 7, 6, 2), toy("dualmodems-toy128")
);
set!(
    /// A toy of 192-bit hashes.
    DualModeMsToy192, ExpandedKeys<ShapeToy192, 14, 1>, dual::<ShapeToy192>(12, 2, 1 << 11 | 0b101, 6, 5, 2), toy("dualmodems-toy192")
);
set!(
    /// A toy of 256-bit hashes with one combination.
    DualModeMsToy256, ExpandedKeys<ShapeToy256, 13, 1>, dual::<ShapeToy256>(20, 1, 1 << 10 | 0b1001, 8, 9, 3), toy("dualmodems-toy256")
);
set!(
    /// A toy over all points of its field.
    DualModeMsToy128F, ExpandedKeys<ShapeToy128, 12, 1>, dual::<ShapeToy128>(16, 2, 0x11b, 8, 6, 2), toy("dualmodems-toy128F")
);

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[
    Set::Signature(&Entry::<DualModeMs128>::new()),
    Set::Signature(&Entry::<DualModeMs192>::new()),
    Set::Signature(&Entry::<DualModeMs256>::new()),
    Set::Signature(&Entry::<DualModeMs128R1>::new()),
    Set::Signature(&Entry::<DualModeMs128F>::new()),
    Set::Signature(&Entry::<DualModeMs192F>::new()),
    Set::Signature(&Entry::<DualModeMs256F>::new()),
    Set::Signature(&Entry::<DualModeMsToy128>::new()),
    Set::Signature(&Entry::<DualModeMsToy192>::new()),
    Set::Signature(&Entry::<DualModeMsToy256>::new()),
    Set::Signature(&Entry::<DualModeMsToy128F>::new()),
];

/// The set for new keys where the caller names none: without repeated points.
pub type Recommended = DualModeMs128F;
