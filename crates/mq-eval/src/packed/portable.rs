//! The portable back end: whole words of packed elements, one masked sum for each bit of a scalar.

use core::hint::black_box;
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
        // bit by bit, a mask for each column
        let mut masks = [[0u64; BLOCK]; 8];
        for (index, column) in columns.clone().enumerate() {
            let packed = multipliers.packed(term, column / F::PER_BYTE);
            let scalar = packed >> (F::BITS * (column % F::PER_BYTE));
            for (bit, masks) in masks.iter_mut().enumerate().take(F::BITS) {
                masks[index] = u64::from((scalar >> bit) & 1).wrapping_neg();
            }
        }
        // the compiler must not know that there are two values only: it would branch
        black_box(&mut masks);
        for (word, bytes) in source[offset..offset + job.len].chunks(8).enumerate() {
            let mut multiple = load(bytes);
            for masks in masks.iter().take(F::BITS) {
                for (sum, mask) in sums.iter_mut().zip(masks) {
                    sum[word] ^= multiple & mask;
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
