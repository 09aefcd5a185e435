//! What a way to multiply offers to the one kernel of [`combine`](super::combine).

use core::arch::x86_64::{__m128i, __m256i};

/// A way to multiply packed elements by scalars, with the token that proves its CPU features inside.
///
/// An *entry* holds the multipliers of one group of columns for two terms. Vectors come in pairs, one of each term; half
/// vectors of the two terms share one register. Everything is called under the token, so that it inlines into code that is
/// compiled with the features.
pub(super) trait Kernel: Copy {
    /// Bytes of an entry.
    const ENTRY: usize;
    /// Columns of a group.
    const COLUMNS: usize;
    /// Registers of an accumulator.
    const REGISTERS: usize;
    /// Registers that the accumulators of a slice may fill. One that does not fit costs dearly: its sum goes by way of memory from
    /// term to term.
    const BUDGET: usize;
    /// The most groups of a block, at most [`GROUPS`](super::combine::GROUPS); their sums of one vector fit the registers.
    const BLOCK: usize;
    /// The sum of one vector for one group of columns.
    type Accumulator: Copy;
    /// The empty sum.
    fn zero(self) -> Self::Accumulator;
    /// Adds the products of VECTORS vectors of two terms.
    ///
    /// # Safety
    /// The vectors can be read at `first` and `second`, GROUPS entries at `entry`.
    unsafe fn add<const GROUPS: usize, const VECTORS: usize>(
        self,
        sums: &mut [[Self::Accumulator; GROUPS]; VECTORS],
        first: *const u8,
        second: *const u8,
        entry: *const u8,
    );
    /// Adds the products of half a vector of each of two terms.
    ///
    /// # Safety
    /// GROUPS entries can be read at `entry`.
    unsafe fn add_half<const GROUPS: usize>(
        self,
        sums: &mut [Self::Accumulator; GROUPS],
        halves: [__m128i; 2],
        entry: *const u8,
    );
    /// The sums of the columns of the group; only the first [`Self::COLUMNS`] count.
    fn finish(self, sum: Self::Accumulator) -> [__m256i; 2];
    /// The sums of half vectors.
    fn finish_half(self, sum: Self::Accumulator) -> [__m128i; 2];
    /// Writes 16 entries from 32 packed scalars, two an entry.
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]);
}
