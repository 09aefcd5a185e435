//! Vectors of field elements in byte planes.

use alloc::vec;
use alloc::vec::Vec;

/// 64 bytes on a cache line of their own.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u8; 64]);

/// Several vectors ("entries") of elements of GF(2^k), k <= 24, each with one element a lane: byte b of all elements together
/// in plane b.
#[derive(Clone)]
pub struct Batch {
    lanes: usize,
    lines: Vec<Line>,
    plane_lines: usize,
}

impl core::fmt::Debug for Batch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Batch")
            .field("lanes", &self.lanes)
            .field("entries", &self.len())
            .finish_non_exhaustive()
    }
}

impl Batch {
    /// `entries` vectors of `lanes` zeros.
    #[must_use]
    pub fn zero(lanes: usize, entries: usize) -> Self {
        let plane_lines = lanes.div_ceil(64).max(1);
        Self { lanes, lines: vec![Line([0; 64]); 3 * plane_lines * entries], plane_lines }
    }

    /// Elements of an entry.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len() / self.entry_lines()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Sets an element.
    ///
    /// # Panics
    /// If there is no such entry or lane.
    #[inline]
    pub fn set(&mut self, entry: usize, lane: usize, value: u32) {
        assert!(lane < self.lanes, "no such lane");
        let (first, plane_lines) = (entry * self.entry_lines() + lane / 64, self.plane_lines);
        let [low, middle, high, _] = value.to_le_bytes();
        self.lines[first].0[lane % 64] = low;
        self.lines[first + plane_lines].0[lane % 64] = middle;
        self.lines[first + 2 * plane_lines].0[lane % 64] = high;
    }

    /// An element.
    ///
    /// # Panics
    /// If there is no such entry or lane.
    #[must_use]
    #[inline]
    pub fn get(&self, entry: usize, lane: usize) -> u32 {
        assert!(lane < self.lanes, "no such lane");
        let [low, middle, high] = self.planes(entry);
        u32::from_le_bytes([low[lane], middle[lane], high[lane], 0])
    }

    /// The three planes of an entry: the low, middle and high byte of every lane.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    #[inline]
    pub fn planes(&self, entry: usize) -> [&[u8]; 3] {
        let entry = self.entry(entry);
        core::array::from_fn(|p| {
            let plane = &entry[p * self.plane_lines..(p + 1) * self.plane_lines];
            &backend_bytes(plane)[..self.lanes]
        })
    }

    pub(super) fn plane_lines(&self) -> usize {
        self.plane_lines
    }

    pub(super) fn entry_lines(&self) -> usize {
        3 * self.plane_lines
    }

    pub(super) fn entry(&self, entry: usize) -> &[Line] {
        let size = self.entry_lines();
        &self.lines[entry * size..(entry + 1) * size]
    }

    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(super) fn lines_mut(&mut self) -> &mut [Line] {
        &mut self.lines
    }
}

use super::backend::bytes as backend_bytes;
