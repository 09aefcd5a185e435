//! The types of the sets and their registry entries.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use uov_family::qruov::{Expansion, Parameters, Round, sets};

use super::scheme::{self, ExpandedPublicKey, ExpandedSecretKey, QrUovSet, RoundTwoSet};
use crate::registry::{Entry, Set};
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, SetInfo, SignatureScheme, SignedMessageOrder,
    SigningReport, Sizes, Status, Verdict,
};

const ROUND_2_STATUS: Status = Status {
    verdict: Verdict::Superseded,
    date: "2026-11-30",
    source: "superseded by QR-UOV round 3 (NIST additional signatures, August 2026); no attack below the claimed level known",
};

const ROUND_3_STATUS: Status = Status {
    verdict: Verdict::NoKnownAttack,
    date: "2026-11-30",
    source: "QR-UOV submission, NIST additional signatures, round 3 (August 2026)",
};

const fn info(
    name: &'static str,
    kat_header: &'static str,
    aliases: &'static [&'static str],
    parameters: &Parameters,
) -> SetInfo {
    let (version, status) = match parameters.round {
        Round::Two => ("NIST additional signatures, round 2", ROUND_2_STATUS),
        Round::Three => ("NIST additional signatures, round 3", ROUND_3_STATUS),
    };
    SetInfo {
        name,
        aliases,
        family: Family::QrUov,
        version,
        level: parameters.category,
        origin: Origin::Official,
        status,
        public_key: parameters.public_key_len(),
        secret_key: parameters.secret_key_len(),
        sizes: Sizes::Signature {
            signature: parameters.signature_len(),
            order: SignedMessageOrder::SignatureFirst,
        },
        kat_header,
        listed: true,
    }
}

macro_rules! qruov_sets {
    ($round:ident {$($type:ident: $name:literal, $header:literal, $aliases:expr, $numbers:ident, $expansion:ident;)+}) => {$(
        #[doc = concat!("`", $name, "`.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $type;

        impl QrUovSet for $type {
            const PARAMETERS: Parameters =
                sets::$numbers.with_round(Round::$round).with_expansion(Expansion::$expansion);
        }

        impl SignatureScheme for $type {
            const INFO: SetInfo = info($name, $header, &$aliases, &Self::PARAMETERS);
            type ExpandedSecretKey = ExpandedSecretKey<Self>;
            type ExpandedPublicKey = ExpandedPublicKey<Self>;

            fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                scheme::generate::<Self, R>(rng)
            }
            fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                scheme::expand_secret_key(bytes)
            }
            fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                scheme::expand_public_key(bytes)
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
                scheme::sign(key, message, rng, signature)
            }
            fn sign_once<R: TryCryptoRng + ?Sized>(
                secret_key: &[u8],
                message: &[u8],
                rng: &mut R,
                signature: &mut [u8],
            ) -> Result<SigningReport, Error> {
                scheme::sign_once::<Self, R>(secret_key, message, rng, signature)
            }
            fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                scheme::verify(key, message, signature)
            }
            fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                scheme::verify_once::<Self>(public_key, message, signature)
            }
            fn backends() -> Vec<KernelBackend> {
                scheme::backends()
            }
        }
    )+};
}

/// The sets of this family.
pub static SETS: &[Set] = &[
    Set::Signature(&Entry::<QrUov1Q127L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov1Q127L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov1Q31L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov1Q31L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov1Q31L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov1Q31L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov1Q7L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov1Q7L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov3Q127L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov3Q127L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov3Q31L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov3Q31L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov3Q31L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov3Q31L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov3Q7L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov3Q7L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov5Q127L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov5Q127L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov5Q31L3AesR2>::new()),
    Set::Signature(&Entry::<QrUov5Q31L3ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov5Q31L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov5Q31L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov5Q7L10AesR2>::new()),
    Set::Signature(&Entry::<QrUov5Q7L10ShakeR2>::new()),
    Set::Signature(&Entry::<QrUov1Q127L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov1Q127L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov1Q127L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov1Q127L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov1Q31L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov1Q31L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov1Q31L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov1Q31L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov1Q7L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov1Q7L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov3Q127L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov3Q127L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov3Q127L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov3Q127L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov3Q31L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov3Q31L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov3Q31L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov3Q31L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov3Q7L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov3Q7L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov5Q127L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov5Q127L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov5Q127L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov5Q127L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov5Q31L3AesR3>::new()),
    Set::Signature(&Entry::<QrUov5Q31L3ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov5Q31L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov5Q31L10ShakeR3>::new()),
    Set::Signature(&Entry::<QrUov5Q7L10AesR3>::new()),
    Set::Signature(&Entry::<QrUov5Q7L10ShakeR3>::new()),
];

qruov_sets! {Two {
    QrUov1Q127L3AesR2: "qruov1q127L3v156m54-aes", "qruov1q127L3v156m54refa", ["qruov1q127L3v156m54"], C1Q127L3, Aes;
    QrUov1Q127L3ShakeR2: "qruov1q127L3v156m54-shake", "qruov1q127L3v156m54refs", ["qruov1q127L3v156m54"], C1Q127L3, Shake;
    QrUov1Q31L3AesR2: "qruov1q31L3v165m60-aes", "qruov1q31L3v165m60refa", ["qruov1q31L3v165m60"], C1Q31L3, Aes;
    QrUov1Q31L3ShakeR2: "qruov1q31L3v165m60-shake", "qruov1q31L3v165m60refs", ["qruov1q31L3v165m60"], C1Q31L3, Shake;
    QrUov1Q31L10AesR2: "qruov1q31L10v600m70-aes", "qruov1q31L10v600m70refa", ["qruov1q31L10v600m70"], C1Q31L10, Aes;
    QrUov1Q31L10ShakeR2: "qruov1q31L10v600m70-shake", "qruov1q31L10v600m70refs", ["qruov1q31L10v600m70"], C1Q31L10, Shake;
    QrUov1Q7L10AesR2: "qruov1q7L10v740m100-aes", "qruov1q7L10v740m100refa", ["qruov1q7L10v740m100"], C1Q7L10, Aes;
    QrUov1Q7L10ShakeR2: "qruov1q7L10v740m100-shake", "qruov1q7L10v740m100refs", ["qruov1q7L10v740m100"], C1Q7L10, Shake;
    QrUov3Q127L3AesR2: "qruov3q127L3v228m78-aes", "qruov3q127L3v228m78refa", ["qruov3q127L3v228m78"], C3Q127L3, Aes;
    QrUov3Q127L3ShakeR2: "qruov3q127L3v228m78-shake", "qruov3q127L3v228m78refs", ["qruov3q127L3v228m78"], C3Q127L3, Shake;
    QrUov3Q31L3AesR2: "qruov3q31L3v246m87-aes", "qruov3q31L3v246m87refa", ["qruov3q31L3v246m87"], C3Q31L3, Aes;
    QrUov3Q31L3ShakeR2: "qruov3q31L3v246m87-shake", "qruov3q31L3v246m87refs", ["qruov3q31L3v246m87"], C3Q31L3, Shake;
    QrUov3Q31L10AesR2: "qruov3q31L10v890m100-aes", "qruov3q31L10v890m100refa", ["qruov3q31L10v890m100"], C3Q31L10, Aes;
    QrUov3Q31L10ShakeR2: "qruov3q31L10v890m100-shake", "qruov3q31L10v890m100refs", ["qruov3q31L10v890m100"], C3Q31L10, Shake;
    QrUov3Q7L10AesR2: "qruov3q7L10v1100m140-aes", "qruov3q7L10v1100m140refa", ["qruov3q7L10v1100m140"], C3Q7L10, Aes;
    QrUov3Q7L10ShakeR2: "qruov3q7L10v1100m140-shake", "qruov3q7L10v1100m140refs", ["qruov3q7L10v1100m140"], C3Q7L10, Shake;
    QrUov5Q127L3AesR2: "qruov5q127L3v306m105-aes", "qruov5q127L3v306m105refa", ["qruov5q127L3v306m105"], C5Q127L3, Aes;
    QrUov5Q127L3ShakeR2: "qruov5q127L3v306m105-shake", "qruov5q127L3v306m105refs", ["qruov5q127L3v306m105"], C5Q127L3, Shake;
    QrUov5Q31L3AesR2: "qruov5q31L3v324m114-aes", "qruov5q31L3v324m114refa", ["qruov5q31L3v324m114"], C5Q31L3, Aes;
    QrUov5Q31L3ShakeR2: "qruov5q31L3v324m114-shake", "qruov5q31L3v324m114refs", ["qruov5q31L3v324m114"], C5Q31L3, Shake;
    QrUov5Q31L10AesR2: "qruov5q31L10v1120m120-aes", "qruov5q31L10v1120m120refa", ["qruov5q31L10v1120m120"], C5Q31L10, Aes;
    QrUov5Q31L10ShakeR2: "qruov5q31L10v1120m120-shake", "qruov5q31L10v1120m120refs", ["qruov5q31L10v1120m120"], C5Q31L10, Shake;
    QrUov5Q7L10AesR2: "qruov5q7L10v1490m190-aes", "qruov5q7L10v1490m190refa", ["qruov5q7L10v1490m190"], C5Q7L10, Aes;
    QrUov5Q7L10ShakeR2: "qruov5q7L10v1490m190-shake", "qruov5q7L10v1490m190refs", ["qruov5q7L10v1490m190"], C5Q7L10, Shake;
}}

macro_rules! round_two {
    ($($type:ident)+) => {$( impl RoundTwoSet for $type {} )+};
}

round_two! {
    QrUov1Q127L3AesR2
    QrUov1Q127L3ShakeR2
    QrUov1Q31L3AesR2
    QrUov1Q31L3ShakeR2
    QrUov1Q31L10AesR2
    QrUov1Q31L10ShakeR2
    QrUov1Q7L10AesR2
    QrUov1Q7L10ShakeR2
    QrUov3Q127L3AesR2
    QrUov3Q127L3ShakeR2
    QrUov3Q31L3AesR2
    QrUov3Q31L3ShakeR2
    QrUov3Q31L10AesR2
    QrUov3Q31L10ShakeR2
    QrUov3Q7L10AesR2
    QrUov3Q7L10ShakeR2
    QrUov5Q127L3AesR2
    QrUov5Q127L3ShakeR2
    QrUov5Q31L3AesR2
    QrUov5Q31L3ShakeR2
    QrUov5Q31L10AesR2
    QrUov5Q31L10ShakeR2
    QrUov5Q7L10AesR2
    QrUov5Q7L10ShakeR2
}

qruov_sets! {Three {
    QrUov1Q127L3AesR3: "QRUOV-1q127L3-aes", "qruov1q127l3v156m54aes", ["QRUOV-1q127L3", "qruov1q127L3v156m54"], C1Q127L3, Aes;
    QrUov1Q127L3ShakeR3: "QRUOV-1q127L3-shake", "qruov1q127l3v156m54shake", ["QRUOV-1q127L3", "qruov1q127L3v156m54"], C1Q127L3, Shake;
    QrUov1Q127L10AesR3: "QRUOV-1q127L10-aes", "qruov1q127l10v540m60aes", ["QRUOV-1q127L10", "qruov1q127L10v540m60"], C1Q127L10, Aes;
    QrUov1Q127L10ShakeR3: "QRUOV-1q127L10-shake", "qruov1q127l10v540m60shake", ["QRUOV-1q127L10", "qruov1q127L10v540m60"], C1Q127L10, Shake;
    QrUov1Q31L3AesR3: "QRUOV-1q31L3-aes", "qruov1q31l3v165m60aes", ["QRUOV-1q31L3", "qruov1q31L3v165m60"], C1Q31L3, Aes;
    QrUov1Q31L3ShakeR3: "QRUOV-1q31L3-shake", "qruov1q31l3v165m60shake", ["QRUOV-1q31L3", "qruov1q31L3v165m60"], C1Q31L3, Shake;
    QrUov1Q31L10AesR3: "QRUOV-1q31L10-aes", "qruov1q31l10v600m70aes", ["QRUOV-1q31L10", "qruov1q31L10v600m70"], C1Q31L10, Aes;
    QrUov1Q31L10ShakeR3: "QRUOV-1q31L10-shake", "qruov1q31l10v600m70shake", ["QRUOV-1q31L10", "qruov1q31L10v600m70"], C1Q31L10, Shake;
    QrUov1Q7L10AesR3: "QRUOV-1q7L10-aes", "qruov1q7l10v740m100aes", ["QRUOV-1q7L10", "qruov1q7L10v740m100"], C1Q7L10, Aes;
    QrUov1Q7L10ShakeR3: "QRUOV-1q7L10-shake", "qruov1q7l10v740m100shake", ["QRUOV-1q7L10", "qruov1q7L10v740m100"], C1Q7L10, Shake;
    QrUov3Q127L3AesR3: "QRUOV-3q127L3-aes", "qruov3q127l3v228m78aes", ["QRUOV-3q127L3", "qruov3q127L3v228m78"], C3Q127L3, Aes;
    QrUov3Q127L3ShakeR3: "QRUOV-3q127L3-shake", "qruov3q127l3v228m78shake", ["QRUOV-3q127L3", "qruov3q127L3v228m78"], C3Q127L3, Shake;
    QrUov3Q127L10AesR3: "QRUOV-3q127L10-aes", "qruov3q127l10v820m90aes", ["QRUOV-3q127L10", "qruov3q127L10v820m90"], C3Q127L10, Aes;
    QrUov3Q127L10ShakeR3: "QRUOV-3q127L10-shake", "qruov3q127l10v820m90shake", ["QRUOV-3q127L10", "qruov3q127L10v820m90"], C3Q127L10, Shake;
    QrUov3Q31L3AesR3: "QRUOV-3q31L3-aes", "qruov3q31l3v246m87aes", ["QRUOV-3q31L3", "qruov3q31L3v246m87"], C3Q31L3, Aes;
    QrUov3Q31L3ShakeR3: "QRUOV-3q31L3-shake", "qruov3q31l3v246m87shake", ["QRUOV-3q31L3", "qruov3q31L3v246m87"], C3Q31L3, Shake;
    QrUov3Q31L10AesR3: "QRUOV-3q31L10-aes", "qruov3q31l10v890m100aes", ["QRUOV-3q31L10", "qruov3q31L10v890m100"], C3Q31L10, Aes;
    QrUov3Q31L10ShakeR3: "QRUOV-3q31L10-shake", "qruov3q31l10v890m100shake", ["QRUOV-3q31L10", "qruov3q31L10v890m100"], C3Q31L10, Shake;
    QrUov3Q7L10AesR3: "QRUOV-3q7L10-aes", "qruov3q7l10v1100m140aes", ["QRUOV-3q7L10", "qruov3q7L10v1100m140"], C3Q7L10, Aes;
    QrUov3Q7L10ShakeR3: "QRUOV-3q7L10-shake", "qruov3q7l10v1100m140shake", ["QRUOV-3q7L10", "qruov3q7L10v1100m140"], C3Q7L10, Shake;
    QrUov5Q127L3AesR3: "QRUOV-5q127L3-aes", "qruov5q127l3v306m105aes", ["QRUOV-5q127L3", "qruov5q127L3v306m105"], C5Q127L3, Aes;
    QrUov5Q127L3ShakeR3: "QRUOV-5q127L3-shake", "qruov5q127l3v306m105shake", ["QRUOV-5q127L3", "qruov5q127L3v306m105"], C5Q127L3, Shake;
    QrUov5Q127L10AesR3: "QRUOV-5q127L10-aes", "qruov5q127l10v1040m110aes", ["QRUOV-5q127L10", "qruov5q127L10v1040m110"], C5Q127L10, Aes;
    QrUov5Q127L10ShakeR3: "QRUOV-5q127L10-shake", "qruov5q127l10v1040m110shake", ["QRUOV-5q127L10", "qruov5q127L10v1040m110"], C5Q127L10, Shake;
    QrUov5Q31L3AesR3: "QRUOV-5q31L3-aes", "qruov5q31l3v324m114aes", ["QRUOV-5q31L3", "qruov5q31L3v324m114"], C5Q31L3, Aes;
    QrUov5Q31L3ShakeR3: "QRUOV-5q31L3-shake", "qruov5q31l3v324m114shake", ["QRUOV-5q31L3", "qruov5q31L3v324m114"], C5Q31L3, Shake;
    QrUov5Q31L10AesR3: "QRUOV-5q31L10-aes", "qruov5q31l10v1120m120aes", ["QRUOV-5q31L10", "qruov5q31L10v1120m120"], C5Q31L10, Aes;
    QrUov5Q31L10ShakeR3: "QRUOV-5q31L10-shake", "qruov5q31l10v1120m120shake", ["QRUOV-5q31L10", "qruov5q31L10v1120m120"], C5Q31L10, Shake;
    QrUov5Q7L10AesR3: "QRUOV-5q7L10-aes", "qruov5q7l10v1490m190aes", ["QRUOV-5q7L10", "qruov5q7L10v1490m190"], C5Q7L10, Aes;
    QrUov5Q7L10ShakeR3: "QRUOV-5q7L10-shake", "qruov5q7l10v1490m190shake", ["QRUOV-5q7L10", "qruov5q7L10v1490m190"], C5Q7L10, Shake;
}}
