//! What can go wrong in the generic layer.

/// Why an operation of the generic Niederreiter layer was refused. No variant carries secret data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The parameters are outside 2 <= m <= 16, t >= 1, m t < n <= 2^m.
    #[error("no code with m = {m}, t = {t}, n = {n}: 2 <= m <= 16, t >= 1 and m t < n <= 2^m are needed")]
    Parameters {
        /// Degree of the field.
        m: usize,
        /// Degree of the Goppa polynomial.
        t: usize,
        /// Code length.
        n: usize,
    },
    /// The modulus given is reducible, or none was found.
    #[error("the modulus of degree {degree} is not irreducible")]
    Reducible {
        /// Its degree.
        degree: usize,
    },
    /// A byte string of the wrong length.
    #[error("{what} has {actual} bytes, expected {expected}")]
    Length {
        /// Which byte string.
        what: &'static str,
        /// The right length.
        expected: usize,
        /// The length given.
        actual: usize,
    },
    /// A padding bit is set.
    #[error("non-zero padding bit in byte {byte} of the {what}")]
    Padding {
        /// Which byte string.
        what: &'static str,
        /// Offset of the byte.
        byte: usize,
    },
    /// The matrix has no systematic form.
    #[error("the left block of the matrix is singular")]
    Singular,
    /// No success within the allowed attempts.
    #[error("no success within {attempts} attempts")]
    AttemptsExhausted {
        /// The bound that was reached.
        attempts: u32,
    },
    /// No error of weight t has this syndrome.
    #[error("the ciphertext does not decrypt")]
    Decryption,
}
