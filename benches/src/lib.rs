//! Cross-crate benchmarks.
//!
//! `cargo xtask bench` runs the program `measure`: a [`measurements::Plan`] on stdin, [`measurements::Results`] on stdout,
//! progress on stderr. Nothing is measured that does not first sign, verify, and refuse what was tampered with.

pub mod counter;
mod gate;
mod machine;
mod ours;
mod series;

use anyhow::Context;
use gf2n::backend::{Level, set_ceiling};
use indicatif::{ProgressBar, ProgressStyle};
use measurements::{Plan, Results};
use schemes::registry::{self, Set};

/// Carries out a plan.
///
/// # Errors
/// An unknown set or back end. A set that fails its checks is no error: it gives no row and is listed as refused.
pub fn run(plan: &Plan) -> anyhow::Result<Results> {
    if let Some(name) = &plan.backend {
        let level = Level::ALL.into_iter().find(|level| level.name() == name);
        set_ceiling(level.with_context(|| format!("unknown back end {name}"))?);
    }
    machine::pin_to_one_cpu();
    let sets: Vec<Set> =
        plan.sets.iter().map(|name| registry::find(name)).collect::<Result<_, _>>().context("set")?;
    let mut clock = counter::Clock::start();
    let mut results = Results::default();
    let bar = progress(sets.len() as u64);
    for set in sets {
        let name = set.info().name;
        bar.set_message(name);
        clock.calibrate();
        match ours::measure(set, plan) {
            Ok(rows) => results.rows.extend(rows),
            Err(reason) => results.refused.push((name.to_owned(), format!("{reason:#}"))),
        }
        bar.inc(1);
    }
    clock.calibrate();
    bar.finish_and_clear();
    results.machine = machine::describe(&clock, plan);
    if results.machine.calibration_spread > 0.03 {
        results.remarks.push(format!(
            "the machine was not idle: the calibration loop varied by {:.0} %",
            100.0 * results.machine.calibration_spread
        ));
    }
    Ok(results)
}

fn progress(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("bench {msg} {wide_bar} {pos}/{len} {eta} left") {
        bar.set_style(style);
    }
    bar
}
