//! Storage of many field elements for the kernels: planes of 128-bit cells.

use alloc::vec;
use alloc::vec::Vec;
use gf2n::backend::Cell;

/// `planes` rows of `stride` cells; row c holds cell c of every element, so that neighbouring elements are neighbours.
#[derive(Clone)]
pub(crate) struct Planes {
    cells: Vec<Cell>,
    stride: usize,
}

impl Planes {
    /// Planes of zeros.
    pub(crate) fn zero(planes: usize, stride: usize) -> Self {
        Self { cells: vec![Cell::ZERO; planes * stride], stride }
    }

    /// Plane `index`.
    #[inline(always)]
    pub(crate) fn plane(&self, index: usize) -> &[Cell] {
        &self.cells[index * self.stride..(index + 1) * self.stride]
    }

    /// Plane `index`.
    #[inline(always)]
    pub(crate) fn plane_mut(&mut self, index: usize) -> &mut [Cell] {
        &mut self.cells[index * self.stride..(index + 1) * self.stride]
    }
}

impl Drop for Planes {
    fn drop(&mut self) {
        wipe(&mut self.cells);
    }
}

/// Overwrites cells with zeros in a way that is not optimised out.
pub(super) fn wipe(cells: &mut [Cell]) {
    for cell in cells {
        zeroize::Zeroize::zeroize(&mut cell.0);
    }
}
