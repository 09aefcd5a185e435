//! Why an operation was given up.

/// Why a signature was not made. Nothing was output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The random generator failed.
    #[error("the random generator failed")]
    Random,
    /// No success within the allowed number of attempts.
    #[error("no success within {attempts} attempts")]
    AttemptsExhausted {
        /// The bound that was reached.
        attempts: u64,
    },
}

/// Secret maps or a polynomial that do not fit the parameters of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The field has another degree than the parameters say.
    #[error("parameters for GF(2^{expected}), field GF(2^{actual})")]
    Field {
        /// The degree in the parameters.
        expected: usize,
        /// The degree of the field.
        actual: usize,
    },
    /// The polynomial has another degree or another number of vinegar variables.
    #[error("the polynomial does not fit the parameters")]
    Polynomial,
    /// A map has another side.
    #[error("a secret map of side {actual}, expected {expected}")]
    Map {
        /// The side that the parameters need.
        expected: usize,
        /// The side of the map.
        actual: usize,
    },
    /// A map is not invertible.
    #[error("a secret map is singular")]
    Singular,
    /// A wrong number of words of key material.
    #[error("{actual} words of key material, expected {expected}")]
    Words {
        /// The number that the parameters need.
        expected: usize,
        /// The number that was given.
        actual: usize,
    },
}
