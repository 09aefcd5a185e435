//! A quadratic system as rows of coefficients.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::bits::{any_above, bit, clear_above, mask};
use super::{LayoutError, Shape};

/// A quadratic system: for every monomial in the order U ([`Shape::upper_index`]) a row of one bit an equation, in
/// [`Shape::equation_words`] words whose upper bits are zero.
///
/// Evaluation of this form is the portable definition; for speed pack it into a [`super::PackedSystem`].
#[derive(Clone, PartialEq, Eq, Zeroize)]
pub struct System {
    #[zeroize(skip)]
    shape: Shape,
    rows: Vec<u64>,
}

impl core::fmt::Debug for System {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // the rows may be those of a secret central map
        f.debug_struct("System").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl System {
    /// The zero system.
    #[must_use]
    pub fn zero(shape: Shape) -> Self {
        Self { shape, rows: vec![0; shape.monomials() * shape.equation_words()] }
    }

    /// The system with the given rows, in the order U, [`Shape::equation_words`] words each.
    ///
    /// # Errors
    /// [`LayoutError::Length`] (in bytes) if there are too few or too many words, [`LayoutError::Padding`] if a bit above the
    /// last equation is set in some row.
    pub fn from_rows(shape: Shape, rows: Vec<u64>) -> Result<Self, LayoutError> {
        let width = shape.equation_words();
        let expected = shape.monomials() * width;
        if rows.len() != expected {
            return Err(LayoutError::Length { expected: 8 * expected, actual: 8 * rows.len() });
        }
        let system = Self { shape, rows };
        if width > 0 {
            for (k, row) in system.rows.chunks_exact(width).enumerate() {
                if any_above(row, shape.equations()) {
                    return Err(LayoutError::Padding { byte: 8 * (k * width) + shape.equations() / 8 });
                }
            }
        }
        Ok(system)
    }

    /// Numbers of variables and equations.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All rows one after another.
    #[must_use]
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The coefficients of monomial `index` (order U).
    ///
    /// # Panics
    /// If there is no such monomial.
    #[must_use]
    pub fn row(&self, index: usize) -> &[u64] {
        let width = self.shape.equation_words();
        &self.rows[index * width..(index + 1) * width]
    }

    /// The coefficients of monomial `index` (order U), to be changed. Bits above the last equation must stay zero.
    ///
    /// # Panics
    /// If there is no such monomial.
    pub fn row_mut(&mut self, index: usize) -> &mut [u64] {
        let width = self.shape.equation_words();
        &mut self.rows[index * width..(index + 1) * width]
    }

    /// The coefficient of monomial `index` (order U) in one equation.
    ///
    /// # Panics
    /// If there is no such monomial or equation.
    #[must_use]
    pub fn coefficient(&self, equation: usize, index: usize) -> bool {
        assert!(equation < self.shape.equations(), "no such equation");
        bit(self.row(index), equation)
    }

    /// Value at a point, word by word as the definition says. Constant time: every coefficient is read and masked.
    /// Bits of the point above the last variable are ignored.
    ///
    /// # Panics
    /// If `point` has fewer than [`Shape::variable_words`] words or `value` has not [`Shape::equation_words`].
    pub fn evaluate(&self, point: &[u64], value: &mut [u64]) {
        let (n, width) = (self.shape.variables(), self.shape.equation_words());
        assert_eq!(value.len(), width, "one bit an equation");
        value.copy_from_slice(self.row(0));
        if width == 0 {
            return;
        }
        let mut rows = self.rows[width..].chunks_exact(width);
        for i in 0..n {
            let x_i = mask(point, i);
            for (j, row) in (i..n).zip(&mut rows) {
                let product = x_i & mask(point, j);
                for (v, c) in value.iter_mut().zip(row) {
                    *v ^= product & c;
                }
            }
        }
        clear_above(value, self.shape.equations());
    }
}
