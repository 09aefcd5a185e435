//! Building the firmware and running it on the emulated board.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::TARGET;
use super::setup::Tools;
use crate::Outcome;
use crate::cli::CheckArguments;
use crate::output::complain;
use anyhow::{Context, bail, ensure};

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
pub(super) fn emulate(tools: &Tools, program: &str, count_instructions: bool) -> anyhow::Result<String> {
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
