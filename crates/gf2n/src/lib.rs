#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod backend;
mod ct;
mod field;
pub mod matrix;
pub mod modulus;
pub mod points;
mod reduce;
pub mod secret;
pub mod small;
mod unreduced;
mod words;

pub use field::{ElementError, Gf2n};
pub use reduce::Reducer;
pub use unreduced::Unreduced;

#[doc(hidden)]
pub mod __private {
    //! What the exported macros need; not part of the interface.
    #[cfg(target_arch = "x86_64")]
    pub use crate::backend::features;
    #[cfg(target_arch = "aarch64")]
    pub use cpufeatures;
}
