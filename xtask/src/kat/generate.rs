//! `kat gen`: writes a .rsp file.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use anyhow::Context;
use indicatif::{MultiProgress, ProgressBar};
use kat_vectors::NistDrbg;
use kat_vectors::request::Requests;
use kat_vectors::response::write_header;

use crate::cli::GenArguments;
use crate::{Outcome, answers, output, select};

/// Runs `kat gen`.
///
/// # Errors
/// Bad arguments, a scheme that refuses, an output that cannot be written.
pub(crate) fn run(arguments: &GenArguments) -> anyhow::Result<Outcome> {
    let set = select::set(&arguments.set)?;
    let entropy = hex::decode(&arguments.seed).context("--seed is not hexadecimal")?;
    let given = entropy.len();
    let entropy: [u8; 48] =
        entropy.try_into().ok().with_context(|| format!("--seed has {given} bytes, 48 are needed"))?;
    let mut out: Box<dyn Write> = match &arguments.out {
        Some(path) => Box::new(BufWriter::new(
            File::create(path).with_context(|| format!("cannot create {}", path.display()))?,
        )),
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    let bars = MultiProgress::new();
    let bar = bars.add(output::progress(arguments.counts as u64, "kat gen"));
    write_header(&mut out, set.info().kat_header)?;
    let requests = Requests::with_entropy(answers::kind(set), NistDrbg::new(&entropy));
    for request in requests.take(arguments.counts) {
        let mut keys: Option<ProgressBar> = None;
        let answer = answers::answer_with_progress(set, request, &mut |progress| {
            let bar = keys.get_or_insert_with(|| bars.add(output::progress(progress.total, "key pair")));
            bar.set_position(progress.done);
        })?;
        if let Some(keys) = keys {
            keys.finish_and_clear();
        }
        answer.write(&mut out)?;
        out.write_all(b"\n")?;
        bar.inc(1);
    }
    out.flush()?;
    bar.finish_and_clear();
    Ok(Outcome::Passed)
}
