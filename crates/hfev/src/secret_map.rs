//! The secret linear and affine maps, as signing applies them.

use alloc::vec::Vec;

use gf2n::matrix::{BitMatrix, UnitLu};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A map on row vectors of bits. All its methods are constant-time, and it is wiped when dropped.
pub enum SecretMap {
    /// x -> x L U by two triangular passes: the form that needs no matrix product.
    Factors(UnitLu),
    /// x -> x M.
    Matrix(BitMatrix),
    /// x -> (x + t) M: the inverse of an affine map y -> y M^-1 + t.
    Affine {
        /// t, in ceil(d/64) words.
        translation: Vec<u64>,
        /// M.
        matrix: BitMatrix,
    },
}

impl SecretMap {
    /// Applies the map in place.
    ///
    /// # Panics
    /// If `vector` has not the length that the map takes, in words.
    pub fn apply(&self, vector: &mut [u64]) {
        match self {
            Self::Factors(factors) => factors.left_multiply(vector),
            Self::Matrix(matrix) => multiply(matrix, vector),
            Self::Affine { translation, matrix } => {
                vector.iter_mut().zip(translation).for_each(|(x, t)| *x ^= t);
                multiply(matrix, vector);
            }
        }
    }
}

impl SecretMap {
    /// Number of bits that go in and come out.
    #[must_use]
    pub fn side(&self) -> usize {
        match self {
            Self::Factors(factors) => factors.lower.side(),
            Self::Matrix(matrix) | Self::Affine { matrix, .. } => matrix.rows(),
        }
    }

    /// The inverse map, as a matrix A and a translation t: x -> x A + t. `None` if it is singular. Constant time up to that
    /// answer.
    #[must_use]
    pub fn inverse(&self) -> Option<(BitMatrix, Option<Zeroizing<Vec<u64>>>)> {
        match self {
            Self::Factors(factors) => Some((factors.inverse(), None)),
            Self::Matrix(matrix) => Some((matrix.inverse()?, None)),
            Self::Affine { translation, matrix } => {
                Some((matrix.inverse()?, Some(Zeroizing::new(translation.clone()))))
            }
        }
    }
}

fn multiply(matrix: &BitMatrix, vector: &mut [u64]) {
    let mut product = matrix.left_multiply(vector);
    vector.copy_from_slice(&product);
    product.zeroize();
}

impl core::fmt::Debug for SecretMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Factors(_) => "SecretMap::Factors",
            Self::Matrix(_) => "SecretMap::Matrix",
            Self::Affine { .. } => "SecretMap::Affine",
        })
    }
}

impl Drop for SecretMap {
    fn drop(&mut self) {
        // the matrices wipe themselves
        if let Self::Affine { translation, .. } = self {
            translation.as_mut_slice().zeroize();
        }
    }
}

impl ZeroizeOnDrop for SecretMap {}
