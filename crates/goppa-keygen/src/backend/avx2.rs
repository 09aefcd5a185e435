//! AVX2.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx2;

use super::SortVectors;

/// 8 x 8 transposition of 32-bit integers.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose8(rows: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: the caller proves AVX2.
    unsafe {
        let mut a = rows;
        for pair in 0..4 {
            a[2 * pair] = _mm256_unpacklo_epi32(rows[2 * pair], rows[2 * pair + 1]);
            a[2 * pair + 1] = _mm256_unpackhi_epi32(rows[2 * pair], rows[2 * pair + 1]);
        }
        let mut b = a;
        for half in 0..2 {
            b[4 * half] = _mm256_unpacklo_epi64(a[4 * half], a[4 * half + 2]);
            b[4 * half + 1] = _mm256_unpackhi_epi64(a[4 * half], a[4 * half + 2]);
            b[4 * half + 2] = _mm256_unpacklo_epi64(a[4 * half + 1], a[4 * half + 3]);
            b[4 * half + 3] = _mm256_unpackhi_epi64(a[4 * half + 1], a[4 * half + 3]);
        }
        let mut c = b;
        for index in 0..4 {
            c[index] = _mm256_permute2x128_si256::<0x20>(b[index], b[index + 4]);
            c[index + 4] = _mm256_permute2x128_si256::<0x31>(b[index], b[index + 4]);
        }
        c
    }
}

/// Transposes four vectors of four 64-bit words.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose4(rows: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: see above.
    unsafe {
        let (a, b) = (_mm256_unpacklo_epi64(rows[0], rows[1]), _mm256_unpackhi_epi64(rows[0], rows[1]));
        let (c, d) = (_mm256_unpacklo_epi64(rows[2], rows[3]), _mm256_unpackhi_epi64(rows[2], rows[3]));
        [
            _mm256_permute2x128_si256::<0x20>(a, c),
            _mm256_permute2x128_si256::<0x20>(b, d),
            _mm256_permute2x128_si256::<0x31>(a, c),
            _mm256_permute2x128_si256::<0x31>(b, d),
        ]
    }
}

/// Stores vectors `stride` integers apart.
#[inline(always)]
fn store_columns<const COUNT: usize>(columns: [__m256i; COUNT], destination: &mut [u32], stride: usize) {
    assert!(destination.len() >= (COUNT - 1) * stride + 8);
    for (index, column) in columns.into_iter().enumerate() {
        // SAFETY: the vectors exist, so the CPU has AVX2; the assertion bounds the last store.
        unsafe { _mm256_storeu_si256(destination.as_mut_ptr().add(index * stride).cast(), column) }
    }
}

/// 64-bit integers are compared as double-precision numbers: with this bit of the exponent in place all of them are normal, so that
/// no rounding or denormal mode of the caller matters, and none is an infinity.
const NORMAL: i64 = 1 << 62;

impl SortVectors<u32> for Avx2 {
    type Vector = __m256i;
    type Row = [u32; 8];
    const SORT_LANES: usize = 8;

    #[inline(always)]
    fn rows(data: &mut [u32]) -> &mut [[u32; 8]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u32]) -> __m256i {
        let chunk: &[u32] = &source[..8];
        // SAFETY: the token proves AVX2; eight integers are readable.
        unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_integers(self, vector: __m256i, destination: &mut [u32]) {
        let chunk: &mut [u32] = &mut destination[..8];
        // SAFETY: the token proves AVX2; eight integers are writable.
        unsafe { _mm256_storeu_si256(chunk.as_mut_ptr().cast(), vector) }
    }
    #[inline(always)]
    fn min_max(self, left: __m256i, right: __m256i) -> (__m256i, __m256i) {
        // SAFETY: the token proves AVX2.
        unsafe { (_mm256_min_epu32(left, right), _mm256_max_epu32(left, right)) }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: __m256i, distance: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match distance {
                1 => _mm256_shuffle_epi32::<0b10_11_00_01>(vector),
                2 => _mm256_shuffle_epi32::<0b01_00_11_10>(vector),
                _ => _mm256_permute2x128_si256::<1>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn blend(self, low: __m256i, high: __m256i, distance: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match distance {
                1 => _mm256_blend_epi32::<0b1010_1010>(low, high),
                2 => _mm256_blend_epi32::<0b1100_1100>(low, high),
                _ => _mm256_blend_epi32::<0b1111_0000>(low, high),
            }
        }
    }
    #[inline(always)]
    fn reverse_groups(self, vector: __m256i, group: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match group {
                1 => _mm256_permutevar8x32_epi32(vector, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
                2 => _mm256_permute4x64_epi64::<0b00_01_10_11>(vector),
                _ => _mm256_permute2x128_si256::<1>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn transpose_groups(self, source: &[u32], destination: &mut [u32], stride: usize, group: usize) {
        let row = |index: usize| SortVectors::<u32>::load_integers(self, &source[8 * index..]);
        match group {
            1 => {
                let rows = core::array::from_fn(row);
                // SAFETY: the token proves AVX2.
                let columns = unsafe { transpose8(rows) };
                store_columns(columns, destination, stride);
            }
            2 => {
                let rows = core::array::from_fn(row);
                // SAFETY: the token proves AVX2.
                let columns = unsafe { transpose4(rows) };
                store_columns(columns, destination, stride);
            }
            _ => {
                let (a, b) = (row(0), row(1));
                // SAFETY: the token proves AVX2.
                let (low, high) = unsafe {
                    (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b))
                };
                self.store_integers(low, destination);
                self.store_integers(high, &mut destination[stride..]);
            }
        }
    }
    #[inline(always)]
    fn low_bits(self, vector: __m256i) -> u32 {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32::<31>(vector))) as u32 }
    }
}

impl SortVectors<u64> for Avx2 {
    type Vector = __m256i;
    type Row = [u64; 4];
    const SORT_LANES: usize = 4;

    #[inline(always)]
    fn rows(data: &mut [u64]) -> &mut [[u64; 4]] {
        data.as_chunks_mut().0
    }

    #[inline(always)]
    fn load_integers(self, source: &[u64]) -> __m256i {
        let chunk: &[u64] = &source[..4];
        // SAFETY: the token proves AVX2; four integers are readable.
        unsafe { _mm256_xor_si256(_mm256_loadu_si256(chunk.as_ptr().cast()), _mm256_set1_epi64x(NORMAL)) }
    }
    #[inline(always)]
    fn store_integers(self, vector: __m256i, destination: &mut [u64]) {
        let chunk: &mut [u64] = &mut destination[..4];
        // SAFETY: the token proves AVX2; four integers are writable.
        unsafe {
            let integers = _mm256_xor_si256(vector, _mm256_set1_epi64x(NORMAL));
            _mm256_storeu_si256(chunk.as_mut_ptr().cast(), integers);
        }
    }
    #[inline(always)]
    fn min_max(self, left: __m256i, right: __m256i) -> (__m256i, __m256i) {
        // SAFETY: the token proves AVX2. Normal numbers of one sign: their order is that of the words.
        unsafe {
            let (a, b) = (_mm256_castsi256_pd(left), _mm256_castsi256_pd(right));
            (_mm256_castpd_si256(_mm256_min_pd(a, b)), _mm256_castpd_si256(_mm256_max_pd(a, b)))
        }
    }
    #[inline(always)]
    fn exchange_integers(self, vector: __m256i, distance: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match distance {
                1 => _mm256_shuffle_epi32::<0b01_00_11_10>(vector),
                _ => _mm256_permute2x128_si256::<1>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn blend(self, low: __m256i, high: __m256i, distance: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match distance {
                1 => _mm256_blend_epi32::<0b1100_1100>(low, high),
                _ => _mm256_blend_epi32::<0b1111_0000>(low, high),
            }
        }
    }
    #[inline(always)]
    fn reverse_groups(self, vector: __m256i, group: usize) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match group {
                1 => _mm256_permute4x64_epi64::<0b00_01_10_11>(vector),
                _ => _mm256_permute2x128_si256::<1>(vector, vector),
            }
        }
    }
    #[inline(always)]
    fn transpose_groups(self, source: &[u64], destination: &mut [u64], stride: usize, group: usize) {
        let row = |index: usize| SortVectors::<u64>::load_integers(self, &source[4 * index..]);
        if group == 1 {
            let rows = core::array::from_fn(row);
            // SAFETY: the token proves AVX2.
            let columns = unsafe { transpose4(rows) };
            for (index, column) in columns.into_iter().enumerate() {
                self.store_integers(column, &mut destination[index * stride..]);
            }
        } else {
            let (a, b) = (row(0), row(1));
            // SAFETY: the token proves AVX2.
            let (low, high) =
                unsafe { (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)) };
            self.store_integers(low, destination);
            self.store_integers(high, &mut destination[stride..]);
        }
    }
    #[inline(always)]
    fn low_bits(self, vector: __m256i) -> u32 {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64::<63>(vector))) as u32 }
    }
}
