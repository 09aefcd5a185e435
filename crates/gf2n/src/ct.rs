//! Masks that the compiler does not see through.
//!
//! An x86 pass of LLVM turns "mask, then AND" into compare-and-jump where it can prove that the mask is all zeros or all ones.
//! Every mask made from a secret bit goes through [`mask`], whose optimisation barrier takes that knowledge away.

use core::hint::black_box;

/// All ones for the bit 1, zero for the bit 0 (the lowest bit of the argument).
#[inline(always)]
pub(crate) fn mask(bit: u64) -> u64 {
    black_box((bit & 1).wrapping_neg())
}
