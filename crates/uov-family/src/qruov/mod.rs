//! QR-UOV: oil and vinegar over quotient rings `F_q[x]/(x^l - fc x^fe - 1)`, NIST additional signatures rounds 2 and 3.
//!
//! The secret is a matrix S of `V x M` ring elements; the public quadratic forms are symmetric matrices over the ring whose blocks P1 and
//! P2 are expanded from a seed, and `P3 = S^T P2 + P2^T S - S^T P1 S` is the public key. The form `k` maps `s` to `psi(s^T P_k s)`, where `psi`
//! reads one coefficient. Because `(a, b) -> psi(a b)` is a permutation pairing, every use of the public map is an ordinary dot product
//! over `F_q` with weights that are the same for all equations (`weights`); key generation works from the triangles
//! (`keygen`); signing and key generation put equations side by side in vector lanes (`kernels`).
//!
//! The round is a value of [`Parameters`]; the two rounds differ in seeds, in the rank limit and in the sign rule only.
//!
//! Constant time: everything that touches S, the vinegar elements, the linear system or the free variables. Public: the public
//! seed and what it expands to, salts, the rank of the linear system (the number of salts shows it), signatures, verification.
//!
//! ```
//! use uov_family::qruov::{self, SigningSeeds, sets};
//!
//! let set = sets::C1Q31L3; // round 2 with AES
//! let (secret_seed, public_seed) = ([1; 16], [2; 16]);
//! let public_key = qruov::public_key(&set, &secret_seed, &public_seed);
//! let seeds = SigningSeeds { vinegar: &[3; 16], salt: &[4; 16], free: &[5; 16] };
//! let mut signature = vec![0; set.signature_len()];
//! qruov::sign(&set, &secret_seed, &public_seed, b"message", &seeds, &mut signature)?;
//! assert!(qruov::verify(&set, &public_key, b"message", &signature).is_ok());
//! assert!(qruov::verify(&set, &public_key, b"another", &signature).is_err());
//! # Ok::<(), qruov::SigningError>(())
//! ```
//!
//! Source: the QR-UOV submissions to the NIST additional-signatures project (round 2, December 2024; round 3, August 2026).

mod aligned;
pub(crate) mod backend;
mod cipher;
mod expansion;
mod kernels;
mod keygen;
mod keys;
mod lanes;
mod multiples;
mod oil_system;
mod packing;
mod parameters;
pub mod ring;
mod signing;
mod sponge;
mod streams;
mod system;
mod verifying;
mod weights;

pub use keys::{
    ExpandedPublicKey, ExpandedSecretKey, backend_name, derive_public_seed, public_key, sign, verify,
    verify_lax,
};
pub use packing::FormatError;
pub use parameters::{Expansion, Parameters, Ring, Round, sets};
pub use signing::{SALT_LIMIT, SigningError, SigningSeeds};
pub use verifying::VerifyingError;
