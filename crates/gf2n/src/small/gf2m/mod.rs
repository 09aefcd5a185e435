//! GF(2^m) for 2 <= m <= 16: single elements ([`Gf2m`]) and bitsliced vectors for bulk work ([`planes`]).
//!
//! A bitsliced vector holds one element a *lane*: plane i is a machine word whose bit j is the coefficient of z^i of the
//! element in lane j. The word type belongs to a back end ([`backend::LaneBackend`]): 64 lanes portable, 256 with AVX2, 512 with
//! AVX-512, 128 with NEON. All of it is constant time in the elements.

pub mod backend;
mod field;
// planes are indices of several lists at once
#[allow(clippy::needless_range_loop)]
pub mod planes;
#[allow(clippy::needless_range_loop)]
pub mod scalar;
pub mod slicing;

pub use field::{FIELD_POLYNOMIALS, Gf2m};
