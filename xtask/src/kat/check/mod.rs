//! `kat check`: regenerates every entry of a vector file and compares each field that the file has.
//!
//! Beyond the bytes of keys and outputs it opens every signed message with the entry's own public key, decapsulates every
//! ciphertext with the entry's own secret key, derives the public from the secret key where the format allows it, and compares
//! the expected verdicts of files with altered inputs.

mod change;
mod compact;
mod compare;
mod entry;
mod kem;
mod keys;
mod signature;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use kat_vectors::rsp::{self, Entry};
use rayon::prelude::*;
use schemes::registry::{self, LookupError, Set};
use serde::Serialize;

use self::entry::{EntryReport, View};
use crate::cli::CheckArguments;
use crate::{Outcome, output, select};

/// What became of one file.
#[derive(Debug, Serialize)]
pub struct FileReport {
    /// Path of the file.
    pub file: String,
    /// Entries in the file, the shared head included.
    pub entries: usize,
    /// How often each field, or check that belongs to no field, was compared.
    pub compared: BTreeMap<String, usize>,
    /// Fields that were not used, and how often they occur.
    pub unused: BTreeMap<String, usize>,
    /// What differs.
    pub differences: Vec<String>,
}

impl FileReport {
    /// Whether something was compared and nothing differs.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.differences.is_empty() && !self.compared.is_empty()
    }
}

/// Runs `kat check`.
///
/// # Errors
/// A file that cannot be read, an unknown set.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    let default = arguments.set.as_deref().map(select::set).transpose()?;
    let mut reports = Vec::new();
    for path in &arguments.files {
        let report = check_file(path, default)?;
        if !arguments.json {
            print(&report);
        }
        reports.push(report);
    }
    let passed = reports.iter().all(FileReport::passed);
    if arguments.json {
        output::say_json(&serde_json::json!({ "passed": passed, "files": reports }))?;
    }
    Ok(Outcome::passed_if(passed))
}

/// Checks one file; `default` is the set of the entries that name none.
///
/// # Errors
/// A file that cannot be read, or an entry without a set.
pub fn check_file(path: &Path, default: Option<Set>) -> anyhow::Result<FileReport> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    check_bytes(&name, &bytes, default)
}

/// Checks the bytes of one file.
///
/// # Errors
/// An entry without a set, or with a set that nobody knows.
pub fn check_bytes(name: &str, bytes: &[u8], default: Option<Set>) -> anyhow::Result<FileReport> {
    let mut report = FileReport {
        file: name.to_owned(),
        entries: 0,
        compared: BTreeMap::new(),
        unused: BTreeMap::new(),
        differences: Vec::new(),
    };
    let file = match rsp::parse(bytes) {
        Ok(file) => file,
        Err(error) => {
            report.differences.push(error.to_string());
            return Ok(report);
        }
    };
    // The shared head is an entry of its own, of keys only.
    let mut work: Vec<(Option<&Entry>, &Entry, Set)> = Vec::new();
    if let Some(shared) = &file.shared {
        work.push((None, shared, set_of(shared, None, default)?));
    }
    for entry in &file.entries {
        work.push((file.shared.as_ref(), entry, set_of(entry, file.shared.as_ref(), default)?));
    }
    report.entries = work.len();
    let bar = output::progress(work.len() as u64, "kat check");
    let shared_keys = keys::Cache::default();
    let reports: Vec<EntryReport> = work
        .par_iter()
        .map(|(shared, entry, set)| {
            let done = check_entry(*set, entry, *shared, file.shared.is_some(), &shared_keys);
            bar.inc(1);
            done
        })
        .collect();
    bar.finish_and_clear();
    for entry in reports {
        for field in entry.compared {
            *report.compared.entry(field).or_default() += 1;
        }
        for field in entry.unused {
            *report.unused.entry(field).or_default() += 1;
        }
        report.differences.extend(entry.differences);
    }
    Ok(report)
}

fn check_entry(
    set: Set,
    entry: &Entry,
    shared: Option<&Entry>,
    has_head: bool,
    cache: &keys::Cache,
) -> EntryReport {
    let mut view = View::new(set.info().name, entry, shared);
    let is_head = has_head && shared.is_none();
    let result = match set {
        Set::Signature(scheme) => signature::check(scheme, &mut view, is_head, cache),
        Set::Kem(scheme) => kem::check(scheme, &mut view, is_head, cache),
    };
    if let Err(error) = result {
        view.differs(&format!("{error:#}"));
    }
    view.finish()
}

fn set_of(entry: &Entry, shared: Option<&Entry>, default: Option<Set>) -> anyhow::Result<Set> {
    let named = entry.get("set").or_else(|| shared.and_then(|head| head.get("set")));
    match (named, default) {
        (_, Some(set)) => Ok(set),
        (Some(field), None) => named_set(&field.value).with_context(|| format!("line {}", field.line)),
        (None, None) => anyhow::bail!("{} has no `set` field: --set is needed", entry.label()),
    }
}

/// A set by the name in a vector file: a registry name, or the label of a vector (`uov_Is_pkc_skc_vec0`).
fn named_set(name: &str) -> anyhow::Result<Set> {
    let label = name.strip_prefix("uov_").and_then(|rest| rest.rsplit_once("_vec"));
    let Some((variant, _)) = label else {
        return select::set(name);
    };
    let plain = format!("OV-{}", variant.replace('_', "-"));
    match registry::find(&plain) {
        // Vectors of that naming were all made in round 2.
        Err(LookupError::Ambiguous { .. }) => select::set(&format!("{plain}-r2")),
        found => Ok(found?),
    }
}

fn print(report: &FileReport) {
    let list = |fields: &BTreeMap<String, usize>| {
        fields.iter().map(|(name, times)| format!("{name} ({times})")).collect::<Vec<_>>().join(", ")
    };
    let word = if report.passed() { "ok   " } else { "FAIL " };
    output::say(&format!("{word} {}: {} entries", report.file, report.entries));
    if report.compared.is_empty() {
        output::say("      nothing was compared");
    } else {
        output::say(&format!("      compared: {}", list(&report.compared)));
    }
    if !report.unused.is_empty() {
        output::say(&format!("      not used: {}", list(&report.unused)));
    }
    for difference in &report.differences {
        output::say(&format!("      {difference}"));
    }
}
