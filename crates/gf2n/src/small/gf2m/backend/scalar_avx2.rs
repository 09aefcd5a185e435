//! Scalar multiples with AVX2: elements as low and high bytes, a scalar as its products with the digits of four bits, for `vpshufb`.

use core::arch::x86_64::*;

use super::{Avx2, LaneBackend};
use crate::small::gf2m::field::FIELD_POLYNOMIALS;
use crate::small::gf2m::scalar::{ScalarVectors, reduce, scalar_powers};

/// Low bytes and high bytes of 32 elements.
#[derive(Clone, Copy, Debug)]
pub struct ByteElements(__m256i, __m256i);

/// The products of a scalar with z^0, ..., z^15.
#[derive(Clone, Copy, Debug)]
pub struct Multiples(__m256i);

/// Low and high bytes of the products of a scalar with the four digits of an element, the table of a digit in each half. The last digit of GF(2^13)
/// is one bit, and its products the same in all bytes.
#[derive(Clone, Copy, Debug)]
pub struct DigitTables {
    low: [__m256i; 4],
    high: [__m256i; 4],
}

/// Indices for `vpshufb` that bring the low byte of 16-bit element `b` of a half to the positions whose number has bit `b - first` set.
const fn spans(first: u8) -> [[u8; 32]; 4] {
    let mut indices = [[0x80u8; 32]; 4];
    let mut b = 0;
    while b < 4 {
        let mut position = 0;
        while position < 32 {
            if (position & 15) >> b & 1 == 1 {
                indices[b][position] = 2 * (first + b as u8);
            }
            position += 1;
        }
        b += 1;
    }
    indices
}

const SPANS: [[[u8; 32]; 4]; 2] = [spans(0), spans(4)];

/// Ones in one byte of 32.
const PLACES: [u8; 63] = {
    let mut places = [0; 63];
    places[31] = 0xFF;
    places
};

/// Loads 32 bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn load_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the caller proves AVX2; 32 bytes are readable.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The products of a scalar, given in all 16 elements, with z^0, ..., z^15; those with z^M and higher powers are not used.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn multiples<const M: usize>(scalar: __m256i) -> __m256i {
    let modulus = const { FIELD_POLYNOMIALS[M] };
    // the highest term below z^M
    let highest = (31 - (modulus ^ 1 << M).leading_zeros()) as usize;
    // SAFETY: the caller proves AVX2; rows of the table are 32 bytes.
    unsafe {
        if M + highest > 17 {
            // the first folding would leave 16 bits
            let powers = const { &scalar_powers::<M>() };
            let mut sum = _mm256_setzero_si256();
            for (bit, row) in powers.iter().enumerate().take(M) {
                let select = _mm256_set1_epi16((1u16 << bit) as i16);
                let mask = _mm256_cmpeq_epi16(_mm256_and_si256(scalar, select), select);
                let row = _mm256_loadu_si256(row.as_ptr().cast());
                sum = _mm256_xor_si256(sum, _mm256_and_si256(mask, row));
            }
            return sum;
        }
        let powers = _mm256_setr_epi16(
            1,
            1 << 1,
            1 << 2,
            1 << 3,
            1 << 4,
            1 << 5,
            1 << 6,
            1 << 7,
            1 << 8,
            1 << 9,
            1 << 10,
            1 << 11,
            1 << 12,
            1 << 13,
            1 << 14,
            i16::MIN,
        );
        // a product of 2 M - 1 bits, cut at z^M
        let (low, high) = (_mm256_mullo_epi16(scalar, powers), _mm256_mulhi_epu16(scalar, powers));
        let degree = _mm_cvtsi32_si128(M as i32);
        let mask = _mm256_set1_epi16(((1u32 << M) - 1) as i16);
        let mut quotient = _mm256_or_si256(
            _mm256_srl_epi16(low, degree),
            _mm256_sll_epi16(high, _mm_cvtsi32_si128(16 - M as i32)),
        );
        let mut rest = _mm256_and_si256(low, mask);
        let mut bits = M - 1;
        loop {
            for term in 0..M {
                if modulus >> term & 1 == 1 {
                    rest = _mm256_xor_si256(rest, _mm256_sll_epi16(quotient, _mm_cvtsi32_si128(term as i32)));
                }
            }
            if bits + highest <= M {
                return rest;
            }
            bits = bits + highest - M;
            quotient = _mm256_srl_epi16(rest, degree);
            rest = _mm256_and_si256(rest, mask);
        }
    }
}

impl ScalarVectors for Avx2 {
    type Vector<const M: usize> = ByteElements;
    type Factor<const M: usize> = DigitTables;
    type Multiples<const M: usize> = Multiples;
    const ELEMENTS: usize = 32;

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        Avx2::run(self, kernel)
    }

    #[inline(always)]
    fn gather<const M: usize>(self, elements: &[u16]) -> ByteElements {
        let (mut low, mut high) = ([0u8; 32], [0u8; 32]);
        for (element, (low, high)) in elements.iter().zip(low.iter_mut().zip(&mut high)) {
            [*low, *high] = element.to_le_bytes();
        }
        // SAFETY: the token proves AVX2.
        unsafe { ByteElements(load_bytes(&low), load_bytes(&high)) }
    }

    #[inline(always)]
    fn scatter<const M: usize>(self, vector: ByteElements, elements: &mut [u16]) {
        let (mut low, mut high) = ([0u8; 32], [0u8; 32]);
        // SAFETY: the token proves AVX2; 32 bytes are writable.
        unsafe {
            _mm256_storeu_si256(low.as_mut_ptr().cast(), vector.0);
            _mm256_storeu_si256(high.as_mut_ptr().cast(), vector.1);
        }
        for (element, (low, high)) in elements.iter_mut().zip(low.iter().zip(&high)) {
            *element = u16::from_le_bytes([*low, *high]);
        }
    }

    #[inline(always)]
    fn first<const M: usize>(self, vector: ByteElements) -> u16 {
        // SAFETY: the token proves AVX2.
        unsafe {
            let both = _mm_unpacklo_epi8(_mm256_castsi256_si128(vector.0), _mm256_castsi256_si128(vector.1));
            _mm_cvtsi128_si32(both) as u16
        }
    }

    #[inline(always)]
    fn product<const M: usize>(self, left: u16, right: u16) -> u16 {
        reduce::<M>(self.carryless_mul(u64::from(left), u64::from(right)) as u32)
    }

    #[inline(always)]
    fn multiples<const M: usize>(self, scalar: u16) -> Multiples {
        // SAFETY: the token proves AVX2.
        unsafe { Multiples(multiples::<M>(_mm256_set1_epi16(scalar as i16))) }
    }

    #[inline(always)]
    fn factor_of<const M: usize>(self, multiples: Multiples) -> DigitTables {
        // SAFETY: the token proves AVX2; the constants are 32 bytes each.
        unsafe {
            let products = multiples.0;
            let zero = _mm256_setzero_si256();
            let mut tables = DigitTables { low: [zero; 4], high: [zero; 4] };
            let halves = [
                _mm256_permute4x64_epi64::<0b01_00_01_00>(products),
                _mm256_permute4x64_epi64::<0b11_10_11_10>(products),
            ];
            for digit in 0..4 {
                let (low, high) = (halves[digit / 2], _mm256_srli_epi16::<8>(halves[digit / 2]));
                if M == 13 && digit == 3 {
                    let place = _mm256_set1_epi8(8);
                    tables.low[3] = _mm256_shuffle_epi8(low, place);
                    tables.high[3] = _mm256_shuffle_epi8(high, place);
                } else if 4 * digit < M {
                    for indices in &SPANS[digit % 2] {
                        let indices = load_bytes(indices);
                        tables.low[digit] =
                            _mm256_xor_si256(tables.low[digit], _mm256_shuffle_epi8(low, indices));
                        tables.high[digit] =
                            _mm256_xor_si256(tables.high[digit], _mm256_shuffle_epi8(high, indices));
                    }
                }
            }
            tables
        }
    }

    #[inline(always)]
    fn combine<const M: usize>(
        self,
        left: ByteElements,
        left_factor: &DigitTables,
        right: ByteElements,
        right_factor: &DigitTables,
    ) -> ByteElements {
        // SAFETY: the token proves AVX2.
        unsafe {
            let zero = _mm256_setzero_si256();
            let (mut low, mut high) = (zero, zero);
            let nibble = _mm256_set1_epi8(15);
            macro_rules! add {
                ($vector:ident, $factor:ident, $digit:literal, $index:expr) => {
                    let index = $index;
                    low = _mm256_xor_si256(low, _mm256_shuffle_epi8($factor.low[$digit], index));
                    high = _mm256_xor_si256(high, _mm256_shuffle_epi8($factor.high[$digit], index));
                };
            }
            macro_rules! add_product {
                ($vector:ident, $factor:ident) => {
                    add!($vector, $factor, 0, _mm256_and_si256($vector.0, nibble));
                    if M > 4 {
                        add!(
                            $vector,
                            $factor,
                            1,
                            _mm256_and_si256(_mm256_srli_epi16::<4>($vector.0), nibble)
                        );
                    }
                    if M > 8 {
                        // bits 4 to 6 of an index do not count
                        let index = if M < 16 { $vector.1 } else { _mm256_and_si256($vector.1, nibble) };
                        add!($vector, $factor, 2, index);
                    }
                    if M == 13 {
                        let mask = _mm256_cmpgt_epi8($vector.1, nibble);
                        low = _mm256_xor_si256(low, _mm256_and_si256(mask, $factor.low[3]));
                        high = _mm256_xor_si256(high, _mm256_and_si256(mask, $factor.high[3]));
                    } else if M > 12 {
                        add!(
                            $vector,
                            $factor,
                            3,
                            _mm256_and_si256(_mm256_srli_epi16::<4>($vector.1), nibble)
                        );
                    }
                };
            }
            add_product!(left, left_factor);
            add_product!(right, right_factor);
            ByteElements(low, high)
        }
    }

    #[inline(always)]
    fn select<const M: usize>(self, mask: u16, chosen: ByteElements, other: ByteElements) -> ByteElements {
        // SAFETY: the token proves AVX2.
        unsafe {
            let mask = _mm256_set1_epi16(mask as i16);
            ByteElements(
                _mm256_blendv_epi8(other.0, chosen.0, mask),
                _mm256_blendv_epi8(other.1, chosen.1, mask),
            )
        }
    }

    #[inline(always)]
    fn select_factor<const M: usize>(
        self,
        mask: u16,
        chosen: &DigitTables,
        other: &DigitTables,
    ) -> DigitTables {
        // SAFETY: the token proves AVX2.
        unsafe {
            let mask = _mm256_set1_epi16(mask as i16);
            let mut selected = *other;
            for digit in 0..4 {
                selected.low[digit] = _mm256_blendv_epi8(other.low[digit], chosen.low[digit], mask);
                selected.high[digit] = _mm256_blendv_epi8(other.high[digit], chosen.high[digit], mask);
            }
            selected
        }
    }

    #[inline(always)]
    fn lower<const M: usize>(self, vector: ByteElements) -> ByteElements {
        // SAFETY: the token proves AVX2.
        unsafe {
            ByteElements(
                _mm256_alignr_epi8::<1>(_mm256_permute2x128_si256::<0x81>(vector.0, vector.0), vector.0),
                _mm256_alignr_epi8::<1>(_mm256_permute2x128_si256::<0x81>(vector.1, vector.1), vector.1),
            )
        }
    }

    #[inline(always)]
    fn insert<const M: usize>(self, vector: ByteElements, position: usize, element: u16) -> ByteElements {
        let [low, high] = element.to_le_bytes();
        let window: &[u8; 32] = PLACES[31 - position..].first_chunk().unwrap_or(&[0; 32]);
        // SAFETY: the token proves AVX2.
        unsafe {
            let place = load_bytes(window);
            ByteElements(
                _mm256_blendv_epi8(vector.0, _mm256_set1_epi8(low as i8), place),
                _mm256_blendv_epi8(vector.1, _mm256_set1_epi8(high as i8), place),
            )
        }
    }
}
