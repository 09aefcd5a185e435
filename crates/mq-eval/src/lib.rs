#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod backend;
pub mod gf2;
pub mod keccak;
pub mod packed;
