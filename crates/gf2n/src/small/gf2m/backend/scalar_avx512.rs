//! Scalar multiples with GFNI: elements as low and high bytes, a scalar as the four 8 x 8 blocks of its matrix.

use core::arch::x86_64::*;

use super::{Avx512, LaneBackend};
use crate::small::gf2m::scalar::{ScalarVectors, reduce, scalar_powers};

/// Low bytes and high bytes of 64 elements.
#[derive(Clone, Copy, Debug)]
pub struct WideByteElements(__m512i, __m512i);

/// The blocks (low from low, low from high, high from low, high from high) of the matrix of a scalar, in every group of 8 bytes.
#[derive(Clone, Copy, Debug)]
pub struct ScalarMatrix([__m512i; 4]);

/// What each bit of a scalar adds to the four blocks, as `vgf2p8affineqb` reads them: byte 7 - r of a block is row r.
const fn blocks<const M: usize>() -> [[u64; 4]; 16] {
    let powers = scalar_powers::<M>();
    let mut table = [[0u64; 4]; 16];
    let mut bit = 0;
    while bit < M {
        let mut column = 0;
        while column < M {
            let mut row = 0;
            while row < M {
                if powers[bit][column] >> row & 1 == 1 {
                    let block = 2 * (row / 8) + column / 8;
                    table[bit][block] |= 1 << (8 * (7 - row % 8) + column % 8);
                }
                row += 1;
            }
            column += 1;
        }
        bit += 1;
    }
    table
}

/// Ones in one byte of 64.
const PLACES: [u8; 127] = {
    let mut places = [0; 127];
    places[63] = 0xFF;
    places
};

impl ScalarVectors for Avx512 {
    type Vector<const M: usize> = WideByteElements;
    type Factor<const M: usize> = ScalarMatrix;
    type Multiples<const M: usize> = ScalarMatrix;
    const ELEMENTS: usize = 64;

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        Avx512::run(self, kernel)
    }

    #[inline(always)]
    fn gather<const M: usize>(self, elements: &[u16]) -> WideByteElements {
        let (mut low, mut high) = ([0u8; 64], [0u8; 64]);
        for (element, (low, high)) in elements.iter().zip(low.iter_mut().zip(&mut high)) {
            [*low, *high] = element.to_le_bytes();
        }
        // SAFETY: the token proves AVX-512F; 64 bytes are readable.
        unsafe {
            WideByteElements(
                _mm512_loadu_si512(low.as_ptr().cast()),
                _mm512_loadu_si512(high.as_ptr().cast()),
            )
        }
    }

    #[inline(always)]
    fn scatter<const M: usize>(self, vector: WideByteElements, elements: &mut [u16]) {
        let (mut low, mut high) = ([0u8; 64], [0u8; 64]);
        // SAFETY: the token proves AVX-512F; 64 bytes are writable.
        unsafe {
            _mm512_storeu_si512(low.as_mut_ptr().cast(), vector.0);
            _mm512_storeu_si512(high.as_mut_ptr().cast(), vector.1);
        }
        for (element, (low, high)) in elements.iter_mut().zip(low.iter().zip(&high)) {
            *element = u16::from_le_bytes([*low, *high]);
        }
    }

    #[inline(always)]
    fn first<const M: usize>(self, vector: WideByteElements) -> u16 {
        // SAFETY: the token proves AVX2.
        unsafe {
            let both = _mm_unpacklo_epi8(_mm512_castsi512_si128(vector.0), _mm512_castsi512_si128(vector.1));
            _mm_cvtsi128_si32(both) as u16
        }
    }

    #[inline(always)]
    fn product<const M: usize>(self, left: u16, right: u16) -> u16 {
        reduce::<M>(self.carryless_mul(u64::from(left), u64::from(right)) as u32)
    }

    #[inline(always)]
    fn factor_of<const M: usize>(self, multiples: ScalarMatrix) -> ScalarMatrix {
        multiples
    }

    #[inline(always)]
    fn multiples<const M: usize>(self, scalar: u16) -> ScalarMatrix {
        // SAFETY: the token proves AVX-512F and VL; the constants are 32 bytes each.
        unsafe {
            let all = _mm256_set1_epi64x(i64::from(scalar));
            let rows = const { &blocks::<M>() };
            let mut sums = [_mm256_setzero_si256(); 4];
            for bit in 0..M {
                let mask = _mm256_test_epi64_mask(all, _mm256_set1_epi64x(1 << bit));
                let row = _mm256_loadu_si256(rows[bit].as_ptr().cast());
                sums[bit % 4] = _mm256_mask_xor_epi64(sums[bit % 4], mask, sums[bit % 4], row);
            }
            let sum =
                _mm256_xor_si256(_mm256_xor_si256(sums[0], sums[1]), _mm256_xor_si256(sums[2], sums[3]));
            let matrix = _mm512_castsi256_si512(sum);
            ScalarMatrix([
                _mm512_permutexvar_epi64(_mm512_set1_epi64(0), matrix),
                _mm512_permutexvar_epi64(_mm512_set1_epi64(1), matrix),
                _mm512_permutexvar_epi64(_mm512_set1_epi64(2), matrix),
                _mm512_permutexvar_epi64(_mm512_set1_epi64(3), matrix),
            ])
        }
    }

    #[inline(always)]
    fn combine<const M: usize>(
        self,
        left: WideByteElements,
        left_factor: &ScalarMatrix,
        right: WideByteElements,
        right_factor: &ScalarMatrix,
    ) -> WideByteElements {
        // SAFETY: the token proves AVX-512F and GFNI.
        unsafe {
            let (f, g) = (&left_factor.0, &right_factor.0);
            let low = _mm512_xor_si512(
                _mm512_gf2p8affine_epi64_epi8::<0>(left.0, f[0]),
                _mm512_gf2p8affine_epi64_epi8::<0>(right.0, g[0]),
            );
            if M <= 8 {
                return WideByteElements(low, left.1);
            }
            let high = _mm512_xor_si512(
                _mm512_gf2p8affine_epi64_epi8::<0>(left.0, f[2]),
                _mm512_gf2p8affine_epi64_epi8::<0>(right.0, g[2]),
            );
            WideByteElements(
                _mm512_ternarylogic_epi64::<0x96>(
                    low,
                    _mm512_gf2p8affine_epi64_epi8::<0>(left.1, f[1]),
                    _mm512_gf2p8affine_epi64_epi8::<0>(right.1, g[1]),
                ),
                _mm512_ternarylogic_epi64::<0x96>(
                    high,
                    _mm512_gf2p8affine_epi64_epi8::<0>(left.1, f[3]),
                    _mm512_gf2p8affine_epi64_epi8::<0>(right.1, g[3]),
                ),
            )
        }
    }

    #[inline(always)]
    fn select<const M: usize>(
        self,
        mask: u16,
        chosen: WideByteElements,
        other: WideByteElements,
    ) -> WideByteElements {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            WideByteElements(
                _mm512_mask_blend_epi64(mask as u8, other.0, chosen.0),
                _mm512_mask_blend_epi64(mask as u8, other.1, chosen.1),
            )
        }
    }

    #[inline(always)]
    fn select_factor<const M: usize>(
        self,
        mask: u16,
        chosen: &ScalarMatrix,
        other: &ScalarMatrix,
    ) -> ScalarMatrix {
        let mut selected = *other;
        for block in 0..4 {
            // SAFETY: the token proves AVX-512F.
            selected.0[block] =
                unsafe { _mm512_mask_blend_epi64(mask as u8, other.0[block], chosen.0[block]) };
        }
        selected
    }

    #[inline(always)]
    fn lower<const M: usize>(self, vector: WideByteElements) -> WideByteElements {
        // SAFETY: the token proves AVX-512F and BW. The 128-bit quarters move down by one.
        unsafe {
            let low = _mm512_maskz_shuffle_i64x2::<0b11_11_10_01>(0x3F, vector.0, vector.0);
            let high = _mm512_maskz_shuffle_i64x2::<0b11_11_10_01>(0x3F, vector.1, vector.1);
            WideByteElements(_mm512_alignr_epi8::<1>(low, vector.0), _mm512_alignr_epi8::<1>(high, vector.1))
        }
    }

    #[inline(always)]
    fn insert<const M: usize>(
        self,
        vector: WideByteElements,
        position: usize,
        element: u16,
    ) -> WideByteElements {
        let [low, high] = element.to_le_bytes();
        let window: &[u8; 64] = PLACES[63 - position..].first_chunk().unwrap_or(&[0; 64]);
        // SAFETY: the token proves AVX-512F and BW; 64 bytes are readable.
        unsafe {
            let place = _mm512_movepi8_mask(_mm512_loadu_si512(window.as_ptr().cast()));
            WideByteElements(
                _mm512_mask_set1_epi8(vector.0, place, low as i8),
                _mm512_mask_set1_epi8(vector.1, place, high as i8),
            )
        }
    }
}
