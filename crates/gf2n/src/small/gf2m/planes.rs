//! Arithmetic of bitsliced vectors over GF(2^M): `[Word; M]`, plane i = coefficients of z^i, one element a lane.
//!
//! Loops over planes are written out rather than made with `array::from_fn`: its closures are not always inlined, and a closure
//! that is not has none of the CPU features of the kernel around it.

use alloc::vec;

use super::backend::LaneBackend;
use super::field::FIELD_POLYNOMIALS;

/// One bitsliced vector of the back end `B` over GF(2^M).
pub type Planes<B, const M: usize> = [<B as LaneBackend>::Word; M];

/// Upper bound of 2 M - 1 for M <= 16.
const PRODUCT_PLANES: usize = 31;

/// Folds planes M..=2M-2 of a product into the low M planes.
#[inline(always)]
fn reduce<B: LaneBackend, const M: usize>(product: &mut [B::Word; PRODUCT_PLANES]) -> Planes<B, M> {
    let modulus = const { FIELD_POLYNOMIALS[M] };
    for high in (M..2 * M - 1).rev() {
        let fold = product[high];
        for low in 0..M {
            if modulus >> low & 1 == 1 {
                product[high - M + low] = product[high - M + low] ^ fold;
            }
        }
    }
    let mut planes = [product[0]; M];
    planes.copy_from_slice(&product[..M]);
    planes
}

/// Products of all lanes: `left[j] * right[j]`.
#[inline(never)]
pub fn mul<B: LaneBackend, const M: usize>(
    backend: B,
    left: &Planes<B, M>,
    right: &Planes<B, M>,
) -> Planes<B, M> {
    backend.run(
        #[inline(always)]
        || mul_inline::<B, M>(backend, left, right),
    )
}

/// [`mul`] into a place, which saves copies.
#[inline(never)]
pub fn mul_into<B: LaneBackend, const M: usize>(
    backend: B,
    product: &mut Planes<B, M>,
    left: &Planes<B, M>,
    right: &Planes<B, M>,
) {
    backend.run(
        #[inline(always)]
        || *product = mul_inline::<B, M>(backend, left, right),
    );
}

/// Adds the products of all lanes to `sum`.
#[inline(never)]
pub fn mul_add<B: LaneBackend, const M: usize>(
    backend: B,
    sum: &mut Planes<B, M>,
    left: &Planes<B, M>,
    right: &Planes<B, M>,
) {
    backend.run(
        #[inline(always)]
        || {
            let product = mul_inline::<B, M>(backend, left, right);
            for plane in 0..M {
                sum[plane] = sum[plane] ^ product[plane];
            }
        },
    );
}

/// Planes are taken in blocks of four; the last block has up to five.
const fn blocks(planes: usize) -> usize {
    if planes < 4 { 1 } else { planes.div_ceil(4) - (planes % 4 == 1) as usize }
}

/// [`mul`] for use inside a kernel that runs under the back end already.
#[inline(always)]
// the blocks are constants: for some M a condition decides alone, or a last value is not used
#[allow(
    unused_assignments,
    unused_comparisons,
    clippy::absurd_extreme_comparisons,
    clippy::redundant_comparisons
)]
pub fn mul_inline<B: LaneBackend, const M: usize>(
    backend: B,
    left: &Planes<B, M>,
    right: &Planes<B, M>,
) -> Planes<B, M> {
    let mut product = [backend.zero(); PRODUCT_PLANES];
    // The sums of the block products that start at the same plane stay in registers (nine at most), beside the planes of
    // the left block: two loads for four terms. Written out, because a loop would keep the sums in memory.
    let mut sums = [backend.zero(); 9];
    macro_rules! terms {
        ($i:ident, $j:ident, $($b:literal)+) => { $(terms!(@row $i, $j, $b, 0 1 2 3 4);)+ };
        (@row $i:ident, $j:ident, $b:literal, $($a:literal)+) => { $(
            if 4 * $i + $a < M && 4 * $j + $b < M && ($a < 4 || $i + 1 == blocks(M)) && ($b < 4 || $j + 1 == blocks(M)) {
                sums[$a + $b] = backend.and_xor(sums[$a + $b], left[4 * $i + $a], right[4 * $j + $b]);
            }
        )+ };
    }
    macro_rules! diagonals {
        ($($sum:literal: $(($i:literal, $j:literal))+;)+) => { $(
            if $sum <= 2 * blocks(M) - 2 {
                $(if $i < blocks(M) && $j < blocks(M) {
                    const I: usize = $i;
                    const J: usize = $j;
                    terms!(I, J, 0 1 2 3 4);
                })+
                let last = $sum == 2 * blocks(M) - 2;
                for offset in 0..if last { 9 } else { 4 } {
                    if 4 * $sum + offset < 2 * M - 1 {
                        product[4 * $sum + offset] = sums[offset];
                    }
                }
                if !last {
                    sums = [
                        sums[4],
                        sums[5],
                        sums[6],
                        sums[7],
                        sums[8],
                        backend.zero(),
                        backend.zero(),
                        backend.zero(),
                        backend.zero(),
                    ];
                }
            }
        )+ };
    }
    diagonals!(
        0: (0, 0);
        1: (0, 1) (1, 0);
        2: (0, 2) (1, 1) (2, 0);
        3: (0, 3) (1, 2) (2, 1) (3, 0);
        4: (1, 3) (2, 2) (3, 1);
        5: (2, 3) (3, 2);
        6: (3, 3);
    );
    reduce::<B, M>(&mut product)
}

/// Squares of all lanes.
#[inline(always)]
pub fn square<B: LaneBackend, const M: usize>(backend: B, value: &Planes<B, M>) -> Planes<B, M> {
    let mut product = [backend.zero(); PRODUCT_PLANES];
    for plane in 0..M {
        product[2 * plane] = value[plane];
    }
    reduce::<B, M>(&mut product)
}

/// Inverses of all lanes, 0 where the lane is 0: value^(2^M - 2) by an addition chain for M - 1.
pub fn invert<B: LaneBackend, const M: usize>(backend: B, value: &Planes<B, M>) -> Planes<B, M> {
    // After each step `power` = value^(2^exponent - 1), exponent = the leading bits of M - 1.
    backend.run(
        #[inline(always)]
        || {
            let target = M - 1;
            let bits = usize::BITS - target.leading_zeros();
            let mut power = *value;
            let mut exponent = 1;
            for bit in (0..bits - 1).rev() {
                let mut shifted = power;
                for _ in 0..exponent {
                    shifted = square::<B, M>(backend, &shifted);
                }
                power = mul::<B, M>(backend, &shifted, &power);
                exponent *= 2;
                if target >> bit & 1 == 1 {
                    power = square::<B, M>(backend, &power);
                    power = mul::<B, M>(backend, &power, value);
                    exponent += 1;
                }
            }
            square::<B, M>(backend, &power)
        },
    )
}

/// [`invert`] for a list of vectors: one inversion for all and three products for each (Montgomery).
pub fn invert_all<B: LaneBackend, const M: usize>(backend: B, values: &mut [Planes<B, M>]) {
    if values.is_empty() {
        return;
    }
    // products of all vectors up to each one; zeros count as ones
    let mut products = vec![[backend.zero(); M]; values.len()];
    let mut zeros = vec![backend.zero(); values.len()];
    backend.run(
        #[inline(always)]
        || {
            for (value, zero) in values.iter_mut().zip(&mut zeros) {
                let mut any = value[0];
                for plane in 1..M {
                    any = any | value[plane];
                }
                *zero = !any;
                value[0] = value[0] | !any;
            }
        },
    );
    products[0] = values[0];
    for index in 1..values.len() {
        let (before, rest) = products.split_at_mut(index);
        mul_into::<B, M>(backend, &mut rest[0], &before[index - 1], &values[index]);
    }
    let mut inverse = invert::<B, M>(backend, &products[values.len() - 1]);
    let mut next = inverse;
    for index in (0..values.len()).rev() {
        if index > 0 {
            mul_into::<B, M>(backend, &mut next, &inverse, &values[index]);
            mul_into::<B, M>(backend, &mut values[index], &inverse, &products[index - 1]);
            inverse = next;
        } else {
            values[0] = inverse;
        }
    }
    backend.run(
        #[inline(always)]
        || {
            for (value, zero) in values.iter_mut().zip(&zeros) {
                for plane in 0..M {
                    value[plane] = value[plane] & !*zero;
                }
            }
            products.fill([backend.zero(); M]);
            zeros.fill(backend.zero());
        },
    );
    core::hint::black_box((&mut products, &mut zeros));
}

/// Lane-wise sum.
#[inline(always)]
pub fn add<B: LaneBackend, const M: usize>(left: &Planes<B, M>, right: &Planes<B, M>) -> Planes<B, M> {
    let mut sum = *left;
    for plane in 0..M {
        sum[plane] = sum[plane] ^ right[plane];
    }
    sum
}

/// The same element in every lane.
#[inline(always)]
pub fn splat<B: LaneBackend, const M: usize>(backend: B, element: u16) -> Planes<B, M> {
    let mut planes = [backend.zero(); M];
    for (plane, word) in planes.iter_mut().enumerate() {
        *word = backend.splat(0u64.wrapping_sub(u64::from(element >> plane & 1)));
    }
    planes
}

/// The sum of all lanes.
#[inline(always)]
pub fn lane_sum<B: LaneBackend, const M: usize>(backend: B, value: &Planes<B, M>) -> u16 {
    let mut sum = 0;
    for (plane, word) in value.iter().enumerate() {
        let mut folded = *word;
        for level in 6..B::LOG_LANES {
            folded = folded ^ backend.exchange_groups(folded, level);
        }
        let mut first = [0u64; 1];
        backend.store_first(folded, &mut first);
        sum |= ((first[0].count_ones() & 1) as u16) << plane;
    }
    sum
}

/// Elements of up to `B::LANES` list entries, one a lane; lanes beyond the list are zero.
#[inline(always)]
pub fn from_elements<B: LaneBackend, const M: usize>(backend: B, elements: &[u16]) -> Planes<B, M> {
    let mut words = [[0u64; 8]; M];
    for (group, chunk) in elements.chunks(64).enumerate().take(B::WORDS) {
        let sliced = super::slicing::to_planes(chunk);
        for plane in 0..M {
            words[plane][group] = sliced[plane];
        }
    }
    let mut planes = [backend.zero(); M];
    for plane in 0..M {
        planes[plane] = backend.load(&words[plane][..B::WORDS]);
    }
    planes
}

/// Writes the elements of the first `elements.len()` lanes.
#[inline(always)]
pub fn to_elements<B: LaneBackend, const M: usize>(backend: B, value: &Planes<B, M>, elements: &mut [u16]) {
    let mut words = [[0u64; 8]; M];
    for plane in 0..M {
        backend.store(value[plane], &mut words[plane][..B::WORDS]);
    }
    for (group, chunk) in elements.chunks_mut(64).enumerate().take(B::WORDS) {
        let mut sliced = [0u64; 16];
        for plane in 0..M {
            sliced[plane] = words[plane][group];
        }
        let list = super::slicing::from_planes(&sliced);
        let count = chunk.len();
        chunk.copy_from_slice(&list[..count]);
    }
}
