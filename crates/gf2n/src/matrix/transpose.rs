//! Transposition by blocks of 64 x 64 bits.

use super::BitMatrix;
use super::words::words_for;

/// Transposes a 64 x 64 block in place: bit j of word i goes to bit i of word j. Constant time.
///
/// Source: Warren, Hacker's Delight, section 7-3 (swap halves, quarters, ... of ever smaller blocks).
#[inline]
pub fn transpose_block(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut low = 0x0000_0000_ffff_ffffu64;
    while width != 0 {
        let mut i = 0;
        while i < 64 {
            let swap = (block[i] >> width ^ block[i + width]) & low;
            block[i] ^= swap << width;
            block[i + width] ^= swap;
            // the next i whose bit `width` is clear
            i = (i + width + 1) & !width;
        }
        width /= 2;
        low ^= low << width;
    }
}

impl BitMatrix {
    /// The transposed matrix. Constant time.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut result = Self::zero(self.columns(), self.rows());
        let mut block = [0; 64];
        for block_row in 0..words_for(self.rows()) {
            let row_count = (self.rows() - 64 * block_row).min(64);
            for block_column in 0..words_for(self.columns()) {
                for (i, word) in block.iter_mut().enumerate() {
                    *word = if i < row_count { self.row(64 * block_row + i)[block_column] } else { 0 };
                }
                transpose_block(&mut block);
                let column_count = (self.columns() - 64 * block_column).min(64);
                for (j, &word) in block.iter().enumerate().take(column_count) {
                    result.row_mut(64 * block_column + j)[block_row] = word;
                }
            }
        }
        zeroize::Zeroize::zeroize(&mut block);
        result
    }
}
