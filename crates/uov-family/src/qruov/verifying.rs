//! Verification. All of it is public and runs in variable time.

use alloc::vec::Vec;

use super::backend::Backend;
use super::expansion::{Group, PublicExpansion};
use super::kernels::{DOT_BLOCK, dot};
use super::oil_system::EXPANDED_GROUP;
use super::packing::{FormatError, unpack, unpack_lax};
use super::parameters::{Expansion, Parameters, Round};
use super::ring::QuotientRing;
use super::signing::has_large_first;
use super::streams::{hash_target, message_digest};
use super::weights::Weights;

/// Why a signature was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyingError {
    /// The public key is malformed.
    #[error("public key: {0}")]
    PublicKey(FormatError),
    /// The signature is malformed.
    #[error("signature: {0}")]
    Signature(FormatError),
    /// The signature does not belong to this message and key.
    #[error("the signature is not valid")]
    Invalid,
}

/// How malformed encodings are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parsing {
    /// Elements equal to q and padding bits are refused.
    Strict,
    /// The rule of the round-2 reference: q counts as 0, padding is ignored.
    Lax,
}

/// All P3 blocks of a public key, one byte to an element; they begin at multiples of `p3_len`.
pub(crate) fn parse_blocks<R: QuotientRing>(
    parameters: &Parameters,
    public_key: &[u8],
    parsing: Parsing,
) -> Result<Vec<u8>, FormatError> {
    let packed = &public_key[parameters.public_seed_len()..];
    let count = parameters.oil * parameters.p3_len();
    match parsing {
        Parsing::Strict => unpack::<R>(packed, count, DOT_BLOCK),
        Parsing::Lax => Ok(unpack_lax::<R>(packed, count, DOT_BLOCK)),
    }
}

/// What a signature claims: the weights of its vector, and the values that the equations must have.
pub(crate) struct Claim {
    weights: Weights,
    target: Vec<u8>,
}

impl Claim {
    #[inline(always)]
    pub(crate) fn new<R: QuotientRing>(
        parameters: &Parameters,
        public_seed: &[u8],
        message: &[u8],
        signature: &[u8],
        parsing: Parsing,
    ) -> Result<Self, VerifyingError> {
        let (salt, packed) = signature.split_at(parameters.salt_len());
        let count = parameters.vinegar + parameters.oil;
        let s = match parsing {
            Parsing::Strict => unpack::<R>(packed, count, 0).map_err(VerifyingError::Signature)?,
            Parsing::Lax => unpack_lax::<R>(packed, count, 0),
        };
        if parameters.round == Round::Three && has_large_first::<R>(&s[..count]) != 0 {
            return Err(VerifyingError::Invalid);
        }
        let weights = Weights::new::<R>(&s, parameters.vinegar_ring(), parameters.oil_ring());
        let target = hash_target::<R>(parameters, &message_digest(public_seed, message), salt);
        Ok(Self { weights, target })
    }

    /// Whether equation `k` with these matrices has the claimed value.
    #[inline(always)]
    fn holds<B: Backend, R: QuotientRing>(
        &self,
        backend: B,
        k: usize,
        p1: &[u8],
        p2: &[u8],
        p3: &[u8],
    ) -> bool {
        let weights = &self.weights;
        let pairs = [(p1, &weights.p1[..]), (p2, &weights.p2[..]), (p3, &weights.p3[..])];
        dot::<B, R>(backend, &pairs) == u32::from(self.target[k])
    }
}

fn verdict(valid: bool) -> Result<(), VerifyingError> {
    if valid { Ok(()) } else { Err(VerifyingError::Invalid) }
}

/// Expands the key equation by equation and checks each against the claim.
#[inline(always)]
pub(crate) fn check_from_seed<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    public_seed: &[u8],
    blocks: &[u8],
    claim: &Claim,
) -> Result<(), VerifyingError> {
    // as many streams at once as Keccak states, which all stay in the first caches
    let capacity = match parameters.expansion {
        Expansion::Aes => 1,
        Expansion::Shake => mq_eval::keccak::widest(),
    };
    let mut expansion = PublicExpansion::new(parameters, public_seed);
    let mut group = Group::new(parameters, capacity);
    let mut valid = true;
    for first in (0..parameters.oil).step_by(capacity) {
        let count = (parameters.oil - first).min(capacity);
        expansion.expand::<B, R>(backend, first, count, &mut group);
        for e in 0..count {
            let p3 = &blocks[(first + e) * parameters.p3_len()..];
            valid &= claim.holds::<B, R>(
                backend,
                first + e,
                &group.p1[e * group.p1_stride..],
                &group.p2[e * group.p2_stride..],
                p3,
            );
        }
    }
    verdict(valid)
}

/// Checks the claim with expanded matrices.
#[inline(always)]
pub(crate) fn check_expanded<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    groups: &[Group],
    blocks: &[u8],
    claim: &Claim,
) -> Result<(), VerifyingError> {
    let valid = (0..parameters.oil).all(|k| {
        let (group, e) = (&groups[k / EXPANDED_GROUP], k % EXPANDED_GROUP);
        claim.holds::<B, R>(
            backend,
            k,
            &group.p1[e * group.p1_stride..],
            &group.p2[e * group.p2_stride..],
            &blocks[k * parameters.p3_len()..],
        )
    });
    verdict(valid)
}
