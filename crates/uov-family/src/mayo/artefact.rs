//! The scheme of "MAYO: Optimized Implementation with Revised Parameters for ARMv7-M" (ePrint 2023/540), as its artefact
//! computes it. Its authors say that it is not the official MAYO.
//!
//! Whipping is done by m by m matrices E; keys are expanded. The elimination tries too few pivots from row 8 on
//! ([`Pivoting::Artefact`]), which decides which attempts fail and is part of the known answers.

use alloc::vec;
use alloc::vec::Vec;
use gf2n::secret::SecretBytes;

use mq_eval::packed::products::Rows;
use mq_eval::packed::{Engine, Gf16, Multipliers, PackedField, Pivoting, System};

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::artefact32::{self, Matrices};
use super::shuffle::shuffle;
use crate::coefficients::Stored;
use crate::error::{Error, InvalidSignature};
use crate::sponge::shake256;

use crate::trapdoor::{self, Shape, add};

/// Length of a seed, of the salt and of a stored E seed.
pub const SEED: usize = 32;
/// Attempts after which signing gives up. The artefact has no bound; an attempt succeeds with probability 0.76.
pub const ATTEMPTS: u64 = 256;

/// A parameter set.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// Equations; where odd, the last nibble of an m-vector is padding.
    const M: usize;
    /// Oil variables.
    const O: usize;
    /// Blocks.
    const K: usize;
    /// Keys hold a seed of the matrices E instead of the matrices.
    const COMPACT_E: bool;

    /// Variables of a block.
    const N: usize = 66;
    /// Vinegar variables of a block.
    const V: usize = Self::N - Self::O;
    /// Bytes of an m-vector.
    const CELL: usize = Self::M.div_ceil(2);
    /// Bytes of a packed vector of vinegar values; its last nibble is padding.
    const VINEGAR: usize = Self::V.div_ceil(2);
    /// Pairs of blocks.
    const PAIRS: usize = Self::K * (Self::K + 1) / 2;
    /// Bytes of all matrices E.
    const MATRICES: usize = Self::PAIRS * Self::M * Self::CELL;
    /// Bytes of E in a key.
    const E: usize = if Self::COMPACT_E { SEED } else { Self::MATRICES };
    /// The shape of the map.
    const SHAPE: Shape = Shape { vinegar: Self::V, oil: Self::O, cell: Self::CELL };
    /// Bytes of a public key: E, then P row by row.
    const PUBLIC_KEY: usize = Self::E + Rows::triangle_bytes(Self::N, Self::CELL, Self::N);
    /// Bytes of a secret key: E, P1, the oil space row by row, S.
    const SECRET_KEY: usize =
        Self::E + Self::SHAPE.p1_bytes() + Self::O * Self::VINEGAR + Self::SHAPE.p2_bytes();
    /// Bytes of a signature.
    const SIGNATURE: usize = SEED + Self::K * Self::N / 2;
    /// Columns of the system that are left out.
    const SKIPPED: usize = Self::K * Self::O - Self::M;
}

/// Makes a key pair (public, secret) from a seed.
#[must_use]
pub fn generate<P: Parameters>(engine: Engine, seed: &[u8; SEED]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
    let mut seeds = Zeroizing::new([0; 2 * SEED]);
    shake256(&[seed], &mut *seeds);
    let (public_seed, oil_seed) = seeds.split_at(SEED);
    let mut form_seeds = vec![0; 2 * P::M * SEED];
    shake256(&[public_seed], &mut form_seeds);
    let mut oil = SecretBytes::zeros(P::O * P::V);
    shake256(&[oil_seed], &mut oil);
    oil.iter_mut().for_each(|element| *element &= 15);

    let (p1_seeds, p2_seeds) = form_seeds.split_at(P::M * SEED);
    let mut coefficients = vec![0; P::SHAPE.p1_bytes() + P::SHAPE.p2_bytes()];
    let (p1, p2) = coefficients.split_at_mut(P::SHAPE.p1_bytes());
    let mut square = vec![0; P::V * P::V];
    for (form, seed) in p1_seeds.chunks_exact(SEED).enumerate() {
        // the whole square is drawn, the strictly lower part dropped
        shake256(&[seed], &mut square);
        let mut cells = p1.chunks_exact_mut(P::CELL);
        for row in 0..P::V {
            for (element, cell) in square[row * P::V + row..(row + 1) * P::V].iter().zip(&mut cells) {
                Gf16::add(cell, form, element & 15);
            }
        }
    }
    let mut rectangle = vec![0; P::V * P::O];
    for (form, seed) in p2_seeds.chunks_exact(SEED).enumerate() {
        shake256(&[seed], &mut rectangle);
        for (element, cell) in rectangle.iter().zip(p2.chunks_exact_mut(P::CELL)) {
            Gf16::add(cell, form, element & 15);
        }
    }

    let multipliers: Multipliers<Gf16> =
        trapdoor::oil_multipliers(engine, P::SHAPE, |term, c| oil[c * P::V + term]);
    let (p1, p2) = coefficients.split_at(P::SHAPE.p1_bytes());
    let mut s = SecretBytes::zeros(p2.len());
    let mut p3 = vec![0; P::SHAPE.p3_bytes()];
    trapdoor::oil_products(P::SHAPE, &mut Stored(p1), &mut Stored(p2), &multipliers, Some(&mut s), &mut p3);

    let mut e = vec![0; P::E];
    // the stream of the first matrix of P1: the design does not separate them
    shake256(&[&form_seeds[..SEED]], &mut e);
    let public = join_public::<P>(&e, &coefficients, &p3);

    let mut packed = SecretBytes::zeros(P::O * P::VINEGAR);
    for (row, packed) in oil.chunks_exact(P::V).zip(packed.chunks_exact_mut(P::VINEGAR)) {
        Gf16::pack(row, packed);
    }
    let mut secret = Zeroizing::new(Vec::with_capacity(P::SECRET_KEY));
    secret.extend_from_slice(&e);
    secret.extend_from_slice(&coefficients[..P::SHAPE.p1_bytes()]);
    secret.extend_from_slice(&packed);
    secret.extend_from_slice(&s);
    (public, secret)
}

/// The public key that belongs to a secret key: P2 is S without (P1 + P1^T) O. `None` for a wrong length.
#[must_use]
pub fn public_key<P: Parameters>(engine: Engine, secret_key: &[u8]) -> Option<Vec<u8>> {
    if secret_key.len() != P::SECRET_KEY {
        return None;
    }
    let (e, rest) = secret_key.split_at(P::E);
    let (p1, rest) = rest.split_at(P::SHAPE.p1_bytes());
    let (oil, s) = rest.split_at(P::O * P::VINEGAR);
    let multipliers: Multipliers<Gf16> =
        trapdoor::oil_multipliers(engine, P::SHAPE, |term, c| Gf16::get(&oil[c * P::VINEGAR..], term));
    // with S in the place of P2, this adds (P1 + P1^T) O to it, which leaves P2
    let mut p2 = SecretBytes::zeros(s.len());
    let mut p3 = vec![0; P::SHAPE.p3_bytes()];
    let mut first = Stored(p1);
    trapdoor::oil_products(P::SHAPE, &mut first, &mut Stored(s), &multipliers, Some(&mut p2), &mut []);
    trapdoor::oil_products(P::SHAPE, &mut Stored(p1), &mut Stored(&p2), &multipliers, None, &mut p3);
    let coefficients = [p1, &p2[..]].concat();
    Some(join_public::<P>(e, &coefficients, &p3))
}

/// E, then the rows of P, made of the rows of P1 and P2, and P3.
fn join_public<P: Parameters>(e: &[u8], coefficients: &[u8], p3: &[u8]) -> Vec<u8> {
    let (p1, p2) = coefficients.split_at(P::SHAPE.p1_bytes());
    let mut public = Vec::with_capacity(P::PUBLIC_KEY);
    public.extend_from_slice(e);
    for row in 0..P::V {
        let [start, end] = [row, row + 1].map(|row| Rows::triangle_bytes(P::V, P::CELL, row));
        public.extend_from_slice(&p1[start..end]);
        public.extend_from_slice(&p2[row * P::O * P::CELL..(row + 1) * P::O * P::CELL]);
    }
    public.extend_from_slice(p3);
    public
}

/// The matrices E of a public or secret key, pair after pair, column by column; `None` if the key is shorter than its E. With
/// m odd the last nibble of a column is junk in the key and zero here.
#[must_use]
pub fn matrices<P: Parameters>(key: &[u8]) -> Option<Vec<u8>> {
    let e = key.get(..P::E)?;
    Some(expand_matrices::<P>(e))
}

fn expand_matrices<P: Parameters>(e: &[u8]) -> Vec<u8> {
    let mut all = vec![0; P::MATRICES];
    if P::COMPACT_E {
        shake256(&[e], &mut all);
    } else {
        all.copy_from_slice(e);
    }
    if P::M % 2 == 1 {
        all.chunks_exact_mut(P::CELL).for_each(|column| column[P::CELL - 1] &= 15);
    }
    all
}

/// Byte of a padding nibble that is not zero in a public key with m odd, outside E (where it is ignored).
#[must_use]
pub fn public_padding<P: Parameters>(public_key: &[u8]) -> Option<usize> {
    padding::<P>(public_key, P::E..P::PUBLIC_KEY)
}

/// Byte of a padding nibble that is not zero in a secret key, outside E (where it is ignored).
#[must_use]
pub fn secret_padding<P: Parameters>(secret_key: &[u8]) -> Option<usize> {
    let oil = P::E + P::SHAPE.p1_bytes();
    let s = oil + P::O * P::VINEGAR;
    let in_oil = || {
        let last = |row: usize| oil + row * P::VINEGAR + P::VINEGAR - 1;
        (0..P::O).map(last).find(|byte| P::V % 2 == 1 && secret_key[*byte] >> 4 != 0)
    };
    padding::<P>(secret_key, P::E..oil).or_else(in_oil).or_else(|| padding::<P>(secret_key, s..P::SECRET_KEY))
}

fn padding<P: Parameters>(key: &[u8], cells: core::ops::Range<usize>) -> Option<usize> {
    let last = cells.start + P::CELL - 1;
    (last..cells.end).step_by(P::CELL).find(|byte| P::M % 2 == 1 && key[*byte] >> 4 != 0)
}

/// Position of the pair (i, j), i <= j, in the order (0, 0), (0, 1), ..., (1, 1), ...
fn pair<P: Parameters>(i: usize, j: usize) -> usize {
    i * P::K - i * i.saturating_sub(1) / 2 + j - i
}

/// sums(c) += E u(c) for `count` cells `u`, given as columns of multipliers.
fn apply<P: Parameters>(engine: Engine, matrix: &[u8], cells: &[&[u8]], sums: &mut [u8]) {
    let multipliers =
        Multipliers::<Gf16>::new(engine, P::M, cells.len(), |term, c| Gf16::get(cells[c], term));
    let jobs = mq_eval::packed::products::row_jobs(P::CELL, P::CELL, 0..P::M);
    multipliers.combine(matrix, sums, P::CELL, &jobs);
}

/// Sum over i <= j of E_ij u_ij; `values` has u_ij at cell j * k + i.
fn whip<P: Parameters>(engine: Engine, matrices: &[u8], values: &[u8], sum: &mut [u8]) {
    for i in 0..P::K {
        for j in i..P::K {
            let matrix = &matrices[pair::<P>(i, j) * P::M * P::CELL..][..P::M * P::CELL];
            let value = &values[(j * P::K + i) * P::CELL..][..P::CELL];
            apply::<P>(engine, matrix, &[value], sum);
        }
    }
}

/// A view of the official bytes of a secret key, and of its matrices E.
pub struct Secret<'a> {
    matrices: Matrices<'a>,
    p1: &'a [u8],
    oil: &'a [u8],
    s: &'a [u8],
}

impl<'a> Secret<'a> {
    /// Cuts the bytes of a secret key whose [`matrices`] are given; `None` if a length is wrong.
    #[must_use]
    pub fn parse<P: Parameters>(bytes: &'a [u8], matrices: &'a [u8]) -> Option<Self> {
        if matrices.len() != P::MATRICES {
            return None;
        }
        Self::cut::<P>(bytes, Matrices::Stored(matrices))
    }

    /// Cuts the bytes of a secret key, whose matrices E are made, where they are not stored, when they are needed: for each attempt
    /// again, one at a time on machines of 32-bit words. `None` if the length is wrong.
    #[must_use]
    pub fn borrow<P: Parameters>(bytes: &'a [u8]) -> Option<Self> {
        Self::cut::<P>(bytes, Matrices::of_key::<P>(bytes)?)
    }

    fn cut<P: Parameters>(bytes: &'a [u8], matrices: Matrices<'a>) -> Option<Self> {
        if bytes.len() != P::SECRET_KEY {
            return None;
        }
        let (_, rest) = bytes.split_at(P::E);
        let (p1, rest) = rest.split_at(P::SHAPE.p1_bytes());
        let (oil, s) = rest.split_at(P::O * P::VINEGAR);
        Some(Self { matrices, p1, oil, s })
    }

    /// Signs. `draw` is one request to the random generator: in each attempt 32 bytes of salt, k vectors of vinegar values, and
    /// k o - 1 times 4 bytes for the shuffle, each a request of its own. Gives the attempts made.
    ///
    /// # Errors
    /// The error of `draw`, or [`Error::AttemptsExhausted`]; `signature` ([`Parameters::SIGNATURE`] bytes) is untouched then.
    pub fn sign<P: Parameters, E>(
        &self,
        engine: Engine,
        message: &[u8],
        mut draw: impl FnMut(&mut [u8]) -> Result<(), E>,
        signature: &mut [u8],
    ) -> Result<u64, Error<E>> {
        let unknowns = P::K * P::O;
        let mut order: Zeroizing<Vec<usize>> = Zeroizing::new((0..unknowns).collect());
        let mut packed = SecretBytes::zeros(P::K * P::VINEGAR);
        let mut solution = SecretBytes::zeros(P::M);
        for attempt in 1..=ATTEMPTS {
            let mut salt = [0; SEED];
            draw(&mut salt).map_err(Error::Random)?;
            for vector in packed.chunks_exact_mut(P::VINEGAR) {
                draw(vector).map_err(Error::Random)?;
                if P::V % 2 == 1 {
                    vector[P::VINEGAR - 1] &= 15;
                }
            }
            let mut right = SecretBytes::zeros(P::CELL);
            shake256(&[message, &salt], &mut right);
            if P::M % 2 == 1 {
                right[P::CELL - 1] &= 15;
            }
            let linear = self.linear_system::<P>(engine, &packed, &mut right);
            shuffle(&mut order, &mut draw).map_err(Error::Random)?;
            order[..P::SKIPPED].sort_unstable();
            // public: which unknowns are zero depends on the random generator only, and shows in the signature's own oil part
            let kept: Vec<usize> =
                (0..unknowns).filter(|column| !order[..P::SKIPPED].contains(column)).collect();
            let mut system = System::<Gf16>::new(engine, P::M, P::M);
            for (index, column) in kept.iter().enumerate() {
                system.column_mut(index).copy_from_slice(&linear[column * P::CELL..][..P::CELL]);
            }
            system.column_mut(P::M).copy_from_slice(&right);
            // public: the number of attempts
            if !system.solve(Pivoting::Artefact, &mut solution) {
                continue;
            }
            let mut all = SecretBytes::zeros(unknowns);
            for (column, element) in kept.iter().zip(solution.iter()) {
                all[*column] = *element;
            }
            let values = Multipliers::<Gf16>::new(engine, P::O, P::K, |c, i| all[i * P::O + c]);
            trapdoor::add_oil_space(self.oil, P::VINEGAR, &values, &mut packed);
            let (head, body) = signature.split_at_mut(SEED);
            head.copy_from_slice(&salt);
            body.fill(0);
            for (i, block) in body.chunks_exact_mut(P::N / 2).enumerate() {
                for variable in 0..P::V {
                    Gf16::add(block, variable, Gf16::get(&packed[i * P::VINEGAR..], variable));
                }
                for c in 0..P::O {
                    Gf16::add(block, P::V + c, all[i * P::O + c]);
                }
            }
            return Ok(attempt);
        }
        Err(Error::AttemptsExhausted { attempts: ATTEMPTS })
    }

    /// All k o columns of the system for vinegar values `packed`; adds the constants to `right`.
    fn linear_system<P: Parameters>(&self, engine: Engine, packed: &[u8], right: &mut [u8]) -> SecretBytes {
        let vinegar = Multipliers::<Gf16>::new(engine, P::V, P::K, |term, i| {
            Gf16::get(&packed[i * P::VINEGAR..], term)
        });
        let left = trapdoor::substitute_expanded(P::SHAPE, self.p1, self.s, &vinegar, &[], &[]);
        if matches!(engine, Engine::Words32) {
            return artefact32::linear_system::<P>(self.matrices, &left, right);
        }
        let expanded;
        let matrices = match self.matrices {
            Matrices::Stored(matrices) => matrices,
            Matrices::Seed(seed) => {
                expanded = expand_matrices::<P>(seed);
                &expanded
            }
        };
        whip::<P>(engine, matrices, &left.constant, right);
        let block = P::O * P::CELL;
        let mut system = SecretBytes::zeros(P::K * block);
        let mut sums = SecretBytes::zeros(2 * block);
        for i in 0..P::K {
            for j in i..P::K {
                let matrix = &matrices[pair::<P>(i, j) * P::M * P::CELL..][..P::M * P::CELL];
                let mut cells: Vec<&[u8]> = left.linear[j * block..][..block].chunks_exact(P::CELL).collect();
                if i != j {
                    cells.extend(left.linear[i * block..][..block].chunks_exact(P::CELL));
                }
                sums.fill(0);
                apply::<P>(engine, matrix, &cells, &mut sums);
                add(&mut system[i * block..][..block], &sums[..block]);
                add(&mut system[j * block..][..block], &sums[block..]);
            }
        }
        system
    }
}

/// A view of the official bytes of a public key, and of its matrices E.
#[derive(Clone, Debug)]
pub struct Public<'a> {
    matrices: Matrices<'a>,
    p: &'a [u8],
}

impl<'a> Public<'a> {
    /// Cuts the bytes of a public key whose [`matrices`] are given; `None` if a length is wrong.
    #[must_use]
    pub fn parse<P: Parameters>(bytes: &'a [u8], matrices: &'a [u8]) -> Option<Self> {
        if bytes.len() != P::PUBLIC_KEY || matrices.len() != P::MATRICES {
            return None;
        }
        Some(Self { matrices: Matrices::Stored(matrices), p: &bytes[P::E..] })
    }

    /// Cuts the bytes of a public key, as [`Secret::borrow`]. `None` if the length is wrong.
    #[must_use]
    pub fn borrow<P: Parameters>(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() != P::PUBLIC_KEY {
            return None;
        }
        Some(Self { matrices: Matrices::of_key::<P>(bytes)?, p: &bytes[P::E..] })
    }

    /// Verifies a signature. Variable time: everything is public.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a signature of another length.
    pub fn verify<P: Parameters>(
        &self,
        engine: Engine,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        if signature.len() != P::SIGNATURE {
            return Err(InvalidSignature);
        }
        let (salt, vectors) = signature.split_at(SEED);
        let x =
            Multipliers::<Gf16>::new(engine, P::N, P::K, |term, i| Gf16::get(&vectors[i * P::N / 2..], term));
        let values = trapdoor::triangle_values(P::N, P::CELL, self.p, &x);
        let mut sum = vec![0; P::CELL];
        match (engine, self.matrices) {
            (Engine::Words32, matrices) => artefact32::whip_public::<P>(matrices, &values, &mut sum),
            (_, Matrices::Stored(matrices)) => whip::<P>(engine, matrices, &values, &mut sum),
            (_, Matrices::Seed(seed)) => whip::<P>(engine, &expand_matrices::<P>(seed), &values, &mut sum),
        }
        let mut target = vec![0; P::CELL];
        shake256(&[message, salt], &mut target);
        if P::M % 2 == 1 {
            target[P::CELL - 1] &= 15;
        }
        if bool::from(sum.ct_eq(&target)) { Ok(()) } else { Err(InvalidSignature) }
    }
}
