//! What hashing, the keystream of P1 and P2, and the request generator of the known answers take by themselves: the same requests
//! as an operation makes, without the rest of it.

use alloc::vec;

use kat_vectors::NistDrbg;
use rand_core::Rng;
use uov_family::coefficients::{Coefficients, Keystream};
use uov_family::mayo::{artefact, nist};
use uov_family::sponge::{Sponge, shake256};

use crate::counter::measure;

/// An operation of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Key generation.
    KeyGeneration,
    /// Signing with one attempt.
    Signing,
    /// Verifying.
    Verifying,
}

/// Bytes of the message that is signed.
pub const MESSAGE: usize = 59;

/// Instructions of the primitives of one operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Primitives {
    /// SHAKE256.
    pub hash: u64,
    /// The AES-128 keystream.
    pub keystream: u64,
    /// The generator that the known answers prescribe, with AES-256.
    pub random: u64,
}

fn count(work: impl FnOnce()) -> u64 {
    measure(work).1
}

/// SHAKE256 of `input` bytes, squeezed `count` times by `output` bytes.
fn squeeze(input: usize, output: usize, count: usize) {
    let mut buffer = vec![0; output];
    let mut sponge = Sponge::new(&[&vec![0; input]]);
    for _ in 0..count {
        sponge.read(&mut buffer);
        core::hint::black_box(&buffer);
    }
}

/// SHAKE256 of `input` bytes, `output` bytes long.
fn hash(input: usize, output: usize) {
    let mut buffer = vec![0; output];
    shake256(&[&vec![0; input]], &mut buffer);
    core::hint::black_box(&buffer);
}

/// A generator, and requests (how many, of how many bytes).
fn draw(requests: &[(usize, usize)]) {
    let mut random = NistDrbg::new(&[1; 48]);
    for &(number, bytes) in requests {
        let mut buffer = vec![0; bytes];
        for _ in 0..number {
            random.fill_bytes(&mut buffer);
        }
        core::hint::black_box(&buffer);
    }
}

/// Those of a set of ePrint 2023/540.
#[must_use]
pub fn artefact<P: artefact::Parameters>(operation: Operation) -> Primitives {
    let matrices = || {
        if P::COMPACT_E {
            squeeze(artefact::SEED, P::M * P::CELL, P::PAIRS);
        }
    };
    match operation {
        Operation::KeyGeneration => Primitives {
            hash: count(|| {
                hash(artefact::SEED, 2 * artefact::SEED);
                hash(artefact::SEED, 2 * P::M * artefact::SEED);
                hash(artefact::SEED, P::O * P::V);
                (0..P::M).for_each(|_| hash(artefact::SEED, P::V * P::V));
                (0..P::M).for_each(|_| hash(artefact::SEED, P::V * P::O));
                hash(artefact::SEED, P::E);
            }),
            keystream: 0,
            random: count(|| draw(&[(1, artefact::SEED)])),
        },
        Operation::Signing => Primitives {
            hash: count(|| {
                hash(MESSAGE + artefact::SEED, P::CELL);
                matrices();
            }),
            keystream: 0,
            random: count(|| draw(&[(1, artefact::SEED), (P::K, P::VINEGAR), (P::K * P::O - 1, 4)])),
        },
        Operation::Verifying => Primitives {
            hash: count(|| {
                hash(MESSAGE + artefact::SEED, P::CELL);
                matrices();
            }),
            ..Primitives::default()
        },
    }
}

/// Those of a set of the NIST process, round 2.
#[must_use]
pub fn nist<P: nist::Parameters>(operation: Operation) -> Primitives {
    let keystream = count(|| {
        let mut p1 = Keystream::new(&[1; 16]);
        let mut p2 = p1.ahead(P::SHAPE.p1_bytes());
        for row in 0..P::V {
            core::hint::black_box(p1.next((P::V - row) * P::CELL)[0]);
            core::hint::black_box(p2.next(P::O * P::CELL)[0]);
        }
    });
    let secret = || hash(P::SALT, nist::PUBLIC_SEED + (P::V * P::O).div_ceil(2));
    let target = || {
        hash(MESSAGE, P::DIGEST);
        hash(P::DIGEST + P::SALT, P::CELL);
    };
    let (hash, random) = match operation {
        Operation::KeyGeneration => (count(secret), count(|| draw(&[(1, P::SALT)]))),
        Operation::Signing => (
            count(|| {
                secret();
                target();
                hash(P::DIGEST + 2 * P::SALT, P::SALT);
                let vinegar = P::V.div_ceil(2);
                hash(P::DIGEST + 2 * P::SALT + 1, P::K * vinegar + P::UNKNOWNS.div_ceil(2));
            }),
            count(|| draw(&[(1, P::SALT)])),
        ),
        Operation::Verifying => (count(target), 0),
    };
    Primitives { hash, keystream, random }
}
