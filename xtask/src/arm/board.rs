//! Building the firmware and running it on the emulated board.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use super::TARGET;
use super::setup::Tools;
use crate::Outcome;
use crate::cli::CheckArguments;
use crate::output::{complain, say, say_json};

/// A Cortex-M4 with FPU, 4 MiB of code memory, 16 MiB of RAM.
const BOARD: &str = "mps2-an386";

fn firmware() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../arm")
}

/// Builds both programs.
pub(super) fn build(tools: &Tools) -> anyhow::Result<()> {
    complain("arm: building the firmware");
    let flags = [
        format!("-Clinker={}", tools.linker.display()),
        "-Clink-arg=-Tlink.x".into(),
        format!("-Clink-arg=-L{}", firmware().display()),
    ];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(firmware())
        .env("CARGO_TARGET_DIR", tools.directory.join("build"))
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .args(["build", "--release", "--quiet", "--target", TARGET]);
    if let Some(rustc) = &tools.rustc {
        // The switch that builds the library is not stable; compiler and sources are of one version.
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core,alloc");
    }
    let status = command.status().context("cargo")?;
    ensure!(status.success(), "the firmware does not build");
    Ok(())
}

/// Runs one program and returns what it printed.
fn emulate(tools: &Tools, program: &str, count_instructions: bool) -> anyhow::Result<String> {
    let binary = tools.directory.join("build").join(TARGET).join("release").join(program);
    complain(&format!("arm: running {program} on the emulated {BOARD}"));
    let mut command = Command::new(&tools.emulator);
    command.args([
        "-machine",
        BOARD,
        "-cpu",
        "cortex-m4",
        "-nographic",
        "-monitor",
        "none",
        "-serial",
        "null",
    ]);
    command.args(["-semihosting-config", "enable=on,target=native"]);
    if count_instructions {
        command.args(["-icount", "shift=0"]);
    }
    let output = command.arg("-kernel").arg(binary).output().context("the emulator")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!(
            "{program} failed on the board:\n{}{}",
            text.lines().rev().take(3).collect::<Vec<_>>().join("\n"),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(text)
}

/// The board's known answers must be those of this machine, which `kat verify` ties to the published digests.
pub(super) fn test(tools: &Tools) -> anyhow::Result<Outcome> {
    build(tools)?;
    let text = emulate(tools, "vectors", false)?;
    let file = tools.directory.join("vectors.rsp");
    std::fs::write(&file, text)?;
    crate::kat::check::run(&CheckArguments { files: vec![file], set: None, json: false })
}

/// One line of the counts.
#[derive(Debug, Serialize)]
struct Count {
    set: String,
    operation: String,
    instructions: u64,
    attempts: u64,
    heap_bytes: u64,
    stack_bytes: u64,
}

impl Count {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (set, operation) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut number = || words.next()?.parse().ok();
        Some(Self {
            set,
            operation,
            instructions: number()?,
            attempts: number()?,
            heap_bytes: number()?,
            stack_bytes: number()?,
        })
    }
}

/// Prints the counts.
pub(super) fn count(tools: &Tools, json: bool) -> anyhow::Result<Outcome> {
    build(tools)?;
    let text = emulate(tools, "counts", true)?;
    let counts: Vec<Count> = text.lines().filter_map(Count::parse).collect();
    ensure!(!counts.is_empty(), "the board printed no counts");
    if json {
        say_json(&counts)?;
        return Ok(Outcome::Passed);
    }
    say(&format!(
        "{:<20} {:<8} {:>14} {:>8} {:>12} {:>12}",
        "set", "", "instructions", "attempts", "heap", "stack"
    ));
    for count in counts {
        say(&format!(
            "{:<20} {:<8} {:>12.2} M {:>8} {:>8.1} KiB {:>8.1} KiB",
            count.set,
            count.operation,
            count.instructions as f64 / 1e6,
            count.attempts,
            count.heap_bytes as f64 / 1024.0,
            count.stack_bytes as f64 / 1024.0
        ));
    }
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn lines_of_the_board_parse_and_others_do_not() {
        let count = Count::parse("MAYO-1-r2 sign 123456789 1 1024 2048").unwrap();
        assert_eq!((count.instructions, count.heap_bytes, count.stack_bytes), (123_456_789, 1024, 2048));
        assert!(Count::parse("MAYO-1-r2 sign 12 1 1024").is_none());
        assert!(Count::parse("").is_none());
    }
}
