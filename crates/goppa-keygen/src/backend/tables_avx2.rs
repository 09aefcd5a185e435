//! AVX2: tables of 16 bytes, 32 look-ups an instruction; permutations of up to 256 entries.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx2;

use super::tables::{Bytes, PermutationTables, TABLE_PADDING};

/// Bytes of a vector, and of a table.
const LANES: usize = 32;
const TABLE: usize = 16;

/// Indices of a vector without their lowest bit if a table entry serves `PAIRS`.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn table_index<const PAIRS: bool>(index: *const u8) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let bytes = _mm256_loadu_si256(index.cast());
        if PAIRS { _mm256_and_si256(_mm256_srli_epi16::<1>(bytes), _mm256_set1_epi8(0x7F)) } else { bytes }
    }
}

/// Permutations with tables of at most 16 entries.
///
/// # Safety
/// The CPU has AVX2; all lists have `length` + 64 bytes (half as many + 64 for the table of `PAIRS`).
#[inline(always)]
unsafe fn small<const PAIRS: bool>(
    w: usize,
    length: usize,
    index: *const u8,
    table: *const u8,
    out: *mut u8,
) {
    let table_log = w - usize::from(PAIRS);
    let offsets: [u8; LANES] = core::array::from_fn(|lane| (((lane % TABLE) >> w) << table_log) as u8);
    // SAFETY: see above.
    unsafe {
        let offsets = _mm256_loadu_si256(offsets.as_ptr().cast());
        for entry in (0..length).step_by(LANES) {
            let selector = _mm256_or_si256(table_index::<PAIRS>(index.add(entry)), offsets);
            let half = |entry: usize| _mm_loadu_si128(table.add((entry >> w) << table_log).cast());
            let tables = _mm256_set_m128i(half(entry + TABLE), half(entry));
            _mm256_storeu_si256(out.add(entry).cast(), _mm256_shuffle_epi8(tables, selector));
        }
    }
}

/// Permutations with tables of 32 entries or more, `COUNT` vectors of indices at a time.
///
/// # Safety
/// As for [`small`]; 2^w is a multiple of 32 `COUNT`.
#[inline(always)]
unsafe fn large<const PAIRS: bool, const COUNT: usize>(
    w: usize,
    length: usize,
    index: *const u8,
    table: *const u8,
    out: *mut u8,
) {
    let table_log = w - usize::from(PAIRS);
    // SAFETY: see above.
    unsafe {
        for entry in (0..length).step_by(COUNT * LANES) {
            let mut selectors = [_mm256_setzero_si256(); COUNT];
            let mut found = selectors;
            for part in 0..COUNT {
                selectors[part] = table_index::<PAIRS>(index.add(entry + LANES * part));
            }
            let start = (entry >> w) << table_log;
            for block in 0..1usize << (table_log - 4) {
                let entries =
                    _mm256_broadcastsi128_si256(_mm_loadu_si128(table.add(start + TABLE * block).cast()));
                let number = _mm256_set1_epi8((block << 4) as i8);
                for part in 0..COUNT {
                    // an index of another block gets bit 7 set, and finds zero
                    let within =
                        _mm256_adds_epu8(_mm256_xor_si256(selectors[part], number), _mm256_set1_epi8(0x70));
                    found[part] = _mm256_xor_si256(found[part], _mm256_shuffle_epi8(entries, within));
                }
            }
            for part in 0..COUNT {
                _mm256_storeu_si256(out.add(entry + LANES * part).cast(), found[part]);
            }
        }
    }
}

/// Both look-ups.
#[inline(always)]
fn look_up<const PAIRS: bool>(w: usize, length: usize, index: Bytes<'_>, table: Bytes<'_>, low: &mut [u8]) {
    let entries = (length >> usize::from(PAIRS)) + TABLE_PADDING;
    assert!(length.is_power_of_two() && 1 << w <= length && w <= 8 && w >= usize::from(PAIRS));
    assert!(index.low.len() >= length + TABLE_PADDING && low.len() >= length + TABLE_PADDING);
    assert!(table.low.len() >= entries);
    let (index, table, out) = (index.low.as_ptr(), table.low.as_ptr(), low.as_mut_ptr());
    // SAFETY: the token proves AVX2; the assertions bound the lists, and a vector that starts in a list ends in its padding.
    unsafe {
        match w {
            0..=4 => small::<PAIRS>(w, length, index, table, out),
            5 if PAIRS => small::<PAIRS>(w, length, index, table, out),
            5 => large::<PAIRS, 1>(w, length, index, table, out),
            6 => large::<PAIRS, 2>(w, length, index, table, out),
            _ => large::<PAIRS, 4>(w, length, index, table, out),
        }
    }
}

impl PermutationTables for Avx2 {
    const TABLE_LEVELS: usize = 8;

    #[inline(always)]
    fn look_up(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        _: &mut [u8],
    ) {
        look_up::<false>(w, length, index, table, low);
    }

    #[inline(always)]
    fn look_up_pairs(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        _: &mut [u8],
    ) {
        look_up::<true>(w, length, index, table, low);
    }
}
