#![doc = include_str!("../README.md")]

pub mod code;
pub mod header;
mod kem;
mod memory;
mod nist;
mod random;
mod set;
mod sign;

pub use kem::{mqsuite_decapsulate, mqsuite_encapsulate};
pub use nist::{
    mqsuite_crypto_kem_dec, mqsuite_crypto_kem_enc, mqsuite_crypto_kem_keypair, mqsuite_crypto_sign,
    mqsuite_crypto_sign_keypair, mqsuite_crypto_sign_open,
};
pub use random::{RandomBytes, mqsuite_set_randombytes};
pub use set::{SetSizes, mqsuite_set_name, mqsuite_sizes};
pub use sign::{mqsuite_keypair, mqsuite_sign, mqsuite_verify};
