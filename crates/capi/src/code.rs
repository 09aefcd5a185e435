//! Return codes: 0 or one of these.

use core::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Success.
pub const OK: c_int = 0;
/// The signature does not belong to this message and public key.
pub const INVALID_SIGNATURE: c_int = -1;
/// A buffer has the wrong length.
pub const LENGTH: c_int = -2;
/// Non-zero padding, an element out of range, or parts that do not belong together.
pub const MALFORMED: c_int = -3;
/// Key generation or signing used up its attempts.
pub const ATTEMPTS: c_int = -4;
/// The random generator failed.
pub const RANDOM: c_int = -5;
/// No set has this name, or the name is ambiguous.
pub const UNKNOWN_SET: c_int = -6;
/// The set is of the other kind (a KEM where a signature is needed, or the reverse).
pub const WRONG_KIND: c_int = -7;
/// A pointer is null where bytes are needed.
pub const NULL: c_int = -8;
/// A defect of the library: it panicked, and the panic was caught.
pub const INTERNAL: c_int = -9;

/// Name and value of every code, as the header lists them.
pub const ALL: &[(&str, c_int, &str)] = &[
    ("OK", OK, "success"),
    (
        "ERROR_INVALID_SIGNATURE",
        INVALID_SIGNATURE,
        "the signature does not belong to this message and public key",
    ),
    ("ERROR_LENGTH", LENGTH, "a buffer has the wrong length"),
    ("ERROR_MALFORMED", MALFORMED, "non-zero padding, an element out of range, or an inconsistent key"),
    ("ERROR_ATTEMPTS", ATTEMPTS, "key generation or signing used up its attempts"),
    ("ERROR_RANDOM", RANDOM, "the random generator failed"),
    ("ERROR_UNKNOWN_SET", UNKNOWN_SET, "no set has this name, or the name is ambiguous"),
    ("ERROR_WRONG_KIND", WRONG_KIND, "a KEM where a signature set is needed, or the reverse"),
    ("ERROR_NULL", NULL, "a pointer is null where bytes are needed"),
    ("ERROR_INTERNAL", INTERNAL, "a defect of the library"),
];

/// An error on its way to becoming a code.
pub(crate) struct Failure(pub(crate) c_int);

impl From<schemes::Error> for Failure {
    fn from(error: schemes::Error) -> Self {
        use schemes::Error;
        Self(match error {
            Error::Length { .. } | Error::TooShort { .. } => LENGTH,
            Error::Padding { .. } | Error::OutOfRange { .. } | Error::Inconsistent { .. } => MALFORMED,
            Error::AttemptsExhausted { .. } => ATTEMPTS,
            Error::Random => RANDOM,
            Error::InvalidSignature { .. } => INVALID_SIGNATURE,
            _ => INTERNAL,
        })
    }
}

/// Runs one call of the interface; a panic ends here.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => OK,
        Ok(Err(Failure(code))) => code,
        Err(_) => INTERNAL,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_becomes_a_code() {
        assert_eq!(super::guard(|| panic!("on purpose")), super::INTERNAL);
    }

    #[test]
    fn the_readme_lists_every_code() {
        let readme = include_str!("../README.md");
        for (name, value, meaning) in super::ALL {
            let line = format!("| `MQSUITE_{name}` | {value} | {meaning} |");
            assert!(readme.contains(&line), "{line}");
        }
    }
}
