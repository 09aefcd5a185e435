//! What every registry entry must say about itself.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;

use kat_vectors::manifest;
use schemes::registry::{self, Set};
use schemes::{Family, Origin, Verdict};

#[test]
fn names_and_aliases_lead_to_their_set() {
    let mut names = BTreeSet::new();
    for set in registry::all() {
        let info = set.info();
        assert!(names.insert(info.name.to_ascii_lowercase()), "{} stands twice", info.name);
        for spelling in [info.name.to_ascii_uppercase(), info.name.to_ascii_lowercase()] {
            assert_eq!(registry::find(&spelling).map(|found| found.info().name), Ok(info.name));
        }
        for alias in info.aliases {
            // An alias leads to its set, or to an error that names it among the candidates.
            match registry::find(alias) {
                Ok(found) => assert_eq!(found.info().name, info.name, "alias {alias}"),
                Err(error) => assert!(error.to_string().contains(info.name), "alias {alias}: {error}"),
            }
        }
    }
}

#[test]
fn every_set_has_a_dated_status_with_a_source() {
    for set in registry::all() {
        let info = set.info();
        let date: Vec<&str> = info.status.date.split('-').collect();
        assert!(
            matches!(date.as_slice(), [year, month, day]
                if year.len() == 4 && month.len() == 2 && day.len() == 2
                && date.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()))),
            "{}: status date {:?}",
            info.name,
            info.status.date
        );
        assert!(info.status.source.len() >= 10, "{}: the status has no source", info.name);
        assert_ne!(info.status.verdict, Verdict::Toy, "{}: a toy is listed", info.name);
        if matches!(info.family, Family::Gemss | Family::Gui | Family::DualModeMs) {
            assert_eq!(info.status.verdict, Verdict::Broken, "{}: HFEv- is broken", info.name);
        }
    }
}

#[test]
fn facts_are_filled_in() {
    for set in registry::all() {
        let info = set.info();
        assert!(matches!(info.level, 1..=5), "{}: level {}", info.name, info.level);
        assert!(info.public_key > 0 && info.secret_key > 0, "{}: sizes", info.name);
        assert!(!info.version.is_empty() && !info.kat_header.is_empty(), "{}", info.name);
        assert!(!set.backends().is_empty(), "{}: no kernel names its back end", info.name);
        if let Set::Signature(scheme) = set {
            assert!(scheme.signature_len() > 0, "{}", info.name);
        }
    }
}

#[test]
fn every_official_set_has_published_digests_and_every_row_has_a_set() {
    let rows = manifest::all().expect("manifests");
    for row in &rows {
        let found = registry::find(&row.set);
        assert_eq!(found.map(|set| set.info().name), Ok(row.set.as_str()), "manifest row {}", row.set);
    }
    for set in registry::all() {
        let info = set.info();
        let digests: Vec<_> =
            rows.iter().filter(|row| row.set == info.name && row.form.is_of_answers()).collect();
        assert!(!digests.is_empty(), "{} has no digest in the manifests", info.name);
        // Nobody publishes vectors of the outer dual mode.
        if info.origin == Origin::Official && info.family != Family::DualModeMs {
            // SUPERCOP's checksums are evidence too.
            let outside =
                rows.iter().any(|row| row.set == info.name && !row.source.starts_with("this project"));
            assert!(outside, "{}: no digest comes from outside this project", info.name);
        }
    }
}
