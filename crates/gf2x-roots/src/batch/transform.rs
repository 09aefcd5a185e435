//! The additive FFT on cosets.

use alloc::vec::Vec;

use super::backend::PlaneKernel;
use super::field::Subspaces;
use super::planes::Line;
use super::{Batch, BatchField, Selection, with_kernel};

/// The transform of polynomials with a given number of coefficients: the cosets on which it works are as small as the degree
/// allows.
pub struct BatchTransform {
    field: BatchField,
    coefficients: usize,
    /// D: a block is a coset of W_D.
    block_log2: u32,
    /// Levels of the conversion of the basis; at most D + 1.
    levels: u32,
    subspaces: Subspaces,
}

/// A batch of polynomials in the basis of products of linearised polynomials.
#[derive(Clone, Debug)]
pub struct BasisForm(Batch);

impl BatchTransform {
    /// The transform of polynomials with `coefficients` coefficients.
    ///
    /// # Panics
    /// If there are none or more than the field has elements.
    #[must_use]
    pub fn new(field: BatchField, coefficients: usize) -> Self {
        assert!(
            coefficients > 0 && coefficients <= 1 << field.degree(),
            "at most one coefficient an element"
        );
        let levels = coefficients.next_power_of_two().ilog2().max(1);
        let half = 1 << (levels - 1);
        // a few coefficients above a power of two are folded instead of doubling the block
        let fold = levels > 1 && coefficients <= half + half / 2;
        let block_log2 = if fold { levels - 1 } else { levels };
        let last = levels.max(block_log2 + 1).min(field.degree()) - 1;
        Self { field, coefficients, block_log2, levels, subspaces: Subspaces::new(field, last) }
    }

    /// log2 of the number of points of a block.
    #[must_use]
    pub fn block_log2(&self) -> u32 {
        self.block_log2
    }

    /// Number of blocks: all points of the field.
    #[must_use]
    pub fn blocks(&self) -> usize {
        1 << (self.field.degree() - self.block_log2)
    }

    /// Changes from the basis of monomials: entry j of `batch` holds the coefficients of X^j.
    ///
    /// # Panics
    /// If the number of entries is not that of the coefficients.
    #[must_use]
    pub fn basis_form(&self, mut batch: Batch) -> BasisForm {
        assert_eq!(batch.len(), self.coefficients, "one entry a coefficient");
        let (plane, size) = (batch.plane_lines(), batch.entry_lines());
        let lines = batch.lines_mut();
        for level in (0..self.levels).rev() {
            with_kernel!(self.field.degree(), kernel => self.divide(kernel, level, plane, size, lines));
        }
        BasisForm(batch)
    }

    /// One level of the conversion: every block of 2^(level + 1) entries is divided by s_level; the quotient, times
    /// s_level(x^level), is its upper half, the remainder its lower half.
    #[inline(always)]
    fn divide<K: PlaneKernel>(&self, kernel: K, level: u32, plane: usize, size: usize, lines: &mut [Line]) {
        let half = 1usize << level;
        let divisor = &self.subspaces.coefficients[level as usize][..level as usize];
        let terms: Vec<(usize, K::Table)> = divisor
            .iter()
            .enumerate()
            .filter(|&(_, &c)| c != 0)
            .map(|(t, &c)| (1usize << t, kernel.table(&self.field.images(c))))
            .collect();
        let scale = kernel.table(&self.field.images(self.subspaces.values[level as usize]));
        let mut begin = 0;
        while begin + half < self.coefficients {
            let end = (begin + 2 * half).min(self.coefficients);
            for j in (begin + half..end).rev() {
                let (lower, entry) = lines.split_at_mut(j * size);
                for (offset, table) in &terms {
                    let target = (j - half + offset) * size;
                    multiply_add(kernel, table, plane, &entry[..size], &mut lower[target..target + size]);
                }
            }
            for j in begin + half..end {
                multiply(kernel, &scale, plane, &mut lines[j * size..(j + 1) * size]);
            }
            begin += 2 * half;
        }
    }

    /// The values at all points of the field, block after block: `visit(block, values)` gets the number of the block and a batch
    /// whose entry j holds the values at point 2^D block + j, D the [`Self::block_log2`]. With a selection, blocks without a
    /// wanted point are left out, and in the others only the wanted entries are meaningful.
    ///
    /// Memory: one block, 2^D times 3 bytes a lane.
    ///
    /// # Errors
    /// The first error that `visit` gives, which ends the work.
    ///
    /// # Panics
    /// If the polynomials do not belong to this transform.
    pub fn for_each_block<E>(
        &self,
        polynomials: &BasisForm,
        selection: Option<&Selection>,
        mut visit: impl FnMut(usize, &Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        assert_eq!(polynomials.0.len(), self.coefficients, "one entry a coefficient");
        let mut work = Batch::zero(polynomials.0.lanes(), 1 << self.block_log2);
        with_kernel!(self.field.degree(), kernel => {
            let mut factors = Factors::new(kernel, self);
            for block in 0..self.blocks() {
                if selection.is_none_or(|s| s.contains(self.block_log2, block)) {
                    self.transform_block(kernel, &mut factors, &polynomials.0, selection, block, &mut work);
                    visit(block, &work)?;
                }
            }
            Ok(())
        })
    }

    #[inline(always)]
    fn transform_block<K: PlaneKernel>(
        &self,
        kernel: K,
        factors: &mut Factors<K>,
        polynomials: &Batch,
        selection: Option<&Selection>,
        block: usize,
        work: &mut Batch,
    ) {
        let (plane, size) = (work.plane_lines(), work.entry_lines());
        let values = work.lines_mut();
        let mut stack = [(0u32, 0usize); 2 * BatchField::MAX_DEGREE as usize];
        let mut depth = 0;
        self.first_level(kernel, factors, polynomials, block, values);
        if self.block_log2 > 1 {
            let level = self.block_log2 - 2;
            stack[0] = (level, 2 << level);
            stack[1] = (level, 0);
            depth = 2;
        }
        while depth > 0 {
            depth -= 1;
            let (level, offset) = stack[depth];
            let index = (block << self.block_log2 | offset) >> (level + 1);
            if !selection.is_none_or(|s| s.contains(level + 1, index)) {
                continue;
            }
            let table = factors.get(kernel, level, index);
            let half = size << level;
            let (lower, upper) = values[offset * size..offset * size + 2 * half].split_at_mut(half);
            for (u, v) in lower.chunks_exact_mut(size).zip(upper.chunks_exact_mut(size)) {
                butterfly(kernel, table, plane, u, v);
            }
            if level > 0 {
                stack[depth] = (level - 1, offset + (1 << level));
                stack[depth + 1] = (level - 1, offset);
                depth += 2;
            }
        }
    }

    /// The top level, from the polynomials into the block, with the coefficients from 2^D on folded.
    #[inline(always)]
    fn first_level<K: PlaneKernel>(
        &self,
        kernel: K,
        factors: &mut Factors<K>,
        polynomials: &Batch,
        block: usize,
        values: &mut [Line],
    ) {
        let (plane, size) = (polynomials.plane_lines(), polynomials.entry_lines());
        let (points, half) = (1usize << self.block_log2, 1usize << (self.block_log2 - 1));
        let source = polynomials.lines();
        let direct = self.coefficients.min(points) * size;
        values[..direct].copy_from_slice(&source[..direct]);
        values[direct..].fill(Line([0; 64]));
        if self.coefficients > points {
            let fold = *factors.get(kernel, self.block_log2, block >> 1);
            // bit 0 of `block` is the point x^D, where S_D is one
            let fold = if block & 1 == 1 {
                kernel.add_tables(&fold, &kernel.table(&self.field.images(1)))
            } else {
                fold
            };
            for (value, c) in values.chunks_exact_mut(size).zip(source[points * size..].chunks_exact(size)) {
                multiply_add(kernel, &fold, plane, c, value);
            }
        }
        let table = factors.get(kernel, self.block_log2 - 1, block);
        let (lower, upper) = values.split_at_mut(half * size);
        for (u, v) in lower.chunks_exact_mut(size).zip(upper.chunks_exact_mut(size)) {
            butterfly(kernel, table, plane, u, v);
        }
    }
}

/// The factors S_l(p), p a multiple of x^(l+1), of every level, as tables. Each level's last one is kept: the next differs from it
/// by one addition, if the points come in their order.
struct Factors<K: PlaneKernel> {
    levels: Vec<Level<K>>,
}

struct Level<K: PlaneKernel> {
    index: usize,
    table: K::Table,
    /// Entry t: the table of S_l(x^(l+1) + .. + x^(l+1+t)).
    steps: Vec<K::Table>,
}

impl<K: PlaneKernel> Factors<K> {
    #[inline(always)]
    fn new(kernel: K, transform: &BatchTransform) -> Self {
        let field = transform.field;
        let mut levels = Vec::with_capacity(transform.subspaces.normalised.len());
        for (l, values) in transform.subspaces.normalised.iter().enumerate() {
            let mut sum = 0;
            let mut steps = Vec::with_capacity(values.len() - l);
            for value in &values[l + 1..] {
                sum ^= value;
                steps.push(kernel.table(&field.images(sum)));
            }
            levels.push(Level { index: 0, table: kernel.table(&[0; 24]), steps });
        }
        Self { levels }
    }

    /// The table of S_l(p) for p = `index` x^(l+1).
    #[inline(always)]
    fn get(&mut self, kernel: K, level: u32, index: usize) -> &K::Table {
        let level = &mut self.levels[level as usize];
        let mut changed = level.index ^ index;
        while changed != 0 {
            let top = changed.ilog2();
            level.table = kernel.add_tables(&level.table, &level.steps[top as usize]);
            changed ^= (2 << top) - 1;
        }
        level.index = index;
        &level.table
    }
}

/// u += c v; v += u.
#[inline(always)]
fn butterfly<K: PlaneKernel>(kernel: K, table: &K::Table, plane: usize, u: &mut [Line], v: &mut [Line]) {
    for i in 0..plane {
        let elements: [K::Vector; 3] = core::array::from_fn(
            #[inline(always)]
            |p| kernel.load(&v[p * plane + i]),
        );
        let products = kernel.multiply(table, elements);
        for p in 0..3 {
            let sum = kernel.add(kernel.load(&u[p * plane + i]), products[p]);
            kernel.store(sum, &mut u[p * plane + i]);
            kernel.store(kernel.add(elements[p], sum), &mut v[p * plane + i]);
        }
    }
}

/// target += c source.
#[inline(always)]
fn multiply_add<K: PlaneKernel>(
    kernel: K,
    table: &K::Table,
    plane: usize,
    source: &[Line],
    target: &mut [Line],
) {
    for i in 0..plane {
        let elements: [K::Vector; 3] = core::array::from_fn(
            #[inline(always)]
            |p| kernel.load(&source[p * plane + i]),
        );
        for (p, product) in kernel.multiply(table, elements).into_iter().enumerate() {
            let sum = kernel.add(kernel.load(&target[p * plane + i]), product);
            kernel.store(sum, &mut target[p * plane + i]);
        }
    }
}

/// entry *= c.
#[inline(always)]
fn multiply<K: PlaneKernel>(kernel: K, table: &K::Table, plane: usize, entry: &mut [Line]) {
    for i in 0..plane {
        let elements: [K::Vector; 3] = core::array::from_fn(
            #[inline(always)]
            |p| kernel.load(&entry[p * plane + i]),
        );
        for (p, product) in kernel.multiply(table, elements).into_iter().enumerate() {
            kernel.store(product, &mut entry[p * plane + i]);
        }
    }
}
