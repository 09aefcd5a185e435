#![doc = include_str!("../README.md")]
#![no_std]
// planes, rows and columns are indices of several lists at once
#![allow(clippy::needless_range_loop)]

extern crate alloc;

pub mod backend;
pub mod berlekamp_massey;
pub mod control_bits;
pub mod decode;
pub mod encode;
pub mod error;
pub mod error_vector;
pub mod extension;
pub mod fft;
pub mod field_systemizer;
pub mod goppa_polynomial;
pub mod irreducible;
pub mod network;
pub mod niederreiter;
pub mod parity_check;
pub mod sort;
pub mod sponge;
pub mod stream;
pub mod support;
pub mod systemizer;
pub mod wiped;

pub use error::Error;
pub use niederreiter::{Encryption, KeyPair, Niederreiter, SecretKey};
