//! Gui: HFEv- signatures whose inversions accept a root only if it is the only one.
//!
//! **For research only.** The key recovery of Tao, Petzoldt and Ding ("Efficient key recovery for all HFE signature variants",
//! CRYPTO 2021) breaks HFEv- far below the claimed security of these parameters.
//!
//! The NIST round-1 sets `gui184`, `gui312` and `gui448` have their official bytes. The other sets take the parameters that MQsoft
//! measured under the same names, with and without the EUF-CMA transformation (a salt), in this project's format. [`Gui`] makes
//! the same scheme of any other parameters.
//!
//! # Formats
//!
//! With N = n + v variables, M = n - a equations, vectors as little-endian bit strings filled up with zeros to whole bytes:
//!
//! | bytes | parts |
//! |---|---|
//! | public key | coefficients of w_i, then of w_i w_j (i = 1.., j < i), then the constant, M bits each; the byte 0x10 |
//! | secret key | columns of T^-1; t; columns of S^-1; s; central polynomial; the byte 0x10 |
//! | signature | the bit string S_k, X_k, ..., X_1; the salt (16 bytes, salted sets only) |
//! | signed message | message, signature |
//!
//! Padding must be zero where it is not drawn; that of t, s and the coefficients is drawn and ignored, as is the last byte of both
//! keys.
//!
//! # Requests to the random generator
//!
//! Key generation: n + v columns of T until it is invertible, t, n columns of S until it is invertible, s, and the whole central
//! polynomial in one. Salted signing: minus bits, vinegar bits, then 16 bytes for each salt. Signing without salt: for each
//! iteration the minus bits, then vinegar bits for each try.

mod basis;
mod definition;
mod hash;
mod key;
mod sets;
mod signing;

pub use definition::{Definition, DefinitionError, Gui, Roots};
pub use hash::Hash;
pub use key::GuiSecretKey;
pub use sets::*;
