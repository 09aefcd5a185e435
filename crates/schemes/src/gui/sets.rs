//! The parameter sets.

use alloc::{sync::Arc, vec::Vec};

use hfev::Parameters;
use mq_eval::gf2::{Layout, PackedSystem};
use rand_core::TryCryptoRng;

use super::basis::{TOWER_184, TOWER_312, TOWER_448, Tower};
use super::{Definition, Gui, GuiSecretKey, Hash, Roots};
use crate::registry::{Entry, Set};
use crate::{
    Error, Family, KernelBackend, KeyPairBytes, Origin, SetInfo, SignatureScheme, SignedMessageOrder,
    SigningReport, Sizes, Status, Verdict,
};

const BROKEN: Status = Status {
    verdict: Verdict::Broken,
    date: "2026-11-30",
    source: "Tao, Petzoldt, Ding: Efficient key recovery for all HFE signature variants, CRYPTO 2021",
};

const TOY: Status = Status { verdict: Verdict::Toy, date: "2026-11-30", source: "parameters for tests" };

/// Builds the scheme of a constant definition; a definition that makes none does not compile.
const fn scheme<const N: usize, const L: usize>(
    definition: Definition,
    tower: Option<&'static Tower>,
) -> Gui<N, L>
where
    gf2n::modulus::LibraryModulus: gf2n::modulus::Modulus<N, L>,
{
    match (Gui::new(definition), tower) {
        (Ok(gui), None) => gui,
        (Ok(gui), Some(tower)) => gui.in_tower(tower),
        #[allow(clippy::panic, reason = "reached by the compiler only")]
        (Err(_), _) => panic!("no scheme"),
    }
}

macro_rules! sets {
    ($($type:ident $name:literal $n:literal $l:literal $degree:literal $minus:literal $vinegar:literal $iterations:literal
        $hash:ident $salted:literal $roots:ident $tower:expr, $origin:ident $level:literal $version:literal $status:ident
        $header:literal $listed:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $version, ". **For research only**, see the module documentation.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type;

            impl $type {
                /// The scheme behind the set.
                pub const SCHEME: Gui<$n, $l> = scheme(
                    Definition {
                        name: $name,
                        degree: $degree,
                        minus: $minus,
                        vinegar: $vinegar,
                        iterations: $iterations,
                        hash: Hash::$hash,
                        salted: $salted,
                        roots: Roots::$roots,
                    },
                    $tower,
                );
                /// The numbers of its HFEv- system.
                pub const PARAMETERS: Parameters = Self::SCHEME.parameters();
            }

            impl SignatureScheme for $type {
                const INFO: SetInfo = SetInfo {
                    name: $name,
                    aliases: &[],
                    family: Family::Gui,
                    version: $version,
                    level: $level,
                    origin: Origin::$origin,
                    status: $status,
                    public_key: Self::SCHEME.public_key_len(),
                    secret_key: Self::SCHEME.secret_key_len(),
                    sizes: Sizes::Signature {
                        signature: Self::SCHEME.signature_len(),
                        order: SignedMessageOrder::MessageFirst,
                    },
                    kat_header: $header,
                    listed: $listed,
                };

                type ExpandedSecretKey = GuiSecretKey<$n, $l>;
                type ExpandedPublicKey = PackedSystem<Arc<[u8]>>;

                fn expected_attempts() -> Option<f64> {
                    Some(Self::SCHEME.expected_attempts())
                }

                fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
                    Self::SCHEME.generate(rng)
                }

                fn expand_secret_key(bytes: &[u8]) -> Result<Self::ExpandedSecretKey, Error> {
                    Self::SCHEME.secret_key(bytes)
                }

                fn expand_public_key(bytes: &[u8]) -> Result<Self::ExpandedPublicKey, Error> {
                    let checked = Self::SCHEME.public_system(bytes)?;
                    PackedSystem::new(Layout::LinearFirst, checked.shape(), Arc::from(checked.as_bytes())).map_err(|_| {
                        Error::Inconsistent {
                            set: $name,
                            part: crate::Part::PublicKey,
                            what: "checked bytes were refused",
                        }
                    })
                }

                fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
                    Self::SCHEME.public_key(&Self::SCHEME.secret_key(bytes)?).map(Some)
                }

                fn sign<R: TryCryptoRng + ?Sized>(
                    key: &Self::ExpandedSecretKey,
                    message: &[u8],
                    rng: &mut R,
                    signature: &mut [u8],
                ) -> Result<SigningReport, Error> {
                    Self::SCHEME.sign(key, message, rng, signature)
                }

                fn verify(key: &Self::ExpandedPublicKey, message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::SCHEME.verify_with(key, message, signature)
                }

                fn verify_once(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
                    Self::SCHEME.verify(public_key, message, signature)
                }

                fn backends() -> Vec<KernelBackend> {
                    crate::hfe_backends::backends()
                }
            }
        )+

        /// The sets of this family, toys included.
        pub static SETS: &[Set] = &[$(Set::Signature(const { &Entry::<$type>::new() })),+];
    };
}

sets! {
    Gui184 "gui184" 184 3 33 16 16 2 Sha256 true Unique Some(&TOWER_184), Official 1 "NIST round 1" BROKEN "gui184" true;
    Gui312 "gui312" 312 5 129 24 20 2 Sha384 true Unique Some(&TOWER_312), Official 3 "NIST round 1" BROKEN "gui312" true;
    Gui448 "gui448" 448 7 513 32 28 2 Sha512 true Unique Some(&TOWER_448), Official 5 "NIST round 1" BROKEN "gui448" true;
    Gui184Nosalt "gui184-nosalt" 184 3 33 16 16 2 Sha256 false Unique Some(&TOWER_184), Project 1
        "the parameters of round 1 without salt" BROKEN "gui184-nosalt" true;
    Gui312Nosalt "gui312-nosalt" 312 5 129 24 20 2 Sha384 false Unique Some(&TOWER_312), Project 3
        "the parameters of round 1 without salt" BROKEN "gui312-nosalt" true;
    Gui448Nosalt "gui448-nosalt" 448 7 513 32 28 2 Sha512 false Unique Some(&TOWER_448), Project 5
        "the parameters of round 1 without salt" BROKEN "gui448-nosalt" true;
    Gui184K4 "gui184-k4" 184 3 33 16 16 4 Sha256 true Unique Some(&TOWER_184), Project 1
        "the parameters of MQsoft's Gui-184" BROKEN "gui184-k4" true;
    Gui184K4Nosalt "gui184-k4-nosalt" 184 3 33 16 16 4 Sha256 false Unique Some(&TOWER_184), Project 1
        "the parameters of MQsoft's Gui-184 without salt" BROKEN "gui184-k4-nosalt" true;
    Gui185K4 "gui185-k4" 185 3 33 16 16 4 Sha256 true Unique None, Project 1
        "the parameters of MQsoft's Gui-185" BROKEN "gui185-k4" true;
    Gui185K4Nosalt "gui185-k4-nosalt" 185 3 33 16 16 4 Sha256 false Unique None, Project 1
        "the parameters of MQsoft's Gui-185 without salt" BROKEN "gui185-k4-nosalt" true;
    Gui313 "gui313" 313 5 129 24 20 2 Sha384 true Unique None, Project 3
        "the parameters of MQsoft's Gui-313" BROKEN "gui313" true;
    Gui313Nosalt "gui313-nosalt" 313 5 129 24 20 2 Sha384 false Unique None, Project 3
        "the parameters of MQsoft's Gui-313 without salt" BROKEN "gui313-nosalt" true;
    GuiToy "gui-toy" 24 1 9 8 8 2 Sha256 true Unique None, Project 0 "a toy" TOY "gui-toy" false;
    GuiToyAnyroot "gui-toy-anyroot" 24 1 9 8 8 2 Sha256 true Any None, Project 0
        "a toy that accepts any root" TOY "gui-toy-anyroot" false;
    GuiToy25Nosalt "gui-toy25-nosalt" 25 1 9 5 6 3 Sha256 false Unique None, Project 0
        "a toy of odd lengths without salt" TOY "gui-toy25-nosalt" false;
}
