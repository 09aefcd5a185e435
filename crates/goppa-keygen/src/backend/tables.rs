//! Looking up permutations in registers.

use gf2n::small::gf2m::backend::{LaneBackend, Portable};

/// Bytes that every list of a look-up has beyond its entries.
pub const TABLE_PADDING: usize = 64;

/// A list of integers of 8 or 16 bits, the low and the high bytes by themselves.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    /// The low bytes.
    pub low: &'a [u8],
    /// The high bytes; none if all are zero.
    pub high: Option<&'a [u8]>,
}

/// Look-ups in secret tables by secret indices, without an address that depends on either. Constant time.
///
/// A list of `length` entries holds permutations of 2^w entries one after another. Every list has [`TABLE_PADDING`] more bytes,
/// whose contents do not matter.
pub trait PermutationTables: LaneBackend {
    /// The largest w that pays; 0 if none does.
    const TABLE_LEVELS: usize;

    /// `out[s 2^w + x] = table[s 2^w + index[s 2^w + x]]`; `high` is left alone if the table has no high bytes. w <= 15.
    fn look_up(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        high: &mut [u8],
    ) {
        scan(w, w, length, index, table, (low, high));
    }

    /// The same with one table entry for two indices: `out[s 2^w + x] = table[s 2^(w-1) + index[s 2^w + x] / 2]`. 2 <= w.
    fn look_up_pairs(
        self,
        w: usize,
        length: usize,
        index: Bytes<'_>,
        table: Bytes<'_>,
        low: &mut [u8],
        high: &mut [u8],
    ) {
        scan(w, w - 1, length, index, table, (low, high));
    }
}

/// The definition: every entry of a table is compared with every index.
#[inline(always)]
fn scan(
    w: usize,
    table_log: usize,
    length: usize,
    index: Bytes<'_>,
    table: Bytes<'_>,
    (low, high): (&mut [u8], &mut [u8]),
) {
    for entry in 0..length {
        let wanted = (usize::from(index.low[entry])
            | index.high.map_or(0, |high| usize::from(high[entry])) << 8)
            >> (w - table_log);
        let first = entry >> w << table_log;
        let (mut found_low, mut found_high) = (0, 0);
        for x in 0..1 << table_log {
            // all ones where x is wanted
            let mask = core::hint::black_box(((x ^ wanted).wrapping_sub(1) >> (usize::BITS - 1)) as u8);
            let mask = 0u8.wrapping_sub(mask);
            found_low |= table.low[first + x] & mask;
            found_high |= table.high.map_or(0, |high| high[first + x]) & mask;
        }
        low[entry] = found_low;
        if table.high.is_some() {
            high[entry] = found_high;
        }
    }
}

impl PermutationTables for Portable {
    const TABLE_LEVELS: usize = 0;
}

#[cfg(target_arch = "aarch64")]
impl PermutationTables for gf2n::small::gf2m::backend::Neon {
    const TABLE_LEVELS: usize = 0;
}
