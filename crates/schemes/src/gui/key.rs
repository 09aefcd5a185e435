//! Key generation, and secret keys from their bytes.

use alloc::{vec, vec::Vec};

use gf2n::Gf2n;
use gf2n::matrix::{BitMatrix, RowBytesError, words_for};
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::bits::{clear_from, words_from_bytes};
use hfev::{HfevPolynomial, SecretKey, SecretMap, public_system};
use mq_eval::gf2::Layout;
use rand_core::TryCryptoRng;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::basis::Basis;
use super::{Gui, Roots};
use crate::error::check_length;
use crate::{Error, KeyPairBytes, Part};

/// The last byte of both keys: the length of the salt.
const LAST_BYTE: u8 = 0x10;

/// How many matrices are drawn before key generation gives up. One is invertible with probability above 0.288; all fail with
/// probability below 2^-48.
const MAX_MATRICES: u64 = 100;

/// A secret key ready for signing; wiped when dropped.
pub struct GuiSecretKey<const N: usize, const L: usize>
where
    LibraryModulus: Modulus<N, L>,
{
    pub(super) key: SecretKey<N, L>,
    /// The change of basis back to the key format, where the choice among several roots needs it.
    pub(super) to_format: Option<BitMatrix>,
}

impl<const N: usize, const L: usize> ZeroizeOnDrop for GuiSecretKey<N, L> where LibraryModulus: Modulus<N, L> {}

impl<const N: usize, const L: usize> core::fmt::Debug for GuiSecretKey<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GuiSecretKey").finish_non_exhaustive()
    }
}

/// A vector of `bits` bits from bytes; bits beyond them are drawn, and ignored.
fn vector(bytes: &[u8], bits: usize) -> Zeroizing<Vec<u64>> {
    let mut words = Zeroizing::new(words_from_bytes(bytes));
    clear_from(&mut words, bits);
    words
}

/// diag(A, I): A on the first coordinates, the identity on the others.
fn extended(matrix: &BitMatrix, side: usize) -> BitMatrix {
    let n = matrix.rows();
    let mut extended = BitMatrix::identity(side);
    for i in 0..n {
        extended.row_mut(i)[..matrix.words_per_row()].copy_from_slice(matrix.row(i));
    }
    extended
}

/// A random invertible matrix and its inverse. Whether a matrix is rejected is public: the specification publishes the number of
/// rounds by its requests, and a rejected matrix is forgotten.
fn invertible<R: TryCryptoRng + ?Sized>(
    set: &'static str,
    side: usize,
    rng: &mut R,
) -> Result<(BitMatrix, BitMatrix), Error> {
    let row_bytes = side.div_ceil(8);
    let mut row = Zeroizing::new(vec![0; row_bytes]);
    for _ in 0..MAX_MATRICES {
        let mut matrix = BitMatrix::zero(side, side);
        for i in 0..side {
            rng.try_fill_bytes(&mut row).map_err(|_| Error::Random)?;
            matrix.row_mut(i).copy_from_slice(&vector(&row, side));
        }
        if let Some(inverse) = matrix.inverse() {
            return Ok((matrix, inverse));
        }
    }
    Err(Error::AttemptsExhausted { set, attempts: MAX_MATRICES })
}

impl<const N: usize, const L: usize> Gui<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    fn basis(&self) -> Option<Basis> {
        self.tower.and_then(|tower| tower.basis::<N, L>())
    }

    /// Makes a key pair. Constant time but for the number of matrices drawn, which the requests show.
    ///
    /// # Errors
    /// [`Error::Random`]; [`Error::AttemptsExhausted`] if 100 matrices in a row are singular.
    pub fn generate<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<KeyPairBytes, Error> {
        let variables = self.parameters.variables();
        let (vector_bytes, element_bytes) = (variables.div_ceil(8), N.div_ceil(8));
        let draw = |length: usize, rng: &mut R| {
            let mut bytes = Zeroizing::new(vec![0; length]);
            rng.try_fill_bytes(&mut bytes).map(|()| bytes).map_err(|_| Error::Random)
        };
        let (input, input_inverse) = invertible(self.name, variables, rng)?;
        let input_constant = draw(vector_bytes, rng)?;
        let (output, output_inverse) = invertible(self.name, N, rng)?;
        let output_constant = draw(element_bytes, rng)?;
        let central = draw(self.central_len(), rng)?;

        let mut secret = Zeroizing::new(Vec::with_capacity(self.secret_key_len()));
        input_inverse.append_row_bytes(vector_bytes, &mut secret);
        secret.extend_from_slice(&input_constant);
        output_inverse.append_row_bytes(element_bytes, &mut secret);
        secret.extend_from_slice(&output_constant);
        secret.extend_from_slice(&central);
        secret.push(LAST_BYTE);

        let basis = self.basis();
        let polynomial = self.polynomial(&central, basis.as_ref())?;
        let input_constant = vector(&input_constant, variables);
        let output_constant = vector(&output_constant, N);
        // In the field: x = (T w + t) Phi, and the value is mapped back before S.
        let (input, input_constant, output) = match &basis {
            None => (input, input_constant, output),
            Some(basis) => {
                let change = extended(&basis.to_field, variables);
                (
                    input.product_with_public(&change),
                    Zeroizing::new(change.left_multiply(&input_constant)),
                    basis.to_format.product_public(&output),
                )
            }
        };
        let system = public_system(
            self.parameters,
            &polynomial,
            (&input, Some(&input_constant)),
            (&output, Some(&output_constant)),
        )
        .map_err(|_| self.inconsistent("the parts of the key do not fit"))?;
        Ok(KeyPairBytes { public: self.pack(&system), secret: secret.into() })
    }

    fn pack(&self, system: &mq_eval::gf2::System) -> Vec<u8> {
        let mut public = Layout::LinearFirst.encode(system).unwrap_or_default();
        public.push(LAST_BYTE);
        public
    }

    fn inconsistent(&self, what: &'static str) -> Error {
        Error::Inconsistent { set: self.name, part: Part::SecretKey, what }
    }

    /// The central polynomial from its bytes: the coefficients of X^2, X^4, ..; of the X^(2^i + 2^j); of the products of X^(2^i) with
    /// each vinegar variable; of the products of two vinegar variables, u_i u_j for j <= i.
    fn polynomial(&self, bytes: &[u8], basis: Option<&Basis>) -> Result<HfevPolynomial<N, L>, Error> {
        let degree = self.parameters.degree();
        let vinegar = self.parameters.vinegar();
        // one element a row, padding bits ignored, and the change of basis for all of them at once
        let mut rows = BitMatrix::zero(self.coefficients(), N);
        for (i, chunk) in bytes.chunks_exact(N.div_ceil(8)).enumerate().take(rows.rows()) {
            rows.row_mut(i).copy_from_slice(&vector(chunk, N));
        }
        if let Some(basis) = basis {
            rows = rows.product_with_public(&basis.to_field);
        }
        let mut elements = Zeroizing::new(Vec::with_capacity(rows.rows()));
        for i in 0..rows.rows() {
            let mut limbs = Zeroizing::new([0; L]);
            limbs.copy_from_slice(rows.row(i));
            elements.push(Gf2n::<N, L>::from_limbs_truncated(*limbs));
        }
        let (pure_linear, rest) = elements.split_at(degree.top());
        let (quadratic, rest) = rest.split_at(degree.quadratic_terms());
        let (mixed, products) = rest.split_at(degree.linear_terms() * vinegar);
        let mut linear = Zeroizing::new(Vec::with_capacity(degree.linear_terms() * (vinegar + 1)));
        for i in 0..degree.linear_terms() {
            linear.push(if i == 0 { Gf2n::ZERO } else { pure_linear[i - 1] });
            linear.extend_from_slice(&mixed[i * vinegar..(i + 1) * vinegar]);
        }
        let mut constant = Zeroizing::new(Vec::with_capacity(1 + products.len()));
        constant.push(Gf2n::ZERO);
        for a in 0..vinegar {
            constant.extend((a..vinegar).map(|b| products[b * (b + 1) / 2 + a]));
        }
        HfevPolynomial::new(degree, vinegar, &constant, &linear, quadratic)
            .map_err(|_| self.inconsistent("the central polynomial does not fit"))
    }

    /// Parses a secret key and prepares it for signing.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Padding`] for padding of a matrix that is not zero; [`Error::Inconsistent`] for a singular
    /// matrix.
    pub fn secret_key(&self, bytes: &[u8]) -> Result<GuiSecretKey<N, L>, Error> {
        check_length(self.name, Part::SecretKey, bytes, self.secret_key_len())?;
        let variables = self.parameters.variables();
        let (vector_bytes, element_bytes) = (variables.div_ceil(8), N.div_ceil(8));
        let mut offset = 0;
        let mut take = |length: usize| {
            let part = &bytes[offset..offset + length];
            offset += length;
            (offset - length, part)
        };
        let input = self.matrix(variables, take(variables * vector_bytes))?;
        let (_, input_constant) = take(vector_bytes);
        let output = self.matrix(N, take(N * element_bytes))?;
        let (_, output_constant) = take(element_bytes);
        let (_, central) = take(self.central_len());

        let basis = self.basis();
        let polynomial = self.polynomial(central, basis.as_ref())?;
        let input_constant = vector(input_constant, variables);
        let output_constant = vector(output_constant, N);
        let (input, input_constant, output) = match &basis {
            None => (input, input_constant.to_vec(), output),
            Some(basis) => (
                extended(&basis.to_format, variables).product_public(&input),
                extended(&basis.to_field, variables).left_multiply(&input_constant),
                output.product_with_public(&basis.to_field),
            ),
        };
        let key = SecretKey::new(
            self.parameters,
            polynomial,
            SecretMap::Affine { translation: input_constant, matrix: input },
            SecretMap::Affine { translation: output_constant.to_vec(), matrix: output },
        )
        .map_err(|_| self.inconsistent("the parts of the key do not fit"))?;
        let to_format = basis.filter(|_| self.roots == Roots::Any).map(|basis| basis.to_format);
        Ok(GuiSecretKey { key, to_format })
    }

    /// A matrix of a secret key, at `offset` of its bytes.
    fn matrix(&self, side: usize, (offset, bytes): (usize, &[u8])) -> Result<BitMatrix, Error> {
        let matrix =
            BitMatrix::from_row_bytes(side, side, side.div_ceil(8), bytes).map_err(|error| match error {
                RowBytesError::Padding { byte } => {
                    Error::Padding { set: self.name, part: Part::SecretKey, byte: offset + byte }
                }
                _ => self.inconsistent("a matrix does not fit"),
            })?;
        // A singular matrix makes signatures that no public key accepts.
        if matrix.is_invertible() { Ok(matrix) } else { Err(self.inconsistent("a secret map is singular")) }
    }

    /// The public key of a secret key.
    ///
    /// # Errors
    /// Those of [`Self::secret_key`].
    pub fn public_key(&self, key: &GuiSecretKey<N, L>) -> Result<Vec<u8>, Error> {
        let system = key.key.public_system().map_err(|_| self.inconsistent("a secret map is singular"))?;
        Ok(self.pack(&system))
    }

    pub(super) const fn equation_words(&self) -> usize {
        words_for(self.parameters.equations())
    }
}
