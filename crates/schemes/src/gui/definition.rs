//! Parameters of the scheme, and the sizes that follow.

use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::{FeistelPatarin, ParameterError, Parameters};
use mq_eval::gf2::{Layout, Shape};

use super::Hash;
use super::basis::Tower;

/// Which roots an inversion accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roots {
    /// The root, if there is exactly one: about one inversion in e succeeds.
    Unique,
    /// Any root; of several, one that a hash of the target chooses. About 1 - 1/e of the inversions succeed.
    Any,
}

/// What a user chooses, beside the degree of the field (a type parameter of [`Gui`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The name that errors show.
    pub name: &'static str,
    /// D, the degree of the HFE polynomial: 2^i or 2^i + 2^j with i != j.
    pub degree: usize,
    /// Equations dropped.
    pub minus: usize,
    /// Vinegar variables.
    pub vinegar: usize,
    /// Iterations of the Feistel-Patarin construction.
    pub iterations: usize,
    /// The hash function.
    pub hash: Hash,
    /// Whether a salt of 16 bytes is hashed with the message and renewed until all inversions succeed (EUF-CMA).
    pub salted: bool,
    /// Which roots are accepted.
    pub roots: Roots,
}

/// Why a definition makes no scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The numbers make no HFEv- system.
    #[error(transparent)]
    Parameters(ParameterError),
    /// A target has more bits than the hash function gives.
    #[error("{equations} equations need a digest of as many bits, not of {digest_bits}")]
    DigestTooShort {
        /// Number of equations.
        equations: usize,
        /// Bits of a digest.
        digest_bits: usize,
    },
}

/// HFEv- signatures over GF(2^N) on L = ceil(N/64) limbs, in the manner and format of Gui.
///
/// A scheme of one's own takes a few lines:
///
/// ```
/// use schemes::gui::{Definition, Gui, Hash, Roots};
/// # use rand_core::SeedableRng;
/// # let mut rng = rand_chacha::ChaCha20Rng::seed_from_u64(1);
///
/// let scheme = Gui::<83, 2>::new(Definition {
///     name: "mine",
///     degree: 17,
///     minus: 11,
///     vinegar: 9,
///     iterations: 2,
///     hash: Hash::Sha256,
///     salted: true,
///     roots: Roots::Unique,
/// })?;
/// let keys = scheme.generate(&mut rng)?;
/// let signing_key = scheme.secret_key(&keys.secret)?;
/// let mut signature = vec![0; scheme.signature_len()];
/// scheme.sign(&signing_key, b"a message", &mut rng, &mut signature)?;
/// scheme.verify(&keys.public, b"a message", &signature)?;
/// assert!(scheme.verify(&keys.public, b"another", &signature).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Degrees that are not 2^i or 2^i + 2^j, as many dropped equations as there are, or a digest shorter than a target are a
/// [`DefinitionError`]; a wrong number of limbs does not compile:
///
/// ```compile_fail
/// # use schemes::gui::{Definition, Gui, Hash, Roots};
/// let three_limbs = Gui::<83, 3>::new(Definition {
///     name: "mine", degree: 17, minus: 11, vinegar: 9, iterations: 2, hash: Hash::Sha256, salted: true, roots: Roots::Any,
/// });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gui<const N: usize, const L: usize> {
    pub(super) name: &'static str,
    pub(super) parameters: Parameters,
    pub(super) shape: Shape,
    pub(super) hash: Hash,
    pub(super) salted: bool,
    pub(super) roots: Roots,
    /// The basis of the key format where it is not that of the field.
    pub(super) tower: Option<&'static Tower>,
}

impl<const N: usize, const L: usize> Gui<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    /// Length of a salt in bytes.
    pub const SALT: usize = 16;

    /// The scheme of a definition, over GF(2^N) with the field polynomial of the library.
    ///
    /// # Errors
    /// A [`DefinitionError`] for numbers that make no scheme.
    pub const fn new(definition: Definition) -> Result<Self, DefinitionError> {
        const { assert!(L == N.div_ceil(64), "L is ceil(N / 64)") };
        let parameters = match Parameters::new(
            N,
            definition.degree,
            definition.minus,
            definition.vinegar,
            definition.iterations,
        ) {
            Ok(parameters) => parameters,
            Err(error) => return Err(DefinitionError::Parameters(error)),
        };
        let digest_bits = 8 * definition.hash.len();
        if digest_bits < parameters.equations() {
            return Err(DefinitionError::DigestTooShort { equations: parameters.equations(), digest_bits });
        }
        let Ok(shape) = Shape::new(parameters.variables(), parameters.equations()) else {
            // The same bound as that of the parameters.
            return Err(DefinitionError::Parameters(ParameterError::Variables {
                variables: parameters.variables(),
            }));
        };
        Ok(Self {
            name: definition.name,
            parameters,
            shape,
            hash: definition.hash,
            salted: definition.salted,
            roots: definition.roots,
            tower: None,
        })
    }

    /// The same scheme with keys in the basis of a tower of fields.
    pub(super) const fn in_tower(mut self, tower: &'static Tower) -> Self {
        self.tower = Some(tower);
        self
    }

    /// The numbers of the HFEv- system.
    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Length of a public key in bytes.
    #[must_use]
    pub const fn public_key_len(&self) -> usize {
        Layout::LinearFirst.len(self.shape) + 1
    }

    /// Length of a secret key in bytes.
    #[must_use]
    pub const fn secret_key_len(&self) -> usize {
        let variables = self.parameters.variables();
        (variables + 1) * variables.div_ceil(8) + (N + 1) * N.div_ceil(8) + self.central_len() + 1
    }

    /// Length of a signature in bytes.
    #[must_use]
    pub const fn signature_len(&self) -> usize {
        self.parameters.signature_bits().div_ceil(8) + if self.salted { Self::SALT } else { 0 }
    }

    /// The mean number of attempts of a signature if the polynomials behave like random ones: salts, each for a whole chain of
    /// inversions; without salt inversions, each repeated by itself.
    #[must_use]
    pub fn expected_attempts(&self) -> f64 {
        use core::f64::consts::E;
        let of_one = match self.roots {
            Roots::Unique => E,
            Roots::Any => 1.0 / (1.0 - 1.0 / E),
        };
        let of_each = core::iter::repeat_n(of_one, self.parameters.iterations());
        if self.salted { of_each.product() } else { of_each.sum() }
    }

    /// Number of coefficients of the central polynomial in a secret key.
    pub(super) const fn coefficients(&self) -> usize {
        let v = self.parameters.vinegar();
        let degree = self.parameters.degree();
        degree.top() + degree.quadratic_terms() + degree.linear_terms() * v + v * (v + 1) / 2
    }

    /// Length of the central polynomial in a secret key, in bytes.
    pub(super) const fn central_len(&self) -> usize {
        self.coefficients() * N.div_ceil(8)
    }

    pub(super) fn chain(&self) -> FeistelPatarin {
        FeistelPatarin::from(self.parameters)
    }
}
