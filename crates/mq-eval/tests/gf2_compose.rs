//! The public system of a trapdoor takes the values of central map and linear maps.
#![allow(clippy::unwrap_used)]

use mq_eval::gf2::{AffineMap, Shape, System, compose};
use proptest::prelude::*;

fn bit(words: &[u64], i: usize) -> bool {
    words[i / 64] >> (i % 64) & 1 == 1
}

fn apply(map: &AffineMap<'_>, x: &[u64]) -> Vec<u64> {
    let width = map.outputs.div_ceil(64);
    let mut y = if map.offset.is_empty() { vec![0; width] } else { map.offset.to_vec() };
    for i in 0..map.inputs {
        if bit(x, i) {
            for (y, r) in y.iter_mut().zip(&map.rows[i * width..]) {
                *y ^= r;
            }
        }
    }
    if !map.outputs.is_multiple_of(64) {
        *y.last_mut().unwrap() &= (1 << (map.outputs % 64)) - 1;
    }
    y
}

fn words(count: usize) -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(any::<u64>(), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn composition_evaluates_to_the_composition(
        (inputs, middle, equations, outputs) in (0usize..40, 0usize..70, 0usize..70, 0usize..70),
        seed in words(12_000), affine: bool,
    ) {
        let mut seed = seed.into_iter().cycle();
        let mut take = |count: usize| -> Vec<u64> { (0..count).map(|_| seed.next().unwrap()).collect() };
        let central_shape = Shape::new(middle, equations).unwrap();
        let mut central = System::zero(central_shape);
        for k in 0..central_shape.monomials() {
            let row = take(central_shape.equation_words());
            for (e, (c, r)) in central.row_mut(k).iter_mut().zip(row).enumerate() {
                let used = equations - 64 * e;
                *c = if used < 64 { r & ((1 << used) - 1) } else { r };
            }
        }
        let (inner_rows, inner_offset) = (take(inputs * middle.div_ceil(64)), take(middle.div_ceil(64)));
        let (outer_rows, outer_offset) = (take(equations * outputs.div_ceil(64)), take(outputs.div_ceil(64)));
        let inner = AffineMap { inputs, outputs: middle, rows: &inner_rows, offset: if affine { &inner_offset } else { &[] } };
        let outer = AffineMap { inputs: equations, outputs, rows: &outer_rows, offset: if affine { &outer_offset } else { &[] } };
        let public = compose(inner, &central, outer);
        prop_assert_eq!((public.shape().variables(), public.shape().equations()), (inputs, outputs));
        prop_assert!(System::from_rows(public.shape(), public.rows().to_vec()).is_ok());
        for _ in 0..4 {
            let x = take(inputs.div_ceil(64));
            let mut y = vec![0; equations.div_ceil(64)];
            central.evaluate(&apply(&inner, &x), &mut y);
            let mut value = vec![0; outputs.div_ceil(64)];
            public.evaluate(&x, &mut value);
            prop_assert_eq!(value, apply(&outer, &y));
        }
    }
}
