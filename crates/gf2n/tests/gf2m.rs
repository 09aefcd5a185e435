//! GF(2^m), m <= 16: laws of the single elements, and bitsliced vectors of every back end against them.

#![allow(clippy::unwrap_used)]
use gf2n::small::gf2m::Gf2m;
use gf2n::small::gf2m::backend::{LaneBackend, Portable};
use gf2n::small::gf2m::scalar::ScalarVectors;
use gf2n::small::gf2m::{planes, slicing};

fn field(degree: u32) -> Gf2m {
    Gf2m::new(degree).unwrap()
}

#[test]
fn degrees_outside_two_to_sixteen_are_no_field() {
    assert!(Gf2m::new(1).is_none() && Gf2m::new(17).is_none() && Gf2m::new(0).is_none());
}

#[test]
fn published_products_and_inverses() {
    let twelve = field(12);
    assert_eq!(twelve.mul(0x123, 0xabc), 0x103);
    assert_eq!(twelve.square(0xfff), 0xaba);
    assert_eq!(twelve.invert(2), 0x804);
    assert_eq!(twelve.invert(0xabc), 0x42f);
    let thirteen = field(13);
    assert_eq!(thirteen.mul(0x123, 0xabc), 0x13ad);
    assert_eq!(thirteen.square(0xfff), 0xd40);
    assert_eq!(thirteen.invert(2), 0x100d);
    assert_eq!(thirteen.invert(0xabc), 0x196b);
    assert_eq!(thirteen.reverse_bits(0x123), 6288);
    assert_eq!(twelve.reverse_bits(1), 2048);
}

#[test]
fn every_nonzero_element_has_an_inverse() {
    // With a reducible modulus some nonzero element would have none.
    for degree in 2..=16 {
        let field = field(degree);
        assert_eq!(field.invert(0), 0);
        for element in 1..field.order() {
            let element = element as u16;
            assert_eq!(field.mul(element, field.invert(element)), 1, "degree {degree}, element {element:x}");
        }
    }
}

fn elements(degree: u32, salt: u32, count: usize) -> Vec<u16> {
    let mut state = 0x9E37_79B9u32 ^ salt;
    (0..count)
        .map(|index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if index < 3 {
                [0, 1, field(degree).mask()][index]
            } else {
                (state >> 12) as u16 & field(degree).mask()
            }
        })
        .collect()
}

fn sliced<B: LaneBackend, const M: usize>(backend: B, list: &[u16]) -> planes::Planes<B, M> {
    let mut words = [[0u64; 8]; M];
    for (group, chunk) in list.chunks(64).enumerate() {
        for (plane, word) in slicing::to_planes(chunk).iter().take(M).enumerate() {
            words[plane][group] = *word;
        }
    }
    words.map(|words| backend.load(&words[..B::WORDS]))
}

fn unsliced<B: LaneBackend, const M: usize>(backend: B, value: &planes::Planes<B, M>) -> Vec<u16> {
    let mut words = [[0u64; 8]; 16];
    for (plane, word) in value.iter().enumerate() {
        backend.store(*word, &mut words[plane][..B::WORDS]);
    }
    (0..B::WORDS).flat_map(|group| slicing::from_planes(&core::array::from_fn(|p| words[p][group]))).collect()
}

fn check<B: LaneBackend, const M: usize>(backend: B) {
    let field = field(M as u32);
    let left = elements(M as u32, 1, B::LANES);
    let mut right = elements(M as u32, 2, B::LANES);
    right.reverse();
    let (a, b) = (sliced::<B, M>(backend, &left), sliced::<B, M>(backend, &right));
    assert_eq!(unsliced::<B, M>(backend, &a), left);
    let products = unsliced::<B, M>(backend, &planes::mul::<B, M>(backend, &a, &b));
    let mut sums = b;
    planes::mul_add::<B, M>(backend, &mut sums, &a, &b);
    assert_eq!(
        unsliced::<B, M>(backend, &sums),
        products.iter().zip(&right).map(|(x, y)| x ^ y).collect::<Vec<_>>()
    );
    let inverses = unsliced::<B, M>(backend, &planes::invert::<B, M>(backend, &a));
    let mut list = vec![a, b, a, b];
    list[2][0] = list[2][0] & backend.low_lanes(0);
    let expected: Vec<_> =
        list.iter().map(|value| unsliced::<B, M>(backend, &planes::invert::<B, M>(backend, value))).collect();
    planes::invert_all::<B, M>(backend, &mut list);
    for (value, expected) in list.iter().zip(&expected) {
        assert_eq!(unsliced::<B, M>(backend, value), *expected);
    }
    let squares = unsliced::<B, M>(backend, &planes::square::<B, M>(backend, &a));
    for lane in 0..B::LANES {
        assert_eq!(products[lane], field.mul(left[lane], right[lane]), "{} degree {M} lane {lane}", B::NAME);
        assert_eq!(inverses[lane], field.invert(left[lane]));
        assert_eq!(squares[lane], field.square(left[lane]));
    }
    for level in 0..B::LOG_LANES {
        let moved = a.map(|word| backend.exchange(word, level));
        let moved = unsliced::<B, M>(backend, &moved);
        let low = a.map(|word| word & backend.low_lanes(level));
        let low = unsliced::<B, M>(backend, &low);
        for lane in 0..B::LANES {
            assert_eq!(moved[lane], left[lane ^ (1 << level)], "{} level {level}", B::NAME);
            assert_eq!(low[lane], if lane >> level & 1 == 0 { left[lane] } else { 0 });
        }
    }
    for level in 0..B::LOG_LANES {
        let swapped: Vec<_> = a.iter().zip(&b).map(|(a, b)| backend.swap_lane_bit(*a, *b, level)).collect();
        let first = unsliced::<B, M>(backend, &core::array::from_fn(|plane| swapped[plane].0));
        let second = unsliced::<B, M>(backend, &core::array::from_fn(|plane| swapped[plane].1));
        for lane in 0..B::LANES {
            let (below, above) = (lane & !(1 << level), lane | 1 << level);
            let clear = lane == below;
            assert_eq!(first[lane], if clear { left[lane] } else { right[below] });
            assert_eq!(second[lane], if clear { left[above] } else { right[lane] });
        }
    }
    for level in 6..B::LOG_LANES {
        let moved = unsliced::<B, M>(backend, &a.map(|word| backend.lower_top_group_bit(word, level)));
        for (lane, element) in moved.iter().enumerate() {
            let (below, bit, above) = (lane % (1 << level), lane >> level & 1, lane >> (level + 1));
            let source = below + (above << level) + (bit << (B::LOG_LANES - 1));
            assert_eq!(*element, left[source], "{} level {level} lane {lane}", B::NAME);
        }
    }
    let filled = unsliced::<B, M>(backend, &a.map(|word| backend.fill_groups(word)));
    for lane in 0..B::LANES {
        assert_eq!(filled[lane], left[lane | 63]);
    }
    let next = unsliced::<B, M>(backend, &a.map(|word| backend.next_lane(word)));
    assert_eq!(next[0], 0);
    assert_eq!(next[1..], left[..B::LANES - 1]);
    let (x, y) = (0x0123_4567_89AB_CDEFu64, 0xFEDC_BA98_7654_3210u64 | 1);
    assert_eq!(backend.carryless_mul(x, y), Portable.carryless_mul(x, y));
}

/// Vectors times scalars.
fn check_scalars<S: ScalarVectors, const M: usize>(scalars: S) {
    let field = field(M as u32);
    let left = elements(M as u32, 3, S::ELEMENTS);
    let mut right = elements(M as u32, 4, S::ELEMENTS);
    right.reverse();
    let (a, b) = (scalars.gather::<M>(&left), scalars.gather::<M>(&right));
    let list = |vector: S::Vector<M>| {
        let mut list = vec![0; S::ELEMENTS];
        scalars.scatter::<M>(vector, &mut list);
        list
    };
    assert_eq!(list(a), left);
    assert_eq!(scalars.first::<M>(b), right[0]);
    for (x, y) in [(0, 1), (1, 0), (left[1], right[2]), (field.mask(), left[3]), (1 << (M - 1), field.mask())]
    {
        assert_eq!(scalars.product::<M>(x, y), field.mul(x, y));
        let (f, g) = (scalars.factor::<M>(x), scalars.factor::<M>(y));
        let sum = list(scalars.combine::<M>(a, &f, b, &g));
        for index in 0..S::ELEMENTS {
            assert_eq!(
                sum[index],
                field.mul(left[index], x) ^ field.mul(right[index], y),
                "degree {M} {index}"
            );
        }
        let chosen = scalars.combine::<M>(a, &scalars.select_factor::<M>(0xFFFF, &f, &g), b, &f);
        let other = scalars.combine::<M>(a, &scalars.select_factor::<M>(0, &g, &f), b, &f);
        assert_eq!(list(chosen), list(other));
    }
    assert_eq!(list(scalars.select::<M>(0xFFFF, a, b)), left);
    assert_eq!(list(scalars.select::<M>(0, a, b)), right);
    let lowered = list(scalars.lower::<M>(a));
    assert_eq!(lowered[..S::ELEMENTS - 1], left[1..]);
    assert_eq!(lowered[S::ELEMENTS - 1], 0);
    for position in 0..S::ELEMENTS {
        let mut expected = left.clone();
        expected[position] = right[5];
        assert_eq!(list(scalars.insert::<M>(a, position, right[5])), expected);
    }
}

fn check_degrees<B: LaneBackend>(backend: B) {
    check_scalars::<B::Scalars, 2>(backend.scalars());
    check_scalars::<B::Scalars, 7>(backend.scalars());
    check_scalars::<B::Scalars, 8>(backend.scalars());
    check_scalars::<B::Scalars, 12>(backend.scalars());
    check_scalars::<B::Scalars, 13>(backend.scalars());
    check_scalars::<B::Scalars, 14>(backend.scalars());
    check_scalars::<B::Scalars, 16>(backend.scalars());
    check::<B, 2>(backend);
    check::<B, 5>(backend);
    check::<B, 8>(backend);
    check::<B, 11>(backend);
    check::<B, 12>(backend);
    check::<B, 13>(backend);
    check::<B, 16>(backend);
}

#[test]
fn every_back_end_agrees_with_single_elements() {
    check_degrees(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        use gf2n::small::gf2m::backend::{Avx2, Avx512};
        if let Some(token) = Avx2::detect() {
            check_degrees(token);
        }
        if let Some(token) = Avx512::detect() {
            check_degrees(token);
            check_degrees(token.narrow());
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(token) = gf2n::small::gf2m::backend::Neon::detect() {
        check_degrees(token);
    }
}
