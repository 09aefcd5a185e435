//! Signing: the salts, the solution of the linear system, the signature.

use alloc::{vec, vec::Vec};

use super::backend::Backend;
use super::kernels::{DOT_BLOCK, dot};
use super::oil_system::OilSystem;
use super::packing::pack;
use super::parameters::{Parameters, Round};
use super::ring::{QuotientRing, centred, element, reduce, times_x};
use super::streams::{SaltStream, Secret, expand_secret, hash_target};
use super::system::{Reduced, solve_full_rank};
use gf2n::secret::SecretVec;

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

/// What a signature is made of once its linear system is known.
pub(crate) struct Signer<'a> {
    pub(crate) parameters: &'a Parameters,
    /// The secret matrix.
    pub(crate) secret: &'a [u8],
    /// The vinegar elements.
    pub(crate) vinegar: &'a [u8],
    /// The digest of the message.
    pub(crate) mu: &'a [u8; 64],
    pub(crate) seeds: &'a SigningSeeds<'a>,
    /// Salts after which signing gives up: [`SALT_LIMIT`].
    pub(crate) salt_limit: u64,
}

impl Signer<'_> {
    /// Solves the system for the first salt that makes it consistent and writes the signature, or nothing on error. Returns the
    /// number of salts.
    pub(crate) fn sign<B: Backend, R: QuotientRing>(
        &self,
        backend: B,
        system: &OilSystem,
        signature: &mut [u8],
    ) -> Result<u64, SigningError> {
        let parameters = self.parameters;
        let mut salts = SaltStream::new(parameters, self.seeds.salt);
        let mut salt = vec![0; parameters.salt_len()];
        let mut right_side = || {
            salts.next(&mut salt);
            let target = hash_target::<R>(parameters, self.mu, &salt);
            let difference =
                |(h, c): (&u8, &u8)| reduce::<R>(u32::from(*h) + R::MODULUS - u32::from(*c)) as u8;
            let right =
                SecretVec::of(target.iter().zip(system.constant.iter()).map(difference), parameters.oil);
            (salt.clone(), right)
        };

        let mut attempts = 1;
        let (mut salt, right) = right_side();
        if let Some(oil) = solve_full_rank::<B, R>(backend, &system.matrix, parameters.oil, &right) {
            self.write::<B, R>(backend, &oil, &salt, signature);
            return Ok(attempts);
        }
        let mut reduced = Reduced::with_right_side::<R>(backend, &system.matrix, parameters.oil, &right);
        let rank = reduced.rank();
        if rank + parameters.tolerated_defect() < parameters.oil {
            return Err(SigningError::RankTooLow);
        }
        let mut right = reduced.right_side::<R>();
        if !reduced.is_consistent(&right) {
            // public: another salt is needed. The transformation is kept from here on.
            reduced = Reduced::with_identity::<R>(backend, &system.matrix, parameters.oil);
            loop {
                if attempts >= self.salt_limit {
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
        let free = expand_secret::<R>(parameters, Secret::FreeVariables, self.seeds.free);
        let oil = reduced.solution::<R>(rank, &right, &free);
        self.write::<B, R>(backend, &oil, &salt, signature);
        Ok(attempts)
    }

    /// `s = (y - S o, o)`, in round 3 negated if its first non-zero element is above (q-1)/2, packed behind the salt.
    fn write<B: Backend, R: QuotientRing>(&self, backend: B, oil: &[u8], salt: &[u8], signature: &mut [u8]) {
        let parameters = self.parameters;
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
        let mut s = SecretVec::zeros(parameters.vinegar + m);
        backend.run(
            #[inline(always)]
            || {
                for (i, out) in s[..parameters.vinegar].chunks_exact_mut(degree).enumerate() {
                    let row = &self.secret[i * m..];
                    for (c, out) in out.iter_mut().enumerate() {
                        let product = dot::<B, R>(backend, &[(row, &weights[c * padded..(c + 1) * padded])]);
                        let difference = u32::from(self.vinegar[i * degree + c]) + R::MODULUS - product;
                        *out = reduce::<R>(difference) as u8;
                    }
                }
            },
        );
        s[parameters.vinegar..].copy_from_slice(oil);
        if parameters.round == Round::Three {
            // whether s is negated is secret before s is out: by masks (whose two values the compiler must not know: it would branch)
            let negate = core::hint::black_box(0_u8.wrapping_sub(has_large_first::<R>(&s)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qruov::backend::with_backend;
    use crate::qruov::ring::Q31L3;
    use crate::qruov::sets::C1Q31L3;

    /// Signs with a system that is given instead of the one of the seeds. `Ok` holds the number of salts; the output is checked to be
    /// untouched on error.
    fn sign_system(
        parameters: &Parameters,
        matrix: impl Fn(usize, usize) -> u8,
        salt_limit: u64,
    ) -> Result<u64, SigningError> {
        let (v, m) = (parameters.vinegar, parameters.oil);
        let mut system = OilSystem { matrix: SecretVec::zeros(m * m), constant: SecretVec::zeros(m) };
        for (index, entry) in system.matrix.iter_mut().enumerate() {
            *entry = matrix(index / m, index % m);
        }
        let seed = [7; 32];
        let seed = &seed[..parameters.secret_seed_len()];
        let secret = expand_secret::<Q31L3>(parameters, Secret::Matrix, seed);
        let signer = Signer {
            parameters,
            secret: &secret,
            vinegar: &vec![0; v],
            mu: &[9; 64],
            seeds: &SigningSeeds { vinegar: seed, salt: seed, free: seed },
            salt_limit,
        };
        let mut signature = vec![0xaa; parameters.signature_len()];
        let result = with_backend!(|backend| signer.sign::<_, Q31L3>(backend, &system, &mut signature));
        assert_eq!(signature.iter().all(|&byte| byte == 0xaa), result.is_err());
        result
    }

    /// The identity with its last rows zero.
    fn defect(parameters: &Parameters, rows: usize) -> impl Fn(usize, usize) -> u8 {
        let rank = parameters.oil - rows;
        move |i, j| u8::from(i == j && i < rank)
    }

    /// Round 3 refuses a rank below m - 3 (q = 31) before it tries a salt, and nothing else.
    #[test]
    fn rank_too_low() {
        let parameters = C1Q31L3.with_round(Round::Three);
        for rows in [4, 5, parameters.oil] {
            let result = sign_system(&parameters, defect(&parameters, rows), SALT_LIMIT);
            assert_eq!(result, Err(SigningError::RankTooLow), "{rows} rows");
            // in round 2 such a system costs salts
            assert_eq!(sign_system(&C1Q31L3, defect(&C1Q31L3, rows), 10), Err(SigningError::SaltsExhausted));
        }
        for rows in [1, 2, 3] {
            let result = sign_system(&parameters, defect(&parameters, rows), 1);
            assert_eq!(result, Err(SigningError::SaltsExhausted), "{rows} rows");
        }
        assert_eq!(sign_system(&parameters, defect(&parameters, 0), 1), Ok(1));
    }

    /// A system that takes n salts is signed with a limit of n, and not with a limit of n - 1.
    #[test]
    fn salts_exhausted() {
        for parameters in [C1Q31L3, C1Q31L3.with_round(Round::Three)] {
            let needed = sign_system(&parameters, defect(&parameters, 1), SALT_LIMIT).unwrap_or(0);
            assert!(needed > 1, "the seed of this test gives the first salt a solution");
            assert_eq!(sign_system(&parameters, defect(&parameters, 1), needed), Ok(needed));
            let result = sign_system(&parameters, defect(&parameters, 1), needed - 1);
            assert_eq!(result, Err(SigningError::SaltsExhausted));
        }
    }
}
