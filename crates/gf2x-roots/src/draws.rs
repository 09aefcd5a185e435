//! The random draws that a splitting by traces would have consumed.
//!
//! Some schemes fix how many elements the search for the roots draws from the generator. The draws are a function of the set
//! of roots alone: with the element r, the roots x with Tr(r x) = 0 are split from the others. So the roots are found by any
//! method, and the draws are replayed.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hint::black_box;

use gf2n::Gf2n;
use gf2n::modulus::Modulus;
use zeroize::Zeroizing;

/// Some of the roots, wiped when dropped.
type Part<const N: usize, const L: usize, M> = Zeroizing<Vec<Gf2n<N, L, M>>>;

/// How a factor with two roots is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairRule {
    /// By the formula for quadratics and without a draw if N is odd; by draws if N is even (GeMSS, third round).
    FormulaIfOdd,
    /// By draws, as all other factors (GeMSS, second round).
    Draws,
}

/// Why the draws could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawError<E> {
    /// The generator failed.
    Generator(E),
    /// One set of roots was not split by [`MAX_DRAWS`] draws: the generator does not give random elements.
    TooManyDraws,
}

impl<E: fmt::Display> fmt::Display for DrawError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generator(error) => write!(formatter, "random generator: {error}"),
            Self::TooManyDraws => write!(formatter, "no split of the roots in {MAX_DRAWS} draws"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for DrawError<E> {}

/// The largest number of draws for one split. A random draw splits with probability 1/2 or more.
pub const MAX_DRAWS: usize = 256;

/// Consumes the draws of the splitting of these distinct roots.
///
/// `draw` asks the generator for one element, zero included; zeros are drawn again. The part with trace 0 is split first.
/// The number of draws is a function of the roots and of what is drawn; it is public in the schemes that need this.
///
/// ```
/// use gf2n::Gf2n;
/// use gf2x_roots::draws::{PairRule, replay_draws};
/// type Field = Gf2n<8, 1>;
/// let element = |value| Field::from_limbs_truncated([value]);
/// let mut stream = [0u64, 1, 32].into_iter();
/// // 0 is refused; 3 and 5 both have trace 0, so the draw 1 does not split them; 32 does
/// let result = replay_draws(&[element(3), element(5)], PairRule::Draws, || stream.next().map(element).ok_or("empty"));
/// assert_eq!(result, Ok(()));
/// assert_eq!(stream.next(), None);
/// ```
pub fn replay_draws<const N: usize, const L: usize, M: Modulus<N, L>, E>(
    roots: &[Gf2n<N, L, M>],
    pairs: PairRule,
    mut draw: impl FnMut() -> Result<Gf2n<N, L, M>, E>,
) -> Result<(), DrawError<E>> {
    let mut waiting = vec![Zeroizing::new(roots.to_vec())];
    while let Some(set) = waiting.pop() {
        if set.len() < 2 || (set.len() == 2 && N % 2 == 1 && pairs == PairRule::FormulaIfOdd) {
            continue;
        }
        let (zero, one) = split(set, &mut draw)?;
        waiting.push(one);
        waiting.push(zero);
    }
    Ok(())
}

/// Draws until the set splits: those with trace 0 and those with trace 1. The sizes of the parts show, as in any splitting; which
/// roots are in which does not.
fn split<const N: usize, const L: usize, M: Modulus<N, L>, E>(
    mut set: Part<N, L, M>,
    draw: &mut impl FnMut() -> Result<Gf2n<N, L, M>, E>,
) -> Result<(Part<N, L, M>, Part<N, L, M>), DrawError<E>> {
    for _ in 0..MAX_DRAWS {
        let multiplier = draw().map_err(DrawError::Generator)?;
        if multiplier == Gf2n::ZERO {
            continue;
        }
        let mut traces: Zeroizing<Vec<u64>> =
            Zeroizing::new(set.iter().map(|root| (multiplier * *root).trace()).collect());
        let ones = traces.iter().sum::<u64>() as usize;
        if ones > 0 && ones < set.len() {
            partition(&mut set, &mut traces);
            let one = Zeroizing::new(set[set.len() - ones..].to_vec());
            let zero = Zeroizing::new(set[..set.len() - ones].to_vec());
            return Ok((zero, one));
        }
    }
    Err(DrawError::TooManyDraws)
}

/// Brings the elements with trace 0 to the front: masked exchanges of neighbours, in constant time for their number.
fn partition<const N: usize, const L: usize, M: Modulus<N, L>>(
    set: &mut [Gf2n<N, L, M>],
    traces: &mut [u64],
) {
    for end in (1..set.len()).rev() {
        for i in 0..end {
            let exchange = black_box(traces[i] & (traces[i + 1] ^ 1));
            traces[i] ^= exchange;
            traces[i + 1] |= exchange;
            let mask = exchange.wrapping_neg();
            let (mut first, mut second) = (*set[i].limbs(), *set[i + 1].limbs());
            for (a, b) in first.iter_mut().zip(&mut second) {
                let difference = (*a ^ *b) & mask;
                *a ^= difference;
                *b ^= difference;
            }
            set[i] = Gf2n::from_limbs_truncated(first);
            set[i + 1] = Gf2n::from_limbs_truncated(second);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_traces() {
        type Field = Gf2n<8, 1>;
        for pattern in 0_u64..1 << 7 {
            let mut set: Vec<_> = (0..7).map(|k| Field::from_limbs_truncated([20 + k])).collect();
            let mut traces: Vec<u64> = (0..7).map(|k| pattern >> k & 1).collect();
            partition(&mut set, &mut traces);
            let zeros = 7 - pattern.count_ones() as usize;
            let (zero, one) = set.split_at(zeros);
            let bit = |element: &Field| pattern >> (element.limbs()[0] - 20) & 1;
            assert!(
                zero.iter().all(|element| bit(element) == 0) && one.iter().all(|element| bit(element) == 1)
            );
            set.sort_by_key(|element| element.limbs()[0]);
            assert!(set.iter().zip(20..).all(|(element, value)| element.limbs()[0] == value));
        }
    }
}
