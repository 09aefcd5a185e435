//! `cargo xtask dist`: the C library, its header, and the check that a C program works with them.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::output::{complain, say};
use crate::release_directory;

/// Builds the shared and the static C library and writes the header.
#[derive(Clone, Debug, Args)]
pub struct Dist {
    /// Where the libraries and the header go.
    #[arg(default_value = "target/dist")]
    directory: PathBuf,
    /// Compiles the example programs against both libraries, runs them on these sets, and checks the exported symbols.
    #[arg(long, num_args = 0.., value_name = "SET")]
    check: Option<Vec<String>>,
}

/// Why the package could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A program could not be started.
    #[error("could not start {0}: {1}")]
    Start(String, std::io::Error),
    /// A program failed; its output was shown.
    #[error("{0} failed")]
    Failed(String),
    /// A symbol without the prefix.
    #[error("the shared library exports {0:?}, which does not begin with mqsuite_")]
    Symbol(String),
    /// The header could not be written.
    #[error("the header could not be written")]
    Header,
}

fn run(command: &mut Command) -> Result<String, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| Error::Start(name.clone(), error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    complain(&String::from_utf8_lossy(&output.stdout));
    complain(&String::from_utf8_lossy(&output.stderr));
    Err(Error::Failed(name))
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    std::fs::copy(from, to).map(|_| ()).map_err(|error| Error::File(from.to_owned(), error))
}

impl Dist {
    /// Builds, and checks if asked to.
    ///
    /// # Errors
    /// What kept the package from being made, or what the check found.
    pub fn run(&self) -> Result<(), Error> {
        let directory = &self.directory;
        std::fs::create_dir_all(directory).map_err(|error| Error::File(directory.clone(), error))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        // With this package beside it, cargo gives the dependencies the features they were built with already.
        run(Command::new(cargo).args([
            "build",
            "--release",
            "--quiet",
            "--package",
            "capi",
            "--package",
            "xtask",
            "--lib",
        ]))?;
        let built = release_directory();
        for library in ["libmqsuite.so", "libmqsuite.a"] {
            copy(&built.join(library), &directory.join(library))?;
        }
        let header = directory.join("mqsuite.h");
        let text = mqsuite::header::text().map_err(|_| Error::Header)?;
        std::fs::write(&header, text).map_err(|error| Error::File(header.clone(), error))?;
        say(&directory.display().to_string());
        self.check.as_ref().map_or(Ok(()), |sets| check(directory, sets))
    }
}

fn check(directory: &Path, sets: &[String]) -> Result<(), Error> {
    let exported =
        run(Command::new("nm").args(["-D", "--defined-only"]).arg(directory.join("libmqsuite.so")))?;
    let mut count = 0;
    for symbol in exported.lines().filter_map(|line| line.split_whitespace().nth(2)) {
        if !symbol.starts_with("mqsuite_") {
            return Err(Error::Symbol(symbol.into()));
        }
        count += 1;
    }
    say(&format!("{count} exported symbols, all with the prefix"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    for example in ["sign_and_verify", "misuse"] {
        for (kind, library) in [("shared", "libmqsuite.so"), ("static", "libmqsuite.a")] {
            let binary = directory.join(format!("{example}-{kind}"));
            run(Command::new(&compiler)
                .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-I"])
                .arg(directory)
                .arg(format!("crates/capi/examples/{example}.c"))
                .arg(directory.join(library))
                .args(["-lpthread", "-ldl", "-lm", "-Wl,-rpath,$ORIGIN", "-o"])
                .arg(&binary))?;
            let report = run(Command::new(&binary).args(sets))?;
            say(&format!("{example}, {kind}: {}", report.trim_end()));
        }
    }
    Ok(())
}
