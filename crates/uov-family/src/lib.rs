#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod backend;
pub mod coefficients;
mod counter_cipher;
mod error;
pub mod mayo;
pub mod qruov;
pub mod sponge;
pub mod trapdoor;
pub mod uov;
mod words32;

pub use error::{Error, InvalidSignature};
