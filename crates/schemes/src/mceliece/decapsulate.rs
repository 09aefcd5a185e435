//! Decapsulation with implicit rejection.

use goppa_keygen::backend::{Backend, Kernel, dispatch};
use goppa_keygen::decode::{Decoded, Decoder};
use goppa_keygen::wiped::Wiped;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::encapsulate::{CONFIRMATION_DOMAIN, SESSION_DOMAIN, hash};
use super::parameters::Parameters;
use crate::{Error, Part};

/// A secret key prepared for decapsulating many times: network bits in words and 1/g^2 at every field element. Wiped when dropped.
pub struct ExpandedSecretKey {
    decoder: Decoder,
    rejection: Wiped<u8>,
}

impl ZeroizeOnDrop for ExpandedSecretKey {}

struct Prepare<'a> {
    parameters: &'static Parameters,
    polynomial: &'a [u16],
    control: &'a [u8],
}

impl Kernel for Prepare<'_> {
    type Output = Decoder;
    fn call<B: Backend>(self, backend: B) -> Decoder {
        match self.parameters.m {
            12 => Decoder::new::<B, 12>(backend, self.polynomial, self.control, self.parameters.n),
            _ => Decoder::new::<B, 13>(backend, self.polynomial, self.control, self.parameters.n),
        }
    }
}

/// Parses a secret key. Every byte string of the right length is one: the parts are not compared with each other, as in the
/// standard, and the unused high bits of the polynomial's words are ignored.
pub(super) fn expand(parameters: &'static Parameters, bytes: &[u8]) -> Result<ExpandedSecretKey, Error> {
    parameters.check(Part::SecretKey, bytes)?;
    let (polynomial, control) =
        bytes[parameters.polynomial_offset()..parameters.rejection_offset()].split_at(2 * parameters.t);
    let mask = ((1u32 << parameters.m) - 1) as u16;
    let mut coefficients = Wiped::<u16>::zeros(parameters.t);
    for (coefficient, word) in coefficients.iter_mut().zip(polynomial.as_chunks::<2>().0) {
        *coefficient = u16::from_le_bytes(*word) & mask;
    }
    let decoder = dispatch(Prepare { parameters, polynomial: &coefficients, control });
    let rejection = Wiped::new(bytes[parameters.rejection_offset()..].to_vec());
    Ok(ExpandedSecretKey { decoder, rejection })
}

struct Decode<'a> {
    parameters: &'static Parameters,
    decoder: &'a Decoder,
    syndrome: &'a [u8],
}

impl Kernel for Decode<'_> {
    type Output = Decoded;
    fn call<B: Backend>(self, backend: B) -> Decoded {
        match self.parameters.m {
            12 => self.decoder.decode::<B, 12>(backend, self.syndrome),
            _ => self.decoder.decode::<B, 13>(backend, self.syndrome),
        }
    }
}

/// Decapsulates; see [`crate::KemScheme::decapsulate`].
pub(super) fn decapsulate(
    parameters: &'static Parameters,
    key: &ExpandedSecretKey,
    ciphertext: &[u8],
    shared_secret: &mut [u8],
) -> Result<(), Error> {
    parameters.check_ciphertext(ciphertext)?;
    parameters.check(Part::SharedSecret, shared_secret)?;
    let (syndrome, confirmation) = ciphertext.split_at(parameters.syndrome());
    let decoded = dispatch(Decode { parameters, decoder: &key.decoder, syndrome });
    let mut accepted = decoded.accepted.ct_eq(&0xFF);
    if parameters.confirmation {
        accepted &= hash([&[CONFIRMATION_DOMAIN], &decoded.error, &[]]).ct_eq(confirmation);
    }
    let choice = 0u8.wrapping_sub(core::hint::black_box(accepted.unwrap_u8()));
    let mut preimage = Wiped::<u8>::zeros(key.rejection.len());
    for (byte, (error, rejection)) in preimage.iter_mut().zip(decoded.error.iter().zip(key.rejection.iter()))
    {
        *byte = rejection ^ ((rejection ^ error) & choice);
    }
    let mut domain = u8::conditional_select(&0, &SESSION_DOMAIN, accepted);
    shared_secret.copy_from_slice(&*hash([&[domain], &preimage, ciphertext]));
    domain.zeroize();
    Ok(())
}
