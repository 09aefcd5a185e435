//! Niederreiter keys for any (m, t, n), deterministic from a seed: for researchers, and for the parameter sets of the hardware
//! literature.
//!
//! The support is shuffled by Fisher and Yates, which indexes memory by secrets: key generation of this layer is *not* constant
//! time (`schemes` has Classic McEliece, which is). Decryption and encryption are constant time.
//!
//! Fields of degree 11, 12 and 13 run on the best back end of the CPU; the others use the portable one.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::Portable;
use zeroize::Zeroizing;

use crate::backend::{Backend, Kernel, dispatch};
use crate::control_bits::control_bits;
use crate::decode::{Decoded, Decoder};
use crate::encode::syndrome;
use crate::error::Error;
use crate::error_vector::error_from_positions;
use crate::extension::Extension;
use crate::irreducible::{default_modulus, is_irreducible};
use crate::parity_check::CodeColumns;
use crate::stream::{Purpose, Stream, fisher_yates};
use crate::support::inverse_values;
use crate::systemizer::RowLayout;

/// Bound on attempts of key generation: one succeeds with probability 0.29.
const MAX_ATTEMPTS: u32 = 4096;

/// Runs `$call::<back end, M>` for the field degree `$m`.
macro_rules! for_degree {
    ($m:expr, $backend:ident, $self:ident . $method:ident ( $($argument:expr),* )) => {
        match $m {
            2 => $self.$method::<Portable, 2>(Portable $(, $argument)*),
            3 => $self.$method::<Portable, 3>(Portable $(, $argument)*),
            4 => $self.$method::<Portable, 4>(Portable $(, $argument)*),
            5 => $self.$method::<Portable, 5>(Portable $(, $argument)*),
            6 => $self.$method::<Portable, 6>(Portable $(, $argument)*),
            7 => $self.$method::<Portable, 7>(Portable $(, $argument)*),
            8 => $self.$method::<Portable, 8>(Portable $(, $argument)*),
            9 => $self.$method::<Portable, 9>(Portable $(, $argument)*),
            10 => $self.$method::<Portable, 10>(Portable $(, $argument)*),
            11 => $self.$method::<B, 11>($backend $(, $argument)*),
            12 => $self.$method::<B, 12>($backend $(, $argument)*),
            13 => $self.$method::<B, 13>($backend $(, $argument)*),
            14 => $self.$method::<Portable, 14>(Portable $(, $argument)*),
            15 => $self.$method::<Portable, 15>(Portable $(, $argument)*),
            _ => $self.$method::<Portable, 16>(Portable $(, $argument)*),
        }
    };
}

/// A parameter set: field degree m, Goppa degree t, length n, and the modulus that Goppa polynomials are drawn with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Niederreiter {
    extension: Extension,
    length: usize,
}

/// A key pair.
pub struct KeyPair {
    /// mt rows of ceil((n - mt)/8) bytes, least significant bit first.
    pub public_key: Vec<u8>,
    /// The secret key.
    pub secret_key: SecretKey,
    /// Attempts made, the successful one included; public.
    pub attempts: u32,
}

/// A secret key, wiped when dropped.
pub struct SecretKey {
    parameters: Niederreiter,
    polynomial: Zeroizing<Vec<u16>>,
    support: Zeroizing<Vec<u16>>,
    decoder: Decoder,
}

/// An encryption of a random error.
pub struct Encryption {
    /// The syndrome, ceil(mt/8) bytes.
    pub ciphertext: Vec<u8>,
    /// The error, ceil(n/8) bytes. Secret.
    pub error: Zeroizing<Vec<u8>>,
}

impl Niederreiter {
    /// The set (m, t, n) with the default modulus.
    ///
    /// # Errors
    /// [`Error::Parameters`].
    pub fn new(m: usize, t: usize, n: usize) -> Result<Self, Error> {
        let field = Self::field(m, t, n)?;
        let extension = default_modulus(field, t).ok_or(Error::Reducible { degree: t })?;
        Ok(Self { extension, length: n })
    }

    /// The set with a modulus of the caller's.
    ///
    /// # Errors
    /// [`Error::Parameters`], [`Error::Reducible`].
    pub fn with_modulus(extension: Extension, n: usize) -> Result<Self, Error> {
        Self::field(extension.field().degree() as usize, extension.degree(), n)?;
        if !is_irreducible(&extension) {
            return Err(Error::Reducible { degree: extension.degree() });
        }
        Ok(Self { extension, length: n })
    }

    fn field(m: usize, t: usize, n: usize) -> Result<Gf2m, Error> {
        let refused = Error::Parameters { m, t, n };
        let field = u32::try_from(m).ok().and_then(Gf2m::new).ok_or(refused.clone())?;
        let fits = t >= 1 && t <= n && m * t < n && n <= field.order();
        if fits { Ok(field) } else { Err(refused) }
    }

    /// The field degree m.
    #[must_use]
    pub fn m(&self) -> usize {
        self.extension.field().degree() as usize
    }

    /// The Goppa degree t.
    #[must_use]
    pub fn t(&self) -> usize {
        self.extension.degree()
    }

    /// The length n.
    #[must_use]
    pub fn n(&self) -> usize {
        self.length
    }

    /// The extension that Goppa polynomials are drawn in.
    #[must_use]
    pub fn extension(&self) -> &Extension {
        &self.extension
    }

    /// Bytes of a public key.
    #[must_use]
    pub fn public_key_len(&self) -> usize {
        self.redundancy() * (self.length - self.redundancy()).div_ceil(8)
    }

    /// Bytes of a ciphertext.
    #[must_use]
    pub fn ciphertext_len(&self) -> usize {
        self.redundancy().div_ceil(8)
    }

    fn redundancy(&self) -> usize {
        self.m() * self.t()
    }

    /// Makes the key pair of a seed (32 bytes recommended). Not constant time.
    ///
    /// # Errors
    /// [`Error::AttemptsExhausted`].
    pub fn generate(&self, seed: &[u8]) -> Result<KeyPair, Error> {
        dispatch(Generate { parameters: self, seed })
    }

    /// Encrypts the error that the seed makes. Constant time but for the positions that repeat.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Padding`] for a public key that is none.
    pub fn encrypt(&self, public_key: &[u8], seed: &[u8]) -> Result<Encryption, Error> {
        let mut stream = Stream::new(Purpose::Error, self.m(), self.t(), self.length, 0, seed);
        let mut positions = Zeroizing::new(Vec::with_capacity(self.t()));
        while positions.len() < self.t() {
            let position = stream.below(self.length as u32) as u16;
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        let error = error_from_positions(Portable, &positions, self.length);
        let ciphertext = self.encrypt_error(public_key, &error)?;
        Ok(Encryption { ciphertext, error: Zeroizing::new(error.to_vec()) })
    }

    /// Encrypts an error of ceil(n/8) bytes. Constant time. The weight is the caller's business.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Padding`].
    pub fn encrypt_error(&self, public_key: &[u8], error: &[u8]) -> Result<Vec<u8>, Error> {
        check_length("public key", public_key, self.public_key_len())?;
        check_length("error", error, self.length.div_ceil(8))?;
        let columns = self.length - self.redundancy();
        let row_bytes = columns.div_ceil(8);
        for row in 1..=self.redundancy() {
            check_padding("public key", public_key, row * row_bytes - 1, columns)?;
        }
        check_padding("error", error, error.len() - 1, self.length)?;
        Ok(dispatch(Encrypt { parameters: self, public_key, error }))
    }
}

/// Checks a length.
fn check_length(what: &'static str, bytes: &[u8], expected: usize) -> Result<(), Error> {
    if bytes.len() == expected { Ok(()) } else { Err(Error::Length { what, expected, actual: bytes.len() }) }
}

/// Checks the padding behind `bits` bits, which end in byte `byte`.
fn check_padding(what: &'static str, bytes: &[u8], byte: usize, bits: usize) -> Result<(), Error> {
    if !bits.is_multiple_of(8) && bytes[byte] >> (bits % 8) != 0 {
        return Err(Error::Padding { what, byte });
    }
    Ok(())
}

struct Generate<'a> {
    parameters: &'a Niederreiter,
    seed: &'a [u8],
}

impl Kernel for Generate<'_> {
    type Output = Result<KeyPair, Error>;
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        for_degree!(self.parameters.m(), backend, self.run())
    }
}

impl Generate<'_> {
    fn run<B: Backend, const M: usize>(self, backend: B) -> Result<KeyPair, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            if let Some(pair) = self.attempt::<B, M>(backend, attempt) {
                return Ok(pair);
            }
        }
        Err(Error::AttemptsExhausted { attempts: MAX_ATTEMPTS })
    }

    fn attempt<B: Backend, const M: usize>(&self, backend: B, attempt: u32) -> Option<KeyPair> {
        let parameters = self.parameters;
        let (t, n, field) = (parameters.t(), parameters.length, parameters.extension.field());
        let stream = |purpose| Stream::new(purpose, M, t, n, attempt, self.seed);
        let order = fisher_yates(M, &mut stream(Purpose::Permutation));
        let mut words = stream(Purpose::Polynomial);
        let element: Zeroizing<Vec<u16>> =
            Zeroizing::new((0..t).map(|_| words.word() & field.mask()).collect());
        let polynomial = parameters.extension.minimal_polynomial::<B, M>(backend, &element)?;
        let inverses = inverse_values::<B, M>(backend, &polynomial);
        let index: Zeroizing<Vec<u16>> =
            Zeroizing::new(order.iter().map(|alpha| field.reverse_bits(*alpha)).collect());
        let scalings: Zeroizing<Vec<u16>> =
            Zeroizing::new(index[..n].iter().map(|index| inverses[usize::from(*index)]).collect());
        // only for t = 1 can g vanish on the support
        if scalings.contains(&0) {
            return None;
        }
        let code = CodeColumns { support: &order[..n], scalings: &scalings, degree: t };
        let mut public_key = vec![0; parameters.public_key_len()];
        let layout = RowLayout::systematic(parameters.redundancy());
        code.systematic_form::<B, M>(backend, layout, &mut public_key).ok()?;
        let control = control_bits(backend, &index);
        let decoder = Decoder::new::<B, M>(backend, &polynomial, &control, n);
        let secret_key = SecretKey {
            parameters: parameters.clone(),
            polynomial,
            support: Zeroizing::new(order[..n].to_vec()),
            decoder,
        };
        Some(KeyPair { public_key, secret_key, attempts: attempt + 1 })
    }
}

struct Encrypt<'a> {
    parameters: &'a Niederreiter,
    public_key: &'a [u8],
    error: &'a [u8],
}

impl Kernel for Encrypt<'_> {
    type Output = Vec<u8>;
    fn call<B: Backend>(self, backend: B) -> Vec<u8> {
        let Self { parameters, public_key, error } = self;
        syndrome(backend, public_key, parameters.redundancy(), parameters.length, error).bits
    }
}

impl SecretKey {
    /// Coefficients 0..t of the monic Goppa polynomial.
    #[must_use]
    pub fn polynomial(&self) -> &[u16] {
        &self.polynomial
    }

    /// The support alpha_0 .. alpha_(n-1).
    #[must_use]
    pub fn support(&self) -> &[u16] {
        &self.support
    }

    /// The error of weight t with this syndrome, ceil(n/8) bytes. Constant time but for the verdict.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Padding`]; [`Error::Decryption`] if there is none.
    pub fn decrypt(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        check_length("ciphertext", ciphertext, self.parameters.ciphertext_len())?;
        check_padding("ciphertext", ciphertext, ciphertext.len() - 1, self.parameters.redundancy())?;
        let decoded = dispatch(Decrypt { key: self, ciphertext });
        if decoded.accepted == 0 {
            Err(Error::Decryption)
        } else {
            Ok(Zeroizing::new(decoded.error.to_vec()))
        }
    }
}

struct Decrypt<'a> {
    key: &'a SecretKey,
    ciphertext: &'a [u8],
}

impl Kernel for Decrypt<'_> {
    type Output = Decoded;
    fn call<B: Backend>(self, backend: B) -> Decoded {
        for_degree!(self.key.parameters.m(), backend, self.run())
    }
}

impl Decrypt<'_> {
    fn run<B: Backend, const M: usize>(self, backend: B) -> Decoded {
        self.key.decoder.decode::<B, M>(backend, self.ciphertext)
    }
}
