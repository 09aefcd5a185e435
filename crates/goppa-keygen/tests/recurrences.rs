//! Berlekamp-Massey against the textbook algorithm, on every back end.

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::{LaneBackend, Portable};
use goppa_keygen::berlekamp_massey::berlekamp_massey;

/// Massey's algorithm with divisions: (L, C).
fn textbook(field: Gf2m, sequence: &[u16]) -> (usize, Vec<u16>) {
    let size = sequence.len() + 2;
    let (mut connection, mut auxiliary) = (vec![0u16; size], vec![0u16; size]);
    (connection[0], auxiliary[1]) = (1, 1);
    let (mut length, mut previous) = (0, 1u16);
    for n in 0..sequence.len() {
        let discrepancy = (0..=n).fold(0, |sum, i| sum ^ field.mul(connection[i], sequence[n - i]));
        let quotient = field.mul(discrepancy, field.invert(previous));
        let old = connection.clone();
        for (c, b) in connection.iter_mut().zip(&auxiliary) {
            *c ^= field.mul(quotient, *b);
        }
        if discrepancy != 0 && 2 * length <= n {
            length = n + 1 - length;
            auxiliary = old;
            previous = discrepancy;
        }
        auxiliary.rotate_right(1);
        auxiliary[0] = 0;
    }
    (length, connection)
}

fn compare<B: LaneBackend, const M: usize>(backend: B, field: Gf2m, sequence: &[u16]) {
    let degree = sequence.len() / 2;
    let (length, connection) = textbook(field, sequence);
    let found = berlekamp_massey::<B, M>(backend, sequence);
    assert_eq!(found.length, length, "{} m {M} {} terms", B::NAME, sequence.len());
    let expected: Vec<u16> = connection[1..=degree].iter().rev().copied().collect();
    assert_eq!(found.polynomial, expected, "{} m {M} {} terms", B::NAME, sequence.len());
}

fn check<B: LaneBackend, const M: usize>(backend: B, degree: usize) {
    let Some(field) = Gf2m::new(M as u32) else { unreachable!() };
    let mut state = (M * 1000 + degree) as u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u16 & field.mask()
    };
    let terms = 2 * degree;
    for round in 0..4 {
        let random: Vec<u16> = (0..terms).map(|_| next()).collect();
        compare::<B, M>(backend, field, &random);
        // zeros here and there: discrepancies that vanish, lengths that jump
        let mut sparse = random.clone();
        for (index, term) in sparse.iter_mut().enumerate() {
            if index < terms / (round + 1) || index % 3 == 0 {
                *term = 0;
            }
        }
        compare::<B, M>(backend, field, &sparse);
        // a short recurrence
        let order = (degree >> round).max(1);
        let taps: Vec<u16> = (0..order).map(|_| next()).collect();
        let mut recurrent: Vec<u16> = random[..order.min(terms)].to_vec();
        while recurrent.len() < terms {
            let start = recurrent.len() - order;
            let term =
                taps.iter().zip(&recurrent[start..]).fold(0, |sum, (tap, term)| sum ^ field.mul(*tap, *term));
            recurrent.push(term);
        }
        compare::<B, M>(backend, field, &recurrent);
    }
    compare::<B, M>(backend, field, &vec![0; terms]);
    for position in [0, 1, degree - 1, degree, terms - 1] {
        let mut single = vec![0; terms];
        if let Some(term) = single.get_mut(position) {
            *term = 1;
        }
        compare::<B, M>(backend, field, &single);
    }
}

fn check_all<B: LaneBackend>(backend: B) {
    check::<B, 2>(backend, 1);
    check::<B, 4>(backend, 2);
    check::<B, 5>(backend, 3);
    check::<B, 7>(backend, 16);
    check::<B, 8>(backend, 17);
    check::<B, 9>(backend, 33);
    check::<B, 11>(backend, 50);
    check::<B, 12>(backend, 64);
    check::<B, 13>(backend, 96);
    check::<B, 13>(backend, 119);
    check::<B, 13>(backend, 128);
    check::<B, 14>(backend, 60);
    check::<B, 15>(backend, 130);
    check::<B, 16>(backend, 12);
}

#[test]
fn every_back_end_finds_the_recurrence_of_the_textbook() {
    check_all(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        use gf2n::small::gf2m::backend::{Avx2, Avx512};
        if let Some(token) = Avx2::detect() {
            check_all(token);
        }
        if let Some(token) = Avx512::detect() {
            check_all(token);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(token) = gf2n::small::gf2m::backend::Neon::detect() {
        check_all(token);
    }
}
