//! The results as comma-separated values: a table of rows, and one each of message lengths and of peers where they were
//! measured, with an empty line between.

use measurements::Results;

use super::table::cycles_and_ms;
use crate::output::say;

/// Every table.
pub(super) fn print(results: &Results) {
    rows(results);
    lengths(results);
    pairs(results);
}

/// One line for each operation of each set.
fn rows(results: &Results) {
    say(
        "set,operation,samples,batch,mean_ticks,std_dev,minimum,q1,median,q3,mean_core_cycles,mean_ms,attempts,expected_attempts,ticks_per_attempt",
    );
    for row in &results.rows {
        let t = &row.ticks;
        let (cycles, ms) = cycles_and_ms(&results.machine, t.mean);
        say(&format!(
            "{},{},{},{},{:.1},{:.1},{:.1},{:.1},{:.1},{:.1},{:.0},{ms:.6},{}",
            row.set,
            row.operation.name().replace(", ", " "),
            t.samples,
            row.batch,
            t.mean,
            t.standard_deviation,
            t.minimum,
            t.first_quartile,
            t.median,
            t.third_quartile,
            cycles * 1e6,
            row.attempts.map_or_else(
                || ",,".to_owned(),
                |attempts| {
                    let expected = attempts.expected.map_or_else(String::new, |mean| format!("{mean:.3}"));
                    format!("{:.3},{expected},{:.1}", attempts.per_signature, attempts.ticks_per_attempt)
                }
            )
        ));
    }
}

/// SUPERCOP's tables, if they were measured.
fn lengths(results: &Results) {
    if results.lengths.is_empty() {
        return;
    }
    say("");
    say(
        "set,message_bytes,sign_ticks_1,sign_ticks_2,sign_ticks_3,verify_ticks_1,verify_ticks_2,verify_ticks_3",
    );
    for row in &results.lengths {
        let times: Vec<String> =
            row.sign.iter().chain(&row.open).map(|ticks| format!("{ticks:.0}")).collect();
        say(&format!("{},{},{}", row.set, row.length, times.join(",")));
    }
}

/// Comparisons with peers, if they were made.
fn pairs(results: &Results) {
    if results.pairs.is_empty() {
        return;
    }
    say("");
    say(
        "set,operation,peer,peer_build,same_bytes,malleable,blocks,our_median_ticks,peer_median_ticks,ratio_q1,ratio_median,ratio_q3",
    );
    for pair in &results.pairs {
        say(&format!(
            "{},{},{},{},{},{},{},{:.1},{:.1},{:.4},{:.4},{:.4}",
            pair.set,
            pair.operation.name().replace(", ", " "),
            pair.peer.replace(',', ""),
            pair.peer_build.replace(',', ""),
            pair.same_bytes.map_or("", |same| if same { "yes" } else { "no" }),
            if pair.malleable { "yes" } else { "no" },
            pair.ratio.samples,
            pair.ours.median,
            pair.theirs.median,
            pair.ratio.first_quartile,
            pair.ratio.median,
            pair.ratio.third_quartile
        ));
    }
}
