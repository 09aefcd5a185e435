//! Sums of products in evaluated form, the inner loop of root finding: many terms a sum, neighbouring outputs; interpolated,
//! reduced and evaluated again. One element is one output.
//!
//! `cargo bench -p gf2n --bench points [-- FILTER]`

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use gf2n::backend::{Cell, ClmulBackend, ClmulLanes, WordLanes};
use gf2n::modulus::ModulusInfo;
use gf2n::points::{Karatsuba, PointForm, Toom};
use gf2n::{Reducer, match_clmul, run_clmul};

/// Vectors of neighbouring outputs.
const VECTORS: usize = 4;

/// Evaluated operands: `PAIRS` rows of cells.
struct Operands {
    coefficients: Vec<Cell>,
    windows: Vec<Cell>,
    outputs: Vec<Cell>,
}

#[inline(always)]
fn block<F: PointForm<L>, B: WordLanes, const L: usize>(
    lanes: B,
    reducer: &Reducer,
    terms: usize,
    operands: &mut Operands,
) {
    let zero = lanes.zero();
    let mut sums = [F::points(move |_| zero); VECTORS];
    let width = operands.windows.len() / F::PAIRS;
    for pair in 0..F::PAIRS {
        let window = &operands.windows[pair * width..][..width];
        let (mut low, mut high) = ([zero; VECTORS], [zero; VECTORS]);
        for (term, coefficient) in operands.coefficients[pair * terms..][..terms].iter().enumerate() {
            let coefficient = lanes.broadcast(coefficient);
            let row = &window[term..][..VECTORS * B::LANES];
            for output in 0..VECTORS {
                let values = lanes.load(&row[output * B::LANES..]);
                low[output] = lanes.xor(low[output], lanes.clmul_low(coefficient, values));
                if 2 * pair + 1 < F::POINTS {
                    high[output] = lanes.xor(high[output], lanes.clmul_high(coefficient, values));
                }
            }
        }
        for (output, sum) in sums.iter_mut().enumerate() {
            sum.as_mut()[2 * pair] = low[output];
            if 2 * pair + 1 < F::POINTS {
                sum.as_mut()[2 * pair + 1] = high[output];
            }
        }
    }
    for group in 0..VECTORS / 2 {
        let words = F::interpolate(lanes, &sums[2 * group], &sums[2 * group + 1]);
        let values = F::evaluate(lanes, &reducer.reduce_lanes(lanes, &words));
        for pair in 0..F::PAIRS {
            let even = values.as_ref()[2 * pair];
            let odd = if 2 * pair + 1 < F::POINTS { values.as_ref()[2 * pair + 1] } else { zero };
            let place = &mut operands.outputs[(pair * VECTORS + 2 * group) * B::LANES..];
            lanes.store(lanes.unpack_low(even, odd), place);
            lanes.store(lanes.unpack_high(even, odd), &mut place[B::LANES..]);
        }
    }
}

fn form<F: PointForm<L>, const L: usize>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    degree: usize,
) {
    fn lanes_of<B: ClmulLanes>(_: B) -> usize {
        B::LANES
    }
    let Ok(modulus) = ModulusInfo::library(degree) else { return };
    let reducer = Reducer::new(&modulus);
    for terms in [11, 29, 46] {
        for backend in ClmulBackend::available() {
            let outputs = VECTORS * match_clmul!(backend, backend => lanes_of(backend));
            let mut operands = Operands {
                coefficients: vec![Cell([0x0123_4567_89ab_cdef; 2]); F::PAIRS * terms],
                windows: vec![Cell([0x0edc_ba98_7654_3210; 2]); F::PAIRS * (terms + outputs)],
                outputs: vec![Cell::ZERO; F::PAIRS * outputs],
            };
            group.throughput(Throughput::Elements(outputs as u64));
            group.bench_function(format!("{degree}/{terms} terms/{name}/{}", backend.name()), |bencher| {
                bencher.iter(|| {
                    run_clmul!(backend, lanes => block::<F, _, L>(lanes, &reducer, terms, &mut operands));
                });
            });
        }
    }
}

fn forms(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sum");
    form::<Karatsuba, 3>(&mut group, "karatsuba", 174);
    form::<Toom, 3>(&mut group, "toom", 174);
    form::<Karatsuba, 5>(&mut group, "karatsuba", 265);
    form::<Toom, 5>(&mut group, "toom", 265);
    form::<Karatsuba, 6>(&mut group, "karatsuba", 354);
    form::<Karatsuba, 7>(&mut group, "karatsuba", 402);
    form::<Karatsuba, 9>(&mut group, "karatsuba", 544);
    group.finish();
}

criterion_group!(benches, forms);
criterion_main!(benches);
