//! Dense linear algebra over GF(2).
//!
//! A vector of d bits is ceil(d / 64) words, bit i in bit i mod 64 of word i div 64; the unused high bits of the last word are
//! zero. A [`BitMatrix`] is an array of such rows. Two kinds of operation stand side by side:
//!
//! * the plain name is **constant-time**: its sequence of operations and addresses depends on the shape alone, so it may
//!   touch secrets ([`BitMatrix::product`], [`BitMatrix::inverse`], [`BitMatrix::solve`], [`BitMatrix::systematic_form`],
//!   [`BitMatrix::lu`], everything of [`UnitTriangular`]);
//! * the name that ends in `_public` is for public data and faster (tables indexed by the data, pivot search, skipped zeros); a product
//!   with one public factor ([`BitMatrix::product_public`], [`BitMatrix::product_with_public`]) may have a secret as the other one.
//!
//! Shapes that do not fit are errors of the caller and panic, as each item says; nothing here reads untrusted bytes without
//! a typed error.

mod dense;
mod elimination;
mod lu;
mod product;
mod regular;
mod solve;
mod transpose;
mod triangular;
mod words;

pub use dense::{BitMatrix, RowBytesError};
pub use lu::{RowEchelonLu, UnitLu};
pub use transpose::transpose_block;
pub use triangular::{UnitTriangular, packed_row_words, packed_words};
pub use words::{parity, words_for};

#[cfg(target_arch = "x86_64")]
crate::cpu_token!(
    /// 256-bit vectors for the row operations.
    struct WideRows, wide_rows, crate::backend::Level::Avx2, ["avx2", "popcnt", "bmi1", "bmi2"]
);

/// Runs `kernel` with the widest vectors that the CPU and the ceiling allow.
#[inline(always)]
fn with_wide_rows<R>(kernel: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = WideRows::detect() {
        return token.run(kernel);
    }
    kernel()
}
