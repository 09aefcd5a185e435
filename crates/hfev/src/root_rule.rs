//! Which root of F(X, y) = U an inversion takes.

use alloc::vec::Vec;
use core::hint::black_box;

use gf2n::Gf2n;
use gf2n::modulus::Modulus;
pub use gf2x_roots::draws::PairRule;
use gf2x_roots::draws::{DrawError, MAX_DRAWS, replay_draws};
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, Zeroizing};

use crate::{Error, Univariate};

/// The choice of a root: what differs between the schemes.
pub trait RootRule<const N: usize, const L: usize, M: Modulus<N, L>> {
    /// The chosen root of `polynomial`, or `None` where the inversion is to be given up. `target` is U: the element whose
    /// preimage is sought (the polynomial is F(X, y) - U, perhaps scaled).
    ///
    /// # Errors
    /// [`Error::Random`], and [`Error::AttemptsExhausted`] where the rule draws in a loop.
    fn root<R: TryCryptoRng + ?Sized>(
        &self,
        polynomial: &Univariate<N, L, M>,
        target: &Gf2n<N, L, M>,
        rng: &mut R,
    ) -> Result<Option<Gf2n<N, L, M>>, Error>;
}

/// The root if it is the only one. Draws nothing. (Gui.)
#[derive(Clone, Copy, Debug, Default)]
pub struct UniqueRoot;

impl<const N: usize, const L: usize, M: Modulus<N, L>> RootRule<N, L, M> for UniqueRoot {
    fn root<R: TryCryptoRng + ?Sized>(
        &self,
        polynomial: &Univariate<N, L, M>,
        _target: &Gf2n<N, L, M>,
        _rng: &mut R,
    ) -> Result<Option<Gf2n<N, L, M>>, Error> {
        Ok(polynomial.unique_root())
    }
}

/// Any root, without draws: of several, in ascending order as integers in a basis of the caller's, the one that a hash of U in
/// that basis names.
#[derive(Clone, Copy, Debug)]
pub struct IndexedRoot<C, H> {
    coordinates: C,
    hash: H,
}

impl<C, H> IndexedRoot<C, H> {
    /// `coordinates` maps an element to ceil(N/8) little-endian bytes; `hash` maps those of U to a number, of which the
    /// remainder by the number of roots is the index.
    pub const fn new(coordinates: C, hash: H) -> Self {
        Self { coordinates, hash }
    }
}

impl<const N: usize, const L: usize, M, C, H> RootRule<N, L, M> for IndexedRoot<C, H>
where
    M: Modulus<N, L>,
    C: Fn(&Gf2n<N, L, M>) -> Zeroizing<Vec<u8>>,
    H: Fn(&[u8]) -> u64,
{
    fn root<R: TryCryptoRng + ?Sized>(
        &self,
        polynomial: &Univariate<N, L, M>,
        target: &Gf2n<N, L, M>,
        _rng: &mut R,
    ) -> Result<Option<Gf2n<N, L, M>>, Error> {
        let roots = Zeroizing::new(polynomial.roots());
        // the number of roots shows in the time, as the schemes accept; which one is taken does not
        if roots.len() < 2 {
            return Ok(roots.first().copied());
        }
        let keys: Vec<_> = roots.iter().map(|root| (self.coordinates)(root)).collect();
        let index = remainder((self.hash)(&(self.coordinates)(target)), roots.len() as u64);
        Ok(Some(select(&roots, ranks(&keys), index)))
    }
}

/// Any root: of several, in ascending order as integers, the one that a hash of U names. (GeMSS.)
///
/// Splitting the gcd consumed randomness in the packages that fix the bytes: the draws are repeated on the set of roots
/// ([`replay_draws`]).
#[derive(Clone, Copy, Debug)]
pub struct HashedRoot<H> {
    hash: H,
    pairs: PairRule,
}

impl<H> HashedRoot<H> {
    /// `hash` maps U in ceil(N/8) bytes to a number, of which the remainder by the number of roots is the index.
    pub const fn new(hash: H, pairs: PairRule) -> Self {
        Self { hash, pairs }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>, H: Fn(&[u8]) -> u64> RootRule<N, L, M>
    for HashedRoot<H>
{
    fn root<R: TryCryptoRng + ?Sized>(
        &self,
        polynomial: &Univariate<N, L, M>,
        target: &Gf2n<N, L, M>,
        rng: &mut R,
    ) -> Result<Option<Gf2n<N, L, M>>, Error> {
        let roots = Zeroizing::new(polynomial.roots());
        // the number of roots shows in the time, as the schemes accept; which one is taken does not
        if roots.len() < 2 {
            return Ok(roots.first().copied());
        }
        replay_draws(&roots, self.pairs, || Gf2n::random(rng)).map_err(|error| match error {
            DrawError::TooManyDraws => Error::AttemptsExhausted { attempts: MAX_DRAWS as u64 },
            DrawError::Generator(_) => Error::Random,
        })?;
        let mut bytes = target.to_bytes();
        let index = remainder((self.hash)(&bytes), roots.len() as u64);
        bytes.zeroize();
        Ok(Some(select(&roots, 0.., index)))
    }
}

/// The place of each key in ascending order as little-endian numbers, equal ones as they come. Constant time.
fn ranks<K: AsRef<[u8]>>(keys: &[K]) -> impl Iterator<Item = u64> {
    keys.iter().enumerate().map(|(i, key)| {
        let before = keys[..i].iter().map(|other| 1 - less(key.as_ref(), other.as_ref()));
        let behind = keys[i + 1..].iter().map(|other| less(other.as_ref(), key.as_ref()));
        before.chain(behind).sum()
    })
}

/// 1 if the little-endian number `a` is below `b`, which has as many bytes. Constant time.
fn less(a: &[u8], b: &[u8]) -> u64 {
    let borrow = a
        .iter()
        .zip(b)
        .fold(0, |borrow, (a, b)| u16::from(*a).wrapping_sub(u16::from(*b)).wrapping_sub(borrow) >> 15);
    u64::from(borrow)
}

/// `number` modulo `divisor` (public, at most 2^63) without a divide instruction, whose time depends on `number`.
fn remainder(number: u64, divisor: u64) -> u64 {
    (0..64).rev().fold(0, |rest, bit| {
        let difference = (2 * rest + (number >> bit & 1)).wrapping_sub(divisor);
        let negative = black_box((difference >> 63).wrapping_neg());
        difference.wrapping_add(divisor & negative)
    })
}

/// The root whose rank is `index`. Constant time: all are read.
fn select<const N: usize, const L: usize, M: Modulus<N, L>>(
    roots: &[Gf2n<N, L, M>],
    ranks: impl Iterator<Item = u64>,
    index: u64,
) -> Gf2n<N, L, M> {
    let mut chosen = [0; L];
    for (root, rank) in roots.iter().zip(ranks) {
        let differs = rank ^ index;
        let mask = black_box(((differs | differs.wrapping_neg()) >> 63).wrapping_sub(1));
        chosen.iter_mut().zip(root.limbs()).for_each(|(place, limb)| *place |= *limb & mask);
    }
    Gf2n::from_limbs_truncated(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_without_division() {
        for divisor in (1..130).chain([(1 << 63) - 1, 1 << 63]) {
            for number in [0, 1, divisor - 1, divisor, divisor + 1, 1 << 63, u64::MAX - 1, u64::MAX] {
                assert_eq!(remainder(number, divisor), number % divisor);
            }
        }
    }

    #[test]
    fn comparison_of_numbers() {
        for a in (0..1 << 16).step_by(97).chain([255, 256, 0x8000, 0xffff]) {
            for b in [0, 1, 127, 128, 255, 256, 257, 0x7fff, 0x8000, 0xfffe, 0xffff, a] {
                let (left, right) = (a as u16, b as u16);
                assert_eq!(less(&left.to_le_bytes(), &right.to_le_bytes()), u64::from(left < right));
            }
        }
    }

    #[test]
    fn undrawn_roots_are_taken_in_the_order_of_the_coordinates() {
        // the coordinates reverse the bits, so that the order differs from that of the integers; some are equal
        type Field = Gf2n<8, 1>;
        let roots = [1u64, 6, 200, 77, 128].map(|value| Field::from_limbs_truncated([value]));
        let coordinates = |root: &Field| [(root.limbs()[0] as u8).reverse_bits() >> 3];
        let mut sorted = roots;
        sorted.sort_by_key(coordinates);
        let keys = roots.each_ref().map(coordinates);
        for (index, expected) in sorted.iter().enumerate() {
            let ranks = ranks(&keys);
            assert_eq!(select(&roots, ranks, index as u64), *expected);
        }
    }
}
