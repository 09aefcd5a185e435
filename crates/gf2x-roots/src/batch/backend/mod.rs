//! Products of byte planes by a constant.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Gfni512, Shuffle};

use super::planes::Line;

/// The bytes of some lines.
#[inline(always)]
pub(super) fn bytes(lines: &[Line]) -> &[u8] {
    // SAFETY: `Line` is `repr(C)` and nothing but 64 bytes, aligned to 64, so that a slice of lines is 64 bytes a line without
    // padding, all initialised; the lifetime is that of the borrow.
    unsafe { core::slice::from_raw_parts(lines.as_ptr().cast(), 64 * lines.len()) }
}

/// A back end: 64 elements at a time, in three vectors of 64 bytes. Implemented by CPU tokens, whose value proves the features,
/// and by [`Portable`]. The methods are to be called inside the token's `run`.
pub(super) trait PlaneKernel: Copy {
    /// 64 bytes.
    type Vector: Copy;
    /// Multiplication by a constant; the table is linear in the constant.
    type Table: Copy;

    fn load(self, line: &Line) -> Self::Vector;
    fn store(self, vector: Self::Vector, line: &mut Line);
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The table of the linear map that sends x^b to `images[b]`.
    fn table(self, images: &[u32; 24]) -> Self::Table;
    /// The table of the sum of two constants.
    fn add_tables(self, a: &Self::Table, b: &Self::Table) -> Self::Table;
    /// The products of 64 elements.
    fn multiply(self, table: &Self::Table, elements: [Self::Vector; 3]) -> [Self::Vector; 3];
}

/// Tables of 16 multiples for every four bits: the definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl PlaneKernel for Portable {
    type Vector = [u8; 64];
    type Table = [[u32; 16]; 6];

    #[inline(always)]
    fn load(self, line: &Line) -> [u8; 64] {
        line.0
    }

    #[inline(always)]
    fn store(self, vector: [u8; 64], line: &mut Line) {
        line.0 = vector;
    }

    #[inline(always)]
    fn add(self, a: [u8; 64], b: [u8; 64]) -> [u8; 64] {
        core::array::from_fn(|i| a[i] ^ b[i])
    }

    fn table(self, images: &[u32; 24]) -> Self::Table {
        nibble_tables(images)
    }

    fn add_tables(self, a: &Self::Table, b: &Self::Table) -> Self::Table {
        core::array::from_fn(|n| core::array::from_fn(|v| a[n][v] ^ b[n][v]))
    }

    #[inline(always)]
    fn multiply(self, table: &Self::Table, elements: [[u8; 64]; 3]) -> [[u8; 64]; 3] {
        let mut products = [[0; 64]; 3];
        for i in 0..64 {
            let mut product = 0;
            for (plane, tables) in elements.iter().zip(table.as_chunks::<2>().0) {
                let byte = plane[i];
                product ^= tables[0][usize::from(byte & 15)] ^ tables[1][usize::from(byte >> 4)];
            }
            for (plane, byte) in products.iter_mut().zip(product.to_le_bytes()) {
                plane[i] = byte;
            }
        }
        products
    }
}

/// For every four bits of an element the images of their 16 values.
fn nibble_tables(images: &[u32; 24]) -> [[u32; 16]; 6] {
    let mut tables = [[0; 16]; 6];
    for (table, images) in tables.iter_mut().zip(images.as_chunks::<4>().0) {
        for (bit, image) in images.iter().enumerate() {
            for low in 0..1 << bit {
                table[low + (1 << bit)] = table[low] ^ image;
            }
        }
    }
    tables
}
