//! The constants of the transform over GF(2^M), made at compile time.

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LOW_LANES;

use super::{Coefficients, MAX_LEVELS, MAX_SIZE};

/// The constants of all levels; level l has the butterflies of dimension M - 1 - l.
pub(super) struct Tables<const M: usize> {
    /// `spans[l][i]`: basis element i of the factors of level l, i < M - 1 - l; plane after plane, all ones or all zeros.
    pub(super) spans: [[[u64; M]; 16]; MAX_LEVELS],
    /// `lane_words[l][b]`: lane j of the word holds the sum of the basis elements whose bit is set in j mod 2^b; plane after plane.
    pub(super) lane_words: [[[u64; M]; 7]; MAX_LEVELS],
    /// `scales[l]`: the power of the level's last basis element that coefficient j is multiplied by.
    pub(super) scales: [Coefficients<M>; MAX_LEVELS],
}

impl<const M: usize> Tables<M> {
    pub(super) const TABLES: &'static Self = &Self::new();

    // evaluated at compile time: a degree without a field would not compile
    #[allow(clippy::panic)]
    const fn new() -> Self {
        let field = match Gf2m::new(M as u32) {
            Some(field) => field,
            None => panic!("no such field"),
        };
        let mut spans = [[[0u64; M]; 16]; MAX_LEVELS];
        let mut lane_words = [[[0u64; M]; 7]; MAX_LEVELS];
        let mut scales = [[[0u64; MAX_SIZE / 64]; M]; MAX_LEVELS];
        let mut basis = [0u16; 16];
        let mut i = 0;
        while i < M {
            basis[i] = 1 << (M - 1 - i);
            i += 1;
        }
        let mut level = 0;
        while level < MAX_LEVELS && level < M {
            let last = basis[M - 1 - level];
            let inverse = field.invert(last);
            let mut power = 1u16;
            let mut local = 0;
            while local < MAX_SIZE >> level {
                let mut plane = 0;
                while plane < M {
                    if power >> plane & 1 == 1 {
                        let mut j = local << level;
                        while j < (local + 1) << level {
                            scales[level][plane][j / 64] |= 1 << (j % 64);
                            j += 1;
                        }
                    }
                    plane += 1;
                }
                power = field.mul(power, last);
                local += 1;
            }
            let mut i = 0;
            while i < M - 1 - level {
                let gamma = field.mul(basis[i], inverse);
                let mut plane = 0;
                while plane < M {
                    spans[level][i][plane] = 0u64.wrapping_sub((gamma >> plane & 1) as u64);
                    plane += 1;
                }
                basis[i] = field.square(gamma) ^ gamma;
                i += 1;
            }
            let mut bits = 0;
            while bits < 6 {
                let mut plane = 0;
                while plane < M {
                    lane_words[level][bits + 1][plane] =
                        lane_words[level][bits][plane] ^ spans[level][bits][plane] & !LOW_LANES[bits];
                    plane += 1;
                }
                bits += 1;
            }
            level += 1;
        }
        Self { spans, lane_words, scales }
    }
}
