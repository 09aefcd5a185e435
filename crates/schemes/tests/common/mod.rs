//! What the tests of several families use.
#![allow(dead_code, reason = "each test program uses a part")]

use schemes::registry::{self, Set, SignatureSet};
use sha2::{Digest, Sha256};

/// The signature set of this name.
pub(crate) fn set(name: &str) -> &'static dyn SignatureSet {
    match registry::find(name) {
        Ok(Set::Signature(set)) => set,
        other => panic!("{name}: {other:?}"),
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of hexadecimal digits.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
