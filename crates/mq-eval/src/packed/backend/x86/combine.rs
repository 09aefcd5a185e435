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
    // accumulators of a block fill at most some eight registers, or nine
    let block = (8 / (K::REGISTERS * longest.max(1))).clamp(2, 4);
    let mut group = columns.start / K::COLUMNS;
    let end = columns.end.div_ceil(K::COLUMNS);
    while group < end {
        let count = if group + block <= end { block } else { 1 };
        for job in jobs {
            match count {
                4 => call.job::<4>(source, destination, group, job),
                3 => call.job::<3>(source, destination, group, job),
                2 => call.job::<2>(source, destination, group, job),
                _ => call.job::<1>(source, destination, group, job),
            }
        }
        group += count;
    }
}

impl<K: Kernel> Call<'_, K> {
    /// One job for `GROUPS` groups from `group` on.
    #[inline(always)]
    fn job<const GROUPS: usize>(&self, source: &[u8], destination: &mut [u8], group: usize, job: &Job) {
        let span = job.len.div_ceil(LANE) * LANE;
        let count = job.readable(span, source.len());
        let first = job.terms.start;
        let whole = Job { terms: first..first + count, ..job.clone() };
        self.lanes::<GROUPS>(source, destination, group, &whole);
        // terms whose last lane would be read beyond the source
        for number in count..job.terms.len() {
            let Some(offset) = job.offset(number) else { continue };
            let mut padded = [0; LONGEST];
            padded[..job.len].copy_from_slice(&source[offset..offset + job.len]);
            let term = first + number;
            let single = Job { source: 0, terms: term..term + 1, ..job.clone() };
            self.lanes::<GROUPS>(&padded, destination, group, &single);
        }
    }

    #[inline(always)]
    fn lanes<const GROUPS: usize>(&self, source: &[u8], destination: &mut [u8], group: usize, job: &Job) {
        if job.terms.is_empty() {
            return;
        }
        match job.len.div_ceil(LANE) {
            1 => self.block::<GROUPS, 1>(source, destination, group, job),
            2 => self.block::<GROUPS, 2>(source, destination, group, job),
            3 => self.block::<GROUPS, 3>(source, destination, group, job),
            4 => self.block::<GROUPS, 4>(source, destination, group, job),
            5 => self.block::<GROUPS, 5>(source, destination, group, job),
            _ => self.block::<GROUPS, 6>(source, destination, group, job),
        }
    }

    #[inline(always)]
    fn block<const GROUPS: usize, const LANES: usize>(
        &self,
        source: &[u8],
        destination: &mut [u8],
        group: usize,
        job: &Job,
    ) {
        let kernel = self.kernel;
        let mut whole = [[kernel.zero(); GROUPS]; VECTORS];
        let mut half = [kernel.zero(); GROUPS];
        let mut offset = job.source;
        let mut step = job.step;
        let pair_bytes = self.groups * K::ENTRY;
        let start = (job.terms.start / 2 * self.groups + group) * K::ENTRY;
        let last_pair = (job.terms.end - 1) / 2;
        assert!(start + (last_pair - job.terms.start / 2) * pair_bytes + GROUPS * K::ENTRY <= self.tables.len());
        let mut entry = self.tables[start..].as_ptr();
        let zeros = [0u8; LONGEST];

        let mut add = |first: *const u8, second: *const u8, entry: *const u8| {
            // SAFETY: `first` and `second` point to LANES lanes inside `source` or `zeros`, `entry` to GROUPS entries.
            unsafe {
                for vector in 0..LANES / 2 {
                    let operands =
                        kernel.operands(load(first.add(32 * vector)), load(second.add(32 * vector)));
                    for group in 0..GROUPS {
                        let sum = &mut whole[vector][group];
                        *sum = kernel.add(*sum, operands, entry.add(group * K::ENTRY));
                    }
                }
                if LANES % 2 == 1 {
                    let at = LANE * (LANES - 1);
                    let operands = kernel.half_operands(
                        _mm_loadu_si128(first.add(at).cast()),
                        _mm_loadu_si128(second.add(at).cast()),
                    );
                    for group in 0..GROUPS {
                        half[group] = kernel.add_half(half[group], operands, entry.add(group * K::ENTRY));
                    }
                }
            }
        };
        // SAFETY: the job was checked: every term's offset leaves LANES lanes inside `source`.
        let at = |offset: usize| unsafe { source.as_ptr().add(offset) };
        let mut term = job.terms.start;
        if term % 2 == 1 {
            add(zeros.as_ptr(), at(offset), entry);
            offset += step;
            step = step.wrapping_sub(job.step_shrink);
            term += 1;
            entry = entry.wrapping_add(pair_bytes);
        }
        while term + 1 < job.terms.end {
            let second = offset + step;
            step = step.wrapping_sub(job.step_shrink);
            add(at(offset), at(second), entry);
            offset = second.wrapping_add(step);
            step = step.wrapping_sub(job.step_shrink);
            term += 2;
            entry = entry.wrapping_add(pair_bytes);
        }
        if term < job.terms.end {
            add(at(offset), zeros.as_ptr(), entry);
        }

        for (number, sum) in half.iter().enumerate() {
            let vectors: [[__m256i; 2]; VECTORS] =
                core::array::from_fn(|vector| kernel.finish(whole[vector][number]));
            let halves = kernel.finish_half(*sum);
            for part in 0..K::COLUMNS {
                let column = (group + number) * K::COLUMNS + part;
                if column < self.columns.end {
                    let start = job.destination + column * self.column_stride;
                    let cell = &mut destination[start..start + job.len];
                    add_cell::<LANES>(cell, vectors.map(|columns| columns[part]), halves[part]);
                }
            }
        }
    }
}

/// Adds LANES lanes, of which the last may count in part, to a cell.
#[inline(always)]
fn add_cell<const LANES: usize>(cell: &mut [u8], vectors: [__m256i; VECTORS], half: __m128i) {
    let whole = cell.len() / 32;
    for (vector, bytes) in vectors.iter().zip(cell.chunks_exact_mut(32)) {
        // SAFETY: called under a token that proves AVX2; the chunk has 32 bytes.
        unsafe {
            let sum = _mm256_xor_si256(load(bytes.as_ptr()), *vector);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), sum);
        }
    }
    let rest = &mut cell[32 * whole..];
    if rest.is_empty() {
        return;
    }
    let mut bytes = [0; 32];
    // SAFETY: called under a token that proves AVX2; the array has 32 bytes.
    unsafe {
        if LANES % 2 == 1 {
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), half);
        } else {
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vectors[LANES / 2 - 1]);
        }
    }
    let words = rest.len() / 8 * 8;
    for (word, value) in rest.chunks_exact_mut(8).zip(bytes.chunks_exact(8)) {
        for (byte, value) in word.iter_mut().zip(value) {
            *byte ^= value;
        }
    }
    for (byte, value) in rest[words..].iter_mut().zip(&bytes[words..]) {
        *byte ^= value;
    }
}
