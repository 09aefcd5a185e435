//! Solving on every back end against a plain elimination, by the leftmost-pivot rule and by the artefact's.

use alloc::vec;
use alloc::vec::Vec;

use super::tests::Bytes;
use super::{Engine, Gf16, Gf256, PackedField, Pivoting, System};

/// The solution that is zero at the unknowns without a pivot; rows of `matrix` end with the right-hand side.
fn leftmost<F: PackedField>(mut matrix: Vec<Vec<u8>>, unknowns: usize) -> Option<Vec<u8>> {
    let mut pivots = Vec::new();
    for column in 0..unknowns {
        let rank = pivots.len();
        let Some(found) = (rank..matrix.len()).find(|row| matrix[*row][column] != 0) else { continue };
        matrix.swap(rank, found);
        clear::<F>(&mut matrix, rank, column);
        pivots.push(column);
    }
    (pivots.len() == matrix.len()).then(|| {
        let mut solution = vec![0; unknowns];
        pivots.iter().zip(&matrix).for_each(|(column, row)| solution[*column] = row[unknowns]);
        solution
    })
}

fn clear<F: PackedField>(matrix: &mut [Vec<u8>], pivot: usize, column: usize) {
    let inverse = F::inverse(matrix[pivot][column]);
    let scaled: Vec<u8> = matrix[pivot].iter().map(|x| F::multiply(*x, inverse)).collect();
    for (index, row) in matrix.iter_mut().enumerate() {
        let factor = row[column];
        if index != pivot {
            row.iter_mut().zip(&scaled).for_each(|(x, y)| *x ^= F::multiply(factor, *y));
        }
    }
    matrix[pivot] = scaled;
}

/// The artefact's elimination, step by step as its description has it.
fn artefact(mut matrix: Vec<Vec<u8>>) -> Option<Vec<u8>> {
    let side = matrix.len();
    for i in 0..side {
        for j in i + 1..side {
            if matrix[i][i] == 0 {
                let added = matrix[if i < 8 { j } else { i + 1 }].clone();
                matrix[i].iter_mut().zip(added).for_each(|(x, y)| *x ^= y);
            }
        }
        if matrix[i][i] == 0 {
            return None;
        }
        clear::<Gf16>(&mut matrix, i, i);
    }
    Some(matrix.iter().map(|row| row[side]).collect())
}

fn check<F: PackedField>(
    matrix: &[Vec<u8>],
    unknowns: usize,
    pivoting: Pivoting,
    expected: Option<&Vec<u8>>,
) {
    for engine in Engine::available() {
        let mut system = System::<F>::new(engine, matrix.len(), unknowns);
        // twice: a system can be filled again
        for _ in 0..2 {
            for column in 0..=unknowns {
                let elements: Vec<u8> = matrix.iter().map(|row| row[column]).collect();
                F::pack(&elements, system.column_mut(column));
            }
            let mut solution = vec![0; unknowns];
            let solved = system.solve(pivoting, &mut solution);
            assert_eq!(solved.then_some(&solution), expected, "{} {unknowns}", engine.name());
        }
    }
}

fn random<F: PackedField>(bytes: &mut Bytes, equations: usize, unknowns: usize) -> Vec<Vec<u8>> {
    let mask = ((1u16 << F::BITS) - 1) as u8;
    (0..equations).map(|_| bytes.vec(unknowns + 1).iter().map(|x| x & mask).collect()).collect()
}

fn check_sizes<F: PackedField>(sizes: &[(usize, usize)]) {
    let mut bytes = Bytes(11);
    for (equations, unknowns) in sizes {
        for kind in 0..4 {
            let mut matrix = random::<F>(&mut bytes, *equations, *unknowns);
            if kind > 0 {
                // columns that depend on others, so that pivots are not on the diagonal
                for column in (1..*unknowns).step_by(3) {
                    matrix.iter_mut().for_each(|row| row[column] = row[column - 1]);
                }
            }
            if kind == 2 {
                matrix.iter_mut().for_each(|row| row[0] = 0);
            }
            if kind == 3 {
                // an equation that depends on another
                matrix[equations - 1] = matrix[0].clone();
            }
            let expected = leftmost::<F>(matrix.clone(), *unknowns);
            check::<F>(&matrix, *unknowns, Pivoting::Full, expected.as_ref());
        }
    }
}

#[test]
fn gf16_systems() {
    check_sizes::<Gf16>(&[
        (1, 1),
        (2, 5),
        (7, 8),
        (8, 8),
        (9, 20),
        (31, 40),
        (33, 33),
        (64, 68),
        (67, 70),
        (78, 80),
    ]);
}

#[test]
fn gf256_systems() {
    check_sizes::<Gf256>(&[(1, 1), (2, 5), (8, 9), (31, 45), (33, 33), (44, 44), (65, 70), (96, 96)]);
}

#[test]
fn the_artefacts_elimination() {
    let mut bytes = Bytes(12);
    let (mut solved, mut differs) = (0, 0);
    for side in [1, 7, 8, 9, 20, 64, 67] {
        for _ in 0..40 {
            let mut matrix = random::<Gf16>(&mut bytes, side, side);
            // many zeros, so that pivots have to be looked for
            matrix
                .iter_mut()
                .flatten()
                .for_each(|x| *x = if bytes.next().is_multiple_of(3) { 0 } else { *x });
            let expected = artefact(matrix.clone());
            solved += usize::from(expected.is_some());
            differs += usize::from(expected != leftmost::<Gf16>(matrix.clone(), side));
            check::<Gf16>(&matrix, side, Pivoting::Artefact, expected.as_ref());
        }
    }
    assert!(solved > 20 && differs > 5, "{solved} {differs}");
}
