#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod backend;
mod bits;
pub mod dual_mode;
mod feistel_patarin;
mod mix;
mod parameters;
mod secret_map;

pub use feistel_patarin::{FeistelPatarin, SignatureError};
pub use parameters::{HfeDegree, ParameterError, Parameters};
pub use secret_map::SecretMap;
