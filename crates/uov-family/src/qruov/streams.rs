//! Pseudo-random streams: public expansion, secrets, salts, hashes.

use alloc::{boxed::Box, vec, vec::Vec};

use aes::cipher::consts::U16;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256, Block};

use super::aligned::AlignedBytes;
#[cfg(target_arch = "x86_64")]
use super::backend::x86::aes_ctr::{RoundKeys, Vaes};
use super::backend::{Backend, Scratch, with_backend};
use super::kernels::sample;
use super::parameters::{Expansion, Parameters, Round};
use super::ring::QuotientRing;
use super::secret::SecretVec;
use super::sponge::{SHAKE128_RATE, SHAKE256_RATE, Shake, shake, shake_indexed};

/// Bytes that every buffer of elements has behind its last element, so that kernels may read (not use) past the end.
pub(crate) const SLACK: usize = 320;

/// AES keyed with a seed, on VAES where the CPU has it, else by the `aes` crate. Wipes its round keys when dropped.
enum Cipher {
    #[cfg(target_arch = "x86_64")]
    Vaes(RoundKeys),
    Aes128(Aes128),
    Aes192(Aes192),
    Aes256(Aes256),
}

impl Cipher {
    fn new(seed: &[u8]) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(vaes) = Vaes::detect() {
            return Cipher::Vaes(RoundKeys::new(vaes, seed));
        }
        Self::portable(seed)
    }

    fn portable(seed: &[u8]) -> Self {
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
        match self {
            #[cfg(target_arch = "x86_64")]
            Cipher::Vaes(keys) => keys.key_stream(index, block, out),
            Cipher::Aes128(cipher) => encrypt_counters(cipher, index, block, out),
            Cipher::Aes192(cipher) => encrypt_counters(cipher, index, block, out),
            Cipher::Aes256(cipher) => encrypt_counters(cipher, index, block, out),
        }
    }
}

fn encrypt_counters<C>(cipher: &C, index: u64, block: u64, out: &mut [u8])
where
    C: BlockCipherEncrypt<BlockSize = U16>,
{
    let (blocks, _): (&mut [Block], _) = Array::slice_as_chunks_mut(out);
    for (counter, bytes) in (block..).zip(blocks.iter_mut()) {
        bytes[..8].copy_from_slice(&index.to_be_bytes());
        bytes[8..].copy_from_slice(&counter.to_be_bytes());
    }
    cipher.encrypt_blocks(blocks);
}

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
        let p = &self.parameters;
        let matrices = [
            (p.p1_len(), p.drawn[0], &mut group.p1, group.p1_stride),
            (p.p2_len(), p.drawn[1], &mut group.p2, group.p2_stride),
        ];
        for (which, (len, drawn, out, stride)) in matrices.into_iter().enumerate() {
            let indices: [u16; 16] = core::array::from_fn(|e| (2 * (first + e) + which) as u16);
            let scratch = &mut self.scratch;
            let mut draw = |drawn| {
                let out = (&mut out[..], stride);
                self.generator.elements::<B, R>(backend, &indices[..count], (len, drawn), out, scratch)
            };
            let usual = usually_drawn::<R>(len, drawn);
            if !draw(usual) && usual < drawn {
                draw(drawn);
            }
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

#[cfg(test)]
mod tests {
    use super::super::backend::portable;
    use super::super::ring::{Q7L10, Q31L3, Q127L3};
    use super::*;

    /// Every key length, lengths around the batches, block numbers with a carry.
    #[test]
    fn counter_mode_agrees_with_the_crate() {
        for key_len in [16, 24, 32] {
            let seed: Vec<u8> = (0..key_len).map(|i| (i * 11 + 3) as u8).collect();
            let (fast, slow) = (Cipher::new(&seed), Cipher::portable(&seed));
            for len in [0, 15, 16, 17, 32, 48, 255, 256, 257, 512, 528, 1039, 4267] {
                for (index, block) in [(0, 0), (379, 0), (1, 254), (65535, 65534)] {
                    let (mut a, mut b) = (vec![0; len], vec![0; len]);
                    fast.key_stream(index, block, &mut a);
                    slow.key_stream(index, block, &mut b);
                    assert_eq!(a, b, "key {key_len} len {len} index {index} block {block}");
                }
            }
        }
    }

    /// Sampling in registers against the definition on the key stream.
    #[cfg(target_arch = "x86_64")]
    fn elements_agree<R: QuotientRing>(keys: &RoundKeys, seed: &[u8]) {
        for (count, spare) in
            [(1_usize, 0_usize), (54, 28), (63, 40), (64, 40), (300, 3), (300, 120), (4134, 133)]
        {
            for index in [0, 379] {
                let drawn = count + spare;
                let mut expected = vec![0; drawn.next_multiple_of(16)];
                Cipher::portable(seed).key_stream(index, 0, &mut expected);
                let sufficed = portable::sample::<R>(&mut expected[..drawn], count);
                let mut scratch = Scratch::new(count, spare);
                let mut found = vec![0; count + 64];
                let extent = (count, drawn);
                let found_sufficed = keys.elements(index, R::MODULUS as u8, extent, &mut found, &mut scratch);
                assert_eq!(
                    found[..count],
                    expected[..count],
                    "q = {} count {count} spare {spare}",
                    R::MODULUS
                );
                assert!(sufficed || !found_sufficed);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn sampling_in_registers_agrees_with_the_definition() {
        for seed in [&[7; 16][..], &[8; 24], &[9; 32]] {
            for vaes in Vaes::all() {
                let keys = RoundKeys::new(vaes, seed);
                elements_agree::<Q7L10>(&keys, seed);
                elements_agree::<Q31L3>(&keys, seed);
                elements_agree::<Q127L3>(&keys, seed);
            }
        }
    }

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
