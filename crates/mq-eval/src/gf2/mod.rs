//! Multivariate quadratic systems over GF(2).
//!
//! A system of m equations in n variables is, for every monomial `1` and `x_i x_j` (`i <= j`, where `x_i x_i = x_i` is the
//! linear part), a vector of m coefficients. [`System`] holds these vectors as rows of 64-bit words: the form in which systems
//! are built ([`compose`]) and converted. [`PackedSystem`] holds one of the published byte layouts ([`Layout`]) and evaluates
//! straight from its bytes.
//!
//! Bit vectors are slices of 64-bit words, bit i in bit (i mod 64) of word (i div 64).

mod bits;
mod compose;
mod error;
mod layout;
mod packed;
mod products;
mod shape;
mod sliced;
mod system;
mod table;

pub use compose::{AffineMap, compose};
pub use error::LayoutError;
pub use layout::Layout;
pub use packed::PackedSystem;
pub use products::{lower_products, upper_products};
pub use shape::Shape;
pub use sliced::evaluate_equations;
pub use system::System;
