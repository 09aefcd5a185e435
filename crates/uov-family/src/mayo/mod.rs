//! MAYO: the NIST scheme of rounds 2 and 3 ([`nist`]) and the scheme of the ARMv7-M artefact of ePrint 2023/540
//! ([`artefact`]). Both use GF(16) and the core of [`crate::trapdoor`] with k vectors; nothing else is common to their formats.

pub mod artefact;
mod artefact32;
pub mod nist;
pub mod schedule;
mod shuffle;
mod whipping;

pub use schedule::Schedule;
