//! Byte shuffles with AVX2, bit matrices with GFNI on AVX-512.

use core::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_load_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm256_store_si256, _mm256_xor_si256, _mm512_gf2p8affine_epi64_epi8, _mm512_load_si512,
    _mm512_set1_epi64, _mm512_store_si512, _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

use super::{PlaneKernel, nibble_tables};
use crate::batch::planes::Line;

gf2n::cpu_token!(
    /// AVX2.
    pub(in crate::batch) struct Avx2,
    avx2_features,
    gf2n::backend::Level::Avx2,
    ["avx2"]
);

gf2n::cpu_token!(
    /// AVX-512 with GFNI.
    pub(in crate::batch) struct Gfni512,
    gfni512_features,
    gf2n::backend::Level::Avx512,
    ["avx2", "avx512f", "gfni"]
);

/// Shuffles by tables of 16 bytes: one table for every four of the low 4 `NIBBLES` bits of an element and every byte of the
/// product.
#[derive(Clone, Copy, Debug)]
pub(in crate::batch) struct Shuffle<const NIBBLES: usize>(pub(in crate::batch) Avx2);

impl<const NIBBLES: usize> PlaneKernel for Shuffle<NIBBLES> {
    type Vector = [__m256i; 2];
    type Table = [[[u8; 16]; 3]; NIBBLES];

    #[inline(always)]
    fn load(self, line: &Line) -> Self::Vector {
        let halves = line.0.as_ptr().cast::<__m256i>();
        // SAFETY: the token proves AVX2; a line is 64 bytes, aligned to 64.
        unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, line: &mut Line) {
        let halves = line.0.as_mut_ptr().cast::<__m256i>();
        // SAFETY: the token proves AVX2; a line is 64 bytes, aligned to 64.
        unsafe {
            _mm256_store_si256(halves, vector[0]);
            _mm256_store_si256(halves.add(1), vector[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_xor_si256(a[0], b[0]), _mm256_xor_si256(a[1], b[1])] }
    }

    fn table(self, images: &[u32; 24]) -> Self::Table {
        let multiples = nibble_tables(images);
        core::array::from_fn(|n| {
            core::array::from_fn(|p| core::array::from_fn(|v| multiples[n][v].to_le_bytes()[p]))
        })
    }

    #[inline(always)]
    fn add_tables(self, a: &Self::Table, b: &Self::Table) -> Self::Table {
        let mut sum = *a;
        for (sum, b) in
            sum.as_flattened_mut().as_flattened_mut().iter_mut().zip(b.as_flattened().as_flattened())
        {
            *sum ^= b;
        }
        sum
    }

    #[inline(always)]
    fn multiply(self, table: &Self::Table, elements: [Self::Vector; 3]) -> [Self::Vector; 3] {
        // SAFETY: the token proves AVX2; every table is 16 bytes and is loaded unaligned.
        unsafe {
            let low_bits = _mm256_set1_epi8(15);
            let mut products = [[_mm256_setzero_si256(); 2]; 3];
            for (n, tables) in table.iter().enumerate() {
                let nibbles = elements[n / 2].map(
                    #[inline(always)]
                    |bytes| {
                        let shifted = if n % 2 == 0 { bytes } else { _mm256_srli_epi16::<4>(bytes) };
                        _mm256_and_si256(shifted, low_bits)
                    },
                );
                for (product, table) in products.iter_mut().zip(tables) {
                    let table: __m128i = _mm_loadu_si128(table.as_ptr().cast());
                    let table = _mm256_broadcastsi128_si256(table);
                    product[0] = _mm256_xor_si256(product[0], _mm256_shuffle_epi8(table, nibbles[0]));
                    product[1] = _mm256_xor_si256(product[1], _mm256_shuffle_epi8(table, nibbles[1]));
                }
            }
            products
        }
    }
}

/// Truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;

impl PlaneKernel for Gfni512 {
    type Vector = __m512i;
    /// `[p][q]`: the matrix from byte q of an element to byte p of the product.
    type Table = [[u64; 3]; 3];

    #[inline(always)]
    fn load(self, line: &Line) -> __m512i {
        // SAFETY: the token proves AVX-512F; a line is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512i, line: &mut Line) {
        // SAFETY: the token proves AVX-512F; a line is 64 bytes, aligned to 64.
        unsafe { _mm512_store_si512(line.0.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    fn table(self, images: &[u32; 24]) -> Self::Table {
        let mut matrices = [[0u64; 3]; 3];
        for (b, image) in images.iter().enumerate() {
            for bit in (0..24).filter(|bit| image >> bit & 1 == 1) {
                // row `bit % 8` of the matrix is its byte 7 - bit % 8
                matrices[bit / 8][b / 8] |= 1 << (8 * (7 - bit % 8) + b % 8);
            }
        }
        matrices
    }

    #[inline(always)]
    fn add_tables(self, a: &Self::Table, b: &Self::Table) -> Self::Table {
        core::array::from_fn(|p| core::array::from_fn(|q| a[p][q] ^ b[p][q]))
    }

    #[inline(always)]
    fn multiply(self, table: &Self::Table, elements: [__m512i; 3]) -> [__m512i; 3] {
        let mut products = elements;
        for (product, matrices) in products.iter_mut().zip(table) {
            // SAFETY: the token proves AVX-512F and GFNI.
            unsafe {
                *product = _mm512_ternarylogic_epi64::<XOR3>(
                    _mm512_gf2p8affine_epi64_epi8::<0>(
                        elements[0],
                        _mm512_set1_epi64(matrices[0].cast_signed()),
                    ),
                    _mm512_gf2p8affine_epi64_epi8::<0>(
                        elements[1],
                        _mm512_set1_epi64(matrices[1].cast_signed()),
                    ),
                    _mm512_gf2p8affine_epi64_epi8::<0>(
                        elements[2],
                        _mm512_set1_epi64(matrices[2].cast_signed()),
                    ),
                );
            }
        }
        products
    }
}
