//! AVX-512 with VBMI: tables of 128 bytes in two registers, 64 look-ups an instruction.

use core::arch::x86_64::*;

use gf2n::small::gf2m::backend::Avx512;

use super::tables::{Bytes, PermutationTables, TABLE_PADDING};

/// Bytes of a vector.
const LANES: usize = 64;

/// Indices of a vector without their lowest bit if a table entry serves `PAIRS`.
///
/// # Safety
/// The CPU has AVX-512BW.
#[inline(always)]
unsafe fn table_index<const PAIRS: bool>(low: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe { if PAIRS { _mm512_and_si512(_mm512_srli_epi16::<1>(low), _mm512_set1_epi8(0x7F)) } else { low } }
}

/// Tables of at most 128 entries, of one byte each.
///
/// # Safety
/// The CPU has AVX-512 with VBMI; all lists have `length` + 64 bytes (half as many + 64 for the table of `PAIRS`).
#[inline(always)]
unsafe fn small<const PAIRS: bool>(
    w: usize,
    length: usize,
    index: *const u8,
    table: *const u8,
    out: *mut u8,
) {
    let table_log = w - usize::from(PAIRS);
    let offsets: [u8; LANES] = core::array::from_fn(|lane| ((lane >> w) << table_log) as u8);
    // SAFETY: see above; a vector's tables start at or below its own entries.
    unsafe {
        let offsets = _mm512_loadu_si512(offsets.as_ptr().cast());
        for entry in (0..length).step_by(LANES) {
            let selector = table_index::<PAIRS>(_mm512_loadu_si512(index.add(entry).cast()));
            let table = table.add((entry >> w) << table_log);
            let first = _mm512_loadu_si512(table.cast());
            let found = if table_log <= 6 {
                _mm512_permutexvar_epi8(_mm512_or_si512(selector, offsets), first)
            } else {
                _mm512_permutex2var_epi8(first, selector, _mm512_loadu_si512(table.add(LANES).cast()))
            };
            _mm512_storeu_si512(out.add(entry).cast(), found);
        }
    }
}

/// Tables of 256 entries or more, of one byte or (`WIDE`) two bytes each; four vectors of indices at a time.
///
/// # Safety
/// As for [`small`]; w >= 8.
#[inline(always)]
unsafe fn large<const PAIRS: bool, const WIDE: bool>(
    w: usize,
    length: usize,
    index: (*const u8, Option<*const u8>),
    table: (*const u8, *const u8),
    out: (*mut u8, *mut u8),
) {
    let table_log = w - usize::from(PAIRS);
    // SAFETY: see above; 2^w entries are a multiple of four vectors.
    unsafe {
        for entry in (0..length).step_by(4 * LANES) {
            let mut low = [_mm512_setzero_si512(); 4];
            let mut block = low;
            for part in 0..4 {
                let at = entry + LANES * part;
                let bytes = _mm512_loadu_si512(index.0.add(at).cast());
                let high = match index.1 {
                    Some(high) => _mm512_loadu_si512(high.add(at).cast()),
                    None => _mm512_setzero_si512(),
                };
                // the look-up uses the lowest seven bits; the rest are the number of the table's block
                low[part] = table_index::<PAIRS>(bytes);
                block[part] = if PAIRS {
                    high
                } else {
                    let bit = _mm512_and_si512(_mm512_srli_epi16::<7>(bytes), _mm512_set1_epi8(1));
                    _mm512_or_si512(_mm512_add_epi8(high, high), bit)
                };
            }
            let mut high = low;
            let start = (entry >> w) << table_log;
            let mut number = _mm512_setzero_si512();
            for first in (start..start + (1 << table_log)).step_by(2 * LANES) {
                let load = |list: *const u8| {
                    (
                        _mm512_loadu_si512(list.add(first).cast()),
                        _mm512_loadu_si512(list.add(first + LANES).cast()),
                    )
                };
                let (low0, low1) = load(table.0);
                let (high0, high1) = if WIDE { load(table.1) } else { (low0, low1) };
                for part in 0..4 {
                    let here = _mm512_cmpeq_epi8_mask(block[part], number);
                    // lanes of other blocks keep their index, those that were found keep what was found
                    low[part] = _mm512_mask2_permutex2var_epi8(low0, low[part], here, low1);
                    if WIDE {
                        high[part] = _mm512_mask2_permutex2var_epi8(high0, high[part], here, high1);
                    }
                }
                number = _mm512_add_epi8(number, _mm512_set1_epi8(1));
            }
            for part in 0..4 {
                let at = entry + LANES * part;
                _mm512_storeu_si512(out.0.add(at).cast(), low[part]);
                if WIDE {
                    _mm512_storeu_si512(out.1.add(at).cast(), high[part]);
                }
            }
        }
    }
}

/// Both look-ups.
#[inline(always)]
fn look_up<const PAIRS: bool>(
    w: usize,
    length: usize,
    index: Bytes<'_>,
    table: Bytes<'_>,
    low: &mut [u8],
    high: &mut [u8],
) {
    let indices = length + TABLE_PADDING;
    let entries = (length >> usize::from(PAIRS)) + TABLE_PADDING;
    assert!(length.is_power_of_two() && 1 << w <= length && w <= 15 && w >= usize::from(PAIRS));
    assert!(index.low.len() >= indices && index.high.is_none_or(|list| list.len() >= indices));
    assert!(table.low.len() >= entries && table.high.is_none_or(|list| list.len() >= entries));
    assert!(low.len() >= indices && high.len() >= indices);
    // SAFETY: the token proves the features; the assertions bound the lists, and a vector that starts in a list ends in its padding.
    unsafe {
        let table_log = w - usize::from(PAIRS);
        if table_log < 8 {
            small::<PAIRS>(w, length, index.low.as_ptr(), table.low.as_ptr(), low.as_mut_ptr());
            return;
        }
        let index = (index.low.as_ptr(), index.high.map(<[u8]>::as_ptr));
        let out = (low.as_mut_ptr(), high.as_mut_ptr());
        let low_table = table.low.as_ptr();
        match table.high {
            Some(high) => large::<PAIRS, true>(w, length, index, (low_table, high.as_ptr()), out),
            None => large::<PAIRS, false>(w, length, index, (low_table, low_table), out),
        }
    }
}

impl PermutationTables for Avx512 {
    const TABLE_LEVELS: usize = 13;

    #[inline(always)]
    fn look_up(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        high: &mut [u8],
    ) {
        look_up::<false>(w, length, index, table, low, high);
    }

    #[inline(always)]
    fn look_up_pairs(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        high: &mut [u8],
    ) {
        look_up::<true>(w, length, index, table, low, high);
    }
}
