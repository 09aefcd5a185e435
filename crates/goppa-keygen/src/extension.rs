//! The extension GF(2^m)\[y\]/F that key generation draws its element from, and minimal polynomials in it.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use zeroize::Zeroizing;

use crate::berlekamp_massey::berlekamp_massey;

/// GF(2^m)\[y\]/F for a monic F of degree t >= 1: F = y^t + sum of the given terms. F is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    field: Gf2m,
    degree: usize,
    terms: Vec<(usize, u16)>,
}

/// Products of packed elements: one coefficient each 32 bits, so that sums of products (at most 31 bits) do not meet.
type Packed = Zeroizing<Vec<u64>>;

impl Extension {
    /// The extension by y^degree + sum of c y^e over the `terms` (e, c); `None` if degree is 0, an exponent is not below
    /// the degree, or a coefficient is not in the field. Whether F is irreducible is not checked here:
    /// [`crate::irreducible::is_irreducible`] does.
    #[must_use]
    pub fn new(field: Gf2m, degree: usize, terms: &[(usize, u16)]) -> Option<Self> {
        let fits =
            |&(exponent, coefficient): &(usize, u16)| exponent < degree && coefficient & !field.mask() == 0;
        (degree > 0 && terms.iter().all(fits)).then(|| Self { field, degree, terms: terms.to_vec() })
    }

    /// The field of the coefficients.
    #[must_use]
    pub fn field(&self) -> Gf2m {
        self.field
    }

    /// The degree t.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The terms of F below y^t.
    #[must_use]
    pub fn terms(&self) -> &[(usize, u16)] {
        &self.terms
    }

    /// Remainder modulo F, in place; the first t entries are the result.
    #[inline(always)]
    fn reduce(&self, polynomial: &mut [u16]) {
        for high in (self.degree..polynomial.len()).rev() {
            let coefficient = polynomial[high];
            for &(exponent, factor) in &self.terms {
                polynomial[high - self.degree + exponent] ^=
                    if factor == 1 { coefficient } else { self.field.mul(coefficient, factor) };
            }
        }
    }

    #[inline(always)]
    fn pack(&self, element: &[u16]) -> Packed {
        Zeroizing::new(
            element
                .chunks(2)
                .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
                .collect(),
        )
    }

    /// Product of two elements of t coefficients; constant time.
    #[must_use]
    pub fn mul<B: LaneBackend>(&self, backend: B, left: &[u16], right: &[u16]) -> Zeroizing<Vec<u16>> {
        backend.run(
            #[inline(always)]
            || {
                let (left, right) = (self.pack(left), self.pack(right));
                let mut sums = Zeroizing::new(vec![0u64; left.len() + right.len() + 1]);
                for (i, a) in left.iter().enumerate() {
                    let mut high = 0;
                    for (b, sum) in right.iter().zip(&mut sums[i..]) {
                        let product = backend.carryless_mul(*a, *b);
                        *sum ^= product as u64 ^ high;
                        high = (product >> 64) as u64;
                    }
                    sums[i + right.len()] ^= high;
                }
                let mut product: Zeroizing<Vec<u16>> = Zeroizing::new(
                    (0..2 * self.degree - 1)
                        .map(|index| self.field.reduce((sums[index / 2] >> (32 * (index % 2))) as u32))
                        .collect(),
                );
                self.reduce(&mut product);
                product.truncate(self.degree);
                product
            },
        )
    }

    /// Square of an element; constant time.
    #[must_use]
    pub fn square<B: LaneBackend>(&self, backend: B, element: &[u16]) -> Zeroizing<Vec<u16>> {
        backend.run(
            #[inline(always)]
            || {
                let mut square = Zeroizing::new(vec![0u16; 2 * self.degree - 1]);
                for (index, coefficient) in element.iter().enumerate().take(self.degree) {
                    square[2 * index] = self.field.square(*coefficient);
                }
                self.reduce(&mut square);
                square.truncate(self.degree);
                square
            },
        )
    }

    /// 1, element, element^2, ..., `count` of them.
    fn powers<B: LaneBackend>(&self, backend: B, element: &[u16], count: usize) -> Vec<Zeroizing<Vec<u16>>> {
        let mut one = Zeroizing::new(vec![0u16; self.degree]);
        one[0] = 1;
        let mut powers = vec![one];
        for exponent in 1..count {
            powers.push(if exponent == 1 {
                Zeroizing::new(element.to_vec())
            } else if exponent % 2 == 0 {
                self.square(backend, &powers[exponent / 2])
            } else {
                self.mul(backend, &powers[exponent - 1], element)
            });
        }
        powers
    }

    /// The coefficient vector of the linear form x -> (coefficient 0 of x * element).
    #[inline(always)]
    fn constant_term_form(&self, constants: &[(usize, u16)], element: &[u16]) -> Zeroizing<Vec<u16>> {
        let mut form = Zeroizing::new(vec![0u16; self.degree]);
        for &(power, constant) in constants {
            for (index, entry) in form.iter_mut().enumerate() {
                if let Some(coefficient) = power.checked_sub(index).and_then(|other| element.get(other)) {
                    *entry ^=
                        if constant == 1 { *coefficient } else { self.field.mul(constant, *coefficient) };
                }
            }
        }
        form
    }

    /// Coefficients 0..t of the monic minimal polynomial of `element` over GF(2^m), or `None` if its degree is below t (this
    /// verdict is public: the attempt is thrown away).
    ///
    /// The sequence of the constant terms of element^i, i < 2t, has the same minimal polynomial whenever the degree is t: the
    /// powers then span the extension, and no nonzero linear form vanishes on all of them. Constant time otherwise.
    #[must_use]
    pub fn minimal_polynomial<B: LaneBackend, const M: usize>(
        &self,
        backend: B,
        element: &[u16],
    ) -> Option<Zeroizing<Vec<u16>>> {
        debug_assert_eq!(M as u32, self.field.degree());
        let mut sequence = self.power_projection(backend, element);
        let recurrence = berlekamp_massey::<B, M>(backend, &sequence);
        zeroize::Zeroize::zeroize(&mut *sequence);
        (recurrence.length == self.degree).then(|| Zeroizing::new(recurrence.polynomial.clone()))
    }

    /// Constant terms of element^i, i < 2t: baby steps i < s, giant steps s j.
    fn power_projection<B: LaneBackend>(&self, backend: B, element: &[u16]) -> Zeroizing<Vec<u16>> {
        let count = 2 * self.degree;
        let mut babies = 1;
        while babies * babies < count {
            babies += 1;
        }
        let baby_powers = self.powers(backend, element, babies + 1);
        let giants = self.powers(backend, &baby_powers[babies], count.div_ceil(babies));
        // constant terms of y^i, i <= 2t - 2: public, and sparse as F is
        let mut all = vec![0u16; count - 1];
        all[0] = 1;
        for index in self.degree..count - 1 {
            for &(exponent, factor) in &self.terms {
                all[index] ^= self.field.mul(factor, all[index - self.degree + exponent]);
            }
        }
        let constants: Vec<(usize, u16)> =
            all.into_iter().enumerate().filter(|(_, constant)| *constant != 0).collect();
        backend.run(
            #[inline(always)]
            || {
                let packed: Vec<Packed> =
                    baby_powers[..babies].iter().map(|power| self.pack(power)).collect();
                let mut sequence = Zeroizing::new(Vec::with_capacity(babies * giants.len()));
                for giant in &giants {
                    let mut form = self.pack(&self.constant_term_form(&constants, giant));
                    for word in form.iter_mut() {
                        *word = word.rotate_left(32);
                    }
                    for baby in &packed {
                        // slot 1 of (a0 + a1 Z)(b1 + b0 Z) is a0 b0 + a1 b1
                        let mut sum = 0;
                        for (a, b) in baby.iter().zip(form.iter()) {
                            sum ^= backend.carryless_mul(*a, *b);
                        }
                        sequence.push(self.field.reduce((sum >> 32) as u32));
                    }
                }
                sequence.truncate(count);
                sequence
            },
        )
    }
}
