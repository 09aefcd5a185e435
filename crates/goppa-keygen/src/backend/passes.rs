//! One pass of a sorting network over rows of integers.

use super::SortVectors;

/// Applies `work` to `COUNT` rows at a time, `stride` entries apart in every block of `COUNT * stride` entries; an entry is `unit` rows.
///
/// If `mirrored`, the rows of the upper half of the block come from the other end of their part: row i of the first part
/// meets the last row but i of the last part.
#[inline(always)]
pub(crate) fn pass<E: Copy, B: SortVectors<E>, const COUNT: usize>(
    backend: B,
    rows: &mut [B::Row],
    (stride, unit): (usize, usize),
    mirrored: bool,
    work: impl Fn(&mut [B::Vector; COUNT]),
) {
    let part_rows = stride * unit;
    for block in rows.chunks_exact_mut(part_rows * COUNT) {
        if !mirrored || stride == 1 {
            for row in 0..part_rows {
                step::<E, B, COUNT>(backend, block, part_rows, (row, row), &work);
            }
        } else if unit == 1 {
            for row in 0..part_rows {
                step::<E, B, COUNT>(backend, block, part_rows, (row, part_rows - 1 - row), &work);
            }
        } else {
            for entry in 0..stride {
                for row in 0..unit {
                    let places = (entry * unit + row, (stride - 1 - entry) * unit + row);
                    step::<E, B, COUNT>(backend, block, part_rows, places, &work);
                }
            }
        }
    }
}

/// One application: row `lower` of the parts of the lower half, row `upper` of those of the upper half.
#[inline(always)]
fn step<E: Copy, B: SortVectors<E>, const COUNT: usize>(
    backend: B,
    block: &mut [B::Row],
    part_rows: usize,
    (lower, upper): (usize, usize),
    work: &impl Fn(&mut [B::Vector; COUNT]),
) {
    debug_assert!(block.len() == COUNT * part_rows && lower < part_rows && upper < part_rows);
    let start = block.as_mut_ptr();
    // SAFETY: `lower` and `upper` are below `part_rows`, and the block has `COUNT` parts of `part_rows` rows (both by the loops of
    // `pass`). Each row is borrowed for one load or store.
    unsafe {
        let mut v = [backend.load_integers((*start.add(lower)).as_ref()); COUNT];
        for part in 1..COUNT {
            let row = part * part_rows + if part < COUNT / 2 { lower } else { upper };
            v[part] = backend.load_integers((*start.add(row)).as_ref());
        }
        work(&mut v);
        for part in 0..COUNT {
            let row = part * part_rows + if part < COUNT / 2 { lower } else { upper };
            backend.store_integers(v[part], (*start.add(row)).as_mut());
        }
    }
}
