//! Small binary fields: vector types for bulk work ([`gf2m`]), and the packed fields of the oil-and-vinegar schemes
//! ([`gf16`], [`gf256`]).

pub mod gf16;
pub mod gf256;
pub mod gf2m;
