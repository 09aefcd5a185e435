//! The commands of the project, one file a subcommand; `cargo xtask --help` lists them.
//!
//! Progress goes to stderr, results to stdout; a failing check exits with 1 and says what differs, an error with 2.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

pub mod answers;
pub mod arm;
pub mod backend;
mod bench;
mod ci;
pub mod cli;
pub mod dist;
pub mod kat;
mod list;
pub mod output;
mod report;
pub mod select;
pub mod supercop;
#[cfg(test)]
mod toy;

use std::path::PathBuf;
use std::process::ExitCode;

use cli::{Cli, Command};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that was asked for holds.
    Passed,
    /// A check failed.
    Failed,
}

impl Outcome {
    /// `Passed` if `good`.
    #[must_use]
    pub fn passed_if(good: bool) -> Self {
        if good { Self::Passed } else { Self::Failed }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => ExitCode::SUCCESS,
            Outcome::Failed => ExitCode::FAILURE,
        }
    }
}

/// Where cargo puts what it builds for release.
fn release_directory() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from("target"), PathBuf::from)
        .join("release")
}

/// Runs one command.
///
/// # Errors
/// Whatever keeps the command from being carried out; a failed check is [`Outcome::Failed`].
pub fn run(cli: Cli) -> anyhow::Result<Outcome> {
    if let Some(level) = cli.backend {
        backend::force(level)?;
    }
    match cli.command {
        Command::Kat(command) => kat::run(command),
        Command::List(arguments) => list::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments, cli.backend),
        Command::Report(arguments) => report::run(&arguments, cli.backend),
        Command::Ci(arguments) => ci::run(&arguments),
        Command::Arm(command) => arm::run(command),
        Command::Supercop(command) => supercop::run(&command, cli.backend),
        Command::Dist(arguments) => {
            arguments.run()?;
            Ok(Outcome::Passed)
        }
    }
}
