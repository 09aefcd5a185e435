//! Shortest linear recurrence of a sequence over GF(2^M): Berlekamp-Massey without inversions, constant time, bitsliced.
//!
//! The connection polynomial C and the auxiliary polynomial B share one list of lanes: coefficient i >= 1 of C is in lane i - 1,
//! that of B in lane T + i - 1. B is always a multiple of x; the constant term of C is a scalar. One vector product serves both.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes::{self, Planes};
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
    let narrow = backend.narrow();
    narrow.run(
        #[inline(always)]
        || run::<B::Narrow, M>(narrow, sequence),
    )
}

#[inline(always)]
fn run<B: LaneBackend, const M: usize>(backend: B, sequence: &[u16]) -> Recurrence {
    let field = const {
        match Gf2m::new(M as u32) {
            Some(field) => field,
            None => panic!("no such field"),
        }
    };
    let degree = sequence.len() / 2;
    // T: half a word if that is enough, else a multiple of a word
    let packed = degree <= B::LANES / 2;
    let half_blocks = if packed { 1 } else { degree.div_ceil(B::LANES) };
    let blocks = if packed { 1 } else { 2 * half_blocks };
    let top_level = B::LOG_LANES - 1;
    let low_half = if packed { backend.low_lanes(top_level) } else { !backend.zero() };
    let first_lane = backend.load(&[1]);
    // lane T, where the constant term of B goes after the multiplication by x
    let auxiliary_first = if packed { backend.exchange(first_lane, top_level) } else { first_lane };
    let auxiliary_block = if packed { 0 } else { half_blocks };

    let zero: Planes<B, M> = [backend.zero(); M];
    let mut polynomials = vec![zero; blocks];
    polynomials[auxiliary_block][0] = auxiliary_first;
    let mut products = vec![zero; blocks];
    // lane i - 1 holds sequence[n - i]
    let mut window = vec![zero; half_blocks];
    let (mut constant, mut previous, mut length) = (1u16, 1u16, 0usize);

    for (n, term) in sequence.iter().enumerate() {
        let mut sum = zero;
        for block in 0..half_blocks {
            sum =
                planes::add::<B, M>(&sum, &planes::mul::<B, M>(backend, &polynomials[block], &window[block]));
        }
        let discrepancy = planes::lane_sum::<B, M>(backend, &sum) ^ field.mul(constant, *term);

        // C <- previous * C + discrepancy * B
        let (for_connection, for_auxiliary) =
            (planes::splat::<B, M>(backend, previous), planes::splat::<B, M>(backend, discrepancy));
        if packed {
            let mut factors = for_auxiliary;
            for plane in 0..M {
                factors[plane] = (for_connection[plane] & low_half) | (for_auxiliary[plane] & !low_half);
            }
            products[0] = planes::mul::<B, M>(backend, &polynomials[0], &factors);
        } else {
            for block in 0..half_blocks {
                products[block] = planes::mul::<B, M>(backend, &polynomials[block], &for_connection);
                products[half_blocks + block] =
                    planes::mul::<B, M>(backend, &polynomials[half_blocks + block], &for_auxiliary);
            }
        }
        // whether 2 L <= n, public only as n is; the length itself may be secret
        let short = 1 ^ ((n.wrapping_sub(2 * length)) >> (usize::BITS - 1)) as u16;
        let swap = mask(is_nonzero(discrepancy) & short);
        let swap_word = backend.splat(0u64.wrapping_sub(u64::from(swap & 1)));

        // B <- x * (old C if swapping, else B)
        for block in 0..half_blocks {
            let target = auxiliary_block + block;
            for plane in 0..M {
                let old = if packed {
                    backend.exchange(polynomials[block][plane], top_level) & !low_half
                } else {
                    polynomials[block][plane]
                };
                let kept =
                    if packed { polynomials[0][plane] & !low_half } else { polynomials[target][plane] };
                let selected = kept ^ ((old ^ kept) & swap_word);
                products[target][plane] = if packed {
                    let connection = products[0][plane] ^ backend.exchange(products[0][plane], top_level);
                    (connection & low_half) | (backend.next_lane(selected) & !low_half)
                } else {
                    products[block][plane] = products[block][plane] ^ products[target][plane];
                    selected
                };
            }
        }
        if !packed {
            shift::<B, M>(backend, &mut products[half_blocks..]);
        }
        let constant_term = constant & swap;
        for plane in 0..M {
            let bit = backend.splat(0u64.wrapping_sub(u64::from(constant_term >> plane & 1)));
            products[auxiliary_block][plane] = products[auxiliary_block][plane] ^ (bit & auxiliary_first);
        }
        core::mem::swap(&mut polynomials, &mut products);

        constant = field.mul(previous, constant);
        previous ^= (previous ^ discrepancy) & swap;
        let new_length = n + 1 - length.min(n + 1);
        length ^= (length ^ new_length) & (0usize.wrapping_sub(usize::from(swap & 1)));

        shift::<B, M>(backend, &mut window);
        for plane in 0..M {
            let bit = backend.splat(0u64.wrapping_sub(u64::from(term >> plane & 1)));
            // the upper half of a packed word belongs to B
            window[0][plane] = (window[0][plane] & low_half) ^ (bit & first_lane);
        }
    }

    let scale = planes::splat::<B, M>(backend, field.invert(constant));
    let mut connection = vec![0u16; half_blocks * B::LANES];
    for (block, chunk) in connection.chunks_mut(B::LANES).enumerate() {
        let scaled = planes::mul::<B, M>(backend, &polynomials[block], &scale);
        planes::to_elements::<B, M>(backend, &scaled, chunk);
    }
    let polynomial = connection[..degree].iter().rev().copied().collect();
    connection.zeroize();
    wipe::<B, M>(backend, &mut polynomials);
    wipe::<B, M>(backend, &mut products);
    wipe::<B, M>(backend, &mut window);
    Recurrence { length, polynomial }
}

/// Overwrites bitsliced vectors with zeros.
#[inline(always)]
pub(crate) fn wipe<B: LaneBackend, const M: usize>(backend: B, list: &mut [Planes<B, M>]) {
    list.fill([backend.zero(); M]);
    core::hint::black_box(list);
}

/// Moves every lane of the list to the next one; lane 0 becomes zero.
#[inline(always)]
fn shift<B: LaneBackend, const M: usize>(backend: B, list: &mut [Planes<B, M>]) {
    for block in (0..list.len()).rev() {
        for plane in 0..M {
            let mut word = backend.next_lane(list[block][plane]);
            if block > 0 {
                let mut words = [0u64; 8];
                backend.store(list[block - 1][plane], &mut words[..B::WORDS]);
                word = word ^ backend.load(&[words[B::WORDS - 1] >> 63]);
            }
            list[block][plane] = word;
        }
    }
}
