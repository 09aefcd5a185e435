//! The parts of key generation for (m, t, n) = (13, 119, 6960), semi-systematic, on the back ends of this CPU.
#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use gf2n::backend::{Level, set_ceiling};
use gf2n::small::gf2m::Gf2m;
use goppa_keygen::backend::{Backend, Kernel, dispatch};
use goppa_keygen::control_bits::control_bits;
use goppa_keygen::extension::Extension;
use goppa_keygen::parity_check::CodeColumns;
use goppa_keygen::support::{SortedSupport, inverse_values};
use goppa_keygen::systemizer::RowLayout;

const CEILINGS: [Level; 2] = [Level::Avx2, Level::Avx512];

/// The parts of one semi-systematic key.
struct Parts<'a>(&'a mut Criterion);

impl Kernel for Parts<'_> {
    type Output = ();

    fn call<B: Backend>(self, backend: B) {
        const M: usize = 13;
        let mut group = self.0.benchmark_group(format!("goppa 13,119,6960 {}", B::NAME));
        group.sample_size(20).measurement_time(Duration::from_millis(600));
        group.warm_up_time(Duration::from_millis(100));
        let field = Gf2m::new(13).unwrap();
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let element: Vec<u16> = (0..119).map(|_| next() as u16 & 0x1fff).collect();
        let keys: Vec<u32> = (0..8192).map(|_| next()).collect();
        let extension = Extension::new(field, 119, &[(8, 1), (0, 1)]).unwrap();
        let g = extension.minimal_polynomial::<B, M>(backend, &element).unwrap();
        group.bench_function("minimal polynomial", |bencher| {
            bencher.iter(|| extension.minimal_polynomial::<B, M>(backend, &element));
        });
        let inverses = inverse_values::<B, M>(backend, &g);
        group.bench_function("inverse values", |bencher| {
            bencher.iter(|| inverse_values::<B, M>(backend, &g));
        });
        let support = SortedSupport::new::<B, M>(backend, &keys, &inverses).unwrap();
        group.bench_function("sorted support", |bencher| {
            bencher.iter(|| SortedSupport::new::<B, M>(backend, &keys, &inverses).unwrap());
        });
        let alphas: Vec<u16> = support.permutation.iter().map(|x| field.reverse_bits(*x)).collect();
        let code = CodeColumns { support: &alphas[..6960], scalings: &support.scalings[..6960], degree: 119 };
        let layout = RowLayout::semi_systematic(1547).unwrap();
        group.bench_function("left matrix", |bencher| {
            bencher.iter(|| code.left_block::<B, M>(backend, layout));
        });
        group.bench_function("left matrix and elimination", |bencher| {
            bencher.iter(|| code.left_block::<B, M>(backend, layout).eliminate(backend).unwrap());
        });
        let mut public_key = vec![0u8; 1_047_319];
        group.bench_function("systematic form", |bencher| {
            bencher
                .iter(|| code.systematic_form::<B, M>(backend, layout, &mut public_key).unwrap().is_some());
        });
        group.bench_function("control bits", |bencher| {
            bencher.iter(|| control_bits(backend, &support.permutation));
        });
        group.finish();
    }
}

fn parts(criterion: &mut Criterion) {
    for ceiling in CEILINGS {
        set_ceiling(ceiling);
        dispatch(Parts(criterion));
    }
}

criterion_group!(benches, parts);
criterion_main!(benches);
