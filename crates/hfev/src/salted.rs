//! Signing in the manner of Gui: minus and vinegar bits are drawn once, and other targets (a new salt) or other vinegar bits are
//! tried until every inversion succeeds.

use alloc::{vec, vec::Vec};

use gf2n::matrix::words_for;
use gf2n::modulus::Modulus;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::bits::copy_bits;
use crate::signing::draw_bits;
use crate::{Error, FeistelPatarin, Parameters, RootRule, SecretKey, Signed};

/// A signature with the salt that made it possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaltedSignature {
    /// The bytes of the chain.
    pub signature: Vec<u8>,
    /// The salt.
    pub salt: Vec<u8>,
    /// Salts tried. Public: the time tells it.
    pub attempts: u64,
}

/// The bound on vinegar bits tried for one inversion ([`sign_redrawing_vinegar`]).
pub const MAX_VINEGAR: u64 = 1024;

/// The bound on salts tried for one signature of `iterations` inversions: 128 * 3^k. A try succeeds with probability e^-k if the
/// root must be the only one (more often otherwise), so that all of them fail with probability below 2^-180.
#[must_use]
pub const fn max_salts(iterations: usize) -> u64 {
    128u64.saturating_mul(3u64.saturating_pow(if iterations > 64 { 64 } else { iterations as u32 }))
}

/// Signs with a salt of `salt_bytes` bytes: `targets` maps it to D_1, ..., D_k (see [`FeistelPatarin`]).
///
/// Draws: the n - m minus bits, the v vinegar bits (each one request of whole bytes), then a salt a try; further draws are
/// those of the rule. One failed inversion gives up the salt. How many salts were tried, and which inversion failed, is public:
/// it tells about hash values and not about the key.
///
/// # Errors
/// [`Error::Random`]; [`Error::AttemptsExhausted`] after [`max_salts`] salts.
///
/// # Panics
/// If `targets` gives too few words.
pub fn sign_salted<const N: usize, const L: usize, M, R, Rule>(
    key: &SecretKey<N, L, M>,
    salt_bytes: usize,
    mut targets: impl FnMut(&[u8]) -> Vec<u64>,
    rule: &Rule,
    rng: &mut R,
) -> Result<SaltedSignature, Error>
where
    M: Modulus<N, L>,
    R: TryCryptoRng + ?Sized,
    Rule: RootRule<N, L, M>,
{
    let parameters = key.parameters();
    let chain = FeistelPatarin::from(parameters);
    let minus = draw_bits(parameters.minus(), rng)?;
    let vinegar = draw_bits(parameters.vinegar(), rng)?;
    let mut fixed = key.fix_vinegar(&vinegar);
    let mut salt = vec![0; salt_bytes];
    let bound = max_salts(parameters.iterations());
    for attempts in 1..=bound {
        rng.try_fill_bytes(&mut salt).map_err(|_| Error::Random)?;
        let signature = chain.sign(&targets(&salt), |_, target| {
            fixed.invert(&joined(parameters, target, &minus), rule, rng)
        })?;
        if let Some(signature) = signature {
            return Ok(SaltedSignature { signature, salt, attempts });
        }
    }
    Err(Error::AttemptsExhausted { attempts: bound })
}

/// Signs the chain of `targets` without a salt.
///
/// Draws: for each inversion the n - m minus bits once, then the v vinegar bits for every try; further draws are those of the
/// rule.
///
/// # Errors
/// [`Error::Random`]; [`Error::AttemptsExhausted`] after [`MAX_VINEGAR`] tries of one inversion.
///
/// # Panics
/// If `targets` is too short.
pub fn sign_redrawing_vinegar<const N: usize, const L: usize, M, R, Rule>(
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
        let minus = draw_bits(parameters.minus(), rng)?;
        let extended = joined(parameters, target, &minus);
        for _ in 0..MAX_VINEGAR {
            attempts += 1;
            let vinegar = draw_bits(parameters.vinegar(), rng)?;
            if let Some(preimage) = key.fix_vinegar(&vinegar).invert(&extended, rule, rng)? {
                return Ok(Some(preimage));
            }
        }
        Err(Error::AttemptsExhausted { attempts: MAX_VINEGAR })
    })?;
    match signature {
        Some(signature) => Ok(Signed { signature, attempts }),
        // no chain is given up above
        None => Err(Error::AttemptsExhausted { attempts }),
    }
}

/// The m bits of `target`, then the n - m of `minus`.
fn joined(parameters: Parameters, target: &[u64], minus: &[u64]) -> Zeroizing<Vec<u64>> {
    let m = parameters.equations();
    let mut joined = Zeroizing::new(vec![0; words_for(parameters.field_degree())]);
    copy_bits(target, 0, &mut joined, 0, m);
    copy_bits(minus, 0, &mut joined, m, parameters.minus());
    joined
}
