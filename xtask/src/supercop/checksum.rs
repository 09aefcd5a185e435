//! SUPERCOP's checksum procedure: keys, signatures (or ciphertexts) and decryptions of deterministic inputs, in one sum.

use super::accumulator::Accumulator;
use super::streams::Inputs;
use super::subject::{Failure, KemPrimitive, SignPrimitive};
use kat_vectors::KeyErasure;

/// Which of the two stored sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Size {
    /// 8 loops, messages up to 128 bytes.
    Small,
    /// 64 loops, messages up to 4096 bytes.
    Big,
}

impl Size {
    const fn loops(self) -> u64 {
        match self {
            Size::Small => 8,
            Size::Big => 64,
        }
    }

    const fn longest_message(self) -> u64 {
        match self {
            Size::Small => 128,
            Size::Big => 4096,
        }
    }

    /// The name of the file in a SUPERCOP package.
    pub(crate) const fn file_name(self) -> &'static str {
        match self {
            Size::Small => "checksumsmall",
            Size::Big => "checksumbig",
        }
    }
}

/// Changes one byte by an amount that is not zero: first the amount is drawn, then the position.
fn tamper(bytes: &mut [u8], inputs: &mut Inputs) {
    let amount = 1 + inputs.number() % 255;
    let position = (inputs.number() % bytes.len() as u64) as usize;
    bytes[position] = bytes[position].wrapping_add(amount as u8);
}

/// The checksum of a signature primitive; `progress` is called after each loop with the loops done and the loops in all.
pub(super) fn of_sign(
    primitive: &impl SignPrimitive,
    size: Size,
    mut progress: impl FnMut(u64, u64),
) -> Result<String, Failure> {
    let (mut sum, mut inputs, mut random) = (Accumulator::new(), Inputs::new(), KeyErasure::new([0; 32]));
    for done in 1..=size.loops() {
        let message_length = (inputs.number() % (size.longest_message() + 1)) as usize;
        let (public_key, secret_key) = primitive.keypair(&mut random)?;
        sum.enter(&public_key);
        sum.enter(&secret_key);
        let message = inputs.bytes(message_length);
        let mut signed = primitive.sign(&secret_key, &message, &mut random)?;
        sum.enter(&signed);
        let opened = primitive.open(&public_key, &signed);
        if opened.as_deref() != Some(&message) {
            return Err(Failure::new("open", "a valid signed message was refused, or its message changed"));
        }
        sum.enter(&message);
        for _ in 0..3 {
            tamper(&mut signed, &mut inputs);
            if primitive.open(&public_key, &signed).is_some_and(|forged| forged != message) {
                return Err(Failure::new("open", "a tampered signed message was opened as another message"));
            }
        }
        progress(done, size.loops());
    }
    Ok(sum.hex())
}

/// The checksum of a KEM primitive; `progress` as in [`of_sign`].
pub(super) fn of_kem(
    primitive: &impl KemPrimitive,
    size: Size,
    mut progress: impl FnMut(u64, u64),
) -> Result<String, Failure> {
    let (mut sum, mut inputs, mut random) = (Accumulator::new(), Inputs::new(), KeyErasure::new([0; 32]));
    for done in 1..=size.loops() {
        let (public_key, secret_key) = primitive.keypair(&mut random)?;
        sum.enter(&public_key);
        sum.enter(&secret_key);
        let (mut ciphertext, shared_secret) = primitive.encapsulate(&public_key, &mut random)?;
        sum.enter(&ciphertext);
        sum.enter(&shared_secret);
        let decapsulated = primitive.decapsulate(&secret_key, &ciphertext);
        if decapsulated.as_ref() != Some(&shared_secret) {
            return Err(Failure::new("dec", "a valid ciphertext gave another shared secret"));
        }
        sum.enter(&shared_secret);
        for _ in 0..3 {
            tamper(&mut ciphertext, &mut inputs);
            match primitive.decapsulate(&secret_key, &ciphertext) {
                Some(secret) => sum.enter(&secret),
                None => sum.enter(&ciphertext),
            }
        }
        progress(done, size.loops());
    }
    Ok(sum.hex())
}
