//! Control bits of the permutation network, by the oblivious form of the looping algorithm.
//!
//! For a permutation p of {0..N-1} and X(x) = x xor 1, the first layer is given by the minima of the cycles of P = Y X, where
//! Y = p X p^-1 is an involution. Powers of P are kept through Y alone: (Y X)^2 = (Y X Y) X, and inverses are local, because P^-1 =
//! X P X. For the same reason a minimum c over the window P^i x, |i| <= r, obeys c(X x) = X c(x): looking up c at distance
//! L on one side gives both sides. See Bernstein, *Verified fast formulas for control bits for permutation networks* (2020), for
//! the closed form.
//!
//! Composition with a secret permutation is either one sort by its values (`sorting`) or, where tables fit registers, a look-up in
//! the registers (`tables`): every table passes by every index, so that no address depends on data. Sorting takes
//! n log^2 n steps of one vector operation, looking up n^2 / (lanes * entries): the latter wins below a size that depends on the CPU.
//!
//! All permutations of one level of the recursion are handled together, breadth first. Entry x of permutation s of S is kept at x S + s
//! by the sorting levels, the order of the control bits, in which the recursion moves nothing.

mod bits;
mod sorting;
mod tables;

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::SortVectors;
use crate::backend::tables::PermutationTables;
use crate::network::control_bytes;
use crate::wiped::Wiped;

/// The control bits of the permutation `pi` of {0..2^m-1}, 2 <= 2^m = `pi.len()` <= 65536: layer by layer, least significant bit
/// first. Constant time in `pi`.
#[must_use]
pub fn control_bits<B: SortVectors<u32> + PermutationTables>(backend: B, pi: &[u16]) -> Zeroizing<Vec<u8>> {
    let m = pi.len().trailing_zeros() as usize;
    let mut control = Zeroizing::new(vec![0u8; control_bytes(m)]);
    let mut p = Wiped::zeros(pi.len());
    for (value, target) in pi.iter().zip(p.iter_mut()) {
        *target = u32::from(*value);
    }
    let levels = B::TABLE_LEVELS.min(m);
    let mut work = sorting::Work::new(pi.len());
    for depth in 0..m - levels {
        work.level(backend, &mut p, m, depth, &mut control);
    }
    if levels > 0 {
        let q = work.inverse(backend, &p, m, m - levels);
        tables::levels(backend, &p, &q, m, levels, &mut control);
    }
    control
}

/// The two layers of the level at `depth`: (first, last).
const fn layer_numbers(m: usize, depth: usize) -> (usize, usize) {
    (depth, 2 * m - 2 - depth)
}
