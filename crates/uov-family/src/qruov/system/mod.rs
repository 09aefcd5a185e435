//! Linear systems `A x = b` over `F_q` with a secret `A`, solved without a branch or an address that depends on it.
//!
//! The pivot columns are those of the reduced row echelon form. What becomes public is what the scheme makes public: the rank (it
//! shows in the number of salts) and whether a right-hand side is consistent.
//!
//! [`solve_full_rank`] is enough nearly always; [`Reduced`] serves the systems of lower rank.

mod echelon;
mod rows;
#[cfg(test)]
mod tests;
mod triangular;

pub(crate) use echelon::Reduced;
pub(crate) use triangular::solve_full_rank;
