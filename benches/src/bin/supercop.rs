//! Measures sets as SUPERCOP's programs do and prints their lines: `supercop SET IMPLEMENTATION COMPILER LOOPS [BACK END]`.

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use anyhow::{Context, bail};
use benches::supercop::{Protocol, machine_lines, measure};
use benches::{counter, limit_backend, pin_to_one_cpu, progress};

fn run() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, implementation, compiler, loops, backend @ ..] = arguments.as_slice() else {
        bail!("SET IMPLEMENTATION COMPILER LOOPS [BACK END]");
    };
    limit_backend(backend.first().map(String::as_str))?;
    pin_to_one_cpu();
    let set = schemes::registry::find(set)?;
    let protocol = Protocol { loops: loops.parse().context("number of loops")?, ..Protocol::default() };
    let clock = counter::Clock::start();
    let mut out = stdout().lock();
    for line in machine_lines(set, implementation, compiler, clock.ticks_per_second()) {
        writeln!(out, "{line} ")?;
    }
    let bar = progress("supercop measure", protocol.entries(set) as u64);
    bar.set_message(set.info().name);
    measure(set, protocol, &mut |_, entry| {
        writeln!(out, "{entry}")?;
        out.flush()?;
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "supercop: {error:#}");
            ExitCode::from(2)
        }
    }
}
