//! The lines that come before the measurements.

use schemes::Sizes;
use schemes::registry::Set;

/// A word of a line: blanks become underscores, nothing becomes a hyphen.
fn word(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.replace([' ', '\t', '\r', '\n'], "_") }
}

/// The lines about the implementation, the machine and the compiler, in the original order.
#[must_use]
pub fn machine_lines(set: Set, implementation: &str, compiler: &str, ticks_per_second: f64) -> Vec<String> {
    let info = set.info();
    let (public, secret) = (info.public_key, info.secret_key);
    let mut lines = vec![format!("implementation {} {}", word(implementation), env!("CARGO_PKG_VERSION"))];
    match info.sizes {
        Sizes::Signature { signature, .. } => lines.extend([
            format!("outputbytes {signature}"),
            format!("publickeybytes {public}"),
            format!("secretkeybytes {secret}"),
        ]),
        Sizes::Kem { ciphertext, shared_secret } => lines.extend([
            format!("publickeybytes {public}"),
            format!("secretkeybytes {secret}"),
            format!("outputbytes {shared_secret}"),
            format!("ciphertextbytes {ciphertext}"),
        ]),
    }
    lines.push(format!("cpuid {}", word(&processor())));
    lines.push(format!("cpucycles_persecond {ticks_per_second:.0}"));
    lines.push(format!("cpucycles_implementation {COUNTER}"));
    lines.push(format!("compiler {}", compiler_words(compiler)));
    lines
}

/// The counter that is read, as SUPERCOP's library calls it.
const COUNTER: &str = if cfg!(target_arch = "x86_64") { "amd64-tsc" } else { "default-monotonic" };

/// `rustc 1.95.0 (...), flags` as the two words that SUPERCOP prints: the command, and the version.
fn compiler_words(compiler: &str) -> String {
    let (version, flags) = compiler.split_once(", ").unwrap_or((compiler, ""));
    let (name, version) = version.split_once(' ').unwrap_or((version, ""));
    format!("{} {}", word(&format!("{name} {flags}")), word(version))
}

/// Vendor, signature and features of the processor in SUPERCOP's form.
#[cfg(target_arch = "x86_64")]
fn processor() -> String {
    use std::arch::x86_64::__cpuid;
    #[allow(unused_unsafe, reason = "a safe function in newer compilers")]
    // SAFETY: the instruction exists on every x86-64 CPU.
    let leaf = |number| unsafe { __cpuid(number) };
    let (zero, one) = (leaf(0), leaf(1));
    let vendor: Vec<u8> = [zero.ebx, zero.edx, zero.ecx].into_iter().flat_map(u32::to_le_bytes).collect();
    // The kind of core, on CPUs that have more than one.
    let core = if zero.eax >= 26 { format!("-{:02x}", leaf(26).eax >> 24) } else { String::new() };
    format!("{}-{:08x}{core}-{:08x}\n", String::from_utf8_lossy(&vendor), one.eax, one.edx)
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> String {
    std::env::consts::ARCH.to_owned()
}

#[cfg(test)]
mod tests {
    use super::compiler_words;

    #[test]
    fn the_compiler_is_two_words() {
        assert_eq!(
            compiler_words("rustc 1.95.0 (59807616e 2026-04-14), release profile, RUSTFLAGS=\"\""),
            "rustc_release_profile,_RUSTFLAGS=\"\" 1.95.0_(59807616e_2026-04-14)"
        );
    }
}
