//! Carry-less multiplication on vectors of 128-bit cells: the interface between kernels and back ends.

use super::Level;

/// A 128-bit cell: two 64-bit words, lowest first. A product of two words fills one cell; an operand cell holds two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Cell(pub [u64; 2]);

impl Cell {
    /// The zero cell.
    pub const ZERO: Self = Self([0; 2]);
}

impl zeroize::DefaultIsZeroes for Cell {}

/// A back end for carry-less products: a token (proof of CPU features) and vectors of [`LANES`](Self::LANES) cells.
///
/// A kernel is a function generic over this trait, marked `#[inline(always)]`, that runs inside [`run`](Self::run): then it
/// is compiled with the features of the token and every method below becomes one instruction or a few. Outside of `run` the
/// methods are correct as well, and slow.
pub trait ClmulLanes: Copy + Send + Sync + 'static {
    /// [`LANES`](Self::LANES) cells.
    type Vector: Copy;

    /// The back end with vectors of one cell that needs no more features than this one.
    type Narrow: super::WordLanes;

    /// Cells in a vector: 1, 2 or 4.
    const LANES: usize;

    /// The name for reports.
    const NAME: &'static str;

    /// The step of the back-end ladder.
    const LEVEL: Level;

    /// The back end, if this CPU has its features and the process allows its level.
    fn detect() -> Option<Self>;

    /// The one-cell back end.
    fn narrow(self) -> Self::Narrow;

    /// Runs `kernel` compiled with the features of this back end.
    ///
    /// Write `backend.run(#[inline(always)] || kernel(backend, ...))` with an `#[inline(always)]` kernel, or use
    /// [`run_clmul!`](crate::run_clmul), which does so. A closure that the compiler leaves outside is correct but compiled without
    /// the features, and every vector operation becomes a call: some thirty times slower. The same happens to closures inside a
    /// kernel that are handed to `core::array::from_fn` and the like; loops are safe.
    fn run<R>(self, kernel: impl FnOnce() -> R) -> R;

    /// The zero vector.
    fn zero(self) -> Self::Vector;

    /// The first [`LANES`](Self::LANES) cells of the slice.
    ///
    /// # Panics
    /// If the slice is shorter.
    fn load(self, cells: &[Cell]) -> Self::Vector;

    /// Writes the first [`LANES`](Self::LANES) cells of the slice.
    ///
    /// # Panics
    /// If the slice is shorter.
    fn store(self, vector: Self::Vector, cells: &mut [Cell]);

    /// The cell in every lane.
    fn broadcast(self, cell: &Cell) -> Self::Vector;

    /// Lane-wise sum.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Lane-wise carry-less product of the low words.
    fn clmul_low(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Lane-wise carry-less product of the high words.
    fn clmul_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Lane-wise carry-less product of the low word by the high word.
    fn clmul_halves(self, a: Self::Vector) -> Self::Vector;

    /// In each lane, the high word of `a` as low word and the low word of `b` as high word: what the carry-less products of
    /// neighbouring words share.
    fn straddle(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// One carry-less 64 x 64 bit product, as low and high word.
    #[inline(always)]
    fn clmul(self, a: u64, b: u64) -> [u64; 2] {
        let narrow = self.narrow();
        let (a, b) = (narrow.broadcast(&Cell([a, 0])), narrow.broadcast(&Cell([b, 0])));
        let mut product = [Cell::ZERO];
        narrow.store(narrow.clmul_low(a, b), &mut product);
        product[0].0
    }

    /// The square of one word as a polynomial: bit i moves to bit 2 i.
    #[inline(always)]
    fn clsquare(self, a: u64) -> [u64; 2] {
        self.clmul(a, a)
    }
}
