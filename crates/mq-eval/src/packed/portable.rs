//! The portable back end: whole words of packed elements, one masked sum for each bit of a scalar.

use core::ops::Range;

use super::job::LONGEST;
use super::{Job, Multipliers, PackedField};

/// Columns whose sums are kept at once.
const BLOCK: usize = 16;
const WORDS: usize = LONGEST / 8;

fn load(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

pub(super) fn combine<F: PackedField>(
    multipliers: &Multipliers<F>,
    source: &[u8],
    destination: &mut [u8],
    column_stride: usize,
    columns: Range<usize>,
    jobs: &[Job],
) {
    for block in columns.clone().step_by(BLOCK) {
        let block = block..(block + BLOCK).min(columns.end);
        for job in jobs {
            combine_block(multipliers, source, destination, column_stride, block.clone(), job);
        }
    }
}

fn combine_block<F: PackedField>(
    multipliers: &Multipliers<F>,
    source: &[u8],
    destination: &mut [u8],
    column_stride: usize,
    columns: Range<usize>,
    job: &Job,
) {
    let mut sums = [[0u64; WORDS]; BLOCK];
    let mut offset = job.source;
    let mut step = job.step;
    for term in job.terms.clone() {
        for (word, bytes) in source[offset..offset + job.len].chunks(8).enumerate() {
            let mut multiple = load(bytes);
            for bit in 0..F::BITS {
                for (column, sum) in columns.clone().zip(sums.iter_mut()) {
                    let packed = multipliers.packed(term, column / F::PER_BYTE);
                    let scalar = packed >> (F::BITS * (column % F::PER_BYTE));
                    sum[word] ^= multiple & u64::from((scalar >> bit) & 1).wrapping_neg();
                }
                multiple = F::times_x(multiple);
            }
        }
        offset += step;
        step = step.wrapping_sub(job.step_shrink);
    }
    for (column, sum) in columns.zip(sums.iter_mut()) {
        let start = job.destination + column * column_stride;
        for (bytes, word) in destination[start..start + job.len].chunks_mut(8).zip(sum.iter_mut()) {
            for (byte, value) in bytes.iter_mut().zip(word.to_le_bytes()) {
                *byte ^= value;
            }
            *word = 0;
        }
    }
}
