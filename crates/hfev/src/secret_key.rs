//! Secret keys and the inversion of the public map.

use alloc::{vec, vec::Vec};

use gf2n::Gf2n;
use gf2n::matrix::{UnitLu, UnitTriangular, words_for};
use gf2n::modulus::{LibraryModulus, Modulus};
use mq_eval::gf2::System;
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::bits::copy_bits;
use crate::public_system::public_system;
use crate::{Error, HfevPolynomial, KeyError, Parameters, RootRule, SecretMap, Univariate};

/// A secret key ready for signing: the central map F and the inverses of the two secret maps around it.
///
/// The public map is x -> first m bits of T(F(S(x))), with F seen as a map from n + v to n bits. Wiped when dropped.
pub struct SecretKey<const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    parameters: Parameters,
    polynomial: HfevPolynomial<N, L, M>,
    /// The inverse of the leading coefficient, if that is a constant other than 0 and 1.
    scale: Option<Zeroizing<Gf2n<N, L, M>>>,
    input: SecretMap,
    output: SecretMap,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> SecretKey<N, L, M> {
    /// A key from its parts: `input` is the inverse of S (side n + v), `output` the inverse of T (side n).
    ///
    /// # Errors
    /// A [`KeyError`] for parts that do not fit.
    pub fn new(
        parameters: Parameters,
        polynomial: HfevPolynomial<N, L, M>,
        input: SecretMap,
        output: SecretMap,
    ) -> Result<Self, KeyError> {
        if parameters.field_degree() != N {
            return Err(KeyError::Field { expected: parameters.field_degree(), actual: N });
        }
        if polynomial.degree() != parameters.degree() || polynomial.vinegar() != parameters.vinegar() {
            return Err(KeyError::Polynomial);
        }
        for (map, expected) in [(&input, parameters.variables()), (&output, N)] {
            if map.side() != expected {
                return Err(KeyError::Map { expected, actual: map.side() });
            }
        }
        let scale = polynomial.inverse_of_leading();
        Ok(Self { parameters, polynomial, scale, input, output })
    }

    /// A key from the words of GeMSS ([`Parameters::secret_words`]): the polynomial ([`HfevPolynomial::from_words`]), then L and U
    /// of the inverse of S, then L and U of the inverse of T. Every string of words is a key.
    ///
    /// # Errors
    /// A wrong number of words, or another field than the parameters'.
    pub fn from_words(parameters: Parameters, words: &[u64]) -> Result<Self, KeyError> {
        let (polynomial, input, output) = Self::parts_from_words(parameters, words)?;
        Self::new(parameters, polynomial, SecretMap::Factors(input), SecretMap::Factors(output))
    }

    /// The three parts of the words of [`Self::from_words`], for packages that mean the factors of S and T by them and not of
    /// the inverses.
    ///
    /// # Errors
    /// A wrong number of words.
    pub fn parts_from_words(
        parameters: Parameters,
        words: &[u64],
    ) -> Result<(HfevPolynomial<N, L, M>, UnitLu, UnitLu), KeyError> {
        let (expected, actual) = (parameters.secret_words(), words.len());
        if expected != actual {
            return Err(KeyError::Words { expected, actual });
        }
        let mut rest = words;
        let mut take = |count: usize| {
            let (part, others) = rest.split_at(count);
            rest = others;
            part
        };
        let polynomial = HfevPolynomial::from_words(parameters, take(parameters.coefficient_words()))
            .map_err(|_| KeyError::Field { expected: parameters.field_degree(), actual: N })?;
        let mut factors = |side: usize, words: usize| UnitLu {
            lower: UnitTriangular::from_words(side, take(words).to_vec()),
            upper: UnitTriangular::from_words(side, take(words).to_vec()),
        };
        let input = factors(parameters.variables(), parameters.input_factor_words());
        let output = factors(parameters.field_degree(), parameters.output_factor_words());
        Ok((polynomial, input, output))
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The public system that belongs to this key. Constant time up to whether the maps are invertible.
    ///
    /// # Errors
    /// [`KeyError::Singular`] if a map is not invertible (never for a key from [`Self::from_words`]).
    pub fn public_system(&self) -> Result<System, KeyError> {
        let (input, translation) = self.input.inverse().ok_or(KeyError::Singular)?;
        let (output, constant) = self.output.inverse().ok_or(KeyError::Singular)?;
        let input_part = (&input, translation.as_ref().map(|words| words.as_slice()));
        let output_part = (&output, constant.as_ref().map(|words| words.as_slice()));
        public_system(self.parameters, &self.polynomial, input_part, output_part)
    }

    /// Fixes the vinegar variables: what several inversions can share. Constant time.
    ///
    /// # Panics
    /// If `vinegar` has fewer than ceil(v / 64) words.
    #[must_use]
    pub fn fix_vinegar(&self, vinegar: &[u64]) -> FixedVinegar<'_, N, L, M> {
        let words = words_for(self.parameters.vinegar());
        let polynomial = self.polynomial.substitute(vinegar, self.scale.as_deref());
        let constant = polynomial.constant();
        FixedVinegar { key: self, vinegar: Zeroizing::new(vinegar[..words].to_vec()), polynomial, constant }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> ZeroizeOnDrop for SecretKey<N, L, M> {}

impl<const N: usize, const L: usize, M: Modulus<N, L>> core::fmt::Debug for SecretKey<N, L, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretKey").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

/// A secret key with fixed vinegar variables.
pub struct FixedVinegar<'a, const N: usize, const L: usize, M: Modulus<N, L> = LibraryModulus> {
    key: &'a SecretKey<N, L, M>,
    vinegar: Zeroizing<Vec<u64>>,
    polynomial: Univariate<N, L, M>,
    /// The constant coefficient of `polynomial` before any target.
    constant: Gf2n<N, L, M>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> FixedVinegar<'_, N, L, M> {
    /// One inversion: n + v bits x with T(F(S(x))) = `target` (n bits), or `None` where the rule finds no root.
    ///
    /// Whether there is a root, and what the rule reveals of it, is public: the schemes publish both by trying again.
    ///
    /// # Errors
    /// Those of the rule.
    ///
    /// # Panics
    /// If `target` has not ceil(n / 64) words.
    pub fn invert<R, Rule>(
        &mut self,
        target: &[u64],
        rule: &Rule,
        rng: &mut R,
    ) -> Result<Option<Zeroizing<Vec<u64>>>, Error>
    where
        R: TryCryptoRng + ?Sized,
        Rule: RootRule<N, L, M>,
    {
        let mut coordinates = Zeroizing::new([0; L]);
        coordinates.copy_from_slice(target);
        self.key.output.apply(coordinates.as_mut_slice());
        let element = Gf2n::from_limbs_truncated(*coordinates);
        self.polynomial.set_constant(
            self.constant + self.key.scale.as_deref().map_or(element, |scale| *scale * element),
        );
        let Some(mut root) = rule.root(&self.polynomial, &element, rng)? else {
            return Ok(None);
        };
        let mut preimage = Zeroizing::new(vec![0; words_for(self.key.parameters.variables())]);
        preimage[..L].copy_from_slice(root.limbs());
        root.zeroize();
        copy_bits(&self.vinegar, 0, &mut preimage, N, self.key.parameters.vinegar());
        self.key.input.apply(&mut preimage);
        Ok(Some(preimage))
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Drop for FixedVinegar<'_, N, L, M> {
    fn drop(&mut self) {
        self.constant.zeroize();
    }
}
