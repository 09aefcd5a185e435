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
    /// Registers that the accumulators of a block may fill, about.
    const BUDGET: usize;
    /// The sum of one vector for one group of columns.
    type Accumulator: Copy;
    /// A vector of each of two terms, ready for many groups.
    type Operands: Copy;
    /// A half vector of each of two terms, ready for many groups.
    type HalfOperands: Copy;

    /// The empty sum.
    fn zero(self) -> Self::Accumulator;
    /// Prepares a vector of each term.
    fn operands(self, first: __m256i, second: __m256i) -> Self::Operands;
    /// Prepares half a vector of each term.
    fn half_operands(self, first: __m128i, second: __m128i) -> Self::HalfOperands;
    /// Adds both products.
    ///
    /// # Safety
    /// `entry` can be read for [`Self::ENTRY`] bytes.
    unsafe fn add(
        self,
        sum: Self::Accumulator,
        operands: Self::Operands,
        entry: *const u8,
    ) -> Self::Accumulator;
    /// Adds both products of half vectors.
    ///
    /// # Safety
    /// `entry` can be read for [`Self::ENTRY`] bytes.
    unsafe fn add_half(
        self,
        sum: Self::Accumulator,
        operands: Self::HalfOperands,
        entry: *const u8,
    ) -> Self::Accumulator;
    /// The sums of the columns of the group; only the first [`Self::COLUMNS`] count.
    fn finish(self, sum: Self::Accumulator) -> [__m256i; 2];
    /// The sums of half vectors.
    fn finish_half(self, sum: Self::Accumulator) -> [__m128i; 2];
    /// Writes 16 entries from 32 packed scalars, two an entry.
    fn tables(self, scalars: &[u8; 32], entries: &mut [u8]);
}
