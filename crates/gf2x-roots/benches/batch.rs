//! Multipoint evaluation at the sizes of DualModeMS: the additive FFT of a whole batch against Horner's rule, one polynomial at a
//! time in eight interleaved chains of carry-less products. Both at all 2^18 points, in turn (A B B A), in one process.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use gf2n::backend::{Cell, ClmulBackend, ClmulLanes, Level, WordLanes, set_ceiling};
use gf2n::match_clmul;
use gf2x_roots::batch::{Batch, BatchField, BatchTransform, Selection, backend_name};

const CHAINS: usize = 8;

/// Horner's rule for one polynomial. One fold of the modulus x^k + x^t + 1, t <= 3, a step lets a value grow by t - 1 bits; after
/// every four steps one fold more brings it back to about k bits.
#[inline(always)]
fn horner<B: WordLanes>(lanes: B, k: u32, t: u32, coefficients: &[u32], points: &[u32], values: &mut [u32]) {
    let low = lanes.splat((1 << k) - 1);
    let fold = |value| {
        let high = lanes.shift_right(value, k);
        lanes.xor(lanes.xor(high, lanes.shift_left(high, t)), lanes.and(value, low))
    };
    for (points, values) in points.chunks(CHAINS).zip(values.chunks_mut(CHAINS)) {
        let mut z = [lanes.zero(); CHAINS];
        for (z, &point) in z.iter_mut().zip(points) {
            *z = lanes.splat(u64::from(point));
        }
        let mut sums = [lanes.zero(); CHAINS];
        for steps in coefficients.rchunks(4) {
            for &c in steps.iter().rev() {
                let c = lanes.splat(u64::from(c));
                for (sum, &z) in sums.iter_mut().zip(&z) {
                    *sum = lanes.xor(fold(lanes.clmul_low(*sum, z)), c);
                }
            }
            for sum in &mut sums {
                *sum = fold(*sum);
            }
        }
        for (value, &sum) in values.iter_mut().zip(&sums) {
            let mut cells = [Cell::ZERO; 1];
            lanes.store(fold(sum), &mut cells);
            *value = cells[0].0[0] as u32;
        }
    }
}

fn words(count: usize, bits: u32) -> Vec<u32> {
    let mut state = u64::from(bits);
    let next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as u32 & ((1 << bits) - 1)
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn compare(name: &str, k: u32, t: u32, lanes: usize, coefficients: usize) {
    const FEW: usize = 2;
    let field = BatchField::new(1 << k | 1 << t | 1).unwrap();
    let transform = BatchTransform::new(field, coefficients);
    let elements = words(lanes * coefficients, k);
    let mut batch = Batch::zero(lanes, coefficients);
    for (index, &c) in elements.iter().enumerate() {
        batch.set(index / lanes, index % lanes, c);
    }
    let points: Vec<u32> = if k == 18 { (0..1 << 18).collect() } else { words(1 << 18, k) };
    let selection = Selection::new(k, points.iter().copied());
    let few: Vec<Vec<u32>> =
        (0..FEW).map(|p| (0..coefficients).map(|j| elements[j * lanes + p]).collect()).collect();
    let mut by_horner = vec![vec![0; points.len()]; FEW];
    let mut by_transform = vec![vec![0; 1 << k]; FEW];

    let mut run_horner = || {
        let start = Instant::now();
        for (polynomial, values) in few.iter().zip(&mut by_horner) {
            match_clmul!(ClmulBackend::best(), b => {
                let narrow = b.narrow();
                b.run(
                    #[inline(always)]
                    || horner(narrow, k, t, polynomial, &points, values),
                );
            });
        }
        start.elapsed().as_secs_f64() / FEW as f64
    };
    let mut run_transform = || {
        let start = Instant::now();
        let basis = transform.basis_form(batch.clone());
        let _ = transform.for_each_block(&basis, Some(&selection), |block, values| {
            for j in 0..values.len() {
                for (p, all) in by_transform.iter_mut().enumerate() {
                    all[block << transform.block_log2() | j] = values.get(j, p);
                }
            }
            Ok::<(), ()>(())
        });
        black_box(&by_transform);
        start.elapsed().as_secs_f64() / lanes as f64
    };
    let (h1, f1, f2, h2) = (run_horner(), run_transform(), run_transform(), run_horner());
    let (horner, fft) = (h1.min(h2), f1.min(f2));
    for (horner, transform) in by_horner.iter().zip(&by_transform) {
        assert!(points.iter().zip(horner).all(|(&z, &value)| transform[z as usize] == value));
    }
    println!(
        "{name:8} {:14} Horner {:8.2} ms a polynomial, FFT {:7.4} ms a polynomial ({:.2} s for all {lanes}), ratio {:.0}",
        backend_name(),
        horner * 1e3,
        fft * 1e3,
        fft * lanes as f64,
        horner / fft
    );
}

fn main() {
    // `cargo test --benches` starts this too; the comparison takes a minute
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for level in [Level::Avx2Wide, Level::Avx512] {
        set_ceiling(level);
        compare("128", 21, 2, 256, 1834);
        compare("192", 20, 3, 384, 4421);
        compare("256", 20, 3, 512, 8309);
        compare("128F", 18, 3, 256, 2140);
        compare("192F", 18, 3, 384, 4912);
        compare("256F", 18, 3, 512, 9233);
    }
}
