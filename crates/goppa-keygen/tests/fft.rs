//! The additive FFT and its transpose against their definitions, on every back end.

use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::{LaneBackend, Portable};
use gf2n::small::gf2m::planes;
use goppa_keygen::fft;

fn random(seed: &mut u64, mask: u16) -> u16 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as u16 & mask
}

fn field<const M: usize>() -> Gf2m {
    match Gf2m::new(M as u32) {
        Some(field) => field,
        None => unreachable!(),
    }
}

fn naive<const M: usize>(coefficients: &[u16], point: u16) -> u16 {
    coefficients.iter().rev().fold(0, |value, coefficient| field::<M>().mul(value, point) ^ coefficient)
}

fn check<B: LaneBackend, const M: usize>(backend: B, length: usize) {
    let (field, mut seed) = (field::<M>(), length as u64);
    let coefficients: Vec<u16> = (0..length).map(|_| random(&mut seed, field.mask())).collect();
    let values = fft::evaluate::<B, M>(backend, &coefficients);
    let mut list = vec![0u16; field.order().max(B::LANES)];
    for (vector, chunk) in values.iter().zip(list.chunks_mut(B::LANES)) {
        planes::to_elements::<B, M>(backend, vector, chunk);
    }
    for index in (0..field.order()).step_by(if M > 10 { 97 } else { 1 }) {
        let point = field.reverse_bits(index as u16);
        assert_eq!(
            list[index],
            naive::<M>(&coefficients, point),
            "{} m {M} length {length} index {index}",
            B::NAME
        );
    }
    // transpose: <f, sums(v)> = sum over x of v(x) f(x) for every v
    let vector: Vec<u16> =
        (0..field.order()).map(|x| if x % 3 == 0 { random(&mut seed, field.mask()) } else { 0 }).collect();
    let sliced: Vec<_> =
        vector.chunks(B::LANES).map(|chunk| planes::from_elements::<B, M>(backend, chunk)).collect();
    let mut sums = vec![0u16; length];
    fft::power_sums::<B, M>(backend, sliced, &mut sums);
    let mut expected = vec![0u16; length];
    for (index, value) in vector.iter().enumerate() {
        let (point, mut power) = (field.reverse_bits(index as u16), *value);
        if *value != 0 {
            for sum in &mut expected {
                *sum ^= power;
                power = field.mul(power, point);
            }
        }
    }
    assert_eq!(sums, expected, "{} m {M} length {length}", B::NAME);
}

fn check_all<B: LaneBackend>(backend: B) {
    check::<B, 2>(backend, 1);
    check::<B, 2>(backend, 4);
    check::<B, 4>(backend, 3);
    check::<B, 5>(backend, 32);
    check::<B, 8>(backend, 9);
    check::<B, 8>(backend, 256);
    check::<B, 9>(backend, 300);
    check::<B, 11>(backend, 27);
    check::<B, 12>(backend, 64);
    check::<B, 12>(backend, 128);
    check::<B, 13>(backend, 2);
    check::<B, 13>(backend, 119);
    check::<B, 13>(backend, 256);
    check::<B, 16>(backend, 520);
}

#[test]
fn every_back_end_agrees_with_the_definition() {
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
}
