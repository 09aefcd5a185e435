//! Logarithmic axes: where a value stands, and which ticks with which words.

/// What an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seconds.
    Time,
    /// Bytes.
    Bytes,
    /// A plain ratio.
    Ratio,
}

impl Unit {
    /// A value with its unit, three significant digits.
    pub(super) fn words(self, value: f64) -> String {
        let steps: &[(f64, &str)] = match self {
            Unit::Time => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
            Unit::Bytes => &[(1e6, "MB"), (1e3, "kB"), (1.0, "B")],
            Unit::Ratio => return format!("{}×", digits(value)),
        };
        let (scale, name) = steps
            .iter()
            .copied()
            .find(|(scale, _)| value >= *scale * 0.9995)
            .unwrap_or(steps[steps.len() - 1]);
        format!("{} {name}", digits(value / scale))
    }
}

fn digits(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A logarithmic axis from one whole power of ten (or of two, for ratios) to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    unit: Unit,
    base: f64,
    low: i32,
    high: i32,
}

impl Axis {
    /// The shortest axis that holds all values; `None` if there is no positive value.
    pub(super) fn around(unit: Unit, values: impl Iterator<Item = f64>) -> Option<Self> {
        let base: f64 = if unit == Unit::Ratio { 2.0 } else { 10.0 };
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in values.filter(|value| *value > 0.0 && value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if high == 0.0 {
            return None;
        }
        let (mut low, mut high) = (low.log(base).floor() as i32, high.log(base).ceil() as i32);
        if unit == Unit::Ratio {
            low = low.min(-1);
            high = high.max(1);
        }
        Some(Self { unit, base, low, high: high.max(low + 1) })
    }

    /// What it counts.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// Where a value stands, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        ((value.max(1e-30).log(self.base) - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Places and words of the ticks, at most `most` of them.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let steps = (self.high - self.low).unsigned_abs() as usize;
        let every = steps.div_ceil(most.max(2) - 1).max(1);
        (self.low..=self.high)
            .step_by(every)
            .map(|power| {
                let value = self.base.powi(power);
                (self.place(value), self.unit.words(value))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(Unit::Time.words(0.001), "1 ms");
        assert_eq!(Unit::Time.words(0.01234), "12.3 ms");
        assert_eq!(Unit::Time.words(2.5e-7), "250 ns");
        assert_eq!(Unit::Bytes.words(1_357_824.0), "1.36 MB");
        assert_eq!(Unit::Ratio.words(0.5), "0.5×");
        assert_eq!(Unit::Bytes.words(100.0), "100 B");
    }

    #[test]
    fn places_and_ticks() {
        let axis = Axis::around(Unit::Time, [2e-5, 0.3].into_iter()).expect("values");
        assert!((axis.place(1e-5) - 0.0).abs() < 1e-9 && (axis.place(1.0) - 1.0).abs() < 1e-9);
        let ticks = axis.ticks(6);
        assert_eq!(ticks.first().map(|tick| tick.1.as_str()), Some("10 µs"));
        assert_eq!(ticks.len(), 6);
        assert!(axis.ticks(3).len() <= 3);
        assert!(Axis::around(Unit::Time, std::iter::empty()).is_none());
    }
}
