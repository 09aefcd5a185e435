//! Secret keys as bytes.
//!
//! Third round and second version of the second: a seed, expanded to words ([`hfev::SecretKey::from_words`]). Second round:
//! coefficients of W(n) words, then the rows of the inverse of S, W(n + v) words each, then those of the inverse of T, W(n) words
//! each, all little-endian, W(d) = ceil(d/64).

use alloc::vec::Vec;

use gf2n::matrix::{BitMatrix, RowBytesError};
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::bits::{clear_from, words_from_bytes};
use hfev::{HfevPolynomial, SecretKey, SecretMap};
use zeroize::Zeroizing;

use super::definition::{Definition, Package};
use super::hash::expand_seed;
use crate::error::check_length;
use crate::{Error, Part};

/// Parses and expands a secret key.
pub(super) fn parse_secret<const N: usize, const L: usize>(
    definition: &Definition,
    bytes: &[u8],
) -> Result<SecretKey<N, L>, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    check_length(definition.name, Part::SecretKey, bytes, definition.secret_len())?;
    match definition.package {
        Package::Round3 | Package::Round2Version2 => {
            let words = expand_seed(definition.security, bytes, definition.parameters.secret_words());
            SecretKey::from_words(definition.parameters, &words).map_err(|_| misfit(definition))
        }
        Package::Round2 => parse_expanded(definition, bytes),
    }
}

fn parse_expanded<const N: usize, const L: usize>(
    definition: &Definition,
    bytes: &[u8],
) -> Result<SecretKey<N, L>, Error>
where
    LibraryModulus: Modulus<N, L>,
{
    let parameters = definition.parameters;
    let (n, variables) = (parameters.field_degree(), parameters.variables());
    let matrix_at = 8 * parameters.coefficient_words();
    let output_at = matrix_at + 8 * variables * variables.div_ceil(64);
    let padding = |byte| Error::Padding { set: definition.name, part: Part::SecretKey, byte };

    let words = Zeroizing::new(words_from_bytes(&bytes[..matrix_at]));
    // the place of a padding bit that is set is told: such bytes are no key that this package makes
    for (k, coefficient) in words.chunks_exact(L).enumerate() {
        let top = coefficient[L - 1] >> ((n - 1) % 64) >> 1;
        if top != 0 {
            return Err(padding(
                8 * (k * L + L - 1) + ((n - 1) % 64 + 1 + top.trailing_zeros() as usize) / 8,
            ));
        }
    }
    let matrix = |offset: usize, side: usize, rows: &[u8]| {
        BitMatrix::from_row_bytes(side, side, 8 * side.div_ceil(64), rows).map_err(|error| match error {
            RowBytesError::Padding { byte } => padding(offset + byte),
            _ => misfit(definition),
        })
    };
    let input = matrix(matrix_at, variables, &bytes[matrix_at..output_at])?;
    let output = matrix(output_at, n, &bytes[output_at..])?;
    // S and T are products L U
    if !input.is_unit_ul() || !output.is_unit_ul() {
        return Err(Error::Inconsistent {
            set: definition.name,
            part: Part::SecretKey,
            what: "a linear map is no inverse of a product of unit triangular matrices",
        });
    }
    let polynomial = HfevPolynomial::from_words(parameters, &words).map_err(|_| misfit(definition))?;
    SecretKey::new(parameters, polynomial, SecretMap::Matrix(input), SecretMap::Matrix(output))
        .map_err(|_| misfit(definition))
}

/// Lengths that were computed from the parameters disagree with them: cannot happen.
pub(super) fn misfit(definition: &Definition) -> Error {
    Error::Inconsistent {
        set: definition.name,
        part: Part::SecretKey,
        what: "the parts do not fit the parameters",
    }
}

/// The secret key of the second round. `coefficients` are the words as drawn.
pub(super) fn write_expanded(
    definition: &Definition,
    coefficients: &[u64],
    input: &BitMatrix,
    output: &BitMatrix,
) -> Zeroizing<Vec<u8>> {
    let n = definition.parameters.field_degree();
    let width = n.div_ceil(64);
    // all room at once: a vector that grows leaves copies behind
    let mut bytes = Zeroizing::new(Vec::with_capacity(definition.secret_len()));
    for coefficient in coefficients.chunks_exact(width) {
        let mut cleaned = Zeroizing::new(coefficient.to_vec());
        clear_from(&mut cleaned, n);
        for word in cleaned.iter() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    }
    input.append_row_bytes(8 * input.words_per_row(), &mut bytes);
    output.append_row_bytes(8 * output.words_per_row(), &mut bytes);
    bytes
}
