//! Against plain sums; the elimination is tested with those of the other back ends.

use alloc::vec;
use alloc::vec::Vec;

use super::super::tests::Bytes;
use super::super::{Gf16, PackedField};
use super::{Bins, Lookup, Prepared, load, scalar as prepare, store, transpose, words};

fn elements(bytes: &mut Bytes, count: usize) -> Vec<u8> {
    bytes.vec(count).into_iter().map(|byte| byte & 15).collect()
}

fn packed(cell: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; Gf16::bytes(cell.len())];
    Gf16::pack(cell, &mut bytes);
    bytes
}

fn unpacked(cell: &[u32], count: usize) -> Vec<u8> {
    (0..8 * cell.len())
        .map(|e| ((cell[e / 8] >> (4 * (e % 8))) & 15) as u8)
        .enumerate()
        .map(|(e, element)| {
            if e < count {
                element
            } else {
                assert_eq!(element, 0);
                0
            }
        })
        .take(count)
        .collect()
}

fn plain(scalars: &[u8], cells: &[Vec<u8>]) -> Vec<u8> {
    let mut sum = vec![0; cells[0].len()];
    for (scalar, cell) in scalars.iter().zip(cells) {
        sum.iter_mut().zip(cell).for_each(|(sum, element)| *sum ^= Gf16::multiply(*scalar, *element));
    }
    sum
}

#[test]
fn lookups_multiples_and_bins_are_plain_sums() {
    let mut bytes = Bytes(7);
    for (count, columns) in [(64, 10), (67, 14), (78, 18), (5, 1), (8, 8), (9, 17), (142, 24), (2, 33)] {
        let terms = 6;
        let rows: Vec<Vec<u8>> = (0..terms).map(|_| elements(&mut bytes, columns)).collect();
        let cells: Vec<Vec<u8>> = (0..terms).map(|_| elements(&mut bytes, count)).collect();
        let step = Gf16::bytes(count);
        // what follows an odd last element in its byte is not zero
        let mut source: Vec<u8> = cells.iter().flat_map(|cell| packed(cell)).collect();
        if count % 2 == 1 {
            source.iter_mut().skip(step - 1).step_by(step).for_each(|byte| *byte |= 0x50);
        }
        let lookup = Lookup::new(terms, columns, |t, c| rows[t][c]);
        assert_eq!(lookup.columns(), columns);
        for range in [0..terms, 2..terms, 3..3] {
            let expected: Vec<Vec<u8>> = (0..columns)
                .map(|column| {
                    let scalars: Vec<u8> = rows[range.clone()].iter().map(|row| row[column]).collect();
                    let kept = if range.is_empty() { &cells[..1] } else { &cells[range.clone()] };
                    plain(&scalars, kept)
                })
                .collect();
            let size = words(count);
            let mut sums = vec![0u32; columns * (size + 1)];
            let source = &source[range.start * step..];
            lookup.add_sums(range.clone(), source, step, count, &mut sums, size + 1);
            for (sum, expected) in sums.chunks_exact(size + 1).zip(&expected) {
                assert_eq!(unpacked(&sum[..size], count), *expected);
                assert_eq!(sum[size], 0);
            }
            let mut seen = 0;
            lookup.packed_sums(range.clone(), source, step, count, |number, sum| {
                assert_eq!(number, seen);
                seen += 1;
                for (column, expected) in expected.iter().take(16).enumerate() {
                    let found = (sum[column / 8] >> (4 * (column % 8))) & 15;
                    assert_eq!(found as u8, expected[number]);
                }
            });
            assert_eq!(seen, count);
        }
        let size = words(count);
        let scalars: Vec<u8> = rows.iter().map(|row| row[0]).collect();
        let expected = plain(&scalars, &cells);
        let (mut bins, mut cell_bits) = (Bins::new(size), Prepared::zeros(size));
        let (mut first, mut second) = (vec![0; size], vec![0; size]);
        for (number, (scalar, cell)) in scalars.iter().zip(&cells).enumerate() {
            let mut loaded = vec![1; size];
            load(&packed(cell), &mut loaded);
            assert_eq!(unpacked(&loaded, count), *cell);
            let mut stored = vec![0; step];
            store(&loaded, &mut stored);
            assert_eq!(stored, packed(cell));
            cell_bits.set(&loaded);
            cell_bits.add_to(&prepare(*scalar), &mut first);
            if number % 2 == 0 { bins.add(*scalar, &loaded) } else { bins.add_bytes(*scalar, &packed(cell)) }
        }
        bins.finish(&mut second);
        bins.finish(&mut second);
        assert_eq!(unpacked(&first, count), expected);
        assert_eq!(first, second);
    }
}

#[test]
fn squares_are_transposed() {
    let square: [u32; 8] = core::array::from_fn(|i| 0x9e37_79b9_u32.wrapping_mul(i as u32 + 3));
    let turned = transpose(square);
    for (i, row) in square.iter().enumerate() {
        for (j, column) in turned.iter().enumerate() {
            assert_eq!((row >> (4 * j)) & 15, (column >> (4 * i)) & 15);
        }
    }
}
