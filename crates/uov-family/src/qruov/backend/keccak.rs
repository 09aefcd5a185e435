//! SHAKE of several short inputs at once, one to a lane of a vector.

use super::Backend;
#[cfg(test)]
use crate::qruov::sponge::shake;
#[cfg(test)]
use alloc::vec::Vec;

/// A vector of 64-bit Keccak lanes.
pub(crate) trait KeccakWord: Copy + Send + Sync {
    /// States side by side.
    const STATES: usize;
    /// `a ^ b`.
    fn xor(self, other: Self) -> Self;
    /// Rotates to the left by `K`, 0 < K < 64.
    fn rotate<const K: i32>(self) -> Self;
    /// `self ^ (!b & c)`.
    fn chi(self, b: Self, c: Self) -> Self;
    /// The word of each state.
    fn write(self, out: &mut [u64; 8]);
    /// One word to a state.
    fn read(words: &[u64; 8]) -> Self;
}

impl KeccakWord for u64 {
    const STATES: usize = 1;
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn rotate<const K: i32>(self) -> Self {
        self.rotate_left(K as u32)
    }
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self ^ (!b & c)
    }
    #[inline(always)]
    fn write(self, out: &mut [u64; 8]) {
        out[0] = self;
    }
    #[inline(always)]
    fn read(words: &[u64; 8]) -> Self {
        words[0]
    }
}

pub(crate) const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Keccak-f[1600] (FIPS 202, section 3.3) on every state.
#[inline(always)]
pub(crate) fn permute<W: KeccakWord>(constants: &[W; 24], a: &mut [W; 25]) {
    for constant in constants {
        // theta
        let column = |x: usize| a[x].xor(a[x + 5]).xor(a[x + 10]).xor(a[x + 15]).xor(a[x + 20]);
        let c = [column(0), column(1), column(2), column(3), column(4)];
        let d = [
            c[4].xor(c[1].rotate::<1>()),
            c[0].xor(c[2].rotate::<1>()),
            c[1].xor(c[3].rotate::<1>()),
            c[2].xor(c[4].rotate::<1>()),
            c[3].xor(c[0].rotate::<1>()),
        ];
        // rho and pi, one row of the new state at a time, then chi
        let row0 = [
            a[0].xor(d[0]),
            a[6].xor(d[1]).rotate::<44>(),
            a[12].xor(d[2]).rotate::<43>(),
            a[18].xor(d[3]).rotate::<21>(),
            a[24].xor(d[4]).rotate::<14>(),
        ];
        let row1 = [
            a[3].xor(d[3]).rotate::<28>(),
            a[9].xor(d[4]).rotate::<20>(),
            a[10].xor(d[0]).rotate::<3>(),
            a[16].xor(d[1]).rotate::<45>(),
            a[22].xor(d[2]).rotate::<61>(),
        ];
        let row2 = [
            a[1].xor(d[1]).rotate::<1>(),
            a[7].xor(d[2]).rotate::<6>(),
            a[13].xor(d[3]).rotate::<25>(),
            a[19].xor(d[4]).rotate::<8>(),
            a[20].xor(d[0]).rotate::<18>(),
        ];
        let row3 = [
            a[4].xor(d[4]).rotate::<27>(),
            a[5].xor(d[0]).rotate::<36>(),
            a[11].xor(d[1]).rotate::<10>(),
            a[17].xor(d[2]).rotate::<15>(),
            a[23].xor(d[3]).rotate::<56>(),
        ];
        let row4 = [
            a[2].xor(d[2]).rotate::<62>(),
            a[8].xor(d[3]).rotate::<55>(),
            a[14].xor(d[4]).rotate::<39>(),
            a[15].xor(d[0]).rotate::<41>(),
            a[21].xor(d[1]).rotate::<2>(),
        ];
        for (y, row) in [row0, row1, row2, row3, row4].into_iter().enumerate() {
            for x in 0..5 {
                a[5 * y + x] = row[x].chi(row[(x + 1) % 5], row[(x + 2) % 5]);
            }
        }
        a[0] = a[0].xor(*constant);
    }
}

/// The definition of [`Backend::permute`].
#[inline(always)]
pub(crate) fn permute_single(state: &mut [u64; 25]) {
    permute(&ROUND_CONSTANTS, state);
}

/// SHAKE with `rate` bytes a block of `seed || index` (two bytes, big-endian): the output for `indices[e]` goes to the front of
/// `out[e * stride..]`, `length` bytes, possibly followed by the rest of a block of `rate` bytes.
///
/// `seed` has at most `rate - 3` bytes. Nothing here depends on `seed` but the data.
#[inline(never)]
pub(crate) fn shake_indexed<B: Backend>(
    backend: B,
    rate: usize,
    seed: &[u8],
    indices: &[u16],
    out: &mut [u8],
    stride: usize,
    length: usize,
) {
    backend.run(
        #[inline(always)]
        || {
            let constants = ROUND_CONSTANTS.map(|constant| backend.keccak_word(constant));
            for (group, indices) in indices.chunks(B::Word::STATES).enumerate() {
                let mut block = [0_u8; 168];
                block[..seed.len()].copy_from_slice(seed);
                block[seed.len() + 2] = 0x1f;
                block[rate - 1] |= 0x80;
                let mut words = [[0_u64; 8]; 25];
                for state in 0..B::Word::STATES {
                    // a last group that is not full repeats its first index; the copies are not written out
                    let index = indices.get(state).copied().unwrap_or(indices[0]);
                    block[seed.len()..seed.len() + 2].copy_from_slice(&index.to_be_bytes());
                    for (word, bytes) in words.iter_mut().zip(block[..rate].as_chunks::<8>().0) {
                        word[state] = u64::from_le_bytes(*bytes);
                    }
                }
                let mut a: [B::Word; 25] = core::array::from_fn(|i| B::Word::read(&words[i]));
                let base = group * B::Word::STATES * stride;
                let mut at = 0;
                while at < length {
                    permute(&constants, &mut a);
                    for (i, word) in a.iter().enumerate().take(rate / 8) {
                        let mut values = [0; 8];
                        word.write(&mut values);
                        for (state, value) in values.iter().enumerate().take(indices.len()) {
                            let start = base + state * stride + at + 8 * i;
                            out[start..start + 8].copy_from_slice(&value.to_le_bytes());
                        }
                    }
                    at += rate;
                }
            }
        },
    );
}

#[cfg(test)]
pub(crate) fn check_against_single<B: Backend>(backend: B) {
    for (rate, seed_len) in [(168, 16), (136, 16), (136, 24), (136, 32)] {
        let seed: Vec<u8> = (0..seed_len).map(|i| i as u8 * 7 + 1).collect();
        let indices: Vec<u16> = (0..19).map(|i| i * 331).collect();
        let (stride, length) = (1024, 777);
        let mut out = alloc::vec![0; stride * indices.len()];
        shake_indexed(backend, rate, &seed, &indices, &mut out, stride, length);
        for (e, index) in indices.iter().enumerate() {
            let mut expected = alloc::vec![0; length];
            let parts: [&[u8]; 2] = [&seed, &index.to_be_bytes()];
            shake(rate, &parts, &mut expected);
            assert_eq!(&out[e * stride..][..length], &expected[..], "rate {rate} stream {e}");
        }
    }
}
