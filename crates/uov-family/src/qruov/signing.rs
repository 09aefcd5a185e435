//! Signing: the linear system of the oil variables, the salts, the solution.

use alloc::{vec, vec::Vec};
use zeroize::{Zeroize, Zeroizing};

use super::backend::{Backend, gather_block};
use super::kernels::{DOT_BLOCK, Panel, accumulate_scaled, dot, gather, multiply_panel, pack_quads};
use super::packing::pack;
use super::parameters::{Parameters, Round};
use super::ring::{QuotientRing, centred, element, pairing_index, reduce, reduce_signed, times_x};
use super::streams::{Group, PublicExpansion, SLACK, SaltStream, Secret, expand_secret, hash_target};
use super::system::Reduced;

/// Salts after which signing gives up. The expected number is `q^d` for rank defect `d`, at most 29 791 for the defects that round 3
/// tolerates; in round 2 a defect of 4 and more (probability below `q^-16`) ends here.
pub const SALT_LIMIT: u64 = 1 << 20;

/// Why no signature was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SigningError {
    /// Round 3: the rank of the system is below the tolerated one; no salt was tried.
    #[error("the linear system has too low a rank")]
    RankTooLow,
    /// No salt of [`SALT_LIMIT`] made the system consistent.
    #[error("no salt made the linear system consistent")]
    SaltsExhausted,
}

/// The three secret seeds of one signature, in the order in which they are drawn.
#[derive(Clone, Copy)]
pub struct SigningSeeds<'a> {
    /// `seed_y`: expands to the vinegar elements.
    pub vinegar: &'a [u8],
    /// `seed_r`: expands to the salts.
    pub salt: &'a [u8],
    /// `seed_sol`: expands to the values of free variables.
    pub free: &'a [u8],
}

/// `A o = h - c`: the public map restricted to one choice of the vinegar elements.
pub(crate) struct OilSystem {
    /// `m x m`, row by row.
    pub(crate) matrix: Zeroizing<Vec<u8>>,
    /// `c`, m elements.
    pub(crate) constant: Zeroizing<Vec<u8>>,
}

impl OilSystem {
    fn new(oil: usize) -> Self {
        Self { matrix: Zeroizing::new(vec![0; oil * oil]), constant: Zeroizing::new(vec![0; oil]) }
    }

    /// From the seeds: `t_k = y^T P1_k`, `u_k = 2 (y^T P2_k - t_k S)`, `A[k][l j + e] = u_k[j][perm(e)]`, `c[k] = psi(t_k y)`, for a group of
    /// equations at a time, from the triangle: row `i` gives `t[j] += y_i P[i][j]` for `j >= i` and `t[i] += P[i][j] y_j` for `j > i`.
    #[inline(always)]
    pub(crate) fn from_seeds<B: Backend, R: QuotientRing>(
        backend: B,
        parameters: &Parameters,
        secret: &[u8],
        vinegar: &[u8],
        public_seed: &[u8],
    ) -> Self {
        let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
        let secret_panel = Panel::of_matrix::<B, R>(secret, v, m);
        let column = Panel::of_column::<R>(vinegar, v);
        let functional = Panel::of_functional::<R>(vinegar, v);
        let expansion = PublicExpansion::new(parameters, public_seed);
        let mut group = Group::new(parameters, B::LANES);

        let zeros = |len: usize| vec![backend.zero(); len];
        let mut row = zeros((v.max(m) + gather_block::<R>()) * R::QUADS);
        let mut sums = zeros(v * R::DEGREE);
        let mut below = zeros(R::DEGREE);
        let mut products = zeros(v * R::QUADS);
        let mut oil_sums = zeros(m * R::DEGREE);
        let mut corrections = zeros(secret_panel.outputs());
        let mut constant = zeros(1);

        let mut out = Self::new(parameters.oil);
        for first in (0..parameters.oil).step_by(B::LANES) {
            let count = (parameters.oil - first).min(B::LANES);
            expansion.expand::<B, R>(backend, first, count, &mut group);
            sums.fill(backend.zero());
            let mut offset = 0;
            for i in 0..v {
                let len = v - i;
                gather::<B, R>(backend, &group.p1, group.p1_stride, offset, len, &mut row);
                let (entries, diagonal) = (&row[..len * R::QUADS], R::QUADS);
                accumulate_scaled::<B, R>(backend, entries, &column, i, &mut sums[i * R::DEGREE..]);
                multiply_panel::<B, R>(backend, &entries[diagonal..], &column, i + 1, &mut below);
                for (sum, below) in sums[i * R::DEGREE..].iter_mut().zip(&below) {
                    *sum = add_words(backend, *sum, *below);
                }
                offset += len * R::DEGREE;
            }
            pack_quads::<B, R>(backend, &sums, &mut products);
            multiply_panel::<B, R>(backend, &products, &functional, 0, &mut constant);
            multiply_panel::<B, R>(backend, &products, &secret_panel, 0, &mut corrections);
            oil_sums.fill(backend.zero());
            for i in 0..v {
                let offset = i * m * R::DEGREE;
                gather::<B, R>(backend, &group.p2, group.p2_stride, offset, m, &mut row);
                accumulate_scaled::<B, R>(backend, &row[..m * R::QUADS], &column, i, &mut oil_sums);
            }
            let (sums, corrections) = (B::words(&oil_sums), B::words(&corrections));
            let constant = B::words(&constant);
            for e in 0..count {
                out.constant[first + e] = reduce_signed::<R>(constant[e] as i32) as u8;
                out.store_row::<R>(first + e, |x| {
                    sums[x * B::LANES + e] as i32 - corrections[x * B::LANES + e] as i32
                });
            }
        }
        for buffer in [&mut sums, &mut below, &mut products, &mut oil_sums, &mut corrections, &mut constant] {
            B::words_mut(buffer).zeroize();
        }
        out
    }

    /// Row `k` of A from half of `u_k`, whose coefficient `x` is `half(x)`.
    #[inline(always)]
    fn store_row<R: QuotientRing>(&mut self, k: usize, half: impl Fn(usize) -> i32) {
        let oil = self.constant.len();
        let row = &mut self.matrix[k * oil..(k + 1) * oil];
        for (j, entries) in row.chunks_exact_mut(R::DEGREE).enumerate() {
            for (e, entry) in entries.iter_mut().enumerate() {
                *entry = reduce_signed::<R>(2 * half(j * R::DEGREE + pairing_index::<R>(e))) as u8;
            }
        }
    }

    /// From the expanded key: `u_k = 2 y^T F_k` with `F_k = P2_k - P1_k S`, and `c[k]` as a dot product with the weights of `y`.
    #[inline(always)]
    pub(crate) fn from_expanded<B: Backend, R: QuotientRing>(
        backend: B,
        parameters: &Parameters,
        groups: &[Group],
        vinegar: &[u8],
        vinegar_weights: &[u8],
    ) -> Self {
        let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
        let column = Panel::of_column::<R>(vinegar, v);
        let zeros = |len: usize| vec![backend.zero(); len];
        let mut row = zeros((m + gather_block::<R>()) * R::QUADS);
        let mut sums = zeros(m * R::DEGREE);
        let mut out = Self::new(parameters.oil);
        for first in (0..parameters.oil).step_by(B::LANES) {
            let group = &groups[first / EXPANDED_GROUP];
            let skipped = first % EXPANDED_GROUP;
            let f = &group.p2[skipped * group.p2_stride..];
            sums.fill(backend.zero());
            for i in 0..v {
                gather::<B, R>(backend, f, group.p2_stride, i * m * R::DEGREE, m, &mut row);
                accumulate_scaled::<B, R>(backend, &row[..m * R::QUADS], &column, i, &mut sums);
            }
            let words = B::words(&sums);
            for e in 0..(parameters.oil - first).min(B::LANES) {
                let p1 = &group.p1[(skipped + e) * group.p1_stride..];
                out.constant[first + e] = dot::<B, R>(backend, &[(p1, vinegar_weights)]) as u8;
                out.store_row::<R>(first + e, |x| words[x * B::LANES + e] as i32);
            }
        }
        B::words_mut(&mut sums).zeroize();
        out
    }
}

/// Equations of one group of an expanded key: a multiple of the lanes of every back end.
pub(crate) const EXPANDED_GROUP: usize = 16;

/// The sum of words.
#[inline(always)]
fn add_words<B: Backend>(_backend: B, x: B::Vector, y: B::Vector) -> B::Vector {
    let mut sum = [x];
    for (x, y) in B::words_mut(&mut sum).iter_mut().zip(B::words(&[y])) {
        *x = x.wrapping_add(*y);
    }
    sum[0]
}

/// `F_k = P2_k - P1_k S` in the place of P2, for the first equations of an expanded group.
#[inline(always)]
pub(crate) fn replace_by_oil_part<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    panel: &Panel,
    group: &mut Group,
) {
    let (v, m) = (parameters.vinegar_ring(), parameters.oil_ring());
    let degree = R::DEGREE;
    let mut square_row = vec![0_u8; B::LANES * (v * degree + SLACK)];
    let row_stride = v * degree + SLACK;
    let mut row = vec![backend.zero(); (v + gather_block::<R>()) * R::QUADS];
    let mut sums = vec![backend.zero(); panel.outputs()];
    for skipped in (0..EXPANDED_GROUP).step_by(B::LANES) {
        let p1 = &group.p1[skipped * group.p1_stride..];
        for i in 0..v {
            // row i of the symmetric matrix: column i above the diagonal, then the row of the triangle
            for (e, full) in square_row.chunks_exact_mut(row_stride).enumerate() {
                let triangle = &p1[e * group.p1_stride..];
                let mut start = 0;
                for j in 0..i {
                    let from = start + (i - j) * degree;
                    full[j * degree..(j + 1) * degree].copy_from_slice(&triangle[from..from + degree]);
                    start += (v - j) * degree;
                }
                full[i * degree..v * degree].copy_from_slice(&triangle[start..start + (v - i) * degree]);
            }
            gather::<B, R>(backend, &square_row, row_stride, 0, v, &mut row);
            multiply_panel::<B, R>(backend, &row[..v * R::QUADS], panel, 0, &mut sums);
            let words = B::words(&sums);
            for e in 0..B::LANES {
                let start = (skipped + e) * group.p2_stride + i * m * degree;
                for (x, entry) in group.p2[start..start + m * degree].iter_mut().enumerate() {
                    *entry = reduce_signed::<R>(i32::from(*entry) - words[x * B::LANES + e] as i32) as u8;
                }
            }
        }
    }
    B::words_mut(&mut sums).zeroize();
}

/// Solves the system for the first salt that makes it consistent and writes the signature. Returns the number of salts.
pub(crate) fn finish<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    secret: &[u8],
    vinegar: &[u8],
    system: &OilSystem,
    mu: &[u8; 64],
    seeds: &SigningSeeds<'_>,
    signature: &mut [u8],
) -> Result<u64, SigningError> {
    let mut salts = SaltStream::new(parameters, seeds.salt);
    let mut salt = vec![0; parameters.salt_len()];
    let mut right_side = || {
        salts.next(&mut salt);
        let target = hash_target::<R>(parameters, mu, &salt);
        let difference = |(h, c): (&u8, &u8)| reduce::<R>(u32::from(*h) + R::MODULUS - u32::from(*c)) as u8;
        let right: Zeroizing<Vec<u8>> =
            Zeroizing::new(target.iter().zip(system.constant.iter()).map(difference).collect());
        (salt.clone(), right)
    };

    let mut attempts = 1;
    let (mut salt, right) = right_side();
    let mut reduced = Reduced::with_right_side::<R>(&system.matrix, parameters.oil, &right);
    let rank = reduced.rank();
    if rank + parameters.tolerated_defect() < parameters.oil {
        return Err(SigningError::RankTooLow);
    }
    let mut right = reduced.right_side::<R>();
    if !reduced.is_consistent(&right) {
        // public: another salt is needed. The transformation is kept from here on.
        reduced = Reduced::with_identity::<R>(&system.matrix, parameters.oil);
        loop {
            if attempts == SALT_LIMIT {
                return Err(SigningError::SaltsExhausted);
            }
            attempts += 1;
            let (next_salt, next_right) = right_side();
            right = reduced.transform::<R>(&next_right);
            if reduced.is_consistent(&right) {
                salt = next_salt;
                break;
            }
        }
    }
    let free = if rank < parameters.oil {
        expand_secret::<R>(parameters, Secret::FreeVariables, seeds.free)
    } else {
        Zeroizing::new(Vec::new())
    };
    let oil = reduced.solution::<R>(rank, &right, &free);
    write_signature::<B, R>(backend, parameters, secret, vinegar, &oil, &salt, signature);
    Ok(attempts)
}

/// `s = (y - S o, o)`, in round 3 negated if its first non-zero element is above (q-1)/2, packed behind the salt.
fn write_signature<B: Backend, R: QuotientRing>(
    backend: B,
    parameters: &Parameters,
    secret: &[u8],
    vinegar: &[u8],
    oil: &[u8],
    salt: &[u8],
    signature: &mut [u8],
) {
    let (m, degree) = (parameters.oil, R::DEGREE);
    // weights of output c: coefficient c of x^t o_j, at l j + t
    let padded = m.next_multiple_of(DOT_BLOCK);
    let mut weights = vec![0; padded * degree];
    for (j, coefficients) in oil.chunks_exact(degree).enumerate() {
        let mut power = element::<R>(coefficients);
        for t in 0..degree {
            for c in 0..degree {
                weights[c * padded + j * degree + t] = centred::<R>(u32::from(power[c]));
            }
            power = times_x::<R>(&power);
        }
    }
    let mut s = Zeroizing::new(vec![0; parameters.vinegar + m]);
    backend.run(
        #[inline(always)]
        || {
            for (i, out) in s[..parameters.vinegar].chunks_exact_mut(degree).enumerate() {
                let row = &secret[i * m..];
                for (c, out) in out.iter_mut().enumerate() {
                    let product = dot::<B, R>(backend, &[(row, &weights[c * padded..(c + 1) * padded])]);
                    let difference = u32::from(vinegar[i * degree + c]) + R::MODULUS - product;
                    *out = reduce::<R>(difference) as u8;
                }
            }
        },
    );
    s[parameters.vinegar..].copy_from_slice(oil);
    if parameters.round == Round::Three {
        // whether s is negated is secret before s is out: by masks
        let negate = 0_u8.wrapping_sub(has_large_first::<R>(&s));
        for element in s.iter_mut() {
            let negative = reduce::<R>(R::MODULUS - u32::from(*element)) as u8;
            *element = (*element & !negate) | (negative & negate);
        }
    }
    let mut packed = Vec::with_capacity(signature.len() + 8);
    packed.extend_from_slice(salt);
    pack::<R>(&s, &mut packed);
    signature.copy_from_slice(&packed);
}

/// 1 if the first non-zero element is above (q-1)/2, else 0; constant time.
pub(crate) fn has_large_first<R: QuotientRing>(s: &[u8]) -> u8 {
    let (mut searching, mut large) = (1_u8, 0_u8);
    for &element in s {
        large |= searching & (element >> (R::BITS - 1));
        searching &= 1 ^ (element.wrapping_neg() >> 7 | element >> 7);
    }
    large
}
