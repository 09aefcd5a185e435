//! The counts that the board prints: shown, and kept in the table that `bench` shows.

use std::path::Path;

use anyhow::{Context, ensure};
use measurements::arm::{Count, parse};

use super::board;
use super::setup::Tools;
use crate::Outcome;
use crate::output::{say, say_json};

/// Prints the counts and, if asked to, keeps them.
pub(super) fn count(tools: &Tools, json: bool, save: bool) -> anyhow::Result<Outcome> {
    board::build(tools)?;
    let text = board::emulate(tools, "counts", true)?;
    let counts: Vec<Count> = text.lines().filter_map(|line| parse(line.split_whitespace())).collect();
    ensure!(!counts.is_empty(), "the board printed no counts");
    if save {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../measurements/arm.tsv");
        let text = measurements::arm::table(&measurements::today(), &tools.compiler()?, &counts);
        std::fs::write(&table, text).with_context(|| table.display().to_string())?;
    }
    if json {
        say_json(&counts)?;
    } else {
        print(&counts);
    }
    Ok(Outcome::Passed)
}

fn print(counts: &[Count]) {
    say(&format!(
        "{:<20} {:<8} {:>12} {:>12} {:>12} {:>12} {:>12} {:>8} {:>12} {:>12}",
        "instructions",
        "",
        "all",
        "SHAKE256",
        "AES-128",
        "generator",
        "the rest",
        "attempts",
        "heap",
        "stack"
    ));
    for count in counts {
        let millions = |value: u64| format!("{:.2} M", value as f64 / 1e6);
        say(&format!(
            "{:<20} {:<8} {:>12} {:>12} {:>12} {:>12} {:>12} {:>8} {:>8.1} KiB {:>8.1} KiB",
            count.set,
            count.operation,
            millions(count.instructions),
            millions(count.hash),
            millions(count.keystream),
            millions(count.random),
            millions(count.rest()),
            count.attempts,
            count.heap_bytes as f64 / 1024.0,
            count.stack_bytes as f64 / 1024.0
        ));
    }
}
