//! Statistics of a series of timings.

use serde::{Deserialize, Serialize};

/// The numbers that tables show. Quartiles are SUPERCOP's stabilized ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// How many.
    pub samples: usize,
    /// Average.
    pub mean: f64,
    /// Standard deviation (of the sample, n - 1); 0 for one value.
    pub standard_deviation: f64,
    /// Least.
    pub minimum: f64,
    /// First quartile.
    pub first_quartile: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub third_quartile: f64,
}

impl Statistics {
    /// `None` for no values.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            samples: values.len(),
            mean,
            standard_deviation: if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 },
            minimum: sorted[0],
            first_quartile: stabilized(&sorted, 1, 3),
            median: stabilized(&sorted, 3, 5),
            third_quartile: stabilized(&sorted, 5, 7),
        })
    }
}

/// SUPERCOP's stabilized quantile: each of the n values is written eight times; the mean of the elements from n * from to
/// n * to - 1 of that list.
fn stabilized(sorted: &[f64], from: usize, to: usize) -> f64 {
    let n = sorted.len();
    let elements = n * from..n * to;
    let count = elements.len() as f64;
    elements.map(|index| sorted[index / 8]).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values() {
        assert_eq!(Statistics::of(&[]), None);
        let one = Statistics::of(&[3.0]).expect("one");
        assert_eq!((one.mean, one.standard_deviation, one.median, one.minimum), (3.0, 0.0, 3.0, 3.0));
        let two = Statistics::of(&[1.0, 3.0]).expect("two");
        assert_eq!((two.mean, two.median), (2.0, 2.0));
        assert!((two.standard_deviation - 2f64.sqrt()).abs() < 1e-12);
    }
}
