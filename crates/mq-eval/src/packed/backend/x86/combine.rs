//! The kernel: linear combinations of cells, a block of column groups and a slice of the cells at a time.
//!
//! A cell is read in whole half vectors (*lanes* of 16 bytes). The sums of a block of groups for a slice of one to three vectors
//! stay in registers over all terms; a slice is as wide as the registers allow. A pair of terms is handled at once: whole
//! vectors of each, and the odd last lanes of both in one vector.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over numbers are unrolled before registers are assigned; iterators keep arrays in memory"
)]

use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::super::super::job::LONGEST;
use super::super::super::{Job, Multipliers, PackedField};
use super::kernel::Kernel;
use super::tables::load;

const LANE: usize = 16;
const VECTOR: usize = 32;
/// The most groups of a block of any kernel.
pub(super) const GROUPS: usize = 6;
/// The most vectors of a slice.
const SLICE: usize = 3;
/// Pairs of terms at once where there is one group of one vector.
const UNROLL: usize = 4;
/// The other term of a last odd one.
static ZEROS: [u8; LONGEST] = [0; LONGEST];

/// Everything that the jobs of one call share.
struct Call<'a, K> {
    kernel: K,
    tables: &'a [u8],
    groups: usize,
    columns: Range<usize>,
    column_stride: usize,
}

/// Some terms of a job for a block of groups: the source, where the first term's cell starts in it, and the rest of the job.
struct Share<'a> {
    source: &'a [u8],
    start: usize,
    terms: Range<usize>,
    group: usize,
    job: &'a Job,
}

#[inline(always)]
pub(super) fn combine<K: Kernel, F: PackedField>(
    kernel: K,
    multipliers: &Multipliers<F>,
    source: &[u8],
    destination: &mut [u8],
    column_stride: usize,
    columns: Range<usize>,
    jobs: &[Job],
) {
    let groups = multipliers.groups();
    let call = Call { kernel, tables: multipliers.tables(), groups, columns: columns.clone(), column_stride };
    let mut group = columns.start / K::COLUMNS;
    let end = columns.end.div_ceil(K::COLUMNS);
    // blocks of about the same size
    for left in (1..=(end - group).div_ceil(K::BLOCK)).rev() {
        let count = (end - group).div_ceil(left);
        for job in jobs {
            call.job(source, destination, group, count, job);
        }
        group += count;
    }
}

/// Whether the sums of a slice fit the registers: `groups` groups of some vectors, with an odd last lane or not.
#[inline(always)]
const fn fits<K: Kernel>(groups: usize, vectors: usize) -> bool {
    vectors <= 1 || K::REGISTERS * groups * vectors <= K::BUDGET
}

impl<K: Kernel> Call<'_, K> {
    /// One job for `count` groups from `group` on.
    #[inline(always)]
    fn job(&self, source: &[u8], destination: &mut [u8], group: usize, count: usize, job: &Job) {
        let span = job.len.div_ceil(LANE) * LANE;
        let mut terms = job.terms.clone();
        if !job.fits(span, source.len()) {
            terms.end = terms.start + job.readable(span, source.len());
        }
        let mut padded = [0; LONGEST];
        if !terms.is_empty() {
            let share = Share { source, start: job.source, terms: terms.clone(), group, job };
            self.slices(&share, destination, count);
        }
        // terms whose last lane would be read beyond the source, one by one from a copy
        for term in terms.end..job.terms.end {
            let Some(offset) = job.offset(term - job.terms.start) else { return };
            padded[..job.len].copy_from_slice(&source[offset..offset + job.len]);
            let share = Share { source: &padded, start: 0, terms: term..term + 1, group, job };
            self.slices(&share, destination, count);
        }
    }

    /// Cuts the cells into slices; all terms can be read in whole lanes.
    #[inline(always)]
    fn slices(&self, share: &Share<'_>, destination: &mut [u8], count: usize) {
        let lanes = share.job.len.div_ceil(LANE);
        let (mut vectors, odd) = (lanes / 2, lanes % 2 == 1);
        let width = (1..=SLICE).rev().find(|width| fits::<K>(count, *width)).unwrap_or(1);
        let mut at = 0;
        while vectors > 0 {
            if vectors == 1 && odd && width >= 2 {
                return self.groups::<1, true>(share, destination, count, at);
            }
            // one column: as few passes over its cells as the registers allow
            if vectors == 2 && odd && count == 1 && fits::<K>(1, 3) {
                return self.slice::<1, 2, true>(share, destination, at);
            }
            match vectors.min(width) {
                3 => self.groups::<3, false>(share, destination, count, at),
                2 => self.groups::<2, false>(share, destination, count, at),
                _ => self.groups::<1, false>(share, destination, count, at),
            }
            at += VECTOR * vectors.min(width);
            vectors -= vectors.min(width);
        }
        if odd {
            self.groups::<0, true>(share, destination, count, at);
        }
    }

    #[inline(always)]
    fn groups<const VECTORS: usize, const ODD: bool>(
        &self,
        share: &Share<'_>,
        destination: &mut [u8],
        count: usize,
        at: usize,
    ) {
        // sizes that `slices` never gives are compiled out
        let width = VECTORS + usize::from(ODD);
        match count {
            6 if K::BLOCK >= 6 && fits::<K>(6, width) => {
                self.slice::<6, VECTORS, ODD>(share, destination, at);
            }
            5 if fits::<K>(5, width) => self.slice::<5, VECTORS, ODD>(share, destination, at),
            4 if fits::<K>(4, width) => self.slice::<4, VECTORS, ODD>(share, destination, at),
            3 if fits::<K>(3, width) => self.slice::<3, VECTORS, ODD>(share, destination, at),
            2 if fits::<K>(2, width) => self.slice::<2, VECTORS, ODD>(share, destination, at),
            _ => self.slice::<1, VECTORS, ODD>(share, destination, at),
        }
    }

    /// The slice of the cells from byte `at` on: VECTORS vectors and, if ODD, a lane.
    #[inline(always)]
    fn slice<const GROUPS: usize, const VECTORS: usize, const ODD: bool>(
        &self,
        share: &Share<'_>,
        destination: &mut [u8],
        at: usize,
    ) {
        let kernel = self.kernel;
        let terms = share.terms.clone();
        let shrink = share.job.step_shrink;
        let mut step = share.job.step;
        let pair_bytes = self.groups * K::ENTRY;
        let first_entry = (terms.start / 2 * self.groups + share.group) * K::ENTRY;
        let last_entry = first_entry + ((terms.end - 1) / 2 - terms.start / 2) * pair_bytes;
        assert!(last_entry + GROUPS * K::ENTRY <= self.tables.len());
        let mut entry = self.tables[first_entry..].as_ptr();
        let mut next = share.source.as_ptr().wrapping_add(share.start + at);
        let mut left = terms.len();
        let mut sums = Sums { whole: [[kernel.zero(); GROUPS]; VECTORS], half: [kernel.zero(); GROUPS] };
        // SAFETY: the job was checked: each term's offset leaves a cell's lanes inside `source`; `entry` moves over pairs of
        // terms of the job, whose last GROUPS entries end inside the tables. ZEROS is as long as the longest cell.
        unsafe {
            if terms.start % 2 == 1 {
                sums.add_pair::<ODD>(kernel, ZEROS.as_ptr(), next, entry);
                next = next.wrapping_add(step);
                step = step.wrapping_sub(shrink);
                entry = entry.wrapping_add(pair_bytes);
                left -= 1;
            }
            if GROUPS == 1 && VECTORS == 1 && !ODD && shrink == 0 {
                // along a row; with odd lanes, where a pair is more instructions, this gains nothing
                while left >= 2 * UNROLL {
                    for _ in 0..UNROLL {
                        let second = next.wrapping_add(step);
                        sums.add_pair::<ODD>(kernel, next, second, entry);
                        next = second.wrapping_add(step);
                        entry = entry.wrapping_add(pair_bytes);
                    }
                    left -= 2 * UNROLL;
                }
            }
            while left >= 2 {
                let second = next.wrapping_add(step);
                sums.add_pair::<ODD>(kernel, next, second, entry);
                step = step.wrapping_sub(shrink);
                next = second.wrapping_add(step);
                step = step.wrapping_sub(shrink);
                entry = entry.wrapping_add(pair_bytes);
                left -= 2;
            }
            if left == 1 {
                sums.add_pair::<ODD>(kernel, next, ZEROS.as_ptr(), entry);
            }
        }

        // by way of memory, for the columns are then taken by number
        let mut finished = Finished::new();
        sums.finish::<ODD>(kernel, &mut finished);
        let len = (share.job.len - at).min(VECTOR * VECTORS + if ODD { LANE } else { 0 });
        let first = share.group * K::COLUMNS;
        let count = (GROUPS * K::COLUMNS).min(self.columns.end - first);
        for column in 0..count {
            let start = share.job.destination + (first + column) * self.column_stride + at;
            add_bytes(&mut destination[start..start + len], finished.column(column));
        }
    }
}

/// The sums of a block of groups: whole vectors and the odd last lane.
struct Sums<K: Kernel, const GROUPS: usize, const VECTORS: usize> {
    whole: [[K::Accumulator; GROUPS]; VECTORS],
    half: [K::Accumulator; GROUPS],
}

impl<K: Kernel, const GROUPS: usize, const VECTORS: usize> Sums<K, GROUPS, VECTORS> {
    /// Adds the products of a pair of terms.
    ///
    /// # Safety
    /// The slice can be read at `first` and `second`, GROUPS entries at `entry`.
    #[inline(always)]
    unsafe fn add_pair<const ODD: bool>(
        &mut self,
        kernel: K,
        first: *const u8,
        second: *const u8,
        entry: *const u8,
    ) {
        // SAFETY: as the caller promises; called under the kernel's token.
        unsafe {
            if VECTORS > 0 {
                kernel.add(&mut self.whole, first, second, entry);
            }
            if ODD {
                let at = VECTOR * VECTORS;
                let halves = [_mm_loadu_si128(first.add(at).cast()), _mm_loadu_si128(second.add(at).cast())];
                kernel.add_half(&mut self.half, halves, entry);
            }
        }
    }

    #[inline(always)]
    fn finish<const ODD: bool>(self, kernel: K, finished: &mut Finished) {
        for group in 0..GROUPS {
            for vector in 0..VECTORS {
                let columns = kernel.finish(self.whole[vector][group]);
                for part in 0..K::COLUMNS {
                    finished.store(group * K::COLUMNS + part, vector, columns[part]);
                }
            }
            if ODD {
                let columns = kernel.finish_half(self.half[group]);
                for part in 0..K::COLUMNS {
                    // SAFETY: called under a token that proves AVX2.
                    let wide = unsafe { _mm256_castsi128_si256(columns[part]) };
                    finished.store(group * K::COLUMNS + part, VECTORS, wide);
                }
            }
        }
    }
}

/// The sums of the columns of a block.
struct Finished([MaybeUninit<[__m256i; SLICE]>; 2 * GROUPS]);

impl Finished {
    #[inline(always)]
    fn new() -> Self {
        Self([MaybeUninit::uninit(); 2 * GROUPS])
    }

    #[inline(always)]
    fn store(&mut self, column: usize, vector: usize, value: __m256i) {
        assert!(vector < SLICE);
        // SAFETY: the number of the vector is below that of the array's.
        unsafe { self.0[column].as_mut_ptr().cast::<__m256i>().add(vector).write(value) }
    }

    /// Where the vectors of a column are, those that were stored.
    #[inline(always)]
    fn column(&self, column: usize) -> *const u8 {
        self.0[column].as_ptr().cast()
    }
}

/// Adds as many bytes from `sums`, which are part of what [`Finished`] holds.
#[inline(always)]
fn add_bytes(cell: &mut [u8], sums: *const u8) {
    /// Adds an integer if so many bytes are left.
    macro_rules! add_integer {
        ($integer:ty, $at:ident, $to:ident) => {
            if cell.len() & size_of::<$integer>() != 0 {
                let to = $to.add($at).cast::<$integer>();
                to.write_unaligned(to.read_unaligned() ^ sums.add($at).cast::<$integer>().read_unaligned());
                $at += size_of::<$integer>();
            }
        };
    }
    let to = cell.as_mut_ptr();
    let mut at = 0;
    // SAFETY: called under a token that proves AVX2; only the bytes of the cell are read and written, vectors, then one piece for
    // each bit of the rest of its length; the sums were stored in whole lanes.
    unsafe {
        while at + VECTOR <= cell.len() {
            let sum = _mm256_xor_si256(load(to.add(at)), load(sums.add(at)));
            _mm256_storeu_si256(to.add(at).cast(), sum);
            at += VECTOR;
        }
        if cell.len() & LANE != 0 {
            let sum = _mm_xor_si128(_mm_loadu_si128(to.add(at).cast()), _mm_loadu_si128(sums.add(at).cast()));
            _mm_storeu_si128(to.add(at).cast(), sum);
            at += LANE;
        }
        add_integer!(u64, at, to);
        add_integer!(u32, at, to);
        add_integer!(u16, at, to);
        add_integer!(u8, at, to);
    }
    debug_assert_eq!(at, cell.len());
}
