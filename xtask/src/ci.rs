//! `ci`: what must hold before a change is accepted. The README's test command.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;

use crate::Outcome;
use crate::cli::{CiArguments, SetArguments, VerifyArguments};
use crate::{arm, kat, output};

/// A target without std, for which every library crate must build.
const BARE_TARGET: &str = "thumbv7em-none-eabihf";
/// Another architecture with back ends of its own.
const OTHER_TARGET: &str = "aarch64-unknown-linux-gnu";
/// The lints see one target only; on others the compiler's own warnings are errors.
const STRICT: &[(&str, &str)] = &[("RUSTFLAGS", "-D warnings")];
/// Library crates that are built without std, and their features, each of which must work alone.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("gf2n", &[]),
    ("gf2x-roots", &[]),
    ("mq-eval", &[]),
    ("hfev", &[]),
    ("uov-family", &[]),
    ("goppa-keygen", &[]),
    ("schemes", &["gemss", "gui", "dualmodems", "uov", "mayo", "qruov", "mceliece"]),
];

/// Everything but the programs, which have no tests, the examples and the criterion benchmarks, which the lints compile already, and
/// the doctests.
const WHAT_IS_TESTED: &[&str] = &["--workspace", "--release", "--no-fail-fast", "--lib", "--tests"];

struct Steps {
    done: Vec<(String, bool, u64)>,
    /// Steps that this machine cannot do, and why.
    left_out: Vec<String>,
}

impl Steps {
    fn cargo(&mut self, title: &str, arguments: &[&str]) -> anyhow::Result<()> {
        self.cargo_with(title, arguments, &[])
    }

    fn cargo_with(
        &mut self,
        title: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> anyhow::Result<()> {
        output::complain(&format!("==> {title}: cargo {}", arguments.join(" ")));
        let start = Instant::now();
        let status = Command::new(cargo())
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .status()
            .with_context(|| format!("cannot start cargo for {title}"))?;
        self.done.push((title.to_owned(), status.success(), start.elapsed().as_secs()));
        Ok(())
    }

    fn own(&mut self, title: &str, work: impl FnOnce() -> anyhow::Result<Outcome>) {
        output::complain(&format!("==> {title}"));
        let start = Instant::now();
        let passed = match work() {
            Ok(outcome) => outcome == Outcome::Passed,
            Err(error) => {
                output::complain(&format!("error: {error:#}"));
                false
            }
        };
        self.done.push((title.to_owned(), passed, start.elapsed().as_secs()));
    }

    fn left_out(&mut self, title: &str, reason: &anyhow::Error) {
        output::complain(&format!("==> {title}: left out, {reason:#}"));
        self.left_out.push(format!("{title}: {reason}"));
    }
}

fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn answers(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs `ci`.
///
/// # Errors
/// If a step cannot be started; a step that fails is [`Outcome::Failed`].
pub(crate) fn run(arguments: &CiArguments) -> anyhow::Result<Outcome> {
    let mut steps = Steps { done: Vec::new(), left_out: Vec::new() };
    steps.cargo("format", &["fmt", "--all", "--check"])?;
    steps.cargo(
        "lints",
        &["clippy", "--quiet", "--workspace", "--all-targets", "--release", "--", "-D", "warnings"],
    )?;
    tests(&mut steps)?;
    steps.cargo_with(
        "documentation",
        &["doc", "--quiet", "--workspace", "--no-deps", "--release"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    if !arguments.skip_no_std {
        builds(&mut steps)?;
        match arm::check() {
            Ok(work) => steps.own("known answers on an emulated ARMv7-M board", work),
            Err(error) => steps.left_out("known answers on an emulated ARMv7-M board", &error),
        }
    }
    let quick = VerifyArguments { sets: SetArguments::default(), counts: None, full: false, json: false };
    steps.own("known answers", || kat::verify::run(&quick));
    steps.cargo(
        "C library",
        &["xtask", "dist", "--check", "redgemss128-r3", "MAYO-2-r3", "mceliece348864f"],
    )?;
    Ok(report(&steps))
}

/// The runner's own summary is printed by the runner.
fn tests(steps: &mut Steps) -> anyhow::Result<()> {
    if answers("cargo", &["nextest", "--version"]).is_some() {
        steps.cargo("tests", &[&["nextest", "run"], WHAT_IS_TESTED].concat())?;
        steps.cargo("doctests", &["test", "--quiet", "--workspace", "--release", "--doc"])
    } else {
        steps.cargo("tests", &[&["test"], WHAT_IS_TESTED].concat())?;
        steps.cargo("doctests", &["test", "--workspace", "--release", "--doc"])
    }
}

/// Every library crate alone, without default features, and with each feature alone, for a target without std where it is
/// installed; and for another architecture, so that its back ends are compiled at all.
fn builds(steps: &mut Steps) -> anyhow::Result<()> {
    let installed = answers("rustup", &["target", "list", "--installed"]).unwrap_or_default();
    let has = |target: &str| installed.lines().any(|line| line == target);
    if !has(BARE_TARGET) {
        output::complain(&format!(
            "{BARE_TARGET} is not installed: no_std is checked on this machine's target only"
        ));
    }
    for (library, features) in LIBRARIES {
        if !Path::new("crates").join(library).exists() {
            continue;
        }
        let alone = ["check", "--quiet", "--release", "--package", library, "--no-default-features"];
        let mut variants: Vec<Vec<&str>> = vec![alone.to_vec()];
        variants.extend(features.iter().map(|feature| [&alone[..], &["--features", feature]].concat()));
        for mut variant in variants {
            let what = variant[5..].join(" ").replace("--no-default-features", "").trim().to_owned();
            let title = format!("no_std: {library} {what}").trim().to_owned();
            if has(BARE_TARGET) {
                variant.extend(["--target", BARE_TARGET]);
                steps.cargo_with(&title, &variant, STRICT)?;
            } else {
                steps.cargo(&title, &variant)?;
            }
        }
    }
    if has(OTHER_TARGET) {
        steps.cargo_with(
            "back ends of aarch64",
            &["check", "--quiet", "--release", "--package", "schemes", "--target", OTHER_TARGET],
            STRICT,
        )?;
    }
    steps.cargo_with(
        "portable build",
        &["check", "--quiet", "--package", "schemes", "--target-dir", "target/portable"],
        &[("RUSTFLAGS", "--cfg mqsuite_force_portable")],
    )
}

fn report(steps: &Steps) -> Outcome {
    let done = &steps.done;
    for (title, passed, seconds) in done {
        let word = if *passed { "ok  " } else { "FAIL" };
        output::say(&format!("{word} {title} ({seconds} s)"));
    }
    for title in &steps.left_out {
        output::say(&format!("left out: {title}"));
    }
    let failed = done.iter().filter(|(_, passed, _)| !passed).count();
    output::say(&format!("{} steps, {failed} failed", done.len()));
    Outcome::passed_if(failed == 0)
}
