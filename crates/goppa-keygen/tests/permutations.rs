//! Sorting networks, control bits and the permutation network, on every back end.

use gf2n::small::gf2m::backend::Portable;
use goppa_keygen::backend::Backend;
use goppa_keygen::backend::tables::{Bytes, TABLE_PADDING};
use goppa_keygen::control_bits::control_bits;
use goppa_keygen::network::permute;
use goppa_keygen::sort::{sort, sort_interleaved};
use goppa_keygen::wiped::Wiped;

fn numbers(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 3
        })
        .collect()
}

fn permutation(m: usize, seed: u64) -> Vec<u16> {
    let mut keyed: Vec<(u64, u16)> =
        numbers(1 << m, seed).into_iter().zip(0..).map(|(key, index)| (key, index as u16)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// The looping algorithm in the clear.
fn looping(p: &[usize]) -> Vec<u8> {
    let n = p.len();
    if n == 2 {
        return vec![p[0] as u8];
    }
    let mut inverse = vec![0; n];
    for (x, y) in p.iter().enumerate() {
        inverse[*y] = x;
    }
    let mut first: Vec<Option<usize>> = vec![None; n / 2];
    for j in 0..n / 2 {
        let mut v = 2 * j;
        while first[v >> 1].is_none() {
            first[v >> 1] = Some(v & 1);
            v = p[inverse[v ^ 1] ^ 1];
        }
    }
    let first: Vec<usize> = first.into_iter().flatten().collect();
    let f = |v: usize| v ^ first[v >> 1];
    let last: Vec<usize> = (0..n / 2).map(|i| f(p[2 * i]) & 1).collect();
    let m: Vec<usize> = (0..n).map(|x| f(p[x ^ last[x >> 1]])).collect();
    let sub: Vec<Vec<u8>> =
        (0..2).map(|e| looping(&(0..n / 2).map(|j| m[2 * j + e] >> 1).collect::<Vec<_>>())).collect();
    let mut bits: Vec<u8> = first.iter().map(|bit| *bit as u8).collect();
    for (a, b) in sub[0].iter().zip(&sub[1]) {
        bits.extend([*a, *b]);
    }
    bits.extend(last.iter().map(|bit| *bit as u8));
    bits
}

fn pack(bits: &[u8]) -> Vec<u8> {
    bits.chunks(8).map(|chunk| chunk.iter().enumerate().map(|(i, bit)| bit << i).sum()).collect()
}

/// Look-ups of every size that a back end offers (at least those of the definition for small ones) against plain indexing.
fn check_tables<B: Backend>(backend: B) {
    for w in 1..=B::TABLE_LEVELS.max(4) {
        let length = 1usize << w.max(w.min(2) + 7).min(13);
        let bytes = |seed: u64| -> Vec<u8> {
            numbers(length + TABLE_PADDING, seed).into_iter().map(|word| (word >> 30) as u8).collect()
        };
        let (table_low, table_high) = (bytes(1), bytes(2));
        let words: Vec<usize> =
            numbers(length, 3).into_iter().map(|word| (word >> 20) as usize & ((1 << w) - 1)).collect();
        let (mut index_low, mut index_high) = (bytes(4), bytes(5));
        for (entry, word) in words.iter().enumerate() {
            (index_low[entry], index_high[entry]) = (*word as u8, (*word >> 8) as u8);
        }
        for wide_index in [w > 8, true] {
            for wide_table in [false, true] {
                if (wide_index || wide_table) && B::TABLE_LEVELS < 9 && B::TABLE_LEVELS > 0 {
                    continue;
                }
                if wide_table && w <= 8 {
                    continue;
                }
                let index = Bytes { low: &index_low, high: wide_index.then_some(&*index_high) };
                let table = Bytes { low: &table_low, high: wide_table.then_some(&*table_high) };
                for pairs in [false, true] {
                    let (mut low, mut high) = (bytes(6), bytes(7));
                    if pairs {
                        backend.run(|| backend.look_up_pairs(w, length, index, table, &mut low, &mut high));
                    } else {
                        backend.run(|| backend.look_up(w, length, index, table, &mut low, &mut high));
                    }
                    let shift = usize::from(pairs);
                    for (entry, word) in words.iter().enumerate() {
                        let place = (entry >> w << (w - shift)) + (word >> shift);
                        assert_eq!(low[entry], table_low[place], "{} w {w} {pairs} {entry}", B::NAME);
                        if wide_table {
                            assert_eq!(high[entry], table_high[place], "{} w {w} {pairs} {entry}", B::NAME);
                        }
                    }
                }
            }
        }
    }
}

fn check<B: Backend>(backend: B) {
    check_tables(backend);
    for log in 0..14 {
        let list = numbers(1 << log, log as u64);
        let mut sorted = list.clone();
        sort(backend, &mut sorted);
        let mut expected = list.clone();
        expected.sort_unstable();
        assert_eq!(sorted, expected, "{} u64 {log}", B::NAME);
        let list: Vec<u32> = list.iter().map(|value| (value >> 20) as u32 | (*value as u32) << 30).collect();
        let mut sorted = list.clone();
        sort(backend, &mut sorted);
        let mut expected = list.clone();
        expected.sort_unstable();
        assert_eq!(sorted, expected, "{} u32 {log}", B::NAME);
        for lists in (0..=log).map(|log| 1usize << log) {
            let mut together = Wiped::new(list.clone());
            let mut scratch = Wiped::new(vec![0; list.len()]);
            sort_interleaved(backend, &mut together, &mut scratch, lists);
            for number in 0..lists {
                let mut one: Vec<u32> = list.iter().skip(number).step_by(lists).copied().collect();
                one.sort_unstable();
                assert!(
                    together.iter().skip(number).step_by(lists).eq(&one),
                    "{} {lists} lists {log}",
                    B::NAME
                );
            }
        }
    }
    let examples: [(&[u16], &[u8]); 4] = [
        (&[1, 0], &[0x01]),
        (&[2, 0, 3, 1], &[0x1a]),
        (&[3, 7, 5, 0, 1, 6, 2, 4], &[0x02, 0x7a, 0x0e]),
        (
            &[0, 13, 5, 10, 2, 15, 7, 12, 4, 9, 1, 14, 6, 11, 3, 8],
            &[0x00, 0xa0, 0xe0, 0x5a, 0x96, 0x66, 0xaa],
        ),
    ];
    for (pi, bits) in examples {
        assert_eq!(&**control_bits(backend, pi), bits, "{} {pi:?}", B::NAME);
    }
    for m in 1..=14 {
        for seed in 0..3 {
            let pi = permutation(m, seed);
            let control = control_bits(backend, &pi);
            let expected = pack(&looping(&pi.iter().map(|x| usize::from(*x)).collect::<Vec<_>>()));
            assert!(**control == expected, "{} m {m} seed {seed}", B::NAME);
            let mut list: Vec<u16> = (0..1u32 << m).map(|x| x as u16).collect();
            permute(m, &control, &mut list);
            assert_eq!(list, pi);
        }
    }
}

#[test]
fn every_back_end_agrees_with_the_looping_algorithm() {
    check(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        use gf2n::small::gf2m::backend::{Avx2, Avx512};
        if let Some(token) = Avx2::detect() {
            check(token);
        }
        if let Some(token) = Avx512::detect() {
            check(token);
        }
    }
}
