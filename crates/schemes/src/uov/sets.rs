//! The 21 parameter sets.

use alloc::vec::Vec;

use mq_eval::packed::{Gf16, Gf256, PackedField};
use rand_core::TryCryptoRng;
use uov_family::uov::Parameters;

use super::format::{self, ExpandedPublicKey, ExpandedSecretKey, Format};
use crate::error::check_length;
use crate::registry::{Entry, Set};
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, Part, SetInfo, SignatureScheme, SignedMessageOrder,
    SigningReport, Sizes, Status, Verdict,
};

/// Lengths in bytes, of which `Parameters` computes the same at run time (a test compares).
struct Lengths {
    public_key: usize,
    secret_key: usize,
    signature: usize,
}

const fn lengths(per_byte: usize, n: usize, m: usize, format: Format) -> Lengths {
    let v = n - m;
    let (vinegar, cell) = (v / per_byte, m / per_byte);
    let (p1, p2, p3) = (cell * v * (v + 1) / 2, cell * v * m, cell * m * (m + 1) / 2);
    Lengths {
        public_key: if format.compact_public() { 16 + p3 } else { p1 + p2 + p3 },
        secret_key: if format.compact_secret() { 32 } else { 32 + vinegar * m + p1 + p2 },
        signature: vinegar + cell + 16,
    }
}

const CURRENT: Status = Status {
    verdict: Verdict::NoKnownAttack,
    date: "2026-11-30",
    source: "UOV submission, NIST additional signatures, round 3 (August 2026)",
};
const REPLACED: Status = Status {
    verdict: Verdict::Superseded,
    date: "2026-11-30",
    source: "UOV submission, NIST additional signatures: parameters changed for round 3 (August 2026)",
};

macro_rules! base {
    ($(#[$meta:meta])* $base:ident, $field:ty, $n:expr, $m:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $base;

        impl Parameters for $base {
            type Field = $field;
            const VINEGAR: usize = $n - $m;
            const OIL: usize = $m;
        }
    };
}

base!(/** The parameters of OV-Is, n = 160, m = 64 over GF(16). */ Is, Gf16, 160, 64);
base!(/** The round-2 parameters of OV-Ip, n = 112, m = 44 over GF(256). */ IpR2, Gf256, 112, 44);
base!(/** The round-2 parameters of OV-III, n = 184, m = 72 over GF(256). */ IiiR2, Gf256, 184, 72);
base!(/** The round-2 parameters of OV-V, n = 244, m = 96 over GF(256). */ VR2, Gf256, 244, 96);
base!(/** The round-3 parameters of OV-Ip, n = 119, m = 45 over GF(256). */ IpR3, Gf256, 119, 45);
base!(/** The round-3 parameters of OV-III, n = 193, m = 72 over GF(256). */ IiiR3, Gf256, 193, 72);
base!(/** The round-3 parameters of OV-V, n = 259, m = 96 over GF(256). */ VR3, Gf256, 259, 96);

macro_rules! sets {
    ($($type:ident $base:ident $format:ident $name:literal $aliases:expr, $version:literal $level:literal $status:ident
        $header:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: UOV, ", $version, ".")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type;

            impl $type {
                const LENGTHS: Lengths = lengths(
                    8 / <<$base as Parameters>::Field as PackedField>::BITS,
                    $base::VINEGAR + $base::OIL,
                    $base::OIL,
                    Format::$format,
                );
                const SET: format::Set<'static> = format::Set { info: &Self::INFO, format: Format::$format };
            }

            impl SignatureScheme for $type {
                const INFO: SetInfo = SetInfo {
                    name: $name,
                    aliases: &$aliases,
                    family: Family::Uov,
                    version: $version,
                    level: $level,
                    origin: Origin::Official,
                    status: $status,
                    public_key: Self::LENGTHS.public_key,
                    secret_key: Self::LENGTHS.secret_key,
                    sizes: Sizes::Signature {
                        signature: Self::LENGTHS.signature,
                        order: SignedMessageOrder::MessageFirst,
                    },
                    kat_header: $header,
                    listed: true,
                };

                type ExpandedSecretKey = ExpandedSecretKey<$base>;
                type ExpandedPublicKey = ExpandedPublicKey<$base>;

                fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                    Self::SET.generate::<$base, R>(rng)
                }
                fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                    Self::SET.expand_secret_key(bytes)
                }
                fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                    Self::SET.expand_public_key(bytes)
                }
                fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
                    check_length(Self::INFO.name, Part::PublicKey, bytes, Self::INFO.public_key)
                }
                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    Self::SET.public_from_secret::<$base>(bytes)
                }
                fn sign<R: TryCryptoRng + ?Sized>(
                    key: &Self::ExpandedSecretKey,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    Self::SET.sign(key, message, rng, signature)
                }
                fn sign_once<R: TryCryptoRng + ?Sized>(
                    secret_key: &[u8],
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    Self::SET.sign_once::<$base, R>(secret_key, message, rng, signature)
                }
                fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::SET.verify::<$base>(key.bytes(), message, signature)
                }
                fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::SET.verify_once::<$base>(public_key, message, signature)
                }
                fn backends() -> Vec<KernelBackend> {
                    format::backends()
                }
            }
        )+

        /// The sets of this family, toys included.
        pub static SETS: &[Set] = &[$(Set::Signature(&Entry::<$type>::new())),+];
    };
}

sets! {
    OvIs Is Classic "OV-Is" ["OV-Is-r2", "OV-Is-r3"], "NIST rounds 2 and 3" 1 CURRENT "OV(16,160,64)-classic";
    OvIsPkc Is Pkc "OV-Is-pkc" ["OV-Is-pkc-r2", "OV-Is-pkc-r3"], "NIST rounds 2 and 3" 1 CURRENT "OV(16,160,64)-pkc";
    OvIsPkcSkc Is PkcSkc "OV-Is-pkc-skc" ["OV-Is-pkc-skc-r2", "OV-Is-pkc-skc-r3"], "NIST rounds 2 and 3" 1 CURRENT
        "OV(16,160,64)-pkc-skc";
    OvIpR2 IpR2 Classic "OV-Ip-r2" ["OV-Ip"], "NIST round 2" 1 REPLACED "OV(256,112,44)-classic";
    OvIpPkcR2 IpR2 Pkc "OV-Ip-pkc-r2" ["OV-Ip-pkc"], "NIST round 2" 1 REPLACED "OV(256,112,44)-pkc";
    OvIpPkcSkcR2 IpR2 PkcSkc "OV-Ip-pkc-skc-r2" ["OV-Ip-pkc-skc"], "NIST round 2" 1 REPLACED "OV(256,112,44)-pkc-skc";
    OvIiiR2 IiiR2 Classic "OV-III-r2" ["OV-III"], "NIST round 2" 3 REPLACED "OV(256,184,72)-classic";
    OvIiiPkcR2 IiiR2 Pkc "OV-III-pkc-r2" ["OV-III-pkc"], "NIST round 2" 3 REPLACED "OV(256,184,72)-pkc";
    OvIiiPkcSkcR2 IiiR2 PkcSkc "OV-III-pkc-skc-r2" ["OV-III-pkc-skc"], "NIST round 2" 3 REPLACED
        "OV(256,184,72)-pkc-skc";
    OvVR2 VR2 Classic "OV-V-r2" ["OV-V"], "NIST round 2" 5 REPLACED "OV(256,244,96)-classic";
    OvVPkcR2 VR2 Pkc "OV-V-pkc-r2" ["OV-V-pkc"], "NIST round 2" 5 REPLACED "OV(256,244,96)-pkc";
    OvVPkcSkcR2 VR2 PkcSkc "OV-V-pkc-skc-r2" ["OV-V-pkc-skc"], "NIST round 2" 5 REPLACED "OV(256,244,96)-pkc-skc";
    OvIpR3 IpR3 Classic "OV-Ip-r3" ["OV-Ip"], "NIST round 3" 1 CURRENT "OV(256,119,45)-classic";
    OvIpPkcR3 IpR3 Pkc "OV-Ip-pkc-r3" ["OV-Ip-pkc"], "NIST round 3" 1 CURRENT "OV(256,119,45)-pkc";
    OvIpPkcSkcR3 IpR3 PkcSkc "OV-Ip-pkc-skc-r3" ["OV-Ip-pkc-skc"], "NIST round 3" 1 CURRENT "OV(256,119,45)-pkc-skc";
    OvIiiR3 IiiR3 Classic "OV-III-r3" ["OV-III"], "NIST round 3" 3 CURRENT "OV(256,193,72)-classic";
    OvIiiPkcR3 IiiR3 Pkc "OV-III-pkc-r3" ["OV-III-pkc"], "NIST round 3" 3 CURRENT "OV(256,193,72)-pkc";
    OvIiiPkcSkcR3 IiiR3 PkcSkc "OV-III-pkc-skc-r3" ["OV-III-pkc-skc"], "NIST round 3" 3 CURRENT
        "OV(256,193,72)-pkc-skc";
    OvVR3 VR3 Classic "OV-V-r3" ["OV-V"], "NIST round 3" 5 CURRENT "OV(256,259,96)-classic";
    OvVPkcR3 VR3 Pkc "OV-V-pkc-r3" ["OV-V-pkc"], "NIST round 3" 5 CURRENT "OV(256,259,96)-pkc";
    OvVPkcSkcR3 VR3 PkcSkc "OV-V-pkc-skc-r3" ["OV-V-pkc-skc"], "NIST round 3" 5 CURRENT "OV(256,259,96)-pkc-skc";
}
