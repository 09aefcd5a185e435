//! Seeded key generation.

use alloc::{vec, vec::Vec};

use gf2n::small::gf2m::Gf2m;
use goppa_keygen::backend::{Backend, Kernel, dispatch};
use goppa_keygen::control_bits::control_bits;
use goppa_keygen::extension::Extension;
use goppa_keygen::parity_check::CodeColumns;
use goppa_keygen::support::{SortedSupport, inverse_values};
use goppa_keygen::systemizer::RowLayout;
use goppa_keygen::wiped::Wiped;
use rand_core::TryCryptoRng;
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use zeroize::Zeroizing;

use super::parameters::{HASH_BYTES, Parameters};
use crate::{Error, Part};

/// Bound on attempts with successive seeds. The chance that honest key generation needs more is below 2^-2000.
const MAX_ATTEMPTS: u64 = 4096;

/// Domain byte of the seed expansion.
const EXPANSION_DOMAIN: u8 = 64;

/// Why an attempt failed; public, because nothing of the attempt is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// The drawn element lies in a subfield.
    Polynomial,
    /// Two sort keys are equal.
    RepeatedKey,
    /// The matrix has no (semi-)systematic form.
    Singular,
}

/// One attempt: everything from the seed.
struct Attempt<'a> {
    parameters: &'static Parameters,
    seed: &'a [u8; HASH_BYTES],
    /// SHAKE256(64 || seed): s, sort keys, polynomial element, next seed.
    expanded: &'a [u8],
    public_key: &'a mut [u8],
}

impl Kernel for Attempt<'_> {
    type Output = Result<Zeroizing<Vec<u8>>, Failure>;

    fn call<B: Backend>(self, backend: B) -> Self::Output {
        match self.parameters.m {
            12 => self.run::<B, 12>(backend),
            _ => self.run::<B, 13>(backend),
        }
    }
}

impl Attempt<'_> {
    fn run<B: Backend, const M: usize>(self, backend: B) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let Parameters { n, t, modulus, semi_systematic, .. } = *self.parameters;
        let (rejection, rest) = self.expanded.split_at(n / 8);
        let (order, rest) = rest.split_at(4 << M);

        let field = Gf2m::new(M as u32).ok_or(Failure::Polynomial)?;
        let extension = Extension::new(field, t, modulus).ok_or(Failure::Polynomial)?;
        let element: Zeroizing<Vec<u16>> = Zeroizing::new(
            rest[..2 * t]
                .as_chunks::<2>()
                .0
                .iter()
                .map(|bytes| u16::from_le_bytes(*bytes) & field.mask())
                .collect(),
        );
        let polynomial =
            extension.minimal_polynomial::<B, M>(backend, &element).ok_or(Failure::Polynomial)?;

        let keys: Wiped<u32> =
            Wiped::new(order.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect());
        let inverses = inverse_values::<B, M>(backend, &polynomial);
        let mut support =
            SortedSupport::new::<B, M>(backend, &keys, &inverses).map_err(|_| Failure::RepeatedKey)?;
        let alphas: Wiped<u16> =
            Wiped::new(support.permutation[..n].iter().map(|index| field.reverse_bits(*index)).collect());

        let redundancy = self.parameters.redundancy();
        let layout = if semi_systematic {
            RowLayout::semi_systematic(redundancy).ok_or(Failure::Singular)?
        } else {
            RowLayout::systematic(redundancy)
        };
        let code = CodeColumns { support: &alphas, scalings: &support.scalings[..n], degree: t };
        let swaps =
            code.systematic_form::<B, M>(backend, layout, self.public_key).map_err(|_| Failure::Singular)?;
        let mut pivots = 0xFFFF_FFFFu64;
        if let Some(swaps) = &swaps {
            pivots = swaps.pivots();
            let mut window = Zeroizing::new([0u16; 64]);
            window.copy_from_slice(&support.permutation[layout.head()..layout.head() + 64]);
            swaps.permute(&mut window);
            support.permutation[layout.head()..layout.head() + 64].copy_from_slice(&*window);
        }

        let control = control_bits(backend, &support.permutation);
        let mut secret = Zeroizing::new(Vec::with_capacity(self.parameters.secret_key()));
        secret.extend_from_slice(self.seed);
        secret.extend_from_slice(&pivots.to_le_bytes());
        for coefficient in polynomial.iter() {
            secret.extend_from_slice(&coefficient.to_le_bytes());
        }
        secret.extend_from_slice(&control);
        secret.extend_from_slice(rejection);
        Ok(secret)
    }
}

/// Key generation from a seed: attempts with successive seeds until one succeeds.
fn generate_from_seed(
    parameters: &'static Parameters,
    first_seed: &[u8; HASH_BYTES],
    public_key: &mut [u8],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(*first_seed);
    let length = parameters.n / 8 + (4 << parameters.m) + 2 * parameters.t + HASH_BYTES;
    let mut expanded = Wiped::new(vec![0u8; length]);
    for _ in 0..MAX_ATTEMPTS {
        let mut hash = Shake256::default();
        hash.update(&[EXPANSION_DOMAIN]);
        hash.update(&*seed);
        hash.finalize_xof().read(&mut expanded);
        let attempt = Attempt { parameters, seed: &seed, expanded: &expanded, public_key };
        if let Ok(secret) = dispatch(attempt) {
            return Ok(secret);
        }
        let next = &expanded[length - HASH_BYTES..];
        seed.copy_from_slice(next);
    }
    Err(Error::AttemptsExhausted { set: parameters.name, attempts: MAX_ATTEMPTS })
}

/// Makes a key pair; the public key goes straight into `public_key`.
pub(super) fn generate<R: TryCryptoRng + ?Sized>(
    parameters: &'static Parameters,
    rng: &mut R,
    public_key: &mut [u8],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    parameters.check(Part::PublicKey, public_key)?;
    let mut seed = Zeroizing::new([0u8; HASH_BYTES]);
    rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
    generate_from_seed(parameters, &seed, public_key)
}

/// Recomputes the public key from the seed of the successful attempt, which a secret key starts with.
pub(super) fn public_from_secret(
    parameters: &'static Parameters,
    secret_key: &[u8],
) -> Result<Vec<u8>, Error> {
    parameters.check(Part::SecretKey, secret_key)?;
    let mut seed = Zeroizing::new([0u8; HASH_BYTES]);
    seed.copy_from_slice(&secret_key[..HASH_BYTES]);
    let mut public_key = vec![0; parameters.public_key()];
    let secret = generate_from_seed(parameters, &seed, &mut public_key)?;
    if !bool::from(subtle::ConstantTimeEq::ct_eq(secret.as_slice(), secret_key)) {
        return Err(Error::Inconsistent {
            set: parameters.name,
            part: Part::SecretKey,
            what: "its parts are not those that its seed makes",
        });
    }
    Ok(public_key)
}
