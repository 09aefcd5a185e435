//! MAYO: rounds 2 and 3 of the NIST process, and the sets of ePrint 2023/540 for ARMv7-M.
//!
//! Formats of the NIST sets, without padding bits: secret key = seed; public key = public seed (16) ‖ P3, m-vectors of packed
//! nibbles, upper triangle row by row; signature = the k vectors s_i packed without gaps ‖ salt; signed message =
//! signature ‖ message. The formats of the ARMv7-M sets are described at [`v7m`].
//!
//! Requests to the random generator, NIST sets: key generation one of the seed's length (24, 24, 32, 40 bytes), signing one of
//! the same length; retries draw nothing. ARMv7-M sets: key generation 32 bytes; each signing attempt 32 bytes, k times
//! ceil(v / 2) bytes, and k o - 1 times 4 bytes.
//!
//! The rounds cannot be told from keys: MAYO-3 and MAYO-5 have the same key pairs in both, and signatures of the same length
//! that the other round rejects. Types and names keep them apart.

mod nist;
pub mod v7m;

pub use nist::*;
pub use v7m::{MayoV7mNew1, MayoV7mNew1K14, MayoV7mOrig1};

use crate::registry::{Entry, Set};

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[
    Set::Signature(&Entry::<Mayo1R2>::new()),
    Set::Signature(&Entry::<Mayo2R2>::new()),
    Set::Signature(&Entry::<Mayo3R2>::new()),
    Set::Signature(&Entry::<Mayo5R2>::new()),
    Set::Signature(&Entry::<Mayo1R3>::new()),
    Set::Signature(&Entry::<Mayo2R3>::new()),
    Set::Signature(&Entry::<Mayo3R3>::new()),
    Set::Signature(&Entry::<Mayo5R3>::new()),
    Set::Signature(&Entry::<MayoV7mOrig1>::new()),
    Set::Signature(&Entry::<MayoV7mNew1>::new()),
    Set::Signature(&Entry::<MayoV7mNew1K14>::new()),
];
