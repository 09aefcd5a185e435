//! What can go wrong, with the numbers that say why.

/// The byte string that an error speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// A public key.
    PublicKey,
    /// A secret key.
    SecretKey,
    /// A signature.
    Signature,
    /// A signed message (signature and message in the scheme's own order).
    SignedMessage,
    /// A KEM ciphertext.
    Ciphertext,
    /// A shared secret.
    SharedSecret,
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Part::PublicKey => "public key",
            Part::SecretKey => "secret key",
            Part::Signature => "signature",
            Part::SignedMessage => "signed message",
            Part::Ciphertext => "ciphertext",
            Part::SharedSecret => "shared secret",
        })
    }
}

/// Why an operation was refused. No variant carries secret data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A byte string of the wrong length.
    #[error("{set}: {part} has {actual} bytes, expected {expected}")]
    Length {
        /// Registry name of the parameter set.
        set: &'static str,
        /// Which byte string.
        part: Part,
        /// The official length in bytes.
        expected: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A signed message that is shorter than a signature.
    #[error("{set}: signed message has {actual} bytes, at least {minimum} are needed")]
    TooShort {
        /// Registry name of the parameter set.
        set: &'static str,
        /// Length of a signature in bytes.
        minimum: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A bit that the format fixes at zero is set.
    #[error("{set}: non-zero padding bit in byte {byte} of the {part}")]
    Padding {
        /// Registry name of the parameter set.
        set: &'static str,
        /// Which byte string.
        part: Part,
        /// Offset of the byte that holds the bit.
        byte: usize,
    },
    /// An element outside its range (a field element equal to q or above, an index that is no permutation, ...).
    #[error("{set}: element {index} of the {part} is out of range")]
    OutOfRange {
        /// Registry name of the parameter set.
        set: &'static str,
        /// Which byte string.
        part: Part,
        /// Index of the element, counted in the format's own order.
        index: usize,
    },
    /// Parts of one key that do not belong together, or a key no key generation can have made.
    #[error("{set}: the {part} is inconsistent: {what}")]
    Inconsistent {
        /// Registry name of the parameter set.
        set: &'static str,
        /// Which byte string.
        part: Part,
        /// What disagrees.
        what: &'static str,
    },
    /// Key generation or signing used up its attempts. Nothing was output.
    #[error("{set}: no success within {attempts} attempts")]
    AttemptsExhausted {
        /// Registry name of the parameter set.
        set: &'static str,
        /// The bound that was reached.
        attempts: u64,
    },
    /// The random generator failed. Nothing was output.
    #[error("the random generator failed")]
    Random,
    /// The signature does not belong to this message and public key.
    #[error("{set}: the signature is not valid for this message and key")]
    InvalidSignature {
        /// Registry name of the parameter set.
        set: &'static str,
    },
}

/// `Ok` if `bytes` has `expected` bytes, else the length error.
///
/// # Errors
/// [`Error::Length`].
pub fn check_length(set: &'static str, part: Part, bytes: &[u8], expected: usize) -> Result<(), Error> {
    if bytes.len() == expected {
        Ok(())
    } else {
        Err(Error::Length { set, part, expected, actual: bytes.len() })
    }
}

impl From<Error> for signature::Error {
    fn from(_: Error) -> Self {
        // `signature::Error` is opaque by design; callers who need the reason use the inherent methods.
        signature::Error::new()
    }
}
