//! CPU back ends: tokens that prove CPU features, and the kernels that need them.

mod token;

pub use token::{Level, ceiling, set_ceiling};
