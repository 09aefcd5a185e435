//! What can go wrong in a trapdoor scheme.

/// Why an operation failed. `E` is the error of the random source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error<E> {
    /// The random source failed.
    #[error("the random source failed")]
    Random(E),
    /// No attempt gave a solvable linear system. Nothing was output.
    #[error("no solvable system within {attempts} attempts")]
    AttemptsExhausted {
        /// The attempts made.
        attempts: u64,
    },
}

/// The signature does not belong to the message and the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signature is not valid for this message and key")]
pub struct InvalidSignature;
