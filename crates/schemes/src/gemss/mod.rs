//! GeMSS and its relatives: HFEv- signatures over GF(2) in the Feistel-Patarin mode.
//!
//! **Broken: for research only.** Tao, Petzoldt and Ding ("Efficient Key Recovery for All HFE Signature Variants", CRYPTO 2021)
//! recover the secret key of every set far below its claimed level. Never use these sets to protect anything.
//!
//! Three packages of the same scheme, which do not interoperate, are in [`Package`]: the third-round submission (`-r3`, 24 sets,
//! inner DualModeMS among them), its version of April 2020 (`-r2v2`) and the second-round submission (`-r2`), nine sets each. Keys and
//! signatures have exactly the official bytes; where the official code ignores padding bits, these are errors here.
//!
//! Requests to the random generator, in bytes, which known answers depend on (n, m, v of the set, W(n) = ceil(n/64)):
//!
//! | operation | requests |
//! |---|---|
//! | key generation, r3 and r2v2 | the secret key: 16, 24 or 32 |
//! | key generation, r2 | 8 W(n) times the number of coefficients; the factors of S, twice; the factors of T, twice |
//! | one attempt of signing | ceil(n/8) - floor(m/8), then ceil(v/8) |
//! | an attempt with several roots | ceil(n/8) for every element that cuts the set of roots, 0 and vain cuts included |

mod definition;
mod format;
mod hash;
mod scheme;
mod sets;

pub use definition::Package;
pub use sets::*;
