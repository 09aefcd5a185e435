//! Kernels that need CPU features.

#[cfg(target_arch = "x86_64")]
pub(crate) mod mix_x86;
