//! Repeated squaring modulo one polynomial: the choice between the tables, the sweeps and division by a reciprocal.

use alloc::vec;
use alloc::vec::Vec;

use crate::dense::{Dense, trim};
use crate::field::{Element, Field};
use crate::frobenius::{SparseModulus, frobenius_sparse};
use crate::kernel::MAX_BLOCK;
use crate::multisquare::{Plan, PowerTable, frobenius_table};
use crate::product::multiply;
use zeroize::Zeroize;

/// The largest table of powers; above, polynomials are divided by their reciprocals.
const MAX_TABLE_BYTES: usize = 16 << 20;

/// X^(2^n) modulo a monic polynomial of degree at least 1, without leading zeros.
pub(crate) fn frobenius<const L: usize>(field: &Field<L>, modulus: &Dense<L>) -> Dense<L> {
    let degree = modulus.len() - 1;
    let mut power = if degree == 1 {
        // X = c, and c^(2^n) = c
        vec![modulus[0]]
    } else {
        let exponents: Vec<usize> = (0..degree).filter(|&e| !Field::is_zero(&modulus[e])).collect();
        let coefficients: Vec<_> = exponents.iter().map(|&e| modulus[e]).collect();
        let sparse = SparseModulus { degree, exponents: &exponents, coefficients: &coefficients };
        frobenius_either(field, &sparse)
    };
    trim(&mut power);
    power
}

/// X^(2^n) modulo a monic polynomial of degree at least 2; D coefficients.
///
/// The choice of the method depends on the exponents, not on the coefficients.
pub(crate) fn frobenius_either<const L: usize>(
    field: &Field<L>,
    sparse: &SparseModulus<'_, L>,
) -> Vec<Element<L>> {
    let (degree, gap) = (sparse.degree, sparse.gap());
    let plan = Plan::new(field.degree(), sparse);
    let fits = plan.table_bytes(&field.engine()) <= MAX_TABLE_BYTES;
    // a step of the sweeps: a product for each pair of a quotient coefficient and a term, and 2 D outputs
    let sweeps = (field.degree() + 1).saturating_mul(degree * (sparse.exponents.len() + 8));
    let sparse_pays = !fits || sweeps <= plan.cost(field.degree());
    if sparse_pays && gap >= MAX_BLOCK {
        frobenius_sparse(field, sparse)
    } else if fits {
        frobenius_table(field, sparse, &plan)
    } else {
        let mut power = vec![Field::<L>::ZERO; degree];
        let start = field.degree().min((degree - 1).ilog2() as usize);
        power[1 << start] = Field::<L>::ONE;
        let reciprocal = Reciprocal::new(field, &sparse.lower());
        for _ in start..field.degree() {
            power = reciprocal.square(field, &power);
        }
        power
    }
}

/// a + a^2 + a^4 + ... (`count` terms) modulo a monic polynomial of degree at least 2, for a remainder a; without leading
/// zeros. The last square is wiped.
pub(crate) fn trace_sum<const L: usize>(
    field: &Field<L>,
    modulus: &Dense<L>,
    start: &[Element<L>],
    count: usize,
) -> Dense<L> {
    let degree = modulus.len() - 1;
    let mut power = vec![Field::<L>::ZERO; degree];
    power[..start.len()].copy_from_slice(start);
    let mut sum = power.clone();
    square_times(field, modulus, &mut power, &mut sum, count - 1);
    power.zeroize();
    trim(&mut sum);
    sum
}

fn add_to<const L: usize>(sum: &mut [Element<L>], terms: &[Element<L>]) {
    for (place, term) in sum.iter_mut().zip(terms) {
        *place = Field::add(place, term);
    }
}

/// a^(2^n) modulo a monic polynomial of degree at least 1, for a remainder a; without leading zeros.
pub(crate) fn frobenius_step<const L: usize>(
    field: &Field<L>,
    modulus: &Dense<L>,
    start: &[Element<L>],
) -> Dense<L> {
    let degree = modulus.len() - 1;
    let mut power = start.to_vec();
    if degree > 1 {
        // the sum is not used; it costs next to nothing
        let mut sum = vec![Field::<L>::ZERO; degree];
        power.resize(degree, Field::<L>::ZERO);
        square_times(field, modulus, &mut power, &mut sum, field.degree());
        trim(&mut power);
    }
    power
}

/// Squares `count` times and adds every square to the sum.
fn square_times<const L: usize>(
    field: &Field<L>,
    modulus: &Dense<L>,
    power: &mut Vec<Element<L>>,
    sum: &mut [Element<L>],
    count: usize,
) {
    let degree = modulus.len() - 1;
    let plan = Plan::single(degree);
    if plan.table_bytes(&field.engine()) <= MAX_TABLE_BYTES {
        let exponents: Vec<usize> = (0..degree).collect();
        let sparse = SparseModulus { degree, exponents: &exponents, coefficients: &modulus[..degree] };
        let mut table = PowerTable::new(field, &sparse, plan);
        table.load(power);
        for _ in 0..count {
            table.apply(Some(power));
            add_to(sum, power);
        }
    } else {
        let reciprocal = Reciprocal::new(field, &modulus[..degree]);
        for _ in 0..count {
            *power = reciprocal.square(field, power);
            add_to(sum, power);
        }
    }
}

/// Division by a fixed monic polynomial with two products (Barrett; Newton's iteration for the reciprocal).
struct Reciprocal<const L: usize> {
    lower: Vec<Element<L>>,
    /// The inverse of the reversed polynomial, modulo X^(D-1).
    inverse: Vec<Element<L>>,
}

impl<const L: usize> Reciprocal<L> {
    /// For X^D + (lower).
    fn new(field: &Field<L>, lower: &[Element<L>]) -> Self {
        let degree = lower.len();
        let reversed: Vec<_> = core::iter::once(Field::<L>::ONE).chain(lower.iter().rev().copied()).collect();
        let mut inverse = vec![Field::<L>::ONE];
        while inverse.len() + 1 < degree {
            // in characteristic 2, g (2 - f g) = f g^2
            let length = (2 * inverse.len()).min(degree - 1);
            let square = spread_squares(field, &inverse);
            inverse = multiply(field, &square, &reversed[..length.min(reversed.len())]);
            inverse.resize(length, Field::<L>::ZERO);
        }
        Self { lower: lower.to_vec(), inverse }
    }

    /// The square of a remainder, D coefficients.
    fn square(&self, field: &Field<L>, power: &[Element<L>]) -> Vec<Element<L>> {
        let degree = self.lower.len();
        let mut square = spread_squares(field, power);
        // the quotient's D - 1 coefficients, highest first
        let top: Vec<_> = square[degree..].iter().rev().copied().collect();
        let mut quotient = multiply(field, &top, &self.inverse);
        quotient.truncate(degree - 1);
        quotient.reverse();
        add_to(&mut square[..degree], &multiply(field, &quotient, &self.lower));
        square.truncate(degree);
        square
    }
}

/// The square of a polynomial: 2 length - 1 coefficients.
fn spread_squares<const L: usize>(field: &Field<L>, polynomial: &[Element<L>]) -> Vec<Element<L>> {
    let mut square = vec![Field::<L>::ZERO; 2 * polynomial.len() - 1];
    for (place, coefficient) in square.iter_mut().step_by(2).zip(polynomial) {
        *place = field.square(coefficient);
    }
    square
}
