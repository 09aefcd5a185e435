//! What [`Multipliers::combine`](super::Multipliers::combine) is asked to do, and the checks that make it memory-safe.

use core::ops::Range;

/// The longest cell of a job in bytes.
pub(super) const LONGEST: usize = 96;

/// One linear combination of cells, for every column of the multipliers:
/// destination(j) += sum over t in `terms` of scalar(t, j) * cell(t).
///
/// The cell of the first term starts at byte `source`; the following ones at growing distances: `step` bytes, then
/// `step + step_change`, and so on. (A constant step runs along a row or a column of a rectangle, a step that shrinks by one
/// cell along a column of an upper triangle.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Offset of the destination of column 0 in bytes.
    pub destination: usize,
    /// Length of a cell in bytes, 1 to 96.
    pub len: usize,
    /// Offset of the first cell in bytes.
    pub source: usize,
    /// Distance from the first cell to the second.
    pub step: usize,
    /// What is subtracted from the step after each term.
    pub step_shrink: usize,
    /// Rows of the multiplier matrix, one a term.
    pub terms: Range<usize>,
}

impl Job {
    /// Offset of the cell of term number `number`, counted from 0; `None` where a step would become negative or on overflow.
    #[inline(always)]
    pub(super) fn offset(&self, number: usize) -> Option<usize> {
        let plain = self.source.checked_add(self.step.checked_mul(number)?)?;
        if self.step_shrink == 0 || number == 0 {
            return Some(plain);
        }
        let last = number - 1;
        self.step.checked_sub(self.step_shrink.checked_mul(last)?)?;
        plain.checked_sub(self.step_shrink.checked_mul(number.checked_mul(last)? / 2)?)
    }

    /// Whether every term can be read `span` bytes wide from a source of `available` bytes. The last cell is the farthest.
    #[inline(always)]
    pub(super) fn fits(&self, span: usize, available: usize) -> bool {
        let count = self.terms.len();
        count == 0 || self.offset(count - 1).is_some_and(|start| start.saturating_add(span) <= available)
    }

    /// How many of the first terms can be read `span` bytes wide from a source of `available` bytes.
    #[cfg(target_arch = "x86_64")]
    #[cold]
    pub(super) fn readable(&self, span: usize, available: usize) -> usize {
        let mut count = self.terms.len();
        while count > 0 && self.offset(count - 1).is_none_or(|start| start.saturating_add(span) > available) {
            count -= 1;
        }
        count
    }
}
