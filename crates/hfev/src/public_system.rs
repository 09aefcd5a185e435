//! Key generation: the public system, built directly in its final basis (`polar_form`), its equations mixed (`mix`).

use alloc::{vec, vec::Vec};

use gf2n::backend::ClmulBackend;
use gf2n::match_clmul;
use gf2n::matrix::BitMatrix;
use gf2n::modulus::Modulus;
use gf2n::points::LimbForm;
use gf2n::{Gf2n, Reducer};
use mq_eval::gf2::{Shape, System};
use zeroize::{Zeroize, Zeroizing};

use crate::bits::extract_bits;
use crate::coefficients::{Coefficients, add};
use crate::mix::Mixer;
use crate::polar_form::{PolarForm, TILE};
use crate::{HfevPolynomial, KeyError, Parameters};

/// A linear or affine map x -> x A + t: the matrix A, and t if there is one.
pub type AffineParts<'a> = (&'a BitMatrix, Option<&'a [u64]>);

/// The public system: the first m coordinates of T(F(S(x))) with `input` = S on n + v bits and `output` = T on n bits (of which
/// the first m columns are enough). Constant time.
///
/// # Errors
/// [`KeyError::Map`] if a matrix has another shape; [`KeyError::Polynomial`] if the polynomial does not fit the parameters.
pub fn public_system<const N: usize, const L: usize, M: Modulus<N, L>>(
    parameters: Parameters,
    polynomial: &HfevPolynomial<N, L, M>,
    input: AffineParts<'_>,
    output: AffineParts<'_>,
) -> Result<System, KeyError> {
    if polynomial.degree() != parameters.degree()
        || polynomial.vinegar() != parameters.vinegar()
        || parameters.field_degree() != N
    {
        return Err(KeyError::Polynomial);
    }
    let (variables, equations) = (parameters.variables(), parameters.equations());
    for (matrix, rows, columns) in [(input.0, variables, variables), (output.0, N, equations)] {
        if matrix.rows() != rows || matrix.columns() < columns {
            return Err(KeyError::Map { expected: rows, actual: matrix.rows() });
        }
    }
    let reducer = &Gf2n::<N, L, M>::REDUCER;
    erased::<M::Form, L>(parameters, reducer, polynomial.coefficients(), input, output)
}

/// The same without the type of the field.
fn erased<F: LimbForm<L>, const L: usize>(
    parameters: Parameters,
    reducer: &Reducer,
    coefficients: &Coefficients<L>,
    (matrix, translation): AffineParts<'_>,
    (mixing, constant): AffineParts<'_>,
) -> Result<System, KeyError> {
    let (variables, equations) = (parameters.variables(), parameters.equations());
    let shape = Shape::new(variables, equations).map_err(|_| KeyError::Polynomial)?;
    // the translation is one row more, whose variable is the constant 1
    let mut input = BitMatrix::zero(variables + usize::from(translation.is_some()), variables);
    for a in 0..variables {
        input.row_mut(a).copy_from_slice(matrix.row(a));
    }
    if let Some(translation) = translation {
        input.row_mut(variables).copy_from_slice(translation);
    }
    let mixer = Mixer::new(mixing.column_range(0, equations));
    let form = PolarForm::<F, L>::new(reducer, coefficients, &input);
    let mut rows = public_rows(&form, coefficients, variables, mixer, shape.equation_words());
    if let Some(constant) = constant {
        let constant = Zeroizing::new(extract_bits(constant, 0, equations));
        rows.iter_mut().zip(constant.iter()).for_each(|(row, bits)| *row ^= bits);
    }
    System::from_rows(shape, rows).map_err(|_| KeyError::Polynomial)
}

/// The coefficients, one row of `width` words a monomial: the constant, then x_a x_b for a = 0.., b = a.. row by row.
fn public_rows<F: LimbForm<L>, const L: usize>(
    form: &PolarForm<F, L>,
    coefficients: &Coefficients<L>,
    variables: usize,
    mut mixer: Mixer,
    width: usize,
) -> Vec<u64> {
    let affine = form.rows() > variables;
    let mut rows = vec![0; (1 + variables * (variables + 1) / 2) * width];
    let mut constant = coefficients.constant[0];
    let mut tile = Zeroizing::new(vec![0; TILE * form.rows() * L]);
    let (constant_row, mut rest) = rows.split_at_mut(width);
    let backend = ClmulBackend::best();
    for first in (0..form.rows()).step_by(TILE) {
        match_clmul!(backend, backend => form.fill_tile(backend, first, &mut tile));
        for a in first..(first + TILE).min(form.rows()) {
            let line = (a - first) * form.rows();
            let products = &mut tile[(line + a) * L..(line + form.rows()) * L];
            if a == variables {
                // the translation's own coefficient is constant
                if let Some(value) = products.first_chunk() {
                    add(&mut constant, value);
                }
                continue;
            }
            let (kept, with_translation) = products.split_at_mut((variables - a) * L);
            if affine {
                // its products with the variables are linear
                kept.iter_mut().zip(with_translation).for_each(|(linear, product)| *linear ^= *product);
            }
            let (target, others) = rest.split_at_mut((variables - a) * width);
            mixer.apply(kept, target);
            rest = others;
        }
    }
    mixer.apply(&constant, constant_row);
    constant.zeroize();
    rows
}
