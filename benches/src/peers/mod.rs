//! The peers that are compiled in with the feature `peers`: for each registry name, who else does the same.

mod classic_mceliece_rust;
mod liboqs;
mod pq_mayo;
mod pq_mceliece;
mod pqcrypto;

use crate::contestant::Contestant;

/// Everybody who implements the set of this name.
pub(crate) fn of(set: &str) -> Vec<Box<dyn Contestant>> {
    let found: [Option<Box<dyn Contestant>>; 5] = [
        liboqs::contestant(set),
        pq_mayo::contestant(set),
        pq_mceliece::contestant(set),
        classic_mceliece_rust::contestant(set),
        pqcrypto::contestant(set),
    ];
    found.into_iter().flatten().collect()
}

/// The version of a package in this workspace's lock file.
fn version(package: &str) -> &'static str {
    const LOCK: &str = include_str!("../../../Cargo.lock");
    let name = format!("\nname = \"{package}\"\nversion = \"");
    LOCK.split_once(&name).and_then(|(_, rest)| rest.split_once('"')).map_or("?", |(version, _)| version)
}

fn rust_build() -> String {
    let native = cfg!(target_feature = "avx2");
    format!("Rust, opt-level 3{}", if native { ", target-cpu=native" } else { "" })
}
