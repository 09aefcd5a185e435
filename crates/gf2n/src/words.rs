//! Arithmetic on bare limbs, with the modulus as data: what the field types are made of.
//!
//! Everything here is generic over the number of limbs and the back end only, so that it is compiled once for all fields of a
//! size. The functions belong inside a kernel that runs under the back end; [`single`] holds the ones that choose it by themselves.

use core::marker::PhantomData;

use crate::backend::{Cell, ClmulLanes};
use crate::points::LimbForm;
use crate::reduce::Reducer;

/// The product of two L-limb polynomials: 2 L words in pairs, lowest first.
///
/// Vectors of one cell hold the limb of `a` in the low and the limb of `b` in the high word, so that both operands are
/// evaluated at once and each point product takes its operands from one vector.
#[inline(always)]
pub(crate) fn product<F: LimbForm<L>, B: ClmulLanes, const L: usize>(
    backend: B,
    a: &[u64; L],
    b: &[u64; L],
) -> [[u64; 2]; L] {
    let lanes = backend.narrow();
    let mut limbs = [lanes.zero(); L];
    for (vector, (&a, &b)) in limbs.iter_mut().zip(a.iter().zip(b)) {
        *vector = lanes.broadcast(&Cell([a, b]));
    }
    let operands = F::sums(lanes, &limbs);
    let mut products = operands;
    for vector in products.as_mut() {
        *vector = lanes.clmul_halves(*vector);
    }
    let mut words = [[0; 2]; L];
    for (pair, vector) in words.iter_mut().zip(F::product_cells(lanes, &products)) {
        let mut cell = [Cell::ZERO];
        lanes.store(vector, &mut cell);
        *pair = cell[0].0;
    }
    words
}

/// The square of an L-limb polynomial.
#[inline(always)]
pub(crate) fn square<B: ClmulLanes, const L: usize>(backend: B, a: &[u64; L]) -> [[u64; 2]; L] {
    let mut words = [[0; 2]; L];
    for (pair, &limb) in words.iter_mut().zip(a) {
        *pair = backend.clsquare(limb);
    }
    words
}

/// A field of L limbs under a back end.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a, B, F, const L: usize> {
    backend: B,
    reducer: &'a Reducer,
    form: PhantomData<F>,
}

impl<'a, B: ClmulLanes, F: LimbForm<L>, const L: usize> Field<'a, B, F, L> {
    #[inline(always)]
    pub(crate) fn new(backend: B, reducer: &'a Reducer) -> Self {
        Self { backend, reducer, form: PhantomData }
    }

    #[inline(always)]
    fn mul(&self, a: &[u64; L], b: &[u64; L]) -> [u64; L] {
        self.reducer.reduce(&product::<F, B, L>(self.backend, a, b))
    }

    #[inline(always)]
    fn square(&self, a: &[u64; L]) -> [u64; L] {
        self.reducer.reduce(&square(self.backend, a))
    }

    /// The 2^count-th power.
    #[inline(always)]
    pub(crate) fn square_n(&self, a: &[u64; L], count: usize) -> [u64; L] {
        let mut power = *a;
        for _ in 0..count {
            power = self.square(&power);
        }
        power
    }

    /// The inverse; 0 gives 0.
    ///
    /// Itoh and Tsujii ("A fast algorithm for computing multiplicative inverses in GF(2^m) using normal bases", Information
    /// and Computation 78, 1988): with b_k = a^(2^k - 1), b_(j + k) = b_j^(2^k) b_k, and the inverse is b_(N-1)^2. N - 1
    /// squarings and about log2(N) + weight(N - 1) products.
    #[inline(always)]
    pub(crate) fn invert(&self, a: &[u64; L]) -> [u64; L] {
        let target = self.reducer.degree() - 1;
        let mut power = *a;
        let mut reached = 1;
        // the steps of the addition chain, one product each: doubling, and adding one where the bit of N - 1 is set
        let mut position = target.ilog2();
        let mut doubled = false;
        while position > 0 {
            let (steps, factor) = if doubled { (1, *a) } else { (reached, power) };
            power = self.mul(&self.square_n(&power, steps), &factor);
            reached += steps;
            doubled = !doubled && (target >> (position - 1)) & 1 == 1;
            if !doubled {
                position -= 1;
            }
        }
        self.square(&power)
    }

    /// The half-trace for odd N.
    #[inline(always)]
    pub(crate) fn half_trace(&self, a: &[u64; L]) -> [u64; L] {
        let mut sum = *a;
        for _ in 0..(self.reducer.degree() - 1) / 2 {
            sum = add(&self.square_n(&sum, 2), a);
        }
        sum
    }

    /// z with z^2 + z = c + Tr(c) / t for even N, by an element `trace_one` of trace 1: the sum over i < j of t^(2^j) c^(2^i).
    #[inline(always)]
    pub(crate) fn solve_even(&self, c: &[u64; L], trace_one: &[u64; L]) -> [u64; L] {
        let mut partial = *c;
        let mut solution = [0; L];
        for _ in 1..self.reducer.degree() {
            let squared = self.square(&partial);
            let mut wide = product::<F, B, L>(self.backend, &squared, trace_one);
            for (pair, square) in wide.iter_mut().zip(square(self.backend, &solution)) {
                pair[0] ^= square[0];
                pair[1] ^= square[1];
            }
            solution = self.reducer.reduce(&wide);
            partial = add(&squared, c);
        }
        solution
    }
}

#[inline(always)]
fn add<const L: usize>(a: &[u64; L], b: &[u64; L]) -> [u64; L] {
    let mut sum = *a;
    for (limb, addend) in sum.iter_mut().zip(b) {
        *limb ^= addend;
    }
    sum
}

/// Single operations under the best back end of this CPU that the process allows.
pub(crate) mod single {
    use super::Field;
    use crate::backend::dispatch;
    use crate::points::LimbForm;
    use crate::reduce::Reducer;

    #[inline(never)]
    pub(crate) fn product<F: LimbForm<L>, const L: usize>(a: &[u64; L], b: &[u64; L]) -> [[u64; 2]; L] {
        dispatch!(backend => super::product::<F, _, L>(backend, a, b))
    }

    #[inline(never)]
    pub(crate) fn square<const L: usize>(a: &[u64; L]) -> [[u64; 2]; L] {
        dispatch!(backend => super::square(backend, a))
    }

    #[inline(never)]
    pub(crate) fn square_n<F: LimbForm<L>, const L: usize>(
        reducer: &Reducer,
        a: &[u64; L],
        count: usize,
    ) -> [u64; L] {
        dispatch!(backend => Field::<_, F, L>::new(backend, reducer).square_n(a, count))
    }

    #[inline(never)]
    pub(crate) fn invert<F: LimbForm<L>, const L: usize>(reducer: &Reducer, a: &[u64; L]) -> [u64; L] {
        dispatch!(backend => Field::<_, F, L>::new(backend, reducer).invert(a))
    }

    #[inline(never)]
    pub(crate) fn half_trace<F: LimbForm<L>, const L: usize>(reducer: &Reducer, a: &[u64; L]) -> [u64; L] {
        dispatch!(backend => Field::<_, F, L>::new(backend, reducer).half_trace(a))
    }

    #[inline(never)]
    pub(crate) fn solve_even<F: LimbForm<L>, const L: usize>(
        reducer: &Reducer,
        c: &[u64; L],
        trace_one: &[u64; L],
    ) -> [u64; L] {
        dispatch!(backend => Field::<_, F, L>::new(backend, reducer).solve_even(c, trace_one))
    }
}
