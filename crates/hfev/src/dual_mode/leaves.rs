//! The leaves: the values of all equations at a point, packed into words.

use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

use gf2x_roots::batch::{Batch, BatchField, BatchHorner, BatchTransform, Selection};

use super::DualParameters;
use super::hash::sha3_many;
use super::mac::mac_coefficient;
use super::points::Points;

/// How far a key generation is: blocks of points evaluated, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Blocks done.
    pub done: usize,
    /// Blocks in all.
    pub total: usize,
}

/// Which lane of a batch holds which equation: first the equations that come first in a word of a leaf, in order, then those that
/// come second, and so on; so that packing is the same for neighbouring words.
struct Lanes {
    /// Where the equations of each place in a word begin; one more than there are places.
    starts: Vec<usize>,
    per: usize,
    degree: u32,
}

impl Lanes {
    fn new(parameters: &DualParameters) -> Self {
        let (per, equations) = (parameters.elements_per_word(), parameters.shape.equations());
        let mut starts = vec![0];
        for place in 0..per {
            // equations place, place + per, ...
            let count = equations.saturating_sub(place).div_ceil(per);
            starts.push(starts[place] + count);
        }
        Self { starts, per, degree: parameters.mac_degree() }
    }

    fn lane(&self, equation: usize) -> usize {
        self.starts[equation % self.per] + equation / self.per
    }

    /// The words of a leaf, from the values of all lanes.
    fn pack(&self, planes: [&[u8]; 3], leaf: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = mq_eval::backend::Avx2::detect() {
            return token.run(
                #[inline(always)]
                || self.pack_words(planes, leaf),
            );
        }
        self.pack_words(planes, leaf);
    }

    #[inline(always)]
    fn pack_words(&self, [low, middle, high]: [&[u8]; 3], leaf: &mut [u8]) {
        let words = leaf.as_chunks_mut::<8>().0;
        for (place, range) in self.starts.windows(2).enumerate() {
            let (range, shift) = (range[0]..range[1], place as u32 * self.degree);
            let elements = low[range.clone()].iter().zip(&middle[range.clone()]).zip(&high[range]);
            for (word, ((&low, &middle), &high)) in words.iter_mut().zip(elements) {
                let element = u64::from(low) | u64::from(middle) << 8 | u64::from(high) << 16;
                let others = if place == 0 { 0 } else { u64::from_le_bytes(*word) };
                *word = (others | element << shift).to_le_bytes();
            }
        }
    }
}

/// Coefficients `range` of the MAC polynomials of all equations.
fn coefficients(
    parameters: &DualParameters,
    lanes: &Lanes,
    equations: &[u8],
    range: core::ops::Range<usize>,
) -> Batch {
    let mut batch = Batch::zero(parameters.shape.equations(), range.len());
    let order: Vec<usize> = (0..parameters.shape.equations()).map(|q| lanes.lane(q)).collect();
    for (entry, index) in range.enumerate() {
        let rows = equations.chunks_exact(8 * parameters.shape.monomial_words());
        for (&lane, equation) in order.iter().zip(rows) {
            batch.set(entry, lane, mac_coefficient(equation, index, lanes.degree));
        }
    }
    batch
}

/// The hashes of all leaves, in the order of the points: the long part of key generation. An additive FFT block by block; no more
/// than one block of values is held at a time.
pub(super) fn leaf_hashes(
    parameters: &DualParameters,
    field: BatchField,
    equations: &[u8],
    points: &Points,
    hashes: &mut [u8],
    progress: &mut dyn FnMut(Progress),
) {
    let lanes = Lanes::new(parameters);
    let transform = BatchTransform::new(field, parameters.mac_coefficients());
    let all = 0..parameters.mac_coefficients();
    let polynomials = transform.basis_form(coefficients(parameters, &lanes, equations, all));

    // the indices of the leaves in the order of their points
    let mut order: Vec<(u32, u32)> =
        (0..parameters.points()).map(|i| (points.get(parameters, i), i as u32)).collect();
    order.sort_unstable();
    let selection = Selection::new(field.degree(), order.iter().map(|&(point, _)| point));

    let mut queue = Queue::new(parameters);
    let total = transform.blocks();
    let mut rest = &order[..];
    let result: Result<(), Infallible> = transform.for_each_block(
        &polynomials,
        (!parameters.full_field()).then_some(&selection),
        |block, values| {
            let end = ((block + 1) << transform.block_log2()) as u64;
            let (here, others) = rest.split_at(rest.partition_point(|&(point, _)| u64::from(point) < end));
            rest = others;
            for same in here.chunk_by(|a, b| a.0 == b.0) {
                let entry = same[0].0 as usize & (values.len() - 1);
                lanes.pack(values.planes(entry), queue.next(same));
                queue.flush_if_full(hashes);
            }
            progress(Progress { done: block + 1, total });
            Ok(())
        },
    );
    match result {
        Ok(()) => {}
        Err(never) => match never {},
    }
    queue.flush(hashes);
}

/// Leaves that wait for their hash, so that many are hashed at a time.
struct Queue<'p> {
    parameters: &'p DualParameters,
    leaves: Vec<u8>,
    /// For every leaf the end of its indices.
    ends: Vec<usize>,
    indices: Vec<u32>,
    digests: Vec<u8>,
}

impl<'p> Queue<'p> {
    const SIZE: usize = 64;

    fn new(parameters: &'p DualParameters) -> Self {
        Self {
            parameters,
            leaves: vec![0; Self::SIZE * parameters.leaf_len()],
            ends: Vec::with_capacity(Self::SIZE),
            indices: Vec::new(),
            digests: vec![0; Self::SIZE * parameters.security.digest_len()],
        }
    }

    /// Room for a leaf, whose hash belongs to the given indices.
    fn next(&mut self, same: &[(u32, u32)]) -> &mut [u8] {
        let begin = self.ends.len() * self.parameters.leaf_len();
        self.indices.extend(same.iter().map(|&(_, index)| index));
        self.ends.push(self.indices.len());
        &mut self.leaves[begin..begin + self.parameters.leaf_len()]
    }

    fn flush_if_full(&mut self, hashes: &mut [u8]) {
        if self.ends.len() == Self::SIZE {
            self.flush(hashes);
        }
    }

    fn flush(&mut self, hashes: &mut [u8]) {
        let (count, digest_len) = (self.ends.len(), self.parameters.security.digest_len());
        let leaves = &self.leaves[..count * self.parameters.leaf_len()];
        let digests = &mut self.digests[..count * digest_len];
        sha3_many(self.parameters.security, leaves, self.parameters.leaf_len(), digests);
        let mut begin = 0;
        for (&end, digest) in self.ends.iter().zip(digests.chunks_exact(digest_len)) {
            for &index in &self.indices[begin..end] {
                hashes[index as usize * digest_len..][..digest_len].copy_from_slice(digest);
            }
            begin = end;
        }
        self.ends.clear();
        self.indices.clear();
    }
}

/// The leaves at a few points, one after another: Horner's rule.
pub(super) fn leaves_at(
    parameters: &DualParameters,
    field: BatchField,
    equations: &[u8],
    points: &[u32],
) -> Vec<u8> {
    const PIECE: usize = 64;
    let lanes = Lanes::new(parameters);
    let mut horner = BatchHorner::new(field, parameters.shape.equations(), points);
    let mut end = parameters.mac_coefficients();
    while end > 0 {
        let begin = end.saturating_sub(PIECE);
        horner.absorb(&coefficients(parameters, &lanes, equations, begin..end));
        end = begin;
    }
    let values = horner.values();
    let mut leaves = vec![0; points.len() * parameters.leaf_len()];
    for (entry, leaf) in leaves.chunks_exact_mut(parameters.leaf_len()).enumerate() {
        lanes.pack(values.planes(entry), leaf);
    }
    leaves
}
