//! Signing and verification.

use alloc::{vec, vec::Vec};

use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::bits::words_to_bytes;
use hfev::{IndexedRoot, RootRule, SignatureError, UniqueRoot, sign_redrawing_vinegar, sign_salted};
use mq_eval::gf2::{Layout, LayoutError, PackedSystem};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{Gui, GuiSecretKey, Roots};
use crate::error::check_length;
use crate::{Error, Part, SigningReport};

impl<const N: usize, const L: usize> Gui<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    /// D_1, ..., D_k of a message digest and a salt.
    fn salted_targets(&self, digest: &[u8], salt: &[u8]) -> Vec<u64> {
        let block = self.hash.digest(&[digest, salt]);
        self.hash.targets(block, self.parameters.iterations(), self.parameters.equations())
    }

    fn plain_targets(&self, digest: Vec<u8>) -> Vec<u64> {
        self.hash.targets(digest, self.parameters.iterations(), self.parameters.equations())
    }

    fn error(&self, error: hfev::Error) -> Error {
        match error {
            hfev::Error::AttemptsExhausted { attempts } => {
                Error::AttemptsExhausted { set: self.name, attempts }
            }
            _ => Error::Random,
        }
    }

    /// Signs `message` into `signature`, which is untouched on error. Constant time but for the number of attempts and, where any
    /// root is accepted, the number of roots.
    ///
    /// # Errors
    /// [`Error::Length`] for an output of another length, [`Error::Random`], [`Error::AttemptsExhausted`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        key: &GuiSecretKey<N, L>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        check_length(self.name, Part::Signature, signature, self.signature_len())?;
        match self.roots {
            Roots::Unique => self.sign_by(&UniqueRoot, key, message, rng, signature),
            Roots::Any => {
                let coordinates = |element: &Gf2n<N, L>| {
                    let mut bytes = Zeroizing::new(vec![0; N.div_ceil(8)]);
                    match &key.to_format {
                        None => words_to_bytes(element.limbs(), &mut bytes),
                        Some(matrix) => {
                            words_to_bytes(
                                &Zeroizing::new(matrix.left_multiply(element.limbs())),
                                &mut bytes,
                            );
                        }
                    }
                    bytes
                };
                let rule = IndexedRoot::new(coordinates, |bytes: &[u8]| self.hash.number(bytes));
                self.sign_by(&rule, key, message, rng, signature)
            }
        }
    }

    fn sign_by<R: TryCryptoRng + ?Sized, Rule: RootRule<N, L, LibraryModulus>>(
        &self,
        rule: &Rule,
        key: &GuiSecretKey<N, L>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        let digest = self.hash.digest(&[message]);
        if self.salted {
            let targets = |salt: &[u8]| self.salted_targets(&digest, salt);
            let signed = sign_salted(&key.key, Self::SALT, targets, rule, rng).map_err(|e| self.error(e))?;
            let (body, salt) = signature.split_at_mut(signed.signature.len());
            body.copy_from_slice(&signed.signature);
            salt.copy_from_slice(&signed.salt);
            Ok(SigningReport { attempts: signed.attempts })
        } else {
            let signed = sign_redrawing_vinegar(&key.key, &self.plain_targets(digest), rule, rng)
                .map_err(|e| self.error(e))?;
            signature.copy_from_slice(&signed.signature);
            Ok(SigningReport { attempts: signed.attempts })
        }
    }

    /// Checks the bytes of a public key. The last byte, a remark on the salt, may be anything.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Padding`].
    pub fn public_system<'a>(&self, public_key: &'a [u8]) -> Result<PackedSystem<&'a [u8]>, Error> {
        let expected = self.public_key_len();
        check_length(self.name, Part::PublicKey, public_key, expected)?;
        PackedSystem::new(Layout::LinearFirst, self.shape, &public_key[..expected - 1]).map_err(|error| {
            match error {
                LayoutError::Padding { byte } => {
                    Error::Padding { set: self.name, part: Part::PublicKey, byte }
                }
                _ => Error::Length {
                    set: self.name,
                    part: Part::PublicKey,
                    expected,
                    actual: public_key.len(),
                },
            }
        })
    }

    /// Verifies a signature. Variable time: all of it is public.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], or why the key or the signature is malformed.
    pub fn verify(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_with(&self.public_system(public_key)?, message, signature)
    }

    /// Verifies with a checked public key.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], or why the signature is malformed; [`Error::Inconsistent`] for a system of another shape or
    /// layout than [`Self::public_system`] gives.
    pub fn verify_with<B: AsRef<[u8]>>(
        &self,
        system: &PackedSystem<B>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        if system.shape() != self.shape || system.layout() != Layout::LinearFirst {
            return Err(Error::Inconsistent {
                set: self.name,
                part: Part::PublicKey,
                what: "the system of another set",
            });
        }
        check_length(self.name, Part::Signature, signature, self.signature_len())?;
        let (body, salt) = signature.split_at(self.parameters.signature_bits().div_ceil(8));
        let digest = self.hash.digest(&[message]);
        let targets =
            if self.salted { self.salted_targets(&digest, salt) } else { self.plain_targets(digest) };
        debug_assert_eq!(targets.len(), self.parameters.iterations() * self.equation_words());
        match self.chain().verify(body, &targets, |point, value| system.evaluate(point, value)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::InvalidSignature { set: self.name }),
            Err(SignatureError::Padding { byte }) => {
                Err(Error::Padding { set: self.name, part: Part::Signature, byte })
            }
            Err(_) => Err(Error::Length {
                set: self.name,
                part: Part::Signature,
                expected: self.signature_len(),
                actual: signature.len(),
            }),
        }
    }
}
