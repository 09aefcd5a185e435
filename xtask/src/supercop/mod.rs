//! `cargo xtask supercop`: SUPERCOP's checksums, data lines and packages for the sets of the registry.

mod accumulator;
mod checksum;
mod export;
mod measure;
mod streams;
mod subject;
#[cfg(test)]
mod toys;

use std::path::PathBuf;

use clap::Subcommand;
use kat_vectors::digest::Form;
use kat_vectors::manifest;
use schemes::registry::{self, Set};

use crate::Outcome;
use crate::backend::LevelName;
use crate::output::{progress, say};
use checksum::Size;

/// What `cargo xtask supercop` does.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Runs SUPERCOP's checksum procedure and compares with the published sums.
    Checksum {
        /// Registry names.
        #[arg(required = true, value_name = "SET")]
        sets: Vec<String>,
        /// Which of the two sums.
        #[arg(long, value_enum, default_value = "small")]
        size: Size,
    },
    /// Measures as SUPERCOP's programs do and prints their data lines. A set whose signing takes 40 ms needs two minutes.
    Measure {
        /// Registry names.
        #[arg(required = true, value_name = "SET")]
        sets: Vec<String>,
        /// Outer loops.
        #[arg(long, value_name = "N", default_value_t = 3)]
        loops: usize,
        /// The lines as the measuring program prints them, without what SUPERCOP's database puts before each.
        #[arg(long)]
        bare: bool,
    },
    /// Writes a directory that SUPERCOP's own programs compile and test.
    Export {
        /// Registry name.
        #[arg(value_name = "SET")]
        set: String,
        /// The top of a SUPERCOP tree, or any directory.
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

/// Runs `supercop`.
///
/// # Errors
/// Whatever keeps the command from being carried out; another checksum than the published one is [`Outcome::Failed`].
pub(crate) fn run(command: &Command, backend: Option<LevelName>) -> anyhow::Result<Outcome> {
    match command {
        Command::Checksum { sets, size } => {
            let mut equal = true;
            for name in sets {
                equal &= compare_checksum(registry::find(name)?, *size)?;
            }
            Ok(Outcome::passed_if(equal))
        }
        Command::Measure { sets, loops, bare } => {
            let sets = sets.iter().map(|name| registry::find(name)).collect::<Result<Vec<_>, _>>()?;
            for set in sets {
                measure::measure(set, *loops, *bare, backend)?;
            }
            Ok(Outcome::Passed)
        }
        Command::Export { set, directory } => {
            let set = registry::find(set)?;
            let mut sums = Vec::new();
            for size in [Size::Small, Size::Big] {
                sums.extend(published(set, size)?.map(|sum| (size, sum)));
            }
            say(&export::export(set, &sums, directory)?.display().to_string());
            Ok(Outcome::Passed)
        }
    }
}

/// The sum in the manifests.
fn published(set: Set, size: Size) -> Result<Option<String>, manifest::ManifestError> {
    let form = match size {
        Size::Small => Form::ChecksumSmall,
        Size::Big => Form::ChecksumBig,
    };
    let records = manifest::all()?;
    let record = records.into_iter().find(|record| record.set == set.info().name && record.form == form);
    Ok(record.map(|record| record.digest))
}

/// Computes and prints one sum; false if another one is published.
fn compare_checksum(set: Set, size: Size) -> anyhow::Result<bool> {
    let name = set.info().name;
    let bar = progress(0, "loops");
    bar.set_prefix(name);
    let step = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let computed = match set {
        Set::Signature(set) => checksum::of_sign(&set, size, step),
        Set::Kem(set) => checksum::of_kem(&set, size, step),
    }?;
    bar.finish_and_clear();
    let published = published(set, size)?;
    let verdict = match &published {
        Some(sum) if *sum == computed => "as published".to_owned(),
        Some(sum) => format!("DIFFERS from the published {sum}"),
        None => "unpublished".to_owned(),
    };
    say(&format!("{name} {} {computed} {verdict}", size.file_name()));
    Ok(published.is_none_or(|sum| sum == computed))
}
