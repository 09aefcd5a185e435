//! Choosing the CPU level that kernels may use.

use anyhow::bail;
use clap::ValueEnum;
use gf2n::backend::{Level, ceiling, set_ceiling, set_short_words};

/// A level of the back-end ladder, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LevelName {
    /// Plain Rust, where there is one in the form for machines of 32-bit words.
    Words32,
    /// Plain Rust.
    Portable,
    /// 128-bit vectors with carry-less products.
    Simd128,
    /// AVX2.
    Avx2,
    /// AVX2 with VPCLMULQDQ, VAES or GFNI.
    Avx2Wide,
    /// 512-bit vectors.
    Avx512,
}

impl LevelName {
    /// The level of the library.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Words32 | Self::Portable => Level::Portable,
            Self::Simd128 => Level::Simd128,
            Self::Avx2 => Level::Avx2,
            Self::Avx2Wide => Level::Avx2Wide,
            Self::Avx512 => Level::Avx512,
        }
    }
}

/// The highest level for which this CPU has what kernels of that level need.
#[must_use]
pub fn highest_of_this_cpu() -> Level {
    let granted = |level: Level| match level {
        Level::Portable => true,
        #[cfg(target_arch = "x86_64")]
        Level::Simd128 => is_x86_feature_detected!("pclmulqdq") && is_x86_feature_detected!("sse4.1"),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => is_x86_feature_detected!("avx2"),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2Wide => {
            is_x86_feature_detected!("avx2")
                && (is_x86_feature_detected!("vpclmulqdq")
                    || is_x86_feature_detected!("vaes")
                    || is_x86_feature_detected!("gfni"))
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
        #[cfg(target_arch = "aarch64")]
        Level::Simd128 => std::arch::is_aarch64_feature_detected!("neon"),
        #[allow(unreachable_patterns, reason = "every level is covered on x86-64")]
        _ => false,
    };
    Level::ALL.into_iter().rev().find(|&level| granted(level)).unwrap_or(Level::Portable)
}

/// Makes `name` the ceiling of this process.
///
/// # Errors
/// If this CPU or this build cannot run kernels of that level: there is no silent fallback.
pub fn force(name: LevelName) -> anyhow::Result<()> {
    let highest = highest_of_this_cpu();
    let level = name.level();
    if level > highest {
        bail!("this CPU cannot run the back end {} (highest: {})", level.name(), highest.name());
    }
    set_ceiling(level);
    if name == LevelName::Words32 {
        set_short_words(true);
    }
    if ceiling() != level {
        bail!("this build is limited to the back end {}", ceiling().name());
    }
    Ok(())
}
