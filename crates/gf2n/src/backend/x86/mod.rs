//! x86-64: PCLMULQDQ in the SSE and in the AVX encoding, VPCLMULQDQ on 256 and on 512 bits.

pub mod features;
mod words;

use super::{Cell, ClmulLanes, Level};
use core::arch::x86_64::*;

crate::cpu_token!(
    /// PCLMULQDQ on 128-bit vectors in the SSE encoding.
    pub struct Pclmul, pclmul_features, Level::Simd128, ["pclmulqdq", "sse4.1"]
);
crate::cpu_token!(
    /// PCLMULQDQ on 128-bit vectors, the three-operand encoding of AVX.
    pub struct PclmulAvx2, pclmul_avx2_features, Level::Avx2, ["avx2", "pclmulqdq"]
);
crate::cpu_token!(
    /// VPCLMULQDQ on 256-bit vectors: two products an instruction.
    pub struct Vpclmul256, vpclmul256_features, Level::Avx2Wide, ["avx2", "pclmulqdq", "vpclmulqdq"]
);
crate::cpu_token!(
    /// VPCLMULQDQ on 512-bit vectors: four products an instruction.
    pub struct Vpclmul512, vpclmul512_features, Level::Avx512,
    ["avx2", "pclmulqdq", "vpclmulqdq", "avx512f", "avx512vl"]
);

impl Vpclmul256 {
    /// The feature list of the narrow token is part of this one's.
    #[inline(always)]
    const fn narrow_token(self) -> PclmulAvx2 {
        PclmulAvx2(())
    }
}

impl Vpclmul512 {
    /// The feature list of the narrow token is part of this one's.
    #[inline(always)]
    const fn narrow_token(self) -> PclmulAvx2 {
        PclmulAvx2(())
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn straddle_128(a: __m128i, b: __m128i) -> __m128i {
    _mm_castpd_si128(_mm_shuffle_pd::<0b01>(_mm_castsi128_pd(a), _mm_castsi128_pd(b)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn straddle_256(a: __m256i, b: __m256i) -> __m256i {
    _mm256_alignr_epi8::<8>(b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn straddle_512(a: __m512i, b: __m512i) -> __m512i {
    _mm512_castpd_si512(_mm512_shuffle_pd::<0b0101_0101>(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b)))
}

/// Implements the back-end trait for a token with one vector width.
macro_rules! implement_lanes {
    (
        $token:ident ($name:literal), narrow $narrow:ident = $to_narrow:expr,
        $vector:ident of $lanes:literal cells,
        $zero:ident $load:ident $store:ident $broadcast:expr; $xor:ident $clmul:ident $straddle:ident
    ) => {
        impl ClmulLanes for $token {
            type Vector = $vector;
            type Narrow = $narrow;
            const LANES: usize = $lanes;
            const NAME: &'static str = $name;
            const LEVEL: Level = $token::LEVEL;

            #[inline]
            fn detect() -> Option<Self> {
                $token::detect()
            }

            #[inline(always)]
            fn narrow(self) -> $narrow {
                $to_narrow(self)
            }

            #[inline(always)]
            fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
                self.run(kernel)
            }

            #[inline(always)]
            fn zero(self) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $zero() }
            }

            #[inline(always)]
            fn load(self, cells: &[Cell]) -> $vector {
                let cells = &cells[..$lanes];
                // SAFETY: the token proves the features; the slice has as many bytes as the vector, aligned or not.
                unsafe { $load(cells.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store(self, vector: $vector, cells: &mut [Cell]) {
                let cells = &mut cells[..$lanes];
                // SAFETY: the token proves the features; the slice has as many bytes as the vector, aligned or not.
                unsafe { $store(cells.as_mut_ptr().cast(), vector) }
            }

            #[inline(always)]
            fn broadcast(self, cell: &Cell) -> $vector {
                // SAFETY: the token proves the features; a cell has 16 bytes.
                unsafe { $broadcast(_mm_loadu_si128(core::ptr::from_ref(cell).cast())) }
            }

            #[inline(always)]
            fn xor(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $xor(a, b) }
            }

            #[inline(always)]
            fn clmul_low(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $clmul::<0x00>(a, b) }
            }

            #[inline(always)]
            fn clmul_high(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $clmul::<0x11>(a, b) }
            }

            #[inline(always)]
            fn clmul_halves(self, a: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $clmul::<0x10>(a, a) }
            }

            #[inline(always)]
            fn straddle(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: the token proves the features.
                unsafe { $straddle(a, b) }
            }
        }
    };
}

implement_lanes!(
    Pclmul ("pclmulqdq"), narrow Pclmul = core::convert::identity,
    __m128i of 1 cells,
    _mm_setzero_si128 _mm_loadu_si128 _mm_storeu_si128 core::convert::identity;
    _mm_xor_si128 _mm_clmulepi64_si128
    straddle_128
);
implement_lanes!(
    PclmulAvx2 ("pclmulqdq-avx2"), narrow PclmulAvx2 = core::convert::identity,
    __m128i of 1 cells,
    _mm_setzero_si128 _mm_loadu_si128 _mm_storeu_si128 core::convert::identity;
    _mm_xor_si128 _mm_clmulepi64_si128
    straddle_128
);
implement_lanes!(
    Vpclmul256 ("vpclmulqdq-256"), narrow PclmulAvx2 = Self::narrow_token,
    __m256i of 2 cells,
    _mm256_setzero_si256 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_broadcastsi128_si256;
    _mm256_xor_si256 _mm256_clmulepi64_epi128
    straddle_256
);
implement_lanes!(
    Vpclmul512 ("vpclmulqdq-512"), narrow PclmulAvx2 = Self::narrow_token,
    __m512i of 4 cells,
    _mm512_setzero_si512 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_broadcast_i32x4;
    _mm512_xor_si512 _mm512_clmulepi64_epi128
    straddle_512
);
