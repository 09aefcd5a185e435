//! The evaluated form of elements, chosen at run time: the point forms of [`gf2n::points`] behind one pair of functions.
//!
//! The kernels are generic over the number of words, and the forms are traits of their own for each number: the match below
//! is on constants and vanishes.

use gf2n::backend::WordLanes;
use gf2n::points::{Karatsuba, PointForm, Toom};

/// The largest number of points of a form.
pub(crate) const MAX_POINTS: usize = 30;

/// The words of the unreduced products of one group of elements.
pub(super) type Wide<V, const L: usize> = [[V; 2]; L];

/// The evaluated form of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Sums of words.
    Karatsuba,
    /// Values at small polynomials, for sums of many products; some numbers of words and bits only.
    Toom,
}

impl Form {
    /// The form with the fewest points for elements of this many words and bits.
    pub(super) const fn best(limbs: usize, degree: usize) -> Self {
        match limbs {
            3 if degree <= <Toom as PointForm<3>>::LARGEST_DEGREE => Self::Toom,
            5 if degree <= <Toom as PointForm<5>>::LARGEST_DEGREE => Self::Toom,
            _ => Self::Karatsuba,
        }
    }
}

macro_rules! forms {
    ($(($limbs:literal, $form:ident)),+ $(,)?) => {
        impl Form {
            /// The number of points.
            pub(super) const fn points(self, limbs: usize) -> usize {
                match (limbs, self) {
                    $(($limbs, Self::$form) => <$form as PointForm<$limbs>>::POINTS,)+
                    _ => MAX_POINTS,
                }
            }
        }

        /// The points of elements given by their `L` words, as word vectors.
        #[inline(always)]
        pub(super) fn evaluate<B: WordLanes, const L: usize>(
            lanes: B,
            form: Form,
            words: &[B::Vector; L],
        ) -> [B::Vector; MAX_POINTS] {
            match (L, form) {
                $(($limbs, Form::$form) => evaluate_at::<B, $form, $limbs>(lanes, words),)+
                _ => [lanes.zero(); MAX_POINTS],
            }
        }

        /// The words of products, as word vectors, from the products at the points, as two cell vectors each.
        #[inline(always)]
        pub(super) fn interpolate<B: WordLanes, const L: usize>(
            lanes: B,
            form: Form,
            first: &[B::Vector; MAX_POINTS],
            second: &[B::Vector; MAX_POINTS],
        ) -> Wide<B::Vector, L> {
            let mut wide = [[lanes.zero(); 2]; L];
            match (L, form) {
                $(($limbs, Form::$form) => {
                    wide.copy_from_slice(&interpolate_at::<B, $form, $limbs>(lanes, first, second));
                })+
                _ => {}
            }
            wide
        }
    };
}

forms! {
    (1, Karatsuba), (2, Karatsuba), (3, Karatsuba), (4, Karatsuba), (5, Karatsuba), (6, Karatsuba), (7, Karatsuba),
    (8, Karatsuba), (9, Karatsuba), (3, Toom), (5, Toom),
}

#[inline(always)]
fn evaluate_at<B: WordLanes, F: PointForm<L>, const L: usize>(
    lanes: B,
    words: &[B::Vector],
) -> [B::Vector; MAX_POINTS] {
    let mut limbs = [lanes.zero(); L];
    limbs.copy_from_slice(&words[..L]);
    let mut out = [lanes.zero(); MAX_POINTS];
    out[..F::POINTS].copy_from_slice(F::evaluate(lanes, &limbs).as_ref());
    out
}

#[inline(always)]
fn interpolate_at<B: WordLanes, F: PointForm<L>, const L: usize>(
    lanes: B,
    first: &[B::Vector; MAX_POINTS],
    second: &[B::Vector; MAX_POINTS],
) -> Wide<B::Vector, L> {
    F::interpolate(lanes, &F::points(|point| first[point]), &F::points(|point| second[point]))
}
