//! Trace, half-trace, and the equation z^2 + z = c.

use subtle::{Choice, CtOption};

use super::Gf2n;
use crate::backend::ClmulLanes;
use crate::modulus::Modulus;

impl<const N: usize, const L: usize, M: Modulus<N, L>> Gf2n<N, L, M> {
    /// The vector t with t_i = Tr(x^i): the trace of e is the parity of e AND t.
    pub const TRACE_MASK: [u64; L] = M::INFO.trace_mask();

    /// The trace, 0 or 1: the sum of the conjugates e^(2^i), i = 0..N.
    #[inline]
    #[must_use]
    pub fn trace(&self) -> u64 {
        let mut folded = 0;
        for (limb, mask) in self.limbs.iter().zip(Self::TRACE_MASK) {
            folded ^= limb & mask;
        }
        u64::from(folded.count_ones() & 1)
    }

    /// The half-trace, inside a kernel that runs under `backend`.
    ///
    /// # Panics
    /// At compile time, if N is even.
    #[inline(always)]
    #[must_use]
    pub fn half_trace_with<B: ClmulLanes>(self, backend: B) -> Self {
        const { assert!(N % 2 == 1, "the half-trace exists for odd degrees only") };
        self.half_trace_sum(backend)
    }

    /// The half-trace H(c), the sum of c^(4^i) for i = 0..=(N-1)/2: for odd N, H(c)^2 + H(c) = c + Tr(c).
    ///
    /// A field of even degree has none: the call does not compile.
    #[must_use]
    pub fn half_trace(self) -> Self {
        const { assert!(N % 2 == 1, "the half-trace exists for odd degrees only") };
        crate::backend::dispatch!(backend => self.half_trace_sum(backend))
    }

    #[inline(always)]
    fn half_trace_sum<B: ClmulLanes>(self, backend: B) -> Self {
        let mut sum = self;
        for _ in 0..(N - 1) / 2 {
            sum = sum.square_with(backend).square_with(backend) + self;
        }
        sum
    }

    /// A basis element of trace 1, and for odd N the element 1.
    const TRACE_ONE: Self = {
        let mut index = 0;
        while index < N - 1 && (Self::TRACE_MASK[index / 64] >> (index % 64)) & 1 == 0 {
            index += 1;
        }
        Self::power_of_x(index)
    };

    /// A solution z of z^2 + z = self, inside a kernel that runs under `backend`; see
    /// [`solve_quadratic`](Self::solve_quadratic).
    #[inline(always)]
    #[must_use]
    pub fn solve_quadratic_with<B: ClmulLanes>(self, backend: B) -> CtOption<Self> {
        let solution = if N % 2 == 1 {
            self.half_trace_sum(backend)
        } else {
            // With Tr(t) = 1: z = sum over i < j of t^(2^j) c^(2^i), by Horner's rule over the conjugates of c
            let mut partial = self;
            let mut solution = Self::ZERO;
            for _ in 1..N {
                let square = partial.square_with(backend);
                solution = (solution.square_wide_with(backend)
                    + square.mul_wide_with(backend, Self::TRACE_ONE))
                .reduce();
                partial = square + self;
            }
            solution
        };
        CtOption::new(solution, Choice::from((self.trace() ^ 1) as u8))
    }

    /// A solution z of z^2 + z = self, if there is one (exactly if the trace is 0); the other is z + 1.
    ///
    /// Constant time. N - 1 squarings for odd N; for even N another N squarings and N products (IEEE P1363-2000, A.4.7, with an
    /// element of trace 1 that is fixed for the field).
    #[must_use]
    pub fn solve_quadratic(self) -> CtOption<Self> {
        crate::backend::dispatch!(backend => self.solve_quadratic_with(backend))
    }
}
