//! `cargo xtask supercop`: SUPERCOP's checksums, data lines and packages for the sets of the registry.

mod accumulator;
mod checksum;
mod streams;
mod subject;
#[cfg(test)]
mod toys;

use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use kat_vectors::digest::Form;
use kat_vectors::manifest;
use schemes::registry::{self, Set};

use checksum::Size;

/// What `cargo xtask supercop` does.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Runs SUPERCOP's checksum procedure on a set and compares with the published sum.
    Checksum {
        /// Registry names.
        #[arg(required = true)]
        sets: Vec<String>,
        /// Which of the two sums.
        #[arg(long, value_enum, default_value = "small")]
        size: Size,
    },
}

/// A checksum that is not the published one, or an operation that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Lookup(#[from] registry::LookupError),
    #[error("{set}: {failure}")]
    Primitive { set: &'static str, failure: subject::Failure },
    #[error("{set}: {file} is {computed}, published is {published}")]
    Differs { set: &'static str, file: &'static str, computed: String, published: String },
    #[error(transparent)]
    Manifest(#[from] manifest::ManifestError),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match self {
            Command::Checksum { sets, size } => sets.iter().try_for_each(|name| print_checksum(name, *size)),
        }
    }
}

fn print_checksum(name: &str, size: Size) -> Result<(), Error> {
    let set = registry::find(name)?;
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} loops, {eta} left") {
        bar.set_style(style);
    }
    bar.set_prefix(set.info().name);
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let computed = match set {
        Set::Signature(set) => checksum::of_sign(&set, size, progress),
        Set::Kem(set) => checksum::of_kem(&set, size, progress),
    }
    .map_err(|failure| Error::Primitive { set: set.info().name, failure })?;
    bar.finish_and_clear();
    let form = match size {
        Size::Small => Form::ChecksumSmall,
        Size::Big => Form::ChecksumBig,
    };
    let published = manifest::all()?
        .into_iter()
        .find(|record| record.set == set.info().name && record.form == form)
        .map(|record| record.digest);
    println!(
        "{} {} {computed} {}",
        set.info().name,
        size.file_name(),
        if published.is_some() { "as published" } else { "unpublished" }
    );
    match published {
        Some(published) if published != computed => {
            Err(Error::Differs { set: set.info().name, file: size.file_name(), computed, published })
        }
        _ => Ok(()),
    }
}
