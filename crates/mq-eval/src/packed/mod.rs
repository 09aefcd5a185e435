//! Batched quadratic systems over GF(16) and GF(256).
//!
//! The oil-and-vinegar schemes store all equations of a system at once: the coefficient of one monomial in every equation
//! is a *cell*, a run of packed field elements, and a matrix is a run of cells in row-major order. So each product that
//! they need is of the form "sum over t of scalar(t, j) times cell(t), for several columns j". That one operation is
//! [`Multipliers::combine`]; [`products`] builds the four matrix products out of it.
//!
//! * [`PackedField`]: GF(16) with two elements a byte (the first in the low nibble), GF(256) with one.
//! * [`Multipliers`]: a matrix of scalars prepared for a back end; wiped when dropped.
//! * [`System`]: linear systems, solved in constant time.
//! * [`Engine`]: the back end. The portable one is the definition; all run in constant time with respect to scalars and cells.
//!   Lengths, offsets and ranges are public.

pub mod backend;
mod field;
mod job;
mod multipliers;
mod portable;
pub mod products;
mod solve;
pub mod words32;

pub use backend::Engine;
pub use field::{Gf16, Gf256, PackedField};
pub use job::Job;
pub use multipliers::Multipliers;
pub use solve::{Pivoting, System};

#[cfg(test)]
mod solve_tests;
#[cfg(test)]
mod tests;
