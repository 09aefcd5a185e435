#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod backend;
pub mod batch;
mod dense;
pub mod draws;
mod euclid;
mod field;
mod frobenius;
pub mod hfe;
mod kernel;
mod split;
