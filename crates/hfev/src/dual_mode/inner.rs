//! The inner scheme, seen from the dual mode.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::modulus::Modulus;
use rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use crate::bits::words_from_bytes;
use crate::{Error, RootRule, SecretKey, sign_redrawing};

/// A multivariate quadratic system over GF(2) with a trapdoor: what the dual mode needs of its inner scheme when it signs.
///
/// The public system itself, whose equations the dual mode commits to, goes into [`super::DualSecretKey::generate`].
pub trait InnerTrapdoor: ZeroizeOnDrop {
    /// Variables and equations of the system.
    fn shape(&self) -> (usize, usize);

    /// A preimage of `value` (one bit an equation, in words): one bit a variable, in words, bits above the last variable zero;
    /// and how many attempts it took. Constant time up to what the number of attempts tells.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::AttemptsExhausted`].
    fn invert<R: TryCryptoRng + ?Sized>(&self, value: &[u64], rng: &mut R) -> Result<(Vec<u64>, u64), Error>;
}

/// An HFEv- secret key of one iteration as inner scheme; inversions draw as [`sign_redrawing`] says.
pub struct HfevInner<const N: usize, const L: usize, M: Modulus<N, L>, Rule> {
    key: SecretKey<N, L, M>,
    rule: Rule,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>, Rule: RootRule<N, L, M>> HfevInner<N, L, M, Rule> {
    /// The trapdoor of a key, with the scheme's choice of a root.
    pub fn new(key: SecretKey<N, L, M>, rule: Rule) -> Self {
        Self { key, rule }
    }
}

// the only secret is the key, which wipes itself
impl<const N: usize, const L: usize, M: Modulus<N, L>, Rule> ZeroizeOnDrop for HfevInner<N, L, M, Rule> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>, Rule: RootRule<N, L, M>> InnerTrapdoor
    for HfevInner<N, L, M, Rule>
{
    fn shape(&self) -> (usize, usize) {
        (self.key.parameters().variables(), self.key.parameters().equations())
    }

    fn invert<R: TryCryptoRng + ?Sized>(&self, value: &[u64], rng: &mut R) -> Result<(Vec<u64>, u64), Error> {
        // with one iteration the signature is the preimage, and a longer chain would have other targets
        let signed = sign_redrawing(&self.key, value, &self.rule, rng)?;
        let mut preimage = vec![0; self.key.parameters().variables().div_ceil(64)];
        for (word, source) in preimage.iter_mut().zip(words_from_bytes(&signed.signature)) {
            *word = source;
        }
        Ok((preimage, signed.attempts))
    }
}
