//! The split of key generation and decoding for (m, t, n) = (13, 119, 6960): `split [LEVEL]`, minimum over many runs, in microseconds.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::Instant;

use gf2n::backend::{Level, set_ceiling};
use gf2n::small::gf2m::Gf2m;
use goppa_keygen::backend::{Backend, Kernel, dispatch};
use goppa_keygen::berlekamp_massey::berlekamp_massey;
use goppa_keygen::control_bits::control_bits;
use goppa_keygen::decode::Decoder;
use goppa_keygen::extension::Extension;
use goppa_keygen::fft;
use goppa_keygen::parity_check::CodeColumns;
use goppa_keygen::sort::{sort, sort_interleaved};
use goppa_keygen::support::{SortedSupport, inverse_values, sorting_permutation};
use goppa_keygen::systemizer::{LeftBlock, RowLayout};
use goppa_keygen::wiped::Wiped;

struct Split;

fn time<R>(name: &str, runs: usize, mut work: impl FnMut() -> R) -> R {
    let mut best = f64::INFINITY;
    let mut result = work();
    for _ in 0..runs {
        let start = Instant::now();
        result = core::hint::black_box(work());
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
    }
    println!("{name:34} {best:10.1} us");
    result
}

impl Kernel for Split {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        const M: usize = 13;
        println!("back end {}", B::NAME);
        let field = Gf2m::new(13).unwrap();
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let element: Vec<u16> = (0..119).map(|_| next() as u16 & 0x1fff).collect();
        let keys: Vec<u32> = (0..8192).map(|_| next()).collect();
        let extension = Extension::new(field, 119, &[(8, 1), (0, 1)]).unwrap();
        let g = time("minimal polynomial", 100, || {
            extension.minimal_polynomial::<B, M>(backend, &element).unwrap()
        });
        let sequence: Vec<u16> = (0..238).map(|_| next() as u16 & 0x1fff).collect();
        time("  Berlekamp-Massey", 100, || berlekamp_massey::<B, M>(backend, &sequence).length);
        time("  extension product", 100, || extension.mul(backend, &element, &g));
        let inverses = time("inverse values", 100, || inverse_values::<B, M>(backend, &g));
        time("  evaluate", 100, || fft::evaluate::<B, M>(backend, &g).len());
        let support =
            time("sorted support", 100, || SortedSupport::new::<B, M>(backend, &keys, &inverses).unwrap());
        let words: Vec<u64> = (0..8192).map(|_| u64::from(next()) << 10).collect();
        time("  sort 8192 u64", 100, || sort::<u64, B>(backend, &mut words.clone()));
        time("  sort 8192 u32", 100, || sort::<u32, B>(backend, &mut keys.clone()));
        let (mut list, mut scratch) = (Wiped::zeros(8192), Wiped::zeros(8192));
        list.copy_from_slice(&keys);
        for lists in [1, 2, 4, 8, 16, 32] {
            time(&format!("  sort 8192 u32, {lists} lists"), 100, || {
                sort_interleaved::<u32, B>(backend, &mut list, &mut scratch, lists);
            });
        }
        let alphas: Vec<u16> = support.permutation.iter().map(|x| field.reverse_bits(*x)).collect();
        let code = CodeColumns { support: &alphas[..6960], scalings: &support.scalings[..6960], degree: 119 };
        let layout = RowLayout::semi_systematic(1547).unwrap();
        let mut public_key = vec![0u8; 1_047_319];
        time("left matrix", 20, || code.left_block::<B, M>(backend, layout).columns_mut().len());
        time("left matrix + elimination", 20, || {
            let left: LeftBlock = code.left_block::<B, M>(backend, layout);
            left.eliminate(backend).unwrap().1.unwrap().pivots()
        });
        let (record, _) = code.left_block::<B, M>(backend, layout).eliminate(backend).unwrap();
        let mut strip = vec![1u8; 32 * 1600];
        time("  apply to 256 columns", 100, || record.apply(backend, &mut strip));
        time("systematic form", 20, || {
            code.systematic_form::<B, M>(backend, layout, &mut public_key).unwrap().unwrap().pivots()
        });
        let control = time("control bits", 20, || control_bits(backend, &support.permutation));
        let small: Vec<u16> = sorting_permutation(backend, &keys[..1024]).unwrap().to_vec();
        time("  control bits of 1024", 100, || control_bits(backend, &small));
        let medium: Vec<u16> = sorting_permutation(backend, &keys[..2048]).unwrap().to_vec();
        time("  control bits of 2048", 100, || control_bits(backend, &medium));
        let decoder = time("decoder", 100, || Decoder::new::<B, M>(backend, &g, &control, 6960));
        let syndrome: Vec<u8> = (0..194).map(|_| next() as u8).collect();
        time("decode", 100, || decoder.decode::<B, M>(backend, &syndrome).accepted);
        let values = fft::evaluate::<B, M>(backend, &g);
        let mut sums = vec![0u16; 238];
        time("  power sums", 100, || fft::power_sums::<B, M>(backend, values.clone(), &mut sums));
    }
}

fn main() {
    let level = std::env::args().nth(1).unwrap_or_default();
    set_ceiling(Level::ALL.into_iter().find(|known| known.name() == level).unwrap_or(Level::Avx512));
    dispatch(Split);
}
