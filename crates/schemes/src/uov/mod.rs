//! UOV: four base sets, three key formats, rounds 2 and 3 of the NIST process (OV-Is is the same in both).
//!
//! | format | public key | secret key |
//! |---|---|---|
//! | classic | P1 ‖ P2 ‖ P3 | seed (32) ‖ O ‖ P1 ‖ S |
//! | `-pkc` | public seed (16) ‖ P3 | seed ‖ O ‖ P1 ‖ S |
//! | `-pkc-skc` | public seed ‖ P3 | seed |
//!
//! Matrices are runs of cells, the packed coefficients of one monomial in all m forms: P1 and P3 upper triangles row by row,
//! P2 and S rectangles row by row; O is stored column after column. A signature is w ‖ x ‖ salt (16); a signed message is
//! message ‖ signature. Every byte string of the right length is a key: the formats have no padding.
//!
//! Requests to the random generator: key generation 32 bytes (the seed); signing 16 bytes (the salt). A retry draws nothing.

mod format;
mod sets;

pub use format::{ExpandedPublicKey, ExpandedSecretKey, Format};
pub use sets::*;
