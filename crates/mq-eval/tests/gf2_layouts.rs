//! GF(2) systems against the definition: every layout, every back end of this CPU, awkward sizes and addresses.
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;

use gf2n::backend::{Level, ceiling, set_ceiling};
use mq_eval::gf2::{
    Layout, LayoutError, PackedSystem, Shape, System, evaluate_equations, lower_products, upper_products,
};

/// The ceiling belongs to the process; tests that move it take turns.
static CEILING: Mutex<()> = Mutex::new(());

/// A small generator: the tests need variety, not security.
struct Mixer(u64);

impl Mixer {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bits(&mut self, bits: usize) -> Vec<u64> {
        let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.word()).collect();
        if !bits.is_multiple_of(64) {
            *words.last_mut().unwrap() &= (1 << (bits % 64)) - 1;
        }
        words
    }

    fn system(&mut self, shape: Shape) -> System {
        let rows = (0..shape.monomials()).flat_map(|_| self.bits(shape.equations())).collect();
        System::from_rows(shape, rows).unwrap()
    }
}

/// The definition, bit by bit.
fn naive(system: &System, point: &[u64]) -> Vec<u64> {
    let shape = system.shape();
    let x = |i: usize| point[i / 64] >> (i % 64) & 1 == 1;
    let mut value = vec![0; shape.equation_words()];
    for e in 0..shape.equations() {
        let mut sum = system.coefficient(e, 0);
        let mut index = 1;
        for i in 0..shape.variables() {
            for j in i..shape.variables() {
                assert_eq!(index, shape.upper_index(i, j));
                sum ^= x(i) && x(j) && system.coefficient(e, index);
                index += 1;
            }
        }
        value[e / 64] |= u64::from(sum) << (e % 64);
    }
    value
}

const SIDES: [usize; 13] = [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 255, 256, 257];

fn check(system: &System, points: &[Vec<u64>], expected: &[Vec<u64>]) {
    let shape = system.shape();
    let width = shape.equation_words();
    for layout in Layout::ALL {
        if !layout.supports(shape) {
            assert!(shape.variables() < 9 && layout == Layout::ByteHybrid);
            let refused = LayoutError::Shape { variables: shape.variables(), equations: shape.equations() };
            assert_eq!(layout.encode(system), Err(refused));
            assert_eq!(layout.check(shape, &[]), Err(refused));
            continue;
        }
        let bytes = layout.encode(system).unwrap();
        assert_eq!(bytes.len(), layout.len(shape));
        assert!(layout.decode(shape, &bytes).unwrap() == *system, "{layout:?} {shape:?}");
        // from an odd address to the very end of an allocation
        let mut shifted = vec![0xff; 1 + bytes.len()];
        shifted[1..].copy_from_slice(&bytes);
        let odd = if (shifted.as_ptr() as usize).is_multiple_of(2) { &shifted[1..] } else { &bytes[..] };
        let packed = PackedSystem::new(layout, shape, odd).unwrap();
        assert!(packed.unpack() == *system);
        for level in Level::ALL {
            set_ceiling(level);
            let mut all = vec![!0; width * points.len()];
            packed.evaluate_many(&points.concat(), &mut all);
            for (k, (point, expected)) in points.iter().zip(expected).enumerate() {
                let mut value = vec![!0; width];
                packed.evaluate(point, &mut value);
                assert_eq!(&value, expected, "{layout:?} {shape:?} {level:?}");
                assert_eq!(
                    &all[k * width..(k + 1) * width],
                    &expected[..],
                    "many {layout:?} {shape:?} {level:?}"
                );
                value.fill(!0);
                packed.evaluate_secret(point, &mut value);
                assert_eq!(&value, expected, "secret {layout:?} {shape:?} {level:?}");
            }
        }
        set_ceiling(Level::Avx512);
    }
}

#[test]
fn all_layouts_agree_with_the_definition() {
    let _turn = CEILING.lock().unwrap();
    let mut mixer = Mixer(1);
    for variables in SIDES {
        for equations in SIDES {
            // the large sides with all, the small ones with all; large with large is covered by the scheme sizes
            if variables * variables * equations > 4_000_000 {
                continue;
            }
            let shape = Shape::new(variables, equations).unwrap();
            let system = mixer.system(shape);
            let mut points = vec![vec![0; shape.variable_words()], mixer.bits(variables)];
            points.push(vec![!0; shape.variable_words()]);
            points[2].iter_mut().zip(mixer.bits(variables)).for_each(|(p, r)| *p |= r);
            let last = variables % 64;
            if last != 0 {
                *points[2].last_mut().unwrap() &= (1 << last) - 1;
            }
            let expected: Vec<_> = points.iter().map(|p| naive(&system, p)).collect();
            for (point, expected) in points.iter().zip(&expected) {
                let mut value = vec![0; shape.equation_words()];
                system.evaluate(point, &mut value);
                assert_eq!(&value, expected);
            }
            check(&system, &points, &expected);
        }
    }
}

#[test]
fn scheme_sizes_agree_with_the_definition() {
    let _turn = CEILING.lock().unwrap();
    let mut mixer = Mixer(2);
    for (variables, equations) in [
        (186, 162),
        (285, 243),
        (289, 247),
        (387, 324),
        (200, 168),
        (277, 256),
        (399, 333),
        (300, 511),
        (40, 1024),
        (1024, 9),
    ] {
        let shape = Shape::new(variables, equations).unwrap();
        let system = mixer.system(shape);
        let points: Vec<_> = (0..17).map(|_| mixer.bits(variables)).collect();
        let expected: Vec<_> = points
            .iter()
            .map(|p| {
                let mut value = vec![0; shape.equation_words()];
                system.evaluate(p, &mut value);
                value
            })
            .collect();
        check(&system, &points, &expected);
    }
}

#[test]
fn bits_above_the_last_variable_are_ignored() {
    let mut mixer = Mixer(3);
    let shape = Shape::new(37, 21).unwrap();
    let system = mixer.system(shape);
    let point = mixer.bits(37);
    let dirty = [point[0] | !0 << 37, !0];
    let expected = naive(&system, &point);
    for layout in Layout::ALL {
        let packed = PackedSystem::pack(layout, &system).unwrap();
        for evaluate in [PackedSystem::evaluate, PackedSystem::evaluate_secret] {
            let mut value = [0];
            evaluate(&packed, &dirty, &mut value);
            assert_eq!(value, expected[..], "{layout:?}");
        }
    }
}

#[test]
fn product_strings_agree_with_the_definition() {
    let mut mixer = Mixer(4);
    for n in SIDES {
        let shape = Shape::new(n, 1).unwrap();
        let point = mixer.bits(n);
        let x = |i: usize| point[i / 64] >> (i % 64) & 1;
        let (upper, lower) = (upper_products(shape, &point), lower_products(shape, &point));
        let bit = |words: &[u64], i: usize| words[i / 64] >> (i % 64) & 1;
        assert_eq!((bit(&upper, 0), bit(&lower, 0)), (1, 1));
        for i in 0..n {
            for j in i..n {
                assert_eq!(bit(&upper, shape.upper_index(i, j)), x(i) & x(j));
                assert_eq!(bit(&lower, shape.lower_index(i, j)), x(i) & x(j));
            }
        }
        let used = shape.monomials() % 64;
        if used != 0 {
            assert_eq!(upper.last().unwrap() >> used, 0);
            assert_eq!(lower.last().unwrap() >> used, 0);
        }
    }
}

#[test]
fn single_equations_at_many_points_agree_with_the_definition() {
    let _turn = CEILING.lock().unwrap();
    let mut mixer = Mixer(6);
    for n in SIDES.into_iter().chain([277]) {
        let shape = Shape::new(n, 3).unwrap();
        let system = mixer.system(shape);
        let bytes = Layout::EquationMajor.encode(&system).unwrap();
        let equations: Vec<u64> =
            bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())).collect();
        for count in [0, 1, 63, 64, 65, 96, 255, 256, 257] {
            if n == 0 && count > 0 {
                continue;
            }
            let points: Vec<_> = (0..count).map(|_| mixer.bits(n)).collect();
            let width = usize::div_ceil(count, 64);
            let mut expected = vec![0; 3 * width];
            for (p, point) in points.iter().enumerate() {
                let mut value = [0];
                system.evaluate(point, &mut value);
                for e in 0..3 {
                    expected[e * width + p / 64] |= (value[0] >> e & 1) << (p % 64);
                }
            }
            for level in Level::ALL {
                set_ceiling(level);
                assert_eq!(evaluate_equations(shape, &equations, &points.concat()), expected, "{n} {count}");
            }
            set_ceiling(Level::Avx512);
        }
    }
}

#[test]
fn lengths_of_the_published_keys() {
    let len = |layout: Layout, n, m| layout.len(Shape::new(n, m).unwrap());
    for (n, m, bytes) in [
        (186, 162, 352_188),
        (285, 243, 1_237_964),
        (387, 324, 3_040_700),
        (192, 162, 375_213),
        (289, 247, 1_293_848),
        (399, 333, 3_321_717),
        (277, 256, 1_232_128),
        (563, 512, 10_161_088),
    ] {
        assert_eq!(len(Layout::ByteHybrid, n, m), bytes);
    }
    for (n, m, bytes) in
        [(186, 162, 417_408), (285, 243, 1_304_192), (192, 162, 444_696), (291, 243, 1_359_584)]
    {
        assert_eq!(len(Layout::WordRows, n, m), bytes);
    }
    for (n, m, bytes) in [(387, 324, 3_046_848), (390, 324, 3_094_200), (393, 324, 3_141_912)] {
        assert_eq!(len(Layout::WordHybrid, n, m), bytes);
    }
    for (n, m, bytes) in [(200, 168, 422_122), (332, 288, 1_990_045), (476, 416, 5_903_405)] {
        assert_eq!(len(Layout::LinearFirst, n, m) + 1, bytes);
    }
    for (n, m, bytes) in [(277, 256, 1_232_896), (420, 384, 4_245_504), (576, 512, 10_637_312)] {
        assert_eq!(len(Layout::EquationMajor, n, m), bytes);
    }
}

/// Every bit of every layout: it is either a coefficient (then the system changes) or padding (then it is refused).
#[test]
fn every_bit_is_a_coefficient_or_refused() {
    let mut mixer = Mixer(5);
    for (n, m) in [(9, 13), (5, 7), (6, 70), (12, 8), (3, 1), (65, 3)] {
        let shape = Shape::new(n, m).unwrap();
        let system = mixer.system(shape);
        for layout in Layout::ALL {
            if !layout.supports(shape) {
                continue;
            }
            let good = layout.encode(&system).unwrap();
            let mut padding = 0;
            for position in 0..8 * good.len() {
                let mut bytes = good.clone();
                bytes[position / 8] ^= 1 << (position % 8);
                match PackedSystem::new(layout, shape, &bytes[..]) {
                    Ok(packed) => {
                        let changed = packed.unpack();
                        assert!(changed != system);
                        assert_eq!(layout.encode(&changed).unwrap(), bytes);
                    }
                    Err(error) => {
                        assert_eq!(error, LayoutError::Padding { byte: position / 8 }, "{layout:?}");
                        padding += 1;
                    }
                }
            }
            assert_eq!(padding, 8 * good.len() - shape.monomials() * m, "{layout:?} {shape:?}");
        }
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let shape = Shape::new(9, 13).unwrap();
    for layout in Layout::ALL {
        let expected = layout.len(shape);
        for actual in [0, 1, expected - 1, expected + 1, expected + 1000] {
            let error = PackedSystem::new(layout, shape, vec![0; actual]).unwrap_err();
            assert_eq!(error, LayoutError::Length { expected, actual });
        }
    }
    assert!(Shape::new(1025, 1).is_err());
    assert!(Shape::new(1, 1025).is_err());
    assert!(System::from_rows(shape, vec![0; 45]).is_err());
    assert_eq!(System::from_rows(shape, vec![1 << 13; 46]).unwrap_err(), LayoutError::Padding { byte: 1 });
}

#[test]
fn the_ceiling_is_back_where_it_was() {
    let _turn = CEILING.lock().unwrap();
    assert_eq!(ceiling(), if cfg!(mqsuite_force_portable) { Level::Portable } else { Level::Avx512 });
}
