//! The public system against the definition, and signing against the public system, for parameters of many shapes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use core::convert::Infallible;

use gf2n::matrix::{BitMatrix, words_for};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2n::{Gf2n, backend};
use hfev::bits::{clear_from, extract_bits};
use hfev::{
    Error, FeistelPatarin, HashedRoot, HfevPolynomial, KeyError, PairRule, Parameters, SecretKey, SecretMap,
    UniqueRoot, public_system, sign_redrawing,
};
use mq_eval::gf2::System;
use rand_core::{TryCryptoRng, TryRng};

/// A generator for tests (SplitMix64).
struct TestRandom(u64);

impl TestRandom {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn vector(&mut self, bits: usize) -> Vec<u64> {
        let mut words: Vec<u64> = (0..words_for(bits)).map(|_| self.word()).collect();
        clear_from(&mut words, bits);
        words
    }

    fn elements<const N: usize, const L: usize>(&mut self, count: usize) -> Vec<Gf2n<N, L>>
    where
        LibraryModulus: Modulus<N, L>,
    {
        (0..count).map(|_| Gf2n::random(self).unwrap()).collect()
    }

    fn invertible(&mut self, side: usize) -> (BitMatrix, BitMatrix) {
        loop {
            let matrix = BitMatrix::random(side, side, self).unwrap();
            if let Some(inverse) = matrix.inverse() {
                return (matrix, inverse);
            }
        }
    }
}

impl TryRng for TestRandom {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for TestRandom {}

/// F(x, y) by the definition, from coefficients in the order of [`HfevPolynomial::new`].
fn central_map<const N: usize, const L: usize>(
    parameters: Parameters,
    (constant, linear, quadratic): &(Vec<Gf2n<N, L>>, Vec<Gf2n<N, L>>, Vec<Gf2n<N, L>>),
    point: &[u64],
) -> Gf2n<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    let v = parameters.vinegar();
    let bit = |k: usize| point[(N + k) / 64] >> ((N + k) % 64) & 1 == 1;
    let mut limbs = [0; L];
    limbs.copy_from_slice(&extract_bits(point, 0, N));
    let x = Gf2n::<N, L>::from_limbs(limbs).unwrap();
    let mut value = constant[0];
    let mut index = 1;
    for a in 0..v {
        for b in a..v {
            if bit(a) && bit(b) {
                value += constant[index];
            }
            index += 1;
        }
    }
    for i in 0..parameters.degree().linear_terms() {
        for k in 0..=v {
            if k == 0 || bit(k - 1) {
                value += linear[i * (v + 1) + k] * x.square_n(i);
            }
        }
    }
    for (coefficient, (i, j)) in quadratic.iter().zip(parameters.degree().quadratic_exponents()) {
        value += *coefficient * x.square_n(i) * x.square_n(j);
    }
    value
}

fn evaluate(system: &System, point: &[u64]) -> Vec<u64> {
    let mut value = vec![0; system.shape().equation_words()];
    system.evaluate(point, &mut value);
    value
}

/// An affine key with a random leading coefficient: public system by definition, and signing.
fn check_affine<const N: usize, const L: usize>(
    degree: usize,
    minus: usize,
    vinegar: usize,
    iterations: usize,
    sign: bool,
) where
    LibraryModulus: Modulus<N, L>,
{
    let parameters = Parameters::new(N, degree, minus, vinegar, iterations).unwrap();
    let mut rng = TestRandom((N * degree + vinegar) as u64);
    let coefficients = (
        rng.elements(1 + vinegar * (vinegar + 1) / 2),
        rng.elements(parameters.degree().linear_terms() * (vinegar + 1)),
        rng.elements::<N, L>(parameters.degree().quadratic_terms()),
    );
    let (c, l, b) = &coefficients;
    let polynomial = HfevPolynomial::new(parameters.degree(), vinegar, c, l, b).unwrap();
    let (input, input_inverse) = rng.invertible(parameters.variables());
    let (output, output_inverse) = rng.invertible(N);
    let (t, s) = (rng.vector(parameters.variables()), rng.vector(N));

    let system = public_system(parameters, &polynomial, (&input, Some(&t)), (&output, Some(&s))).unwrap();
    let key = SecretKey::new(
        parameters,
        polynomial,
        SecretMap::Affine { translation: t.clone(), matrix: input_inverse },
        SecretMap::Affine { translation: s.clone(), matrix: output_inverse },
    )
    .unwrap();
    assert_eq!(key.public_system().unwrap().rows(), system.rows());
    if N < 100 {
        for level in backend::Level::ALL {
            backend::set_ceiling(level);
            assert_eq!(key.public_system().unwrap().rows(), system.rows(), "{}", level.name());
        }
    }
    for _ in 0..8 {
        let x = rng.vector(parameters.variables());
        let mut inner = input.left_multiply(&x);
        inner.iter_mut().zip(&t).for_each(|(a, b)| *a ^= b);
        let image = central_map(parameters, &coefficients, &inner);
        let mut outer = output.left_multiply(image.limbs());
        outer.iter_mut().zip(&s).for_each(|(a, b)| *a ^= b);
        assert_eq!(evaluate(&system, &x), extract_bits(&outer, 0, parameters.equations()));
    }
    if !sign {
        return;
    }
    // one inversion at a time: the unique root, then any root
    let (mut unique, mut any) = (0, 0);
    for _ in 0..24 {
        let target = rng.vector(N);
        let vinegar_bits = rng.vector(vinegar);
        let mut fixed = key.fix_vinegar(&vinegar_bits);
        let first = fixed.invert(&target, &UniqueRoot, &mut rng).unwrap();
        let rule = HashedRoot::new(|bytes: &[u8]| u64::from(bytes[0]), PairRule::Draws);
        let second = fixed.invert(&target, &rule, &mut rng).unwrap();
        unique += usize::from(first.is_some());
        any += usize::from(second.is_some());
        assert!(second.is_some() || first.is_none());
        for preimage in [first, second].into_iter().flatten() {
            assert_eq!(evaluate(&system, &preimage), extract_bits(&target, 0, parameters.equations()));
        }
    }
    assert!(unique > 0 && any >= unique && any < 24, "{unique} and {any} of 24");
    // whole chains
    let width = words_for(parameters.equations());
    for split in [PairRule::Draws, PairRule::FormulaIfOdd] {
        let mut targets = Vec::new();
        for _ in 0..iterations {
            targets.extend(rng.vector(parameters.equations()));
        }
        assert_eq!(targets.len(), width * iterations);
        let rule = HashedRoot::new(|bytes: &[u8]| u64::from(bytes[0]), split);
        let signed = sign_redrawing(&key, &targets, &rule, &mut rng).unwrap();
        let chain = FeistelPatarin::from(parameters);
        let evaluate = |x: &[u64], y: &mut [u64]| system.evaluate(x, y);
        assert_eq!(chain.verify(&signed.signature, &targets, evaluate), Ok(true));
        assert!(signed.attempts >= iterations as u64);
        for bit in 0..parameters.signature_bits() {
            let mut wrong = signed.signature.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(chain.verify(&wrong, &targets, evaluate), Ok(false), "bit {bit}");
        }
    }
}

#[test]
fn affine_keys() {
    check_affine::<24, 1>(9, 8, 8, 2, true);
    check_affine::<25, 1>(9, 5, 6, 3, true);
    check_affine::<64, 1>(17, 9, 0, 1, true);
    check_affine::<65, 2>(20, 3, 70, 2, true);
    check_affine::<130, 3>(5, 10, 3, 4, true);
    // no constant leading coefficient
    check_affine::<40, 1>(8, 10, 7, 2, true);
}

#[test]
fn public_systems_of_any_degree() {
    check_affine::<9, 1>(8, 0, 1, 1, false);
    check_affine::<8, 1>(2, 7, 0, 1, false);
    check_affine::<193, 4>(129, 20, 5, 1, false);
    check_affine::<265, 5>(17, 22, 20, 1, false);
    check_affine::<326, 6>(6, 30, 12, 1, false);
    check_affine::<576, 9>(3, 32, 3, 1, false);
}

#[test]
fn keys_from_words() {
    let parameters = Parameters::new(66, 9, 4, 5, 3).unwrap();
    let mut rng = TestRandom(7);
    let words: Vec<u64> = (0..parameters.secret_words()).map(|_| rng.word()).collect();
    let key = SecretKey::<66, 2>::from_words(parameters, &words).unwrap();
    let system = key.public_system().unwrap();
    // the same key by matrices
    let (polynomial, input, output) = SecretKey::<66, 2>::parts_from_words(parameters, &words).unwrap();
    let matrices = SecretKey::new(
        parameters,
        polynomial,
        SecretMap::Matrix(input.product()),
        SecretMap::Matrix(output.product()),
    )
    .unwrap();
    assert_eq!(matrices.public_system().unwrap().rows(), system.rows());
    let targets = [rng.vector(62), rng.vector(62), rng.vector(62)].concat();
    let rule = HashedRoot::new(|bytes: &[u8]| u64::from(bytes[0]), PairRule::Draws);
    let signed = sign_redrawing(&key, &targets, &rule, &mut TestRandom(1)).unwrap();
    assert_eq!(sign_redrawing(&matrices, &targets, &rule, &mut TestRandom(1)), Ok(signed.clone()));
    let chain = FeistelPatarin::from(parameters);
    assert_eq!(chain.verify(&signed.signature, &targets, |x, y| system.evaluate(x, y)), Ok(true));
}

#[test]
fn parts_that_do_not_fit() {
    let parameters = Parameters::new(66, 9, 4, 5, 3).unwrap();
    let words = vec![1; parameters.secret_words()];
    let short = SecretKey::<66, 2>::from_words(parameters, &words[1..]).err();
    assert_eq!(short, Some(KeyError::Words { expected: words.len(), actual: words.len() - 1 }));
    let field = SecretKey::<67, 2>::from_words(parameters, &words).err();
    assert_eq!(field, Some(KeyError::Field { expected: 66, actual: 67 }));
    let other = Parameters::new(66, 9, 4, 6, 3).unwrap();
    let (polynomial, input, output) = SecretKey::<66, 2>::parts_from_words(parameters, &words).unwrap();
    let error =
        SecretKey::new(other, polynomial, SecretMap::Factors(input), SecretMap::Factors(output)).err();
    assert_eq!(error, Some(KeyError::Polynomial));
    let (polynomial, input, output) = SecretKey::<66, 2>::parts_from_words(parameters, &words).unwrap();
    let error =
        SecretKey::new(parameters, polynomial, SecretMap::Factors(output), SecretMap::Factors(input)).err();
    assert_eq!(error, Some(KeyError::Map { expected: 71, actual: 66 }));
    let (polynomial, input, _) = SecretKey::<66, 2>::parts_from_words(parameters, &words).unwrap();
    let singular = SecretMap::Matrix(BitMatrix::zero(66, 66));
    let key = SecretKey::new(parameters, polynomial, SecretMap::Factors(input), singular).unwrap();
    assert!(matches!(key.public_system(), Err(KeyError::Singular)));
}

/// Gives `left` requests, then fails; or repeats one byte for ever.
struct Limited {
    inner: TestRandom,
    left: usize,
}

impl TryRng for Limited {
    type Error = Error;
    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Err(Error::Random)
    }
    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Err(Error::Random)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.left = self.left.checked_sub(1).ok_or(Error::Random)?;
        self.inner.try_fill_bytes(bytes).map_err(|_| Error::Random)
    }
}

impl TryCryptoRng for Limited {}

#[test]
fn a_failing_generator_is_an_error_at_every_draw() {
    let parameters = Parameters::new(66, 9, 4, 5, 3).unwrap();
    let mut rng = TestRandom(8);
    let words: Vec<u64> = (0..parameters.secret_words()).map(|_| rng.word()).collect();
    let key = SecretKey::<66, 2>::from_words(parameters, &words).unwrap();
    let targets = [rng.vector(62), rng.vector(62), rng.vector(62)].concat();
    let rule = HashedRoot::new(|bytes: &[u8]| u64::from(bytes[0]), PairRule::Draws);
    let mut draws = 0;
    loop {
        let mut limited = Limited { inner: TestRandom(2), left: draws };
        match sign_redrawing(&key, &targets, &rule, &mut limited) {
            Err(error) => assert_eq!(error, Error::Random),
            Ok(_) => break,
        }
        draws += 1;
    }
    assert!(draws >= 6, "{draws}");
}

/// Always the same byte.
struct Constant(u8);

impl TryRng for Constant {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes([self.0; 4]))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes([self.0; 8]))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

#[test]
fn a_constant_generator_ends() {
    let parameters = Parameters::new(66, 9, 4, 5, 1).unwrap();
    let mut rng = TestRandom(9);
    let words: Vec<u64> = (0..parameters.secret_words()).map(|_| rng.word()).collect();
    let key = SecretKey::<66, 2>::from_words(parameters, &words).unwrap();
    let system = key.public_system().unwrap();
    let rule = HashedRoot::new(|bytes: &[u8]| u64::from(bytes[0]), PairRule::Draws);
    let (mut successes, mut exhausted) = (0, 0);
    for byte in 0..40 {
        let targets = rng.vector(62);
        match sign_redrawing(&key, &targets, &rule, &mut Constant(byte)) {
            Ok(signed) => {
                let chain = FeistelPatarin::from(parameters);
                let verdict = chain.verify(&signed.signature, &targets, |x, y| system.evaluate(x, y));
                assert_eq!(verdict, Ok(true));
                successes += 1;
            }
            Err(error) => {
                assert!(matches!(error, Error::AttemptsExhausted { attempts: 128 | 256 }), "{error}");
                exhausted += 1;
            }
        }
    }
    assert!(successes > 0 && exhausted > 0, "{successes} and {exhausted}");
}
