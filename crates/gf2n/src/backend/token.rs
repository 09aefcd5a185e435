//! CPU tokens: zero-sized proofs that the CPU has a list of features.
//!
//! A token is the only way into a kernel that is compiled with CPU features. Its feature list is written once, in the
//! call of [`cpu_token!`](crate::cpu_token), and makes both the run-time detection and the `target_feature` attribute, so
//! that the two cannot disagree.
//!
//! Every token belongs to a [`Level`]. A process may lower the highest level that detection grants with
//! [`set_ceiling`]; this is how the tests and `cargo xtask --backend` run every back end of one CPU. Building with
//! `--cfg mqsuite_force_portable` fixes the ceiling at [`Level::Portable`].

use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The steps of the back-end ladder, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Plain Rust, no CPU feature beyond the target's base line.
    Portable = 0,
    /// 128-bit vectors: PCLMULQDQ and SSE4.1 on x86-64, NEON with PMULL on aarch64.
    Simd128 = 1,
    /// 256-bit vectors (AVX2), with PCLMULQDQ or AES-NI where a kernel needs them.
    Avx2 = 2,
    /// AVX2 with VPCLMULQDQ, VAES or GFNI on 256-bit vectors.
    Avx2Wide = 3,
    /// 512-bit vectors.
    Avx512 = 4,
}

impl Level {
    /// Every level, lowest first.
    pub const ALL: [Level; 5] =
        [Level::Portable, Level::Simd128, Level::Avx2, Level::Avx2Wide, Level::Avx512];

    /// The name used on command lines and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Simd128 => "simd128",
            Level::Avx2 => "avx2",
            Level::Avx2Wide => "avx2-wide",
            Level::Avx512 => "avx512",
        }
    }
}

static CEILING: AtomicU8 = AtomicU8::new(Level::Avx512 as u8);

/// The highest level that [`cpu_token!`](crate::cpu_token) tokens may be granted in this process.
#[must_use]
pub fn ceiling() -> Level {
    if cfg!(mqsuite_force_portable) {
        return Level::Portable;
    }
    let value = CEILING.load(Ordering::Relaxed);
    let mut granted = Level::Portable;
    for level in Level::ALL {
        if level as u8 <= value {
            granted = level;
        }
    }
    granted
}

/// Lowers (or raises again) the highest level that tokens may be granted. Tokens that exist already stay valid: the CPU
/// still has the features, so this changes speed and never results.
pub fn set_ceiling(level: Level) {
    CEILING.store(level as u8, Ordering::Relaxed);
}

static SHORT_WORDS: AtomicBool = AtomicBool::new(cfg!(target_pointer_width = "32"));

/// Whether portable kernels that have a form of their own for machines of 32-bit words should use it: at first, on such machines.
#[must_use]
pub fn short_words() -> bool {
    SHORT_WORDS.load(Ordering::Relaxed)
}

/// Makes portable kernels use, or not use, their form for machines of 32-bit words. Like the ceiling, this changes speed and
/// never results.
pub fn set_short_words(short: bool) {
    SHORT_WORDS.store(short, Ordering::Relaxed);
}

/// Defines a CPU token: a zero-sized type whose value proves that the CPU has the listed features.
///
/// `cpu_token!(/** docs */ pub struct Name, module, Level::Avx2, ["avx2", "pclmulqdq"]);` defines `Name` with
/// `Name::detect() -> Option<Name>` and `name.run(#[inline(always)] || ...)`, which runs a closure compiled with exactly these
/// features (without the attribute a large closure may stay outside, correct but slow). `module` names the private module that holds the cached detection.
#[macro_export]
macro_rules! cpu_token {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $module:ident, $level:expr, [$($feature:tt),+ $(,)?]) => {
        $crate::__cached_detection!($module, [$($feature),+]);

        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name(());

        // a private token does not use everything, and its `pub` ends at its module
        #[allow(dead_code, unreachable_pub)]
        impl $name {
            /// The features that this token proves.
            pub const FEATURES: &'static [&'static str] = &[$($feature),+];
            /// The level of the back-end ladder that the token belongs to.
            pub const LEVEL: $crate::backend::Level = $level;

            /// A token if the CPU has every feature and the process-wide ceiling allows its level.
            #[inline]
            #[must_use]
            pub fn detect() -> Option<Self> {
                ($crate::backend::ceiling() >= Self::LEVEL && $module::get()).then_some(Self(()))
            }

            /// Runs `kernel` compiled with the token's features; code that inlines into the closure is compiled with them too.
            #[inline(always)]
            pub fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
                #[inline]
                $(#[target_feature(enable = $feature)])+
                fn with_features<R>(kernel: impl FnOnce() -> R) -> R {
                    kernel()
                }
                // SAFETY: a value of this type exists only if detection found every feature of the list.
                unsafe { with_features(kernel) }
            }
        }
    };
}

/// A module with `get() -> bool`: whether this machine has all the features, looked up once.
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __cached_detection {
    ($module:ident, [$($feature:tt),+]) => {
        mod $module {
            use core::sync::atomic::{AtomicU8, Ordering};

            /// 0: not looked up yet; 1: absent; 2: present.
            static STATE: AtomicU8 = AtomicU8::new(0);

            #[inline(always)]
            pub(super) fn get() -> bool {
                if cfg!(all($(target_feature = $feature),+)) {
                    return true;
                }
                match STATE.load(Ordering::Relaxed) {
                    0 => look_up(),
                    state => state == 2,
                }
            }

            #[cold]
            fn look_up() -> bool {
                const POSITIONS: &[usize] = &[$($crate::__private::features::position($feature)),+];
                let present = $crate::__private::features::detect(POSITIONS);
                STATE.store(1 + u8::from(present), Ordering::Relaxed);
                present
            }
        }
    };
}

/// A module with `get() -> bool`: whether this machine has all the features, looked up once.
#[cfg(target_arch = "aarch64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __cached_detection {
    ($module:ident, [$($feature:tt),+]) => {
        $crate::__private::cpufeatures::new!($module, $($feature),+);
    };
}
