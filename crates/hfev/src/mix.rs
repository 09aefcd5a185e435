//! Mixing of equations: a secret bit matrix applied to very many rows.

use gf2n::matrix::BitMatrix;

/// Multiplies rows of n bits by a fixed secret n x m matrix. Constant-time.
pub(crate) struct Mixer {
    matrix: BitMatrix,
    #[cfg(target_arch = "x86_64")]
    shuffles: Option<shuffled::Tables>,
}

impl Mixer {
    pub(crate) fn new(matrix: BitMatrix) -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            shuffles: shuffled::Tables::new(&matrix),
            matrix,
        }
    }

    /// `outputs` := `inputs` * matrix, row by row: rows of ceil(n/64) words in, ceil(m/64) words out.
    pub(crate) fn apply(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let (input_words, output_words) = (self.matrix.rows().div_ceil(64), self.matrix.words_per_row());
        debug_assert_eq!(inputs.len() / input_words, outputs.len() / output_words);
        #[cfg(target_arch = "x86_64")]
        if let Some(tables) = &mut self.shuffles {
            tables.apply(inputs, input_words, outputs, output_words);
            return;
        }
        for (input, output) in inputs.chunks_exact(input_words).zip(outputs.chunks_exact_mut(output_words)) {
            output.fill(0);
            for i in 0..self.matrix.rows() {
                let mask = core::hint::black_box((input[i / 64] >> (i % 64) & 1).wrapping_neg());
                for (word, entry) in output.iter_mut().zip(self.matrix.row(i)) {
                    *word ^= mask & entry;
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod shuffled {
    use alloc::{vec, vec::Vec};

    use zeroize::Zeroize;

    use super::BitMatrix;
    use crate::backend::mix_x86::{ByteShuffles, NibbleTables, Plane};

    /// Rows that go through the tables together: two planes of 32.
    const BATCH: usize = 64;

    pub(super) struct Tables {
        token: ByteShuffles,
        /// Output byte by output byte, for every input byte the tables of its nibbles.
        tables: Vec<NibbleTables>,
        inputs: Vec<[Plane; 4]>,
        outputs: Vec<[Plane; 2]>,
    }

    impl Tables {
        pub(super) fn new(matrix: &BitMatrix) -> Option<Self> {
            let token = ByteShuffles::detect()?;
            let (input_bytes, output_bytes) = (matrix.rows().div_ceil(8), matrix.columns().div_ceil(8));
            let mut tables = Vec::with_capacity(input_bytes * output_bytes);
            for b in 0..output_bytes {
                for k in 0..input_bytes {
                    let mut table = [0; 32];
                    for i in 0..8.min(matrix.rows() - 8 * k) {
                        let byte = (matrix.row(8 * k + i)[b / 8] >> (8 * (b % 8))) as u8;
                        let half = &mut table[16 * (i / 4)..][..16];
                        for (index, entry) in half.iter_mut().enumerate() {
                            // the index is the address, not the data
                            *entry ^= byte * (index >> (i % 4) & 1) as u8;
                        }
                    }
                    tables.push(table);
                }
            }
            Some(Self {
                token,
                tables,
                inputs: vec![[[0; 4]; 4]; input_bytes],
                outputs: vec![[[0; 4]; 2]; output_bytes],
            })
        }

        pub(super) fn apply(
            &mut self,
            inputs: &[u64],
            input_words: usize,
            outputs: &mut [u64],
            output_words: usize,
        ) {
            let token = self.token;
            let batches = inputs.chunks(BATCH * input_words).zip(outputs.chunks_mut(BATCH * output_words));
            token.run(
                #[inline(always)]
                || {
                    for (input, output) in batches {
                        for half in 0..2 {
                            for word in 0..input_words {
                                let mut block = gather(input, input_words, half, word);
                                transpose(&mut block);
                                for (planes, bytes) in self.inputs[8 * word..].iter_mut().zip(block) {
                                    planes[half] = bytes;
                                }
                            }
                        }
                        token.look_up(&self.tables, &mut self.inputs, &mut self.outputs);
                        for half in 0..2 {
                            for word in 0..output_words {
                                let mut block = [[0; 4]; 8];
                                for (bytes, planes) in block.iter_mut().zip(&self.outputs[8 * word..]) {
                                    *bytes = planes[half];
                                }
                                transpose(&mut block);
                                scatter(&block, output, output_words, half, word);
                            }
                        }
                    }
                },
            );
        }
    }

    impl Drop for Tables {
        fn drop(&mut self) {
            self.tables.as_flattened_mut().zeroize();
            self.inputs.as_flattened_mut().as_flattened_mut().zeroize();
            self.outputs.as_flattened_mut().as_flattened_mut().zeroize();
        }
    }

    /// Word `word` of the rows 32 `half` + 4 i + lane, at block[i][lane]; zero for rows that do not exist.
    #[inline(always)]
    fn gather(rows: &[u64], stride: usize, half: usize, word: usize) -> [Plane; 8] {
        let mut block = [[0; 4]; 8];
        for (row, entry) in block.as_flattened_mut().iter_mut().enumerate() {
            *entry = rows.get((32 * half + row) * stride + word).copied().unwrap_or(0);
        }
        block
    }

    /// The inverse of [`gather`].
    #[inline(always)]
    fn scatter(block: &[Plane; 8], rows: &mut [u64], stride: usize, half: usize, word: usize) {
        for (row, &entry) in block.as_flattened().iter().enumerate() {
            if let Some(target) = rows.get_mut((32 * half + row) * stride + word) {
                *target = entry;
            }
        }
    }

    /// Transposes, in each of the four lanes, the 8 x 8 bytes of eight words: byte j of word i goes to byte i of word j.
    #[inline(always)]
    fn transpose(block: &mut [Plane; 8]) {
        for (distance, mask) in
            [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ffu64)]
        {
            for i in (0..8).filter(|i| i & distance == 0) {
                let (first, second) = block.split_at_mut(i + distance);
                for (low, high) in first[i].iter_mut().zip(&mut second[0]) {
                    let swap = (*low >> (8 * distance) ^ *high) & mask;
                    *low ^= swap << (8 * distance);
                    *high ^= swap;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;
    use gf2n::backend::{Level, set_ceiling};

    #[test]
    fn agrees_with_the_matrix_product() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        for (n, m, rows) in
            [(174, 162, 100), (8, 8, 1), (1, 1, 64), (65, 64, 63), (544, 512, 129), (24, 16, 3)]
        {
            let inputs = BitMatrix::from_fn(rows, n, |_, _| next() >> 40 & 1 == 1);
            let matrix = BitMatrix::from_fn(n, m, |_, _| next() >> 40 & 1 == 1);
            let expected = inputs.product(&matrix);
            let flat: Vec<u64> = (0..rows).flat_map(|i| inputs.row(i).to_vec()).collect();
            for level in Level::ALL {
                set_ceiling(level);
                let mut outputs = vec![u64::MAX; rows * matrix.words_per_row()];
                Mixer::new(matrix.clone()).apply(&flat, &mut outputs);
                let got = outputs.chunks(matrix.words_per_row());
                assert!(
                    (0..rows).zip(got).all(|(i, row)| row == expected.row(i)),
                    "{n} x {m} at {}",
                    level.name()
                );
            }
        }
    }
}
