//! Parameters of the dual mode and the sizes that follow from them.

use gf2x_roots::batch::BatchField;
use mq_eval::gf2::Shape;

use super::DualModeError;

/// The hash functions' strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Security {
    /// SHA3-256 and TupleHash128.
    Bits128,
    /// SHA3-384 and TupleHash256.
    Bits192,
    /// SHA3-512 and TupleHash256.
    Bits256,
}

impl Security {
    /// Length of a digest in bytes.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Bits128 => 32,
            Self::Bits192 => 48,
            Self::Bits256 => 64,
        }
    }

    /// Length of a point seed in bytes.
    #[must_use]
    pub const fn seed_len(self) -> usize {
        self.digest_len() / 2
    }

    pub(super) const fn sha3_rate(self) -> usize {
        200 - 2 * self.digest_len()
    }

    pub(super) const fn tuple_hash_rate(self) -> usize {
        match self {
            Self::Bits128 => 168,
            Self::Bits192 | Self::Bits256 => 136,
        }
    }
}

/// Parameters that do not describe a dual mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no dual mode has these parameters: {0}")]
pub struct DualParameterError(&'static str);

/// The parameters of a dual mode: what the outer layer adds to an inner scheme of m equations in N variables.
///
/// The letters are those of the DualModeMS submission (Faugere, Perret, Ryckeghem, 2017) and of Szepieniec, Beullens and
/// Preneel, "MQ Signatures for PKI" (PQCrypto 2017).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DualParameters {
    /// Strength of the hash functions.
    pub security: Security,
    /// The inner public system: N variables, m equations.
    pub shape: Shape,
    /// sigma: how many inner signatures a signature holds.
    pub inner_signatures: usize,
    /// alpha: how many random combinations of the public equations a signature holds.
    pub combinations: usize,
    /// The field GF(2^k) of the MAC polynomials: its modulus, bit i the coefficient of x^i.
    pub mac_modulus: u32,
    /// log2 of tau, the number of evaluation points and of leaves.
    pub points_log2: u32,
    /// nu: how many leaves a signature opens.
    pub openings: usize,
    /// delta, log2 of the number of Merkle roots in the public key.
    pub roots_log2: u32,
}

impl DualParameters {
    /// Checks the parameters, so that every method is defined for them.
    ///
    /// # Errors
    /// The rule that they break: k in 2..=24, at most 2^k points, at most 2^k coefficients of a MAC polynomial, delta < log2 tau, at least
    /// one of everything, a digest with at least m bits. That the modulus is irreducible is not checked here.
    pub const fn checked(self) -> Result<Self, DualParameterError> {
        let k = self.mac_degree();
        if self.mac_modulus < 4 || k > 24 {
            return Err(DualParameterError("the MAC field is GF(2^2) to GF(2^24)"));
        }
        if self.points_log2 > k || self.roots_log2 >= self.points_log2 {
            return Err(DualParameterError("delta < log2 tau <= k"));
        }
        if self.mac_coefficients() > 1 << k {
            return Err(DualParameterError("at most 2^k coefficients of a MAC polynomial"));
        }
        if self.inner_signatures == 0 || self.combinations == 0 || self.openings == 0 {
            return Err(DualParameterError("at least one inner signature, combination and opening"));
        }
        if self.shape.equations() == 0 || self.shape.equations() > 8 * self.security.digest_len() {
            return Err(DualParameterError("1 <= m <= bits of a digest"));
        }
        Ok(self)
    }

    /// The MAC field of checked parameters.
    pub(super) fn mac_field(&self) -> Result<BatchField, DualModeError> {
        self.checked().map_err(|_| DualModeError::Parameters)?;
        BatchField::new(self.mac_modulus).ok_or(DualModeError::Parameters)
    }

    /// k, the degree of the MAC field.
    #[must_use]
    pub const fn mac_degree(&self) -> u32 {
        31 - (self.mac_modulus | 1).leading_zeros()
    }

    /// tau, the number of points.
    #[must_use]
    pub const fn points(&self) -> usize {
        1 << self.points_log2
    }

    /// Whether the points are all elements of the field in their order; otherwise they are drawn from a seed, with
    /// repetitions.
    #[must_use]
    pub const fn full_field(&self) -> bool {
        self.points_log2 == self.mac_degree()
    }

    /// Length of the point seed in bytes: zero where the points are the whole field.
    #[must_use]
    pub const fn seed_len(&self) -> usize {
        if self.full_field() { 0 } else { self.security.seed_len() }
    }

    /// NC, the number of coefficients of a MAC polynomial.
    #[must_use]
    pub const fn mac_coefficients(&self) -> usize {
        self.shape.monomials().div_ceil(self.mac_degree() as usize)
    }

    /// How many elements of the MAC field stand in a word.
    #[must_use]
    pub const fn elements_per_word(&self) -> usize {
        64 / self.mac_degree() as usize
    }

    /// Words of a leaf.
    #[must_use]
    pub const fn leaf_words(&self) -> usize {
        self.shape.equations().div_ceil(self.elements_per_word())
    }

    /// Bytes of a leaf.
    #[must_use]
    pub const fn leaf_len(&self) -> usize {
        8 * self.leaf_words()
    }

    /// Digests of an authentication path.
    #[must_use]
    pub const fn path_nodes(&self) -> usize {
        (self.points_log2 - self.roots_log2) as usize
    }

    /// Bytes of all Merkle roots.
    #[must_use]
    pub const fn roots_len(&self) -> usize {
        self.security.digest_len() << self.roots_log2
    }

    /// Bytes of a public key: the roots and the seed.
    #[must_use]
    pub const fn public_key_len(&self) -> usize {
        self.roots_len() + self.seed_len()
    }

    /// Bytes of the inner public system in its coefficient form.
    #[must_use]
    pub const fn equations_len(&self) -> usize {
        8 * self.shape.monomial_words() * self.shape.equations()
    }

    /// Bytes of the stored levels of the Merkle trees, all but the roots.
    #[must_use]
    pub const fn tree_len(&self) -> usize {
        2 * (self.points() - (1 << self.roots_log2)) * self.security.digest_len()
    }

    /// Bytes of the stored public parts of a secret key: equations, levels of the trees, point seed.
    #[must_use]
    pub const fn stored_len(&self) -> usize {
        self.equations_len() + self.tree_len() + self.seed_len()
    }

    /// Bytes of the first part of a signature, the inner signatures.
    #[must_use]
    pub const fn inner_part_len(&self) -> usize {
        8 * self.inner_signatures * self.shape.variable_words()
    }

    /// Bytes of the second part, the combined equations.
    #[must_use]
    pub const fn combined_part_len(&self) -> usize {
        8 * self.combinations * self.shape.monomial_words()
    }

    /// Bytes of the third part, the opened leaves.
    #[must_use]
    pub const fn leaf_part_len(&self) -> usize {
        self.openings * self.leaf_len()
    }

    /// Bytes of the last part, the authentication paths.
    #[must_use]
    pub const fn path_part_len(&self) -> usize {
        self.openings * self.path_nodes() * self.security.digest_len()
    }

    /// Bytes of a signature in the word format.
    #[must_use]
    pub const fn signature_len(&self) -> usize {
        self.inner_part_len() + self.combined_part_len() + self.leaf_part_len() + self.path_part_len()
    }

    /// Bits of a compact signature before the paths.
    #[must_use]
    pub const fn compact_bits(&self) -> usize {
        self.inner_signatures * self.shape.variables()
            + self.combinations * self.shape.monomials()
            + self.openings * self.shape.equations() * self.mac_degree() as usize
    }

    /// Bytes of a compact signature.
    #[must_use]
    pub const fn compact_len(&self) -> usize {
        self.compact_bits().div_ceil(8) + self.path_part_len()
    }
}
