//! Reads a plan as JSON on stdin, measures, and writes the results as JSON on stdout.

use std::io::{Write, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = serde_json::from_reader(stdin().lock())
        .map_err(anyhow::Error::from)
        .and_then(|plan| benches::run(&plan))
        .and_then(|results| Ok(stdout().lock().write_all(serde_json::to_string(&results)?.as_bytes())?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "measure: {error:#}");
            ExitCode::from(2)
        }
    }
}
