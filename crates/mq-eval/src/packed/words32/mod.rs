//! GF(16) on machines of 32-bit words without vector instructions (ARMv7-M).
//!
//! Cells are runs of 32-bit words here, eight elements a word, element 8 q + e in nibble e of word q; elements behind the last
//! one are zero. Three ways to multiply, by what is public:
//!
//! * public cells, secret scalars ([`Lookup`]): P1, P2 and the matrices E are public, the vectors that they are multiplied by are
//!   not. The scalars of a term for up to 16 columns are two words; their sixteen multiples are prepared once, and each element
//!   of a cell chooses one of them. So a product of one element by 16 scalars is one nibble taken out, two loads, two sums: five
//!   instructions, where masks take four a column. The addresses depend on public coefficients only.
//! * secret cells, secret scalars ([`Prepared`]): the bits of the elements, four apart, times the multiples of the scalar by 1, x,
//!   x^2, x^3 as integers.
//! * public scalars ([`Bins`]): cells are added to the bin of their scalar, bins are combined once.
//!
//! [`System`](super::System) has an elimination of its own for them. Splitting cells into bit planes first, as hand-written ARM code
//! does it for its predicated instructions, costs sixteen instructions for 32 elements and saves none here: a product of packed words
//! takes as many instructions as one of bit planes.

mod cells;
mod lookup;
mod solve;

pub use cells::{Bins, Prepared, Scalar, SecretWords, load, scalar, store, transpose, words};
pub use lookup::Lookup;
pub(super) use solve::solve;

#[cfg(test)]
mod tests;
