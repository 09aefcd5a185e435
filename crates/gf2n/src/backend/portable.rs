//! The portable back end: carry-less products by integer multiplication "with holes". Constant time, no table.
//!
//! An integer product of operands whose bits lie 4 apart equals their carry-less product in every fourth bit, as long as at
//! most 15 partial products meet in one place: the carries stay inside the 3-bit holes. A 64-bit operand has 16 bits in each
//! of the four residue classes, one too many, so one operand is cut to its low 60 bits; its top 4 bits are multiplied
//! separately, where 4 adjacent bits times bits 4 apart never meet at all. (The technique is folklore; the range argument is
//! ours.) There is no data-dependent selection that a compiler could turn into a branch, only AND, XOR, shifts and
//! multiplications; this is constant time wherever the CPU's 64-bit multiplication is.

use super::Level;
use super::lanes::{Cell, ClmulLanes};

/// The portable back end, which needs no CPU feature. The definition of all others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

/// Every fourth bit, from bit 0.
const CLASS: u64 = 0x1111_1111_1111_1111;

/// The integer product of two words.
#[inline(always)]
fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// The carry-less product of two words. Some hundred instructions: a call costs little, and copies of it in every kernel much.
#[inline(never)]
pub(crate) fn clmul(a: u64, b: u64) -> u128 {
    let body = a & (u64::MAX >> 4);
    let top = a >> 60;
    let (a0, a1, a2, a3) = (body & CLASS, body & (CLASS << 1), body & (CLASS << 2), body & (CLASS << 3));
    let (b0, b1, b2, b3) = (b & CLASS, b & (CLASS << 1), b & (CLASS << 2), b & (CLASS << 3));
    let r0 = product(a0, b0) ^ product(a1, b3) ^ product(a2, b2) ^ product(a3, b1);
    let r1 = product(a0, b1) ^ product(a1, b0) ^ product(a2, b3) ^ product(a3, b2);
    let r2 = product(a0, b2) ^ product(a1, b1) ^ product(a2, b0) ^ product(a3, b3);
    let r3 = product(a0, b3) ^ product(a1, b2) ^ product(a2, b1) ^ product(a3, b0);
    let class = u128::from(CLASS) << 64 | u128::from(CLASS);
    let low = (r0 & class) | (r1 & (class << 1)) | (r2 & (class << 2)) | (r3 & (class << 3));
    let high = product(top, b0) ^ product(top, b1) ^ product(top, b2) ^ product(top, b3);
    low ^ (high << 60)
}

/// The low 32 bits, spread to the even bits.
#[inline(always)]
fn spread(half: u64) -> u64 {
    let mut word = half & 0xffff_ffff;
    word = (word | (word << 16)) & 0x0000_ffff_0000_ffff;
    word = (word | (word << 8)) & 0x00ff_00ff_00ff_00ff;
    word = (word | (word << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    word = (word | (word << 2)) & 0x3333_3333_3333_3333;
    (word | (word << 1)) & 0x5555_5555_5555_5555
}

#[inline(always)]
fn words(value: u128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

impl ClmulLanes for Portable {
    type Vector = Cell;
    type Narrow = Self;
    const LANES: usize = 1;
    const NAME: &'static str = "portable";
    const LEVEL: Level = Level::Portable;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R {
        kernel()
    }

    #[inline(always)]
    fn zero(self) -> Cell {
        Cell::ZERO
    }

    #[inline(always)]
    fn load(self, cells: &[Cell]) -> Cell {
        cells[0]
    }

    #[inline(always)]
    fn store(self, vector: Cell, cells: &mut [Cell]) {
        cells[0] = vector;
    }

    #[inline(always)]
    fn broadcast(self, cell: &Cell) -> Cell {
        *cell
    }

    #[inline(always)]
    fn xor(self, a: Cell, b: Cell) -> Cell {
        Cell([a.0[0] ^ b.0[0], a.0[1] ^ b.0[1]])
    }

    #[inline(always)]
    fn clmul_low(self, a: Cell, b: Cell) -> Cell {
        Cell(words(clmul(a.0[0], b.0[0])))
    }

    #[inline(always)]
    fn clmul_high(self, a: Cell, b: Cell) -> Cell {
        Cell(words(clmul(a.0[1], b.0[1])))
    }

    #[inline(always)]
    fn clmul_halves(self, a: Cell) -> Cell {
        Cell(words(clmul(a.0[0], a.0[1])))
    }

    #[inline(always)]
    fn straddle(self, a: Cell, b: Cell) -> Cell {
        Cell([a.0[1], b.0[0]])
    }

    #[inline(always)]
    fn clmul(self, a: u64, b: u64) -> [u64; 2] {
        words(clmul(a, b))
    }

    #[inline(always)]
    fn clsquare(self, a: u64) -> [u64; 2] {
        [spread(a), spread(a >> 32)]
    }
}

#[cfg(test)]
mod tests {
    use super::{ClmulLanes, Portable, clmul};
    use proptest::prelude::*;

    /// The definition.
    fn shift_and_add(a: u64, b: u64) -> u128 {
        (0..64).filter(|i| (a >> i) & 1 == 1).fold(0, |sum, i| sum ^ (u128::from(b) << i))
    }

    #[test]
    fn edge_operands() {
        let edges = [0, 1, 2, 0xf << 60, 1 << 60, 1 << 63, u64::MAX, super::CLASS, super::CLASS << 3];
        for a in edges {
            for b in edges {
                assert_eq!(clmul(a, b), shift_and_add(a, b), "{a:x} {b:x}");
            }
        }
    }

    proptest! {
        #[test]
        fn product_is_the_definition(a: u64, b: u64) {
            prop_assert_eq!(clmul(a, b), shift_and_add(a, b));
            prop_assert_eq!(Portable.clsquare(a), Portable.clmul(a, a));
        }
    }
}
