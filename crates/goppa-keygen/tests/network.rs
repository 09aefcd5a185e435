//! The permutation network on bits against its definition on values, on every back end.

use gf2n::small::gf2m::backend::{LaneBackend, Portable};
use goppa_keygen::network::{Network, control_bytes, permute};

fn check<B: LaneBackend>(backend: B, m: usize) {
    let mut state = m as u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    };
    let mut control: Vec<u8> = (0..control_bytes(m)).map(|_| next() as u8).collect();
    let bits = (2 * m - 1) << (m - 1);
    if !bits.is_multiple_of(8) {
        control[bits / 8] &= (1 << (bits % 8)) - 1;
    }
    let network = Network::new(backend, m, &control);
    let size = 1usize << m;
    let mut words: Vec<u64> = (0..size.div_ceil(64)).map(|_| next() | next() << 32).collect();
    if m < 6 {
        words[0] &= (1 << size) - 1;
    }
    let original = words.clone();
    let bit = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1;
    let mut values: Vec<u16> = (0..size).map(|index| bit(&words, index) as u16).collect();
    permute(m, &control, &mut values);
    network.permute(backend, &mut words, false);
    for (index, value) in values.iter().enumerate() {
        assert_eq!(bit(&words, index), u64::from(*value), "{} m {m} position {index}", B::NAME);
    }
    network.permute(backend, &mut words, true);
    assert_eq!(words, original, "{} m {m}", B::NAME);
}

#[test]
fn every_back_end_runs_the_network() {
    for m in 2..=16 {
        check(Portable, m);
        #[cfg(target_arch = "x86_64")]
        {
            use gf2n::small::gf2m::backend::{Avx2, Avx512};
            if let Some(token) = Avx2::detect() {
                check(token, m);
            }
            if let Some(token) = Avx512::detect() {
                check(token, m);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(token) = gf2n::small::gf2m::backend::Neon::detect() {
            check(token, m);
        }
    }
}
