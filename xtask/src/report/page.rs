//! The page: which plots, in which order, with which words.

use std::fmt::Write;

use measurements::{Operation, Results, Row};
use schemes::registry::{self, Set};
use schemes::{Family, Sizes, Verdict};

use super::axis::Unit;
use super::charts::{Dot, DotRow, Line, axis_of, dots, escape, histogram, lines};

/// Histograms are drawn for sets with so many timings.
const ENOUGH_FOR_A_HISTOGRAM: usize = 30;
/// At most so many histograms.
const HISTOGRAMS: usize = 6;

/// The whole file: style and plots inside, nothing loaded from elsewhere.
pub(super) fn page(results: &Results) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>mqsuite: measurements</title><style>",
    );
    html.push_str(include_str!("style.css"));
    html.push_str("</style></head><body><h1>mqsuite: measurements</h1>");
    facts(&mut html, results);
    times(&mut html, results);
    sizes(&mut html, results);
    peers(&mut html, results);
    distributions(&mut html, results);
    growth(&mut html, results);
    statuses(&mut html, results);
    html.push_str("</body></html>\n");
    html
}

fn sets(results: &Results) -> Vec<Set> {
    let mut names: Vec<&str> = results.rows.iter().map(|row| row.set.as_str()).collect();
    names.dedup();
    names.iter().filter_map(|name| registry::find(name).ok()).collect()
}

fn facts(html: &mut String, results: &Results) {
    let machine = &results.machine;
    let _ = write!(
        html,
        "<p class=\"facts\">{}, {}. {}. Time-stamp counter {:.3} GHz, core clock {:.2} GHz, back ends up to {}.</p>",
        escape(&machine.cpu),
        machine.date,
        escape(&machine.build),
        machine.ticks_per_second / 1e9,
        machine.ticks_per_second * machine.core_cycles_per_tick / 1e9,
        machine.backend
    );
    html.push_str(
        "<p class=\"warning\">GeMSS and its relatives, Gui and the dual mode are broken (Tao, Petzoldt, Ding, CRYPTO 2021): research \
         only. The last section has the dated status of every set.</p>",
    );
    for remark in &results.remarks {
        let _ = write!(html, "<p class=\"note\">Note: {}.</p>", escape(remark));
    }
    for (set, reason) in &results.refused {
        let _ = write!(html, "<p class=\"warning\">Not measured: {} ({}).</p>", escape(set), escape(reason));
    }
}

fn seconds(results: &Results, ticks: f64) -> f64 {
    ticks / results.machine.ticks_per_second
}

fn find<'r>(results: &'r Results, set: &str, operations: &[Operation]) -> Option<&'r Row> {
    results.rows.iter().find(|row| row.set == set && operations.contains(&row.operation))
}

fn times(html: &mut String, results: &Results) {
    html.push_str(
        "<h2>Time</h2><p>Average time of one call on the official bytes; the line behind a dot goes from the first to the third \
         quartile. Signing by rejection has a wide distribution.</p>",
    );
    let operations: [(&str, &[Operation]); 3] = [
        ("key generation", &[Operation::Keygen]),
        ("signing, encapsulation", &[Operation::Sign, Operation::Encapsulate]),
        ("verification, decapsulation", &[Operation::Verify, Operation::Decapsulate]),
    ];
    let names: Vec<&str> = operations.iter().map(|(name, _)| *name).collect();
    let mut families: Vec<(Family, Vec<DotRow>)> = Vec::new();
    for family in Family::ALL {
        let rows: Vec<DotRow> = sets(results)
            .into_iter()
            .filter(|set| set.info().family == family)
            .map(|set| DotRow {
                label: set.info().name.to_owned(),
                dots: operations
                    .iter()
                    .enumerate()
                    .filter_map(|(series, (_, wanted))| {
                        let ticks = find(results, set.info().name, wanted)?.ticks;
                        Some(Dot {
                            value: seconds(results, ticks.mean),
                            range: Some((
                                seconds(results, ticks.first_quartile),
                                seconds(results, ticks.third_quartile),
                            )),
                            series,
                        })
                    })
                    .collect(),
            })
            .collect();
        if !rows.is_empty() {
            families.push((family, rows));
        }
    }
    // One axis for all families, so that they can be compared.
    if let Some(axis) = axis_of(Unit::Time, families.iter().flat_map(|(_, rows)| rows)) {
        for (family, rows) in &families {
            let _ = write!(html, "<h3>{}</h3>", family.name());
            html.push_str(&dots(axis, "time of one call (logarithmic)", &names, rows));
        }
    }
}

fn sizes(html: &mut String, results: &Results) {
    html.push_str("<h2>Sizes</h2>");
    let rows: Vec<DotRow> = sets(results)
        .into_iter()
        .map(|set| {
            let info = set.info();
            let output = match info.sizes {
                Sizes::Signature { signature, .. } => signature,
                Sizes::Kem { ciphertext, .. } => ciphertext,
            };
            let dot = |(series, bytes): (usize, usize)| Dot { value: bytes as f64, range: None, series };
            DotRow {
                label: format!("{} (level {})", info.name, info.level),
                dots: [info.public_key, info.secret_key, output].into_iter().enumerate().map(dot).collect(),
            }
        })
        .collect();
    if let Some(axis) = axis_of(Unit::Bytes, rows.iter()) {
        let names = ["public key", "secret key", "signature, ciphertext"];
        html.push_str(&dots(axis, "bytes (logarithmic)", &names, &rows));
    }
}

fn peers(html: &mut String, results: &Results) {
    if results.pairs.is_empty() {
        return;
    }
    html.push_str(
        "<h2>Beside peers</h2><p>Peer's time by ours, measured in turn in one process on the same inputs: right of the line ours is \
         faster. Dots are medians, the lines behind them go from the first to the third quartile of the single ratios.</p>",
    );
    let mut peers: Vec<&str> = results.pairs.iter().map(|pair| pair.peer.as_str()).collect();
    peers.sort_unstable();
    peers.dedup();
    for peer in peers {
        let of_peer: Vec<_> = results.pairs.iter().filter(|pair| pair.peer == peer).collect();
        let rows: Vec<DotRow> = of_peer
            .iter()
            .map(|pair| DotRow {
                label: format!("{}, {}", pair.set, pair.operation.name()),
                dots: vec![Dot {
                    value: pair.ratio.median,
                    range: Some((pair.ratio.first_quartile, pair.ratio.third_quartile)),
                    series: match pair.operation {
                        Operation::Keygen => 0,
                        Operation::Sign | Operation::Encapsulate => 1,
                        _ => 2,
                    },
                }],
            })
            .collect();
        let build = of_peer.first().map_or("", |pair| pair.peer_build.as_str());
        let _ = write!(html, "<h3>{}</h3><p class=\"note\">{}</p>", escape(peer), escape(build));
        if let Some(axis) = axis_of(Unit::Ratio, rows.iter()) {
            html.push_str(&dots(axis, "peer's time by ours (logarithmic)", &[], &rows));
        }
    }
}

fn distributions(html: &mut String, results: &Results) {
    let chosen: Vec<&Row> = results
        .rows
        .iter()
        .filter(|row| row.operation == Operation::Sign && row.samples.len() >= ENOUGH_FOR_A_HISTOGRAM)
        .filter(|row| row.attempts.is_some_and(|attempts| attempts.per_signature > 1.05))
        .take(HISTOGRAMS)
        .collect();
    if chosen.is_empty() {
        return;
    }
    html.push_str("<h2>Distribution of signing times</h2><p>Signing repeats until an attempt succeeds.</p><div class=\"plots\">");
    for row in chosen {
        let seconds: Vec<f64> = row.samples.iter().map(|ticks| seconds(results, *ticks)).collect();
        let _ = write!(html, "<div><h3>{}</h3>", escape(&row.set));
        html.push_str(&histogram("time of one signature", &seconds));
        html.push_str("</div>");
    }
    html.push_str("</div>");
}

fn growth(html: &mut String, results: &Results) {
    if results.growth.is_empty() {
        return;
    }
    html.push_str(
        "<h2>Growth with n and D</h2><p>All roots of one random HFE polynomial of degree D over GF(2<sup>n</sup>): one attempt of a \
         signature of any HFEv- set.</p>",
    );
    let mut fields: Vec<usize> = results.growth.iter().map(|point| point.field_degree).collect();
    fields.sort_unstable();
    fields.dedup();
    let curves: Vec<Line> = fields
        .iter()
        .map(|&field| Line {
            name: format!("n = {field}"),
            points: results
                .growth
                .iter()
                .filter(|point| point.field_degree == field)
                .map(|point| (point.degree as f64, seconds(results, point.ticks.mean)))
                .collect(),
        })
        .collect();
    html.push_str(&lines("degree D of the polynomial (logarithmic)", "time (logarithmic)", &curves));

    let mut degrees: Vec<usize> = results.growth.iter().map(|point| point.degree).collect();
    degrees.sort_unstable();
    degrees.dedup();
    html.push_str("<div class=\"scroll\"><table><tr><th>milliseconds</th>");
    for degree in &degrees {
        let _ = write!(html, "<th>D = {degree}</th>");
    }
    html.push_str("</tr>");
    for field in fields {
        let _ = write!(html, "<tr><td>n = {field}</td>");
        for &degree in &degrees {
            let found =
                results.growth.iter().find(|point| point.field_degree == field && point.degree == degree);
            match found {
                Some(point) => {
                    let _ = write!(html, "<td>{:.3}</td>", 1000.0 * seconds(results, point.ticks.mean));
                }
                None => html.push_str("<td></td>"),
            }
        }
        html.push_str("</tr>");
    }
    html.push_str("</table></div>");
}

fn statuses(html: &mut String, results: &Results) {
    html.push_str(
        "<h2>Status</h2><div class=\"scroll\"><table><tr><th>set</th><th>version</th><th>status</th><th>entered</th><th>source</th></tr>",
    );
    for set in sets(results) {
        let info = set.info();
        let verdict = match info.status.verdict {
            Verdict::Broken => "<b>broken</b>",
            other => crate::list::verdict(other),
        };
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{verdict}</td><td>{}</td><td>{}</td></tr>",
            info.name,
            escape(info.version),
            info.status.date,
            escape(info.status.source)
        );
    }
    html.push_str("</table></div>");
}
