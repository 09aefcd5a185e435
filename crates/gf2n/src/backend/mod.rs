//! CPU back ends: tokens that prove CPU features, and the kernels that need them.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod dispatch;
mod lanes;
mod portable;
mod token;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "aarch64")]
pub use aarch64::Pmull;
pub use dispatch::{ClmulBackend, Narrow};
pub use lanes::{Cell, ClmulLanes};
pub use portable::Portable;
pub use token::{Level, ceiling, set_ceiling, set_short_words, short_words};
pub use words::WordLanes;

#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
pub use x86::features;
#[cfg(target_arch = "x86_64")]
pub use x86::{Pclmul, PclmulAvx2, Vpclmul256, Vpclmul512};

pub(crate) use dispatch::dispatch;
