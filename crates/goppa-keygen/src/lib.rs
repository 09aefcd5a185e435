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
