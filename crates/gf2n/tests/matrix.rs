//! Binary linear algebra against a naive version with one `bool` an entry, at the sides where word handling goes wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use gf2n::matrix::{
    BitMatrix, RowBytesError, UnitLu, UnitTriangular, packed_row_words, packed_words, words_for,
};
use proptest::prelude::*;

const SIDES: [usize; 13] = [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 255, 256, 257];

type Naive = Vec<Vec<bool>>;

/// xorshift64*: random enough for tests, the same everywhere.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn bit(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> BitMatrix {
        BitMatrix::from_fn(rows, columns, |_, _| self.bit())
    }

    fn vector(&mut self, bits: usize) -> Vec<u64> {
        let mut vector = vec![0; words_for(bits)];
        for i in 0..bits {
            vector[i / 64] |= u64::from(self.bit()) << (i % 64);
        }
        vector
    }

    fn triangle(&mut self, side: usize) -> UnitTriangular {
        UnitTriangular::from_words(side, (0..packed_words(side)).map(|_| self.next()).collect())
    }
}

fn naive(matrix: &BitMatrix) -> Naive {
    (0..matrix.rows()).map(|i| (0..matrix.columns()).map(|j| matrix.get(i, j)).collect()).collect()
}

fn naive_product(a: &Naive, b: &Naive, columns: usize) -> Naive {
    a.iter()
        .map(|row| {
            let mut sum = vec![false; columns];
            for (k, _) in row.iter().enumerate().filter(|(_, bit)| **bit) {
                for (s, x) in sum.iter_mut().zip(&b[k]) {
                    *s ^= x;
                }
            }
            sum
        })
        .collect()
}

/// Reduced row echelon form and pivots, by the book.
fn naive_echelon(matrix: &Naive, columns: usize) -> (Naive, Vec<usize>) {
    let mut rows = matrix.clone();
    let mut pivots = vec![];
    for c in 0..columns {
        let Some(found) = (pivots.len()..rows.len()).find(|&r| rows[r][c]) else { continue };
        rows.swap(pivots.len(), found);
        let pivot = rows[pivots.len()].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != pivots.len() && row[c] {
                row.iter_mut().zip(&pivot).for_each(|(x, y)| *x ^= y);
            }
        }
        pivots.push(c);
    }
    (rows, pivots)
}

fn assert_padding_is_zero(matrix: &BitMatrix) {
    for i in 0..matrix.rows() {
        let bits: u32 = matrix.row(i).iter().map(|w| w.count_ones()).sum();
        let counted = (0..matrix.columns()).filter(|&j| matrix.get(i, j)).count();
        assert_eq!(bits as usize, counted, "row {i} of {matrix:?}");
    }
}

#[test]
fn products_and_transposes_agree_with_the_naive_ones() {
    let mut words = Words(1);
    for rows in SIDES {
        for inner in [0, 1, 31, 64, 65, 257] {
            for columns in [0, 7, 33, 64, 256] {
                let (a, b) = (words.matrix(rows, inner), words.matrix(inner, columns));
                let expected = naive_product(&naive(&a), &naive(&b), columns);
                for product in [a.product(&b), a.product_public(&b), a.product_with_public(&b)] {
                    assert_eq!((product.rows(), product.columns()), (rows, columns));
                    assert_eq!(naive(&product), expected, "{rows} x {inner} x {columns}");
                    assert_padding_is_zero(&product);
                }
                let flipped = BitMatrix::from_fn(inner, rows, |i, j| a.get(j, i));
                assert_eq!(a.transpose(), flipped, "{rows} x {inner}");
            }
        }
    }
}

#[test]
fn vector_products_are_matrix_products() {
    let mut words = Words(2);
    for rows in SIDES {
        for columns in SIDES {
            let a = words.matrix(rows, columns);
            let (left, right) = (words.vector(rows), words.vector(columns));
            let left_row = BitMatrix::from_fn(1, rows, |_, j| left[j / 64] >> (j % 64) & 1 == 1);
            assert_eq!(a.left_multiply(&left), left_row.product(&a).row(0), "{rows} x {columns}");
            let right_row = BitMatrix::from_fn(1, columns, |_, j| right[j / 64] >> (j % 64) & 1 == 1);
            assert_eq!(
                a.right_multiply(&right),
                right_row.product(&a.transpose()).row(0),
                "{rows} x {columns}"
            );
        }
    }
}

#[test]
fn elimination_agrees_with_the_naive_one() {
    let mut words = Words(3);
    for rows in SIDES {
        for extra in [0, 1, 33, 64] {
            let wide = words.matrix(rows, rows + extra);
            let (echelon, pivots) = naive_echelon(&naive(&wide), rows + extra);
            let mut reduced = wide.clone();
            assert_eq!(reduced.make_reduced_echelon_public(), pivots);
            assert_eq!(naive(&reduced), echelon);
            assert_eq!(wide.rank_public(), pivots.len());
            let regular = pivots.iter().copied().take(rows).eq(0..rows);
            let systematic = wide.systematic_form();
            assert_eq!(systematic.is_some(), regular);
            assert_eq!(systematic, wide.systematic_form_public());
            if let Some(form) = systematic {
                assert_eq!(naive(&form), echelon);
                assert_padding_is_zero(&form);
            }
            // tall matrices have their own echelon forms
            let tall = wide.transpose();
            let (echelon, pivots) = naive_echelon(&naive(&tall), rows);
            let mut reduced = tall.clone();
            assert_eq!(reduced.make_reduced_echelon_public(), pivots);
            assert_eq!(naive(&reduced), echelon);
        }
    }
}

#[test]
fn inverses_and_solutions() {
    let mut words = Words(4);
    for side in SIDES {
        let (mut regular, mut singular) = (0, 0);
        for _ in 0..40 {
            let a = words.matrix(side, side);
            let right = words.vector(side);
            let inverse = a.inverse();
            assert_eq!(inverse, a.inverse_public());
            assert_eq!(inverse.is_some(), a.is_invertible());
            let solution = a.solve(&right);
            assert_eq!(inverse.is_some(), a.rank_public() == side);
            assert_eq!(solution.is_some(), inverse.is_some());
            let Some((inverse, solution)) = inverse.zip(solution) else {
                singular += 1;
                continue;
            };
            regular += 1;
            assert_eq!(a.product(&inverse), BitMatrix::identity(side));
            assert_eq!(inverse.product(&a), BitMatrix::identity(side));
            assert_eq!(a.right_multiply(&solution), right);
            assert_eq!(a.solve_public(&right), Some(solution));
        }
        assert!(regular > 0 && (side == 0 || singular > 0), "side {side}: both cases are to be seen");
    }
}

#[test]
fn solutions_of_any_shape() {
    let mut words = Words(5);
    for rows in SIDES {
        for columns in [0, 1, 8, 33, 64, 65, 257] {
            let a = words.matrix(rows, columns);
            let reachable = a.right_multiply(&words.vector(columns));
            let solution = a.solve_public(&reachable).expect("made from a solution");
            assert_eq!(a.right_multiply(&solution), reachable);
            let right = words.vector(rows);
            let with_right =
                a.beside(&BitMatrix::from_fn(rows, 1, |i, _| right[i / 64] >> (i % 64) & 1 == 1));
            assert_eq!(a.solve_public(&right).is_some(), with_right.rank_public() == a.rank_public());
        }
    }
}

#[test]
fn triangles() {
    let mut words = Words(6);
    for side in SIDES {
        let triangle = words.triangle(side);
        let (lower, upper) = (triangle.to_lower(), triangle.to_upper());
        for i in 0..side {
            assert_eq!(triangle.row(i).len(), packed_row_words(i));
            for j in 0..side {
                assert!(if i == j { lower.get(i, j) } else { j < i || !lower.get(i, j) });
            }
        }
        assert_eq!(upper, lower.transpose());
        assert_eq!(Some(triangle.inverse_of_lower()), lower.inverse());
        assert_eq!(Some(triangle.inverse_of_upper()), upper.inverse());
        let x = words.vector(side);
        let mut y = x.clone();
        triangle.multiply_by_lower(&mut y);
        assert_eq!(y, lower.left_multiply(&x));
        triangle.divide_by_lower(&mut y);
        assert_eq!(y, x);
        triangle.multiply_by_upper(&mut y);
        assert_eq!(y, upper.left_multiply(&x));
        triangle.divide_by_upper(&mut y);
        assert_eq!(y, x);
        assert_eq!(UnitTriangular::identity(side).to_lower(), BitMatrix::identity(side));
    }
}

#[test]
fn lu_forms() {
    let mut words = Words(7);
    for side in SIDES {
        let factors = UnitLu { lower: words.triangle(side), upper: words.triangle(side) };
        let product = factors.product();
        assert_eq!(product.lu(), Some(factors.clone()));
        assert_eq!(product.product(&factors.inverse()), BitMatrix::identity(side));
        let x = words.vector(side);
        let mut y = x.clone();
        factors.left_multiply(&mut y);
        assert_eq!(y, product.left_multiply(&x));
        factors.left_divide(&mut y);
        assert_eq!(y, x);
        assert!(factors.inverse().is_unit_ul());
        let reversed =
            |m: &BitMatrix| BitMatrix::from_fn(side, side, |i, j| m.get(side - 1 - i, side - 1 - j));
        for _ in 0..4 {
            let a = words.matrix(side, side);
            assert_eq!(a.is_unit_ul(), reversed(&a).lu().is_some());
        }
        for columns in SIDES {
            let a = words.matrix(side, columns);
            let form = a.row_echelon_lu_public();
            let permuted = BitMatrix::from_fn(side, columns, |i, j| a.get(form.permutation[i], j));
            assert_eq!(form.lower.to_lower().product(&form.echelon), permuted, "{side} x {columns}");
            assert_eq!(form.pivots.len(), a.rank_public());
            for i in 0..side {
                let first = (0..columns).find(|&j| form.echelon.get(i, j));
                assert_eq!(first, form.pivots.get(i).copied(), "row {i} of {side} x {columns}");
            }
        }
    }
    // a leading square is singular: no such form, though the matrix is invertible
    assert_eq!(BitMatrix::from_fn(2, 2, |i, j| i != j).lu(), None);
}

#[test]
fn parts_and_bytes() {
    let mut words = Words(8);
    for rows in [0, 1, 5, 64] {
        for columns in SIDES {
            let a = words.matrix(rows, columns);
            for first in [0, columns / 3, columns / 2, columns] {
                let count = columns - first;
                let part = a.column_range(first, count);
                assert_padding_is_zero(&part);
                assert_eq!(a.column_range(0, first).beside(&part), a);
            }
            for row_bytes in [columns.div_ceil(8), columns.div_ceil(8) + 3] {
                let mut bytes = vec![];
                a.append_row_bytes(row_bytes, &mut bytes);
                assert_eq!(bytes.len(), rows * row_bytes);
                assert_eq!(BitMatrix::from_row_bytes(rows, columns, row_bytes, &bytes), Ok(a.clone()));
                for i in 0..rows {
                    for bit in columns..8 * row_bytes {
                        let byte = i * row_bytes + bit / 8;
                        bytes[byte] ^= 1 << (bit % 8);
                        let parsed = BitMatrix::from_row_bytes(rows, columns, row_bytes, &bytes);
                        assert_eq!(parsed, Err(RowBytesError::Padding { byte }));
                        bytes[byte] ^= 1 << (bit % 8);
                    }
                }
                bytes.push(0);
                let error =
                    RowBytesError::Length { expected: rows * row_bytes, actual: rows * row_bytes + 1 };
                assert_eq!(BitMatrix::from_row_bytes(rows, columns, row_bytes, &bytes), Err(error));
            }
        }
    }
}

#[test]
fn debug_shows_the_shape_only() {
    let mut words = Words(9);
    assert_eq!(format!("{:?}", words.matrix(3, 70)), "BitMatrix(3 x 70)");
    assert_eq!(format!("{:?}", words.triangle(70)), "UnitTriangular(70 x 70)");
}

proptest! {
    #[test]
    fn laws(seed in 1u64.., rows in 0usize..140, inner in 0usize..140, columns in 0usize..140) {
        let mut words = Words(seed);
        let (a, b, c) = (words.matrix(rows, inner), words.matrix(inner, columns), words.matrix(columns, rows));
        prop_assert_eq!(a.product(&b).product(&c), a.product(&b.product(&c)));
        prop_assert_eq!(a.product(&b).transpose(), b.transpose().product(&a.transpose()));
        prop_assert_eq!(a.rank_public(), a.transpose().rank_public());
        prop_assert!(a.product(&b).rank_public() <= a.rank_public().min(b.rank_public()));
    }
}
