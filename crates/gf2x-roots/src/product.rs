//! Products of dense polynomials: Karatsuba's method down to lazy dot products.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Field};
use crate::kernel::{Job, MAX_BLOCK, PointSums, Source, Terms};

/// Operands up to this length are multiplied by dot products.
const BASE: usize = 96;

/// The product; its length is the sum of the lengths less one (empty if an operand is).
pub(crate) fn multiply<const L: usize>(
    field: &Field<L>,
    a: &[Element<L>],
    b: &[Element<L>],
) -> Vec<Element<L>> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return Vec::new();
    }
    let mut product = vec![Field::<L>::ZERO; long.len() + short.len() - 1];
    if short.len() <= BASE {
        base(field, long, short, &mut product);
    } else if long.len() >= 2 * short.len() {
        for (index, piece) in long.chunks(short.len()).enumerate() {
            accumulate(&mut product[index * short.len()..], &multiply(field, piece, short));
        }
    } else {
        karatsuba(field, long, short, &mut product);
    }
    product
}

/// (a_0 + a_1 Y)(b_0 + b_1 Y) with three products; both operands are longer than half of `long`.
fn karatsuba<const L: usize>(
    field: &Field<L>,
    long: &[Element<L>],
    short: &[Element<L>],
    product: &mut [Element<L>],
) {
    let half = long.len().div_ceil(2);
    let (a_low, a_high) = long.split_at(half);
    let (b_low, b_high) = short.split_at(half.min(short.len()));
    let fold = |low: &[Element<L>], high: &[Element<L>]| {
        let mut sum = low.to_vec();
        accumulate(&mut sum, high);
        sum
    };
    let low = multiply(field, a_low, b_low);
    let high = multiply(field, a_high, b_high);
    let mut middle = multiply(field, &fold(a_low, a_high), &fold(b_low, b_high));
    accumulate(&mut middle, &low);
    accumulate(&mut middle, &high);
    accumulate(product, &low);
    let length = middle.len().min(product.len() - half);
    accumulate(&mut product[half..], &middle[..length]);
    if !high.is_empty() {
        accumulate(&mut product[2 * half..], &high);
    }
}

/// Adds the shorter `terms` to the beginning of `sum`.
fn accumulate<const L: usize>(sum: &mut [Element<L>], terms: &[Element<L>]) {
    for (place, term) in sum.iter_mut().zip(terms) {
        *place = Field::add(place, term);
    }
}

/// The schoolbook product, each coefficient reduced once.
fn base<const L: usize>(
    field: &Field<L>,
    long: &[Element<L>],
    short: &[Element<L>],
    product: &mut [Element<L>],
) {
    let engine = field.engine();
    let block = engine.block();
    let guard = short.len() + MAX_BLOCK;
    let mut row = engine.planes(long.len() + 2 * guard + MAX_BLOCK);
    engine.evaluate(long, &mut row, guard);
    let mut coefficients = engine.planes(short.len() + MAX_BLOCK);
    engine.evaluate(short, &mut coefficients, 0);
    let offsets: Vec<usize> = (0..short.len()).collect();
    let mut sums = PointSums::new();
    for (index, chunk) in product.chunks_mut(block).enumerate() {
        let first = index * block;
        // only terms that meet the row: first - e < long.len() and first + block - 1 - e >= 0
        let from = (first + 1).saturating_sub(long.len()).min(short.len());
        let to = (first + block).min(short.len());
        let terms = Terms { coefficients: &coefficients, first: from, offsets: &offsets[from..to] };
        engine.dot(&terms, &row, (guard + first, chunk.len()), &mut sums);
        let mut job = Job::new(Source::Sums(&sums));
        job.valid = chunk.len();
        job.elements = Some(chunk);
        engine.run(job);
    }
}
