//! `bench`: measures; the programs are those of the `benches` package, run as subprocesses.

mod csv;
mod peers;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use measurements::{PeerLibrary, Plan, Results};
use schemes::registry;

use crate::backend::LevelName;
use crate::cli::BenchArguments;
use crate::{Outcome, output, release_directory, select};

/// What `--quick` measures if no set is named.
const QUICK: &[&str] = &[
    "gemss128-r3",
    "bluegemss128-r3",
    "redgemss128-r3",
    "gui184",
    "OV-Is",
    "OV-Ip-pkc-skc-r2",
    "MAYO-1-r2",
    "MAYO-2-r3",
    "qruov1q31L3v165m60-aes",
    "qruov1q127L3v156m54-aes",
    "QRUOV-1q127L3-aes",
    "mceliece348864f",
    "mceliece6960119f",
];

/// Flags of the build with peers.
const NATIVE: &str = "-C target-cpu=native";

/// Runs `bench`.
///
/// # Errors
/// If the benchmark program cannot be built or run.
pub(crate) fn run(arguments: &BenchArguments, backend: Option<LevelName>) -> anyhow::Result<Outcome> {
    let results = measure(&plan(arguments, backend)?)?;
    if arguments.json {
        output::say_json(&results)?;
    } else if arguments.csv {
        csv::print(&results);
    } else {
        table::print(&results, arguments.stats);
    }
    Ok(Outcome::passed_if(results.refused.is_empty()))
}

/// The plan that the arguments mean.
///
/// # Errors
/// An unknown set, a library that does not exist.
pub(crate) fn plan(arguments: &BenchArguments, backend: Option<LevelName>) -> anyhow::Result<Plan> {
    let named = &arguments.sets.sets;
    let sets = if arguments.quick && named.is_empty() {
        QUICK.iter().filter(|name| registry::find(name).is_ok()).map(|&name| name.to_owned()).collect()
    } else {
        select::sets(named)?.into_iter().map(|set| set.info().name.to_owned()).collect()
    };
    let plan = if arguments.quick { Plan::quick(sets) } else { Plan::whole(sets) };
    let peer_library = match (&arguments.peer_lib, &arguments.peer_name) {
        (Some(path), Some(name)) => Some(PeerLibrary {
            path: path.canonicalize().with_context(|| path.display().to_string())?,
            name: name.clone(),
            symbol_prefix: arguments.peer_prefix.clone(),
        }),
        _ => None,
    };
    Ok(Plan {
        backend: backend.map(|name| name.level().name().to_owned()),
        lengths: arguments.lengths,
        peers: arguments.peers,
        build: build_words(arguments.peers),
        peer_library,
        ..plan
    })
}

/// Compiler and flags of the benchmark program.
pub(crate) fn build_words(peers: bool) -> String {
    let version = Command::new("rustc").arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let flags = if peers { NATIVE.to_owned() } else { std::env::var("RUSTFLAGS").unwrap_or_default() };
    format!("{}, release profile, RUSTFLAGS={flags:?}", version.as_deref().unwrap_or("rustc"))
}

/// Builds a program of the benchmark package, with the peers or without, and says where it is.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn build_program(name: &str, peers: bool) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--release", "--package", "benches", "--bin", name]);
    let directory = if peers {
        // The peers' authors advise to build for the CPU at hand; a folder of its own keeps the other builds.
        command.args(["--features", "peers", "--target-dir", "target/peers"]).env("RUSTFLAGS", NATIVE);
        PathBuf::from("target/peers/release")
    } else {
        // With this package beside it, cargo gives the dependencies the features they were built with already.
        command.args(["--package", "xtask"]);
        release_directory()
    };
    let status = command.status().context("cannot start cargo")?;
    if !status.success() && peers {
        for advice in peers::missing() {
            output::complain(&format!("--peers: {advice}"));
        }
    }
    ensure!(status.success(), "the benchmark program cannot be built ({status})");
    Ok(directory.join(name))
}

/// Runs the benchmark program on a plan.
///
/// # Errors
/// If the program cannot be built, started or understood.
pub(crate) fn measure(plan: &Plan) -> anyhow::Result<Results> {
    let mut child = Command::new(build_program("measure", plan.peers)?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the benchmark program")?;
    let mut stdin = child.stdin.take().context("no way to the benchmark program")?;
    stdin.write_all(&serde_json::to_vec(plan)?)?;
    drop(stdin);
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "the benchmark program failed ({})", output.status);
    serde_json::from_slice(&output.stdout).context("the benchmark program's answer is not understood")
}
