//! CPU back ends: the tokens under which the kernels of this crate are compiled.
//!
//! Every kernel is one generic function over `Vectors`; a token compiles its whole hot loop with the features of the CPU.

mod vectors;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use vectors::{Portable, Vectors};

#[cfg(target_arch = "x86_64")]
gf2n::cpu_token!(
    /// AVX2: 256-bit logic, unaligned 32-byte loads.
    pub struct Avx2,
    avx2_features,
    gf2n::backend::Level::Avx2,
    ["avx2", "bmi1", "bmi2", "popcnt"]
);

#[cfg(target_arch = "x86_64")]
gf2n::cpu_token!(
    /// AVX-512 on 256-bit vectors: three-operand logic.
    pub struct Avx512,
    avx512_features,
    gf2n::backend::Level::Avx512,
    ["avx2", "bmi1", "bmi2", "popcnt", "avx512f", "avx512vl"]
);

/// Runs a kernel under the best token that this CPU and the process-wide ceiling grant: `dispatch!(token => expression)`.
macro_rules! dispatch {
    ($token:ident => $kernel:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($token) = $crate::backend::Avx512::detect() {
                $token.run(
                    #[inline(always)]
                    || $kernel,
                )
            } else if let Some($token) = $crate::backend::Avx2::detect() {
                $token.run(
                    #[inline(always)]
                    || $kernel,
                )
            } else {
                let $token = $crate::backend::Portable;
                $kernel
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let $token = $crate::backend::Portable;
            $kernel
        }
    }};
}
pub(crate) use dispatch;

/// Name of the back end that the GF(2) kernels use on this CPU under the current ceiling.
#[must_use]
pub fn gf2_backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if Avx512::detect().is_some() {
            return gf2n::backend::Level::Avx512.name();
        }
        if Avx2::detect().is_some() {
            return gf2n::backend::Level::Avx2.name();
        }
    }
    gf2n::backend::Level::Portable.name()
}
