//! Many polynomials over a small field GF(2^k), k <= 24, evaluated together: at every point of the field by an additive FFT, or at
//! a few points by Horner's rule.
//!
//! All polynomials of a batch meet the same factor at the same place, so that a product is a vector times a constant: a linear
//! map, applied to byte planes ([`Batch`]) by shuffles or by bit matrices, without any reduction.
//!
//! # The transform
//!
//! With s_l(X) the product of X - w over w in the span W_l of 1, x, .., x^(l-1), and S_l = s_l/s_l(x^l), the basis polynomial X_j is
//! the product of S_l over the set bits l of j (Lin, Chung, Han, "Novel polynomial basis and its application to Reed-Solomon erasure
//! codes", FOCS 2014). s_l is linear over GF(2), S_l(x^l) = 1, and the index of a point is the integer of its element: nothing is ever
//! permuted. On a coset a + W_D a polynomial of degree below 2^D takes D levels of 2^(D-1) butterflies, one product each:
//! u += S_l(a + o) v; v += u. Coefficients from 2^D on, if there are few, are folded: S_D is constant on the coset.
//!
//! The tables of a factor are linear in the factor, and the factors of one level come in the order of the points: a table is made
//! from the one before by one addition.
//!
//! Everything here is for public data: variable time.

mod backend;
mod field;
mod horner;
mod planes;
mod selection;
mod transform;

pub use field::BatchField;
pub use horner::BatchHorner;
pub use planes::Batch;
pub use selection::Selection;
pub use transform::{BasisForm, BatchTransform};

/// Runs `$body` under the best back end with `$kernel` bound to it; `$degree` is the degree of the field.
macro_rules! with_kernel {
    ($degree:expr, $kernel:ident => $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($kernel) = $crate::batch::backend::Gfni512::detect() {
                $kernel.run(
                    #[inline(always)]
                    || $body,
                )
            } else if let Some(token) = $crate::batch::backend::Avx2::detect() {
                if $degree <= 20 {
                    let $kernel = $crate::batch::backend::Shuffle::<5>(token);
                    token.run(
                        #[inline(always)]
                        || $body,
                    )
                } else {
                    let $kernel = $crate::batch::backend::Shuffle::<6>(token);
                    token.run(
                        #[inline(always)]
                        || $body,
                    )
                }
            } else {
                let $kernel = $crate::batch::backend::Portable;
                $body
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let $kernel = $crate::batch::backend::Portable;
            $body
        }
    }};
}
pub(crate) use with_kernel;

/// Name of the back end that the batch kernels use on this CPU under the current ceiling.
#[must_use]
pub fn backend_name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if backend::Gfni512::detect().is_some() {
            return "gfni-avx512";
        }
        if backend::Avx2::detect().is_some() {
            return "avx2-shuffle";
        }
    }
    "portable"
}
