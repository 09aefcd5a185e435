//! Single operations in the fields of the schemes, under the back ends that serve them.
//!
//! `cargo bench -p gf2n --bench field [-- FILTER]`

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use gf2n::Gf2n;
use gf2n::backend::{ClmulBackend, Level, set_ceiling};
use gf2n::modulus::{LibraryModulus, Modulus};
use std::hint::black_box;

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

fn field<const N: usize, const L: usize>(group: &mut BenchmarkGroup<'_, WallTime>)
where
    LibraryModulus: Modulus<N, L>,
{
    for backend in ClmulBackend::available() {
        let level = backend.level();
        if level <= Level::Simd128 {
            set_ceiling(level);
            let [mut a, b] = samples::<N, L>();
            group.bench_function(format!("{N}/mul/{}", backend.name()), |bencher| {
                bencher.iter(|| {
                    a *= black_box(b);
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
