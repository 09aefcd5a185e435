//! Small binary fields, with vector types for bulk work.

pub mod gf2m;
