//! `kat verify`: regenerates the official vectors and compares their digests with the manifests.

use anyhow::Context;
use kat_vectors::digest::AnswerDigest;
use kat_vectors::manifest::{self, Record};
use kat_vectors::request::Requests;
use rayon::prelude::*;
use schemes::registry::Set;
use serde::Serialize;

use crate::cli::VerifyArguments;
use crate::{Outcome, answers, output, select};

/// How many counts are made side by side before they are hashed in order: bounds the memory.
const WINDOW: usize = 8;

/// What became of one manifest row.
#[derive(Debug, Serialize)]
struct Verdict {
    set: &'static str,
    form: &'static str,
    counts: usize,
    expected: String,
    computed: Option<String>,
    source: String,
    passed: bool,
    error: Option<String>,
}

/// Runs `kat verify`.
///
/// # Errors
/// A manifest that breaks its format, an unknown set.
pub fn run(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let sets = select::sets(&arguments.sets.sets)?;
    let manifest = manifest::all()?;
    let mut jobs: Vec<(Set, Vec<&Record>)> = Vec::new();
    let mut without: Vec<&str> = Vec::new();
    let mut left_out = 0;
    for set in sets {
        let rows: Vec<&Record> =
            manifest.iter().filter(|row| row.set == set.info().name && row.form.is_of_answers()).collect();
        let chosen = choose(&rows, arguments);
        left_out += rows.len() - chosen.len();
        if chosen.is_empty() {
            without.push(set.info().name);
        } else {
            jobs.push((set, chosen));
        }
    }

    let total: usize = jobs.iter().map(|(_, rows)| longest(rows)).sum();
    let bar = output::progress(total as u64, "kat verify");
    let verdicts: Vec<Verdict> =
        jobs.par_iter().flat_map_iter(|(set, rows)| verify_set(*set, rows, &bar)).collect();
    bar.finish_and_clear();

    let passed = without.is_empty() && verdicts.iter().all(|verdict| verdict.passed);
    if arguments.json {
        output::say_json(&serde_json::json!({
            "passed": passed,
            "verdicts": verdicts,
            "sets_without_digest": without,
            "digests_left_out": left_out,
        }))?;
    } else {
        report(&verdicts, &without, left_out);
    }
    Ok(Outcome::passed_if(passed))
}

/// The rows that are to be verified: all, those of at most N counts, or the shortest ones.
fn choose<'r>(rows: &[&'r Record], arguments: &VerifyArguments) -> Vec<&'r Record> {
    if arguments.full {
        return rows.to_vec();
    }
    let shortest = rows.iter().map(|row| row.counts).min().unwrap_or(0);
    let limit = arguments.counts.unwrap_or(0).max(shortest);
    rows.iter().copied().filter(|row| row.counts <= limit).collect()
}

fn longest(rows: &[&Record]) -> usize {
    rows.iter().map(|row| row.counts).max().unwrap_or(0)
}

fn verify_set(set: Set, rows: &[&Record], bar: &indicatif::ProgressBar) -> Vec<Verdict> {
    let computed = digests(set, rows, bar);
    let name = set.info().name;
    let verdict = |(index, row): (usize, &&Record)| {
        let (computed, error) = match &computed {
            Ok(digests) => (digests.get(index).cloned().flatten(), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        Verdict {
            set: name,
            form: row.form.name(),
            counts: row.counts,
            passed: computed.as_ref() == Some(&row.digest),
            expected: row.digest.clone(),
            computed,
            source: row.source.clone(),
            error,
        }
    };
    rows.iter().enumerate().map(verdict).collect()
}

fn digests(set: Set, rows: &[&Record], bar: &indicatif::ProgressBar) -> anyhow::Result<Vec<Option<String>>> {
    let lengths = answers::output_lengths(set);
    let mut digests: Vec<Option<AnswerDigest>> = rows
        .iter()
        .map(|row| {
            AnswerDigest::new(row.form, row.header.as_deref().unwrap_or_default(), row.counts, &lengths)
        })
        .collect();
    let requests: Vec<_> = Requests::new(answers::kind(set)).take(longest(rows)).collect();
    for window in requests.chunks(WINDOW) {
        let made: Vec<_> = window
            .par_iter()
            .map(|request| {
                let answer = answers::answer(set, request.clone());
                bar.set_prefix(set.info().name);
                bar.inc(1);
                answer
            })
            .collect::<anyhow::Result<_>>()
            .with_context(|| set.info().name)?;
        for answer in &made {
            digests.iter_mut().flatten().for_each(|digest| digest.absorb(answer));
        }
    }
    Ok(digests.into_iter().map(|digest| digest.and_then(AnswerDigest::finish)).collect())
}

fn report(verdicts: &[Verdict], without: &[&str], left_out: usize) {
    for verdict in verdicts {
        let what = format!("{:<32} {:<11} {:>3} counts", verdict.set, verdict.form, verdict.counts);
        if verdict.passed {
            output::say(&format!("ok    {what}"));
            continue;
        }
        output::say(&format!("FAIL  {what}"));
        if let Some(error) = &verdict.error {
            output::say(&format!("      {error}"));
        }
        output::say(&format!("      expected {} ({})", verdict.expected, verdict.source));
        output::say(&format!("      computed {}", verdict.computed.as_deref().unwrap_or("nothing")));
    }
    for set in without {
        output::say(&format!("FAIL  {set:<32} has no digest in the manifests"));
    }
    let good = verdicts.iter().filter(|verdict| verdict.passed).count();
    let bad = verdicts.len() - good + without.len();
    output::say(&format!("{good} digests equal, {bad} failures, {left_out} longer ones left out"));
}

#[cfg(test)]
mod tests {
    use kat_vectors::digest::Form;

    use super::*;
    use crate::toy::ToySign;

    fn record(form: Form, counts: usize, digest: &str) -> Record {
        Record {
            set: "TOYSIGN".into(),
            form,
            counts,
            header: form.has_header().then(|| "TOYSIGN".into()),
            digest: digest.into(),
            source: "the harness specification".into(),
        }
    }

    #[test]
    fn right_digests_pass_and_wrong_ones_fail_with_both_values() {
        let good =
            record(Form::Single, 1, "dec1bd4076974cbc140010f643f106c65efb455d25654eae58a6272ea3a5669c");
        let bad = Record { digest: good.digest.replace('d', "e"), ..good.clone() };
        let rsp = record(Form::Rsp, 100, "08250ba05d1006107827d8d2b1dc20d90501ac175eaab38d55808d587b5fea49");
        let bar = indicatif::ProgressBar::hidden();
        let verdicts = verify_set(ToySign::SET, &[&good, &bad, &rsp], &bar);
        let passed: Vec<bool> = verdicts.iter().map(|verdict| verdict.passed).collect();
        assert_eq!(passed, [true, false, true]);
        assert_eq!(verdicts[1].computed.as_ref(), Some(&good.digest));
    }

    #[test]
    fn which_rows_are_chosen() {
        let rows = [record(Form::Rsp, 100, ""), record(Form::Rsp, 10, ""), record(Form::Single, 1, "")];
        let rows: Vec<&Record> = rows.iter().collect();
        let chosen = |arguments: VerifyArguments, rows: &[&Record]| {
            choose(rows, &arguments).iter().map(|row| row.counts).collect::<Vec<_>>()
        };
        let counts = |counts| VerifyArguments { counts: Some(counts), ..Default::default() };
        assert_eq!(chosen(VerifyArguments::default(), &rows), [1]);
        assert_eq!(chosen(counts(10), &rows), [10, 1]);
        assert_eq!(chosen(VerifyArguments { full: true, ..Default::default() }, &rows), [100, 10, 1]);
        // A set whose digests are all longer is not left out.
        assert_eq!(chosen(counts(1), &rows[..2]), [10]);
    }
}
