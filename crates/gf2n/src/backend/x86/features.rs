//! Which features this x86-64 CPU has and the operating system supports.
//!
//! A feature needs its CPUID bit and, for vectors wider than 128 bits, register state that the operating system saves. The
//! VEX-encoded extensions (VPCLMULQDQ, VAES, GFNI) ask for the 256-bit state only: many CPUs have them without AVX-512.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The register of a CPUID answer.
#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}

/// The vector state that an operating system saves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// SSE registers: always there.
    Xmm,
    /// AVX registers: bits 1 and 2 of XCR0.
    Ymm,
    /// AVX-512 registers: bits 1, 2, 5, 6, 7 of XCR0.
    Zmm,
}

/// Name, state, CPUID leaf (1, or 7 with sub-leaf 0), register, bit (Intel SDM volume 2, CPUID).
const FEATURES: [(&str, State, u32, Register, u32); 28] = [
    ("sse3", State::Xmm, 1, Register::Ecx, 0),
    ("pclmulqdq", State::Xmm, 1, Register::Ecx, 1),
    ("ssse3", State::Xmm, 1, Register::Ecx, 9),
    ("fma", State::Ymm, 1, Register::Ecx, 12),
    ("sse4.1", State::Xmm, 1, Register::Ecx, 19),
    ("sse4.2", State::Xmm, 1, Register::Ecx, 20),
    ("popcnt", State::Xmm, 1, Register::Ecx, 23),
    ("aes", State::Xmm, 1, Register::Ecx, 25),
    ("avx", State::Ymm, 1, Register::Ecx, 28),
    ("bmi1", State::Xmm, 7, Register::Ebx, 3),
    ("avx2", State::Ymm, 7, Register::Ebx, 5),
    ("bmi2", State::Xmm, 7, Register::Ebx, 8),
    ("avx512f", State::Zmm, 7, Register::Ebx, 16),
    ("avx512dq", State::Zmm, 7, Register::Ebx, 17),
    ("adx", State::Xmm, 7, Register::Ebx, 19),
    ("avx512ifma", State::Zmm, 7, Register::Ebx, 21),
    ("avx512cd", State::Zmm, 7, Register::Ebx, 28),
    ("sha", State::Xmm, 7, Register::Ebx, 29),
    ("avx512bw", State::Zmm, 7, Register::Ebx, 30),
    ("avx512vl", State::Zmm, 7, Register::Ebx, 31),
    ("avx512vbmi", State::Zmm, 7, Register::Ecx, 1),
    ("avx512vbmi2", State::Zmm, 7, Register::Ecx, 6),
    ("gfni", State::Xmm, 7, Register::Ecx, 8),
    ("vaes", State::Ymm, 7, Register::Ecx, 9),
    ("vpclmulqdq", State::Ymm, 7, Register::Ecx, 10),
    ("avx512vnni", State::Zmm, 7, Register::Ecx, 11),
    ("avx512bitalg", State::Zmm, 7, Register::Ecx, 12),
    ("avx512vpopcntdq", State::Zmm, 7, Register::Ecx, 14),
];

/// Where the feature stands in the table. An unknown name does not compile.
#[must_use]
#[allow(clippy::panic, reason = "evaluated at compile time")]
pub const fn position(name: &str) -> usize {
    let mut index = 0;
    while index < FEATURES.len() {
        if same(FEATURES[index].0.as_bytes(), name.as_bytes()) {
            return index;
        }
        index += 1;
    }
    panic!("a CPU feature that the table does not know");
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Whether the CPU has every feature at these positions of the table and the operating system saves the state they need.
#[must_use]
pub fn detect(positions: &[usize]) -> bool {
    if cfg!(any(target_env = "sgx", target_os = "none", target_os = "uefi")) {
        return false; // no CPUID, or no operating system that saves vector state
    }
    // SAFETY: every x86-64 CPU has CPUID. (Newer compilers know that and call the intrinsics safe.)
    #[allow(unused_unsafe)]
    let (leaf_1, has_leaf_7, leaf_7) = unsafe {
        let has_leaf_7 = __cpuid(0).eax >= 7;
        (__cpuid(1), has_leaf_7, __cpuid_count(if has_leaf_7 { 7 } else { 0 }, 0))
    };
    // OSXSAVE and AVX: only then may XCR0 be read
    let saved = if (leaf_1.ecx >> 27) & (leaf_1.ecx >> 28) & 1 == 1 {
        // SAFETY: CPUID says that XGETBV exists and the operating system enabled it.
        unsafe { _xgetbv(0) }
    } else {
        0
    };
    positions.iter().all(|&position| {
        let (_, state, leaf, register, bit) = FEATURES[position];
        let answer = if leaf == 1 { leaf_1 } else { leaf_7 };
        let word = match register {
            Register::Ebx => answer.ebx,
            Register::Ecx => answer.ecx,
        };
        let needed = match state {
            State::Xmm => 0,
            State::Ymm => 0b110,
            State::Zmm => 0b1110_0110,
        };
        (leaf == 1 || has_leaf_7) && (word >> bit) & 1 == 1 && saved & needed == needed
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{FEATURES, detect, position};
    use std::arch::is_x86_feature_detected;

    /// The standard library has its own detection.
    macro_rules! agree {
        ($($name:tt)+) => {$(
            assert_eq!(detect(&[position($name)]), is_x86_feature_detected!($name), "{}", $name);
        )+};
    }

    #[test]
    fn detection_agrees_with_the_standard_library() {
        agree!("sse3" "pclmulqdq" "ssse3" "fma" "sse4.1" "sse4.2" "popcnt" "aes" "avx" "bmi1" "avx2" "bmi2" "adx" "sha"
            "avx512f" "avx512dq" "avx512ifma" "avx512cd" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "gfni"
            "vaes" "vpclmulqdq" "avx512vnni" "avx512bitalg" "avx512vpopcntdq");
    }

    #[test]
    fn positions_follow_the_table() {
        for (index, feature) in FEATURES.iter().enumerate() {
            assert_eq!(position(feature.0), index);
        }
    }
}
