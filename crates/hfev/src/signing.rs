//! Signing in the manner of GeMSS: every inversion is repeated, with other minus and vinegar bits, until there is a root.

use alloc::{vec, vec::Vec};

use gf2n::matrix::words_for;
use gf2n::modulus::Modulus;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::bits::{clear_from, copy_bits, words_from_bytes};
use crate::{Error, FeistelPatarin, Parameters, RootRule, SecretKey};

/// A signature, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The bytes of the signature.
    pub signature: Vec<u8>,
    /// Inversions tried, over all rounds. Public: the time tells it.
    pub attempts: u64,
}

/// The bound on inversions in one round. With any root accepted one fails with probability about 1/e, and all of these with
/// probability below 2^-180.
pub const MAX_ATTEMPTS: u64 = 128;

/// Signs the chain of `targets` (D_1, ..., D_k, ceil(m/64) words each, see [`FeistelPatarin`]).
///
/// Every attempt draws the n - m minus bits and then the v vinegar bits: first the bytes that hold bits m..n of a vector (of
/// the first, if m is no multiple of 8, the m mod 8 low bits are discarded), then ceil(v/8) bytes. Further draws are those of
/// the rule.
///
/// # Errors
/// [`Error::Random`]; [`Error::AttemptsExhausted`] after [`MAX_ATTEMPTS`] inversions without a root in one round.
///
/// # Panics
/// If `targets` is shorter than that.
pub fn sign_redrawing<const N: usize, const L: usize, M, R, Rule>(
    key: &SecretKey<N, L, M>,
    targets: &[u64],
    rule: &Rule,
    rng: &mut R,
) -> Result<Signed, Error>
where
    M: Modulus<N, L>,
    R: TryCryptoRng + ?Sized,
    Rule: RootRule<N, L, M>,
{
    let parameters = key.parameters();
    let mut attempts = 0;
    let signature = FeistelPatarin::from(parameters).sign(targets, |_, target| {
        for _ in 0..MAX_ATTEMPTS {
            attempts += 1;
            let extended = extend_target(parameters, target, rng)?;
            let vinegar = draw_bits(parameters.vinegar(), rng)?;
            if let Some(preimage) = key.fix_vinegar(&vinegar).invert(&extended, rule, rng)? {
                return Ok(Some(preimage));
            }
        }
        Err(Error::AttemptsExhausted { attempts: MAX_ATTEMPTS })
    })?;
    match signature {
        Some(signature) => Ok(Signed { signature, attempts }),
        // no chain is given up above
        None => Err(Error::AttemptsExhausted { attempts }),
    }
}

/// The m bits of `target` and n - m fresh ones.
fn extend_target<R: TryCryptoRng + ?Sized>(
    parameters: Parameters,
    target: &[u64],
    rng: &mut R,
) -> Result<Zeroizing<Vec<u64>>, Error> {
    let (n, m) = (parameters.field_degree(), parameters.equations());
    let first = m / 8;
    let mut bytes = Zeroizing::new(vec![0; n.div_ceil(8)]);
    rng.try_fill_bytes(&mut bytes[first..]).map_err(|_| Error::Random)?;
    let drawn = Zeroizing::new(words_from_bytes(&bytes));
    let mut extended = Zeroizing::new(vec![0; words_for(n)]);
    copy_bits(target, 0, &mut extended, 0, m);
    copy_bits(&drawn, m, &mut extended, m, n - m);
    Ok(extended)
}

/// `count` random bits: one request of whole bytes.
pub(crate) fn draw_bits<R: TryCryptoRng + ?Sized>(
    count: usize,
    rng: &mut R,
) -> Result<Zeroizing<Vec<u64>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; count.div_ceil(8)]);
    rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Random)?;
    let mut words = Zeroizing::new(words_from_bytes(&bytes));
    clear_from(&mut words, count);
    Ok(words)
}
