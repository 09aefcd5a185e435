//! Decoding: from a syndrome to the error of weight t, in constant time.
//!
//! Everything happens in *index order* (index x is the field element `reverse_bits(x)`): the syndrome, as a word (syndrome, 0, ..., 0) in
//! code order, goes through the inverse permutation network, is scaled by 1/g^2 and gives 2t power sums by a transposed
//! additive FFT; Berlekamp-Massey finds the locator, an additive FFT its roots. The error found is accepted if it has
//! weight t, all of it among the first n positions, and the same 2t power sums.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::berlekamp_massey::{berlekamp_massey, wipe};
use crate::fft;
use crate::network::{control_words, permute_bits};
use crate::support::evaluate_monic;
use crate::wiped::Wiped;

/// A secret key prepared for decoding. Independent of the back end. Wiped when dropped.
pub struct Decoder {
    m: usize,
    length: usize,
    degree: usize,
    control: Wiped<u64>,
    /// 1/g^2 in index order, one 64-bit word for each 64 positions, plane after plane.
    scalings: Wiped<u64>,
}

impl ZeroizeOnDrop for Decoder {}

/// The result of [`Decoder::decode`].
pub struct Decoded {
    /// The error, n bits in code order, least significant first; meaningless unless `accepted`.
    pub error: Zeroizing<Vec<u8>>,
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
        let words = (1usize << M).div_ceil(64);
        let mut values = evaluate_monic::<B, M>(backend, polynomial);
        let mut scalings = Wiped::new(vec![0u64; M * words.max(B::WORDS * values.len())]);
        let plane_words = scalings.len() / M;
        for (vector, value) in values.iter_mut().enumerate() {
            *value = planes::invert::<B, M>(backend, value);
            backend.run(
                #[inline(always)]
                || {
                    *value = planes::square::<B, M>(backend, value);
                    for plane in 0..M {
                        let at = plane * plane_words + vector * B::WORDS;
                        backend.store(value[plane], &mut scalings[at..at + B::WORDS]);
                    }
                },
            );
        }
        wipe::<B, M>(backend, &mut values);
        Self {
            m: M,
            length,
            degree: polynomial.len(),
            control: Wiped::new(control_words(M, control)),
            scalings,
        }
    }

    /// The error of weight t with the given syndrome (mt bits, least significant first). Constant time, whatever the syndrome.
    #[must_use]
    pub fn decode<B: LaneBackend, const M: usize>(&self, backend: B, syndrome: &[u8]) -> Decoded {
        debug_assert_eq!(self.m, M);
        let vectors = fft::vector_count::<B, M>();
        let plane_words = self.scalings.len() / M;
        let mut received = Zeroizing::new(vec![0u64; vectors * B::WORDS]);
        for (word, chunk) in received.iter_mut().zip(syndrome.chunks(8)) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_le_bytes(bytes);
        }
        let mut bits: Vec<B::Word> = received.chunks(B::WORDS).map(|words| backend.load(words)).collect();
        permute_bits::<B>(backend, M, &self.control, &mut bits, true);

        let sums = self.power_sums::<B, M>(backend, &bits, plane_words);
        let locator = berlekamp_massey::<B, M>(backend, &sums).polynomial.clone();
        let locator = Zeroizing::new(locator);
        let mut values = evaluate_monic::<B, M>(backend, &locator);
        backend.run(
            #[inline(always)]
            || {
                for (bit, value) in bits.iter_mut().zip(&values) {
                    *bit = !value[1..].iter().fold(value[0], |any, word| any | *word);
                }
            },
        );
        wipe::<B, M>(backend, &mut values);
        clear_unused_lanes::<B, M>(backend, &mut bits);
        let weight = weight::<B>(backend, &bits, usize::MAX);
        let sums_of_error = self.power_sums::<B, M>(backend, &bits, plane_words);
        let mut difference = 0u16;
        for (a, b) in sums.iter().zip(sums_of_error.iter()) {
            difference |= a ^ b;
        }
        permute_bits::<B>(backend, M, &self.control, &mut bits, false);
        let weight_in_code = weight_and_bytes::<B>(backend, &bits, self.length);
        let wrong =
            (weight ^ self.degree) as u64 | (weight_in_code.0 ^ self.degree) as u64 | u64::from(difference);
        let accepted = (core::hint::black_box(wrong.wrapping_sub(1)) >> 63) as u8;
        // wrong < 2^63, so the top bit of wrong - 1 tells whether it is zero
        bits.fill(backend.zero());
        core::hint::black_box(&mut bits);
        Decoded { error: weight_in_code.1, accepted: 0u8.wrapping_sub(accepted) }
    }

    /// 2t power sums of a word in index order.
    fn power_sums<B: LaneBackend, const M: usize>(
        &self,
        backend: B,
        bits: &[B::Word],
        plane_words: usize,
    ) -> Zeroizing<Vec<u16>> {
        let mut sums = Zeroizing::new(vec![0u16; 2 * self.degree]);
        let values: Vec<Planes<B, M>> = backend.run(
            #[inline(always)]
            || {
                let mut values = vec![[backend.zero(); M]; bits.len()];
                for (vector, (value, bit)) in values.iter_mut().zip(bits).enumerate() {
                    for (plane, word) in value.iter_mut().enumerate() {
                        let at = plane * plane_words + vector * B::WORDS;
                        let end = (at + B::WORDS).min((plane + 1) * plane_words);
                        *word = backend.load(&self.scalings[at..end]) & *bit;
                    }
                }
                values
            },
        );
        fft::power_sums::<B, M>(backend, values, &mut sums);
        sums
    }
}

/// Clears the lanes beyond 2^M, if a word has more.
fn clear_unused_lanes<B: LaneBackend, const M: usize>(backend: B, bits: &mut [B::Word]) {
    if M < B::LOG_LANES {
        for level in M..B::LOG_LANES {
            bits[0] = bits[0] & backend.low_lanes(level);
        }
    }
}

/// The number of ones among the first `length` bits.
fn weight<B: LaneBackend>(backend: B, bits: &[B::Word], length: usize) -> usize {
    weight_and_bytes::<B>(backend, bits, length.min(bits.len() * B::LANES)).0
}

/// The number of ones among the first `length` bits, and these bits.
fn weight_and_bytes<B: LaneBackend>(
    backend: B,
    bits: &[B::Word],
    length: usize,
) -> (usize, Zeroizing<Vec<u8>>) {
    let mut bytes = Zeroizing::new(vec![0u8; bits.len() * B::LANES / 8]);
    let mut ones = 0;
    backend.run(
        #[inline(always)]
        || {
            let mut words = [0u64; 8];
            for (bit, chunk) in bits.iter().zip(bytes.chunks_exact_mut(B::LANES / 8)) {
                backend.store(*bit, &mut words[..B::WORDS]);
                for (part, word) in chunk.chunks_exact_mut(8).zip(&words) {
                    part.copy_from_slice(&word.to_le_bytes());
                }
            }
            bytes.truncate(length.div_ceil(8));
            if !length.is_multiple_of(8)
                && let Some(last) = bytes.last_mut()
            {
                *last &= (1 << (length % 8)) - 1;
            }
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                ones += u64::from_le_bytes(word).count_ones() as usize;
            }
        },
    );
    (ones, bytes)
}
