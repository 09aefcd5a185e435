//! `list`: every parameter set.

use schemes::registry::Set;
use schemes::{Origin, Sizes, Verdict};
use serde::Serialize;

use crate::cli::ListArguments;
use crate::{Outcome, output, select};

#[derive(Serialize)]
struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    family: &'static str,
    version: &'static str,
    level: u8,
    origin: &'static str,
    status: &'static str,
    status_date: &'static str,
    status_source: &'static str,
    public_key: usize,
    secret_key: usize,
    signature: Option<usize>,
    ciphertext: Option<usize>,
    shared_secret: Option<usize>,
    backends: Vec<(&'static str, &'static str)>,
}

/// Runs `list`.
///
/// # Errors
/// An unknown set.
pub(crate) fn run(arguments: &ListArguments) -> anyhow::Result<Outcome> {
    let rows: Vec<Row> = select::sets(&arguments.sets.sets)?.into_iter().map(row).collect();
    if arguments.json {
        output::say_json(&rows)?;
        return Ok(Outcome::Passed);
    }
    output::say(&format!(
        "{:<34} {:>5} {:>9} {:>9} {:>9}  {:<18} {:<16} {:<9} back ends",
        "set", "level", "public", "secret", "sig / ct", "version", "status", "bytes"
    ));
    for row in &rows {
        let backends: Vec<String> =
            row.backends.iter().map(|(kernel, backend)| format!("{kernel}: {backend}")).collect();
        output::say(&format!(
            "{:<34} {:>5} {:>9} {:>9} {:>9}  {:<18} {:<16} {:<9} {}",
            row.name,
            row.level,
            row.public_key,
            row.secret_key,
            row.signature.or(row.ciphertext).unwrap_or_default(),
            row.version,
            row.status,
            row.origin,
            backends.join(", ")
        ));
        if !row.aliases.is_empty() {
            output::say(&format!("    also called {}", row.aliases.join(", ")));
        }
    }
    Ok(Outcome::Passed)
}

/// The words for a verdict.
#[must_use]
pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NoKnownAttack => "no known attack",
        Verdict::AttackClaimed => "attack claimed",
        Verdict::Broken => "broken",
        Verdict::Superseded => "superseded",
        Verdict::Toy => "toy",
    }
}

fn row(set: Set) -> Row {
    let info = set.info();
    let (signature, ciphertext, shared_secret) = match info.sizes {
        Sizes::Signature { signature, .. } => (Some(signature), None, None),
        Sizes::Kem { ciphertext, shared_secret } => (None, Some(ciphertext), Some(shared_secret)),
    };
    Row {
        name: info.name,
        aliases: info.aliases,
        family: info.family.name(),
        version: info.version,
        level: info.level,
        origin: match info.origin {
            Origin::Official => "official",
            Origin::Project => "project",
        },
        status: verdict(info.status.verdict),
        status_date: info.status.date,
        status_source: info.status.source,
        public_key: info.public_key,
        secret_key: info.secret_key,
        signature,
        ciphertext,
        shared_secret,
        backends: set.backends().into_iter().map(|used| (used.kernel, used.backend)).collect(),
    }
}
