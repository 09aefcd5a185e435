//! AVX-512: 16 integers of 32 bits, 8 of 64.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx512;

use super::SortVectors;

/// Lanes with `index & distance != 0`, for up to 16 lanes.
const HIGH: [u16; 9] = [0, 0xAAAA, 0xCCCC, 0, 0xF0F0, 0, 0, 0, 0xFF00];

impl SortVectors<u32> for Avx512 {
    type Vector = __m512i;
    type Row = [u32; 16];
    const SORT_LANES: usize = 16;

    #[inline(always)]
    fn rows(data: &mut [u32]) -> &mut [[u32; 16]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u32]) -> __m512i {
        let chunk: &[u32] = &source[..16];
        // SAFETY: the token proves AVX-512F; sixteen integers are readable.
        unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_integers(self, vector: __m512i, destination: &mut [u32]) {
        let chunk: &mut [u32] = &mut destination[..16];
        // SAFETY: the token proves AVX-512F; sixteen integers are writable.
        unsafe { _mm512_storeu_si512(chunk.as_mut_ptr().cast(), vector) }
    }
    #[inline(always)]
    fn min_max(self, left: __m512i, right: __m512i) -> (__m512i, __m512i) {
        // SAFETY: the token proves AVX-512F.
        unsafe { (_mm512_min_epu32(left, right), _mm512_max_epu32(left, right)) }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: __m512i, distance: usize) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            match distance {
                1 => _mm512_shuffle_epi32::<0b10_11_00_01>(vector),
                2 => _mm512_shuffle_epi32::<0b01_00_11_10>(vector),
                4 => _mm512_shuffle_i64x2::<0b10_11_00_01>(vector, vector),
                _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn blend(self, low: __m512i, high: __m512i, distance: usize) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_mask_blend_epi32(HIGH[distance], low, high) }
    }
    #[inline(always)]
    fn transpose_groups(self, source: &[u32], destination: &mut [u32], stride: usize, group: usize) {
        if group > 1 {
            for (r, row) in source.chunks_exact(16).enumerate() {
                for (c, integers) in row.chunks_exact(group).enumerate() {
                    destination[c * stride + r * group..][..group].copy_from_slice(integers);
                }
            }
            return;
        }
        let mut rows = [self.load_integers(source); 16];
        for (row, vector) in rows.iter_mut().enumerate() {
            *vector = self.load_integers(&source[16 * row..]);
        }
        // SAFETY: the token proves AVX-512F.
        let columns = unsafe {
            let mut a = rows;
            for pair in 0..8 {
                a[2 * pair] = _mm512_unpacklo_epi32(rows[2 * pair], rows[2 * pair + 1]);
                a[2 * pair + 1] = _mm512_unpackhi_epi32(rows[2 * pair], rows[2 * pair + 1]);
            }
            // b[4 g + c], lane block k: column 4 k + c of rows 4 g .. 4 g + 3
            let mut b = a;
            for group in 0..4 {
                b[4 * group] = _mm512_unpacklo_epi64(a[4 * group], a[4 * group + 2]);
                b[4 * group + 1] = _mm512_unpackhi_epi64(a[4 * group], a[4 * group + 2]);
                b[4 * group + 2] = _mm512_unpacklo_epi64(a[4 * group + 1], a[4 * group + 3]);
                b[4 * group + 3] = _mm512_unpackhi_epi64(a[4 * group + 1], a[4 * group + 3]);
            }
            let mut c = b;
            for column in 0..4 {
                let (r0, r1, r2, r3) = (b[column], b[4 + column], b[8 + column], b[12 + column]);
                let (low01, high01) =
                    (_mm512_shuffle_i64x2::<0x44>(r0, r1), _mm512_shuffle_i64x2::<0xEE>(r0, r1));
                let (low23, high23) =
                    (_mm512_shuffle_i64x2::<0x44>(r2, r3), _mm512_shuffle_i64x2::<0xEE>(r2, r3));
                c[column] = _mm512_shuffle_i64x2::<0x88>(low01, low23);
                c[4 + column] = _mm512_shuffle_i64x2::<0xDD>(low01, low23);
                c[8 + column] = _mm512_shuffle_i64x2::<0x88>(high01, high23);
                c[12 + column] = _mm512_shuffle_i64x2::<0xDD>(high01, high23);
            }
            c
        };
        for (index, column) in columns.into_iter().enumerate() {
            self.store_integers(column, &mut destination[index * stride..]);
        }
    }
    #[inline(always)]
    fn low_bits(self, vector: __m512i) -> u32 {
        // SAFETY: the token proves AVX-512F.
        u32::from(unsafe { _mm512_test_epi32_mask(vector, _mm512_set1_epi32(1)) })
    }
}

impl SortVectors<u64> for Avx512 {
    type Vector = __m512i;
    type Row = [u64; 8];
    const SORT_LANES: usize = 8;

    #[inline(always)]
    fn rows(data: &mut [u64]) -> &mut [[u64; 8]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u64]) -> __m512i {
        let chunk: &[u64] = &source[..8];
        // SAFETY: the token proves AVX-512F; eight integers are readable.
        unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_integers(self, vector: __m512i, destination: &mut [u64]) {
        let chunk: &mut [u64] = &mut destination[..8];
        // SAFETY: the token proves AVX-512F; eight integers are writable.
        unsafe { _mm512_storeu_si512(chunk.as_mut_ptr().cast(), vector) }
    }
    #[inline(always)]
    fn min_max(self, left: __m512i, right: __m512i) -> (__m512i, __m512i) {
        // SAFETY: the token proves AVX-512F.
        unsafe { (_mm512_min_epu64(left, right), _mm512_max_epu64(left, right)) }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: __m512i, distance: usize) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe {
            match distance {
                1 => _mm512_shuffle_epi32::<0b01_00_11_10>(vector),
                2 => _mm512_shuffle_i64x2::<0b10_11_00_01>(vector, vector),
                _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn blend(self, low: __m512i, high: __m512i, distance: usize) -> __m512i {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_mask_blend_epi64(HIGH[distance] as u8, low, high) }
    }
    #[inline(always)]
    fn transpose_groups(self, source: &[u64], destination: &mut [u64], stride: usize, group: usize) {
        if group > 1 {
            for (r, row) in source.chunks_exact(8).enumerate() {
                for (c, integers) in row.chunks_exact(group).enumerate() {
                    destination[c * stride + r * group..][..group].copy_from_slice(integers);
                }
            }
            return;
        }
        let mut rows = [self.load_integers(source); 8];
        for (row, vector) in rows.iter_mut().enumerate() {
            *vector = self.load_integers(&source[8 * row..]);
        }
        // SAFETY: the token proves AVX-512F.
        let columns = unsafe {
            let mut b = rows;
            for pair in 0..4 {
                b[2 * pair] = _mm512_unpacklo_epi64(rows[2 * pair], rows[2 * pair + 1]);
                b[2 * pair + 1] = _mm512_unpackhi_epi64(rows[2 * pair], rows[2 * pair + 1]);
            }
            let mut c = b;
            for column in 0..2 {
                let (r0, r1, r2, r3) = (b[column], b[2 + column], b[4 + column], b[6 + column]);
                let (low01, high01) =
                    (_mm512_shuffle_i64x2::<0x44>(r0, r1), _mm512_shuffle_i64x2::<0xEE>(r0, r1));
                let (low23, high23) =
                    (_mm512_shuffle_i64x2::<0x44>(r2, r3), _mm512_shuffle_i64x2::<0xEE>(r2, r3));
                c[column] = _mm512_shuffle_i64x2::<0x88>(low01, low23);
                c[2 + column] = _mm512_shuffle_i64x2::<0xDD>(low01, low23);
                c[4 + column] = _mm512_shuffle_i64x2::<0x88>(high01, high23);
                c[6 + column] = _mm512_shuffle_i64x2::<0xDD>(high01, high23);
            }
            c
        };
        for (index, column) in columns.into_iter().enumerate() {
            self.store_integers(column, &mut destination[index * stride..]);
        }
    }
    #[inline(always)]
    fn low_bits(self, vector: __m512i) -> u32 {
        // SAFETY: the token proves AVX-512F.
        u32::from(unsafe { _mm512_test_epi64_mask(vector, _mm512_set1_epi64(1)) })
    }
}
