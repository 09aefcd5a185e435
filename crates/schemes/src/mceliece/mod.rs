//! Classic McEliece: the 18 sets of NIST round 4 and ISO, and the two further `pc` names of SUPERCOP.
//!
//! Sets come in four forms of five base sets: `X` (systematic), `Xf` (semi-systematic, faster key generation), `Xpc` and `Xpcf`
//! (the same keys; ciphertexts carry a plaintext confirmation, as in rounds 1 to 3).
//!
//! | bytes | public key | secret key | ciphertext | with confirmation |
//! |---|---|---|---|---|
//! | mceliece348864 | 261120 | 6492 | 96 | 128 |
//! | mceliece460896 | 524160 | 13608 | 156 | 188 |
//! | mceliece6688128 | 1044992 | 13932 | 208 | 240 |
//! | mceliece6960119 | 1047319 | 13948 | 194 | 226 |
//! | mceliece8192128 | 1357824 | 14120 | 208 | 240 |
//!
//! A secret key is, in this order: the seed of the successful attempt (32 bytes), the mask of pivot columns (8), the Goppa
//! polynomial (2 t), the control bits of the support, the string s for implicit rejection (n / 8).
//!
//! Randomness: key generation makes one request of 32 bytes; encapsulation requests 2 tau bytes an attempt (tau = t for the full
//! support 8192128, else 2 t); decapsulation makes none.
//!
//! Everything that touches a secret is constant time. Public are: keys' and ciphertexts' public bytes, the number of attempts of key
//! generation and why one failed (nothing of it is used), and the number of attempts of encapsulation together with which
//! candidate positions were out of range.
//!
//! Bits that the standard ignores are ignored here too: the high bits of the 16-bit words of the Goppa polynomial in a secret
//! key. Padding bits (6960119 only: three in every row of the public key, five in the ciphertext) are typed errors.

mod decapsulate;
mod encapsulate;
mod keygen;
mod parameters;
mod sets;

pub use decapsulate::ExpandedSecretKey;
pub use sets::*;
