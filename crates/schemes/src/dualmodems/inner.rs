//! The inner schemes of DualModeMS: HFEv- with one iteration, in two packages.

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use gf2n::Gf2n;
use gf2n::matrix::{BitMatrix, RowBytesError, UnitLu, UnitTriangular, packed_words};
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::dual_mode::{HfevInner, InnerTrapdoor, Security};
use hfev::{
    HashedRoot, HfevPolynomial, IndexedRoot, PairRule, Parameters, SecretKey, SecretMap, public_system,
};
use mq_eval::gf2::System;
use rand_core::TryCryptoRng;
use sha3::{Digest, Sha3_256, Sha3_384, Sha3_512};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
use zeroize::{Zeroize, Zeroizing};

use crate::{Error, Part};

/// An inner scheme: its keys in their bytes, its trapdoor, its public system.
pub trait Inner: 'static {
    /// The trapdoor that signs.
    type Trapdoor: InnerTrapdoor + Send + Sync;
    /// Length of a secret key in bytes.
    const SECRET_LEN: usize;

    /// Makes a secret key and gives its bytes.
    ///
    /// # Errors
    /// [`Error::Random`].
    fn generate<R: TryCryptoRng + ?Sized>(
        set: &'static str,
        rng: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// Parses a secret key of the right length.
    ///
    /// # Errors
    /// [`Error::Padding`], [`Error::Inconsistent`].
    fn trapdoor(set: &'static str, secret: &[u8]) -> Result<Self::Trapdoor, Error>;

    /// The public system of a secret key of the right length.
    ///
    /// # Errors
    /// Those of [`Self::trapdoor`].
    fn public_system(set: &'static str, secret: &[u8]) -> Result<System, Error>;
}

/// Sizes of an inner scheme.
pub trait InnerShape: 'static {
    /// Strength of the hash functions.
    const SECURITY: Security;
    /// HFEv- parameters.
    const PARAMETERS: Parameters;
}

/// `Parameters` in a constant.
#[expect(clippy::panic, reason = "evaluated in constants only: an error of the compiler")]
pub(super) const fn hfev_parameters(n: usize, degree: usize, minus: usize, vinegar: usize) -> Parameters {
    match Parameters::new(n, degree, minus, vinegar, 1) {
        Ok(parameters) => parameters,
        Err(_) => panic!("parameters of a published set"),
    }
}

/// The hash of the choice among several roots: the first eight bytes of SHA-3 of U.
fn root_index(security: Security) -> fn(&[u8]) -> u64 {
    fn first<D: Digest>(bytes: &[u8]) -> u64 {
        let mut digest = D::digest(bytes);
        let index = digest.first_chunk::<8>().map_or(0, |word| u64::from_le_bytes(*word));
        digest.as_mut_slice().zeroize();
        index
    }
    match security {
        Security::Bits128 => first::<Sha3_256>,
        Security::Bits192 => first::<Sha3_384>,
        Security::Bits256 => first::<Sha3_512>,
    }
}

const fn inconsistent(set: &'static str, what: &'static str) -> Error {
    Error::Inconsistent { set, part: Part::SecretKey, what }
}

/// The inner scheme of the third-round library: the secret key is a seed, which an extendable-output function turns into the
/// central map and the factors of the inverse linear maps. The same keys as the sets `inner-dualmodems128` and so on.
pub struct SeedKeys<S, const N: usize, const L: usize>(PhantomData<S>);

impl<S: InnerShape, const N: usize, const L: usize> SeedKeys<S, N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    fn key(set: &'static str, seed: &[u8]) -> Result<SecretKey<N, L>, Error> {
        let words = S::PARAMETERS.secret_words();
        let mut bytes = Zeroizing::new(vec![0; 8 * words]);
        match S::SECURITY {
            Security::Bits128 => expand::<Shake128>(seed, &mut bytes),
            Security::Bits192 | Security::Bits256 => expand::<Shake256>(seed, &mut bytes),
        }
        let words = Zeroizing::new(to_words(&bytes));
        SecretKey::from_words(S::PARAMETERS, &words).map_err(|_| inconsistent(set, "the inner parameters"))
    }
}

fn expand<X: ExtendableOutput + Update + Default>(seed: &[u8], output: &mut [u8]) {
    let mut xof = X::default();
    xof.update(seed);
    xof.finalize_xof().read(output);
}

fn to_words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

impl<S: InnerShape, const N: usize, const L: usize> Inner for SeedKeys<S, N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    type Trapdoor = HfevInner<N, L, LibraryModulus, HashedRoot<fn(&[u8]) -> u64>>;
    const SECRET_LEN: usize = S::SECURITY.seed_len();

    fn generate<R: TryCryptoRng + ?Sized>(
        _set: &'static str,
        rng: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut seed = Zeroizing::new(vec![0; Self::SECRET_LEN]);
        rng.try_fill_bytes(&mut seed).map_err(|_| Error::Random)?;
        Ok(seed)
    }

    fn trapdoor(set: &'static str, secret: &[u8]) -> Result<Self::Trapdoor, Error> {
        let rule = HashedRoot::new(root_index(S::SECURITY), PairRule::FormulaIfOdd);
        Ok(HfevInner::new(Self::key(set, secret)?, rule))
    }

    fn public_system(set: &'static str, secret: &[u8]) -> Result<System, Error> {
        Self::key(set, secret)?.public_system().map_err(|_| inconsistent(set, "a singular map"))
    }
}

/// The inner scheme of the first-round package: the secret key holds the central map and the inverse linear maps in full.
///
/// Words in order: the coefficients of the central map (in the order of [`HfevPolynomial::from_words`], bits from n on zero), the
/// rows of S^-1, the rows of T^-1, where the public map is x -> the first m coordinates of T f(x S), T acting on columns.
pub struct ExpandedKeys<S, const N: usize, const L: usize>(PhantomData<S>);

/// The choice among several roots without draws.
type UndrawnRoot<const N: usize, const L: usize> =
    IndexedRoot<fn(&Gf2n<N, L>) -> Zeroizing<Vec<u8>>, fn(&[u8]) -> u64>;

struct ExpandedParts<const N: usize, const L: usize>
where
    LibraryModulus: Modulus<N, L>,
{
    polynomial: HfevPolynomial<N, L>,
    /// S^-1.
    input: BitMatrix,
    /// T^-1, acting on columns.
    output: BitMatrix,
}

impl<S: InnerShape, const N: usize, const L: usize> ExpandedKeys<S, N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    const COEFFICIENTS_LEN: usize = 8 * S::PARAMETERS.coefficient_words();
    const INPUT_LEN: usize = 8 * S::PARAMETERS.variables() * S::PARAMETERS.variables().div_ceil(64);
    const OUTPUT_LEN: usize = 8 * N * L;

    /// Two draws: L, then the transpose of U, of an invertible matrix L U.
    fn draw_factors<R: TryCryptoRng + ?Sized>(rng: &mut R, side: usize) -> Result<UnitLu, Error> {
        let mut triangle = || -> Result<UnitTriangular, Error> {
            let mut bytes = Zeroizing::new(vec![0; 8 * packed_words(side)]);
            rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Random)?;
            Ok(UnitTriangular::from_words(side, to_words(&bytes)))
        };
        Ok(UnitLu { lower: triangle()?, upper: triangle()? })
    }

    fn parse(set: &'static str, secret: &[u8]) -> Result<ExpandedParts<N, L>, Error> {
        let (coefficients, rest) = secret.split_at(Self::COEFFICIENTS_LEN);
        let (input, output) = rest.split_at(Self::INPUT_LEN);
        let padding = |byte| Error::Padding { set, part: Part::SecretKey, byte };
        for (k, coefficient) in coefficients.chunks_exact(8 * L).enumerate() {
            for (byte, value) in coefficient.iter().enumerate().skip(N / 8) {
                if value >> N.saturating_sub(8 * byte) != 0 {
                    return Err(padding(8 * L * k + byte));
                }
            }
        }
        let words = Zeroizing::new(to_words(coefficients));
        let polynomial = HfevPolynomial::from_words(S::PARAMETERS, &words)
            .map_err(|_| inconsistent(set, "the inner parameters"))?;
        let matrix = |side: usize, bytes: &[u8], offset: usize| {
            BitMatrix::from_row_bytes(side, side, 8 * side.div_ceil(64), bytes).map_err(|error| match error {
                RowBytesError::Padding { byte } => padding(offset + byte),
                _ => inconsistent(set, "the length of a matrix"),
            })
        };
        let input = matrix(S::PARAMETERS.variables(), input, Self::COEFFICIENTS_LEN)?;
        let output = matrix(N, output, Self::COEFFICIENTS_LEN + Self::INPUT_LEN)?;
        Ok(ExpandedParts { polynomial, input, output })
    }
}

impl<S: InnerShape, const N: usize, const L: usize> Inner for ExpandedKeys<S, N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    type Trapdoor = HfevInner<N, L, LibraryModulus, UndrawnRoot<N, L>>;
    const SECRET_LEN: usize = Self::COEFFICIENTS_LEN + Self::INPUT_LEN + Self::OUTPUT_LEN;

    fn generate<R: TryCryptoRng + ?Sized>(
        _set: &'static str,
        rng: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut secret = Zeroizing::new(Vec::with_capacity(Self::SECRET_LEN));
        secret.resize(Self::COEFFICIENTS_LEN, 0);
        rng.try_fill_bytes(&mut secret).map_err(|_| Error::Random)?;
        for coefficient in secret.chunks_exact_mut(8 * L) {
            for (byte, value) in coefficient.iter_mut().enumerate().skip(N / 8) {
                *value &= u8::MAX.checked_shr(8 - N.saturating_sub(8 * byte) as u32).unwrap_or(0);
            }
        }
        let input = Self::draw_factors(rng, S::PARAMETERS.variables())?;
        let output = Self::draw_factors(rng, N)?;
        let variables = S::PARAMETERS.variables();
        input.inverse().append_row_bytes(8 * variables.div_ceil(64), &mut secret);
        output.inverse().append_row_bytes(8 * L, &mut secret);
        Ok(secret)
    }

    fn trapdoor(set: &'static str, secret: &[u8]) -> Result<Self::Trapdoor, Error> {
        let parts = Self::parse(set, secret)?;
        // a singular matrix makes signatures that no public key accepts
        if !parts.input.is_invertible() || !parts.output.is_invertible() {
            return Err(inconsistent(set, "a singular map"));
        }
        let input = SecretMap::Matrix(parts.input);
        let output = SecretMap::Matrix(parts.output.transpose());
        let key = SecretKey::new(S::PARAMETERS, parts.polynomial, input, output)
            .map_err(|_| inconsistent(set, "the inner parameters"))?;
        let coordinates: fn(&Gf2n<N, L>) -> _ = |element| Zeroizing::new(element.to_bytes());
        Ok(HfevInner::new(key, IndexedRoot::new(coordinates, root_index(S::SECURITY))))
    }

    fn public_system(set: &'static str, secret: &[u8]) -> Result<System, Error> {
        let parts = Self::parse(set, secret)?;
        let singular = inconsistent(set, "a singular map");
        let (Some(input), Some(output)) = (parts.input.inverse(), parts.output.transpose().inverse()) else {
            return Err(singular);
        };
        public_system(S::PARAMETERS, &parts.polynomial, (&input, None), (&output, None)).map_err(|_| singular)
    }
}

/// Makes the shape of an inner scheme.
macro_rules! inner_shape {
    ($name:ident, $security:ident, $n:literal, $degree:literal, $minus:literal, $vinegar:literal) => {
        /// Sizes of an inner scheme.
        pub struct $name;
        impl InnerShape for $name {
            const SECURITY: Security = Security::$security;
            const PARAMETERS: Parameters = hfev_parameters($n, $degree, $minus, $vinegar);
        }
    };
}

inner_shape!(Shape128, Bits128, 266, 129, 10, 11);
inner_shape!(Shape192, Bits192, 402, 129, 18, 18);
inner_shape!(Shape256, Bits256, 544, 129, 32, 32);
inner_shape!(ShapeToy128, Bits128, 12, 9, 2, 2);
inner_shape!(ShapeToy192, Bits192, 14, 9, 2, 3);
inner_shape!(ShapeToy256, Bits256, 13, 9, 3, 4);
