//! A batch of polynomials at a few points.

use super::backend::PlaneKernel;
use super::planes::Line;
use super::{Batch, BatchField, with_kernel};

/// Horner's rule for a batch of polynomials at a few points: coefficients go in from the highest to the lowest, in pieces.
pub struct BatchHorner<'p> {
    field: BatchField,
    points: &'p [u32],
    sums: Batch,
}

impl<'p> BatchHorner<'p> {
    /// Nothing absorbed yet, for `lanes` polynomials.
    #[must_use]
    pub fn new(field: BatchField, lanes: usize, points: &'p [u32]) -> Self {
        Self { field, points, sums: Batch::zero(lanes, points.len()) }
    }

    /// Takes the next coefficients: the entries of `coefficients` from the last to the first.
    ///
    /// # Panics
    /// If the number of lanes differs.
    pub fn absorb(&mut self, coefficients: &Batch) {
        assert_eq!(coefficients.lanes(), self.sums.lanes(), "as many lanes");
        let (plane, size) = (self.sums.plane_lines(), self.sums.entry_lines());
        for (&point, sum) in self.points.iter().zip(self.sums.lines_mut().chunks_exact_mut(size)) {
            let images = self.field.images(point);
            with_kernel!(self.field.degree(), kernel => absorb(kernel, &images, plane, coefficients, sum));
        }
    }

    /// The values: entry i holds those at point i.
    #[must_use]
    pub fn values(self) -> Batch {
        self.sums
    }
}

/// sum = sum z + c for the coefficients c from the last to the first.
#[inline(always)]
fn absorb<K: PlaneKernel>(
    kernel: K,
    images: &[u32; 24],
    plane: usize,
    coefficients: &Batch,
    sum: &mut [Line],
) {
    let table = kernel.table(images);
    for i in 0..plane {
        let mut value: [K::Vector; 3] = core::array::from_fn(|p| kernel.load(&sum[p * plane + i]));
        for entry in coefficients.lines().chunks_exact(sum.len()).rev() {
            let product = kernel.multiply(&table, value);
            value = core::array::from_fn(
                #[inline(always)]
                |p| kernel.add(product[p], kernel.load(&entry[p * plane + i])),
            );
        }
        for (p, &vector) in value.iter().enumerate() {
            kernel.store(vector, &mut sum[p * plane + i]);
        }
    }
}
