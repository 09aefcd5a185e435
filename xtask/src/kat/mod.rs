//! `cargo xtask kat`: known answers.

pub mod check;
mod generate;
mod open;
pub mod verify;

use crate::Outcome;
use crate::cli::KatCommand;

/// Runs one of the commands on known answers.
///
/// # Errors
/// Whatever keeps it from being carried out.
pub fn run(command: KatCommand) -> anyhow::Result<Outcome> {
    match command {
        KatCommand::Verify(arguments) => verify::run(&arguments),
        KatCommand::Check(arguments) => check::run(&arguments),
        KatCommand::Gen(arguments) => generate::run(&arguments),
        KatCommand::Open(arguments) => open::run(&arguments),
    }
}
