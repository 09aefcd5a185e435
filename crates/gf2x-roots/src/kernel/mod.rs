//! The kernels under everything: sums of products of field elements, reduced once.
//!
//! An operand that is used many times is kept *evaluated* ([`formula`]): its points fill 128-bit cells, two points to a cell,
//! and the cells of neighbouring coefficients are neighbours in memory ([`planes`]). Then a sum of products is, for each pair
//! of points, a loop of loads, carry-less products and XORs ([`dot`]) that serves as many neighbouring outputs as fit the
//! registers; the interpolation, the reduction and the evaluation of the result run across many outputs at
//! once ([`finish`]). [`engine`] is what the algorithms see.
//!
//! Everything is generic over the back end's lanes and the number of words; the modulus is data. Nothing here branches on or
//! indexes by the value of an element.

mod dot;
mod engine;
mod finish;
mod formula;
mod planes;

pub(crate) use dot::{MAX_BLOCK, PointSums, Terms};
pub(crate) use engine::{Deposit, Engine, Job, Source};
pub(crate) use planes::Planes;
