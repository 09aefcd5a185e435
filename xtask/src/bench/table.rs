//! The tables of `bench`.

use measurements::{Machine, Operation, Pair, Results, Row, Statistics, published};

use crate::output::say;

/// Prints every table that the results fill.
pub(super) fn print(results: &Results, with_statistics: bool) {
    let machine = &results.machine;
    header(machine);
    main_table(results);
    if with_statistics {
        statistics(results);
    }
    if !results.lengths.is_empty() {
        lengths(results);
    }
    if !results.pairs.is_empty() {
        pairs(results);
    }
    for (set, reason) in &results.refused {
        say(&format!("FAIL  {set}: {reason}"));
    }
    for remark in &results.remarks {
        say(&format!("note: {remark}"));
    }
}

fn header(machine: &Machine) {
    say(&format!("{}, {}, {}", machine.cpu, machine.date, machine.build));
    say(&format!(
        "time-stamp counter {:.3} GHz, core clock {:.2} GHz (x{:.3}), back ends up to {}",
        machine.ticks_per_second / 1e9,
        machine.ticks_per_second * machine.core_cycles_per_tick / 1e9,
        machine.core_cycles_per_tick,
        machine.backend
    ));
    say("");
}

/// Core cycles in millions and milliseconds of a number of ticks.
pub(super) fn cycles_and_ms(machine: &Machine, ticks: f64) -> (f64, f64) {
    (ticks * machine.core_cycles_per_tick / 1e6, ticks / machine.ticks_per_second * 1e3)
}

/// Four significant digits, without an exponent.
fn short(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 1000.0 => 0,
        v if v >= 100.0 => 1,
        v if v >= 10.0 => 2,
        v if v >= 1.0 => 3,
        _ => 4,
    };
    format!("{value:.digits$}")
}

/// The table of the MQsoft page: average cost of each operation, with the published figures below.
fn main_table(results: &Results) {
    let mut sets: Vec<&str> = results.rows.iter().map(|row| row.set.as_str()).collect();
    sets.dedup();
    say(&format!(
        "{:<34} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "average of", "keygen", "", "sign/enc", "", "verify/dec", "", "attempt"
    ));
    say(&format!(
        "{:<34} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "", "Mcycles", "ms", "Mcycles", "ms", "Mcycles", "ms", "Mcycles"
    ));
    for set in sets {
        let find = |operations: &[Operation]| {
            results.rows.iter().find(|row| row.set == set && operations.contains(&row.operation))
        };
        let cells = |row: Option<&Row>| match row {
            Some(row) => {
                let (cycles, ms) = cycles_and_ms(&results.machine, row.ticks.mean);
                format!("{:>10} {:>10}", short(cycles), short(ms))
            }
            None => format!("{:>10} {:>10}", "-", "-"),
        };
        let sign = find(&[Operation::Sign, Operation::Encapsulate]);
        let attempt = sign
            .and_then(|row| row.attempts)
            .filter(|attempts| attempts.per_signature > 1.0)
            .map_or(String::new(), |attempts| {
                short(cycles_and_ms(&results.machine, attempts.ticks_per_attempt).0)
            });
        let line = format!(
            "{set:<34} {} {} {} {attempt:>10}",
            cells(find(&[Operation::Keygen])),
            cells(sign),
            cells(find(&[Operation::Verify, Operation::Decapsulate]))
        );
        say(line.trim_end());
        expanded(results, set);
        published_below(set);
        counted_on_arm(set);
    }
    say("");
}

/// The line of expanded keys, where expanding them ahead changes something.
fn expanded(results: &Results, set: &str) {
    let find = |operation| results.rows.iter().find(|row| row.set == set && row.operation == operation);
    let cells = |row: Option<&Row>| match row {
        Some(row) => {
            let (cycles, ms) = cycles_and_ms(&results.machine, row.ticks.mean);
            format!("{:>10} {:>10}", short(cycles), short(ms))
        }
        None => format!("{:>10} {:>10}", "", ""),
    };
    let sign = find(Operation::SignExpanded);
    let verify = find(Operation::VerifyPrepared).or_else(|| find(Operation::DecapsulatePrepared));
    if sign.is_some() || verify.is_some() {
        say(&format!(
            "{:<34} {:>10} {:>10} {} {}",
            "    with an expanded key",
            "",
            "",
            cells(sign),
            cells(verify)
        ));
    }
}

fn published_below(set: &str) {
    let figures: Vec<_> = published::about("mqsoft-page", set).collect();
    let value = |operation: &str, unit: &str| {
        figures
            .iter()
            .find(|figure| figure.operation == operation && figure.unit == unit)
            .map_or_else(|| "-".to_owned(), |figure| short(figure.value))
    };
    if let Some(first) = figures.first() {
        let cells: Vec<String> = ["keygen", "sign", "verify"]
            .into_iter()
            .map(|operation| format!("{:>10} {:>10}", value(operation, "Mcycles"), value(operation, "ms")))
            .collect();
        say(&format!(
            "{:<34} {}   {} on another machine: {}",
            "    published",
            cells.join(" "),
            first.label,
            first.machine
        ));
    }
    for table in ["qruov-paper", "mayo-armv7m", "fpga-keygen"] {
        for figure in published::about(table, set) {
            say(&format!(
                "    published: {} {} {} {} ({}); another machine: {}",
                figure.operation,
                figure.statistic,
                short(figure.value),
                figure.unit,
                figure.source,
                figure.machine
            ));
        }
    }
}

/// Instructions on an emulated microcontroller, where they were counted; never cycles.
fn counted_on_arm(set: &str) {
    let kept = measurements::arm::kept();
    for count in kept.counts.iter().filter(|count| count.set == set) {
        let millions = |value: u64| short(value as f64 / 1e6);
        say(&format!(
            "    ARMv7-M, counted: {} {} M instructions (not cycles), of which SHAKE256 {}, AES-128 {}, generator {}; {:.1} KiB ({})",
            count.operation,
            millions(count.instructions),
            millions(count.hash),
            millions(count.keystream),
            millions(count.random),
            (count.heap_bytes + count.stack_bytes) as f64 / 1024.0,
            kept.how
        ));
    }
}

/// The second kind of table: the distribution of each operation, in core cycles.
fn statistics(results: &Results) {
    say(&format!(
        "{:<34} {:<26} {:>7} {:>13} {:>13} {:>13} {:>13} {:>13}",
        "core cycles", "", "samples", "average", "std. dev.", "1st quartile", "median", "3rd quartile"
    ));
    for row in &results.rows {
        let cycles = |ticks: f64| format!("{:.0}", ticks * results.machine.core_cycles_per_tick);
        let t = &row.ticks;
        say(&format!(
            "{:<34} {:<26} {:>7} {:>13} {:>13} {:>13} {:>13} {:>13}",
            row.set,
            row.operation.name(),
            t.samples,
            cycles(t.mean),
            cycles(t.standard_deviation),
            cycles(t.first_quartile),
            cycles(t.median),
            cycles(t.third_quartile)
        ));
        attempts(row, results);
        published_statistics(&row.set, row.operation);
    }
    say("");
}

/// The line of a rejection loop: how often it ran, how often it should have, and what once costs.
fn attempts(row: &Row, results: &Results) {
    let Some(attempts) =
        row.attempts.filter(|attempts| attempts.expected.is_some() || attempts.per_signature > 1.0)
    else {
        return;
    };
    let expected = attempts.expected.map_or_else(String::new, |mean| format!(" ({mean:.2} expected)"));
    say(&format!(
        "    attempts a signature: {:.2}{expected}; {:.0} core cycles an attempt",
        attempts.per_signature,
        attempts.ticks_per_attempt * results.machine.core_cycles_per_tick
    ));
}

fn published_statistics(set: &str, operation: Operation) {
    let wanted = match operation {
        Operation::Keygen => "keygen",
        Operation::Sign => "sign 1",
        Operation::Verify => "verify 1",
        _ => return,
    };
    let figures: Vec<_> =
        published::about("eufcma-statistics", set).filter(|figure| figure.operation == wanted).collect();
    let mut labels: Vec<&str> = figures.iter().map(|figure| figure.label).collect();
    labels.dedup();
    for label in labels {
        let value = |statistic: &str| {
            figures
                .iter()
                .find(|figure| figure.label == label && figure.statistic == statistic)
                .map_or_else(|| "-".to_owned(), |figure| format!("{:.0}", figure.value))
        };
        say(&format!(
            "{:<34} {:<26} {:>7} {:>13} {:>13} {:>13} {:>13} {:>13}   another machine: Skylake i7-6600U",
            "    published",
            label,
            "",
            value("average"),
            value("standard deviation"),
            value("first quartile"),
            value("median"),
            value("third quartile")
        ));
    }
}

/// SUPERCOP's tables: three loops for each message length, in ticks, as SUPERCOP counts on a machine without a core counter.
fn lengths(results: &Results) {
    say("SUPERCOP's message lengths: stabilized medians of three loops, in ticks of the time-stamp counter");
    say(&format!(
        "{:<30} {:>7} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}  published, another machine (sign 1, verify 1)",
        "", "length", "sign 1", "sign 2", "sign 3", "verify 1", "verify 2", "verify 3"
    ));
    for row in &results.lengths {
        let other = |operation: &str| {
            let wanted = format!("{operation} 1, length {}", row.length);
            published::about("supercop", &row.set)
                .filter(|figure| figure.operation == wanted)
                .map(|figure| format!("{} {:.0}", figure.label, figure.value))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut line = format!("{:<30} {:>7}", row.set, row.length);
        for value in row.sign.iter().chain(&row.open) {
            line.push_str(&format!(" {value:>12.0}"));
        }
        let published = [other("sign"), other("verify")].into_iter().filter(|text| !text.is_empty());
        say(&format!("{line}  {}", published.collect::<Vec<_>>().join("; ")));
    }
    say("");
}

/// Beside peers, measured in turn: the only figures that compare.
fn pairs(results: &Results) {
    let peer_of = |pair: &Pair| format!("{} ({})", pair.peer, pair.peer_build);
    let width = results.pairs.iter().map(|pair| peer_of(pair).chars().count()).max().unwrap_or(0);
    say("beside peers, in one process, in turn; ratio above 1: ours is faster");
    say(&format!(
        "{:<28} {:<12} {:<width$} {:>12} {:>12} {:>7} {:>15}  same bytes",
        "", "", "peer", "ours, ticks", "peer, ticks", "ratio", "quartiles"
    ));
    for pair in &results.pairs {
        let Pair { ours, theirs, ratio, .. } = pair;
        let quartiles = |s: &Statistics| format!("{:.2} .. {:.2}", s.first_quartile, s.third_quartile);
        say(&format!(
            "{:<28} {:<12} {:<width$} {:>12.0} {:>12.0} {:>7.2} {:>15}  {}{}",
            pair.set,
            pair.operation.name(),
            peer_of(pair),
            ours.median,
            theirs.median,
            ratio.median,
            quartiles(ratio),
            match pair.same_bytes {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "not comparable",
            },
            if pair.malleable { "; the peer accepts changed signatures" } else { "" }
        ));
    }
    say("");
}
