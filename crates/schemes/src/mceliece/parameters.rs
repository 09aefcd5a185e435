//! The numbers of a set and the offsets in its keys.

use crate::error::check_length;
use crate::{Error, Part};

/// One parameter set.
#[derive(Debug)]
pub(super) struct Parameters {
    /// Registry name.
    pub(super) name: &'static str,
    /// Degree m of the field.
    pub(super) m: usize,
    /// Code length n.
    pub(super) n: usize,
    /// Weight t of errors, degree of the Goppa polynomial.
    pub(super) t: usize,
    /// Terms (exponent, coefficient) of the modulus of GF(2^mt) below y^t.
    pub(super) modulus: &'static [(usize, u16)],
    /// Semi-systematic keys, (mu, nu) = (32, 64).
    pub(super) semi_systematic: bool,
    /// Ciphertexts carry a plaintext confirmation.
    pub(super) confirmation: bool,
}

/// Bytes of seeds, hashes and shared secrets.
pub(super) const HASH_BYTES: usize = 32;

impl Parameters {
    /// Rows of the parity-check matrix, mt.
    pub(super) const fn redundancy(&self) -> usize {
        self.m * self.t
    }

    /// Bytes of a row of the public key.
    pub(super) const fn row_bytes(&self) -> usize {
        (self.n - self.redundancy()).div_ceil(8)
    }

    /// The padding bits of the last byte of a row of the public key.
    pub(super) const fn padding_mask(&self) -> u8 {
        let used = (self.n - self.redundancy()) % 8;
        if used == 0 { 0 } else { 0xFF << used }
    }

    /// Length of the public key.
    pub(super) const fn public_key(&self) -> usize {
        self.redundancy() * self.row_bytes()
    }

    /// Bytes of the syndrome.
    pub(super) const fn syndrome(&self) -> usize {
        self.redundancy().div_ceil(8)
    }

    /// Length of the ciphertext.
    pub(super) const fn ciphertext(&self) -> usize {
        self.syndrome() + if self.confirmation { HASH_BYTES } else { 0 }
    }

    /// Where the Goppa polynomial starts in the secret key.
    pub(super) const fn polynomial_offset(&self) -> usize {
        HASH_BYTES + 8
    }

    /// Where the control bits start in the secret key.
    pub(super) const fn control_offset(&self) -> usize {
        self.polynomial_offset() + 2 * self.t
    }

    /// Where the string for implicit rejection starts in the secret key.
    pub(super) const fn rejection_offset(&self) -> usize {
        self.control_offset() + goppa_keygen::network::control_bytes(self.m)
    }

    /// Length of the secret key.
    pub(super) const fn secret_key(&self) -> usize {
        self.rejection_offset() + self.n / 8
    }

    /// Number of 16-bit candidates drawn in one attempt of encapsulation.
    pub(super) const fn candidates(&self) -> usize {
        if self.n == 1 << self.m { self.t } else { 2 * self.t }
    }

    /// Checks a length.
    pub(super) fn check(&self, part: Part, bytes: &[u8]) -> Result<(), Error> {
        let expected = match part {
            Part::PublicKey => self.public_key(),
            Part::SecretKey => self.secret_key(),
            Part::Ciphertext => self.ciphertext(),
            _ => HASH_BYTES,
        };
        check_length(self.name, part, bytes, expected)
    }

    /// Checks the length and the padding bits of a public key. All of it is public.
    pub(super) fn check_public_key(&self, bytes: &[u8]) -> Result<(), Error> {
        self.check(Part::PublicKey, bytes)?;
        let used = (self.n - self.redundancy()) % 8;
        if used != 0 {
            for (row, line) in bytes.chunks_exact(self.row_bytes()).enumerate() {
                if line[line.len() - 1] >> used != 0 {
                    let byte = (row + 1) * self.row_bytes() - 1;
                    return Err(Error::Padding { set: self.name, part: Part::PublicKey, byte });
                }
            }
        }
        Ok(())
    }

    /// Checks the length and the padding bits of a ciphertext. All of it is public.
    pub(super) fn check_ciphertext(&self, bytes: &[u8]) -> Result<(), Error> {
        self.check(Part::Ciphertext, bytes)?;
        let (used, byte) = (self.redundancy() % 8, self.syndrome() - 1);
        if used != 0 && bytes[byte] >> used != 0 {
            return Err(Error::Padding { set: self.name, part: Part::Ciphertext, byte });
        }
        Ok(())
    }
}
