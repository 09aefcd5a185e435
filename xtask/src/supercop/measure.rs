//! SUPERCOP's data lines: the measuring program of the benchmark package, and what the database puts before each of its lines.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use schemes::registry::Set;

use super::export::{abi, operation, primitive_name, security_class};
use crate::backend::LevelName;
use crate::bench::{build_program, build_words};
use crate::output::say;

/// The version whose programs the lines follow.
const VERSION: &str = "20260330";

/// Measures one set and prints its lines as they come.
///
/// # Errors
/// If the program cannot be built or started, or if it fails.
pub(super) fn measure(set: Set, loops: usize, bare: bool, backend: Option<LevelName>) -> anyhow::Result<()> {
    let primitive = format!("{}/{}", operation(set), primitive_name(set.info().name));
    let mut child = Command::new(build_program("supercop", false)?)
        .args([set.info().name, &format!("{primitive}/mqsuite"), &build_words(false), &loops.to_string()])
        .args(backend.map(|name| name.level().name()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the measuring program")?;
    let lines = BufReader::new(child.stdout.take().context("no way from the measuring program")?).lines();
    let (operation, name) = primitive.split_once('/').unwrap_or((&primitive, ""));
    let before = format!(
        "{VERSION} {} {} {} {operation} {name}/{}",
        host_name(),
        abi().unwrap_or(std::env::consts::ARCH),
        measurements::today().replace('-', ""),
        security_class(set),
    );
    for line in lines {
        let line = line?;
        say(&if bare { line } else { format!("{before} {}", line.trim_end()) });
    }
    let status = child.wait()?;
    ensure!(status.success(), "the measuring program failed ({status})");
    Ok(())
}

fn host_name() -> String {
    short(&std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default())
}

/// A host's name up to the first dot, letters and digits, lower case.
fn short(name: &str) -> String {
    let first = name.split('.').next().unwrap_or_default();
    let kept: String = first.chars().filter(char::is_ascii_alphanumeric).collect();
    if kept.is_empty() { "host".to_owned() } else { kept.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn hosts_have_short_names() {
        assert_eq!(short("Big-Iron7.example.org\n"), "bigiron7");
        assert_eq!(short("\n"), "host");
    }
}
