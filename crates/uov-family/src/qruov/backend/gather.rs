//! Equations side by side: from streams one after another to lanes of vectors.

use super::{Backend, gather_block};
use crate::qruov::ring::QuotientRing;

/// Gathers ring elements of `LANES` equations into quads: lane `e` of the quads of element `j` holds the coefficients at
/// `raw[e * stride + offset + j * DEGREE..]`. `out` holds `QUADS` vectors an element; elements are written in blocks of
/// [`gather_block`], and the last block may run over `count` (then it holds bytes of no meaning).
///
/// # Panics
/// If `raw` ends less than 16 bytes after the last block begins, or `out` is too short.
#[inline(never)]
pub(crate) fn gather<B: Backend, R: QuotientRing>(
    backend: B,
    raw: &[u8],
    stride: usize,
    offset: usize,
    count: usize,
    out: &mut [B::Vector],
) {
    backend.run(
        #[inline(always)]
        || {
            let block = gather_block::<R>();
            let blocks = count.div_ceil(block);
            let out = &mut out[..blocks * block * R::QUADS];
            let last = (B::LANES - 1) * stride + offset + blocks.saturating_sub(1) * block * R::DEGREE;
            assert!(last + 16 <= raw.len());
            for (index, quads) in out.chunks_exact_mut(block * R::QUADS).enumerate() {
                // SAFETY: lanes are below `LANES` and blocks below `blocks`, so that by the assertion 16 bytes of `raw` follow every place.
                let columns = unsafe {
                    let place = raw.as_ptr().add(offset + index * block * R::DEGREE);
                    backend.transpose([
                        backend.load_spread::<R>(place, stride),
                        backend.load_spread::<R>(place.add(stride), stride),
                        backend.load_spread::<R>(place.add(2 * stride), stride),
                        backend.load_spread::<R>(place.add(3 * stride), stride),
                    ])
                };
                for (quad, column) in quads.iter_mut().zip(columns) {
                    *quad = column;
                }
            }
        },
    );
}
