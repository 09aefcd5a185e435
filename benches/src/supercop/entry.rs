//! One measurement and its line.

use core::fmt;

use measurements::Statistics;

/// The values of one measured thing, in the order in which they were measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was measured, as SUPERCOP calls it: `cycles`, `open_bytes`, `keypair_randomcalls`, ...
    pub what: &'static str,
    /// Length of the message, where there is one.
    pub length: Option<usize>,
    /// The values.
    pub values: Vec<i64>,
}

impl Entry {
    pub(super) const fn new(what: &'static str, length: Option<usize>, values: Vec<i64>) -> Self {
        Self { what, length, values }
    }

    /// The stabilized median as an integer; halves are rounded down, as `stq2_longlong` does.
    #[must_use]
    pub fn central(&self) -> i64 {
        let values: Vec<f64> = self.values.iter().map(|&value| value as f64).collect();
        let median = Statistics::of(&values).map_or(0.0, |statistics| statistics.median);
        let cut = median.trunc();
        let step = f64::from(i8::from(cut < median - 0.5) - i8::from(cut > median + 0.5));
        (cut + step) as i64
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.what)?;
        match self.length {
            Some(length) => write!(f, "{length} ")?,
            None => f.write_str("- ")?,
        }
        let central = self.central();
        write!(f, "{central} ")?;
        self.values.iter().try_for_each(|value| write!(f, "{:+}", value - central))
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;

    #[test]
    fn lines_have_the_original_form() {
        let values = (1..=16).map(|value| 10 * value).collect();
        let entry = Entry::new("cycles", Some(0), values);
        assert_eq!(
            entry.to_string(),
            "cycles 0 85 -75-65-55-45-35-25-15-5+5+15+25+35+45+55+65+75",
            "the stabilized median of 1 to 16 is 8.5"
        );
        let constant = Entry::new("keypair_randomcalls", None, vec![3; 4]);
        assert_eq!(constant.to_string(), "keypair_randomcalls - 3 +0+0+0+0");
    }

    #[test]
    fn halves_are_rounded_as_the_original_does() {
        let central = |values: &[i64]| Entry::new("x", None, values.to_vec()).central();
        assert_eq!((central(&[1, 2]), central(&[2, 3]), central(&[-2, -1])), (1, 2, -1));
        assert_eq!(central(&(1..=16).collect::<Vec<_>>()), 8);
    }
}
