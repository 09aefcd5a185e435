//! Every carry-less back end that this CPU can run gives what the portable one gives.

use gf2n::backend::{Cell, ClmulBackend, ClmulLanes, Portable, WordLanes};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2n::points::{Evaluated, PointProducts};
use gf2n::{Gf2n, Reducer, Unreduced, match_clmul, run_clmul};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = u64> {
    prop_oneof![4 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX), 1 => (0..64u32).prop_map(|i| 1 << i)]
}

fn cells() -> impl Strategy<Value = [Cell; 5]> {
    prop::array::uniform5([word(), word()].prop_map(Cell))
}

/// Every operation on the vectors that start at cell 1, an address that no wide vector is aligned at.
#[inline(always)]
fn lane_operations<B: WordLanes>(backend: B, a: &[Cell; 5], b: &[Cell; 5]) -> Vec<Vec<Cell>> {
    let (x, y, z) = (backend.load(&a[1..]), backend.load(&b[1..]), backend.broadcast(&b[0]));
    let shifts = [0, 1, 17, 63, 64, 65, 200, u32::MAX];
    let mut results = vec![
        x,
        z,
        backend.zero(),
        backend.xor(x, y),
        backend.clmul_low(x, y),
        backend.clmul_high(x, y),
        backend.clmul_low(x, z),
        backend.clmul_high(z, y),
        backend.straddle(x, y),
        backend.clmul_halves(x),
        backend.and(x, y),
        backend.splat(a[0].0[0]),
        backend.unpack_low(x, y),
        backend.unpack_high(x, y),
    ];
    results.extend(shifts.map(|count| backend.shift_left(x, count)));
    results.extend(shifts.map(|count| backend.shift_right(x, count)));
    results
        .iter()
        .map(|&vector| {
            let mut stored = [Cell([u64::MAX; 2]); 6];
            backend.store(vector, &mut stored[1..]);
            assert_eq!(stored[0], Cell([u64::MAX; 2]), "a store wrote before its slice");
            assert!(
                stored[1 + B::LANES..].iter().all(|&cell| cell == Cell([u64::MAX; 2])),
                "a store wrote too much"
            );
            stored[1..=B::LANES].to_vec()
        })
        .collect()
}

fn portable_lanes(lanes: usize, a: &[Cell; 5], b: &[Cell; 5]) -> Vec<Vec<Cell>> {
    let single = |lane: usize| {
        let mut shifted = (*a, *b);
        shifted.0[1] = a[1 + lane];
        shifted.1[1] = b[1 + lane];
        lane_operations(Portable, &shifted.0, &shifted.1)
    };
    let each: Vec<_> = (0..lanes).map(single).collect();
    (0..each[0].len()).map(|operation| each.iter().map(|lane| lane[operation][0]).collect()).collect()
}

fn lanes_of<B: ClmulLanes>(_: B) -> usize {
    B::LANES
}

#[inline(always)]
fn words<B: ClmulLanes>(backend: B, a: u64, b: u64) -> [[u64; 2]; 2] {
    [backend.clmul(a, b), backend.clsquare(a)]
}

proptest! {
    #[test]
    fn vectors_agree_with_the_portable_back_end(a in cells(), b in cells()) {
        for backend in ClmulBackend::available() {
            let lanes = match_clmul!(backend, backend => lanes_of(backend));
            let results = run_clmul!(backend, backend => lane_operations(backend, &a, &b));
            prop_assert_eq!(&results, &portable_lanes(lanes, &a, &b), "{}", backend.name());
            // correct outside of `run` too
            let outside = match_clmul!(backend, backend => lane_operations(backend, &a, &b));
            prop_assert_eq!(results, outside, "{}", backend.name());
        }
    }

    #[test]
    fn words_agree_with_the_portable_back_end(a in word(), b in word()) {
        for backend in ClmulBackend::available() {
            let results = run_clmul!(backend, backend => words(backend, a, b));
            prop_assert_eq!(results, words(Portable, a, b), "{}", backend.name());
        }
    }
}

#[inline(always)]
fn field_operations<B: ClmulLanes, const N: usize, const L: usize>(
    backend: B,
    a: Gf2n<N, L>,
    b: Gf2n<N, L>,
) -> [Gf2n<N, L>; 5]
where
    LibraryModulus: Modulus<N, L>,
{
    let mut sum = PointProducts::zero();
    sum.add_product_with(backend, &Evaluated::from(a), &Evaluated::from(b));
    sum.add_product_with(backend, &Evaluated::from(a + b), &Evaluated::from(b));
    [
        a.mul_with(backend, b),
        a.square_with(backend),
        a.invert_with(backend),
        (a.square() + a).solve_quadratic_with(backend).unwrap_or(Gf2n::ZERO),
        sum.interpolate().reduce(),
    ]
}

macro_rules! fields_agree {
    ($($name:ident: $n:literal, $l:literal;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(40))]
            $(
                #[test]
                fn $name(a in prop::collection::vec(word(), $l), b in prop::collection::vec(word(), $l)) {
                    let a = Gf2n::<$n, $l>::from_limbs_truncated(a.try_into().unwrap());
                    let b = Gf2n::<$n, $l>::from_limbs_truncated(b.try_into().unwrap());
                    let expected = field_operations(Portable, a, b);
                    for backend in ClmulBackend::available() {
                        let results = run_clmul!(backend, backend => field_operations(backend, a, b));
                        prop_assert_eq!(results, expected, "{}", backend.name());
                    }
                }
            )+
        }
    };
}

fields_agree! {
    gf_64: 64, 1;
    gf_65: 65, 2;
    gf_174: 174, 3;
    gf_233: 233, 4;
    gf_313: 313, 5;
    gf_354: 354, 6;
    gf_448: 448, 7;
    gf_512: 512, 8;
    gf_537: 537, 9;
}

/// Reduces four or more polynomials of 2 L words at once and one at a time.
#[inline(always)]
fn reductions<B: WordLanes, const L: usize>(
    lanes: B,
    reducer: &Reducer,
    words: &[[u64; 2]; L],
) -> Vec<[u64; L]> {
    let cell_of = |word: u64| lanes.broadcast(&Cell([word, word.rotate_left(7) & 1]));
    let reduced = reducer.reduce_lanes(lanes, &words.map(|pair| pair.map(cell_of)));
    let mut elements = vec![[0; L]; 2 * B::LANES];
    for (index, vector) in reduced.into_iter().enumerate() {
        let mut cells = [Cell::ZERO; 4];
        lanes.store(vector, &mut cells);
        for (place, element) in elements.iter_mut().enumerate() {
            element[index] = cells[place / 2].0[place % 2];
        }
    }
    elements
}

macro_rules! reductions_agree {
    ($($name:ident: $n:literal, $l:literal;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(40))]
            $(
                #[test]
                fn $name(words in prop::collection::vec(word(), 2 * $l)) {
                    let words: [[u64; 2]; $l] = std::array::from_fn(|i| [words[2 * i], words[2 * i + 1]]);
                    let words = *Unreduced::<$n, $l>::from_words_truncated(words).words();
                    let second = words.map(|pair| pair.map(|word| word.rotate_left(7) & 1));
                    let second = *Unreduced::<$n, $l>::from_words_truncated(second).words();
                    prop_assume!(second == words.map(|pair| pair.map(|word| word.rotate_left(7) & 1)));
                    let reducer = Gf2n::<$n, $l>::REDUCER;
                    let expected = [reducer.reduce(&words), reducer.reduce(&second)];
                    for backend in ClmulBackend::available() {
                        let results = run_clmul!(backend, lanes => reductions(lanes, &reducer, &words));
                        for (place, result) in results.iter().enumerate() {
                            prop_assert_eq!(result, &expected[place % 2], "{}", backend.name());
                        }
                    }
                }
            )+
        }
    };
}

reductions_agree! {
    reduction_64: 64, 1; // short
    reduction_174: 174, 3; // short
    reduction_313: 313, 5; // medium, one word and 15 bits
    reduction_354: 354, 6; // medium
    reduction_402: 402, 7; // medium, two words and 43 bits
    reduction_448: 448, 7; // medium, a shift by whole words
    reduction_544: 544, 9; // medium, two whole words
    reduction_8: 8, 1; // general
}
