#![doc = include_str!("../README.md")]

pub mod arm;
mod date;
mod plan;
pub mod published;
mod results;
mod statistics;

pub use date::today;
pub use plan::{PeerLibrary, Plan};
pub use results::{Attempts, Growth, LengthRow, Machine, Operation, Pair, Results, Row};
pub use statistics::Statistics;

/// The message lengths of SUPERCOP's signature measurements: 0, then l + 1 + floor(l / 4), up to 100000.
pub fn supercop_lengths() -> impl Iterator<Item = usize> {
    core::iter::successors(Some(0usize), |length| Some(length + 1 + length / 4))
        .take_while(|&length| length <= 100_000)
}

#[cfg(test)]
mod tests {
    #[test]
    fn supercop_measures_48_lengths() {
        let lengths: Vec<usize> = super::supercop_lengths().collect();
        assert_eq!(lengths.len(), 48);
        assert_eq!(lengths[..9], [0, 1, 2, 3, 4, 6, 8, 11, 14]);
        assert_eq!(lengths.last(), Some(&96397));
    }
}
