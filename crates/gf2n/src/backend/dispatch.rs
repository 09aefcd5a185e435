//! The choice of a back end at run time.

use super::{ClmulLanes, Level, Portable};

#[cfg(target_arch = "aarch64")]
use super::aarch64::Pmull;
#[cfg(target_arch = "x86_64")]
use super::x86::{Pclmul, PclmulAvx2, Vpclmul256, Vpclmul512};

/// One of the carry-less back ends that this CPU can run, by value. [`run_clmul!`](crate::run_clmul) runs a kernel under it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ClmulBackend {
    /// Plain Rust.
    Portable(Portable),
    /// PCLMULQDQ, 128 bits.
    #[cfg(target_arch = "x86_64")]
    Pclmul(Pclmul),
    /// PCLMULQDQ, 128 bits, AVX encoding.
    #[cfg(target_arch = "x86_64")]
    PclmulAvx2(PclmulAvx2),
    /// VPCLMULQDQ, 256 bits.
    #[cfg(target_arch = "x86_64")]
    Vpclmul256(Vpclmul256),
    /// VPCLMULQDQ, 512 bits.
    #[cfg(target_arch = "x86_64")]
    Vpclmul512(Vpclmul512),
    /// PMULL, 128 bits.
    #[cfg(target_arch = "aarch64")]
    Pmull(Pmull),
}

impl ClmulBackend {
    /// The back end of exactly this level, if there is one for the CPU family, this CPU has it and the process allows it.
    #[must_use]
    pub fn at(level: Level) -> Option<Self> {
        match level {
            Level::Portable => Some(Self::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            Level::Simd128 => Pclmul::detect().map(Self::Pclmul),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => PclmulAvx2::detect().map(Self::PclmulAvx2),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2Wide => Vpclmul256::detect().map(Self::Vpclmul256),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => Vpclmul512::detect().map(Self::Vpclmul512),
            #[cfg(target_arch = "aarch64")]
            Level::Simd128 => Pmull::detect().map(Self::Pmull),
            #[allow(unreachable_patterns, reason = "levels that the CPU family does not have")]
            _ => None,
        }
    }

    /// The best back end that this CPU can run and the process allows.
    #[must_use]
    pub fn best() -> Self {
        Level::ALL.into_iter().rev().find_map(Self::at).unwrap_or(Self::Portable(Portable))
    }

    /// Every back end that this CPU can run and the process allows, the portable one first.
    pub fn available() -> impl Iterator<Item = Self> {
        Level::ALL.into_iter().filter_map(Self::at)
    }

    /// The name for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        fn name<B: ClmulLanes>(_: B) -> &'static str {
            B::NAME
        }
        crate::match_clmul!(self, backend => name(backend))
    }

    /// The step of the back-end ladder.
    #[must_use]
    pub fn level(self) -> Level {
        fn level<B: ClmulLanes>(_: B) -> Level {
            B::LEVEL
        }
        crate::match_clmul!(self, backend => level(backend))
    }
}

/// Evaluates an expression for the back end inside a [`ClmulBackend`], whatever its type:
/// `match_clmul!(value, backend => expression)`.
#[cfg(target_arch = "x86_64")]
#[macro_export]
macro_rules! match_clmul {
    ($value:expr, $backend:ident => $expression:expr) => {
        match $value {
            $crate::backend::ClmulBackend::Portable($backend) => $expression,
            $crate::backend::ClmulBackend::Pclmul($backend) => $expression,
            $crate::backend::ClmulBackend::PclmulAvx2($backend) => $expression,
            $crate::backend::ClmulBackend::Vpclmul256($backend) => $expression,
            $crate::backend::ClmulBackend::Vpclmul512($backend) => $expression,
            #[allow(unreachable_patterns)]
            _ => unreachable!(),
        }
    };
}

/// Evaluates an expression for the back end inside a [`ClmulBackend`], whatever its type:
/// `match_clmul!(value, backend => expression)`.
#[cfg(target_arch = "aarch64")]
#[macro_export]
macro_rules! match_clmul {
    ($value:expr, $backend:ident => $expression:expr) => {
        match $value {
            $crate::backend::ClmulBackend::Portable($backend) => $expression,
            $crate::backend::ClmulBackend::Pmull($backend) => $expression,
            #[allow(unreachable_patterns)]
            _ => unreachable!(),
        }
    };
}

/// Evaluates an expression for the back end inside a [`ClmulBackend`], whatever its type:
/// `match_clmul!(value, backend => expression)`.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[macro_export]
macro_rules! match_clmul {
    ($value:expr, $backend:ident => $expression:expr) => {
        match $value {
            $crate::backend::ClmulBackend::Portable($backend) => $expression,
            #[allow(unreachable_patterns)]
            _ => unreachable!(),
        }
    };
}

/// Runs a kernel under a [`ClmulBackend`], compiled with its features: `run_clmul!(value, backend => expression)`.
///
/// The expression is compiled once for each back end of the CPU family; it should be a call of an `#[inline(always)]` function
/// generic over [`ClmulLanes`](crate::backend::ClmulLanes).
///
/// ```
/// use gf2n::{Gf2n, backend::{ClmulBackend, ClmulLanes}, run_clmul};
/// type Field = Gf2n<174, 3>;
///
/// #[inline(always)]
/// fn geometric_sum<B: ClmulLanes>(backend: B, ratio: Field, terms: usize) -> Field {
///     (0..terms).fold(Field::ZERO, |sum, _| sum.mul_with(backend, ratio) + Field::ONE)
/// }
/// for backend in ClmulBackend::available() {
///     let sum = run_clmul!(backend, backend => geometric_sum(backend, Field::X, 3));
///     assert_eq!(sum.limbs(), &[7, 0, 0]);
/// }
/// ```
#[macro_export]
macro_rules! run_clmul {
    ($value:expr, $backend:ident => $expression:expr) => {
        $crate::match_clmul!($value, $backend => $crate::backend::ClmulLanes::run($backend, #[inline(always)] || $expression))
    };
}

/// The token for single field operations: 128-bit vectors, or portable.
#[derive(Clone, Copy, Debug)]
pub enum Narrow {
    /// Plain Rust.
    Portable(Portable),
    /// PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Clmul(Pclmul),
    /// PMULL.
    #[cfg(target_arch = "aarch64")]
    Clmul(Pmull),
}

impl Narrow {
    /// The best back end for one product.
    #[inline(always)]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Pclmul::detect() {
            return Self::Clmul(token);
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(token) = Pmull::detect() {
            return Self::Clmul(token);
        }
        Self::Portable(Portable)
    }
}

/// Runs an expression under the best back end for single field operations: `dispatch!(backend => expression)`.
macro_rules! dispatch {
    ($backend:ident => $kernel:expr) => {
        match $crate::backend::Narrow::best() {
            $crate::backend::Narrow::Portable($backend) => $kernel,
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            $crate::backend::Narrow::Clmul($backend) => $crate::backend::ClmulLanes::run(
                $backend,
                #[inline(always)]
                || $kernel,
            ),
        }
    };
}
pub(crate) use dispatch;
