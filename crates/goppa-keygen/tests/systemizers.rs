//! The systemizers over GF(2) and GF(2^m) against plain elimination.

#![allow(clippy::unwrap_used)]

use gf2n::backend::{Level, set_ceiling};
use gf2n::small::gf2m::Gf2m;
use goppa_keygen::goppa_polynomial::{is_root_free, is_squarefree, root_free_polynomial};
use goppa_keygen::irreducible::{default_modulus, is_irreducible};
use goppa_keygen::stream::{Purpose, Stream};
use goppa_keygen::{Error, extension::Extension, field_systemizer, systemizer};

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }
}

fn bit(matrix: &[u8], row_bytes: usize, row: usize, column: usize) -> bool {
    matrix[row * row_bytes + column / 8] >> (column % 8) & 1 == 1
}

/// Gauss-Jordan in the clear; `None` if singular.
fn plain(rows: usize, columns: usize, matrix: &[u8]) -> Option<Vec<Vec<bool>>> {
    let row_bytes = columns.div_ceil(8);
    let mut m: Vec<Vec<bool>> =
        (0..rows).map(|r| (0..columns).map(|c| bit(matrix, row_bytes, r, c)).collect()).collect();
    for pivot in 0..rows {
        let found = (pivot..rows).find(|r| m[*r][pivot])?;
        m.swap(pivot, found);
        let line = m[pivot].clone();
        for (r, other) in m.iter_mut().enumerate() {
            if r != pivot && other[pivot] {
                for (entry, add) in other.iter_mut().zip(&line) {
                    *entry ^= add;
                }
            }
        }
    }
    Some(m)
}

fn compare(rows: usize, columns: usize, matrix: &[u8]) {
    let mut reduced = matrix.to_vec();
    let verdict = systemizer::systematic_form(rows, columns, &mut reduced);
    match plain(rows, columns, matrix) {
        None => {
            assert_eq!(verdict, Err(Error::Singular), "{rows} x {columns}");
            assert_eq!(reduced, matrix);
        }
        Some(expected) => {
            assert_eq!(verdict, Ok(()), "{rows} x {columns}");
            for (r, line) in expected.iter().enumerate() {
                for (c, value) in line.iter().enumerate() {
                    assert_eq!(
                        bit(&reduced, columns.div_ceil(8), r, c),
                        *value,
                        "{rows} x {columns} at {r}, {c}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_back_end_reduces_every_size() {
    for level in Level::ALL {
        set_ceiling(level);
        let mut numbers = Numbers(level as u64);
        for rows in [0usize, 1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 129, 200] {
            for extra in [0, 1, 8, 65, 300] {
                let columns = rows + extra;
                for _ in 0..3 {
                    let row_bytes = columns.div_ceil(8);
                    let mut matrix: Vec<u8> = (0..rows * row_bytes).map(|_| numbers.next() as u8).collect();
                    if columns % 8 != 0 {
                        for line in matrix.chunks_mut(row_bytes) {
                            line[row_bytes - 1] &= (1 << (columns % 8)) - 1;
                        }
                    }
                    compare(rows, columns, &matrix);
                }
            }
        }
        // pivots only far below the first window: the first 130 columns are zero in the first 160 rows
        let (rows, columns) = (300, 340);
        let row_bytes = 43;
        let mut matrix = vec![0u8; rows * row_bytes];
        for row in 0..rows {
            for column in 0..columns {
                let value = match (row < 160, column < 130) {
                    (true, true) => false,
                    (false, true) => row - 160 == column,
                    (true, false) => row == column - 130 || column > row + 140 && numbers.next() & 1 == 1,
                    (false, false) => row == column,
                };
                matrix[row * row_bytes + column / 8] |= u8::from(value) << (column % 8);
            }
        }
        assert!(plain(rows, columns, &matrix).is_some());
        compare(rows, columns, &matrix);
    }
    set_ceiling(Level::Avx512);
}

#[test]
fn wrong_sizes_are_refused() {
    assert!(matches!(systemizer::systematic_form(3, 2, &mut [0; 3]), Err(Error::Length { .. })));
    assert!(matches!(systemizer::systematic_form(3, 9, &mut [0; 5]), Err(Error::Length { .. })));
    let field = Gf2m::new(5).unwrap();
    assert!(matches!(field_systemizer::systematic_form(field, 3, &mut [0; 8]), Err(Error::Length { .. })));
}

#[test]
fn field_systemizer_solves_systems() {
    let mut numbers = Numbers(5);
    for degree in [2, 5, 12, 13, 16] {
        let field = Gf2m::new(degree).unwrap();
        for rows in [1usize, 2, 9, 20] {
            let a: Vec<u16> = (0..rows * rows).map(|_| numbers.next() as u16 & field.mask()).collect();
            let x: Vec<u16> = (0..rows).map(|_| numbers.next() as u16 & field.mask()).collect();
            let mut matrix = Vec::new();
            for line in a.chunks(rows) {
                matrix.extend(line);
                matrix.push(line.iter().zip(&x).fold(0, |sum, (a, x)| sum ^ field.mul(*a, *x)));
            }
            if field_systemizer::systematic_form(field, rows, &mut matrix).is_ok() {
                for (r, line) in matrix.chunks(rows + 1).enumerate() {
                    assert_eq!(line[rows], x[r]);
                    assert!((0..rows).all(|c| line[c] == u16::from(c == r)));
                }
            }
        }
        let mut singular = [1, 2, 3, 1, 2, 3];
        assert_eq!(field_systemizer::systematic_form(field, 2, &mut singular), Err(Error::Singular));
    }
}

#[test]
fn irreducible_polynomials_are_counted_right() {
    // monic irreducible polynomials over GF(q): (q^2 - q)/2 of degree 2, (q^3 - q)/3 of degree 3
    let field = Gf2m::new(2).unwrap();
    let quadratic = (0..16u16)
        .filter(|c| is_irreducible(&Extension::new(field, 2, &[(0, c & 3), (1, c >> 2)]).unwrap()))
        .count();
    assert_eq!(quadratic, 6);
    let cubic = (0..64u16)
        .filter(|c| {
            is_irreducible(&Extension::new(field, 3, &[(0, c & 3), (1, c >> 2 & 3), (2, c >> 4)]).unwrap())
        })
        .count();
    assert_eq!(cubic, 20);
    assert!(is_irreducible(&default_modulus(Gf2m::new(12).unwrap(), 64).unwrap()));
    assert!(is_irreducible(&default_modulus(Gf2m::new(13).unwrap(), 119).unwrap()));
}

#[test]
fn root_free_polynomials() {
    use gf2n::small::gf2m::backend::Portable;
    let field = Gf2m::new(11).unwrap();
    let mut stream = Stream::new(Purpose::Polynomial, 11, 27, 2048, 0, b"root-free");
    let g = root_free_polynomial::<_, 11>(Portable, 27, &mut stream, 100).unwrap();
    let value = |x: u16| g.iter().rev().fold(1, |value, c| field.mul(value, x) ^ c);
    assert!((0..2048).all(|x| value(x) != 0));
    assert!(is_squarefree(field, &g));
    // (y + 3)(y + 5) has roots; (y^2 + y + c)^2 is not squarefree
    assert!(!is_root_free::<_, 11>(Portable, &[field.mul(3, 5), 3 ^ 5]));
    assert!(!is_squarefree(field, &[9, 0, 1, 0]));
    assert_eq!(
        root_free_polynomial::<_, 11>(Portable, 27, &mut stream, 0).unwrap_err(),
        Error::AttemptsExhausted { attempts: 0 }
    );
    let mut stream = Stream::new(Purpose::Permutation, 11, 27, 2048, 0, &(0..32).collect::<Vec<u8>>());
    let drawn: Vec<u32> = (2041..=2048).rev().map(|bound| stream.below(bound)).collect();
    assert_eq!(drawn, [1981, 1446, 874, 564, 928, 956, 1668, 1308]);
}
