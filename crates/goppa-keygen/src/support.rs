//! The support of a Goppa code: a random order of the field elements.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::backend::LaneBackend;
use gf2n::small::gf2m::planes;
use zeroize::Zeroizing;

use crate::backend::{Backend, SortVectors};
use crate::fft;
use crate::sort::sort;
use crate::wiped::Wiped;

/// Two sort keys are equal; the verdict is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedKey;

/// The order of 2^M random keys of 32 bits, with the inverse Goppa polynomial carried along.
pub struct SortedSupport {
    /// pi(j): the index of the key that comes j-th in ascending order.
    pub permutation: Wiped<u16>,
    /// 1/g at the element `reverse_bits(pi(j))`.
    pub scalings: Wiped<u16>,
}

impl SortedSupport {
    /// Sorts `keys`; `inverses` are the values of 1/g in index order ([`inverse_values`]). M <= 14 (the sort takes words
    /// below 2^61). Constant time.
    ///
    /// # Errors
    /// [`RepeatedKey`].
    pub fn new<B: Backend, const M: usize>(
        backend: B,
        keys: &[u32],
        inverses: &[u16],
    ) -> Result<Self, RepeatedKey> {
        const { assert!(M <= 14) };
        debug_assert!(keys.len() == 1 << M && inverses.len() == 1 << M);
        let mut words = Wiped::new(vec![0u64; keys.len()]);
        for (index, ((word, key), inverse)) in words.iter_mut().zip(keys).zip(inverses).enumerate() {
            *word = (u64::from(*key) << M | u64::from(*inverse)) << M | index as u64;
        }
        sort::<u64, B>(backend, &mut words);
        let mut equal = 0u64;
        for pair in words.windows(2) {
            let difference = (pair[0] ^ pair[1]) >> (2 * M);
            equal |= difference.wrapping_sub(1) >> 63;
        }
        if equal != 0 {
            return Err(RepeatedKey);
        }
        let mask = (1u64 << M) - 1;
        let mut permutation = Wiped::new(vec![0u16; keys.len()]);
        let mut scalings = Wiped::new(vec![0u16; keys.len()]);
        for ((word, index), scaling) in words.iter().zip(permutation.iter_mut()).zip(scalings.iter_mut()) {
            *index = (word & mask) as u16;
            *scaling = (word >> M & mask) as u16;
        }
        Ok(Self { permutation, scalings })
    }
}

/// The permutation that sorts `keys` in ascending order (pi(j) = index of the j-th key), for up to 2^16 keys, a power of two of
/// them; constant time.
///
/// # Errors
/// [`RepeatedKey`].
pub fn sorting_permutation<B: SortVectors<u64>>(
    backend: B,
    keys: &[u32],
) -> Result<Zeroizing<Vec<u16>>, RepeatedKey> {
    let mut words: Wiped<u64> = Wiped::new(
        keys.iter().enumerate().map(|(index, key)| u64::from(*key) << 16 | index as u64).collect(),
    );
    sort::<u64, B>(backend, &mut words);
    let equal =
        words.windows(2).fold(0, |equal, pair| equal | ((pair[0] ^ pair[1]) >> 16).wrapping_sub(1) >> 63);
    if equal != 0 {
        return Err(RepeatedKey);
    }
    Ok(Zeroizing::new(words.iter().map(|word| *word as u16).collect()))
}

/// 1/g(x) for every field element in index order (index x is the element `reverse_bits(x)`), 0 where g vanishes; g is monic and given
/// by its t low coefficients. Constant time.
#[must_use]
pub fn inverse_values<B: LaneBackend, const M: usize>(backend: B, polynomial: &[u16]) -> Wiped<u16> {
    let mut list = Wiped::new(vec![0u16; 1 << M]);
    let mut values = evaluate_monic::<B, M>(backend, polynomial);
    for value in &mut values {
        *value = planes::invert::<B, M>(backend, value);
    }
    backend.run(
        #[inline(always)]
        || {
            for (value, chunk) in values.iter().zip(list.chunks_mut(B::LANES)) {
                planes::to_elements::<B, M>(backend, value, chunk);
            }
        },
    );
    crate::berlekamp_massey::wipe::<B, M>(backend, &mut values);
    list
}

/// Values of the monic polynomial with the given low coefficients, in index order.
pub(crate) fn evaluate_monic<B: LaneBackend, const M: usize>(
    backend: B,
    low_coefficients: &[u16],
) -> Vec<planes::Planes<B, M>> {
    let mut values = vec![[backend.zero(); M]; fft::vector_count::<B, M>()];
    evaluate_monic_into::<B, M>(backend, low_coefficients, &mut values);
    values
}

/// [`evaluate_monic`] into a list of the right length.
pub(crate) fn evaluate_monic_into<B: LaneBackend, const M: usize>(
    backend: B,
    low_coefficients: &[u16],
    values: &mut [planes::Planes<B, M>],
) {
    let degree = low_coefficients.len();
    if degree.is_power_of_two() && degree <= 1 << fft::MAX_LEVELS.min(M) {
        // x^t is a power of the Frobenius map, cheaper than a transform of twice the size
        fft::evaluate_into::<B, M>(backend, low_coefficients, values);
        fft::add_frobenius::<B, M>(backend, degree.trailing_zeros() as usize, values);
        return;
    }
    let mut coefficients = Wiped::<u16>::zeros(degree + 1);
    coefficients[..degree].copy_from_slice(low_coefficients);
    coefficients[degree] = 1;
    fft::evaluate_into::<B, M>(backend, &coefficients, values);
}
