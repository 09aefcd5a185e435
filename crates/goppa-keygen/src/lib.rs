#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod backend;
pub mod berlekamp_massey;
pub mod control_bits;
pub mod extension;
pub mod fft;
pub mod network;
pub mod sort;
pub mod systemizer;
pub mod decode;
pub mod parity_check;
pub mod support;
pub mod encode;
pub mod error;
pub mod field_systemizer;
pub mod goppa_polynomial;
pub mod irreducible;
pub mod niederreiter;
pub mod stream;

pub use error::Error;
pub use niederreiter::{Encryption, KeyPair, Niederreiter, SecretKey};
