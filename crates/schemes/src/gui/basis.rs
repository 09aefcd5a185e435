//! The basis of the official key format: a tower of fields.
//!
//! GF(4) = GF(2)\[x\]/(x^2+x+1), GF(16) = GF(4)\[y\]/(y^2+y+x), GF(256) = GF(16)\[z\]/(z^2+z+xy) with bit 1, 2, 4 of a byte the coefficient of
//! x, y, z; GF(2^n) = GF(256)\[w\]/g(w) with byte i the coefficient of w^i. Computation takes place in GF(2)\[X\]/f with the library's f;
//! the isomorphism is given by the images of x, y, z and w, any roots of their polynomials there.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use gf2n::Gf2n;
use gf2n::matrix::BitMatrix;
use gf2n::modulus::{LibraryModulus, Modulus};

/// A tower by the images of its generators, little-endian in hexadecimal.
#[derive(Debug)]
pub(super) struct Tower {
    x: &'static str,
    y: &'static str,
    z: &'static str,
    w: &'static str,
    /// g without its leading term: exponent of w and coefficient, a byte.
    #[cfg_attr(not(test), allow(dead_code, reason = "the test of the images needs it"))]
    polynomial: &'static [(usize, u8)],
    /// Where the two matrices are kept once they are computed.
    store: Store,
}

/// The words of the matrices of a tower, `to_field` and then `to_format`, computed at the first use in a process. Public.
#[derive(Debug)]
struct Store {
    filled: AtomicBool,
    halves: &'static [AtomicU32],
}

impl Store {
    const fn new(halves: &'static [AtomicU32]) -> Self {
        Self { filled: AtomicBool::new(false), halves }
    }

    /// The matrices of side `side`, if they are there.
    fn load(&self, side: usize) -> Option<Basis> {
        if !self.filled.load(Ordering::Acquire) {
            return None;
        }
        let mut words = self.halves.as_chunks::<2>().0.iter().map(|[low, high]| {
            u64::from(high.load(Ordering::Relaxed)) << 32 | u64::from(low.load(Ordering::Relaxed))
        });
        let mut matrix = || {
            let mut matrix = BitMatrix::zero(side, side);
            for i in 0..side {
                matrix.row_mut(i).iter_mut().zip(&mut words).for_each(|(place, word)| *place = word);
            }
            matrix
        };
        Some(Basis { to_field: matrix(), to_format: matrix() })
    }

    /// Keeps the matrices. Threads that do so at the same time write the same values.
    fn keep(&self, basis: &Basis) {
        let rows = |matrix| (0..BitMatrix::rows(matrix)).flat_map(|i| matrix.row(i));
        let words = rows(&basis.to_field).chain(rows(&basis.to_format));
        for ([low, high], &word) in self.halves.as_chunks::<2>().0.iter().zip(words) {
            low.store(word as u32, Ordering::Relaxed);
            high.store((word >> 32) as u32, Ordering::Relaxed);
        }
        self.filled.store(true, Ordering::Release);
    }
}

/// Halves of words, all zero.
const fn halves<const COUNT: usize>() -> [AtomicU32; COUNT] {
    [const { AtomicU32::new(0) }; COUNT]
}

static HALVES_184: [AtomicU32; 4 * 184 * 3] = halves();
static HALVES_312: [AtomicU32; 4 * 312 * 5] = halves();
static HALVES_448: [AtomicU32; 4 * 448 * 7] = halves();

pub(super) static TOWER_184: Tower = Tower {
    x: "517c329939d6d10c766b37ea38764e9cdebcae6d4b5bda",
    y: "685d701dbcb9992220d377beb53ef13010a630aaf54c9f",
    z: "7d8d42707d2120295fc8074413388b7333b69fb874c9b9",
    w: "d2d39b616e06fc77556dfcf7182881db83460858fa465b",
    polynomial: &[(3, 1), (1, 1), (0, 0x02)],
    store: Store::new(&HALVES_184),
};

pub(super) static TOWER_312: Tower = Tower {
    x: "8aff1d22214a708b8a968210f64f0405a22532b459fa586c2e861595e7372d582913fba76896e8",
    y: "637195bfba62cc26f6756b1a524fa41a52faa8a9526bb3076919f90f4fa5aad0e0a6f2b4fd5fa9",
    z: "375b60a5cfa4b82e72a9d9a06636dc79732577328ee7b788d3a7e4efe4384815cd66fc20332481",
    w: "81fdaee24d09e7e32a801ddb694873a0927583042eeb99e0185f5494b590b0011394e3ac817103",
    polynomial: &[(2, 1), (1, 1), (0, 0x02)],
    store: Store::new(&HALVES_312),
};

pub(super) static TOWER_448: Tower = Tower {
    x: "eec56e0aeeaf67ca0fed31160232b04d337ea5cc8cb97217f50562d3f05ba9d92f059de8c54bfe82f8a1921ef858acdc68851229a594134f",
    y: "d0e61b00af545d16fa2503d810d6c7ba859b8bd03801b79aedcd8b750ff933148919e520c55ea0c351a168cdb6b693838f6b8eeec9102fdd",
    z: "edbe5018fede30e6a9488cfae465600aa83a7163928030d435dbcdfd8521bad847d661c63ac3721a461652585abd5271d417ae3d5de68c80",
    w: "f9b9978ddf178eaad86858e8d6fa4c952c6fb77c466a681af0268507cac93fb5e2a9e07835ecbf4f62e21586164372e8f6a4561d5e27b8b9",
    polynomial: &[(3, 0x02), (1, 1), (0, 0x10)],
    store: Store::new(&HALVES_448),
};

/// A change of basis, public, with its inverse: row vectors of coordinates times these matrices.
pub(super) struct Basis {
    /// From the key format to the field.
    pub(super) to_field: BitMatrix,
    /// From the field to the key format.
    pub(super) to_format: BitMatrix,
}

fn element<const N: usize, const L: usize>(hex: &str) -> Gf2n<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    let mut limbs = [0; L];
    for (k, digit) in hex.bytes().enumerate() {
        // Digits come in pairs, the high one first.
        let nibble = u64::from(match digit {
            b'a'..=b'f' => digit - b'a' + 10,
            _ => digit & 15,
        });
        let place = k ^ 1;
        limbs[place / 16] |= nibble << (4 * (place % 16));
    }
    Gf2n::from_limbs_truncated(limbs)
}

impl Tower {
    /// The images of the bits of GF(256).
    fn byte_basis<const N: usize, const L: usize>(&self) -> [Gf2n<N, L>; 8]
    where
        LibraryModulus: Modulus<N, L>,
    {
        let generators = [element::<N, L>(self.x), element(self.y), element(self.z)];
        core::array::from_fn(|bit| {
            (0..3).filter(|k| bit >> k & 1 == 1).fold(Gf2n::ONE, |product, k| product * generators[k])
        })
    }

    /// The change of basis. `None` is impossible for the towers above: a test finds every matrix invertible.
    pub(super) fn basis<const N: usize, const L: usize>(&self) -> Option<Basis>
    where
        LibraryModulus: Modulus<N, L>,
    {
        if let Some(basis) = self.store.load(N) {
            return Some(basis);
        }
        let basis = self.compute::<N, L>()?;
        self.store.keep(&basis);
        Some(basis)
    }

    fn compute<const N: usize, const L: usize>(&self) -> Option<Basis>
    where
        LibraryModulus: Modulus<N, L>,
    {
        let bits = self.byte_basis::<N, L>();
        let generator = element::<N, L>(self.w);
        let mut power = Gf2n::ONE;
        let mut to_field = BitMatrix::zero(N, N);
        for i in 0..N {
            to_field.row_mut(i).copy_from_slice((bits[i % 8] * power).limbs());
            if i % 8 == 7 {
                power *= generator;
            }
        }
        let to_format = to_field.inverse_public()?;
        Some(Basis { to_field, to_format })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn generators_satisfy_their_polynomials<const N: usize, const L: usize>(tower: &Tower)
    where
        LibraryModulus: Modulus<N, L>,
    {
        let bits = tower.byte_basis::<N, L>();
        let (x, y, z) = (bits[1], bits[2], bits[4]);
        assert_eq!(x.square() + x, Gf2n::ONE);
        assert_eq!(y.square() + y, x);
        assert_eq!(z.square() + z, x * y);
        let byte = |value: u8| {
            (0..8).filter(|k| value >> k & 1 == 1).fold(Gf2n::<N, L>::ZERO, |sum, k| sum + bits[k])
        };
        let w = element::<N, L>(tower.w);
        let power = |exponent: usize| (0..exponent).fold(Gf2n::<N, L>::ONE, |power, _| power * w);
        let value = tower
            .polynomial
            .iter()
            .fold(power(N / 8), |sum, &(exponent, coefficient)| sum + byte(coefficient) * power(exponent));
        assert_eq!(value, Gf2n::ZERO);
        let computed = tower.compute::<N, L>().unwrap();
        assert_eq!(computed.to_field.product_public(&computed.to_format), BitMatrix::identity(N));
        // computed or kept, by this call or by another test
        for _ in 0..2 {
            let basis = tower.basis::<N, L>().unwrap();
            assert_eq!((&basis.to_field, &basis.to_format), (&computed.to_field, &computed.to_format));
        }
    }

    #[test]
    fn the_towers_are_isomorphic_to_the_fields() {
        generators_satisfy_their_polynomials::<184, 3>(&TOWER_184);
        generators_satisfy_their_polynomials::<312, 5>(&TOWER_312);
        generators_satisfy_their_polynomials::<448, 7>(&TOWER_448);
    }

    /// Products of the key format, computed by hand from the tower: 01 02 03 .. times itself.
    #[test]
    fn a_square_in_the_format_of_gui184() {
        let basis = TOWER_184.basis::<184, 3>().unwrap();
        let bytes: Vec<u8> = (1..=23).collect();
        let coordinates = hfev::bits::words_from_bytes(&bytes);
        let in_field = basis.to_field.left_multiply(&coordinates);
        let element = Gf2n::<184, 3>::from_limbs_truncated([in_field[0], in_field[1], in_field[2]]);
        let back = basis.to_format.left_multiply(element.square().limbs());
        let mut square = [0; 23];
        hfev::bits::words_to_bytes(&back, &mut square);
        let expected = element_bytes("012b150c1c0e072c162e042d062f0c2708250f260d240a");
        assert_eq!(square.as_slice(), expected);
    }

    fn element_bytes(hex: &str) -> Vec<u8> {
        element::<184, 3>(hex).to_bytes().to_vec()
    }
}
