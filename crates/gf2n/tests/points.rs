//! Every form and back end: evaluation, products at the points and interpolation give the product.

use gf2n::backend::{Cell, ClmulBackend, Portable, WordLanes};
use gf2n::modulus::{LibraryModulus, Modulus};
use gf2n::points::{Karatsuba, PointForm, Toom};
use gf2n::{Gf2n, run_clmul};
use proptest::prelude::*;

/// Sums of two products, for as many different pairs as a pair of vectors holds: element e is a_e b_e + b_e b_e.
#[inline(always)]
fn sums_by_form<F: PointForm<L>, B: WordLanes, const L: usize>(
    lanes: B,
    a: &[[u64; L]; 8],
    b: &[[u64; L]; 8],
) -> Vec<[[u64; 2]; L]> {
    // lane c, half h of a word vector is element h LANES + c
    let gather = |elements: &[[u64; L]; 8], limb: usize| {
        let cells: Vec<Cell> =
            (0..B::LANES).map(|c| Cell([elements[c][limb], elements[B::LANES + c][limb]])).collect();
        lanes.load(&cells)
    };
    let a = F::evaluate(lanes, &std::array::from_fn(|limb| gather(a, limb)));
    let b = F::evaluate(lanes, &std::array::from_fn(|limb| gather(b, limb)));
    let product = |point: usize, half: usize| {
        let (a, b) = (a.as_ref()[point], b.as_ref()[point]);
        if half == 0 {
            // cells of the first LANES elements
            lanes.xor(lanes.clmul_low(a, b), lanes.clmul_low(b, b))
        } else {
            lanes.xor(lanes.clmul_high(a, b), lanes.clmul_high(b, b))
        }
    };
    let (first, second) = (F::points(|point| product(point, 0)), F::points(|point| product(point, 1)));
    let words = F::interpolate(lanes, &first, &second);
    let mut elements = vec![[[0; 2]; L]; 2 * B::LANES];
    for (index, pair) in words.into_iter().enumerate() {
        for (word, vector) in pair.into_iter().enumerate() {
            let mut cells = [Cell::ZERO; 4];
            lanes.store(vector, &mut cells);
            for (e, element) in elements.iter_mut().enumerate() {
                element[index][word] = cells[e % B::LANES].0[e / B::LANES];
            }
        }
    }
    elements
}

fn check<F: PointForm<L>, const N: usize, const L: usize>(a: [[u64; L]; 8], b: [[u64; L]; 8])
where
    LibraryModulus: Modulus<N, L>,
{
    assert!(F::LARGEST_DEGREE >= N && F::PAIRS == F::POINTS.div_ceil(2));
    let [a, b] = [a, b].map(|elements| elements.map(Gf2n::<N, L>::from_limbs_truncated));
    for backend in ClmulBackend::available() {
        let (a_limbs, b_limbs) = (a.map(Gf2n::to_limbs), b.map(Gf2n::to_limbs));
        let sums = run_clmul!(backend, lanes => sums_by_form::<F, _, L>(lanes, &a_limbs, &b_limbs));
        for (e, sum) in sums.iter().enumerate() {
            let expected = a[e].mul_wide_with(Portable, b[e]) + b[e].square_wide_with(Portable);
            assert_eq!(sum, expected.words(), "{N}: element {e} of {}", backend.name());
        }
    }
}

fn element<const L: usize>() -> impl Strategy<Value = [u64; L]> {
    let limb = prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)];
    prop::collection::vec(limb, L).prop_map(|limbs| std::array::from_fn(|i| limbs[i]))
}

macro_rules! forms {
    ($($name:ident: $form:ty, $n:literal, $l:literal;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(24))]
            $(
                #[test]
                fn $name(
                    a in prop::collection::vec(element::<$l>(), 8),
                    b in prop::collection::vec(element::<$l>(), 8),
                ) {
                    check::<$form, $n, $l>(a.try_into().unwrap(), b.try_into().unwrap());
                }
            )+
        }
    };
}

forms! {
    karatsuba_1: Karatsuba, 64, 1;
    karatsuba_2: Karatsuba, 128, 2;
    karatsuba_3: Karatsuba, 192, 3;
    karatsuba_4: Karatsuba, 256, 4;
    karatsuba_5: Karatsuba, 320, 5;
    karatsuba_6: Karatsuba, 384, 6;
    karatsuba_7: Karatsuba, 448, 7;
    karatsuba_8: Karatsuba, 512, 8;
    karatsuba_9: Karatsuba, 576, 9;
    toom_3: Toom, 186, 3;
    toom_3_short: Toom, 129, 3;
    toom_5: Toom, 280, 5;
    toom_5_short: Toom, 257, 5;
}
