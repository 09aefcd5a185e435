//! The kinds of plots: rows of dots on a logarithmic axis (HTML, as wide as the window), and lines and bars (SVG).

use std::fmt::Write;

use super::axis::{Axis, Unit};

/// Text for HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One row of a dot plot.
pub(super) struct DotRow {
    pub(super) label: String,
    /// Dots, with the series they belong to.
    pub(super) dots: Vec<Dot>,
}

/// One dot with its whisker.
pub(super) struct Dot {
    pub(super) value: f64,
    pub(super) range: Option<(f64, f64)>,
    pub(super) series: usize,
}

/// The axis that holds every row; `None` without a value.
pub(super) fn axis_of<'r>(unit: Unit, rows: impl Iterator<Item = &'r DotRow>) -> Option<Axis> {
    let values = rows.flat_map(|row| &row.dots).flat_map(|dot| {
        let (low, high) = dot.range.unwrap_or((dot.value, dot.value));
        [dot.value, low, high]
    });
    Axis::around(unit, values)
}

/// A dot plot: one row a label, one colour a series, values in words at the right.
pub(super) fn dots(axis: Axis, axis_name: &str, series: &[&str], rows: &[DotRow]) -> String {
    let unit = axis.unit();
    let mut html = String::from("<div class=\"dots\">");
    legend(&mut html, series);
    let ticks = axis.ticks(5);
    html.push_str("<div class=\"row head\"><span class=\"label\"></span><div class=\"track\">");
    for (place, words) in &ticks {
        let _ = write!(html, "<span class=\"tick\" style=\"left:{:.2}%\">{words}</span>", 100.0 * place);
    }
    html.push_str("</div><span class=\"value\"></span></div>");
    for row in rows {
        let _ = write!(
            html,
            "<div class=\"row\"><span class=\"label\">{}</span><div class=\"track\">",
            escape(&row.label)
        );
        for (place, _) in &ticks {
            let _ = write!(html, "<i class=\"line\" style=\"left:{:.2}%\"></i>", 100.0 * place);
        }
        if unit == Unit::Ratio {
            let _ = write!(html, "<i class=\"line one\" style=\"left:{:.2}%\"></i>", 100.0 * axis.place(1.0));
        }
        for dot in &row.dots {
            if let Some((low, high)) = dot.range {
                let (low, high) = (axis.place(low), axis.place(high));
                let _ = write!(
                    html,
                    "<i class=\"whisker s{}\" style=\"left:{:.2}%;width:{:.2}%\"></i>",
                    dot.series,
                    100.0 * low,
                    100.0 * (high - low)
                );
            }
            let _ = write!(
                html,
                "<i class=\"dot s{}\" style=\"left:{:.2}%\" title=\"{}\"></i>",
                dot.series,
                100.0 * axis.place(dot.value),
                unit.words(dot.value)
            );
        }
        let words: Vec<String> = row.dots.iter().map(|dot| unit.words(dot.value)).collect();
        let _ = write!(html, "</div><span class=\"value\">{}</span></div>", words.join(" · "));
    }
    let _ = write!(html, "<p class=\"axis\">{}</p></div>", escape(axis_name));
    html
}

fn legend(html: &mut String, series: &[&str]) {
    if series.len() < 2 {
        return;
    }
    html.push_str("<p class=\"legend\">");
    for (index, name) in series.iter().enumerate() {
        let _ = write!(html, "<span><i class=\"key s{index}\"></i>{}</span> ", escape(name));
    }
    html.push_str("</p>");
}

/// Size of the SVG plots: readable on a telephone without scaling.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 40.0;

fn frame(svg: &mut String, horizontal: &str, vertical: &str) {
    let _ = write!(
        svg,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
         <text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text class=\"name\" transform=\"translate(11 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(horizontal),
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 5.0,
        escape(horizontal),
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escape(vertical)
    );
}

fn across(place: f64) -> f64 {
    LEFT + place * (WIDTH - LEFT - RIGHT)
}

fn up(place: f64) -> f64 {
    HEIGHT - BOTTOM - place * (HEIGHT - BOTTOM - TOP)
}

/// A line of a line plot.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// Lines over a logarithmic horizontal axis of powers of two, times upward.
pub(super) fn lines(horizontal: &str, vertical: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let Some(axis) = Axis::around(Unit::Time, points().map(|point| point.1)) else {
        return "<p>Nothing was measured.</p>".into();
    };
    let xs: Vec<f64> = {
        let mut xs: Vec<f64> = points().map(|point| point.0).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs
    };
    let (low, high) = (xs[0].log2(), xs[xs.len() - 1].log2());
    // The first and the last point keep clear of the frame and of the words beside it.
    let x =
        |value: f64| across(if high > low { 0.04 + 0.92 * (value.log2() - low) / (high - low) } else { 0.5 });
    let mut html = String::new();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    legend(&mut html, &names);
    frame(&mut html, horizontal, vertical);
    for (place, words) in axis.ticks(6) {
        let y = up(place);
        let _ = write!(
            html,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{words}</text>",
            WIDTH - RIGHT,
            LEFT - 4.0,
            y + 4.0
        );
    }
    let mut free = f64::MIN;
    for value in &xs {
        // the table below has those that would overlap
        let place = x(*value);
        if place < free {
            continue;
        }
        free = place + LABEL;
        let _ = write!(
            html,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
            place,
            HEIGHT - BOTTOM + 15.0
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let path: Vec<String> =
            line.points.iter().map(|(a, b)| format!("{:.1} {:.1}", x(*a), up(axis.place(*b)))).collect();
        let colour = index % COLOURS;
        let _ = write!(html, "<path class=\"curve t{colour}\" d=\"M{}\"/>", path.join("L"));
        for (a, b) in &line.points {
            let _ = write!(
                html,
                "<circle class=\"mark f{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                x(*a),
                up(axis.place(*b))
            );
        }
    }
    html.push_str("</svg>");
    html
}

/// Width of a number below the axis, with room around it.
const LABEL: f64 = 36.0;

/// Colours that the style sheet has for lines, marks and dots.
const COLOURS: usize = 8;

/// Bars of a histogram.
const BINS: usize = 24;

/// How often a time occurred: bins of equal width from 0 to the 98 % quantile, the rest in the last one; the average marked.
pub(super) fn histogram(horizontal: &str, seconds: &[f64]) -> String {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(&top) = sorted.get(sorted.len().saturating_sub(1) * 98 / 100) else {
        return "<p>Nothing was measured.</p>".into();
    };
    let top = top.max(1e-12) * 1.02;
    let mut counts = [0usize; BINS];
    for value in &sorted {
        counts[((value / top * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    let mut html = String::new();
    frame(&mut html, horizontal, &format!("signatures, of {}", sorted.len()));
    let step = most.div_ceil(4).max(1);
    for count in (0..=most).step_by(step) {
        let y = up(count as f64 / most as f64);
        let _ = write!(
            html,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{count}</text>",
            WIDTH - RIGHT,
            LEFT - 4.0,
            y + 4.0
        );
    }
    for (index, count) in counts.iter().enumerate() {
        let (from, to) = (across(index as f64 / BINS as f64), across((index + 1) as f64 / BINS as f64));
        let y = up(*count as f64 / most as f64);
        let _ = write!(
            html,
            "<rect class=\"f0\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            from + 0.5,
            to - from - 1.0,
            up(0.0) - y
        );
    }
    let step = round_step(top / 6.0);
    for value in (0..).map(|number| f64::from(number) * step).take_while(|value| *value <= top) {
        let _ = write!(
            html,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            across(value / top),
            HEIGHT - BOTTOM + 15.0,
            if value == 0.0 { "0".to_owned() } else { Unit::Time.words(value) }
        );
    }
    let x = across((mean / top).min(1.0));
    let anchor = if mean / top > 0.6 { ("end", -4.0) } else { ("start", 4.0) };
    let _ = write!(
        html,
        "<path class=\"mean\" d=\"M{x:.1} {TOP}V{:.1}\"/><text class=\"name\" x=\"{:.1}\" y=\"{}\" text-anchor=\"{}\">average {}</text></svg>",
        up(0.0),
        x + anchor.1,
        TOP - 8.0,
        anchor.0,
        Unit::Time.words(mean)
    );
    html
}

/// The least of 1, 2, 5, 10, 20, ... that is not below `value`, in any power of ten.
fn round_step(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power).find(|step| *step >= value).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::{COLOURS, round_step};

    #[test]
    fn every_colour_is_in_the_style_sheet() {
        let style = include_str!("style.css");
        for colour in 0..COLOURS {
            for class in ["s", "t", "f"] {
                assert!(style.contains(&format!(".{class}{colour} {{")), "{class}{colour}");
            }
        }
    }

    #[test]
    fn steps_of_axes_are_round() {
        for (value, step) in [(0.0033, 0.005), (0.015, 0.02), (6.0, 10.0), (1.01, 2.0), (0.099, 0.1)] {
            assert!((round_step(value) / step - 1.0).abs() < 1e-9, "{value}");
        }
    }
}
