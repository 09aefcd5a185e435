#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod backend;
pub mod matrix;

#[doc(hidden)]
pub mod __private {
    //! What the exported macros need; not part of the interface.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub use cpufeatures;
}
