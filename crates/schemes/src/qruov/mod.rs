//! Parameter sets of QR-UOV: twelve of round 2 and fifteen of round 3, each with AES and with SHAKE.
//!
//! Twelve sets of round 3 have the numbers of round 2, and in category 1 even its lengths; secret keys, seeds and the rule for valid signatures differ. Nothing in the
//! bytes tells the rounds apart. Registry names do (`qruov1q127L3v156m54-aes` is round 2, `QRUOV-1q127L3-aes` round 3); a bare
//! `qruov1q127L3v156m54` is ambiguous.
//!
//! Requests to the generator: key generation draws the secret seed and, in round 2, the public seed; a signature draws three seeds, whatever the
//! number of salts it takes.
//!
//! | | round 2 | round 3 |
//! |---|---|---|
//! | key generation | lambda, lambda | 32 |
//! | signing | lambda, lambda, lambda | 32, 32, 32 |
//!
//! (lambda = 16, 24, 32 bytes in category 1, 3, 5.) Formats: secret key = secret seed, in round 2 followed by the public seed; public key = public seed,
//! then the P3 blocks packed; signature = salt, then the vector packed.

mod scheme;
mod sets;

pub use scheme::{ExpandedPublicKey, ExpandedSecretKey, QrUovSet, RoundTwoSet};
pub use sets::*;
pub use uov_family::qruov::{Expansion, Parameters, Ring, Round};
