//! CPU back ends: tokens that prove CPU features, and the kernels that need them.

mod lanes;
mod portable;
mod token;
mod words;

pub use lanes::{Cell, ClmulLanes};
pub use portable::Portable;
pub use token::{Level, ceiling, set_ceiling};
pub use words::WordLanes;

/// Runs an expression under the best back end of this CPU that the process allows: `dispatch!(backend => expression)`.
macro_rules! dispatch {
    ($backend:ident => $kernel:expr) => {{
        let $backend = $crate::backend::Portable;
        $kernel
    }};
}
pub(crate) use dispatch;
