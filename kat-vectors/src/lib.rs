#![doc = include_str!("../README.md")]

pub mod digest;
pub mod drbg;
pub mod manifest;
pub mod request;
pub mod response;
pub mod rsp;
pub mod scripted;
pub mod surf;

pub use drbg::NistDrbg;
pub use scripted::ScriptedRandom;
