//! Prepared scalar matrices, and the one operation on them.

use core::marker::PhantomData;
use core::ops::Range;
use gf2n::secret::SecretBytes;

use zeroize::ZeroizeOnDrop;

use super::job::LONGEST;
use super::{Engine, Job, PackedField, backend, portable};

/// A matrix of scalars, `terms` rows by `columns` columns, prepared for multiplying cells. Wiped when dropped.
///
/// [`PackedField::PER_BYTE`] neighbouring columns form a *group*; the scalars of one term and one group are one packed byte.
/// The bytes are ordered by pairs of terms: terms 0 and 1 of group 0, terms 0 and 1 of group 1, ..., terms 2 and 3 of group 0.
pub struct Multipliers<F: PackedField> {
    engine: Engine,
    terms: usize,
    columns: usize,
    /// Packed scalars in the order above; a missing last term is 0.
    scalars: SecretBytes,
    /// The back end's tables in the same order; empty for the portable back end.
    tables: SecretBytes,
    field: PhantomData<F>,
}

impl<F: PackedField> Multipliers<F> {
    /// Prepares `scalar(term, column)` for all terms and columns.
    pub fn new(engine: Engine, terms: usize, columns: usize, scalar: impl FnMut(usize, usize) -> u8) -> Self {
        let entries = terms.div_ceil(2) * columns.div_ceil(F::PER_BYTE);
        let mut new = Self {
            engine,
            terms,
            columns,
            scalars: SecretBytes::zeros(2 * entries),
            tables: SecretBytes::zeros(backend::table_bytes::<F>(engine, columns, entries)),
            field: PhantomData,
        };
        new.fill(scalar);
        new
    }

    fn fill(&mut self, mut scalar: impl FnMut(usize, usize) -> u8) {
        let groups = self.groups();
        for (pair, entries) in self.scalars.chunks_exact_mut(2 * groups.max(1)).enumerate() {
            for half in 0..2.min(self.terms - 2 * pair) {
                let term = 2 * pair + half;
                for (group, entry) in entries.chunks_exact_mut(2).enumerate() {
                    let column = group * F::PER_BYTE;
                    let mut packed = scalar(term, column);
                    if F::PER_BYTE == 2 && column + 1 < self.columns {
                        packed |= scalar(term, column + 1) << F::BITS;
                    }
                    entry[half] = packed;
                }
            }
        }
        backend::fill_tables::<F>(self.engine, self.columns, &self.scalars, &mut self.tables);
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of terms.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.terms
    }

    /// The back end.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    pub(super) fn groups(&self) -> usize {
        self.columns.div_ceil(F::PER_BYTE)
    }

    /// The packed scalars of one term and group.
    pub(super) fn packed(&self, term: usize, group: usize) -> u8 {
        self.scalars[2 * ((term / 2) * self.groups() + group) + term % 2]
    }

    /// One scalar of the matrix. Term and column are public.
    ///
    /// # Panics
    /// If there is no such term or column.
    #[must_use]
    pub fn scalar(&self, term: usize, column: usize) -> u8 {
        let packed = u16::from(self.packed(term, column / F::PER_BYTE));
        ((packed >> (F::BITS * (column % F::PER_BYTE))) & ((1 << F::BITS) - 1)) as u8
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// Does every job for every column: the cell of column j at `job.destination + j * column_stride` grows by the sum over
    /// the job's terms of scalar(t, j) times the term's cell of `source`.
    ///
    /// # Panics
    /// If a job reaches outside `source`, `destination` or the matrix, or its cells are longer than 96 bytes. All of these
    /// are lengths that the caller fixes, never data.
    pub fn combine(&self, source: &[u8], destination: &mut [u8], column_stride: usize, jobs: &[Job]) {
        self.combine_columns(source, destination, column_stride, 0..self.columns, jobs);
    }

    /// [`Self::combine`] for the columns of a range that begins at a group and ends at a group or at the last column.
    ///
    /// # Panics
    /// As [`Self::combine`].
    pub fn combine_columns(
        &self,
        source: &[u8],
        destination: &mut [u8],
        column_stride: usize,
        columns: Range<usize>,
        jobs: &[Job],
    ) {
        if columns.is_empty() {
            return;
        }
        assert!(columns.start.is_multiple_of(F::PER_BYTE) && columns.end <= self.columns);
        for job in jobs {
            let reach = job.destination + (columns.end - 1) * column_stride + job.len;
            assert!(reach <= destination.len(), "destination too short");
            assert!(1 <= job.len && job.len <= LONGEST && job.terms.end <= self.terms);
            assert!(job.fits(job.len, source.len()), "source too short");
        }
        match self.engine {
            Engine::Portable | Engine::Words32 => {
                portable::combine(self, source, destination, column_stride, columns, jobs);
            }
            #[cfg(target_arch = "x86_64")]
            _ => F::x86_combine(self, source, destination, column_stride, columns, jobs),
        }
    }
}

impl<F: PackedField> ZeroizeOnDrop for Multipliers<F> {}

impl<F: PackedField> core::fmt::Debug for Multipliers<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Multipliers")
            .field("terms", &self.terms)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}
