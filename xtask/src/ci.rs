//! `ci`: what must hold before a change is accepted.

use crate::Outcome;
use crate::cli::CiArguments;

/// Runs `ci`.
///
/// # Errors
/// If a step cannot be started.
pub(crate) fn run(_arguments: &CiArguments) -> anyhow::Result<Outcome> {
    anyhow::bail!("not written yet")
}
