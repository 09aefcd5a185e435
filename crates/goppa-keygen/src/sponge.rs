//! SHAKE256 of a few short parts (FIPS 202): Keccak-f\[1600\] compiled for the rotations and AND-NOT of the CPU, where it has them.

use zeroize::Zeroize;

#[cfg(target_arch = "x86_64")]
use crate::backend::Rotations;

/// Bytes absorbed or squeezed by one permutation.
const RATE: usize = 136;

const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808A,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808B,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008A,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000A,
    0x0000_0000_8000_808B,
    0x8000_0000_0000_008B,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800A,
    0x8000_0000_8000_000A,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Rotation of lane x + 5 y.
const ROTATIONS: [u32; 25] =
    [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/// The body once for each index below 5: lanes must be named by constants to stay in registers.
macro_rules! five {
    ($index:ident, $body:expr) => {{
        five!(@each $index, $body, 0 1 2 3 4);
    }};
    (@each $index:ident, $body:expr, $($value:literal)+) => {
        $({
            let $index: usize = $value;
            $body
        })+
    };
}

/// Keccak-f\[1600\].
#[inline(always)]
fn permute(state: &mut [u64; 25]) {
    let mut lanes = *state;
    for constant in ROUND_CONSTANTS {
        let (mut columns, mut parities) = ([0u64; 5], [0u64; 5]);
        five!(x, columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]);
        five!(x, parities[x] = columns[(x + 4) % 5] ^ columns[(x + 1) % 5].rotate_left(1));
        let mut moved = [0u64; 25];
        five!(
            x,
            five!(
                y,
                moved[y + 5 * ((2 * x + 3 * y) % 5)] =
                    (lanes[x + 5 * y] ^ parities[x]).rotate_left(ROTATIONS[x + 5 * y])
            )
        );
        five!(
            y,
            five!(
                x,
                lanes[x + 5 * y] =
                    moved[x + 5 * y] ^ (!moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y])
            )
        );
        lanes[0] ^= constant;
    }
    *state = lanes;
}

/// Absorbs the parts, one after another, and squeezes the output. Constant time in all of them but their lengths.
#[inline(always)]
fn absorb_and_squeeze(parts: &[&[u8]], output: &mut [u8]) {
    let mut state = [0u64; 25];
    let mut block = [0u8; RATE];
    let mut filled = 0;
    for part in parts {
        let mut rest = *part;
        while !rest.is_empty() {
            let count = rest.len().min(RATE - filled);
            let (now, later) = rest.split_at(count);
            block[filled..filled + count].copy_from_slice(now);
            (filled, rest) = (filled + count, later);
            if filled == RATE {
                absorb(&mut state, &block);
                permute(&mut state);
                filled = 0;
            }
        }
    }
    block[filled..].fill(0);
    block[filled] ^= 0x1F;
    block[RATE - 1] ^= 0x80;
    absorb(&mut state, &block);
    for chunk in output.chunks_mut(RATE) {
        permute(&mut state);
        for (bytes, lane) in chunk.chunks_mut(8).zip(&state) {
            bytes.copy_from_slice(&lane.to_le_bytes()[..bytes.len()]);
        }
    }
    state.zeroize();
    block.zeroize();
}

#[inline(always)]
fn absorb(state: &mut [u64; 25], block: &[u8; RATE]) {
    for (lane, bytes) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
}

/// The first `output.len()` bytes of SHAKE256 of all parts together. Constant time in everything but the lengths.
pub fn shake256(parts: &[&[u8]], output: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Rotations::detect() {
        return token.run(
            #[inline(always)]
            || absorb_and_squeeze(parts, output),
        );
    }
    absorb_and_squeeze(parts, output);
}
