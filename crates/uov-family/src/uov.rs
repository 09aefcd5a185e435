//! UOV, rounds 2 and 3 of the NIST process (which differ in the parameters only): key generation, signing and verifying on the
//! official encodings of key parts. Source: UOV specification, round 2 (February 2025), and its round-3 parameters.
//!
//! Vinegar first: a signature is w || x || salt with w = y + O x. Retries happen when the linear system is singular; their
//! number is public, for the vinegar values y are rejected independently of the secret (specification, section 10).

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use gf2n::secret::SecretBytes;

use mq_eval::packed::{Engine, Multipliers, PackedField, Pivoting, System};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::coefficients::{Keystream, Stored};
use crate::error::InvalidSignature;

use crate::trapdoor::{self, Shape, Substituted};

/// Length of the secret seed.
pub const SECRET_SEED: usize = 32;
/// Length of the public seed.
pub const PUBLIC_SEED: usize = 16;
/// Length of the salt.
pub const SALT: usize = 16;
/// Attempts: the counter is one byte, and its last value is not used.
pub const ATTEMPTS: u64 = 255;

/// A base parameter set.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// GF(16) or GF(256).
    type Field: PackedField;
    /// Vinegar variables v = n - m.
    const VINEGAR: usize;
    /// Oil variables o, which is also the number of equations m.
    const OIL: usize;

    /// The shape of the map.
    #[must_use]
    fn shape() -> Shape {
        Shape { vinegar: Self::VINEGAR, oil: Self::OIL, cell: Self::Field::bytes(Self::OIL) }
    }
    /// Bytes of a packed vector of vinegar values.
    #[must_use]
    fn vinegar_bytes() -> usize {
        Self::Field::bytes(Self::VINEGAR)
    }
    /// Bytes of the secret matrix O, column after column.
    #[must_use]
    fn oil_bytes() -> usize {
        Self::vinegar_bytes() * Self::OIL
    }
    /// Bytes of a signature.
    #[must_use]
    fn signature_bytes() -> usize {
        Self::vinegar_bytes() + Self::shape().cell + SALT
    }
}

/// The public seed and O of a secret seed.
fn expand_secret_seed<P: Parameters>(seed: &[u8; SECRET_SEED]) -> ([u8; PUBLIC_SEED], SecretBytes) {
    let mut reader = Shake256::default().chain(seed).finalize_xof();
    let mut public_seed = [0; PUBLIC_SEED];
    reader.read(&mut public_seed);
    let mut oil = SecretBytes::zeros(P::oil_bytes());
    reader.read(&mut oil);
    (public_seed, oil)
}

fn oil_multipliers<P: Parameters>(engine: Engine, oil: &[u8]) -> Multipliers<P::Field> {
    let stride = P::vinegar_bytes();
    trapdoor::oil_multipliers(engine, P::shape(), |term, column| P::Field::get(&oil[column * stride..], term))
}

/// The parts of a key pair.
pub struct KeyParts {
    /// The public seed.
    pub public_seed: [u8; PUBLIC_SEED],
    /// P3.
    pub p3: Vec<u8>,
}

/// Public seed and P3 of a secret seed: all that the compressed formats need.
#[must_use]
pub fn generate_compact<P: Parameters>(engine: Engine, seed: &[u8; SECRET_SEED]) -> KeyParts {
    let (public_seed, oil) = expand_secret_seed::<P>(seed);
    let multipliers = oil_multipliers::<P>(engine, &oil);
    let shape = P::shape();
    let mut p3 = vec![0; shape.p3_bytes()];
    let (mut p1, mut p2) = streams::<P>(&public_seed);
    trapdoor::oil_products(shape, &mut p1, &mut p2, &multipliers, None, &mut p3);
    KeyParts { public_seed, p3 }
}

/// The keystreams of P1 and P2.
fn streams<P: Parameters>(public_seed: &[u8; PUBLIC_SEED]) -> (Keystream, Keystream) {
    (Keystream::new(public_seed), Keystream::at(public_seed, P::shape().p1_bytes()))
}

/// The expanded secret key seed || O || P1 || S.
#[must_use]
pub fn expanded_secret_bytes<P: Parameters>(engine: Engine, seed: &[u8; SECRET_SEED]) -> SecretBytes {
    let mut secret = SecretBytes::zeros(ExpandedSecret::<P>::len());
    let _ = generate_expanded::<P>(engine, seed, PublicPart::None, &mut secret);
    secret
}

/// How much of the expanded public key is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicPart {
    /// Nothing.
    None,
    /// P3.
    P3,
    /// P1 || P2 || P3.
    All,
}

/// Public seed and the wanted part of the expanded public key. `secret` has [`ExpandedSecret::len`] zeros and becomes the
/// expanded secret key seed || O || P1 || S.
///
/// # Panics
/// If `secret` has another length.
#[must_use]
pub fn generate_expanded<P: Parameters>(
    engine: Engine,
    seed: &[u8; SECRET_SEED],
    part: PublicPart,
    secret: &mut [u8],
) -> ([u8; PUBLIC_SEED], Vec<u8>) {
    let (public_seed, oil) = expand_secret_seed::<P>(seed);
    let multipliers = oil_multipliers::<P>(engine, &oil);
    let shape = P::shape();
    let (head, rest) = secret.split_at_mut(SECRET_SEED + oil.len());
    let (p1, s) = rest.split_at_mut(shape.p1_bytes());
    head[..SECRET_SEED].copy_from_slice(seed);
    head[SECRET_SEED..].copy_from_slice(&oil);
    let (mut stream, mut p2) = streams::<P>(&public_seed);
    stream.write(p1);
    let mut p1_again = Stored(p1);
    let mut public = Vec::new();
    match part {
        PublicPart::None => {
            trapdoor::oil_products(shape, &mut p1_again, &mut p2, &multipliers, Some(s), &mut []);
        }
        PublicPart::P3 => {
            public = vec![0; shape.p3_bytes()];
            trapdoor::oil_products(shape, &mut p1_again, &mut p2, &multipliers, Some(s), &mut public);
        }
        PublicPart::All => {
            public = vec![0; p1.len() + shape.p2_bytes() + shape.p3_bytes()];
            let (to_p1, rest) = public.split_at_mut(p1.len());
            let (to_p2, p3) = rest.split_at_mut(shape.p2_bytes());
            to_p1.copy_from_slice(p1);
            p2.write(to_p2);
            trapdoor::oil_products(shape, &mut p1_again, &mut Stored(to_p2), &multipliers, Some(s), p3);
        }
    }
    (public_seed, public)
}

/// A view of an expanded secret key seed || O || P1 || S.
pub struct ExpandedSecret<'a, P> {
    engine: Engine,
    seed: &'a [u8],
    oil: &'a [u8],
    p1: &'a [u8],
    s: &'a [u8],
    set: PhantomData<P>,
}

impl<'a, P: Parameters> ExpandedSecret<'a, P> {
    /// Length of the bytes.
    #[must_use]
    pub fn len() -> usize {
        let shape = P::shape();
        SECRET_SEED + P::oil_bytes() + shape.p1_bytes() + shape.p2_bytes()
    }

    /// Cuts the bytes; `None` if their number is not [`Self::len`]. Every byte string of that length is a key.
    #[must_use]
    pub fn parse(engine: Engine, bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() != Self::len() {
            return None;
        }
        let (seed, rest) = bytes.split_at(SECRET_SEED);
        let (oil, rest) = rest.split_at(P::oil_bytes());
        let (p1, s) = rest.split_at(P::shape().p1_bytes());
        Some(Self { engine, seed, oil, p1, s, set: PhantomData })
    }

    /// Signs; `signature` has [`Parameters::signature_bytes`]. The attempts made, or `None` after [`ATTEMPTS`] singular
    /// systems, with `signature` untouched.
    pub fn sign(&self, message: &[u8], salt: &[u8; SALT], signature: &mut [u8]) -> Option<u64> {
        sign_with::<P>(self.engine, self.seed, self.oil, message, salt, signature, |vinegar| {
            trapdoor::substitute_expanded(P::shape(), self.p1, self.s, vinegar, &[], &[])
        })
    }
}

/// A secret seed with what follows from it: O. Wiped when dropped.
pub struct CompactSecret<P: Parameters> {
    engine: Engine,
    seed: [u8; SECRET_SEED],
    public_seed: [u8; PUBLIC_SEED],
    oil: SecretBytes,
    multipliers: Multipliers<P::Field>,
}

impl<P: Parameters> Drop for CompactSecret<P> {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

impl<P: Parameters> ZeroizeOnDrop for CompactSecret<P> {}

impl<P: Parameters> CompactSecret<P> {
    /// Expands O only.
    #[must_use]
    pub fn new(engine: Engine, seed: &[u8; SECRET_SEED]) -> Self {
        let (public_seed, oil) = expand_secret_seed::<P>(seed);
        let multipliers = oil_multipliers::<P>(engine, &oil);
        Self { engine, seed: *seed, public_seed, oil, multipliers }
    }

    /// Signs without making S: P1 and P2 are made from the public seed and used once, again for each attempt.
    pub fn sign(&self, message: &[u8], salt: &[u8; SALT], signature: &mut [u8]) -> Option<u64> {
        sign_with::<P>(self.engine, &self.seed, &self.oil, message, salt, signature, |vinegar| {
            let mut stream = Keystream::new(&self.public_seed);
            trapdoor::substitute(P::shape(), &mut stream, vinegar, &self.multipliers, &[])
        })
    }
}

fn sign_with<P: Parameters>(
    engine: Engine,
    seed: &[u8],
    oil: &[u8],
    message: &[u8],
    salt: &[u8; SALT],
    signature: &mut [u8],
    substitute: impl Fn(&Multipliers<P::Field>) -> Substituted,
) -> Option<u64> {
    let cell = P::shape().cell;
    let absorbed = Shake256::default().chain(message).chain(salt);
    let mut target = vec![0; cell];
    absorbed.clone().finalize_xof().read(&mut target);
    let absorbed = absorbed.chain(seed);
    let mut packed = SecretBytes::zeros(P::vinegar_bytes());
    let mut solution = SecretBytes::zeros(P::OIL);
    let mut system = System::<P::Field>::new(engine, P::OIL, P::OIL);
    for attempt in 1..=ATTEMPTS {
        let counter = (attempt - 1) as u8;
        absorbed.clone().chain([counter]).finalize_xof().read(&mut packed);
        let vinegar =
            Multipliers::<P::Field>::new(engine, P::VINEGAR, 1, |term, _| P::Field::get(&packed, term));
        let substituted = substitute(&vinegar);
        for (index, column) in substituted.linear.chunks_exact(cell).enumerate() {
            system.column_mut(index).copy_from_slice(column);
        }
        let right = system.column_mut(P::OIL);
        right.copy_from_slice(&target);
        trapdoor::add(right, &substituted.constant[..cell]);
        // public: the specification lets the number of attempts show
        if system.solve(Pivoting::Full, &mut solution) {
            let values = Multipliers::<P::Field>::new(engine, P::OIL, 1, |term, _| solution[term]);
            trapdoor::add_oil_space(oil, P::vinegar_bytes(), &values, &mut packed);
            let (w, rest) = signature.split_at_mut(P::vinegar_bytes());
            w.copy_from_slice(&packed);
            P::Field::pack(&solution, &mut rest[..cell]);
            rest[cell..].copy_from_slice(salt);
            return Some(attempt);
        }
    }
    None
}

/// Where the coefficients of a public key are.
#[derive(Clone, Copy, Debug)]
pub enum PublicCoefficients<'a> {
    /// P1 || P2 in memory.
    Stored(&'a [u8]),
    /// To be made from the public seed.
    Seed(&'a [u8; PUBLIC_SEED]),
}

/// Verifies a signature of [`Parameters::signature_bytes`]. Variable time: everything is public.
///
/// # Errors
/// [`InvalidSignature`], also for a signature of another length.
pub fn verify<P: Parameters>(
    engine: Engine,
    coefficients: PublicCoefficients<'_>,
    p3: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    if signature.len() != P::signature_bytes() {
        return Err(InvalidSignature);
    }
    let shape = P::shape();
    let (vectors, salt) = signature.split_at(signature.len() - SALT);
    let mut target = vec![0; shape.cell];
    Shake256::default().chain(message).chain(salt).finalize_xof().read(&mut target);
    // w and x are packed one after the other without a gap: w has no padding
    let x =
        Multipliers::<P::Field>::new(engine, P::VINEGAR + P::OIL, 1, |term, _| P::Field::get(vectors, term));
    let values = match coefficients {
        PublicCoefficients::Stored(bytes) => trapdoor::public_values(shape, &mut Stored(bytes), p3, &x),
        PublicCoefficients::Seed(seed) => trapdoor::public_values(shape, &mut Keystream::new(seed), p3, &x),
    };
    if bool::from(values[..shape.cell].ct_eq(&target)) { Ok(()) } else { Err(InvalidSignature) }
}

/// Writes P1 || P2 of a public seed.
pub fn expand_public_seed(seed: &[u8; PUBLIC_SEED], coefficients: &mut [u8]) {
    Keystream::new(seed).write(coefficients);
}
