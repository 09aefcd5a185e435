//! The kernel: linear combinations of cells, a block of column groups at a time.
//!
//! A cell is read in whole half vectors (*lanes* of 16 bytes). Sums of a block of groups stay in registers over all terms. A
//! pair of terms is handled at once: whole vectors of each, and the odd last lanes of both in one vector.

use core::arch::x86_64::*;
use core::ops::Range;

use super::super::super::job::LONGEST;
use super::super::super::{Job, Multipliers, PackedField};
use super::kernel::Kernel;
use super::tables::load;

const LANE: usize = 16;
/// Whole vectors of the longest cell.
const VECTORS: usize = LONGEST / 32;
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
    let longest = jobs.iter().map(|job| job.len).max().unwrap_or(0).div_ceil(2 * LANE);
    let block = block_of::<K>(longest);
    let mut group = columns.start / K::COLUMNS;
    let end = columns.end.div_ceil(K::COLUMNS);
    while group < end {
        let left = end - group;
        // two equal blocks are faster than a full one and a single group
        let count = if left > block && left < 2 * block { left.div_ceil(2) } else { left.min(block) };
        for job in jobs {
            call.job(source, destination, group, count, job);
        }
        group += count;
    }
}

/// Groups whose sums fit the registers, for cells of some whole vectors.
#[inline(always)]
const fn block_of<K: Kernel>(vectors: usize) -> usize {
    let fit = K::BUDGET / (K::REGISTERS * if vectors == 0 { 1 } else { vectors });
    let most = if K::BUDGET > 12 { 6 } else { 4 };
    if fit > most {
        most
    } else if fit < 2 {
        2
    } else {
        fit
    }
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
        let mut cells = (source, job.source);
        loop {
            if !terms.is_empty() {
                self.lanes(cells, terms.clone(), destination, group, count, job);
            }
            if terms.end >= job.terms.end {
                return;
            }
            // terms whose last lane would be read beyond the source, one by one from a copy
            let term = terms.end;
            let Some(offset) = job.offset(term - job.terms.start) else { return };
            padded[..job.len].copy_from_slice(&source[offset..offset + job.len]);
            cells = (&padded, 0);
            terms = term..term + 1;
        }
    }

    /// `cells` is the source and the offset of the first term's cell; all terms can be read in whole lanes.
    #[inline(always)]
    fn lanes(
        &self,
        cells: (&[u8], usize),
        terms: Range<usize>,
        destination: &mut [u8],
        group: usize,
        count: usize,
        job: &Job,
    ) {
        // counts that `block_of` never gives are compiled out
        match (job.len.div_ceil(LANE), count) {
            (1, 6) if 6 <= block_of::<K>(1) => self.block::<6, 1>(cells, terms, destination, group, job),
            (1, 5) if 5 <= block_of::<K>(1) => self.block::<5, 1>(cells, terms, destination, group, job),
            (1, 4) if 4 <= block_of::<K>(1) => self.block::<4, 1>(cells, terms, destination, group, job),
            (1, 3) if 3 <= block_of::<K>(1) => self.block::<3, 1>(cells, terms, destination, group, job),
            (1, 2) => self.block::<2, 1>(cells, terms, destination, group, job),
            (1, _) => self.block::<1, 1>(cells, terms, destination, group, job),
            (2, 6) if 6 <= block_of::<K>(1) => self.block::<6, 2>(cells, terms, destination, group, job),
            (2, 5) if 5 <= block_of::<K>(1) => self.block::<5, 2>(cells, terms, destination, group, job),
            (2, 4) if 4 <= block_of::<K>(1) => self.block::<4, 2>(cells, terms, destination, group, job),
            (2, 3) if 3 <= block_of::<K>(1) => self.block::<3, 2>(cells, terms, destination, group, job),
            (2, 2) => self.block::<2, 2>(cells, terms, destination, group, job),
            (2, _) => self.block::<1, 2>(cells, terms, destination, group, job),
            (3, 6) if 6 <= block_of::<K>(2) => self.block::<6, 3>(cells, terms, destination, group, job),
            (3, 5) if 5 <= block_of::<K>(2) => self.block::<5, 3>(cells, terms, destination, group, job),
            (3, 4) if 4 <= block_of::<K>(2) => self.block::<4, 3>(cells, terms, destination, group, job),
            (3, 3) if 3 <= block_of::<K>(2) => self.block::<3, 3>(cells, terms, destination, group, job),
            (3, 2) => self.block::<2, 3>(cells, terms, destination, group, job),
            (3, _) => self.block::<1, 3>(cells, terms, destination, group, job),
            (4, 6) if 6 <= block_of::<K>(2) => self.block::<6, 4>(cells, terms, destination, group, job),
            (4, 5) if 5 <= block_of::<K>(2) => self.block::<5, 4>(cells, terms, destination, group, job),
            (4, 4) if 4 <= block_of::<K>(2) => self.block::<4, 4>(cells, terms, destination, group, job),
            (4, 3) if 3 <= block_of::<K>(2) => self.block::<3, 4>(cells, terms, destination, group, job),
            (4, 2) => self.block::<2, 4>(cells, terms, destination, group, job),
            (4, _) => self.block::<1, 4>(cells, terms, destination, group, job),
            (5, 6) if 6 <= block_of::<K>(3) => self.block::<6, 5>(cells, terms, destination, group, job),
            (5, 5) if 5 <= block_of::<K>(3) => self.block::<5, 5>(cells, terms, destination, group, job),
            (5, 4) if 4 <= block_of::<K>(3) => self.block::<4, 5>(cells, terms, destination, group, job),
            (5, 3) if 3 <= block_of::<K>(3) => self.block::<3, 5>(cells, terms, destination, group, job),
            (5, 2) => self.block::<2, 5>(cells, terms, destination, group, job),
            (5, _) => self.block::<1, 5>(cells, terms, destination, group, job),
            (6, 6) if 6 <= block_of::<K>(3) => self.block::<6, 6>(cells, terms, destination, group, job),
            (6, 5) if 5 <= block_of::<K>(3) => self.block::<5, 6>(cells, terms, destination, group, job),
            (6, 4) if 4 <= block_of::<K>(3) => self.block::<4, 6>(cells, terms, destination, group, job),
            (6, 3) if 3 <= block_of::<K>(3) => self.block::<3, 6>(cells, terms, destination, group, job),
            (6, 2) => self.block::<2, 6>(cells, terms, destination, group, job),
            (_, _) => self.block::<1, 6>(cells, terms, destination, group, job),
        }
    }

    #[inline(always)]
    fn block<const GROUPS: usize, const LANES: usize>(
        &self,
        (source, start): (&[u8], usize),
        terms: Range<usize>,
        destination: &mut [u8],
        group: usize,
        job: &Job,
    ) {
        let kernel = self.kernel;
        let mut sums = Sums { whole: [[kernel.zero(); GROUPS]; VECTORS], half: [kernel.zero(); GROUPS] };
        let mut offset = start;
        let mut step = job.step;
        let pair_bytes = self.groups * K::ENTRY;
        let first_entry = (terms.start / 2 * self.groups + group) * K::ENTRY;
        let last_entry = first_entry + ((terms.end - 1) / 2 - terms.start / 2) * pair_bytes;
        assert!(last_entry + GROUPS * K::ENTRY <= self.tables.len());
        let mut entry = self.tables[first_entry..].as_ptr();
        let base = source.as_ptr();
        let mut term = terms.start;
        if term % 2 == 1 {
            // SAFETY: as below.
            unsafe {
                add_pair::<K, GROUPS, LANES>(kernel, &mut sums, ZEROS.as_ptr(), base.add(offset), entry);
            }
            offset += step;
            step = step.wrapping_sub(job.step_shrink);
            term += 1;
            entry = entry.wrapping_add(pair_bytes);
        }
        if job.step_shrink == 0 {
            // along a row: some pairs at once where a pair is short
            let unroll = if GROUPS * LANES <= 4 { 4 } else { 1 };
            let mut first = base.wrapping_add(offset);
            let mut pairs = (terms.end - term) / 2;
            offset += 2 * pairs * step;
            term += 2 * pairs;
            while pairs >= unroll {
                for _ in 0..unroll {
                    // SAFETY: as below.
                    unsafe {
                        add_pair::<K, GROUPS, LANES>(
                            kernel,
                            &mut sums,
                            first,
                            first.wrapping_add(step),
                            entry,
                        );
                    }
                    first = first.wrapping_add(2 * step);
                    entry = entry.wrapping_add(pair_bytes);
                }
                pairs -= unroll;
            }
            for _ in 0..pairs {
                // SAFETY: as below.
                unsafe {
                    add_pair::<K, GROUPS, LANES>(kernel, &mut sums, first, first.wrapping_add(step), entry);
                }
                first = first.wrapping_add(2 * step);
                entry = entry.wrapping_add(pair_bytes);
            }
        }
        while term + 1 < terms.end {
            let second = offset + step;
            step = step.wrapping_sub(job.step_shrink);
            // SAFETY: the job was checked: each term's offset leaves LANES lanes inside `source`; `entry` moves over pairs of
            // terms of the job, whose last GROUPS entries end inside the tables.
            unsafe {
                add_pair::<K, GROUPS, LANES>(kernel, &mut sums, base.add(offset), base.add(second), entry);
            }
            offset = second.wrapping_add(step);
            step = step.wrapping_sub(job.step_shrink);
            term += 2;
            entry = entry.wrapping_add(pair_bytes);
        }
        if term < terms.end {
            // SAFETY: as above.
            unsafe {
                add_pair::<K, GROUPS, LANES>(kernel, &mut sums, base.add(offset), ZEROS.as_ptr(), entry);
            }
        }

        // The loop below takes the sums by number, which where registers are few would keep them in memory all the time: they are
        // moved there only here.
        if K::BUDGET <= 12 {
            sums = core::hint::black_box(sums);
        }
        for number in 0..GROUPS {
            let vectors = [
                kernel.finish(sums.whole[0][number]),
                kernel.finish(sums.whole[1][number]),
                kernel.finish(sums.whole[2][number]),
            ];
            let halves = kernel.finish_half(sums.half[number]);
            for part in 0..K::COLUMNS {
                let column = (group + number) * K::COLUMNS + part;
                if column < self.columns.end {
                    let start = job.destination + column * self.column_stride;
                    let cell = &mut destination[start..start + job.len];
                    let columns = [vectors[0][part], vectors[1][part], vectors[2][part]];
                    add_cell::<LANES>(cell, columns, halves[part]);
                }
            }
        }
    }
}

/// The sums of a block of groups: whole vectors and the odd last lane.
struct Sums<K: Kernel, const GROUPS: usize> {
    whole: [[K::Accumulator; GROUPS]; VECTORS],
    half: [K::Accumulator; GROUPS],
}

/// Adds the products of a pair of terms.
///
/// # Safety
/// LANES lanes can be read at `first` and `second`, GROUPS entries at `entry`.
#[inline(always)]
unsafe fn add_pair<K: Kernel, const GROUPS: usize, const LANES: usize>(
    kernel: K,
    sums: &mut Sums<K, GROUPS>,
    first: *const u8,
    second: *const u8,
    entry: *const u8,
) {
    // SAFETY: as the caller promises; called under the kernel's token.
    unsafe {
        for vector in 0..LANES / 2 {
            let operands = kernel.operands(load(first.add(32 * vector)), load(second.add(32 * vector)));
            for group in 0..GROUPS {
                let sum = &mut sums.whole[vector][group];
                *sum = kernel.add(*sum, operands, entry.add(group * K::ENTRY));
            }
        }
        if LANES % 2 == 1 {
            let at = LANE * (LANES - 1);
            let halves = [_mm_loadu_si128(first.add(at).cast()), _mm_loadu_si128(second.add(at).cast())];
            let operands = kernel.half_operands(halves[0], halves[1]);
            for group in 0..GROUPS {
                let sum = &mut sums.half[group];
                *sum = kernel.add_half(*sum, operands, entry.add(group * K::ENTRY));
            }
        }
    }
}

/// Adds LANES lanes, of which the last may count in part, to a cell.
#[inline(always)]
fn add_cell<const LANES: usize>(cell: &mut [u8], vectors: [__m256i; VECTORS], half: __m128i) {
    let mut rest = cell;
    for vector in &vectors[..LANES / 2] {
        if rest.len() < 32 {
            break;
        }
        let (bytes, later) = rest.split_at_mut(32);
        // SAFETY: called under a token that proves AVX2; the slice has 32 bytes.
        unsafe {
            let sum = _mm256_xor_si256(load(bytes.as_ptr()), *vector);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), sum);
        }
        rest = later;
    }
    // SAFETY: called under a token that proves AVX2.
    unsafe {
        let mut value = half;
        if LANES.is_multiple_of(2) {
            let last = vectors[LANES / 2 - 1];
            value = _mm256_castsi256_si128(last);
            if rest.len() > 16 {
                let (bytes, later) = rest.split_at_mut(16);
                add_part(bytes, value);
                rest = later;
                value = _mm256_extracti128_si256::<1>(last);
            }
        }
        add_part(rest, value);
    }
}

/// Adds the first bytes of a lane to at most 16 bytes.
///
/// # Safety
/// Called under a token that proves AVX2.
#[inline(always)]
unsafe fn add_part(bytes: &mut [u8], mut value: __m128i) {
    // SAFETY: called under a token that proves AVX2; the slices have the bytes that are read and written.
    unsafe {
        if bytes.len() >= 16 {
            let sum = _mm_xor_si128(_mm_loadu_si128(bytes.as_ptr().cast()), value);
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), sum);
            return;
        }
        let mut rest = bytes;
        if rest.len() >= 8 {
            let (bytes, later) = rest.split_at_mut(8);
            let at: *mut u64 = bytes.as_mut_ptr().cast();
            at.write_unaligned(at.read_unaligned() ^ _mm_cvtsi128_si64(value) as u64);
            value = _mm_srli_si128::<8>(value);
            rest = later;
        }
        let mut last = _mm_cvtsi128_si64(value) as u64;
        if rest.len() >= 4 {
            let (bytes, later) = rest.split_at_mut(4);
            let at: *mut u32 = bytes.as_mut_ptr().cast();
            at.write_unaligned(at.read_unaligned() ^ last as u32);
            last >>= 32;
            rest = later;
        }
        for byte in rest {
            *byte ^= last as u8;
            last >>= 8;
        }
    }
}
