//! Keys and the operations on them, for any parameters, on the best back end of the CPU.

use alloc::vec::Vec;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::backend::{self, Backend, with_backend};
use super::expansion::{Group, PublicExpansion};
use super::kernels::Panel;
use super::keygen::public_blocks;
use super::oil_system::{EXPANDED_GROUP, OilSystem, replace_by_oil_part};
use super::packing::{FormatError, pack};
use super::parameters::{Parameters, Ring};
use super::ring::{Q7L10, Q31L3, Q31L10, Q127L3, Q127L10, QuotientRing};
use super::signing::{SALT_LIMIT, Signer, SigningError, SigningSeeds};
use super::streams::{self, Secret, expand_secret, message_digest};
use super::verifying::{Claim, Parsing, VerifyingError, check_expanded, check_from_seed, parse_blocks};
use super::weights::Weights;
use gf2n::secret::SecretVec;

/// Runs `$body` with `$R` the ring type of a [`Ring`] value.
macro_rules! with_ring {
    ($ring:expr, $R:ident => $body:expr) => {
        match $ring {
            Ring::Q7L10 => {
                type $R = Q7L10;
                $body
            }
            Ring::Q31L3 => {
                type $R = Q31L3;
                $body
            }
            Ring::Q31L10 => {
                type $R = Q31L10;
                $body
            }
            Ring::Q127L3 => {
                type $R = Q127L3;
                $body
            }
            Ring::Q127L10 => {
                type $R = Q127L10;
                $body
            }
        }
    };
}

/// Name of the back end that the kernels use on this CPU.
#[must_use]
pub fn backend_name() -> &'static str {
    backend::name()
}

/// Round 3: the public seed that belongs to a secret seed.
#[must_use]
pub fn derive_public_seed(secret_seed: &[u8]) -> [u8; 16] {
    streams::derive_public_seed(secret_seed)
}

/// The public key of a secret and a public seed. Constant time in the secret seed.
///
/// The seeds have `secret_seed_len()` and `public_seed_len()` bytes; in round 3 the public seed is
/// [`derive_public_seed`] of the secret seed.
///
/// # Panics
/// If a seed has another length.
#[must_use]
pub fn public_key(parameters: &Parameters, secret_seed: &[u8], public_seed: &[u8]) -> Vec<u8> {
    fn run<R: QuotientRing>(p: &Parameters, secret_seed: &[u8], public_seed: &[u8]) -> Vec<u8> {
        let secret = expand_secret::<R>(p, Secret::Matrix, secret_seed);
        let blocks = with_blocks::<R>(p, &secret, public_seed);
        let mut out = Vec::with_capacity(p.public_key_len() + 8);
        out.extend_from_slice(public_seed);
        pack::<R>(&blocks, &mut out);
        out
    }
    fn with_blocks<R: QuotientRing>(p: &Parameters, secret: &[u8], public_seed: &[u8]) -> Vec<u8> {
        with_backend!(|backend| backend.run(
            #[inline(always)]
            || public_blocks::<_, R>(backend, p, secret, public_seed)
        ))
    }
    assert_eq!(public_seed.len(), parameters.public_seed_len());
    with_ring!(parameters.ring, R => run::<R>(parameters, secret_seed, public_seed))
}

/// Signs from the seeds of the key; writes the whole of `signature` (`signature_len()` bytes) or, on error, nothing. Returns the
/// number of salts. Constant time in the secrets; the rank of the linear system shows in the number of salts.
///
/// # Errors
/// [`SigningError`].
///
/// # Panics
/// If a seed or `signature` has another length than `parameters` say.
pub fn sign(
    parameters: &Parameters,
    secret_seed: &[u8],
    public_seed: &[u8],
    message: &[u8],
    seeds: &SigningSeeds<'_>,
    signature: &mut [u8],
) -> Result<u64, SigningError> {
    fn run<R: QuotientRing>(
        p: &Parameters,
        secret_seed: &[u8],
        public_seed: &[u8],
        message: &[u8],
        seeds: &SigningSeeds<'_>,
        signature: &mut [u8],
    ) -> Result<u64, SigningError> {
        let secret = expand_secret::<R>(p, Secret::Matrix, secret_seed);
        let vinegar = expand_secret::<R>(p, Secret::Vinegar, seeds.vinegar);
        let mu = message_digest(public_seed, message);
        with_backend!(|backend| {
            let system = backend.run(
                #[inline(always)]
                || OilSystem::from_seeds::<_, R>(backend, p, &secret, &vinegar, public_seed),
            );
            {
                let (secret, vinegar) = (&secret, &vinegar);
                let signer =
                    Signer { parameters: p, secret, vinegar, mu: &mu, seeds, salt_limit: SALT_LIMIT };
                signer.sign::<_, R>(backend, &system, signature)
            }
        })
    }
    with_ring!(parameters.ring, R => run::<R>(parameters, secret_seed, public_seed, message, seeds, signature))
}

/// Verifies with the official bytes of a public key. Malformed keys and signatures are refused.
///
/// # Errors
/// [`VerifyingError`].
///
/// # Panics
/// If `public_key` or `signature` has another length than `parameters` say.
pub fn verify(
    parameters: &Parameters,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), VerifyingError> {
    with_ring!(parameters.ring, R => verify_with::<R>(parameters, public_key, message, signature, Parsing::Strict))
}

/// Verifies by the rule of the round-2 reference implementation, for interoperation with it: padding bits are ignored and an element
/// equal to q counts as 0, in the public key and in the signature. **Signatures are malleable under this rule**; use [`verify`] unless the
/// verdict has to be that of the reference.
///
/// # Errors
/// [`VerifyingError::Invalid`].
///
/// # Panics
/// If `public_key` or `signature` has another length than `parameters` say.
pub fn verify_lax(
    parameters: &Parameters,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), VerifyingError> {
    with_ring!(parameters.ring, R => verify_with::<R>(parameters, public_key, message, signature, Parsing::Lax))
}

fn verify_with<R: QuotientRing>(
    p: &Parameters,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
    parsing: Parsing,
) -> Result<(), VerifyingError> {
    let seed = &public_key[..p.public_seed_len()];
    let blocks = parse_blocks::<R>(p, public_key, parsing).map_err(VerifyingError::PublicKey)?;
    with_backend!(|backend| backend.run(
        #[inline(always)]
        || {
            let claim = Claim::new::<R>(p, seed, message, signature, parsing)?;
            check_from_seed::<_, R>(backend, p, seed, &blocks, &claim)
        }
    ))
}

/// A public key with P1, P2 and P3 expanded: one byte an element, some `m (n1 + n2 + n3)` bytes (0.4 to 27 MB).
#[derive(Clone)]
pub struct ExpandedPublicKey {
    parameters: Parameters,
    seed: Vec<u8>,
    groups: Vec<Group>,
    blocks: Vec<u8>,
}

fn expand_groups<R: QuotientRing>(p: &Parameters, seed: &[u8]) -> Vec<Group> {
    fn fill<B: Backend, R: QuotientRing>(backend: B, p: &Parameters, seed: &[u8], groups: &mut Vec<Group>) {
        let mut expansion = PublicExpansion::new(p, seed);
        for first in (0..p.oil).step_by(EXPANDED_GROUP) {
            let mut group = Group::new(p, EXPANDED_GROUP);
            let count = (p.oil - first).min(EXPANDED_GROUP);
            backend.run(
                #[inline(always)]
                || expansion.expand::<B, R>(backend, first, count, &mut group),
            );
            groups.push(group);
        }
    }
    let mut groups = Vec::with_capacity(p.oil.div_ceil(EXPANDED_GROUP));
    with_backend!(|backend| {
        fill::<_, R>(backend, p, seed, &mut groups);
        groups
    })
}

impl ExpandedPublicKey {
    /// Parses and expands a public key of `public_key_len()` bytes.
    ///
    /// # Errors
    /// Padding bits or elements equal to q.
    ///
    /// # Panics
    /// If `public_key` has another length.
    pub fn new(parameters: &Parameters, public_key: &[u8]) -> Result<Self, FormatError> {
        let (seed, _) = public_key.split_at(parameters.public_seed_len());
        let (blocks, groups) = with_ring!(parameters.ring, R => (
            parse_blocks::<R>(parameters, public_key, Parsing::Strict)?,
            expand_groups::<R>(parameters, seed)
        ));
        Ok(Self { parameters: *parameters, seed: seed.to_vec(), groups, blocks })
    }

    /// Verifies a signature of `signature_len()` bytes; strict as [`verify`].
    ///
    /// # Errors
    /// [`VerifyingError`].
    ///
    /// # Panics
    /// If `signature` has another length.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), VerifyingError> {
        fn run<R: QuotientRing>(
            key: &ExpandedPublicKey,
            message: &[u8],
            signature: &[u8],
        ) -> Result<(), VerifyingError> {
            with_backend!(|backend| backend.run(
                #[inline(always)]
                || {
                    let p = &key.parameters;
                    let claim = Claim::new::<R>(p, &key.seed, message, signature, Parsing::Strict)?;
                    check_expanded::<_, R>(backend, p, &key.groups, &key.blocks, &claim)
                }
            ))
        }
        with_ring!(self.parameters.ring, R => run::<R>(self, message, signature))
    }
}

/// A secret key with S, P1 and `F_k = P2_k - P1_k S` expanded, some `m (n1 + n2)` bytes (0.4 to 27 MB). S and F are wiped when dropped.
pub struct ExpandedSecretKey {
    parameters: Parameters,
    public_seed: Vec<u8>,
    secret: SecretVec<u8>,
    groups: Vec<Group>,
}

impl ExpandedSecretKey {
    /// Expands the seeds of a secret key; their lengths as for [`public_key`].
    ///
    /// # Panics
    /// If a seed has another length.
    #[must_use]
    pub fn new(parameters: &Parameters, secret_seed: &[u8], public_seed: &[u8]) -> Self {
        fn run<R: QuotientRing>(
            p: &Parameters,
            secret_seed: &[u8],
            public_seed: &[u8],
        ) -> (SecretVec<u8>, Vec<Group>) {
            let secret = expand_secret::<R>(p, Secret::Matrix, secret_seed);
            let mut groups = expand_groups::<R>(p, public_seed);
            replace::<R>(p, &secret, &mut groups);
            (secret, groups)
        }
        fn replace<R: QuotientRing>(p: &Parameters, secret: &[u8], groups: &mut [Group]) {
            fn with<B: Backend, R: QuotientRing>(
                backend: B,
                p: &Parameters,
                secret: &[u8],
                groups: &mut [Group],
            ) {
                let panel = Panel::of_matrix::<B, R>(backend, secret, p.vinegar_ring(), p.oil_ring());
                for group in groups {
                    backend.run(
                        #[inline(always)]
                        || replace_by_oil_part::<B, R>(backend, p, &panel, group),
                    );
                }
            }
            with_backend!(|backend| with::<_, R>(backend, p, secret, groups));
        }
        let (secret, groups) =
            with_ring!(parameters.ring, R => run::<R>(parameters, secret_seed, public_seed));
        Self { parameters: *parameters, public_seed: public_seed.to_vec(), secret, groups }
    }

    /// Signs; as [`sign`], with the same bytes for the same seeds.
    ///
    /// # Errors
    /// [`SigningError`].
    ///
    /// # Panics
    /// If a seed or `signature` has another length than the parameters say.
    pub fn sign(
        &self,
        message: &[u8],
        seeds: &SigningSeeds<'_>,
        signature: &mut [u8],
    ) -> Result<u64, SigningError> {
        fn run<R: QuotientRing>(
            key: &ExpandedSecretKey,
            message: &[u8],
            seeds: &SigningSeeds<'_>,
            signature: &mut [u8],
        ) -> Result<u64, SigningError> {
            let p = &key.parameters;
            let vinegar = expand_secret::<R>(p, Secret::Vinegar, seeds.vinegar);
            let mu = message_digest(&key.public_seed, message);
            with_backend!(|backend| {
                let system = backend.run(
                    #[inline(always)]
                    || {
                        let mut weights = Weights::new::<R>(&vinegar, p.vinegar_ring(), 0);
                        let system =
                            OilSystem::from_expanded::<_, R>(backend, p, &key.groups, &vinegar, &weights.p1);
                        weights.p1.zeroize();
                        system
                    },
                );
                {
                    let (secret, vinegar) = (&key.secret, &vinegar);
                    let signer =
                        Signer { parameters: p, secret, vinegar, mu: &mu, seeds, salt_limit: SALT_LIMIT };
                    signer.sign::<_, R>(backend, &system, signature)
                }
            })
        }
        with_ring!(self.parameters.ring, R => run::<R>(self, message, seeds, signature))
    }
}

impl Drop for ExpandedSecretKey {
    fn drop(&mut self) {
        for group in &mut self.groups {
            group.p2.zeroize();
        }
    }
}

impl ZeroizeOnDrop for ExpandedSecretKey {}
