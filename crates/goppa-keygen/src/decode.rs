//! Decoding: from a syndrome to the error of weight t, in constant time.
//!
//! Everything happens in *index order* (index x is the field element `reverse_bits(x)`): the syndrome, as a word (syndrome, 0, ..., 0) in
//! code order, goes through the inverse permutation network, is scaled by 1/g^2 and gives 2t power sums by a transposed
//! additive FFT; Berlekamp-Massey finds the locator, an additive FFT its roots. The error found is accepted if the recurrence has length
//! t, the error has weight t, all of it among the first n positions, and the same power sums.

use alloc::vec;

use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};
use zeroize::ZeroizeOnDrop;

use crate::berlekamp_massey::{berlekamp_massey, wipe};
use crate::encode::{bytes_to_words, words_to_bytes};
use crate::fft;
use crate::network::Network;
use crate::support::{evaluate_monic, evaluate_monic_into};
use crate::wiped::Wiped;

/// A secret key prepared for decoding. Independent of the back end. Wiped when dropped.
pub struct Decoder {
    m: usize,
    length: usize,
    degree: usize,
    network: Network,
    /// 1/g^2 in index order: for each [`GROUP`] words of positions the words of one plane after the other.
    scalings: Wiped<u64>,
}

impl ZeroizeOnDrop for Decoder {}

/// Words that lie together in `Decoder::scalings`: the longest vector.
const GROUP: usize = 8;

/// The result of [`Decoder::decode`].
pub struct Decoded {
    /// The error, n bits in code order, least significant first; meaningless unless `accepted`.
    pub error: Wiped<u8>,
    /// 0xFF if there is an error of weight t with this syndrome, else 0. Secret.
    pub accepted: u8,
}

impl Decoder {
    /// Prepares the key (Goppa polynomial as its t low coefficients, control bits of the support) for codes of length n. Constant
    /// time. M is the degree of the field.
    #[must_use]
    pub fn new<B: LaneBackend, const M: usize>(
        backend: B,
        polynomial: &[u16],
        control: &[u8],
        length: usize,
    ) -> Self {
        let mut values = evaluate_monic::<B, M>(backend, polynomial);
        planes::invert_all::<B, M>(backend, &mut values);
        let mut scalings = Wiped::<u64>::zeros(M * (B::WORDS * values.len()).next_multiple_of(GROUP));
        backend.run(
            #[inline(always)]
            || {
                let groups = scalings.chunks_exact_mut(M * GROUP).zip(values.chunks(GROUP / B::WORDS));
                for (group, values) in groups {
                    for (part, value) in values.iter().enumerate() {
                        let value = planes::square::<B, M>(backend, value);
                        for plane in 0..M {
                            backend.store(
                                value[plane],
                                &mut group[plane * GROUP + part * B::WORDS..][..B::WORDS],
                            );
                        }
                    }
                }
            },
        );
        wipe::<B, M>(backend, &mut values);
        Self { m: M, length, degree: polynomial.len(), network: Network::new(backend, M, control), scalings }
    }

    /// The error of weight t with the given syndrome (mt bits, least significant first). Constant time, whatever the syndrome.
    #[must_use]
    pub fn decode<B: LaneBackend, const M: usize>(&self, backend: B, syndrome: &[u8]) -> Decoded {
        debug_assert_eq!(self.m, M);
        let degree = self.degree;
        let mut bits = Wiped::<u64>::zeros(fft::vector_count::<B, M>() * B::WORDS);
        bytes_to_words(syndrome, &mut bits);
        self.network.permute(backend, &mut bits, true);
        let mut sums = Wiped::<u16>::zeros(2 * degree);
        let mut values = vec![[backend.zero(); M]; fft::vector_count::<B, M>()];
        self.power_sums::<B, M>(backend, &bits, &mut values, &mut sums);

        let recurrence = berlekamp_massey::<B, M>(backend, &sums);
        evaluate_monic_into::<B, M>(backend, &recurrence.polynomial, &mut values);
        backend.run(
            #[inline(always)]
            || {
                for (words, value) in bits.chunks_exact_mut(B::WORDS).zip(&values) {
                    let mut any = value[0];
                    for word in &value[1..] {
                        any = any | *word;
                    }
                    backend.store(!any, words);
                }
            },
        );
        clear_unused_lanes(M, &mut bits);
        // Both sequences of sums have the recurrence of length t, if there are t roots: equal first halves are equal wholes.
        let mut sums_of_error = Wiped::<u16>::zeros(degree);
        self.power_sums::<B, M>(backend, &bits, &mut values, &mut sums_of_error);
        wipe::<B, M>(backend, &mut values);
        let mut difference = 0u16;
        for (a, b) in sums.iter().zip(sums_of_error.iter()) {
            difference |= a ^ b;
        }
        let mut wrong = (weight(backend, &bits) ^ degree) as u64 | (recurrence.length ^ degree) as u64;
        self.network.permute(backend, &mut bits, false);
        let mut error = Wiped::<u8>::zeros(self.length.div_ceil(8));
        // positions beyond the code do not count
        words_to_bytes(&bits, &mut error);
        if !self.length.is_multiple_of(8)
            && let Some(last) = error.last_mut()
        {
            *last &= (1 << (self.length % 8)) - 1;
        }
        bytes_to_words(&error, &mut bits);
        let used = error.len().div_ceil(8);
        wrong |= (weight(backend, &bits[..used]) ^ degree) as u64 | u64::from(difference);
        // wrong < 2^63, so the top bit of wrong - 1 tells whether it is zero
        let accepted = (core::hint::black_box(wrong.wrapping_sub(1)) >> 63) as u8;
        Decoded { error, accepted: 0u8.wrapping_sub(accepted) }
    }

    /// Power sums of a word in index order, as many as `sums` holds.
    fn power_sums<B: LaneBackend, const M: usize>(
        &self,
        backend: B,
        bits: &[u64],
        values: &mut [Planes<B, M>],
        sums: &mut [u16],
    ) {
        backend.run(
            #[inline(always)]
            || {
                let groups = self.scalings.chunks_exact(M * GROUP).zip(bits.chunks(GROUP));
                for (values, (group, bits)) in values.chunks_mut(GROUP / B::WORDS).zip(groups) {
                    for (part, (value, words)) in
                        values.iter_mut().zip(bits.chunks_exact(B::WORDS)).enumerate()
                    {
                        let bit = backend.load(words);
                        for (plane, word) in value.iter_mut().enumerate() {
                            let scaling = &group[plane * GROUP + part * B::WORDS..][..B::WORDS];
                            *word = backend.load(scaling) & bit;
                        }
                    }
                }
            },
        );
        fft::power_sums_of::<B, M>(backend, values, sums);
    }
}

/// Clears the lanes beyond 2^m.
fn clear_unused_lanes(m: usize, bits: &mut [u64]) {
    let words = (1usize << m).div_ceil(64);
    bits[words..].fill(0);
    if m < 6 {
        bits[0] &= (1 << (1 << m)) - 1;
    }
}

/// The number of ones.
fn weight<B: LaneBackend>(backend: B, bits: &[u64]) -> usize {
    backend.run(
        #[inline(always)]
        || {
            let mut ones = 0;
            for word in bits {
                ones += word.count_ones() as usize;
            }
            ones
        },
    )
}
