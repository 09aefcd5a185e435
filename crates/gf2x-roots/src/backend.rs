//! The choice of the back end: once for each whole computation.

/// Runs an expression under the best back end of this CPU that the process allows: `dispatch!(lanes => expression)`.
///
/// The expression is compiled once for each back end, with its features.
macro_rules! dispatch {
    ($lanes:ident => $kernel:expr) => {
        gf2n::run_clmul!(gf2n::backend::ClmulBackend::best(), $lanes => $kernel)
    };
}
pub(crate) use dispatch;
