//! x86-64 back ends.

pub(crate) mod aes_ctr;
pub(crate) mod avx2;
pub(crate) mod avx512;
mod sampling;
