#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod error;
#[cfg(any(feature = "gemss", feature = "gui"))]
mod hfe_backends;
mod info;
#[cfg(feature = "mceliece")]
pub mod kem_keys;
pub mod keys;
pub mod registry;
mod scheme;

#[cfg(feature = "dualmodems")]
pub mod dualmodems;
#[cfg(feature = "gemss")]
pub mod gemss;
#[cfg(feature = "gui")]
pub mod gui;
#[cfg(feature = "mayo")]
pub mod mayo;
#[cfg(feature = "mceliece")]
pub mod mceliece;
#[cfg(feature = "qruov")]
pub mod qruov;
#[cfg(feature = "uov")]
pub mod uov;

pub use error::{Error, Part};
pub use gf2n::secret::SecretBytes;
pub use info::{Family, KernelBackend, Origin, SetInfo, SignedMessageOrder, Sizes, Status, Verdict};
#[cfg(feature = "mceliece")]
pub use kem;
#[cfg(feature = "mceliece")]
pub use kem_keys::{DecapsulationKey, EncapsulationKey};
pub use keys::{ExpandedSigningKey, ExpandedVerifyingKey, Signature, SigningKey, VerifyingKey};
pub use scheme::{KemScheme, KeyPairBytes, Progress, SignatureScheme, SigningReport};
pub use signature;
