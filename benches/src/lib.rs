//! Cross-crate benchmarks.
