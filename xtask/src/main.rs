//! `cargo xtask`: the commands of the project.

use std::process::ExitCode;

use clap::Parser;
use xtask::cli::Cli;

/// 0: it passed; 1: a check failed or an input was rejected; 2: the command could not be carried out.
fn main() -> ExitCode {
    match xtask::run(Cli::parse()) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            xtask::output::complain(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
