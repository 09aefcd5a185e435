//! Encapsulation.

use goppa_keygen::backend::{Backend, Kernel, dispatch_short};
use goppa_keygen::encode::{Syndrome, syndrome};
use goppa_keygen::error_vector::{DistinctScratch, distinct, error_from_positions};
use goppa_keygen::sponge::shake256;
use goppa_keygen::wiped::Wiped;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::parameters::{HASH_BYTES, Parameters};
use crate::{Error, Part};

/// Bound on attempts to draw an error; an honest generator needs more with probability below 2^-2000.
const MAX_ATTEMPTS: u64 = 8192;

/// Domain byte of the plaintext confirmation.
pub(super) const CONFIRMATION_DOMAIN: u8 = 2;
/// Domain byte of session keys.
pub(super) const SESSION_DOMAIN: u8 = 1;

/// The first 32 bytes of SHAKE256 over the parts.
pub(super) fn hash(parts: [&[u8]; 3]) -> Zeroizing<[u8; HASH_BYTES]> {
    let mut digest = Zeroizing::new([0u8; HASH_BYTES]);
    shake256(&parts, &mut *digest);
    digest
}

struct Distinct<'a> {
    positions: &'a [u16],
    scratch: &'a mut DistinctScratch,
}

impl Kernel for Distinct<'_> {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        distinct(backend, self.positions, self.scratch)
    }
}

struct Positions<'a> {
    positions: &'a [u16],
    length: usize,
}

impl Kernel for Positions<'_> {
    type Output = Wiped<u8>;
    fn call<B: Backend>(self, backend: B) -> Wiped<u8> {
        error_from_positions(backend, self.positions, self.length)
    }
}

struct Encode<'a> {
    parameters: &'static Parameters,
    public_key: &'a [u8],
    error: &'a [u8],
}

impl Kernel for Encode<'_> {
    type Output = Syndrome;
    fn call<B: Backend>(self, backend: B) -> Syndrome {
        syndrome(backend, self.public_key, self.parameters.redundancy(), self.parameters.n, self.error)
    }
}

/// A uniform error of weight t, n/8 bytes.
fn fixed_weight<R: TryCryptoRng + ?Sized>(
    parameters: &'static Parameters,
    rng: &mut R,
) -> Result<Wiped<u8>, Error> {
    let Parameters { m, n, t, name, .. } = *parameters;
    let mut bytes = Wiped::<u8>::zeros(2 * parameters.candidates());
    let mut candidates = Wiped::<u16>::zeros(parameters.candidates());
    let mut scratch = DistinctScratch::new(t);
    for _ in 0..MAX_ATTEMPTS {
        rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Random)?;
        let mut count = 0;
        for word in bytes.as_chunks::<2>().0 {
            let candidate = u16::from_le_bytes(*word) & ((1u32 << m) - 1) as u16;
            // which candidates are in range is public; a branch would be mispredicted
            candidates[count] = candidate;
            count += usize::from(usize::from(candidate) < n);
        }
        let positions = &candidates[..t];
        if count >= t && dispatch_short(Distinct { positions, scratch: &mut scratch }) {
            return Ok(dispatch_short(Positions { positions, length: n }));
        }
    }
    Err(Error::AttemptsExhausted { set: name, attempts: MAX_ATTEMPTS })
}

/// Encapsulates; see [`crate::KemScheme::encapsulate`].
pub(super) fn encapsulate<R: TryCryptoRng + ?Sized>(
    parameters: &'static Parameters,
    public_key: &[u8],
    rng: &mut R,
    ciphertext: &mut [u8],
    shared_secret: &mut [u8],
) -> Result<(), Error> {
    parameters.check(Part::PublicKey, public_key)?;
    parameters.check(Part::Ciphertext, ciphertext)?;
    parameters.check(Part::SharedSecret, shared_secret)?;
    let error = fixed_weight(parameters, rng)?;
    let encoded = dispatch_short(Encode { parameters, public_key, error: &error });
    // the padding bits of the key are looked at on the way: it is read only once
    if encoded.last_bytes & parameters.padding_mask() != 0 {
        parameters.check_public_key(public_key)?;
    }
    let (syndrome, confirmation) = ciphertext.split_at_mut(parameters.syndrome());
    syndrome.copy_from_slice(&encoded.bits);
    if parameters.confirmation {
        confirmation.copy_from_slice(&*hash([&[CONFIRMATION_DOMAIN], &error, &[]]));
    }
    shared_secret.copy_from_slice(&*hash([&[SESSION_DOMAIN], &error, ciphertext]));
    Ok(())
}
