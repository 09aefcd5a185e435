//! The steps of the transform on arrays of entries, each forward or undone, plain or transposed.
//!
//! An entry is `width` neighbouring elements, one for each polynomial of a batch. Every step adds multiples of entries to other
//! entries or scales entries; undoing reverses the order, transposing reverses the order and swaps the roles.

use super::{Tables, linearised};
use crate::field::{Element, Field};

impl<const L: usize> Tables<L> {
    /// Monomial coefficients to coefficients of the basis X_j (or back, or transposed).
    ///
    /// Level l divides each block of 2^(l+1) entries by s_l: remainder below, quotient above, scaled by s_l(v_l). The upper half
    /// goes in two pieces, the higher first, since its terms reach into the lower one.
    pub(super) fn convert(&self, data: &mut [Element<L>], width: usize, inverse: bool, transposed: bool) {
        let levels = self.basis.len();
        let down = inverse == transposed;
        for number in 0..levels {
            let level = if down { levels - 1 - number } else { number };
            let scale = &self.scales[level][usize::from(inverse)];
            let half = (1 << level) * width;
            for block in data.chunks_exact_mut(2 * half) {
                if !down {
                    self.field.scale(&mut block[half..], scale);
                }
                if level > 0 {
                    for piece in if down { [3, 2] } else { [2, 3] } {
                        self.divide(block, width, level, piece * half / 2, transposed);
                    }
                }
                if down {
                    self.field.scale(&mut block[half..], scale);
                }
            }
        }
    }

    /// The terms of the division for the half / 2 entries from `start` on.
    fn divide(&self, block: &mut [Element<L>], width: usize, level: usize, start: usize, transposed: bool) {
        let half = (1 << level) * width;
        let (below, quotient) = block.split_at_mut(start);
        let quotient = &mut quotient[..half / 2];
        for (t, coefficient) in self.subspace[level].iter().enumerate() {
            let target = start - half + (1 << t) * width;
            let remainder = &mut below[target..target + half / 2];
            if transposed {
                self.field.add_scaled(quotient, remainder, coefficient);
            } else {
                self.field.add_scaled(remainder, quotient, coefficient);
            }
        }
    }

    /// Coefficients of the basis X_j to values on the affine subspace (or back, or transposed).
    ///
    /// Forward, level l, block of 2^(l+1) entries at offset o: with w = S_l(shift + point o), u += w v and v += u for the two
    /// halves u, v.
    pub(super) fn butterflies(
        &self,
        data: &mut [Element<L>],
        width: usize,
        shift: &Element<L>,
        inverse: bool,
        transposed: bool,
    ) {
        let levels = self.basis.len();
        for number in 0..levels {
            let level = if inverse == transposed { levels - 1 - number } else { number };
            let at_shift = self
                .field
                .mul(&linearised(&self.field, &self.subspace[level], shift), &self.scales[level][1]);
            let half = (1 << level) * width;
            for (index, block) in data.chunks_exact_mut(2 * half).enumerate() {
                let mut factor = at_shift;
                for (bit, twiddle) in self.twiddles[level].iter().enumerate() {
                    if (index >> bit) & 1 == 1 {
                        factor = Field::add(&factor, twiddle);
                    }
                }
                let (u, v) = block.split_at_mut(half);
                let (scaled, plain) = if transposed { (v, u) } else { (u, v) };
                // forward and inverse-transposed: the scaled addition comes first
                if inverse == transposed {
                    self.field.add_scaled(scaled, plain, &factor);
                    self.field.add_scaled(plain, scaled, &Field::<L>::ONE);
                } else {
                    self.field.add_scaled(plain, scaled, &Field::<L>::ONE);
                    self.field.add_scaled(scaled, plain, &factor);
                }
            }
        }
    }
}
