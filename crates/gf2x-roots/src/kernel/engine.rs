//! The two kernels behind one type: what the algorithms call, compiled once for each back end and number of words.
//!
//! A call costs a match and a jump and works on a whole block of outputs, some hundred cycles at least, so that the algorithms
//! themselves need not be compiled for every back end.

use super::dot::{PointSums, Terms, block, dot};
use super::finish::{
    add_wide, collect, gather, group, keep_first, scatter, square, store_points, store_wide,
};
use super::formula::Form;
use super::planes::Planes;
use gf2n::Reducer;
use gf2n::backend::{ClmulBackend, WordLanes};

/// Where the values of a job come from.
pub(crate) enum Source<'a, const L: usize> {
    /// Sums of products.
    Sums(&'a PointSums),
    /// Elements; missing ones are zero.
    Elements(&'a [[u64; L]]),
}

/// Where the values of a job go as unreduced values, two words to a cell.
#[derive(Clone, Copy)]
pub(crate) struct Deposit {
    /// The cell of the first value.
    pub(crate) position: usize,
    /// The distance of neighbouring values.
    pub(crate) step: usize,
    /// The number of values that are written.
    pub(crate) count: usize,
    /// The squares are written instead of the values.
    pub(crate) squared: bool,
}

/// What happens to one block of values: sum or load, reduce, write as elements, square, write in other forms.
pub(crate) struct Job<'a, const L: usize> {
    pub(crate) source: Source<'a, L>,
    /// Unreduced values: read, written, or both.
    pub(crate) wide: Option<&'a mut Planes>,
    /// Where the unreduced values lie that are added before the reduction.
    pub(crate) addend: Option<usize>,
    /// Values from this one on are zero, or not written at all.
    pub(crate) valid: usize,
    /// How often the values are squared before they go to `points` and `deposit`.
    pub(crate) squarings: usize,
    /// The evaluated values go there.
    pub(crate) points: Option<(&'a mut Planes, usize)>,
    pub(crate) deposit: Option<Deposit>,
    /// The values go there.
    pub(crate) elements: Option<&'a mut [[u64; L]]>,
}

impl<'a, const L: usize> Job<'a, L> {
    /// A job that writes nothing yet.
    pub(crate) const fn new(source: Source<'a, L>) -> Self {
        Self {
            source,
            wide: None,
            addend: None,
            valid: usize::MAX,
            squarings: 0,
            points: None,
            deposit: None,
            elements: None,
        }
    }
}

/// The kernels of one back end for elements of L words modulo one polynomial.
#[derive(Clone, Copy)]
pub(crate) struct Engine<const L: usize> {
    backend: ClmulBackend,
    reducer: Reducer,
    block: usize,
    form: Form,
}

impl<const L: usize> Engine<L> {
    /// The best back end that the process allows.
    pub(crate) fn new(reducer: &Reducer) -> Self {
        let form = Form::best(L, reducer.degree());
        fn size<B: WordLanes>(_: B) -> usize {
            block::<B>()
        }
        let backend = ClmulBackend::best();
        Self { backend, reducer: *reducer, block: gf2n::match_clmul!(backend, lanes => size(lanes)), form }
    }

    /// Planes of zeros for this many evaluated elements.
    pub(crate) fn planes(&self, elements: usize) -> Planes {
        Planes::zero(self.cells(), elements)
    }

    /// Cells of an evaluated element.
    pub(crate) const fn cells(&self) -> usize {
        self.form.points(L).div_ceil(2)
    }

    /// The number of values of a block.
    pub(crate) const fn block(&self) -> usize {
        self.block
    }

    /// The number of values that the jobs work on at a time; divides [`block`](Self::block).
    pub(crate) const fn group(&self) -> usize {
        self.block / 2
    }

    /// See [`dot`]: one block of sums of products, from `anchor` on, at least `outputs` of them.
    pub(crate) fn dot(&self, terms: &Terms<'_>, row: &Planes, place: (usize, usize), sums: &mut PointSums) {
        sum_products(self.backend, self.form.points(L), terms, row, place, sums);
    }

    /// Does one job.
    pub(crate) fn run(&self, mut job: Job<'_, L>) {
        gf2n::run_clmul!(self.backend, lanes => process(lanes, self.form, &self.reducer, &mut job));
    }

    /// Evaluates elements into a row, coefficient 0 at `position`; whole blocks are written.
    pub(crate) fn evaluate(&self, elements: &[[u64; L]], row: &mut Planes, position: usize) {
        for (index, chunk) in elements.chunks(self.block).enumerate() {
            let mut job = Job::new(Source::Elements(chunk));
            job.points = Some((&mut *row, position + index * self.block));
            self.run(job);
        }
    }
}

/// Not generic: compiled once for each back end.
fn sum_products(
    backend: ClmulBackend,
    points: usize,
    terms: &Terms<'_>,
    row: &Planes,
    place: (usize, usize),
    sums: &mut PointSums,
) {
    gf2n::run_clmul!(backend, lanes => dot(lanes, points, terms, row, place, sums));
}

/// A job, group by group from the last to the first, so that deposits may overwrite addends that come later.
#[inline(always)]
fn process<B: WordLanes, const L: usize>(lanes: B, form: Form, reducer: &Reducer, job: &mut Job<'_, L>) {
    let end = job.valid.min(block::<B>()).next_multiple_of(group::<B>());
    for start in (0..end).step_by(group::<B>()).rev() {
        let mut wide = match job.source {
            Source::Sums(sums) => collect::<B, L>(lanes, form, sums, start),
            Source::Elements(elements) => {
                let words = gather(lanes, &elements[start.min(elements.len())..]);
                widened(lanes, &words)
            }
        };
        if let (Some(position), Some(values)) = (job.addend, &job.wide) {
            add_wide(lanes, &mut wide, values, position + start);
        }
        let mut words = reducer.reduce_lanes(lanes, &wide);
        keep_first(lanes, &mut words, job.valid.saturating_sub(start));
        if let Some(elements) = &mut job.elements {
            let from = start.min(elements.len());
            scatter(lanes, &words, &mut elements[from..]);
        }
        for _ in 0..job.squarings {
            words = reducer.reduce_lanes(lanes, &square(lanes, &words));
        }
        if let Some((row, position)) = &mut job.points {
            store_points(lanes, form, &words, row, *position + start);
        }
        if let (Some(Deposit { position, step, count, squared }), Some(values)) = (job.deposit, &mut job.wide)
        {
            let wide = if squared { square(lanes, &words) } else { widened(lanes, &words) };
            let count = count.saturating_sub(start);
            store_wide(lanes, &wide, values, position + step * start, step, count);
        }
    }
}

/// Elements as unreduced values: the upper half is zero.
#[inline(always)]
fn widened<B: WordLanes, const L: usize>(lanes: B, words: &[B::Vector; L]) -> [[B::Vector; 2]; L] {
    let mut wide = [[lanes.zero(); 2]; L];
    for (index, &word) in words.iter().enumerate() {
        wide[index / 2][index % 2] = word;
    }
    wide
}
