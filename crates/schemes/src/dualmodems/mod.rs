//! DualModeMS (Faugere, Perret, Ryckeghem, NIST round 1, 2017): a tiny public key over an HFEv- inner scheme.
//!
//! # Research only
//!
//! * The inner scheme, HFEv-, is broken: Tao, Petzoldt and Ding, "Efficient key recovery for all HFE signature variants", CRYPTO
//!   2021.
//! * The official sets draw their 2^18 evaluation points with repetition. One root of a forged difference polynomial then covers
//!   several leaves: with a real seed 1828 roots cover 4293 leaves (128), 4414 cover 11288 (192), 8294 cover 18937 (256), and a
//!   forgery of the outer layer costs about 2^106.8, 2^149.7 and 2^197.1 hash trials instead of 2^128.9, 2^194.4 and 2^259.0. Nothing
//!   in the official format prevents that.
//!
//! The `F` sets take every element of GF(2^18) as a point once: no repetition, no point seed, smaller compact signatures and a faster
//! key generation. [`Recommended`], the set for new keys where none is named, is one of them.
//!
//! # What is where
//!
//! The outer layer is `hfev::dual_mode`, which also runs over other inner schemes. Here are the parameter sets and the inner keys:
//! those of the third-round library ([`inner::SeedKeys`]) and those of the first-round package ([`inner::ExpandedKeys`]).
//!
//! A secret key in its official bytes holds the public equations and the Merkle trees, 18 to 44 MB; [`CompactSecretKey`] holds only
//! what they are computed from. Signing with the official bytes reads the public parts where they are, without a copy.

pub mod inner;
mod scheme;
mod sets;

pub use scheme::{CompactSecretKey, DualModeMsSet, Expanded, compact_signature, expand_compact_signature};
pub use sets::{
    DualModeMs128, DualModeMs128F, DualModeMs128R1, DualModeMs192, DualModeMs192F, DualModeMs256,
    DualModeMs256F, DualModeMsToy128, DualModeMsToy128F, DualModeMsToy192, DualModeMsToy256, Recommended,
    SETS,
};
