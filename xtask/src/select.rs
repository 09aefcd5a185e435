//! Which parameter sets a command line means.

use anyhow::{Context, bail};
use schemes::Family;
use schemes::registry::{self, Set};

/// The sets that `names` mean: set names, family names or `all`; nothing named means `all`. Toys are found by name only. No set
/// is returned twice.
///
/// # Errors
/// A name that is unknown, or that was used for several rounds.
pub fn sets(names: &[String]) -> anyhow::Result<Vec<Set>> {
    let mut chosen: Vec<Set> = Vec::new();
    let mut add = |set: Set| {
        if chosen.iter().all(|other| other.info().name != set.info().name) {
            chosen.push(set);
        }
    };
    if names.is_empty() {
        registry::all().for_each(&mut add);
    }
    for name in names {
        if name.eq_ignore_ascii_case("all") {
            registry::all().for_each(&mut add);
        } else if let Some(family) = family(name) {
            registry::family(family).for_each(&mut add);
        } else {
            add(set(name)?);
        }
    }
    if chosen.is_empty() {
        bail!("no parameter set is meant by {names:?}");
    }
    Ok(chosen)
}

/// One set by name.
///
/// # Errors
/// A name that is unknown, or that was used for several rounds.
pub fn set(name: &str) -> anyhow::Result<Set> {
    registry::find(name).context("`cargo xtask list` prints all names")
}

/// A family by its command-line name.
#[must_use]
pub fn family(name: &str) -> Option<Family> {
    Family::ALL.into_iter().find(|family| family.name().eq_ignore_ascii_case(name))
}
