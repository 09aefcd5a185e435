//! MAYO of the NIST process, rounds 2 and 3. Source: MAYO specification, round 2 (February 2025); round 3 as its public code of
//! September 2026 computes it: another whipping schedule and a linear term derived from message and salt.

use alloc::vec;
use alloc::vec::Vec;
use gf2n::secret::SecretBytes;

use mq_eval::packed::{Engine, Gf16, Multipliers, PackedField, Pivoting, System};
use subtle::ConstantTimeEq;
use zeroize::ZeroizeOnDrop;

use super::schedule::Schedule;
use super::whipping::Sums;
use crate::coefficients::{Coefficients, Keystream, Stored};
use crate::counter_cipher::CounterCipher;
use crate::error::InvalidSignature;
use crate::sponge::{Sponge, shake256};

use crate::trapdoor::{self, Shape, Substituted, add};

/// Length of the public seed.
pub const PUBLIC_SEED: usize = 16;
/// Attempts: the counter is one byte.
pub const ATTEMPTS: u64 = 256;

/// A parameter set.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// Variables of a block.
    const N: usize;
    /// Equations (even).
    const M: usize;
    /// Oil variables.
    const O: usize;
    /// Blocks.
    const K: usize;
    /// Bytes of the salt, of the secret seed and of the random input of a signature.
    const SALT: usize;
    /// Bytes of the message digest.
    const DIGEST: usize;
    /// f(z) - z^m: the coefficients of z^0 to z^3.
    const TAIL: [u8; 4];
    /// The exponents of z, and with them the round.
    const SCHEDULE: Schedule;

    /// Vinegar variables of a block.
    const V: usize = Self::N - Self::O;
    /// Columns of the linear system.
    const UNKNOWNS: usize = Self::K * Self::O;
    /// Bytes of an m-vector.
    const CELL: usize = Self::M / 2;
    /// The shape of the map.
    const SHAPE: Shape = Shape { vinegar: Self::V, oil: Self::O, cell: Self::CELL };
    /// Bytes of a public key.
    const PUBLIC_KEY: usize = PUBLIC_SEED + Self::SHAPE.p3_bytes();
    /// Bytes of a signature.
    const SIGNATURE: usize = Self::K * Self::N / 2 + Self::SALT;
}

/// The matrix O, and the public seed, of a secret seed.
struct Secret {
    public_seed: [u8; PUBLIC_SEED],
    /// O row by row, one element a byte.
    oil: SecretBytes,
}

fn expand_secret_seed<P: Parameters>(seed: &[u8]) -> Secret {
    let mut reader = Sponge::new(&[seed]);
    let mut public_seed = [0; PUBLIC_SEED];
    reader.read(&mut public_seed);
    let mut packed = SecretBytes::zeros(Gf16::bytes(P::V * P::O));
    reader.read(&mut packed);
    let mut oil = SecretBytes::zeros(P::V * P::O);
    Gf16::unpack(&packed, &mut oil);
    Secret { public_seed, oil }
}

impl Secret {
    fn multipliers<P: Parameters>(&self, engine: Engine) -> Multipliers<Gf16> {
        trapdoor::oil_multipliers(engine, P::SHAPE, |row, column| self.oil[row * P::O + column])
    }

    /// The columns of O as packed vectors of v elements.
    fn packed_columns<P: Parameters>(&self) -> SecretBytes {
        let stride = Gf16::bytes(P::V);
        let mut columns = SecretBytes::zeros(P::O * stride);
        for row in 0..P::V {
            for column in 0..P::O {
                Gf16::add(&mut columns[column * stride..], row, self.oil[row * P::O + column]);
            }
        }
        columns
    }
}

/// The public key of a secret seed of [`Parameters::SALT`] bytes.
#[must_use]
pub fn public_key<P: Parameters>(engine: Engine, seed: &[u8]) -> Vec<u8> {
    let secret = expand_secret_seed::<P>(seed);
    let oil = secret.multipliers::<P>(engine);
    let mut public = vec![0; P::PUBLIC_KEY];
    let (head, p3) = public.split_at_mut(PUBLIC_SEED);
    head.copy_from_slice(&secret.public_seed);
    let mut p1 = Keystream::new(&secret.public_seed);
    let mut p2 = Keystream::at(&secret.public_seed, P::SHAPE.p1_bytes());
    trapdoor::oil_products(P::SHAPE, &mut p1, &mut p2, &oil, None, p3);
    public
}

/// What message and salt determine: t and, in round 3, the n cells of the linear term lambda. Public.
struct Target {
    value: Vec<u8>,
    linear: Vec<u8>,
}

fn target<P: Parameters>(digest: &[u8], salt: &[u8]) -> Target {
    let mut reader = Sponge::new(&[digest, salt]);
    let mut value = vec![0; P::CELL];
    reader.read(&mut value);
    let mut linear = Vec::new();
    if matches!(P::SCHEDULE, Schedule::Round3(_)) {
        let mut key = [0; 16];
        let mut iv = [0; 16];
        reader.read(&mut key);
        reader.read(&mut iv);
        linear = vec![0; (P::N * P::CELL).next_multiple_of(16)];
        // the counter is XORed to the last four bytes, not added
        CounterCipher::new(&key).fill(0, u128::from_be_bytes(iv), &mut linear);
        linear.truncate(P::N * P::CELL);
    }
    Target { value, linear }
}

fn message_digest<P: Parameters>(message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; P::DIGEST];
    shake256(&[message], &mut digest);
    digest
}

/// Adds z^l(i, j) u_ij for all pairs to sum number `first`; `values` has u_ij, i >= j, at cell i * k + j.
fn whip_values<P: Parameters>(sums: &mut Sums, first: usize, values: &[u8]) {
    let mut wide = sums.room(1);
    for i in 0..P::K {
        for j in 0..=i {
            sums.spread(&values[(i * P::K + j) * P::CELL..][..P::CELL], P::CELL, &mut wide);
            sums.add(first, &wide, P::SCHEDULE.exponent(i, j, P::K));
        }
    }
}

/// The sums that a verifier or a signer with `blocks` columns needs.
fn sums<P: Parameters>(columns: usize) -> Sums {
    Sums::new(columns, P::CELL, P::K * (P::K + 1) / 2 - 1)
}

/// Makes the linear system of signing: block i is the sum over j of z^l(i, j) M_j.
fn fill_system<P: Parameters>(substituted: &Substituted, value: &[u8], system: &mut System<Gf16>) {
    let mut sums = sums::<P>(P::UNKNOWNS + 1);
    let mut wide = sums.room(P::O);
    for (j, block) in substituted.linear.chunks_exact(P::O * P::CELL).enumerate() {
        sums.spread(block, P::CELL, &mut wide);
        for i in 0..P::K {
            sums.add(i * P::O, &wide, P::SCHEDULE.exponent(i, j, P::K));
        }
    }
    whip_values::<P>(&mut sums, P::UNKNOWNS, &substituted.constant);
    sums.reduce(P::CELL, P::TAIL, |number, column| system.column_mut(number).copy_from_slice(column));
    add(system.column_mut(P::UNKNOWNS), value);
}

/// A secret key expanded for signing often: P1 and L in memory. Wiped when dropped.
pub struct ExpandedSecret {
    engine: Engine,
    seed: SecretBytes,
    secret: Secret,
    p1: Vec<u8>,
    l: SecretBytes,
    oil: Multipliers<Gf16>,
}

impl ZeroizeOnDrop for ExpandedSecret {}

impl ExpandedSecret {
    /// Expands a secret seed of [`Parameters::SALT`] bytes.
    #[must_use]
    pub fn new<P: Parameters>(engine: Engine, seed: &[u8]) -> Self {
        let secret = expand_secret_seed::<P>(seed);
        let oil = secret.multipliers::<P>(engine);
        let mut p1 = vec![0; P::SHAPE.p1_bytes()];
        let mut stream = Keystream::new(&secret.public_seed);
        stream.write(&mut p1);
        let mut l = SecretBytes::zeros(P::SHAPE.p2_bytes());
        trapdoor::oil_products(P::SHAPE, &mut Stored(&p1), &mut stream, &oil, Some(&mut l), &mut []);
        Self { engine, seed: SecretBytes::from(seed), secret, p1, l, oil }
    }

    /// Signs with `random` ([`Parameters::SALT`] bytes). The attempts made, or `None` after [`ATTEMPTS`] systems of low rank,
    /// with `signature` ([`Parameters::SIGNATURE`] bytes) untouched.
    pub fn sign<P: Parameters>(&self, message: &[u8], random: &[u8], signature: &mut [u8]) -> Option<u64> {
        let oil_term = |linear: &[u8]| {
            // O^T lambda(vinegar) + lambda(oil)
            let mut cells = SecretBytes::from(linear.get(P::V * P::CELL..).unwrap_or(&[]));
            if !cells.is_empty() {
                let rows = mq_eval::packed::products::Rows { range: 0..P::V, width: 1, cell: P::CELL };
                mq_eval::packed::products::rectangle_transposed(&self.oil, linear, &rows, &mut cells);
            }
            cells
        };
        let mut extra_oil = None;
        sign_with::<P>(
            self.engine,
            &self.seed,
            &self.secret,
            message,
            random,
            signature,
            |vinegar, linear| {
                let extra_oil = extra_oil.get_or_insert_with(|| oil_term(linear));
                let extra = linear.get(..P::V * P::CELL).unwrap_or(&[]);
                trapdoor::substitute_expanded(P::SHAPE, &self.p1, &self.l, vinegar, extra, extra_oil)
            },
        )
    }
}

/// Signs from the secret seed without making L: P1 and P2 are made from the public seed and used once, again for each attempt.
/// Arguments and result as for [`ExpandedSecret::sign`].
pub fn sign<P: Parameters>(
    engine: Engine,
    seed: &[u8],
    message: &[u8],
    random: &[u8],
    signature: &mut [u8],
) -> Option<u64> {
    let secret = expand_secret_seed::<P>(seed);
    let oil = secret.multipliers::<P>(engine);
    sign_with::<P>(engine, seed, &secret, message, random, signature, |vinegar, linear| {
        let mut stream = Keystream::new(&secret.public_seed);
        trapdoor::substitute(P::SHAPE, &mut stream, vinegar, &oil, linear)
    })
}

fn sign_with<P: Parameters>(
    engine: Engine,
    seed: &[u8],
    secret: &Secret,
    message: &[u8],
    random: &[u8],
    signature: &mut [u8],
    mut substitute: impl FnMut(&Multipliers<Gf16>, &[u8]) -> Substituted,
) -> Option<u64> {
    let digest = message_digest::<P>(message);
    let mut salt = vec![0; P::SALT];
    shake256(&[&digest, random, seed], &mut salt);
    let target = target::<P>(&digest, &salt);
    let stride = Gf16::bytes(P::V);
    let mut drawn = SecretBytes::zeros(P::K * stride + Gf16::bytes(P::UNKNOWNS));
    let mut solution = SecretBytes::zeros(P::UNKNOWNS);
    let mut system = System::<Gf16>::new(engine, P::M, P::UNKNOWNS);
    for attempt in 1..=ATTEMPTS {
        let counter = (attempt - 1) as u8;
        shake256(&[&digest, &salt, seed, &[counter]], &mut drawn);
        let (values, random) = drawn.split_at_mut(P::K * stride);
        let vinegar =
            Multipliers::<Gf16>::new(engine, P::V, P::K, |term, i| Gf16::get(&values[i * stride..], term));
        let substituted = substitute(&vinegar, &target.linear);
        fill_system::<P>(&substituted, &target.value, &mut system);
        randomise(engine, &mut system, random, P::UNKNOWNS);
        // public: the specification lets the number of attempts show
        if !system.solve(Pivoting::Full, &mut solution) {
            continue;
        }
        for (index, element) in solution.iter_mut().enumerate() {
            *element ^= Gf16::get(random, index);
        }
        let oil_values = Multipliers::<Gf16>::new(engine, P::O, P::K, |c, i| solution[i * P::O + c]);
        trapdoor::add_oil_space(&secret.packed_columns::<P>(), stride, &oil_values, values);
        let (body, end) = signature.split_at_mut(P::SIGNATURE - P::SALT);
        body.fill(0);
        for i in 0..P::K {
            for variable in 0..P::V {
                Gf16::add(body, i * P::N + variable, Gf16::get(&values[i * stride..], variable));
            }
            for c in 0..P::O {
                Gf16::add(body, i * P::N + P::V + c, solution[i * P::O + c]);
            }
        }
        end.copy_from_slice(&salt);
        return Some(attempt);
    }
    None
}

/// Subtracts A r from the right-hand side.
fn randomise(engine: Engine, system: &mut System<Gf16>, random: &[u8], unknowns: usize) {
    let multipliers = Multipliers::new(engine, unknowns, 1, |term, _| Gf16::get(random, term));
    system.subtract_product(&multipliers);
}

/// A public key expanded for verifying often.
#[derive(Clone, Debug)]
pub struct ExpandedPublic {
    engine: Engine,
    /// P1 || P2 || P3
    coefficients: Vec<u8>,
}

impl ExpandedPublic {
    /// Expands a public key of [`Parameters::PUBLIC_KEY`] bytes; `None` for another length.
    #[must_use]
    pub fn new<P: Parameters>(engine: Engine, public_key: &[u8]) -> Option<Self> {
        if public_key.len() != P::PUBLIC_KEY {
            return None;
        }
        let (seed, p3) = public_key.split_first_chunk::<PUBLIC_SEED>()?;
        let start = P::SHAPE.p1_bytes() + P::SHAPE.p2_bytes();
        let mut coefficients = vec![0; start + p3.len()];
        Keystream::new(seed).write(&mut coefficients[..start]);
        coefficients[start..].copy_from_slice(p3);
        Some(Self { engine, coefficients })
    }

    /// Verifies a signature. Variable time: everything is public.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a signature of another length.
    pub fn verify<P: Parameters>(&self, message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        let (coefficients, p3) = self.coefficients.split_at(P::SHAPE.p1_bytes() + P::SHAPE.p2_bytes());
        verify_with::<P>(self.engine, &mut Stored(coefficients), p3, message, signature)
    }
}

/// Verifies a signature with a public key in its official bytes, which are expanded chunk by chunk.
///
/// # Errors
/// [`InvalidSignature`], also for a signature or a key of another length.
pub fn verify<P: Parameters>(
    engine: Engine,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    let (seed, p3) = public_key.split_first_chunk::<PUBLIC_SEED>().ok_or(InvalidSignature)?;
    if public_key.len() != P::PUBLIC_KEY {
        return Err(InvalidSignature);
    }
    verify_with::<P>(engine, &mut Keystream::new(seed), p3, message, signature)
}

fn verify_with<P: Parameters>(
    engine: Engine,
    coefficients: &mut impl Coefficients,
    p3: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    if signature.len() != P::SIGNATURE {
        return Err(InvalidSignature);
    }
    let (vectors, salt) = signature.split_at(P::SIGNATURE - P::SALT);
    let target = target::<P>(&message_digest::<P>(message), salt);
    let x = Multipliers::<Gf16>::new(engine, P::N, P::K, |term, i| Gf16::get(vectors, i * P::N + term));
    let mut values = trapdoor::public_values(P::SHAPE, coefficients, p3, &x);
    if !target.linear.is_empty() {
        // the linear term of vector i belongs to the pair (i, 0)
        let job = mq_eval::packed::Job {
            destination: 0,
            len: P::CELL,
            source: 0,
            step: P::CELL,
            step_shrink: 0,
            terms: 0..P::N,
        };
        x.combine(&target.linear, &mut values, P::K * P::CELL, &[job]);
    }
    let mut sums = sums::<P>(1);
    whip_values::<P>(&mut sums, 0, &values);
    let mut valid = false;
    sums.reduce(P::CELL, P::TAIL, |_, value| valid = value.ct_eq(&target.value).into());
    if valid { Ok(()) } else { Err(InvalidSignature) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters of MAYO-2, round 3.
    #[derive(Clone, Copy)]
    struct Set;

    impl Parameters for Set {
        const N: usize = 86;
        const M: usize = 64;
        const O: usize = 13;
        const K: usize = 5;
        const SALT: usize = 24;
        const DIGEST: usize = 32;
        const TAIL: [u8; 4] = [8, 0, 2, 8];
        const SCHEDULE: Schedule = Schedule::Round3(&super::super::schedule::BLOCKS_5);
    }

    /// With L = 0, and without the linear term of round 3, every system is zero: the attempts run out.
    #[test]
    fn attempts_run_out_without_an_output() {
        let mut key = ExpandedSecret::new::<Set>(Engine::detect(), &[1; 24]);
        let mut signature = vec![0x5a; Set::SIGNATURE];
        assert!(key.sign::<Set>(b"m", &[2; 24], &mut signature).is_some());
        signature.fill(0x5a);
        key.l.fill(0);
        assert_eq!(key.sign::<Round2>(b"m", &[2; 24], &mut signature), None);
        assert!(signature.iter().all(|byte| *byte == 0x5a));
    }

    /// The same numbers with the schedule of round 2: no linear term.
    #[derive(Clone, Copy)]
    struct Round2;

    impl Parameters for Round2 {
        const N: usize = Set::N;
        const M: usize = Set::M;
        const O: usize = Set::O;
        const K: usize = Set::K;
        const SALT: usize = Set::SALT;
        const DIGEST: usize = Set::DIGEST;
        const TAIL: [u8; 4] = Set::TAIL;
        const SCHEDULE: Schedule = Schedule::Round2;
    }
}
