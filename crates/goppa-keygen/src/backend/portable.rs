//! The definition: one integer a vector.

use gf2n::small::gf2m::backend::Portable;

use super::SortVectors;

macro_rules! scalar {
    ($integer:ty) => {
        impl SortVectors<$integer> for Portable {
            type Vector = $integer;
            type Row = [$integer; 1];
            const SORT_LANES: usize = 1;
            #[inline(always)]
            fn rows(data: &mut [$integer]) -> &mut [[$integer; 1]] {
                data.as_chunks_mut().0
            }
            #[inline(always)]
            fn load_integers(self, source: &[$integer]) -> $integer {
                source[0]
            }
            #[inline(always)]
            fn store_integers(self, vector: $integer, destination: &mut [$integer]) {
                destination[0] = vector;
            }
            #[inline(always)]
            fn min_max(self, left: $integer, right: $integer) -> ($integer, $integer) {
                // the borrow of right - left, without a comparison that a compiler could branch on
                let borrow = core::hint::black_box(right.overflowing_sub(left).1 as $integer);
                let swap = (left ^ right) & (0 as $integer).wrapping_sub(borrow);
                (left ^ swap, right ^ swap)
            }
            #[inline(always)]
            fn exchange_integers(self, vector: $integer, _distance: usize) -> $integer {
                vector
            }
            #[inline(always)]
            fn blend(self, low: $integer, _high: $integer, _distance: usize) -> $integer {
                low
            }
            #[inline(always)]
            fn low_bits(self, vector: $integer) -> u32 {
                (vector & 1) as u32
            }
        }
    };
}

scalar!(u32);
scalar!(u64);
