//! Trace, half-trace, and the equation z^2 + z = c.

use subtle::{Choice, CtOption};

use super::Gf2n;
use crate::backend::ClmulLanes;
use crate::modulus::Modulus;
use crate::words::{Field, single};

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

    /// The half-trace H(c), the sum of c^(4^i) for i = 0..=(N-1)/2: for odd N, H(c)^2 + H(c) = c + Tr(c).
    ///
    /// A field of even degree has none: the call does not compile.
    #[must_use]
    pub fn half_trace(self) -> Self {
        const { assert!(N % 2 == 1, "the half-trace exists for odd degrees only") };
        Self::from_reduced(single::half_trace::<M::Form, L>(&Self::REDUCER, &self.limbs))
    }

    /// A basis element of trace 1; for odd N the element 1.
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
        let field = Field::<B, M::Form, L>::new(backend, &Self::REDUCER);
        self.solution(if N % 2 == 1 {
            field.half_trace(&self.limbs)
        } else {
            field.solve_even(&self.limbs, &Self::TRACE_ONE.limbs)
        })
    }

    /// A solution z of z^2 + z = self, if there is one (exactly if the trace is 0); the other is z + 1.
    ///
    /// Constant time. N - 1 squarings for odd N; for even N twice as many and N - 1 products (IEEE P1363-2000, A.4.7, with an
    /// element of trace 1 that is fixed for the field).
    #[must_use]
    pub fn solve_quadratic(self) -> CtOption<Self> {
        let reducer = &Self::REDUCER;
        self.solution(if N % 2 == 1 {
            single::half_trace::<M::Form, L>(reducer, &self.limbs)
        } else {
            single::solve_even::<M::Form, L>(reducer, &self.limbs, &Self::TRACE_ONE.limbs)
        })
    }

    #[inline]
    fn solution(&self, limbs: [u64; L]) -> CtOption<Self> {
        CtOption::new(Self::from_reduced(limbs), Choice::from((self.trace() ^ 1) as u8))
    }
}
