//! The hash functions: SHA3 by security level, the chain of digests, and the expansion of seeds.

use alloc::{vec, vec::Vec};

use gf2n::matrix::words_for;
use hfev::bits::{clear_from, words_from_bytes};
use sha3::digest::Digest;
use sha3::{Sha3_256, Sha3_384, Sha3_512};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use zeroize::Zeroizing;

/// H: SHA3-256, -384 or -512 for 128, 192 or 256 bits of security.
pub(super) fn digest(security: usize, input: &[u8]) -> Vec<u8> {
    match security {
        128 => Sha3_256::digest(input).to_vec(),
        192 => Sha3_384::digest(input).to_vec(),
        _ => Sha3_512::digest(input).to_vec(),
    }
}

/// The targets D_i = first `equations` bits of h_i, where h_1 = H(message) and h_(i+1) = H(h_i): ceil(equations/64) words each.
pub(super) fn targets(security: usize, message: &[u8], equations: usize, count: usize) -> Vec<u64> {
    let width = words_for(equations);
    let mut targets = Vec::with_capacity(width * count);
    let mut state = digest(security, message);
    for i in 0..count {
        if i > 0 {
            state = digest(security, &state);
        }
        let mut words = words_from_bytes(&state);
        words.resize(width, 0);
        clear_from(&mut words, equations);
        targets.append(&mut words);
    }
    targets
}

/// The number that chooses among several roots: the first 8 bytes of H(U), little-endian.
pub(super) fn root_index(security: usize, element: &[u8]) -> u64 {
    Zeroizing::new(digest(security, element)).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// `count` words of SHAKE128 (128 bits of security) or SHAKE256 over a seed.
pub(super) fn expand_seed(security: usize, seed: &[u8], count: usize) -> Zeroizing<Vec<u64>> {
    let mut bytes = Zeroizing::new(vec![0; 8 * count]);
    if security == 128 {
        let mut state = Shake128::default();
        state.update(seed);
        state.finalize_xof().read(&mut bytes);
    } else {
        let mut state = Shake256::default();
        state.update(seed);
        state.finalize_xof().read(&mut bytes);
    }
    Zeroizing::new(words_from_bytes(&bytes))
}
