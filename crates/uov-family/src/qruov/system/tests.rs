//! Both solvers against plain elimination, on every back end of this CPU.

use super::rows::{entry_value, largest_entry};
use super::{Reduced, solve_full_rank};
use crate::qruov::backend::Backend;
use crate::qruov::backend::tests::for_every_backend;
use crate::qruov::ring::{Q7L10, Q31L3, Q127L3, QuotientRing, inverse};
use alloc::{vec, vec::Vec};
use proptest::prelude::*;

/// Plain elimination with row exchanges: pivot columns, and the solution by the rule of the specification.
fn plain<R: QuotientRing>(a: &[u8], size: usize, right: &[u8], free: &[u8]) -> (usize, Option<Vec<u8>>) {
    let q = R::MODULUS;
    let mut rows: Vec<Vec<u32>> = a
        .chunks(size)
        .zip(right)
        .map(|(row, &b)| row.iter().chain([&b]).map(|&x| u32::from(x)).collect())
        .collect();
    let mut pivots = Vec::new();
    for c in 0..size {
        let rank = pivots.len();
        let Some(p) = (rank..size).find(|&i| rows[i][c] != 0) else { continue };
        rows.swap(rank, p);
        let scale = inverse::<R>(rows[rank][c]);
        rows[rank].iter_mut().for_each(|x| *x = *x * scale % q);
        let pivot = rows[rank].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = q - row[c];
            if i != rank {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x = (*x + factor * p) % q);
            }
        }
        pivots.push(c);
    }
    let rank = pivots.len();
    if rows[rank..].iter().any(|row| row[size] != 0) {
        return (rank, None);
    }
    let mut unknowns = vec![0_u8; size];
    let free_columns = (0..size).rev().filter(|c| !pivots.contains(c));
    for (c, &value) in free_columns.zip(free) {
        unknowns[c] = value;
    }
    let assigned = unknowns.clone();
    for (row, &c) in rows.iter().zip(&pivots) {
        let sum: u32 = (c + 1..size).map(|d| row[d] * u32::from(assigned[d]) % q).sum();
        unknowns[c] = ((row[size] + q * size as u32 - sum) % q) as u8;
    }
    (rank, Some(unknowns))
}

fn agrees<B: Backend, R: QuotientRing>(
    backend: B,
    size: usize,
    raw: &[u8],
    dependent: usize,
    consistent: bool,
) {
    let q = R::MODULUS as u8;
    let mut values = raw.iter().map(|byte| byte % q);
    let mut take = |len: usize| -> Vec<u8> { values.by_ref().take(len).collect() };
    let mut a = take(size * size);
    for i in 0..dependent.min(size) {
        // a row that repeats another, or is zero; and a column that repeats another
        let (from, to) = ((i * 7) % size, (i * 3 + 1) % size);
        let row: Vec<u8> = a[from * size..(from + 1) * size].to_vec();
        a[to * size..(to + 1) * size].copy_from_slice(&row);
        for row in a.chunks_mut(size) {
            row[from] = if i % 2 == 0 { 0 } else { row[to] };
        }
    }
    let free = take(size);
    let x = take(size);
    let product = |row: &[u8]| {
        (row.iter().zip(&x).map(|(a, x)| u32::from(*a) * u32::from(*x)).sum::<u32>() % R::MODULUS) as u8
    };
    let right: Vec<u8> = if consistent { a.chunks(size).map(product).collect() } else { take(size) };
    let (rank, expected) = plain::<R>(&a, size, &right, &free);

    let reduced = Reduced::with_right_side::<R>(backend, &a, size, &right);
    assert_eq!(reduced.rank(), rank);
    let side = reduced.right_side::<R>();
    assert_eq!(reduced.is_consistent(&side), expected.is_some());
    let kept = Reduced::with_identity::<R>(backend, &a, size);
    let other_side = kept.transform::<R>(&right);
    assert_eq!(kept.is_consistent(&other_side), expected.is_some());
    let fast = solve_full_rank::<B, R>(backend, &a, size, &right);
    assert_eq!(fast.is_some(), rank == size);
    if let Some(expected) = expected {
        assert_eq!(*reduced.solution::<R>(rank, &side, &free), expected[..]);
        assert_eq!(*kept.solution::<R>(rank, &other_side, &free), expected[..]);
        if let Some(fast) = fast {
            assert_eq!(*fast, expected[..]);
        }
    }
}

fn every_ring<B: Backend>(backend: B, size: usize, raw: &[u8], dependent: usize, consistent: bool) {
    agrees::<B, Q7L10>(backend, size, raw, dependent, consistent);
    agrees::<B, Q31L3>(backend, size, raw, dependent, consistent);
    agrees::<B, Q127L3>(backend, size, raw, dependent, consistent);
}

proptest! {
    #[test]
    fn solutions(
        size in 1_usize..70,
        raw in proptest::collection::vec(any::<u8>(), 70 * 73..=70 * 73),
        dependent in 0_usize..4,
        consistent in any::<bool>(),
    ) {
        for_every_backend!(|backend| every_ring(backend, size, &raw, dependent, consistent));
    }
}

#[test]
fn extreme_entries_and_zero() {
    for size in [1, 2, 31, 32, 33, 54, 64, 105, 190] {
        let raw: Vec<u8> = (0..size * (size + 3)).map(|i| 126 - u8::from(i % 7 == 3)).collect();
        let zeros = vec![0; size * (size + 3)];
        for_every_backend!(|backend| agrees::<_, Q127L3>(backend, size, &raw, 0, true));
        for_every_backend!(|backend| agrees::<_, Q127L3>(backend, size, &zeros, 0, true));
    }
}

/// A column whose only entry is in the last row: the fast solver does not look that far, the general one does.
#[test]
fn distant_pivot() {
    fn run<B: Backend>(backend: B) {
        let size = 60;
        // the identity with its rows rotated by one
        let mut a = vec![0; size * size];
        for i in 0..size {
            a[i * size + (i + 1) % size] = 1;
        }
        let right: Vec<u8> = (0..size as u8).collect();
        assert!(solve_full_rank::<B, Q127L3>(backend, &a, size, &right).is_none());
        let reduced = Reduced::with_right_side::<Q127L3>(backend, &a, size, &right);
        assert_eq!(reduced.rank(), size);
        let side = reduced.right_side::<Q127L3>();
        assert!(reduced.is_consistent(&side));
        let solution = reduced.solution::<Q127L3>(size, &side, &[]);
        let expected: Vec<u8> = (0..size).map(|i| ((i + size - 1) % size) as u8).collect();
        assert_eq!(*solution, expected[..]);
    }
    for_every_backend!(|backend| run(backend));
}

/// Every number that an entry may be.
#[test]
fn entries_reduce() {
    fn run<R: QuotientRing>() {
        for x in 0..=largest_entry::<R>() {
            assert_eq!(u32::from(entry_value::<R>(x)), u32::from(x) % R::MODULUS);
        }
    }
    run::<Q7L10>();
    run::<Q31L3>();
    run::<Q127L3>();
}
