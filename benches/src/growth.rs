//! How the cost of one inversion of an HFE central map grows with the field's degree n and the polynomial's degree D.

use anyhow::Context;
use gf2n::Gf2n;
use gf2n::modulus::{LibraryModulus, Modulus};
use hfev::{HfeDegree, HfevPolynomial};
use measurements::{Growth, Plan, Statistics};

use crate::ours::random;
use crate::series::series;

/// The degrees that are measured.
const DEGREES: [usize; 8] = [17, 33, 65, 129, 257, 513, 640, 1152];

/// Measures every field and degree.
///
/// # Errors
/// None in practice: every degree is one of an HFE polynomial.
pub(crate) fn measure(plan: &Plan) -> anyhow::Result<Vec<Growth>> {
    let plan = Plan { budget_ms: plan.budget_ms / 4, ..plan.clone() };
    let mut points = Vec::new();
    for degree in DEGREES {
        points.push(point::<64, 1>(degree, &plan)?);
        points.push(point::<128, 2>(degree, &plan)?);
        points.push(point::<174, 3>(degree, &plan)?);
        points.push(point::<265, 5>(degree, &plan)?);
        points.push(point::<354, 6>(degree, &plan)?);
        points.push(point::<448, 7>(degree, &plan)?);
        points.push(point::<576, 9>(degree, &plan)?);
    }
    points.sort_by_key(|point| (point.field_degree, point.degree));
    Ok(points)
}

fn element<const N: usize, const L: usize>(index: usize) -> Gf2n<N, L>
where
    LibraryModulus: Modulus<N, L>,
{
    let mut generator = random(index);
    Gf2n::from_limbs_truncated(core::array::from_fn(|_| u64::from_le_bytes(generator.draw())))
}

fn point<const N: usize, const L: usize>(degree: usize, plan: &Plan) -> anyhow::Result<Growth>
where
    LibraryModulus: Modulus<N, L>,
{
    let hfe = HfeDegree::new(degree)?;
    let linear: Vec<_> = (0..hfe.linear_terms()).map(element).collect();
    let mut quadratic: Vec<Gf2n<N, L>> = (0..hfe.quadratic_terms()).map(|i| element(100 + i)).collect();
    if let Some(leading) = quadratic.last_mut() {
        *leading = Gf2n::ONE;
    }
    let map = HfevPolynomial::<N, L>::new(hfe, 0, &[element(99)], &linear, &quadratic)?;
    let mut polynomial = map.substitute(&[], None);
    let timed = series(
        plan,
        |index| {
            polynomial.set_constant(element(1000 + index));
            Ok(polynomial.roots())
        },
        |_, _| Ok(()),
    )?;
    let ticks = Statistics::of(&timed.samples).context("nothing was measured")?;
    Ok(Growth { field_degree: N, degree, ticks })
}
