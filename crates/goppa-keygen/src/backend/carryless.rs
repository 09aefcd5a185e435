//! Sums of carry-less products of words.

use gf2n::small::gf2m::backend::{LaneBackend, Portable};

/// Carry-less products of lists. Constant time.
pub trait CarrylessLists: LaneBackend {
    /// `sums[i] += factor * list[i]`; a sum is (low word, high word).
    #[inline(always)]
    fn add_multiple(self, factor: u64, list: &[u64], sums: &mut [[u64; 2]]) {
        for (word, sum) in list.iter().zip(sums) {
            let product = self.carryless_mul(factor, *word);
            sum[0] ^= product as u64;
            sum[1] ^= (product >> 64) as u64;
        }
    }

    /// The sum of `left[i] * right[i]`.
    #[inline(always)]
    fn scalar_product(self, left: &[u64], right: &[u64]) -> u128 {
        left.iter().zip(right).fold(0, |sum, (a, b)| sum ^ self.carryless_mul(*a, *b))
    }
}

impl CarrylessLists for Portable {}

#[cfg(target_arch = "aarch64")]
impl CarrylessLists for gf2n::small::gf2m::backend::Neon {}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use gf2n::small::gf2m::backend::{Avx2, Avx512};

    use super::CarrylessLists;

    /// # Safety
    /// The CPU has PCLMULQDQ.
    #[inline(always)]
    unsafe fn add_multiple(factor: u64, list: &[u64], sums: &mut [[u64; 2]]) {
        // SAFETY: the caller proves PCLMULQDQ; each access is to one word or one sum.
        unsafe {
            let factor = _mm_set_epi64x(0, factor as i64);
            for (word, sum) in list.iter().zip(sums) {
                let product =
                    _mm_clmulepi64_si128::<0>(factor, _mm_loadl_epi64(core::ptr::from_ref(word).cast()));
                let target: *mut __m128i = core::ptr::from_mut(sum).cast();
                _mm_storeu_si128(target, _mm_xor_si128(product, _mm_loadu_si128(target)));
            }
        }
    }

    /// # Safety
    /// The CPU has PCLMULQDQ.
    #[inline(always)]
    unsafe fn scalar_product(left: &[u64], right: &[u64]) -> u128 {
        // SAFETY: the caller proves PCLMULQDQ; pairs of words are read as 16 bytes.
        unsafe {
            let (left, right) = (left.as_chunks::<2>(), right.as_chunks::<2>());
            let (mut even, mut odd) = (_mm_setzero_si128(), _mm_setzero_si128());
            for (a, b) in left.0.iter().zip(right.0) {
                let a = _mm_loadu_si128(a.as_ptr().cast());
                let b = _mm_loadu_si128(b.as_ptr().cast());
                even = _mm_xor_si128(even, _mm_clmulepi64_si128::<0x00>(a, b));
                odd = _mm_xor_si128(odd, _mm_clmulepi64_si128::<0x11>(a, b));
            }
            for (a, b) in left.1.iter().zip(right.1) {
                let (a, b) = (_mm_set_epi64x(0, *a as i64), _mm_set_epi64x(0, *b as i64));
                even = _mm_xor_si128(even, _mm_clmulepi64_si128::<0>(a, b));
            }
            let sum = _mm_xor_si128(even, odd);
            let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum)) as u64;
            u128::from(high) << 64 | u128::from(_mm_cvtsi128_si64(sum) as u64)
        }
    }

    macro_rules! implement {
        ($token:ty) => {
            impl CarrylessLists for $token {
                #[inline(always)]
                fn add_multiple(self, factor: u64, list: &[u64], sums: &mut [[u64; 2]]) {
                    // SAFETY: the token proves PCLMULQDQ.
                    unsafe { add_multiple(factor, list, sums) }
                }
                #[inline(always)]
                fn scalar_product(self, left: &[u64], right: &[u64]) -> u128 {
                    // SAFETY: the token proves PCLMULQDQ.
                    unsafe { scalar_product(left, right) }
                }
            }
        };
    }

    implement!(Avx2);
    implement!(Avx512);
}
