//! `bench`: measures; the programs are those of the `benches` package, run as subprocesses.

use crate::Outcome;
use crate::backend::LevelName;
use crate::cli::BenchArguments;

/// Runs `bench`.
///
/// # Errors
/// If the benchmark program cannot be built or run.
pub(crate) fn run(_arguments: &BenchArguments, _backend: Option<LevelName>) -> anyhow::Result<Outcome> {
    anyhow::bail!("no benchmark program yet")
}
