//! The batch transform and Horner's rule against the definition, on every back end of this CPU.
#![allow(clippy::unwrap_used)]

use std::convert::Infallible;

use gf2n::backend::{Level, set_ceiling};
use gf2x_roots::batch::{Batch, BatchField, BatchHorner, BatchTransform, Selection};

fn value(field: BatchField, polynomial: &[u32], point: u32) -> u32 {
    polynomial.iter().rev().fold(0, |sum, c| field.multiply(sum, point) ^ c)
}

fn polynomials(field: BatchField, lanes: usize, coefficients: usize) -> (Batch, Vec<Vec<u32>>) {
    let mut state = 1u64;
    let mut batch = Batch::zero(lanes, coefficients);
    let mut plain = vec![vec![0; coefficients]; lanes];
    for (lane, polynomial) in plain.iter_mut().enumerate() {
        for (j, c) in polynomial.iter_mut().enumerate() {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            *c = (state >> 33) as u32 & ((1 << field.degree()) - 1);
            batch.set(j, lane, *c);
            assert_eq!(batch.get(j, lane), *c);
        }
    }
    (batch, plain)
}

const CASES: [(u32, usize, usize); 12] = [
    (0b111, 1, 1),
    (0b111, 3, 4),
    (0b1011, 65, 8),
    (0x11b, 10, 40),
    (0x11b, 1, 256),
    (0x11b, 2, 129),
    (0b10_0000_0011, 10, 12),
    (0b1000_0000_0101, 64, 100),
    (0b100_0000_1001, 63, 33),
    (0b1_0000_0000_1001, 130, 300),
    (1 << 20 | 9, 2, 9),
    (1 << 21 | 5, 2, 13),
];

#[test]
fn transform_agrees_with_the_definition_at_every_point() {
    for (modulus, lanes, coefficients) in CASES {
        let field = BatchField::new(modulus).unwrap();
        if field.degree() > 12 {
            continue;
        }
        let (batch, plain) = polynomials(field, lanes, coefficients);
        let transform = BatchTransform::new(field, coefficients);
        let wanted = |point: u32| point % 7 == 3 || point % 32 > 29;
        let selection = Selection::new(field.degree(), (0..1 << field.degree()).filter(|&p| wanted(p)));
        let nothing = Selection::new(field.degree(), []);
        // the definition is slow: a share of the points, ends included
        let share = if field.degree() > 8 { 1 << (field.degree() - 6) | 1 } else { 1 };
        let expected: Vec<Option<Vec<u32>>> = (0..1u32 << field.degree())
            .map(|p| {
                let checked = p % share == 0 || p + 2 >= 1 << field.degree();
                checked.then(|| plain.iter().map(|polynomial| value(field, polynomial, p)).collect())
            })
            .collect();
        for level in Level::ALL {
            set_ceiling(level);
            let basis = transform.basis_form(batch.clone());
            let mut seen = 0;
            let mut check = |block: usize, values: &Batch, only_wanted: bool| {
                for j in 0..values.len() {
                    let point = ((block << transform.block_log2()) + j) as u32;
                    if only_wanted && !wanted(point) {
                        continue;
                    }
                    for (lane, &expected) in expected[point as usize].iter().flatten().enumerate() {
                        assert_eq!(values.get(j, lane), expected, "{modulus:x} {point}");
                    }
                }
                seen += 1;
                Ok::<(), Infallible>(())
            };
            transform.for_each_block(&basis, None, |block, values| check(block, values, false)).unwrap();
            transform
                .for_each_block(&basis, Some(&selection), |block, values| check(block, values, true))
                .unwrap();
            assert!(seen >= transform.blocks());
            transform
                .for_each_block(&basis, Some(&nothing), |_, _| Err(()))
                .expect("no block holds a wanted point");
        }
        set_ceiling(Level::Avx512);
    }
}

#[test]
fn horner_and_selected_points_of_large_fields_agree_with_the_definition() {
    for (modulus, lanes, coefficients) in CASES {
        let field = BatchField::new(modulus).unwrap();
        let (batch, plain) = polynomials(field, lanes, coefficients);
        let points: Vec<u32> =
            (0..40u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> (32 - field.degree())).collect();
        let transform = BatchTransform::new(field, coefficients);
        let selection = Selection::new(field.degree(), points.iter().copied());
        for level in Level::ALL {
            set_ceiling(level);
            let mut horner = BatchHorner::new(field, lanes, &points);
            let middle = coefficients / 3;
            for range in [middle..coefficients, 0..middle] {
                let mut piece = Batch::zero(lanes, range.len());
                for (j, source) in range.enumerate() {
                    (0..lanes).for_each(|lane| piece.set(j, lane, batch.get(source, lane)));
                }
                horner.absorb(&piece);
            }
            let values = horner.values();
            for (i, &point) in points.iter().enumerate() {
                for (lane, polynomial) in plain.iter().enumerate() {
                    assert_eq!(values.get(i, lane), value(field, polynomial, point));
                }
            }
            let basis = transform.basis_form(batch.clone());
            let mut found = 0;
            transform
                .for_each_block(&basis, Some(&selection), |block, values| {
                    for (i, &point) in points.iter().enumerate() {
                        if point as usize >> transform.block_log2() == block {
                            let j = point as usize & (values.len() - 1);
                            for (lane, polynomial) in plain.iter().enumerate() {
                                assert_eq!(values.get(j, lane), value(field, polynomial, points[i]));
                            }
                            found += 1;
                        }
                    }
                    Ok::<(), Infallible>(())
                })
                .unwrap();
            assert_eq!(found, points.len());
        }
        set_ceiling(Level::Avx512);
    }
}

#[test]
fn an_error_of_the_visitor_ends_the_work() {
    let field = BatchField::new(0x11b).unwrap();
    let transform = BatchTransform::new(field, 8);
    let basis = transform.basis_form(Batch::zero(3, 8));
    let mut calls = 0;
    let result = transform.for_each_block(&basis, None, |block, _| {
        calls += 1;
        if block == 2 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((result, calls), (Err("enough"), 3));
}
