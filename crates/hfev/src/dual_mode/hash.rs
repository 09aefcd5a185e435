//! The hash functions of the dual mode: SHA-3 (many messages of equal length at once), SHA-3 with a long output, and
//! TupleHash of pairs (FIPS 202; SP 800-185, section 5).

use alloc::vec;
use alloc::vec::Vec;

use mq_eval::keccak::{Kernel, StateLanes, permute, permute_one, run_widest};
use zeroize::Zeroize;

use super::parameters::Security;

/// Suffix and first padding bit of SHA-3.
const SHA3_SUFFIX: u8 = 0x06;
/// Suffix and first padding bit of cSHAKE.
const CSHAKE_SUFFIX: u8 = 0x04;

/// A sponge over one state, absorbing bytes.
#[derive(Clone)]
pub(super) struct Sponge {
    state: [u64; 25],
    rate: usize,
    position: usize,
}

impl Drop for Sponge {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl Sponge {
    /// An empty sponge with a rate in bytes, a multiple of eight.
    pub(super) fn new(rate: usize) -> Self {
        Self { state: [0; 25], rate, position: 0 }
    }

    pub(super) fn absorb(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if let (Some((word, rest)), true) =
                (bytes.split_first_chunk::<8>(), self.position.is_multiple_of(8))
            {
                self.state[self.position / 8] ^= u64::from_le_bytes(*word);
                self.position += 8;
                bytes = rest;
            } else {
                self.state[self.position / 8] ^= u64::from(bytes[0]) << (8 * (self.position % 8));
                self.position += 1;
                bytes = &bytes[1..];
            }
            if self.position == self.rate {
                permute_one(&mut self.state);
                self.position = 0;
            }
        }
    }

    /// Pads and squeezes the whole of `output`.
    pub(super) fn finish(mut self, suffix: u8, output: &mut [u8]) {
        self.state[self.position / 8] ^= u64::from(suffix) << (8 * (self.position % 8));
        self.state[self.rate / 8 - 1] ^= 0x80 << 56;
        for block in output.chunks_mut(self.rate) {
            permute_one(&mut self.state);
            for (bytes, word) in block.chunks_mut(8).zip(&self.state) {
                bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
            }
        }
    }
}

/// SHA-3 of one message, or its prolongation: SHA-3 padding, then as many bytes as wanted. The first digest's worth of bytes is
/// the SHA-3 digest.
pub(super) fn sha3_long(security: Security, message: &[u8], output: &mut [u8]) {
    let mut sponge = Sponge::new(security.sha3_rate());
    sponge.absorb(message);
    sponge.finish(SHA3_SUFFIX, output);
}

/// SHA-3 of many messages of `length` bytes each, one after another in `messages`; the digests one after another.
pub(super) fn sha3_many(security: Security, messages: &[u8], length: usize, digests: &mut [u8]) {
    run_widest(ManyDigests {
        rate: security.sha3_rate(),
        messages,
        length,
        digests,
        digest_len: security.digest_len(),
    });
}

/// The arguments of [`sha3_lanes`].
struct ManyDigests<'a> {
    rate: usize,
    messages: &'a [u8],
    length: usize,
    digests: &'a mut [u8],
    digest_len: usize,
}

impl Kernel for ManyDigests<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: StateLanes>(self, lanes: L) {
        sha3_lanes(lanes, self.rate, self.messages, self.length, self.digests, self.digest_len);
    }
}

/// Groups of `L::COUNT` messages; in the last group the missing messages are empty and their digests dropped.
#[inline(always)]
fn sha3_lanes<L: StateLanes>(
    lanes: L,
    rate: usize,
    messages: &[u8],
    length: usize,
    digests: &mut [u8],
    digest_len: usize,
) {
    let groups = messages.chunks(L::COUNT * length);
    for (messages, digests) in groups.zip(digests.chunks_mut(L::COUNT * digest_len)) {
        let mut state = [lanes.splat(0); 25];
        let mut begin = 0;
        // full blocks, read as words
        while begin + rate <= length {
            for (word, offset) in state.iter_mut().zip((begin..begin + rate).step_by(8)) {
                let block = lanes.gather(
                    #[inline(always)]
                    |k| word_at(messages, k * length + offset),
                );
                *word = lanes.xor(*word, block);
            }
            permute(lanes, &mut state);
            begin += rate;
        }
        for (word, offset) in state.iter_mut().zip((begin..length).step_by(8)) {
            let count = (length - offset).min(8);
            let block = lanes.gather(
                #[inline(always)]
                |k| word_at(messages, k * length + offset) & (u64::MAX >> (64 - 8 * count)),
            );
            *word = lanes.xor(*word, block);
        }
        let tail = length - begin;
        let suffix = lanes.splat(u64::from(SHA3_SUFFIX) << (8 * (tail % 8)));
        state[tail / 8] = lanes.xor(state[tail / 8], suffix);
        state[rate / 8 - 1] = lanes.xor(state[rate / 8 - 1], lanes.splat(0x80 << 56));
        permute(lanes, &mut state);
        for (k, digest) in digests.chunks_exact_mut(digest_len).enumerate() {
            for (bytes, &word) in digest.chunks_exact_mut(8).zip(&state) {
                bytes.copy_from_slice(&lanes.word(word, k).to_le_bytes());
            }
        }
    }
}

/// Eight bytes as a word; what lies behind the end is zero.
#[inline(always)]
fn word_at(bytes: &[u8], offset: usize) -> u64 {
    match bytes.get(offset..offset + 8) {
        Some(word) => word.first_chunk::<8>().map_or(0, |w| u64::from_le_bytes(*w)),
        None => {
            let mut word = [0; 8];
            let rest = bytes.get(offset..).unwrap_or(&[]);
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        }
    }
}

/// TupleHash of pairs whose first part is fixed: that part is absorbed once.
#[derive(Clone)]
pub(super) struct MessageHash {
    prefix: Sponge,
}

impl MessageHash {
    /// Pairs (message, ...).
    pub(super) fn new(security: Security, message: &[u8]) -> Self {
        let rate = security.tuple_hash_rate();
        let mut prefix = Sponge::new(rate);
        // bytepad(encode_string("TupleHash") || encode_string(""), rate)
        let mut head = Vec::with_capacity(rate);
        left_encode(rate as u64, &mut head);
        left_encode(72, &mut head);
        head.extend_from_slice(b"TupleHash");
        left_encode(0, &mut head);
        head.resize(rate, 0);
        prefix.absorb(&head);
        absorb_string(&mut prefix, message);
        Self { prefix }
    }

    /// TupleHash(message, second part), the second part in pieces.
    pub(super) fn hash(&self, second: &[&[u8]], output: &mut [u8]) {
        let mut sponge = self.prefix.clone();
        let length: usize = second.iter().map(|part| part.len()).sum();
        let mut code = Vec::new();
        left_encode(8 * length as u64, &mut code);
        sponge.absorb(&code);
        for part in second {
            sponge.absorb(part);
        }
        sponge.absorb(&right_encode(8 * output.len() as u64));
        sponge.finish(CSHAKE_SUFFIX, output);
    }

    /// TupleHash(message, i) for i = 0, 1, ... as four little-endian bytes; the digests one after another.
    pub(super) fn hash_indices(&self, count: usize, digest_len: usize) -> Vec<u8> {
        let mut digests = vec![0; count * digest_len];
        for (i, digest) in digests.chunks_exact_mut(digest_len).enumerate() {
            self.hash(&[&(i as u32).to_le_bytes()], digest);
        }
        digests
    }
}

fn absorb_string(sponge: &mut Sponge, string: &[u8]) {
    let mut code = Vec::new();
    left_encode(8 * string.len() as u64, &mut code);
    sponge.absorb(&code);
    sponge.absorb(string);
}

/// The bytes of `value` without leading zeros, at least one, highest first.
fn significant_bytes(value: u64) -> ([u8; 8], usize) {
    (value.to_be_bytes(), (value.leading_zeros() as usize / 8).min(7))
}

fn left_encode(value: u64, output: &mut Vec<u8>) {
    let (bytes, first) = significant_bytes(value);
    output.push((8 - first) as u8);
    output.extend_from_slice(&bytes[first..]);
}

fn right_encode(value: u64) -> Vec<u8> {
    let (bytes, first) = significant_bytes(value);
    let mut output = bytes[first..].to_vec();
    output.push((8 - first) as u8);
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use gf2n::backend::{Level, set_ceiling};

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| alloc::format!("{b:02x}")).collect()
    }

    #[test]
    fn published_tuple_hash_samples() {
        // NIST, TupleHash samples 1 and 4: the tuples (00 01 02, 10 .. 15)
        let hash = |security, len| {
            let mut output = vec![0; len];
            MessageHash::new(security, &[0, 1, 2])
                .hash(&[&[0x10, 0x11, 0x12], &[0x13, 0x14, 0x15]], &mut output);
            hex(&output)
        };
        assert_eq!(
            hash(Security::Bits128, 32),
            "c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1"
        );
        assert_eq!(
            hash(Security::Bits256, 64),
            "cfb7058caca5e668f81a12a20a2195ce97a925f1dba3e7449a56f82201ec6073\
             11ac2696b1ab5ea2352df1423bde7bd4bb78c9aed1a853c78672f9eb23bbe194"
        );
    }

    #[test]
    fn values_of_the_specification() {
        let mut output = [0; 32];
        MessageHash::new(Security::Bits128, b"").hash(&[&[0; 4]], &mut output);
        assert_eq!(hex(&output), "0c492b23ab275859a2ad24fb6e08be1048b530f3b2ada2cc898303eae7e52630");
        let mut output = [0; 48];
        MessageHash::new(Security::Bits256, b"abc").hash(&[&[1, 0, 0, 0]], &mut output);
        assert_eq!(
            hex(&output),
            "63f50dfe60705532a3546dae920b5b55299abc067d9442eeeace4b2d2374f95488e5ed2f0580868198ed8942b8189724"
        );
        for (security, seed, first, last) in [
            (Security::Bits128, 16, "39462d2a2320f8da572a97b0b39473d4", "0283ddf6f084ec51deab227314cadacc"),
            (Security::Bits192, 24, "3ae1a7e6f8e0007f53167b85c478203b", "a3fb837b0d11ef8f5b748271b02a15da"),
            (Security::Bits256, 32, "cbd3f6eeba676b21e0f2c47522292482", "0396ac6aeb84914755dd8ed328a96dcf"),
        ] {
            let seed: Vec<u8> = (0..seed).collect();
            let mut output = [0; 400];
            sha3_long(security, &seed, &mut output);
            assert_eq!((hex(&output[..16]), hex(&output[384..])), (first.into(), last.into()));
        }
    }

    #[test]
    fn many_messages_hash_like_one_on_every_back_end() {
        let stream: Vec<u8> = (0u32..40_000).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for security in [Security::Bits128, Security::Bits192, Security::Bits256] {
            let digest_len = security.digest_len();
            for length in
                [1, 7, 8, 63, 64, 71, 72, 73, 96, 103, 104, 128, 135, 136, 137, 272, 688, 1024, 1368]
            {
                for count in [1, 2, 3, 4, 5, 8, 9, 17] {
                    let messages = &stream[1..1 + count * length];
                    let mut expected = vec![0; count * digest_len];
                    for (message, digest) in messages.chunks(length).zip(expected.chunks_mut(digest_len)) {
                        sha3_long(security, message, digest);
                    }
                    for level in [Level::Portable, Level::Avx2, Level::Avx512] {
                        set_ceiling(level);
                        let mut digests = vec![0; count * digest_len];
                        sha3_many(security, messages, length, &mut digests);
                        assert_eq!(digests, expected, "{length} {count} {level:?}");
                    }
                    set_ceiling(Level::Avx512);
                }
            }
        }
    }
}
