//! The house rules that the crates' manifests must keep: dependencies point downward, versions live in the workspace.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The floor of each crate. A crate uses only crates of lower floors.
const FLOORS: &[(&str, u8)] = &[
    ("kat-vectors", 0),
    ("measurements", 0),
    ("gf2n", 1),
    ("gf2x-roots", 2),
    ("mq-eval", 2),
    ("hfev", 3),
    ("uov-family", 3),
    ("goppa-keygen", 3),
    ("schemes", 4),
    ("capi", 5),
    ("xtask", 6),
    ("benches", 6),
];

/// Crates that a library user never gets: library crates may use them in tests only.
const TOOLS: &[&str] = &["kat-vectors", "measurements", "xtask", "benches"];

struct Package {
    name: String,
    path: PathBuf,
    manifest: Table,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_path_buf()
}

fn packages() -> Vec<Package> {
    let mut directories = vec![
        root().join("xtask"),
        root().join("benches"),
        root().join("kat-vectors"),
        root().join("measurements"),
    ];
    for entry in fs::read_dir(root().join("crates")).expect("crates/") {
        directories.push(entry.expect("entry").path());
    }
    directories
        .into_iter()
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| {
            let text = fs::read_to_string(path.join("Cargo.toml")).expect("manifest");
            let manifest: Table = text.parse().expect("manifest is TOML");
            let name = manifest["package"]["name"].as_str().expect("name").to_owned();
            Package { name, path, manifest }
        })
        .collect()
}

/// The dependency tables of a manifest, those of single targets included: (is it for tests, name, value).
fn dependencies(manifest: &Table) -> Vec<(bool, String, Value)> {
    let mut found = Vec::new();
    let mut collect = |table: &Table| {
        for (key, for_tests) in
            [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            if let Some(Value::Table(entries)) = table.get(key) {
                found.extend(entries.iter().map(|(name, value)| (for_tests, name.clone(), value.clone())));
            }
        }
    };
    collect(manifest);
    if let Some(Value::Table(targets)) = manifest.get("target") {
        targets.values().filter_map(Value::as_table).for_each(&mut collect);
    }
    found
}

#[test]
fn dependencies_point_downward() {
    let floors: BTreeMap<&str, u8> = FLOORS.iter().copied().collect();
    let packages = packages();
    assert!(packages.len() >= 9, "the workspace was not found");
    for package in &packages {
        let floor = *floors.get(package.name.as_str()).unwrap_or_else(|| {
            panic!("{} has no floor: enter it in FLOORS", package.name);
        });
        for (for_tests, dependency, _) in dependencies(&package.manifest) {
            let Some(below) = floors.get(dependency.as_str()) else { continue };
            assert!(
                *below < floor,
                "{} (floor {floor}) uses {dependency} (floor {below}): the arrow points the wrong way",
                package.name
            );
            let is_tool = TOOLS.contains(&package.name.as_str());
            assert!(
                for_tests || is_tool || !TOOLS.contains(&dependency.as_str()),
                "{} uses {dependency} outside its tests",
                package.name
            );
        }
    }
}

#[test]
fn versions_live_in_the_workspace_manifest() {
    for package in packages() {
        for (_, dependency, value) in dependencies(&package.manifest) {
            let from_workspace = value.get("workspace").and_then(Value::as_bool) == Some(true);
            assert!(from_workspace, "{}: {dependency} is not inherited from the workspace", package.name);
        }
        for key in ["edition", "rust-version", "license", "version"] {
            let inherited = package.manifest["package"].get(key).and_then(|value| value.get("workspace"));
            assert_eq!(
                inherited.and_then(Value::as_bool),
                Some(true),
                "{}: {key} is not inherited",
                package.name
            );
        }
        let lints = package.manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(lints.and_then(Value::as_bool), Some(true), "{}: workspace lints are off", package.name);
    }
}

#[test]
fn every_library_crate_has_a_readme_with_a_doctest() {
    for package in packages().into_iter().filter(|package| !["xtask", "benches"].contains(&&*package.name)) {
        let readme = fs::read_to_string(package.path.join("README.md"))
            .unwrap_or_else(|_| panic!("{} has no README.md", package.name));
        let opens_code = readme.lines().any(|line| {
            let line = line.trim();
            line == "```" || line.starts_with("```rust") || line.starts_with("```no_run")
        });
        assert!(opens_code, "the README of {} has no example", package.name);
    }
}

#[test]
fn library_crates_are_no_std() {
    for package in
        packages().into_iter().filter(|package| package.path.parent().is_some_and(|p| p.ends_with("crates")))
    {
        if package.name == "capi" {
            continue;
        }
        let source = fs::read_to_string(package.path.join("src/lib.rs")).expect("lib.rs");
        assert!(source.contains("#![no_std]"), "{} is not no_std", package.name);
    }
}
