//! Verification. Everything here is public and takes variable time.

use alloc::vec;
use alloc::vec::Vec;

use mq_eval::gf2::evaluate_equations;

use super::error::check_length;
use super::format::Parts;
use super::hash::sha3_many;
use super::mac::{MacField, mac_values};
use super::merkle::paths_lead_to_roots;
use super::points::{Points, element, words};
use super::transcript::Transcript;
use super::{Check, DualModeError, DualParameters};

/// A public key, with its evaluation points expanded: the form for verifying many signatures.
///
/// The official parameter sets draw the points from a seed in the key by a sequential hash of some milliseconds; the expanded
/// points take 0.7 MB. Where the points are the whole field there is nothing to expand.
#[derive(Clone)]
pub struct DualPublicKey {
    parameters: DualParameters,
    bytes: Vec<u8>,
    points: Points,
}

impl core::fmt::Debug for DualPublicKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DualPublicKey").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

impl DualPublicKey {
    /// Parses a public key and expands its points. Any byte string of the right length is a public key.
    ///
    /// # Errors
    /// [`DualModeError::Length`]; [`DualModeError::Parameters`] if the MAC field is none or [`DualParameters::checked`] refuses the
    /// parameters.
    pub fn new(parameters: DualParameters, bytes: &[u8]) -> Result<Self, DualModeError> {
        parameters.mac_field()?;
        check_length(bytes.len(), parameters.public_key_len())?;
        let points = Points::new(&parameters, &bytes[parameters.roots_len()..]);
        Ok(Self { parameters, bytes: bytes.to_vec(), points })
    }

    /// The bytes: the Merkle roots, then the point seed if there is one.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &DualParameters {
        &self.parameters
    }

    /// Verifies a signature in the word format. Strict: a wrong length or a set padding bit is an error before anything is
    /// computed.
    ///
    /// # Errors
    /// [`DualModeError`]; [`DualModeError::Invalid`] says which check failed.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), DualModeError> {
        let parameters = &self.parameters;
        let parts = Parts::new(parameters, signature)?;
        let transcript = Transcript::new(parameters, message);
        let rows = transcript.combination_rows(parts.inner);
        let combined = words(parts.combined);
        if !inner_values_agree(parameters, &transcript, &rows, &combined, &words(parts.inner)) {
            return Err(DualModeError::Invalid(Check::InnerSignature));
        }
        let leaves = transcript.challenge(parts.inner, parts.combined);
        let mut hashes = vec![0; leaves.len() * parameters.security.digest_len()];
        sha3_many(parameters.security, parts.leaves, parameters.leaf_len(), &mut hashes);
        let roots = &self.bytes[..parameters.roots_len()];
        if !paths_lead_to_roots(parameters, &leaves, hashes, parts.paths, roots) {
            return Err(DualModeError::Invalid(Check::Opening));
        }
        let points: Vec<u32> = leaves.iter().map(|&leaf| self.points.get(parameters, leaf)).collect();
        if !combinations_agree(parameters, &rows, parts.combined, &words(parts.leaves), &points) {
            return Err(DualModeError::Invalid(Check::Combination));
        }
        Ok(())
    }
}

/// R_a(s_i) = <t_a, D_i> for all a and i.
fn inner_values_agree(
    parameters: &DualParameters,
    transcript: &Transcript<'_>,
    rows: &[u64],
    combined: &[u64],
    inner: &[u64],
) -> bool {
    let width = parameters.shape.equation_words();
    let digests = transcript.digests();
    let values = evaluate_equations(parameters.shape, combined, inner);
    let value_words = parameters.inner_signatures.div_ceil(64);
    rows.chunks_exact(width).zip(values.chunks_exact(value_words)).all(|(row, values)| {
        digests.chunks_exact(width).enumerate().all(|(i, digest)| {
            let product = row.iter().zip(digest).fold(0, |sum, (t, d)| sum ^ (t & d)).count_ones();
            u64::from(product & 1) == values[i / 64] >> (i % 64) & 1
        })
    })
}

/// The MAC polynomial of R_a takes at each opened point the sum of the leaf's elements that t_a selects.
fn combinations_agree(
    parameters: &DualParameters,
    rows: &[u64],
    combined: &[u8],
    leaves: &[u64],
    points: &[u32],
) -> bool {
    let shape = parameters.shape;
    let values = mac_values(
        MacField::new(parameters.mac_modulus),
        combined,
        8 * shape.monomial_words(),
        parameters.mac_coefficients(),
        points,
    );
    let leaves = leaves.chunks_exact(parameters.leaf_words());
    leaves.zip(values.chunks_exact(parameters.combinations)).all(|(leaf, values)| {
        rows.chunks_exact(shape.equation_words()).zip(values).all(|(row, &value)| {
            let mut sum = 0;
            for (k, &word) in row.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    sum ^= element(parameters, leaf, 64 * k + rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                }
            }
            sum == value
        })
    })
}
