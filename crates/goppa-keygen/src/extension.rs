//! The extension GF(2^m)\[y\]/F that key generation draws its element from, and minimal polynomials in it.

use alloc::vec;
use alloc::vec::Vec;

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::LaneBackend;
use zeroize::Zeroizing;

use crate::backend::carryless::CarrylessLists;
use crate::berlekamp_massey::berlekamp_massey;
use crate::wiped::Wiped;

/// GF(2^m)\[y\]/F for a monic F of degree t >= 1: F = y^t + sum of the given terms. F is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    field: Gf2m,
    degree: usize,
    terms: Vec<(usize, u16)>,
}

/// Carry-less products that are reduced together.
const PIECE: usize = 16;

/// Products of packed elements: one coefficient each 32 bits, so that sums of products (at most 31 bits) do not meet.
type Packed = Wiped<u64>;

/// The bits of a coefficient at the even places: its carry-less square.
#[inline(always)]
fn spread(coefficient: u16) -> u32 {
    let mut bits = u32::from(coefficient);
    bits = (bits | bits << 8) & 0x00FF_00FF;
    bits = (bits | bits << 4) & 0x0F0F_0F0F;
    bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

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

    /// Remainders of a multiple of [`PIECE`] carry-less products modulo the field polynomial; constant time.
    #[inline(always)]
    fn reduce_products(&self, products: &mut [u32]) {
        let (degree, mask) = (self.field.degree(), u32::from(self.field.mask()));
        // z^degree = the sum of z^tap; the taps are public
        let modulus = u32::from(self.field.reduce(1 << degree));
        let taps = |tap: &u32| modulus >> tap & 1 == 1;
        let top_tap = (0..degree).rev().find(taps).unwrap_or(0);
        let mut excess = degree - 1;
        while excess > 0 {
            for piece in products.as_chunks_mut::<PIECE>().0 {
                let mut high = *piece;
                for (high, product) in high.iter_mut().zip(piece.iter_mut()) {
                    *high >>= degree;
                    *product &= mask;
                }
                for tap in 0..=top_tap {
                    if taps(&tap) {
                        for (product, high) in piece.iter_mut().zip(&high) {
                            *product ^= high << tap;
                        }
                    }
                }
            }
            excess = (excess + top_tap).saturating_sub(degree);
        }
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
        Wiped::new(
            element
                .chunks(2)
                .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
                .collect(),
        )
    }

    /// Product of two elements of t coefficients; constant time.
    #[must_use]
    pub fn mul<B: CarrylessLists>(&self, backend: B, left: &[u16], right: &[u16]) -> Zeroizing<Vec<u16>> {
        backend.run(
            #[inline(always)]
            || {
                let (left, right) = (self.pack(left), self.pack(right));
                let mut products = Wiped::new(vec![[0u64; 2]; left.len() + right.len()]);
                for (i, a) in left.iter().enumerate() {
                    backend.add_multiple(*a, &right, &mut products[i..]);
                }
                let mut sums = Wiped::new(vec![0u32; (2 * products.len() + 2).next_multiple_of(PIECE)]);
                for (i, product) in products.iter().enumerate() {
                    sums[2 * i] ^= product[0] as u32;
                    sums[2 * i + 1] ^= (product[0] >> 32) as u32;
                    sums[2 * i + 2] = product[1] as u32;
                    sums[2 * i + 3] = (product[1] >> 32) as u32;
                }
                self.reduce_products(&mut sums);
                let mut product: Zeroizing<Vec<u16>> =
                    Zeroizing::new(sums[..2 * self.degree - 1].iter().map(|sum| *sum as u16).collect());
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
                let mut squares = Wiped::new(vec![0u32; self.degree.next_multiple_of(PIECE)]);
                for (square, coefficient) in squares.iter_mut().zip(element) {
                    *square = spread(*coefficient);
                }
                self.reduce_products(&mut squares);
                let mut square = Zeroizing::new(vec![0u16; 2 * self.degree - 1]);
                for (index, coefficient) in squares.iter().enumerate().take(self.degree) {
                    square[2 * index] = *coefficient as u16;
                }
                self.reduce(&mut square);
                square.truncate(self.degree);
                square
            },
        )
    }

    /// 1, element, element^2, ..., `count` of them.
    fn powers<B: CarrylessLists>(
        &self,
        backend: B,
        element: &[u16],
        count: usize,
    ) -> Vec<Zeroizing<Vec<u16>>> {
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
    pub fn minimal_polynomial<B: CarrylessLists, const M: usize>(
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
    fn power_projection<B: CarrylessLists>(&self, backend: B, element: &[u16]) -> Zeroizing<Vec<u16>> {
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
                let lower = all[index - self.degree + exponent];
                all[index] ^= if factor == 1 { lower } else { self.field.mul(factor, lower) };
            }
        }
        let constants: Vec<(usize, u16)> =
            all.into_iter().enumerate().filter(|(_, constant)| *constant != 0).collect();
        backend.run(
            #[inline(always)]
            || {
                let packed: Vec<Packed> =
                    baby_powers[..babies].iter().map(|power| self.pack(power)).collect();
                let length = babies * giants.len();
                let mut sequence = Wiped::new(vec![0u32; length.next_multiple_of(PIECE)]);
                for (giant, terms) in giants.iter().zip(sequence.chunks_exact_mut(babies)) {
                    let mut form = self.pack(&self.constant_term_form(&constants, giant));
                    for word in form.iter_mut() {
                        *word = word.rotate_left(32);
                    }
                    for (baby, term) in packed.iter().zip(terms) {
                        // slot 1 of (a0 + a1 Z)(b1 + b0 Z) is a0 b0 + a1 b1
                        let sum = backend.scalar_product(baby, &form);
                        *term = (sum >> 32) as u32;
                    }
                }
                self.reduce_products(&mut sequence);
                Zeroizing::new(sequence[..count].iter().map(|product| *product as u16).collect())
            },
        )
    }
}
