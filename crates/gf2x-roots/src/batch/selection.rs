//! Which points are wanted.

use alloc::vec;
use alloc::vec::Vec;

/// A set of points of the field. The transform leaves out what no wanted point needs.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Level l: one bit for every range of 2^l points, set if a point in it is wanted.
    levels: Vec<Vec<u64>>,
}

impl Selection {
    /// Some points of a field of 2^`degree` elements; repetitions do not matter.
    ///
    /// # Panics
    /// If a point is no element of the field.
    #[must_use]
    pub fn new(degree: u32, points: impl IntoIterator<Item = u32>) -> Self {
        let mut level = vec![0u64; (1usize << degree).div_ceil(64)];
        for point in points {
            assert!(point >> degree == 0, "a point outside the field");
            level[point as usize / 64] |= 1 << (point % 64);
        }
        let mut levels = vec![level];
        for _ in 0..degree {
            let parents = halve(&levels[levels.len() - 1]);
            levels.push(parents);
        }
        Self { levels }
    }

    /// Whether some point of the range number `index` of 2^`level` points is wanted.
    #[inline(always)]
    pub(super) fn contains(&self, level: u32, index: usize) -> bool {
        self.levels[level as usize][index / 64] >> (index % 64) & 1 == 1
    }
}

/// ORs of neighbouring bits.
fn halve(bits: &[u64]) -> Vec<u64> {
    let compress = |word: u64| {
        let mut w = (word | word >> 1) & 0x5555_5555_5555_5555;
        for (shift, mask) in [
            (1, 0x3333_3333_3333_3333),
            (2, 0x0f0f_0f0f_0f0f_0f0f),
            (4, 0x00ff_00ff_00ff_00ff),
            (8, 0x0000_ffff_0000_ffff),
            (16, 0x0000_0000_ffff_ffff),
        ] {
            w = (w | w >> shift) & mask;
        }
        w
    };
    bits.chunks(2)
        .map(|pair| compress(pair[0]) | pair.get(1).map_or(0, |&word| compress(word) << 32))
        .collect()
}
