//! Back ends of the keystream.

#[cfg(target_arch = "x86_64")]
mod vaes;

#[cfg(target_arch = "x86_64")]
pub(crate) use vaes::{RoundKeys, Vaes256, Vaes512};
