//! The random draws that a splitting by traces would have consumed.
//!
//! Some schemes fix how many elements the search for the roots draws from the generator. The draws are a function of the set
//! of roots alone: with the element r, the roots x with Tr(r x) = 0 are split from the others. So the roots are found by any
//! method, and the draws are replayed.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use gf2n::Gf2n;
use gf2n::modulus::Modulus;

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
    let mut waiting: Vec<Vec<usize>> = vec![(0..roots.len()).collect()];
    while let Some(set) = waiting.pop() {
        if set.len() < 2 || (set.len() == 2 && N % 2 == 1 && pairs == PairRule::FormulaIfOdd) {
            continue;
        }
        let (zero, one) = split(roots, &set, &mut draw)?;
        waiting.push(one);
        waiting.push(zero);
    }
    Ok(())
}

/// Draws until the set of indices into `roots` splits: those with trace 0 and those with trace 1.
fn split<const N: usize, const L: usize, M: Modulus<N, L>, E>(
    roots: &[Gf2n<N, L, M>],
    set: &[usize],
    draw: &mut impl FnMut() -> Result<Gf2n<N, L, M>, E>,
) -> Result<(Vec<usize>, Vec<usize>), DrawError<E>> {
    for _ in 0..MAX_DRAWS {
        let multiplier = draw().map_err(DrawError::Generator)?;
        if multiplier == Gf2n::ZERO {
            continue;
        }
        let (zero, one): (Vec<_>, Vec<_>) =
            set.iter().partition(|&&index| (multiplier * roots[index]).trace() == 0);
        if !zero.is_empty() && !one.is_empty() {
            return Ok((zero, one));
        }
    }
    Err(DrawError::TooManyDraws)
}
