#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
pub mod digest;
pub mod drbg;
#[cfg(feature = "std")]
pub mod key_erasure;
#[cfg(feature = "std")]
pub mod manifest;
#[cfg(feature = "std")]
pub mod observed;
#[cfg(feature = "std")]
pub mod request;
#[cfg(feature = "std")]
pub mod response;
#[cfg(feature = "std")]
pub mod rsp;
#[cfg(feature = "std")]
pub mod scripted;
#[cfg(feature = "std")]
pub mod surf;

pub use drbg::NistDrbg;
#[cfg(feature = "std")]
pub use key_erasure::KeyErasure;
#[cfg(feature = "std")]
pub use scripted::ScriptedRandom;
