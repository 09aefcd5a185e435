//! The dual mode: a signature scheme with a large multivariate public key becomes one with a tiny public key and a larger
//! signature.
//!
//! The public equations of the inner scheme are committed to by Merkle trees over their values, as polynomials over a small
//! field, at 2^18 points. A signature holds sigma inner signatures, alpha random combinations of the public equations, and nu
//! opened leaves, which show that the combinations were made of the committed equations.
//!
//! Sources: Szepieniec, Beullens, Preneel, "MQ Signatures for PKI", PQCrypto 2017; Faugere, Perret, Ryckeghem, "DualModeMS", NIST
//! post-quantum submission of round 1, 2017.

mod error;
mod format;
mod hash;
mod inner;
mod leaves;
mod mac;
mod merkle;
mod parameters;
mod points;
mod sign;
mod transcript;
mod verify;

pub use error::{Check, DualModeError};
pub use inner::{HfevInner, InnerTrapdoor};
pub use leaves::Progress;
pub use parameters::{DualParameterError, DualParameters, Security};
pub use sign::{DualSecretKey, DualSigned, append_stored_parts};
pub use verify::DualPublicKey;

/// Name of the back end of the key generation's polynomial kernels on this CPU under the current ceiling.
#[must_use]
pub fn batch_backend() -> &'static str {
    gf2x_roots::batch::backend_name()
}

/// Name of the back end that hashes many messages on this CPU under the current ceiling.
#[must_use]
pub fn hash_backend() -> &'static str {
    use gf2n::backend::Level;
    match mq_eval::keccak::widest() {
        1 => Level::Portable.name(),
        4 => Level::Avx2.name(),
        _ => Level::Avx512.name(),
    }
}
