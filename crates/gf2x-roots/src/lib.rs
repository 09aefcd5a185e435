#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod batch;
mod dense;
pub mod draws;
mod euclid;
mod factor;
pub mod fft;
mod field;
mod frobenius;
pub mod hfe;
mod kernel;
mod modular;
mod multisquare;
mod polynomial;
mod product;
mod split;

pub use polynomial::{Polynomial, RootError, RootMultiplicity};
