//! Secret keys and signing.

use alloc::vec;
use alloc::vec::Vec;

use gf2x_roots::batch::BatchField;
use mq_eval::gf2::{Layout, System};
use rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use super::error::check_length;
use super::inner::InnerTrapdoor;
use super::leaves::{Progress, leaf_hashes, leaves_at};
use super::merkle::Forest;
use super::points::{Points, words};
use super::transcript::Transcript;
use super::{DualModeError, DualParameters};
use crate::Error;

/// A secret key of the dual mode, expanded: the inner trapdoor, the public equations, all levels of the Merkle trees and the
/// evaluation points. Only the trapdoor is secret.
///
/// Memory: [`DualParameters::equations_len`] + [`DualParameters::tree_len`] bytes, and 0.7 MB for points drawn from a seed.
pub struct DualSecretKey<I> {
    parameters: DualParameters,
    field: BatchField,
    inner: I,
    equations: Vec<u64>,
    forest: Forest,
    points: Points,
    seed: Vec<u8>,
    roots: Vec<u8>,
}

impl<I> core::fmt::Debug for DualSecretKey<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DualSecretKey").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

// the trapdoor wipes itself; the rest is public
impl<I: ZeroizeOnDrop> ZeroizeOnDrop for DualSecretKey<I> {}

/// What signing tells besides the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualSigned {
    /// The signature in the word format.
    pub signature: Vec<u8>,
    /// Attempts of all inner inversions together. Public: the time tells it.
    pub attempts: u64,
}

impl<I: InnerTrapdoor> DualSecretKey<I> {
    /// The key of an inner trapdoor and its public system, and of a point seed ([`DualParameters::seed_len`] bytes): evaluates
    /// all equations at all points and grows the Merkle trees. The system is public; variable time.
    ///
    /// Memory beside the key: the MAC polynomials and one block of values, 3 bytes a value; never all values.
    ///
    /// # Errors
    /// [`DualModeError::Length`] for a seed of another length, [`DualModeError::Parameters`] if the system has another shape or the
    /// MAC field is none.
    pub fn generate(
        parameters: DualParameters,
        inner: I,
        public: &System,
        seed: &[u8],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, DualModeError> {
        check_length(seed.len(), parameters.seed_len())?;
        let field = BatchField::new(parameters.mac_modulus).ok_or(DualModeError::Parameters)?;
        if public.shape() != parameters.shape || parameters.checked().is_err() {
            return Err(DualModeError::Parameters);
        }
        let bytes = Layout::EquationMajor.encode(public).map_err(|_| DualModeError::Parameters)?;
        let equations = words(&bytes);
        let points = Points::new(&parameters, seed);
        let hashes = leaf_hashes(&parameters, field, &equations, &points, progress);
        let (forest, roots) = Forest::grow(&parameters, hashes);
        Ok(Self { parameters, field, inner, equations, forest, points, seed: seed.to_vec(), roots })
    }

    /// The key from its stored public parts: the equations ([`Layout::EquationMajor`]), the levels of the Merkle trees below the
    /// roots, and the point seed. That the parts belong together is not checked: a signature that other parts make does not
    /// verify.
    ///
    /// # Errors
    /// [`DualModeError::Length`] and [`DualModeError::Padding`] (offsets within `equations`), [`DualModeError::Parameters`] if the MAC
    /// field is none.
    pub fn from_parts(
        parameters: DualParameters,
        inner: I,
        equations: &[u8],
        tree: &[u8],
        seed: &[u8],
    ) -> Result<Self, DualModeError> {
        check_length(equations.len(), parameters.equations_len())?;
        check_length(tree.len(), parameters.tree_len())?;
        check_length(seed.len(), parameters.seed_len())?;
        let field = BatchField::new(parameters.mac_modulus).ok_or(DualModeError::Parameters)?;
        parameters.checked().map_err(|_| DualModeError::Parameters)?;
        Layout::EquationMajor.check(parameters.shape, equations).map_err(|error| match error {
            mq_eval::gf2::LayoutError::Padding { byte } => DualModeError::Padding { byte },
            _ => DualModeError::Parameters,
        })?;
        let forest = Forest::from_bytes(tree.to_vec());
        let roots = forest.roots(&parameters);
        let points = Points::new(&parameters, seed);
        let equations = words(equations);
        Ok(Self { parameters, field, inner, equations, forest, points, seed: seed.to_vec(), roots })
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &DualParameters {
        &self.parameters
    }

    /// The bytes of the public key: the Merkle roots, then the point seed.
    #[must_use]
    pub fn public_key(&self) -> Vec<u8> {
        [&self.roots[..], &self.seed].concat()
    }

    /// Appends the stored public parts: the equations, the levels of the trees below the roots, the point seed.
    pub fn append_stored_parts(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.equations.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend_from_slice(self.forest.as_bytes());
        bytes.extend_from_slice(&self.seed);
    }

    /// Signs. The inner inversions draw in their order; nothing else draws. Constant time where the trapdoor is touched.
    ///
    /// # Errors
    /// Those of the inversions.
    pub fn sign<R: TryCryptoRng + ?Sized>(&self, message: &[u8], rng: &mut R) -> Result<DualSigned, Error> {
        let parameters = &self.parameters;
        let transcript = Transcript::new(parameters, message);
        let mut signature = Vec::with_capacity(parameters.signature_len());
        let mut attempts = 0;
        for digest in transcript.digests().chunks_exact(parameters.shape.equation_words()) {
            let (preimage, tried) = self.inner.invert(digest, rng)?;
            attempts += tried;
            signature.extend(preimage.iter().flat_map(|word| word.to_le_bytes()));
        }
        let rows = transcript.combination_rows(&signature);
        let combined: Vec<u8> = rows
            .chunks_exact(parameters.shape.equation_words())
            .flat_map(|row| self.combine(row))
            .flat_map(u64::to_le_bytes)
            .collect();
        let leaves = transcript.challenge(&signature, &combined);
        signature.extend_from_slice(&combined);
        let points: Vec<u32> = leaves.iter().map(|&leaf| self.points.get(parameters, leaf)).collect();
        signature.extend_from_slice(&leaves_at(parameters, self.field, &self.equations, &points));
        for &leaf in &leaves {
            self.forest.append_path(parameters, leaf, &mut signature);
        }
        Ok(DualSigned { signature, attempts })
    }

    /// The sum of the equations that a row selects.
    fn combine(&self, row: &[u64]) -> Vec<u64> {
        let words = self.parameters.shape.monomial_words();
        let mut sum = vec![0; words];
        for (q, equation) in self.equations.chunks_exact(words).enumerate() {
            if row[q / 64] >> (q % 64) & 1 == 1 {
                sum.iter_mut().zip(equation).for_each(|(s, e)| *s ^= e);
            }
        }
        sum
    }
}
