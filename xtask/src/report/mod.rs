//! `report`: one self-contained HTML file with the measurements as plots.

mod axis;
mod charts;
mod page;

use std::fs;

use anyhow::Context;
use measurements::Results;

use crate::backend::LevelName;
use crate::bench;
use crate::cli::{BenchArguments, ReportArguments};
use crate::{Outcome, output};

/// Runs `report`.
///
/// # Errors
/// If the benchmark cannot be run, or a file cannot be read or written.
pub(crate) fn run(arguments: &ReportArguments, backend: Option<LevelName>) -> anyhow::Result<Outcome> {
    let results: Results = match &arguments.from {
        Some(path) => {
            let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_slice(&text).with_context(|| format!("{} holds no results", path.display()))?
        }
        None => {
            let wanted = BenchArguments {
                sets: arguments.sets.clone(),
                quick: arguments.quick,
                peers: arguments.peers,
                ..BenchArguments::default()
            };
            let mut plan = bench::plan(&wanted, backend)?;
            plan.growth = true;
            bench::measure(&plan)?
        }
    };
    if let Some(folder) = arguments.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(&arguments.out, page::page(&results))
        .with_context(|| format!("cannot write {}", arguments.out.display()))?;
    if let Some(path) = &arguments.save {
        fs::write(path, serde_json::to_string_pretty(&results)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    output::say(&arguments.out.display().to_string());
    Ok(Outcome::passed_if(results.refused.is_empty()))
}
