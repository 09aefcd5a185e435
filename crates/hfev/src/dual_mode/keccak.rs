//! The permutation Keccak-f[1600] on one state or on several states side by side (FIPS 202, section 3).

use super::backend::StateLanes;

/// Round constants of step iota.
const ROUND_CONSTANTS: [u64; 24] = [
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

/// One permutation of every state. Word x + 5y of a state is the lane (x, y) of the standard. Constant time.
#[inline(always)]
pub(super) fn permute<L: StateLanes>(lanes: L, a: &mut [L::Word; 25]) {
    for constant in ROUND_CONSTANTS {
        // theta
        let c: [L::Word; 5] = core::array::from_fn(
            #[inline(always)]
            |x| lanes.xor3(lanes.xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]),
        );
        let d: [L::Word; 5] = core::array::from_fn(
            #[inline(always)]
            |x| lanes.xor(c[(x + 4) % 5], lanes.rotate::<1, 63>(c[(x + 1) % 5])),
        );
        // rho and pi
        let b = [
            lanes.xor(a[0], d[0]),
            lanes.rotate::<44, 20>(lanes.xor(a[6], d[1])),
            lanes.rotate::<43, 21>(lanes.xor(a[12], d[2])),
            lanes.rotate::<21, 43>(lanes.xor(a[18], d[3])),
            lanes.rotate::<14, 50>(lanes.xor(a[24], d[4])),
            lanes.rotate::<28, 36>(lanes.xor(a[3], d[3])),
            lanes.rotate::<20, 44>(lanes.xor(a[9], d[4])),
            lanes.rotate::<3, 61>(lanes.xor(a[10], d[0])),
            lanes.rotate::<45, 19>(lanes.xor(a[16], d[1])),
            lanes.rotate::<61, 3>(lanes.xor(a[22], d[2])),
            lanes.rotate::<1, 63>(lanes.xor(a[1], d[1])),
            lanes.rotate::<6, 58>(lanes.xor(a[7], d[2])),
            lanes.rotate::<25, 39>(lanes.xor(a[13], d[3])),
            lanes.rotate::<8, 56>(lanes.xor(a[19], d[4])),
            lanes.rotate::<18, 46>(lanes.xor(a[20], d[0])),
            lanes.rotate::<27, 37>(lanes.xor(a[4], d[4])),
            lanes.rotate::<36, 28>(lanes.xor(a[5], d[0])),
            lanes.rotate::<10, 54>(lanes.xor(a[11], d[1])),
            lanes.rotate::<15, 49>(lanes.xor(a[17], d[2])),
            lanes.rotate::<56, 8>(lanes.xor(a[23], d[3])),
            lanes.rotate::<62, 2>(lanes.xor(a[2], d[2])),
            lanes.rotate::<55, 9>(lanes.xor(a[8], d[3])),
            lanes.rotate::<39, 25>(lanes.xor(a[14], d[4])),
            lanes.rotate::<41, 23>(lanes.xor(a[15], d[0])),
            lanes.rotate::<2, 62>(lanes.xor(a[21], d[1])),
        ];
        // chi and iota
        for y in 0..5 {
            for x in 0..5 {
                a[5 * y + x] = lanes.chi(b[5 * y + x], b[5 * y + (x + 1) % 5], b[5 * y + (x + 2) % 5]);
            }
        }
        a[0] = lanes.xor(a[0], lanes.splat(constant));
    }
}
