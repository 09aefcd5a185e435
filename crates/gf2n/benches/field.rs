//! Single operations and sums of products in the fields of the schemes, under each back end.
//!
//! `cargo bench -p gf2n --bench field [-- FILTER]`

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use gf2n::backend::{Cell, ClmulBackend, ClmulLanes, Level, WordLanes, set_ceiling};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2n::points::{Karatsuba, PointForm};
use gf2n::{Gf2n, match_clmul, run_clmul};
use std::hint::black_box;

/// Terms of a dot product, as in the root finding of HFE with degree 513.
const TERMS: usize = 46;
/// Neighbouring outputs.
const OUTPUTS: usize = 4;

fn samples<const N: usize, const L: usize>() -> [Gf2n<N, L>; 2]
where
    LibraryModulus: Modulus<N, L>,
{
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ (state >> 31)
    };
    [(); 2].map(|()| Gf2n::from_limbs_truncated([(); L].map(|()| next())))
}

/// `OUTPUTS` vectors of sums of `TERMS` products, every point of one pair after the other.
#[inline(always)]
fn dot<B: WordLanes>(lanes: B, coefficients: &[Cell], window: &[Cell], pairs: usize, sums: &mut [Cell]) {
    for pair in 0..pairs {
        let (mut low, mut high) = ([lanes.zero(); OUTPUTS], [lanes.zero(); OUTPUTS]);
        for (term, coefficient) in coefficients[pair * TERMS..][..TERMS].iter().enumerate() {
            let coefficient = lanes.broadcast(coefficient);
            let row = &window[pair * 2 * TERMS + term..][..OUTPUTS * B::LANES];
            for output in 0..OUTPUTS {
                let values = lanes.load(&row[output * B::LANES..]);
                low[output] = lanes.xor(low[output], lanes.clmul_low(coefficient, values));
                high[output] = lanes.xor(high[output], lanes.clmul_high(coefficient, values));
            }
        }
        for output in 0..OUTPUTS {
            lanes.store(low[output], &mut sums[(pair * 2 * OUTPUTS + output) * B::LANES..]);
            lanes.store(high[output], &mut sums[(pair * 2 * OUTPUTS + OUTPUTS + output) * B::LANES..]);
        }
    }
}

fn field<const N: usize, const L: usize>(group: &mut BenchmarkGroup<'_, WallTime>)
where
    LibraryModulus: Modulus<N, L>,
    Karatsuba: PointForm<L>,
{
    for backend in ClmulBackend::available() {
        let level = backend.level();
        if level <= Level::Simd128 {
            set_ceiling(level);
            let [mut a, b] = samples::<N, L>();
            group.bench_function(format!("{N}/mul/{}", backend.name()), |bencher| {
                bencher.iter(|| {
                    a = a * black_box(b);
                    a
                });
            });
            group.bench_function(format!("{N}/square/{}", backend.name()), |bencher| {
                bencher.iter(|| {
                    a = a.square();
                    a
                });
            });
            group.bench_function(format!("{N}/invert/{}", backend.name()), |bencher| {
                bencher.iter(|| a.invert());
            });
            set_ceiling(Level::Avx512);
        }
        fn lanes_of<B: ClmulLanes>(_: B) -> usize {
            B::LANES
        }
        let pairs = <Karatsuba as PointForm<L>>::PAIRS;
        let coefficients = vec![Cell([0x0123_4567_89ab_cdef; 2]); pairs * TERMS];
        let window = vec![Cell([0xfedc_ba98_7654_3210; 2]); 2 * pairs * TERMS];
        let mut sums = vec![Cell::ZERO; pairs * 2 * OUTPUTS * 4];
        let products = TERMS * OUTPUTS * match_clmul!(backend, backend => lanes_of(backend));
        group.throughput(criterion::Throughput::Elements(products as u64));
        group.bench_function(format!("{N}/dot/{}", backend.name()), |bencher| {
            bencher.iter(|| {
                run_clmul!(backend, backend => dot(backend, &coefficients, &window, pairs, &mut sums));
            });
        });
    }
}

fn fields(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("field");
    field::<174, 3>(&mut group);
    field::<265, 5>(&mut group);
    field::<354, 6>(&mut group);
    field::<402, 7>(&mut group);
    field::<544, 9>(&mut group);
    group.finish();
}

criterion_group!(benches, fields);
criterion_main!(benches);
