//! Evaluation of GF(2) systems at the sizes of the published keys, on every back end of this CPU.
//!
//! `chain` is what verification does: four evaluations, each at a point that depends on the one before.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gf2n::backend::{Level, set_ceiling};
use mq_eval::gf2::{Layout, PackedSystem, Shape};

fn words(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let step = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 29
    };
    std::iter::repeat_with(step).take(count).collect()
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gf2");
    group.sample_size(20).measurement_time(std::time::Duration::from_millis(400));
    group.warm_up_time(std::time::Duration::from_millis(100));
    for (name, layout, n, m) in [
        ("gemss128", Layout::ByteHybrid, 186, 162),
        ("gemss192", Layout::ByteHybrid, 285, 243),
        ("gemss256", Layout::ByteHybrid, 387, 324),
        ("redgemss128", Layout::ByteHybrid, 192, 162),
        ("gemss128-r2", Layout::WordRows, 186, 162),
        ("gui184", Layout::LinearFirst, 200, 168),
        ("dualmodems128", Layout::ByteHybrid, 277, 256),
    ] {
        let shape = Shape::new(n, m).unwrap();
        let mut bytes: Vec<u8> =
            words(layout.len(shape).div_ceil(8), 1).iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.truncate(layout.len(shape));
        if layout == Layout::WordRows {
            for row in bytes.chunks_exact_mut(8 * shape.equation_words()) {
                row[m / 8] &= (1 << (m % 8)) - 1;
                row[m / 8 + 1..].fill(0);
            }
        }
        if let Some(last) = bytes.last_mut() {
            *last = 0;
        }
        let packed = PackedSystem::new(layout, shape, bytes.clone()).unwrap();
        let points = words(4 * shape.variable_words(), 2);
        for level in [Level::Portable, Level::Avx2, Level::Avx512] {
            set_ceiling(level);
            group.bench_function(BenchmarkId::new(format!("{name}/chain4"), level.name()), |b| {
                let mut value = vec![0; shape.equation_words()];
                let mut point = points.clone();
                b.iter(|| {
                    let cold = PackedSystem::new(layout, shape, &bytes[..]).unwrap();
                    for k in 0..4 {
                        point[0] ^= value[0];
                        cold.evaluate(&point[k * shape.variable_words()..], &mut value);
                    }
                });
            });
            group.bench_function(BenchmarkId::new(format!("{name}/secret"), level.name()), |b| {
                let mut value = vec![0; shape.equation_words()];
                b.iter(|| packed.evaluate_secret(&points, &mut value));
            });
            group.bench_function(BenchmarkId::new(format!("{name}/many16"), level.name()), |b| {
                let points = words(16 * shape.variable_words(), 3);
                let mut values = vec![0; 16 * shape.equation_words()];
                b.iter(|| packed.evaluate_many(&points, &mut values));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
