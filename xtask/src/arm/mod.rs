//! `cargo xtask arm`: MAYO on an emulated ARMv7-M board, from the distribution's packages.
//!
//! A toolchain usually lacks the compiled core library of `thumbv7em-none-eabihf`. Debian carries a compiler and the matching
//! library sources; they and the emulator are unpacked below `target/arm`, and nothing is installed.

mod board;
mod counts;
mod setup;

use clap::Subcommand;

use crate::Outcome;

const TARGET: &str = "thumbv7em-none-eabihf";

/// What `cargo xtask arm` does.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Downloads and unpacks the compiler, the library sources and the emulator into target/arm.
    Setup,
    /// Builds the firmware.
    Build,
    /// Runs the known answers on the emulated board and compares them with those of this machine and the manifests.
    Test,
    /// Counts instructions and memory of key generation, signing and verification.
    Count {
        /// The result as JSON.
        #[arg(long)]
        json: bool,
        /// Keeps the counts in measurements/arm.tsv, which `bench` shows.
        #[arg(long)]
        save: bool,
    },
}

/// Runs `arm`; what a step needs is set up first.
///
/// # Errors
/// Whatever keeps the command from being carried out, such as packages that cannot be had here.
pub(crate) fn run(command: Command) -> anyhow::Result<Outcome> {
    let tools = setup::tools()?;
    match command {
        Command::Setup => Ok(Outcome::Passed),
        Command::Build => board::build(&tools).map(|()| Outcome::Passed),
        Command::Test => board::test(&tools),
        Command::Count { json, save } => counts::count(&tools, json, save),
    }
}

/// What `ci` does: build and known answers, or, where the packages cannot be had, a reason for which they are left out.
pub(crate) fn check() -> Result<impl FnOnce() -> anyhow::Result<Outcome>, anyhow::Error> {
    let tools = setup::tools()?;
    Ok(move || board::test(&tools))
}
