//! Why the dual mode refuses something.

/// The check that a well-formed signature failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// A combined equation does not take the combined digest at an inner signature.
    InnerSignature,
    /// A leaf and its path do not lead to the root.
    Opening,
    /// A combined equation does not take the combined value of a leaf.
    Combination,
}

/// Why bytes or a signature were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DualModeError {
    /// A wrong number of bytes.
    #[error("{actual} bytes, expected {expected}")]
    Length {
        /// The length that the parameters need.
        expected: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A bit that the format fixes at zero is set.
    #[error("non-zero padding bit in byte {byte}")]
    Padding {
        /// Offset of the byte that holds the bit.
        byte: usize,
    },
    /// Parameters that do not fit: another shape than the public system's, or a reducible modulus of the MAC field.
    #[error("the parameters do not fit")]
    Parameters,
    /// A well-formed signature that is not valid.
    #[error("the signature is not valid: {0:?}")]
    Invalid(Check),
}

/// `Ok` if the length is right.
pub(super) const fn check_length(actual: usize, expected: usize) -> Result<(), DualModeError> {
    if actual == expected { Ok(()) } else { Err(DualModeError::Length { expected, actual }) }
}
