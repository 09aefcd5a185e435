//! The expansion of a public seed into P1 and P2.

use alloc::boxed::Box;

use super::aligned::AlignedBytes;
use super::backend::{Backend, Scratch};
use super::cipher::Cipher;
use super::kernels::sample;
use super::parameters::{Expansion, Parameters, Round};
use super::ring::QuotientRing;
use super::sponge::{SHAKE128_RATE, SHAKE256_RATE, shake_indexed};

/// Bytes that every buffer of elements has behind its last element, so that kernels may read (not use) past the end.
pub(crate) const SLACK: usize = 320;

/// The indexed generator of one seed.
enum Generator<'seed> {
    Aes(Box<Cipher>),
    Shake { seed: &'seed [u8], rate: usize },
}

impl<'seed> Generator<'seed> {
    fn new(parameters: &Parameters, seed: &'seed [u8]) -> Self {
        match parameters.expansion {
            Expansion::Aes => Generator::Aes(Box::new(Cipher::new(seed))),
            Expansion::Shake => {
                let short = parameters.category == 1 || parameters.round == Round::Three;
                Generator::Shake { seed, rate: if short { SHAKE128_RATE } else { SHAKE256_RATE } }
            }
        }
    }

    /// Writes the elements of the stream of `indices[e]` to the front of `out[e * stride..]`, for every `e`, followed by bytes of no
    /// meaning: `count` elements, for which `drawn` bytes are drawn. `stride` is [`stride`] of `drawn`. Whether no stream ran out of
    /// spare bytes.
    #[inline(always)]
    fn elements<B: Backend, R: QuotientRing>(
        &self,
        backend: B,
        indices: &[u16],
        (count, drawn): (usize, usize),
        (out, stride): (&mut [u8], usize),
        scratch: &mut Scratch,
    ) -> bool {
        match self {
            Generator::Aes(cipher) => {
                #[cfg(target_arch = "x86_64")]
                if let Cipher::Vaes(keys) = &**cipher {
                    let streams = indices.iter().zip(out.chunks_exact_mut(stride));
                    return streams.fold(true, |sufficed, (&index, out)| {
                        keys.elements(u64::from(index), R::MODULUS as u8, (count, drawn), out, scratch)
                            & sufficed
                    });
                }
                for (&index, out) in indices.iter().zip(out.chunks_exact_mut(stride)) {
                    cipher.key_stream(u64::from(index), 0, &mut out[..drawn.next_multiple_of(16)]);
                }
            }
            Generator::Shake { seed, rate } => {
                shake_indexed(*rate, seed, indices, (out, stride), drawn);
            }
        }
        let streams = out.chunks_exact_mut(stride).take(indices.len());
        streams.fold(true, |sufficed, stream| {
            sample::<B, R>(backend, stream, (count, drawn), scratch) & sufficed
        })
    }
}

/// Bytes that nearly always suffice for `count` elements: the expected number of spare bytes is `count / q`, its deviation the root of
/// that. A stream that needs more is drawn again.
fn usually_drawn<R: QuotientRing>(count: usize, drawn: usize) -> usize {
    let spare = count / R::MODULUS as usize;
    drawn.min(count + spare + 5 * spare.isqrt() + 4)
}

/// The public matrices P1 and P2 of a few consecutive equations, one byte to an element.
#[derive(Clone)]
pub(crate) struct Group {
    /// P1 of equation `first + e` at `e * p1_stride`, upper triangle row by row.
    pub(crate) p1: AlignedBytes,
    /// Distance of the P1 of two equations.
    pub(crate) p1_stride: usize,
    /// P2 of equation `first + e` at `e * p2_stride`, row by row.
    pub(crate) p2: AlignedBytes,
    /// Distance of the P2 of two equations.
    pub(crate) p2_stride: usize,
}

/// Room for one stream: the drawn bytes, the rest of the last block, and slack. An odd multiple of 64, so that the streams of a
/// group do not fall into the same cache sets.
const fn stride(drawn: usize) -> usize {
    (drawn + SLACK).next_multiple_of(128) + 64
}

impl Group {
    /// Room for `capacity` equations, all zero.
    pub(crate) fn new(parameters: &Parameters, capacity: usize) -> Self {
        let (p1_stride, p2_stride) = (stride(parameters.drawn[0]), stride(parameters.drawn[1]));
        Self {
            p1: AlignedBytes::new(capacity * p1_stride),
            p1_stride,
            p2: AlignedBytes::new(capacity * p2_stride),
            p2_stride,
        }
    }
}

/// The expansion of a public seed into P1 and P2.
pub(crate) struct PublicExpansion<'seed> {
    parameters: Parameters,
    generator: Generator<'seed>,
    scratch: Scratch,
}

impl<'seed> PublicExpansion<'seed> {
    pub(crate) fn new(parameters: &Parameters, seed: &'seed [u8]) -> Self {
        let [drawn_1, drawn_2, ..] = parameters.drawn;
        let spare = (drawn_1 - parameters.p1_len()).max(drawn_2 - parameters.p2_len());
        Self {
            parameters: *parameters,
            generator: Generator::new(parameters, seed),
            scratch: Scratch::new(parameters.p1_len().max(parameters.p2_len()), spare),
        }
    }

    /// Expands the equations `first..first + count` into the first places of `group`; the other places keep their contents.
    #[inline(always)]
    pub(crate) fn expand<B: Backend, R: QuotientRing>(
        &mut self,
        backend: B,
        first: usize,
        count: usize,
        group: &mut Group,
    ) {
        let (p1, p2) = ((&mut group.p1[..], group.p1_stride), (&mut group.p2[..], group.p2_stride));
        self.expand_matrix::<B, R>(backend, Matrix::P1, first, count, p1);
        self.expand_matrix::<B, R>(backend, Matrix::P2, first, count, p2);
    }

    /// Expands one matrix of the equations `first..first + count`: equation `first + e` to `e * stride`. `stride` is [`Self::stride`].
    #[inline(always)]
    pub(crate) fn expand_matrix<B: Backend, R: QuotientRing>(
        &mut self,
        backend: B,
        matrix: Matrix,
        first: usize,
        count: usize,
        (out, stride): (&mut [u8], usize),
    ) {
        let p = &self.parameters;
        let len = [p.p1_len(), p.p2_len()][matrix as usize];
        let drawn = p.drawn[matrix as usize];
        let indices: [u16; 16] = core::array::from_fn(|e| (2 * (first + e) + matrix as usize) as u16);
        let usual = usually_drawn::<R>(len, drawn);
        let mut extent = (len, usual);
        while !self.generator.elements::<B, R>(
            backend,
            &indices[..count],
            extent,
            (out, stride),
            &mut self.scratch,
        ) && extent.1 < drawn
        {
            extent.1 = drawn;
        }
    }

    /// The distance of two equations' matrices.
    pub(crate) fn stride(&self, matrix: Matrix) -> usize {
        stride(self.parameters.drawn[matrix as usize])
    }
}

/// The two blocks of a public matrix that come from the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matrix {
    /// The triangle.
    P1 = 0,
    /// The rectangle.
    P2 = 1,
}

#[cfg(test)]
mod tests {
    use super::super::ring::{Q7L10, Q127L3};
    use super::*;

    /// Streams that need more spare bytes than usual are drawn to their end.
    #[test]
    fn usual_lengths() {
        for (len, drawn) in [(4134, 4267), (2808, 2916), (513, 513)] {
            let usual = usually_drawn::<Q127L3>(len, drawn);
            assert!(usual >= len + len / 127 && usual <= drawn || usual == drawn);
        }
        assert!(usually_drawn::<Q7L10>(27750, 32629) < 32629);
    }
}
