//! Which power of z belongs to a pair of blocks.

/// A whipping schedule: the exponents of z for the pairs of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Round 2: the pairs (i, j), i <= j, are numbered by i and inside it by falling j. No linear term.
    Round2,
    /// Round 3: a fixed symmetric matrix of exponents, row by row, and a linear term from message and salt.
    Round3(&'static [u8]),
}

impl Schedule {
    /// The exponent of the pair {i, j} among `blocks` blocks.
    #[must_use]
    pub fn exponent(self, i: usize, j: usize, blocks: usize) -> usize {
        let (low, high) = (i.min(j), i.max(j));
        match self {
            // blocks + (blocks - 1) + ... pairs before those of `low`
            Self::Round2 => low * (2 * blocks - low + 1) / 2 + blocks - 1 - high,
            Self::Round3(exponents) => usize::from(exponents[i * blocks + j]),
        }
    }
}

/// Round 3, 5 blocks (MAYO-2).
pub const BLOCKS_5: [u8; 25] = [
    11, 13, 3, 4, 6, //
    13, 0, 14, 10, 2, //
    3, 14, 8, 1, 5, //
    4, 10, 1, 12, 9, //
    6, 2, 5, 9, 7,
];

/// Round 3, 10 blocks (MAYO-1).
pub const BLOCKS_10: [u8; 100] = [
    10, 25, 7, 44, 40, 24, 12, 32, 5, 27, //
    25, 6, 45, 50, 19, 0, 11, 14, 37, 52, //
    7, 45, 51, 16, 42, 30, 53, 8, 21, 4, //
    44, 50, 16, 15, 39, 26, 48, 54, 23, 34, //
    40, 19, 42, 39, 22, 33, 1, 35, 41, 18, //
    24, 0, 30, 26, 33, 13, 46, 17, 2, 47, //
    12, 11, 53, 48, 1, 46, 36, 20, 49, 43, //
    32, 14, 8, 54, 35, 17, 20, 38, 29, 9, //
    5, 37, 21, 23, 41, 2, 49, 29, 3, 31, //
    27, 52, 4, 34, 18, 47, 43, 9, 31, 28,
];

/// Round 3, 11 blocks (MAYO-3).
pub const BLOCKS_11: [u8; 121] = [
    35, 13, 39, 32, 4, 7, 40, 14, 43, 62, 64, //
    13, 55, 42, 11, 63, 19, 58, 49, 36, 12, 20, //
    39, 42, 6, 15, 57, 47, 16, 34, 44, 46, 50, //
    32, 11, 15, 18, 5, 21, 28, 10, 51, 24, 31, //
    4, 63, 57, 5, 38, 0, 56, 29, 54, 60, 23, //
    7, 19, 47, 21, 0, 22, 27, 61, 3, 48, 8, //
    40, 58, 16, 28, 56, 27, 37, 45, 30, 1, 17, //
    14, 49, 34, 10, 29, 61, 45, 26, 52, 59, 41, //
    43, 36, 44, 51, 54, 3, 30, 52, 25, 9, 2, //
    62, 12, 46, 24, 60, 48, 1, 59, 9, 53, 65, //
    64, 20, 50, 31, 23, 8, 17, 41, 2, 65, 33,
];

/// Round 3, 12 blocks (MAYO-5).
pub const BLOCKS_12: [u8; 144] = [
    62, 30, 52, 53, 24, 0, 25, 12, 71, 20, 57, 32, //
    30, 7, 37, 55, 43, 70, 31, 47, 35, 9, 69, 15, //
    52, 37, 64, 26, 76, 45, 54, 10, 40, 34, 11, 19, //
    53, 55, 26, 61, 16, 60, 5, 18, 42, 17, 8, 75, //
    24, 43, 76, 16, 41, 27, 6, 2, 4, 51, 68, 38, //
    0, 70, 45, 60, 27, 63, 22, 49, 23, 1, 21, 48, //
    25, 31, 54, 5, 6, 22, 14, 29, 44, 65, 77, 72, //
    12, 47, 10, 18, 2, 49, 29, 58, 67, 59, 39, 56, //
    71, 35, 40, 42, 4, 23, 44, 67, 33, 73, 36, 74, //
    20, 9, 34, 17, 51, 1, 65, 59, 73, 28, 46, 3, //
    57, 69, 11, 8, 68, 21, 77, 39, 36, 46, 50, 13, //
    32, 15, 19, 75, 38, 48, 72, 56, 74, 3, 13, 66,
];

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_exponent_occurs_once_and_the_matrix_is_symmetric() {
        let schedules = [
            (Schedule::Round2, 4),
            (Schedule::Round2, 10),
            (Schedule::Round3(&BLOCKS_5), 5),
            (Schedule::Round3(&BLOCKS_10), 10),
            (Schedule::Round3(&BLOCKS_11), 11),
            (Schedule::Round3(&BLOCKS_12), 12),
        ];
        for (schedule, blocks) in schedules {
            let mut found = Vec::new();
            for i in 0..blocks {
                for j in i..blocks {
                    assert_eq!(schedule.exponent(i, j, blocks), schedule.exponent(j, i, blocks));
                    found.push(schedule.exponent(i, j, blocks));
                }
            }
            found.sort_unstable();
            assert_eq!(found, (0..blocks * (blocks + 1) / 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn round_2_counts_down_inside_a_row() {
        let exponent = |i, j| Schedule::Round2.exponent(i, j, 10);
        assert_eq!([exponent(0, 9), exponent(0, 0), exponent(1, 9), exponent(9, 9)], [0, 9, 10, 54]);
    }
}
