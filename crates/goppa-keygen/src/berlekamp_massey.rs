//! Shortest linear recurrence of a sequence over GF(2^M): Berlekamp-Massey without inversions, constant time.
//!
//! The discrepancy is not computed as a scalar product. Beside the connection polynomial C, the polynomial D = C S is kept (S the
//! sequence), and beside the auxiliary polynomial B, E = B S: one step updates (C, D) and (B, E) with the same two scalars, and the next discrepancy
//! is the lowest coefficient of D that is left (Sarwate and Shanbhag 2001, "reformulated inversionless"). So all that a step
//! waits for is its first vector.
//!
//! Before step n, cell i < 2t - n of the list holds coefficient n + i of D, and cell 2t - n + i - 1 coefficient i >= 1 of C; the
//! constant term of C is kept apart, so that 2t cells are enough for every sequence. A second list holds E / x and B / x in the same way. Cell i lies in
//! vector i mod V, element i / V: moving all cells down by one renames vectors, and only one vector shifts its elements.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::Planes;
use gf2n::small::gf2m::scalar::ScalarVectors;
use zeroize::Zeroize;

/// The result of [`berlekamp_massey`].
pub struct Recurrence {
    /// Length L of the recurrence; public where the caller makes it public.
    pub length: usize,
    /// Coefficients 0..t of the monic polynomial y^t C(1/y) / C(0), where C is the connection polynomial cut to degree t.
    pub polynomial: Vec<u16>,
}

impl Drop for Recurrence {
    fn drop(&mut self) {
        self.polynomial.zeroize();
        self.length.zeroize();
    }
}

/// Ones where `condition` is 1, zeros where it is 0.
#[inline(always)]
fn mask(condition: u16) -> u16 {
    0u16.wrapping_sub(core::hint::black_box(condition))
}

/// 1 if `value` is not zero.
#[inline(always)]
fn is_nonzero(value: u16) -> u16 {
    ((u32::from(value) + 0xFFFF) >> 16) as u16
}

/// The shortest recurrence of `sequence`, of which 2 t terms are given; constant time in the sequence.
#[must_use]
pub fn berlekamp_massey<B: LaneBackend, const M: usize>(backend: B, sequence: &[u16]) -> Recurrence {
    let scalars = backend.scalars();
    scalars.run(
        #[inline(always)]
        || run::<B::Scalars, M>(scalars, sequence),
    )
}

/// What one step does to every vector.
struct Update<S: ScalarVectors, const M: usize> {
    scalars: S,
    previous_factor: S::Factor<M>,
    factor: S::Factor<M>,
    /// All ones if the length changes.
    swap: u16,
}

impl<S: ScalarVectors, const M: usize> Update<S, M> {
    /// The new vectors of (connection, auxiliary); `next` holds the cells of the connection, moved down by one.
    #[inline(always)]
    fn apply(&self, auxiliary: S::Vector<M>, next: S::Vector<M>) -> (S::Vector<M>, S::Vector<M>) {
        (
            self.scalars.combine::<M>(next, &self.previous_factor, auxiliary, &self.factor),
            self.scalars.select::<M>(self.swap, next, auxiliary),
        )
    }
}

#[inline(always)]
fn run<S: ScalarVectors, const M: usize>(scalars: S, sequence: &[u16]) -> Recurrence {
    let (terms, degree) = (sequence.len(), sequence.len() / 2);
    let count = terms.div_ceil(S::ELEMENTS).max(1);
    let mut cells = vec![0u16; count * S::ELEMENTS];
    for (index, term) in sequence.iter().enumerate() {
        cells[index % count * S::ELEMENTS + index / count] = *term;
    }
    let mut auxiliary: Vec<S::Vector<M>> =
        cells.chunks(S::ELEMENTS).map(|elements| scalars.gather::<M>(elements)).collect();
    // and one vector for the cells of the first, moved down; allocated at once, as a vector that grows leaves a copy behind
    let mut connection = vec![scalars.gather::<M>(&[]); count + 1];
    connection[..count].copy_from_slice(&auxiliary);
    let (connection, auxiliary) = (&mut connection[..count + 1], &mut auxiliary[..count]);

    // constant terms of C and of B / x; the last discrepancy of a change of length
    let (mut constant, mut auxiliary_constant, mut previous) = (1u16, 1u16, 1u16);
    let mut discrepancy = sequence.first().copied().unwrap_or(0);
    let mut length = 0usize;
    let mut previous_factor = scalars.factor::<M>(previous);
    let mut factor = scalars.factor::<M>(discrepancy);

    // the cell of coefficient 1 of B before step n is terms - 1 - n: vector and element
    let (mut target, mut place) = ((terms.max(1) - 1) % count, (terms.max(1) - 1) / count);

    for n in 0..terms {
        // whether 2 L <= n, public only as n is; the length itself may be secret
        let short = 1 ^ ((n.wrapping_sub(2 * length)) >> (usize::BITS - 1)) as u16;
        let swap = mask(is_nonzero(discrepancy) & short);
        // coefficient 0 of B / x becomes coefficient 1 of B, above the last term of E
        auxiliary[target] = scalars.insert::<M>(auxiliary[target], place, auxiliary_constant);
        (target, place) = if target == 0 { (count - 1, place.wrapping_sub(1)) } else { (target - 1, place) };

        let update = Update { scalars, previous_factor, factor, swap };
        connection[count] = scalars.lower::<M>(connection[0]);
        (connection[0], auxiliary[0]) = update.apply(auxiliary[0], connection[1]);
        // what the next step needs, in the shadow of the other vectors
        let next_discrepancy = scalars.first::<M>(connection[0]);
        let middle = count.div_ceil(2);
        let multiples = scalars.multiples::<M>(next_discrepancy);
        for vector in 1..middle {
            (connection[vector], auxiliary[vector]) = update.apply(auxiliary[vector], connection[vector + 1]);
        }
        let next_factor = scalars.factor_of::<M>(multiples);
        for vector in middle..count {
            (connection[vector], auxiliary[vector]) = update.apply(auxiliary[vector], connection[vector + 1]);
        }

        auxiliary_constant = constant & swap;
        constant = scalars.product::<M>(previous, constant);
        previous ^= (previous ^ discrepancy) & swap;
        previous_factor = scalars.select_factor::<M>(swap, &update.factor, &update.previous_factor);
        let new_length = n + 1 - length.min(n + 1);
        length ^= (length ^ new_length) & (0usize.wrapping_sub(usize::from(swap & 1)));
        (discrepancy, factor) = (next_discrepancy, next_factor);
    }

    // constant^(2^M - 2)
    let (mut power, mut inverse) = (constant, 1);
    for _ in 1..M {
        power = scalars.product::<M>(power, power);
        inverse = scalars.product::<M>(inverse, power);
    }
    for (vector, elements) in connection.iter().zip(cells.chunks_mut(S::ELEMENTS)) {
        scalars.scatter::<M>(*vector, elements);
    }
    let mut polynomial = vec![0u16; degree];
    for (index, coefficient) in polynomial.iter_mut().rev().enumerate() {
        *coefficient = scalars.product::<M>(inverse, cells[index % count * S::ELEMENTS + index / count]);
    }
    cells.fill(0);
    core::hint::black_box(&mut cells);
    let zero = scalars.gather::<M>(&[]);
    connection.fill(zero);
    auxiliary.fill(zero);
    core::hint::black_box((connection, auxiliary));
    Recurrence { length, polynomial }
}

/// Overwrites bitsliced vectors with zeros.
#[inline(always)]
pub(crate) fn wipe<B: LaneBackend, const M: usize>(backend: B, list: &mut [Planes<B, M>]) {
    list.fill([backend.zero(); M]);
    core::hint::black_box(list);
}
