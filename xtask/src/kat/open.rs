//! `kat open`: accepts or rejects a signed message.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use schemes::registry::Set;

use crate::cli::OpenArguments;
use crate::{Outcome, output, select};

/// Runs `kat open`.
///
/// # Errors
/// A file that cannot be read, a set that is no signature set.
pub(crate) fn run(arguments: &OpenArguments) -> anyhow::Result<Outcome> {
    let Set::Signature(scheme) = select::set(&arguments.set)? else {
        bail!("{} is no signature set", arguments.set);
    };
    let public_key = read(&arguments.pk)?;
    let signed = read(&arguments.sm)?;
    match scheme.open(&public_key, &signed) {
        Ok(message) => {
            output::say(&format!("accepted: message of {} bytes", message.len()));
            output::say(&hex::encode(message));
            Ok(Outcome::Passed)
        }
        Err(reason) => {
            output::say(&format!("rejected: {reason}"));
            Ok(Outcome::Failed)
        }
    }
}

/// The bytes of a file, decoded if every byte of it is a hexadecimal digit or white space.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let digits: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if !digits.is_empty() && digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit) {
        return Ok(hex::decode(digits)?);
    }
    Ok(bytes)
}
