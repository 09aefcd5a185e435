//! Cross-crate benchmarks.
//!
//! `cargo xtask bench` runs the program `measure`: a [`measurements::Plan`] on stdin, [`measurements::Results`] on stdout,
//! progress on stderr. Nothing is measured that does not first sign, verify, and refuse what was tampered with.

mod contestant;
pub mod counter;
mod foreign;
mod gate;
mod growth;
mod lengths;
mod machine;
mod ours;
mod pairs;
#[cfg(feature = "peers")]
mod peers;
mod series;
pub mod supercop;

pub use machine::pin_to_one_cpu;

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
    limit_backend(plan.backend.as_deref())?;
    pin_to_one_cpu();
    let sets: Vec<Set> =
        plan.sets.iter().map(|name| registry::find(name)).collect::<Result<_, _>>().context("set")?;
    let mut clock = counter::Clock::start();
    let mut results = Results::default();
    let bar = progress("bench", sets.len() as u64);
    for set in sets {
        let name = set.info().name;
        bar.set_message(name);
        clock.calibrate();
        match ours::measure(set, plan) {
            Ok(rows) => results.rows.extend(rows),
            Err(reason) => results.refused.push((name.to_owned(), format!("{reason:#}"))),
        }
        if let (true, Set::Signature(scheme)) = (plan.lengths, set) {
            match lengths::measure(scheme, plan) {
                Ok(rows) => results.lengths.extend(rows),
                Err(reason) => results.refused.push((name.to_owned(), format!("{reason:#}"))),
            }
        }
        for contestant in contestants(set, plan) {
            let compared = contestant.and_then(|mut peer| pairs::compare(set, &mut *peer, plan));
            match compared {
                Ok(pairs) => results.pairs.extend(pairs),
                Err(reason) => results.refused.push((format!("{name} beside a peer"), format!("{reason:#}"))),
            }
        }
        bar.inc(1);
    }
    if plan.growth {
        results.growth = growth::measure(plan)?;
    }
    clock.calibrate();
    bar.finish_and_clear();
    let samples: usize = results.rows.iter().map(|row| row.samples.len()).sum();
    let interrupted: usize = results.rows.iter().map(|row| row.interrupted).sum();
    if interrupted * 100 > samples {
        results.remarks.push(format!(
            "others used the machine: of {:.0} % of the samples the CPU time counts",
            100.0 * interrupted as f64 / samples as f64
        ));
    }
    results.machine = machine::describe(&clock, plan);
    if results.machine.calibration_spread > 0.03 {
        results.remarks.push(format!(
            "the machine was not idle: the calibration loop varied by {:.0} %",
            100.0 * results.machine.calibration_spread
        ));
    }
    Ok(results)
}

/// The peers that a set is compared with.
fn contestants(set: Set, plan: &Plan) -> Vec<anyhow::Result<Box<dyn contestant::Contestant>>> {
    let mut found: Vec<anyhow::Result<Box<dyn contestant::Contestant>>> = Vec::new();
    #[cfg(feature = "peers")]
    if plan.peers {
        found.extend(peers::of(set.info().name).into_iter().map(Ok));
    }
    if let Some(library) = &plan.peer_library {
        found.push(foreign::contestant(library, set));
    }
    found
}

/// Limits what kernels may use to the level of this name, if one is given.
///
/// # Errors
/// A name that is no level's.
pub fn limit_backend(name: Option<&str>) -> anyhow::Result<()> {
    if let Some(name) = name {
        let level = Level::ALL.into_iter().find(|level| level.name() == name);
        set_ceiling(level.with_context(|| format!("unknown back end {name}"))?);
    }
    Ok(())
}

/// A progress bar on stderr with the time left.
#[must_use]
pub fn progress(title: &str, length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) =
        ProgressStyle::with_template("{prefix} {msg} {wide_bar} {pos}/{len} {elapsed} gone, {eta} left")
    {
        bar.set_style(style);
    }
    bar.set_prefix(title.to_owned());
    bar
}
