//! Which root of F(X, y) = U an inversion takes.

use alloc::vec::Vec;

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
        let mut roots = Zeroizing::new(polynomial.roots());
        if roots.len() < 2 {
            return Ok(roots.first().copied());
        }
        // The number of roots shows in the time, as the scheme accepts; few roots, so the sort is short.
        roots.sort_by(|a, b| (self.coordinates)(a).iter().rev().cmp((self.coordinates)(b).iter().rev()));
        let index = (self.hash)(&(self.coordinates)(target)) % roots.len() as u64;
        Ok(roots.get(index as usize).copied())
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
        if roots.len() < 2 {
            return Ok(roots.first().copied());
        }
        replay_draws(&roots, self.pairs, || Gf2n::random(rng)).map_err(|error| match error {
            DrawError::TooManyDraws => Error::AttemptsExhausted { attempts: MAX_DRAWS as u64 },
            DrawError::Generator(_) => Error::Random,
        })?;
        let mut bytes = target.to_bytes();
        let index = (self.hash)(&bytes) % roots.len() as u64;
        bytes.zeroize();
        Ok(roots.get(index as usize).copied())
    }
}
