//! The choice of the back end: once for each whole computation.

/// Runs an expression under the best back end of this CPU that the process allows: `dispatch!(lanes => expression)`.
macro_rules! dispatch {
    ($lanes:ident => $kernel:expr) => {{
        let $lanes = gf2n::backend::Portable;
        $kernel
    }};
}
pub(crate) use dispatch;
