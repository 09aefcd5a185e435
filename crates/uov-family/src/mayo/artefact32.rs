//! The matrices E on machines of 32-bit words, pair after pair as they come: from a key, or squeezed from its seed without ever
//! being in memory together.
//!
//! E is public. In signing its elements choose among the multiples of secret vectors: a pair's constant, and the linear forms of
//! both its vectors, are 2 o + 1 scalars a row and so one [`Lookup`] of two words. In verifying the pairs' values are public
//! too, and columns of E go to bins, for all pairs together.

use alloc::vec;
use alloc::vec::Vec;
use gf2n::secret::SecretBytes;

use mq_eval::packed::words32::{Bins, Lookup, SecretWords, load, store, transpose, words};
use mq_eval::packed::{Gf16, PackedField};

use super::artefact::{Parameters, SEED};
use crate::sponge::Sponge;
use crate::trapdoor::Substituted;

/// Where the matrices E come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Matrices<'a> {
    /// All of them, in the order of the pairs.
    Stored(&'a [u8]),
    /// Their seed.
    Seed(&'a [u8]),
}

impl<'a> Matrices<'a> {
    /// Those of a key.
    pub(super) fn of_key<P: Parameters>(key: &'a [u8]) -> Option<Self> {
        const { assert!(P::COMPACT_E || P::M.is_multiple_of(2), "stored columns have no padding") };
        let e = key.get(..P::E)?;
        Some(if P::COMPACT_E { Self::Seed(&e[..SEED]) } else { Self::Stored(e) })
    }

    fn stream<P: Parameters>(self) -> Stream<'a> {
        match self {
            Self::Stored(bytes) => Stream::Stored(bytes.chunks_exact(P::M * P::CELL)),
            Self::Seed(seed) => Stream::Squeezed(Sponge::new(&[seed]), vec![0; P::M * P::CELL]),
        }
    }
}

/// One matrix after the other.
enum Stream<'a> {
    Stored(core::slice::ChunksExact<'a, u8>),
    Squeezed(Sponge, Vec<u8>),
}

impl Stream<'_> {
    /// The next matrix, column by column; the padding of the columns is arbitrary.
    fn next(&mut self) -> &[u8] {
        match self {
            Self::Stored(matrices) => matrices.next().unwrap_or(&[]),
            Self::Squeezed(sponge, buffer) => {
                sponge.read(buffer);
                buffer
            }
        }
    }
}

/// All k o columns of the system, cell by cell, from the forms of vinegar vectors; adds the constants to `right`.
pub(super) fn linear_system<P: Parameters>(
    matrices: Matrices<'_>,
    left: &Substituted,
    right: &mut [u8],
) -> SecretBytes {
    const { assert!(P::O < 8, "a vector's linear forms and a constant fit in a word") };
    let size = words(P::M);
    // for block i and equation e the elements of its columns, behind one for the constants
    let mut rows = SecretWords::zeros(P::K * P::M);
    // the same of the forms before the matrices are applied
    let mut forms = SecretWords::zeros(P::K * P::M);
    let mut cells = SecretWords::zeros(8 * size);
    for (forms, linear) in forms.chunks_exact_mut(P::M).zip(left.linear.chunks_exact(P::O * P::CELL)) {
        for (words, cell) in cells[size..].chunks_exact_mut(size).zip(linear.chunks_exact(P::CELL)) {
            load(cell, words);
        }
        for (word, forms) in forms.chunks_mut(8).enumerate() {
            let square = transpose(core::array::from_fn(|cell| cells[cell * size + word]));
            forms.copy_from_slice(&square[..forms.len()]);
        }
    }
    let mut stream = matrices.stream::<P>();
    let mut lookup = Lookup::zeros(P::M, 16);
    for i in 0..P::K {
        forms[i * P::M..][..P::M].iter().enumerate().for_each(|(term, form)| lookup.set(term, 1, *form));
        for j in i..P::K {
            let constant = &left.constant[(j * P::K + i) * P::CELL..][..P::CELL];
            for (term, form) in forms[j * P::M..][..P::M].iter().enumerate() {
                lookup.set(term, 0, form | u32::from(Gf16::get(constant, term)));
            }
            lookup.packed_sums(0..P::M, stream.next(), P::CELL, P::M, |equation, [of_j, of_i]| {
                rows[i * P::M + equation] ^= of_j;
                if i != j {
                    rows[j * P::M + equation] ^= of_i;
                }
            });
        }
    }
    let mut system = SecretBytes::zeros(P::K * P::O * P::CELL);
    let mut packed = SecretBytes::zeros(P::CELL);
    for (rows, system) in rows.chunks_exact(P::M).zip(system.chunks_exact_mut(P::O * P::CELL)) {
        for (word, rows) in rows.chunks(8).enumerate() {
            let square = transpose(core::array::from_fn(|row| rows.get(row).copied().unwrap_or(0)));
            for (cell, column) in cells.chunks_exact_mut(size).zip(square) {
                cell[word] = column;
            }
        }
        store(&cells[..size], &mut packed);
        right.iter_mut().zip(packed.iter()).for_each(|(to, from)| *to ^= from);
        for (cell, column) in cells[size..].chunks_exact(size).zip(system.chunks_exact_mut(P::CELL)) {
            store(cell, column);
        }
    }
    system
}

/// The sum over all pairs of E_ij u_ij, with `values` as in [`crate::trapdoor::public_values`]. Variable time: all is public.
pub(super) fn whip_public<P: Parameters>(matrices: Matrices<'_>, values: &[u8], sum: &mut [u8]) {
    let mut bins = Bins::new(words(P::M));
    let mut stream = matrices.stream::<P>();
    for i in 0..P::K {
        for j in i..P::K {
            let value = &values[(j * P::K + i) * P::CELL..][..P::CELL];
            for (term, column) in stream.next().chunks_exact(P::CELL).enumerate() {
                bins.add_bytes(Gf16::get(value, term), column);
            }
        }
    }
    let mut total = vec![0; words(P::M)];
    bins.finish(&mut total);
    store(&total, sum);
    if P::M % 2 == 1 {
        sum[P::CELL - 1] &= 15;
    }
}
