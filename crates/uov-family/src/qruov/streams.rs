//! Secrets, salts and hashes: everything that is drawn but the public matrices.

use alloc::{boxed::Box, vec, vec::Vec};

use super::backend::{Scratch, with_backend};
use super::cipher::Cipher;
use super::expansion::SLACK;
use super::kernels::sample;
use super::parameters::{Expansion, Parameters, Round};
use super::ring::QuotientRing;
use super::sponge::{SHAKE128_RATE, SHAKE256_RATE, Shake, shake};
use gf2n::secret::SecretVec;

/// What a secret seed is expanded into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secret {
    /// The secret matrix.
    Matrix,
    /// The vinegar elements.
    Vinegar,
    /// The values of free variables.
    FreeVariables,
}

/// Expands a secret seed. The elements are followed by at least [`SLACK`] bytes of no meaning.
pub(crate) fn expand_secret<R: QuotientRing>(
    parameters: &Parameters,
    kind: Secret,
    seed: &[u8],
) -> SecretVec<u8> {
    let (count, drawn) = match kind {
        Secret::Matrix => (parameters.p2_len(), parameters.drawn[1]),
        Secret::Vinegar => (parameters.vinegar, parameters.drawn[2]),
        Secret::FreeVariables => (parameters.oil, parameters.drawn[3]),
    };
    let mut out = SecretVec::zeros(drawn + SLACK);
    match (parameters.round, parameters.expansion) {
        (Round::Two, Expansion::Aes) => {
            Cipher::new(seed).key_stream(0, 0, &mut out[..drawn.next_multiple_of(16)]);
        }
        (Round::Two, Expansion::Shake) if parameters.category == 1 => {
            shake(SHAKE128_RATE, &[seed, &[0, 0]], &mut out[..drawn]);
        }
        (Round::Three, _) if kind != Secret::Matrix => {
            shake(SHAKE256_RATE, &[seed], &mut out[..drawn]);
        }
        _ => shake(SHAKE256_RATE, &[seed, &[0, 0]], &mut out[..drawn]),
    }
    sample_here::<R>(&mut out, (count, drawn));
    out
}

/// Samples one stream; `buffer` goes on for 64 bytes.
fn sample_here<R: QuotientRing>(buffer: &mut [u8], (count, drawn): (usize, usize)) {
    let mut scratch = Scratch::new(count, drawn - count);
    // the number of bytes drawn is normative: where they do not suffice, 0 is
    with_backend!(|backend| {
        sample::<_, R>(backend, buffer, (count, drawn), &mut scratch);
    });
}

/// Round 3: the public seed of a secret seed.
pub(crate) fn derive_public_seed(secret_seed: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    shake(SHAKE256_RATE, &[secret_seed, &[0, 1]], &mut out);
    out
}

/// The unlimited stream that salts are cut from.
pub(crate) enum SaltStream {
    /// AES key stream and the byte position in it.
    Aes(Box<SaltCipher>),
    /// SHAKE, squeezed continuously.
    Shake(Box<Shake>),
}

/// The counter-mode salt stream.
pub(crate) struct SaltCipher {
    cipher: Cipher,
    position: usize,
}

impl SaltStream {
    pub(crate) fn new(parameters: &Parameters, seed: &[u8]) -> Self {
        match (parameters.round, parameters.expansion, parameters.category) {
            (Round::Two, Expansion::Aes, _) => {
                SaltStream::Aes(Box::new(SaltCipher { cipher: Cipher::new(seed), position: 0 }))
            }
            (round, _, category) => {
                let short = round == Round::Two && category == 1;
                let mut sponge = Shake::new(if short { SHAKE128_RATE } else { SHAKE256_RATE });
                sponge.absorb(seed);
                SaltStream::Shake(Box::new(sponge))
            }
        }
    }

    /// The next `salt.len()` bytes, at most 32.
    pub(crate) fn next(&mut self, salt: &mut [u8]) {
        match self {
            SaltStream::Aes(stream) => {
                // a salt of 24 bytes may begin in the middle of a block
                let (block, skip) = (stream.position / 16, stream.position % 16);
                let mut blocks = [0; 48];
                stream.cipher.key_stream(0, block as u64, &mut blocks);
                salt.copy_from_slice(&blocks[skip..skip + salt.len()]);
                stream.position += salt.len();
            }
            SaltStream::Shake(sponge) => sponge.squeeze(salt),
        }
    }
}

/// `mu`: the digest of the message under the public seed.
pub(crate) fn message_digest(public_seed: &[u8], message: &[u8]) -> [u8; 64] {
    let mut mu = [0; 64];
    shake(SHAKE256_RATE, &[public_seed, message], &mut mu);
    mu
}

/// The target of the equations: `m` elements, followed by bytes of no meaning.
pub(crate) fn hash_target<R: QuotientRing>(parameters: &Parameters, mu: &[u8; 64], salt: &[u8]) -> Vec<u8> {
    let (count, drawn) = (parameters.oil, parameters.drawn[3]);
    let mut out = vec![0; drawn + 64];
    shake(SHAKE256_RATE, &[mu, salt], &mut out[..drawn]);
    sample_here::<R>(&mut out, (count, drawn));
    out.truncate(parameters.oil);
    out
}
