//! Pseudo-random streams: public expansion, secrets, salts, hashes.

use alloc::{vec, vec::Vec};

use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256, Block};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
use zeroize::Zeroizing;

use super::backend::keccak::shake_indexed;
use super::backend::{Backend, with_backend};
use super::parameters::{Expansion, Parameters, Round};
use super::ring::QuotientRing;

/// Bytes that every buffer of elements has behind its last element, so that kernels may read (not use) past the end.
pub(crate) const SLACK: usize = 320;

const SHAKE128_RATE: usize = 168;
const SHAKE256_RATE: usize = 136;

/// AES keyed with a seed; the cipher wipes its round keys when dropped.
enum Cipher {
    Aes128(Aes128),
    Aes192(Aes192),
    Aes256(Aes256),
}

impl Cipher {
    fn new(seed: &[u8]) -> Self {
        fn key<C: KeyInit>(seed: &[u8]) -> C {
            let mut key = aes::cipher::Key::<C>::default();
            key.copy_from_slice(seed);
            C::new(&key)
        }
        match seed.len() {
            16 => Cipher::Aes128(key(seed)),
            24 => Cipher::Aes192(key(seed)),
            _ => Cipher::Aes256(key(seed)),
        }
    }

    /// The key stream whose first counter block is `index` (8 bytes, big-endian) and `block` (8 bytes, big-endian). Fills whole
    /// blocks; a remainder of `out` below 16 bytes stays.
    fn key_stream(&self, index: u64, block: u64, out: &mut [u8]) {
        let (blocks, _): (&mut [Block], _) = Array::slice_as_chunks_mut(out);
        for (counter, bytes) in (block..).zip(blocks.iter_mut()) {
            bytes[..8].copy_from_slice(&index.to_be_bytes());
            bytes[8..].copy_from_slice(&counter.to_be_bytes());
        }
        match self {
            Cipher::Aes128(cipher) => cipher.encrypt_blocks(blocks),
            Cipher::Aes192(cipher) => cipher.encrypt_blocks(blocks),
            Cipher::Aes256(cipher) => cipher.encrypt_blocks(blocks),
        }
    }
}

/// The indexed generator of one seed.
enum Generator<'seed> {
    Aes(Cipher),
    Shake { seed: &'seed [u8], rate: usize },
}

impl<'seed> Generator<'seed> {
    fn new(parameters: &Parameters, seed: &'seed [u8]) -> Self {
        match parameters.expansion {
            Expansion::Aes => Generator::Aes(Cipher::new(seed)),
            Expansion::Shake => {
                let short = parameters.category == 1 || parameters.round == Round::Three;
                Generator::Shake { seed, rate: if short { SHAKE128_RATE } else { SHAKE256_RATE } }
            }
        }
    }

    /// Writes `length` bytes of the stream of `indices[e]` to `out[e * stride..]`, for every `e`. Up to a block more may be written.
    #[inline(always)]
    fn fill<B: Backend>(&self, backend: B, indices: &[u16], out: &mut [u8], stride: usize, length: usize) {
        match self {
            Generator::Aes(cipher) => {
                for (&index, out) in indices.iter().zip(out.chunks_exact_mut(stride)) {
                    cipher.key_stream(u64::from(index), 0, &mut out[..length.next_multiple_of(16)]);
                }
            }
            Generator::Shake { seed, rate } => {
                shake_indexed(backend, *rate, seed, indices, out, stride, length);
            }
        }
    }
}

/// The public matrices P1 and P2 of a few consecutive equations, one byte to an element.
#[derive(Clone)]
pub(crate) struct Group {
    /// P1 of equation `first + e` at `e * p1_stride`, upper triangle row by row.
    pub(crate) p1: Vec<u8>,
    /// Distance of the P1 of two equations.
    pub(crate) p1_stride: usize,
    /// P2 of equation `first + e` at `e * p2_stride`, row by row.
    pub(crate) p2: Vec<u8>,
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
        Self { p1: vec![0; capacity * p1_stride], p1_stride, p2: vec![0; capacity * p2_stride], p2_stride }
    }
}

/// The expansion of a public seed into P1 and P2.
pub(crate) struct PublicExpansion<'seed> {
    parameters: Parameters,
    generator: Generator<'seed>,
}

impl<'seed> PublicExpansion<'seed> {
    pub(crate) fn new(parameters: &Parameters, seed: &'seed [u8]) -> Self {
        Self { parameters: *parameters, generator: Generator::new(parameters, seed) }
    }

    /// Expands the equations `first..first + count` into the first places of `group`; the other places keep their contents.
    #[inline(always)]
    pub(crate) fn expand<B: Backend, R: QuotientRing>(
        &self,
        backend: B,
        first: usize,
        count: usize,
        group: &mut Group,
    ) {
        let p = &self.parameters;
        let index = |e: usize, which: usize| (2 * (first + e) + which) as u16;
        let indices: [u16; 16] = core::array::from_fn(|e| index(e, 0));
        self.generator.fill(backend, &indices[..count], &mut group.p1, group.p1_stride, p.drawn[0]);
        for stream in group.p1.chunks_exact_mut(group.p1_stride).take(count) {
            backend.sample::<R>(&mut stream[..p.drawn[0]], p.p1_len());
        }
        let indices: [u16; 16] = core::array::from_fn(|e| index(e, 1));
        self.generator.fill(backend, &indices[..count], &mut group.p2, group.p2_stride, p.drawn[1]);
        for stream in group.p2.chunks_exact_mut(group.p2_stride).take(count) {
            backend.sample::<R>(&mut stream[..p.drawn[1]], p.p2_len());
        }
    }
}

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
) -> Zeroizing<Vec<u8>> {
    let (count, drawn) = match kind {
        Secret::Matrix => (parameters.p2_len(), parameters.drawn[1]),
        Secret::Vinegar => (parameters.vinegar, parameters.drawn[2]),
        Secret::FreeVariables => (parameters.oil, parameters.drawn[3]),
    };
    let mut out = Zeroizing::new(vec![0; drawn + SLACK]);
    match (parameters.round, parameters.expansion) {
        (Round::Two, Expansion::Aes) => {
            Cipher::new(seed).key_stream(0, 0, &mut out[..drawn.next_multiple_of(16)]);
        }
        (Round::Two, Expansion::Shake) if parameters.category == 1 => {
            squeeze(Shake128::default(), &[seed, &[0, 0]], &mut out[..drawn]);
        }
        (Round::Three, _) if kind != Secret::Matrix => {
            squeeze(Shake256::default(), &[seed], &mut out[..drawn]);
        }
        _ => squeeze(Shake256::default(), &[seed, &[0, 0]], &mut out[..drawn]),
    }
    sample::<R>(&mut out[..drawn], count);
    out
}

fn sample<R: QuotientRing>(buffer: &mut [u8], count: usize) {
    with_backend!(|backend| backend.run(
        #[inline(always)]
        || backend.sample::<R>(buffer, count)
    ))
}

/// Extendable output of `parts` in a row.
pub(crate) fn squeeze<H: ExtendableOutput + Update>(mut hasher: H, parts: &[&[u8]], out: &mut [u8]) {
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize_xof().read(out);
}

/// Round 3: the public seed of a secret seed.
pub(crate) fn derive_public_seed(secret_seed: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    squeeze(Shake256::default(), &[secret_seed, &[0, 1]], &mut out);
    out
}

/// The unlimited stream that salts are cut from.
pub(crate) enum SaltStream {
    /// AES key stream and the byte position in it.
    Aes(SaltCipher),
    /// SHAKE128, squeezed continuously.
    Shake128(shake::Shake128Reader),
    /// SHAKE256, squeezed continuously.
    Shake256(shake::Shake256Reader),
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
                SaltStream::Aes(SaltCipher { cipher: Cipher::new(seed), position: 0 })
            }
            (Round::Two, Expansion::Shake, 1) => {
                let mut hasher = Shake128::default();
                hasher.update(seed);
                SaltStream::Shake128(hasher.finalize_xof())
            }
            _ => {
                let mut hasher = Shake256::default();
                hasher.update(seed);
                SaltStream::Shake256(hasher.finalize_xof())
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
            SaltStream::Shake128(reader) => reader.read(salt),
            SaltStream::Shake256(reader) => reader.read(salt),
        }
    }
}

/// `mu`: the digest of the message under the public seed.
pub(crate) fn message_digest(public_seed: &[u8], message: &[u8]) -> [u8; 64] {
    let mut mu = [0; 64];
    squeeze(Shake256::default(), &[public_seed, message], &mut mu);
    mu
}

/// The target of the equations: `m` elements, followed by bytes of no meaning.
pub(crate) fn hash_target<R: QuotientRing>(parameters: &Parameters, mu: &[u8; 64], salt: &[u8]) -> Vec<u8> {
    let mut out = vec![0; parameters.drawn[3]];
    squeeze(Shake256::default(), &[mu, salt], &mut out);
    sample::<R>(&mut out, parameters.oil);
    out.truncate(parameters.oil);
    out
}
