//! Key generation: the public system, built directly in its final basis.
//!
//! Row a of the input map is (s_a, t_a): s_a, its first n bits, an element of GF(2^n), t_a its v vinegar bits. The public
//! polynomial in x is F(sum x_a s_a, sum x_a t_a), so its coefficient of x_a x_b, a < b, is the polar form of F at the two rows,
//! and that of x_a is F(s_a, t_a) - F(0, 0). With M[a][i] = s_a^(2^i) and
//!
//! W[a][j] = sum over i > j of b_ij M[a][i] + sum over k of t_ak (coefficient of y_k in l_j)
//!
//! they are, for the upper triangular coefficients C of the vinegar part c,
//!
//! Q[a][b] = sum over j of (W[a][j] M[b][j] + M[a][j] W[b][j]) + t_a (C + C^T) t_b,
//! Q[a][a] = sum over j of W[a][j] M[a][j] + sum over i of l_i(0) M[a][i] + t_a C t_a^T.
//!
//! That is n^2/2 dot products of length 2 (top + 1) in evaluated form, each reduced once; the usual way, a change of basis of the
//! whole quadratic form, costs n^3 steps. Every coefficient is then multiplied by the output map (`mix`).
//!
//! The sequence of operations and addresses depends on the parameters alone.

use alloc::{vec, vec::Vec};

use gf2n::Gf2n;
use gf2n::backend::{Cell, ClmulBackend, ClmulLanes};
use gf2n::match_clmul;
use gf2n::matrix::BitMatrix;
use gf2n::modulus::Modulus;
use gf2n::points::{Evaluated, PointForm, PointProducts};
use mq_eval::gf2::{Shape, System};
use zeroize::{Zeroize, Zeroizing};

use crate::bits::extract_bits;
use crate::mix::Mixer;
use crate::{HfevPolynomial, KeyError, Parameters};

/// Rows that are worked on together, so that an operand that is loaded serves all of them.
const TILE: usize = 4;

/// A linear or affine map x -> x A + t: the matrix A, and t if there is one.
pub type AffineParts<'a> = (&'a BitMatrix, Option<&'a [u64]>);

/// The public system: the first m coordinates of T(F(S(x))) with `input` = S on n + v bits and `output` = T on n bits (of which
/// the first m columns are enough). Constant time.
///
/// # Errors
/// [`KeyError::Map`] if a matrix has another shape.
pub fn public_system<const N: usize, const L: usize, M: Modulus<N, L>>(
    parameters: Parameters,
    polynomial: &HfevPolynomial<N, L, M>,
    input: AffineParts<'_>,
    output: AffineParts<'_>,
) -> Result<System, KeyError> {
    let shape =
        Shape::new(parameters.variables(), parameters.equations()).map_err(|_| KeyError::Polynomial)?;
    let (variables, equations) = (parameters.variables(), parameters.equations());
    if polynomial.vinegar() != parameters.vinegar() || parameters.field_degree() != N {
        return Err(KeyError::Polynomial);
    }
    for (matrix, rows, columns) in [(input.0, variables, variables), (output.0, N, equations)] {
        if matrix.rows() != rows || matrix.columns() < columns {
            return Err(KeyError::Map { expected: rows, actual: matrix.rows() });
        }
    }
    // the translation is one row more, whose variable is the constant 1
    let mut extended = BitMatrix::zero(variables + usize::from(input.1.is_some()), variables);
    for a in 0..variables {
        extended.row_mut(a).copy_from_slice(input.0.row(a));
    }
    if let Some(translation) = input.1 {
        extended.row_mut(variables).copy_from_slice(translation);
    }
    let mixing = output.0.column_range(0, equations);
    let mut rows = match_clmul!(ClmulBackend::best(), backend => {
        public_rows(backend, polynomial, &extended, variables, mixing)
    });
    if let Some(constant) = output.1 {
        let width = shape.equation_words();
        let constant = extract_bits(constant, 0, equations);
        rows[..width].iter_mut().zip(constant).for_each(|(row, bits)| *row ^= bits);
    }
    System::from_rows(shape, rows).map_err(|_| KeyError::Polynomial)
}

/// The coefficients, one row of ceil(m/64) words a monomial: the constant, then x_a x_b for a = 0.., b = a.. row by row.
fn public_rows<const N: usize, const L: usize, M: Modulus<N, L>, B: ClmulLanes>(
    backend: B,
    polynomial: &HfevPolynomial<N, L, M>,
    input: &BitMatrix,
    variables: usize,
    output: BitMatrix,
) -> Vec<u64> {
    let affine = input.rows() > variables;
    let width = output.words_per_row();
    let mut mixer = Mixer::new(output);
    let mut rows = vec![0; (1 + variables * (variables + 1) / 2) * width];
    let polar = PolarForm::new(backend, polynomial, input);
    let mut constant = polynomial.constant_term();
    let mut tile = Zeroizing::new(vec![0; TILE * input.rows() * L]);
    let (constant_row, mut rest) = rows.split_at_mut(width);
    for first in (0..input.rows()).step_by(TILE) {
        backend.run(
            #[inline(always)]
            || polar.fill_tile(backend, first, &mut tile),
        );
        for a in first..(first + TILE).min(input.rows()) {
            let line = (a - first) * input.rows();
            let coefficients = &mut tile[(line + a) * L..(line + input.rows()) * L];
            if a == variables {
                // the translation's own coefficient is constant
                let mut limbs = [0; L];
                limbs.copy_from_slice(coefficients);
                constant += Gf2n::from_limbs_truncated(limbs);
                continue;
            }
            let (kept, product) = coefficients.split_at_mut((variables - a) * L);
            if affine {
                // its products with the variables are linear
                kept.iter_mut().zip(product).for_each(|(linear, p)| *linear ^= *p);
            }
            let (target, others) = rest.split_at_mut((variables - a) * width);
            mixer.apply(kept, target);
            rest = others;
        }
    }
    mixer.apply(constant.limbs(), constant_row);
    constant.zeroize();
    rows
}

/// The operands of the dot products for all rows.
struct PolarForm<const N: usize, const L: usize, M: Modulus<N, L>> {
    rows: usize,
    /// Length of a dot product.
    terms: usize,
    /// Row a: W[a][0..=top], then M[a][0..=top].
    left: Vec<Evaluated<N, L, M>>,
    /// Cell of row b, term t, pair p at (p * terms + t) * stride + b; the terms are M[b][j], then W[b][j].
    right: Vec<Cell>,
    stride: usize,
    /// Q[a][a].
    diagonal: Vec<Gf2n<N, L, M>>,
    vinegar: usize,
    /// t_a, as masks.
    vinegar_masks: Vec<u64>,
    /// (C + C^T) t_b: entry k at (k * rows + b) * L.
    vinegar_products: Vec<u64>,
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> PolarForm<N, L, M> {
    fn new<B: ClmulLanes>(backend: B, polynomial: &HfevPolynomial<N, L, M>, input: &BitMatrix) -> Self {
        let (rows, linear_terms) = (input.rows(), polynomial.degree().linear_terms());
        let terms = 2 * linear_terms;
        let stride = rows.next_multiple_of(8);
        let vinegar = polynomial.vinegar();
        let mut form = Self {
            rows,
            terms,
            left: Vec::with_capacity(rows * terms),
            right: vec![Cell::ZERO; M::Form::PAIRS * terms * stride],
            stride,
            diagonal: Vec::with_capacity(rows),
            vinegar,
            vinegar_masks: Vec::with_capacity(rows * vinegar),
            vinegar_products: vec![0; vinegar * rows * L],
        };
        backend.run(
            #[inline(always)]
            || {
                let quadratic: Zeroizing<Vec<Evaluated<N, L, M>>> =
                    Zeroizing::new(polynomial.quadratic().iter().map(|&b| Evaluated::from(b)).collect());
                for a in 0..rows {
                    form.add_row(backend, polynomial, &quadratic, input.row(a), a);
                }
            },
        );
        form
    }

    #[inline(always)]
    fn add_row<B: ClmulLanes>(
        &mut self,
        backend: B,
        polynomial: &HfevPolynomial<N, L, M>,
        quadratic: &[Evaluated<N, L, M>],
        row: &[u64],
        a: usize,
    ) {
        let linear_terms = polynomial.degree().linear_terms();
        let mut limbs = [0; L];
        limbs.copy_from_slice(&row[..L]);
        let vinegar_bits = Zeroizing::new(extract_bits(row, N, self.vinegar));
        let bit = |k: usize| vinegar_bits[k / 64] >> (k % 64);

        // M[a][i]
        let mut powers = Zeroizing::new(Vec::with_capacity(linear_terms));
        let mut power = Gf2n::<N, L, M>::from_limbs_truncated(limbs);
        for _ in 0..linear_terms {
            powers.push(power);
            power = power.square_with(backend);
        }
        let evaluated: Zeroizing<Vec<Evaluated<N, L, M>>> =
            Zeroizing::new(powers.iter().map(|&p| Evaluated::from(p)).collect());

        // W[a][j]
        let mut sums = Zeroizing::new(vec![PointProducts::<N, L, M>::zero(); linear_terms]);
        for (b, (i, j)) in quadratic.iter().zip(polynomial.degree().quadratic_exponents()) {
            sums[j].add_product_with(backend, b, &evaluated[i]);
        }
        let mut diagonal = PointProducts::<N, L, M>::zero();
        for (j, sum) in sums.iter().enumerate() {
            let linear = polynomial.linear_of(j);
            let mut weight = sum.interpolate().reduce();
            for (k, coefficient) in linear[1..].iter().enumerate() {
                weight += coefficient.and_bit(bit(k));
            }
            let weight = Evaluated::from(weight);
            self.left.push(weight);
            diagonal.add_product_with(backend, &(weight + Evaluated::from(linear[0])), &evaluated[j]);
            for (p, (power_cell, weight_cell)) in evaluated[j].cells().iter().zip(weight.cells()).enumerate()
            {
                self.right[(p * self.terms + j) * self.stride + a] = *power_cell;
                self.right[(p * self.terms + linear_terms + j) * self.stride + a] = *weight_cell;
            }
        }
        self.left.extend_from_slice(&evaluated);
        self.diagonal.push(diagonal.interpolate().reduce() + polynomial.vinegar_value(&vinegar_bits));

        self.vinegar_masks.extend((0..self.vinegar).map(|k| (bit(k) & 1).wrapping_neg()));
        for k in 0..self.vinegar {
            let mut sum = Gf2n::<N, L, M>::ZERO;
            for l in (0..self.vinegar).filter(|&l| l != k) {
                sum += polynomial.vinegar_product(k.min(l), k.max(l)).and_bit(bit(l));
            }
            let place = (k * self.rows + a) * L;
            self.vinegar_products[place..place + L].copy_from_slice(sum.limbs());
        }
    }

    /// Q[a][b] for a = first..first + TILE and b >= a, at limb (a - first) * rows + b of the tile. (Entries b < a are
    /// of no use.)
    #[inline(always)]
    fn fill_tile<B: ClmulLanes>(&self, backend: B, first: usize, tile: &mut [u64]) {
        let count = TILE.min(self.rows - first);
        let mut products = Zeroizing::new(vec![Cell::ZERO; TILE * 2 * M::Form::PAIRS * B::LANES]);
        let row_of = |i: usize| (first + i.min(count - 1)) * self.terms;
        let left: [&[Evaluated<N, L, M>]; TILE] =
            core::array::from_fn(|i| &self.left[row_of(i)..row_of(i) + self.terms]);
        let mut b = first;
        while b < self.rows {
            for p in 0..M::Form::PAIRS {
                let mut low = [backend.zero(); TILE];
                let mut high = [backend.zero(); TILE];
                let cells = &self.right[p * self.terms * self.stride..(p + 1) * self.terms * self.stride];
                for (t, column) in cells.chunks_exact(self.stride).enumerate() {
                    let right = backend.load(&column[b..]);
                    for i in 0..TILE {
                        let factor = backend.broadcast(&left[i][t].cells()[p]);
                        low[i] = backend.xor(low[i], backend.clmul_low(factor, right));
                        high[i] = backend.xor(high[i], backend.clmul_high(factor, right));
                    }
                }
                for i in 0..TILE {
                    let place = (i * 2 * M::Form::PAIRS + 2 * p) * B::LANES;
                    backend.store(low[i], &mut products[place..]);
                    backend.store(high[i], &mut products[place + B::LANES..]);
                }
            }
            for lane in 0..B::LANES.min(self.rows - b) {
                for i in 0..count {
                    let cells = &products[i * 2 * M::Form::PAIRS * B::LANES..];
                    let points = M::Form::points(|point| cells[point * B::LANES + lane]);
                    let sum = PointProducts::<N, L, M>::from_cells(points.as_ref());
                    let place = (i * self.rows + b + lane) * L;
                    tile[place..place + L].copy_from_slice(sum.interpolate().reduce().limbs());
                }
            }
            b += B::LANES;
        }
        for i in 0..count {
            let a = first + i;
            let row = &mut tile[i * self.rows * L..(i + 1) * self.rows * L];
            for k in 0..self.vinegar {
                let mask = self.vinegar_masks[a * self.vinegar + k];
                let products = &self.vinegar_products[k * self.rows * L..(k + 1) * self.rows * L];
                for (limb, product) in row[first * L..].iter_mut().zip(&products[first * L..]) {
                    *limb ^= mask & product;
                }
            }
            row[a * L..(a + 1) * L].copy_from_slice(self.diagonal[a].limbs());
        }
    }
}

impl<const N: usize, const L: usize, M: Modulus<N, L>> Drop for PolarForm<N, L, M> {
    fn drop(&mut self) {
        self.left.zeroize();
        self.right.zeroize();
        self.diagonal.zeroize();
        self.vinegar_masks.zeroize();
        self.vinegar_products.zeroize();
    }
}
