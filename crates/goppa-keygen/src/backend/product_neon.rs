//! NEON: four inner rows a table of 16 bytes, `tbl` as the look-up in a register.

use core::arch::aarch64::*;

use gf2n::small::gf2m::backend::Neon;

use super::product::{Product, RowProduct};

impl RowProduct for Neon {
    const ROW_GROUP: usize = 16;
    const TABLE_BYTES: usize = 256;
    const INDEX_BYTES: usize = 256;

    #[inline(always)]
    fn build_table(self, rows: &[u8; 64], table: &mut [u8]) {
        for (four, entries) in rows.as_chunks::<4>().0.iter().zip(table.chunks_exact_mut(16)) {
            for (entry, value) in entries.iter_mut().enumerate() {
                // the number of the entry is public
                *value = (0..4).fold(0, |sum, row| if entry >> row & 1 == 1 { sum ^ four[row] } else { sum });
            }
        }
    }

    #[inline(always)]
    fn build_index(self, columns: &[u8], stride: usize, first_row: usize, index: &mut [u8]) {
        for (column, part) in index.chunks_exact_mut(32).enumerate().take(8) {
            let source = &columns[column * stride + first_row..][..16];
            let (low, high) = part.split_at_mut(16);
            for ((byte, low), high) in source.iter().zip(low).zip(high) {
                *low = byte & 15;
                *high = byte >> 4;
            }
        }
    }

    #[inline(always)]
    fn add_product(self, product: Product<'_>, target: &mut [u8]) {
        let steps = 16 * product.blocks;
        for (column, sums) in target.chunks_exact_mut(product.stride).enumerate() {
            let tables = &product.tables[column * product.table_pitch..][..steps * 16];
            let sums = &mut sums[product.first_row..][..16 * product.row_groups];
            for (group, rows) in sums.chunks_exact_mut(16).enumerate() {
                let index = &product.index[group * product.index_pitch..][..steps * 16];
                // SAFETY: NEON is part of the target's base line; every chunk has 16 bytes.
                unsafe {
                    let mut sum = vld1q_u8(rows.as_ptr());
                    for (table, selector) in tables.chunks_exact(16).zip(index.chunks_exact(16)) {
                        let looked_up = vqtbl1q_u8(vld1q_u8(table.as_ptr()), vld1q_u8(selector.as_ptr()));
                        sum = veorq_u8(sum, looked_up);
                    }
                    vst1q_u8(rows.as_mut_ptr(), sum);
                }
            }
        }
    }
}
