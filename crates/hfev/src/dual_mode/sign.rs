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
use super::points::Points;
use super::transcript::Transcript;
use super::{DualModeError, DualParameters, merkle};
use crate::Error;

/// Computes the stored public parts of a key and appends them: the equations, all levels of the Merkle trees below the roots, the
/// point seed. Gives the bytes of the public key: the roots, then the seed. The system is public; variable time.
///
/// Memory beside what is appended: the MAC polynomials and one block of values, 3 bytes a value; never all values.
///
/// # Errors
/// [`DualModeError::Length`] for a seed of another length than [`DualParameters::seed_len`], [`DualModeError::Parameters`] if the
/// system has another shape, the MAC field is none or [`DualParameters::checked`] refuses the parameters.
pub fn append_stored_parts(
    parameters: DualParameters,
    public: System,
    seed: &[u8],
    stored: &mut Vec<u8>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<u8>, DualModeError> {
    let field = parameters.mac_field()?;
    check_length(seed.len(), parameters.seed_len())?;
    if public.shape() != parameters.shape {
        return Err(DualModeError::Parameters);
    }
    stored.reserve_exact(parameters.stored_len());
    let equations = stored.len();
    stored.extend(Layout::EquationMajor.encode(&public).map_err(|_| DualModeError::Parameters)?);
    drop(public);
    let points = Points::new(&parameters, seed);
    let begin = stored.len();
    stored.resize(begin + parameters.points() * parameters.security.digest_len(), 0);
    let (equations, hashes) = stored[equations..].split_at_mut(parameters.equations_len());
    leaf_hashes(&parameters, field, equations, &points, hashes, progress);
    let mut public_key = merkle::grow(&parameters, stored, begin);
    stored.extend_from_slice(seed);
    public_key.extend_from_slice(seed);
    Ok(public_key)
}

/// A secret key of the dual mode, expanded: the inner trapdoor, the public equations, all levels of the Merkle trees and the
/// evaluation points. Only the trapdoor is secret.
///
/// Memory: [`DualParameters::stored_len`] bytes, and 0.7 MB for points drawn from a seed; `B` may borrow the former.
pub struct DualSecretKey<I, B = Vec<u8>> {
    parameters: DualParameters,
    field: BatchField,
    inner: I,
    stored: B,
    points: Points,
    roots: Vec<u8>,
}

impl<I, B> core::fmt::Debug for DualSecretKey<I, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DualSecretKey").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

// the trapdoor wipes itself; the rest is public
impl<I: ZeroizeOnDrop, B> ZeroizeOnDrop for DualSecretKey<I, B> {}

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
    /// all equations at all points and grows the Merkle trees, as [`append_stored_parts`] does.
    ///
    /// # Errors
    /// Those of [`append_stored_parts`].
    pub fn generate(
        parameters: DualParameters,
        inner: I,
        public: System,
        seed: &[u8],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, DualModeError> {
        let mut stored = Vec::new();
        append_stored_parts(parameters, public, seed, &mut stored, progress)?;
        Self::from_stored(parameters, inner, stored)
    }
}

impl<I: InnerTrapdoor, B: AsRef<[u8]>> DualSecretKey<I, B> {
    /// The key from its stored public parts: the equations ([`Layout::EquationMajor`]), the levels of the Merkle trees below the
    /// roots, and the point seed. That the parts belong together is not checked: a signature that other parts make does not
    /// verify.
    ///
    /// # Errors
    /// [`DualModeError::Length`] and [`DualModeError::Padding`] (offsets within `stored`), [`DualModeError::Parameters`] if the
    /// trapdoor is one of another shape, the MAC field is none or [`DualParameters::checked`] refuses the parameters.
    pub fn from_stored(parameters: DualParameters, inner: I, stored: B) -> Result<Self, DualModeError> {
        let field = parameters.mac_field()?;
        if inner.shape() != (parameters.shape.variables(), parameters.shape.equations()) {
            return Err(DualModeError::Parameters);
        }
        let bytes = stored.as_ref();
        check_length(bytes.len(), parameters.stored_len())?;
        let (equations, rest) = bytes.split_at(parameters.equations_len());
        Layout::EquationMajor.check(parameters.shape, equations).map_err(|error| match error {
            mq_eval::gf2::LayoutError::Padding { byte } => DualModeError::Padding { byte },
            _ => DualModeError::Parameters,
        })?;
        let (levels, seed) = rest.split_at(parameters.tree_len());
        let roots = merkle::roots(&parameters, levels);
        let points = Points::new(&parameters, seed);
        Ok(Self { parameters, field, inner, stored, points, roots })
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &DualParameters {
        &self.parameters
    }

    fn equations(&self) -> &[u8] {
        &self.stored.as_ref()[..self.parameters.equations_len()]
    }

    fn levels(&self) -> &[u8] {
        &self.stored.as_ref()[self.parameters.equations_len()..][..self.parameters.tree_len()]
    }

    fn seed(&self) -> &[u8] {
        &self.stored.as_ref()[self.parameters.stored_len() - self.parameters.seed_len()..]
    }

    /// The bytes of the public key: the Merkle roots, then the point seed.
    #[must_use]
    pub fn public_key(&self) -> Vec<u8> {
        [&self.roots[..], self.seed()].concat()
    }

    /// The stored public parts: the equations, the levels of the trees below the roots, the point seed.
    #[must_use]
    pub fn stored_parts(&self) -> &[u8] {
        self.stored.as_ref()
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
        signature.extend_from_slice(&leaves_at(parameters, self.field, self.equations(), &points));
        for &leaf in &leaves {
            merkle::append_path(parameters, self.levels(), leaf, &mut signature);
        }
        Ok(DualSigned { signature, attempts })
    }

    /// The sum of the equations that a row selects.
    fn combine(&self, row: &[u64]) -> Vec<u64> {
        let words = self.parameters.shape.monomial_words();
        let mut sum = vec![0; words];
        for (q, equation) in self.equations().chunks_exact(8 * words).enumerate() {
            if row[q / 64] >> (q % 64) & 1 == 1 {
                let equation = equation.as_chunks::<8>().0;
                sum.iter_mut().zip(equation).for_each(|(s, e)| *s ^= u64::from_le_bytes(*e));
            }
        }
        sum
    }
}
