//! The coefficients of the public system before its equations are mixed.
//!
//! Row a of the input map is (s_a, t_a): s_a, its first n bits, an element of GF(2^n), t_a its v vinegar bits. The public
//! polynomial in x is F(sum x_a s_a, sum x_a t_a), so its coefficient of x_a x_b, a < b, is the polar form of F at the two rows,
//! and that of x_a is F(s_a, t_a) - F(0, 0). With M[a][i] = s_a^(2^i) and
//!
//! W[a][j] = sum over i > j of b_ij M[a][i] + sum over k of t_ak (coefficient of y_k in l_j)
//!
//! they are, for the upper triangular coefficients C of the vinegar part c,
//!
//! Q[a][b] = sum over j of (W[a][j] M[b][j] + M[a][j] W[b][j]) + t_a (C + C^T) t_b,
//! Q[a][a] = sum over j of W[a][j] M[a][j] + sum over i of l_i(0) M[a][i] + t_a C t_a^T.
//!
//! That is (n + v)^2/2 dot products of length 2 (top + 1) in evaluated form, each reduced once; the usual way, a change of basis
//! of the whole quadratic form, costs (n + v)^3 steps on elements.
//!
//! The sequence of operations and addresses depends on the parameters alone.

use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

use gf2n::Reducer;
use gf2n::backend::{Cell, ClmulBackend, ClmulLanes, Portable, WordLanes};
use gf2n::match_clmul;
use gf2n::matrix::BitMatrix;
use gf2n::points::LimbForm;
use zeroize::{Zeroize, Zeroizing};

use crate::bits::extract_bits;
use crate::coefficients::{Coefficients, Words, add, add_if, bit};

/// Rows that are worked on together, so that an operand that is loaded serves all of them.
pub(crate) const TILE: usize = 4;

/// The operands of the dot products for all rows.
pub(crate) struct PolarForm<F, const L: usize> {
    reducer: Reducer,
    rows: usize,
    vinegar: usize,
    /// Length of a dot product.
    terms: usize,
    /// Cell of row a, term t, pair p at (a * terms + t) * pairs + p; the terms are W[a][j], then M[a][j].
    left: Vec<Cell>,
    /// Cell of row b, term t, pair p at (p * terms + t) * stride + b; the terms are M[b][j], then W[b][j].
    right: Vec<Cell>,
    stride: usize,
    /// Q[a][a].
    diagonal: Vec<Words<L>>,
    /// t_a, as masks.
    vinegar_masks: Vec<u64>,
    /// (C + C^T) t_b: entry k at (k * rows + b) * L.
    vinegar_products: Vec<u64>,
    points: PhantomData<F>,
}

/// The values of an element at the points, a pair in each cell.
#[inline(always)]
fn evaluate<F: LimbForm<L>, const L: usize>(element: &Words<L>) -> F::Pairs<Cell> {
    let points = F::sums(Portable, &element.map(|word| Cell([word, 0])));
    let word = |index: usize| points.as_ref().get(index).map_or(0, |cell| cell.0[0]);
    F::pairs(|p| Cell([word(2 * p), word(2 * p + 1)]))
}

/// The element that sums of products at the points stand for.
#[inline(always)]
fn interpolate<F: LimbForm<L>, const L: usize>(reducer: &Reducer, sums: &[[u64; 2]]) -> Words<L> {
    let products = F::product_cells(Portable, &F::points(|point| Cell(sums[point])));
    reducer.reduce(&products.map(|cell| cell.0))
}

/// Adds the product of two evaluated elements.
#[inline(always)]
fn add_product<B: ClmulLanes>(backend: B, sums: &mut [[u64; 2]], a: &[Cell], b: &[Cell]) {
    for (point, sum) in sums.iter_mut().enumerate() {
        let product = backend.clmul(a[point / 2].0[point % 2], b[point / 2].0[point % 2]);
        sum[0] ^= product[0];
        sum[1] ^= product[1];
    }
}

impl<F: LimbForm<L>, const L: usize> PolarForm<F, L> {
    /// Rows beyond the last that vectors may read: more than any back end has lanes.
    const GUARD: usize = 8;

    /// The operands for the rows of `input`: n + v bits each.
    pub(crate) fn new(reducer: &Reducer, coefficients: &Coefficients<L>, input: &BitMatrix) -> Self {
        let rows = input.rows();
        let terms = 2 * coefficients.degree.linear_terms();
        let stride = rows + Self::GUARD;
        let vinegar = coefficients.vinegar;
        let mut form = Self {
            reducer: *reducer,
            rows,
            vinegar,
            terms,
            left: Vec::with_capacity(rows * terms * F::PAIRS),
            right: vec![Cell::ZERO; F::PAIRS * terms * stride],
            stride,
            diagonal: Vec::with_capacity(rows),
            vinegar_masks: Vec::with_capacity(rows * vinegar),
            vinegar_products: vec![0; vinegar * rows * L],
            points: PhantomData,
        };
        let mut quadratic = Zeroizing::new(Vec::with_capacity(coefficients.quadratic.len() * F::PAIRS));
        for coefficient in &coefficients.quadratic {
            quadratic.extend_from_slice(evaluate::<F, L>(coefficient).as_ref());
        }
        match_clmul!(ClmulBackend::best(), backend => backend.run(
            #[inline(always)]
            || (0..rows).for_each(|a| form.add_row(backend, coefficients, &quadratic, input.row(a), a)),
        ));
        form
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn add_row<B: ClmulLanes>(
        &mut self,
        backend: B,
        coefficients: &Coefficients<L>,
        quadratic: &[Cell],
        row: &[u64],
        a: usize,
    ) {
        let linear_terms = self.terms / 2;
        let degree = self.reducer.degree();
        let vinegar_bits = Zeroizing::new(extract_bits(row, degree, self.vinegar));

        // M[a][i]
        let mut power = [0; L];
        power.copy_from_slice(&Zeroizing::new(extract_bits(row, 0, degree)));
        let mut powers = Zeroizing::new(Vec::with_capacity(linear_terms * F::PAIRS));
        for _ in 0..linear_terms {
            powers.extend_from_slice(evaluate::<F, L>(&power).as_ref());
            power = self.reducer.reduce(&power.map(|word| backend.clsquare(word)));
        }
        let power = |i: usize| &powers[i * F::PAIRS..(i + 1) * F::PAIRS];

        // W[a][j]
        let mut sums = Zeroizing::new(vec![[0; 2]; linear_terms * F::POINTS]);
        for (b, (i, j)) in quadratic.chunks_exact(F::PAIRS).zip(coefficients.degree.quadratic_exponents()) {
            add_product(backend, &mut sums[j * F::POINTS..(j + 1) * F::POINTS], b, power(i));
        }
        let mut diagonal = Zeroizing::new(vec![[0; 2]; F::POINTS]);
        for j in 0..linear_terms {
            let mut weight = interpolate::<F, L>(&self.reducer, &sums[j * F::POINTS..]);
            add(&mut weight, &coefficients.linear_part(j, &vinegar_bits));
            let cells = evaluate::<F, L>(&weight);
            self.left.extend_from_slice(cells.as_ref());
            add(&mut weight, &coefficients.linear_of(j)[0]);
            add_product(backend, &mut diagonal, evaluate::<F, L>(&weight).as_ref(), power(j));
            for (p, (power_cell, weight_cell)) in power(j).iter().zip(cells.as_ref()).enumerate() {
                self.right[(p * self.terms + j) * self.stride + a] = *power_cell;
                self.right[(p * self.terms + linear_terms + j) * self.stride + a] = *weight_cell;
            }
        }
        self.left.extend_from_slice(&powers);
        let mut value = interpolate::<F, L>(&self.reducer, &diagonal);
        add(&mut value, &coefficients.vinegar_part(&vinegar_bits));
        self.diagonal.push(value);

        for k in 0..self.vinegar {
            self.vinegar_masks.push((bit(&vinegar_bits, k) & 1).wrapping_neg());
            let mut sum = [0; L];
            for l in (0..self.vinegar).filter(|&l| l != k) {
                add_if(&mut sum, coefficients.vinegar_product(k.min(l), k.max(l)), bit(&vinegar_bits, l));
            }
            let place = (k * self.rows + a) * L;
            self.vinegar_products[place..place + L].copy_from_slice(&sum);
        }
    }

    /// Q[a][b] for a = first..first + TILE and b >= a, at limb ((a - first) * rows + b) * L of the tile. (Entries b < a are
    /// of no use.)
    pub(crate) fn fill_tile<B: WordLanes>(&self, backend: B, first: usize, tile: &mut [u64]) {
        backend.run(
            #[inline(always)]
            || {
                self.add_dot_products(backend, first, tile);
                self.add_vinegar_products(first, tile);
            },
        );
    }

    #[inline(always)]
    fn add_dot_products<B: WordLanes>(&self, backend: B, first: usize, tile: &mut [u64]) {
        debug_assert!(B::LANES <= Self::GUARD);
        let count = TILE.min(self.rows - first);
        let mut words = Zeroizing::new(vec![Cell::ZERO; L * B::LANES]);
        let row_cells = self.terms * F::PAIRS;
        let left: [&[Cell]; TILE] = core::array::from_fn(|i| {
            let a = first + i.min(count - 1);
            &self.left[a * row_cells..(a + 1) * row_cells]
        });
        for b in (first..self.rows).step_by(B::LANES) {
            let mut products = [F::points(|_| backend.zero()); TILE];
            for p in 0..F::PAIRS {
                let mut low = [backend.zero(); TILE];
                let mut high = [backend.zero(); TILE];
                let cells = &self.right[p * self.terms * self.stride..(p + 1) * self.terms * self.stride];
                for (t, column) in cells.chunks_exact(self.stride).enumerate() {
                    let right = backend.load(&column[b..]);
                    for i in 0..TILE {
                        let factor = backend.broadcast(&left[i][t * F::PAIRS + p]);
                        low[i] = backend.xor(low[i], backend.clmul_low(factor, right));
                        high[i] = backend.xor(high[i], backend.clmul_high(factor, right));
                    }
                }
                for i in 0..TILE {
                    let points = products[i].as_mut();
                    points[2 * p] = low[i];
                    // an odd number of points leaves the last half pair empty
                    if 2 * p + 1 < F::POINTS {
                        points[2 * p + 1] = high[i];
                    }
                }
            }
            for (i, points) in products.iter().enumerate().take(count) {
                for (cells, vector) in words.chunks_exact_mut(B::LANES).zip(F::product_cells(backend, points))
                {
                    backend.store(vector, cells);
                }
                for lane in 0..B::LANES.min(self.rows - b) {
                    let value =
                        self.reducer.reduce::<L>(&core::array::from_fn(|w| words[w * B::LANES + lane].0));
                    let place = (i * self.rows + b + lane) * L;
                    tile[place..place + L].copy_from_slice(&value);
                }
            }
        }
    }

    #[inline(always)]
    fn add_vinegar_products(&self, first: usize, tile: &mut [u64]) {
        for (a, row) in (first..self.rows).zip(tile.chunks_exact_mut(self.rows * L)) {
            for k in 0..self.vinegar {
                let mask = self.vinegar_masks[a * self.vinegar + k];
                let products = &self.vinegar_products[k * self.rows * L..(k + 1) * self.rows * L];
                for (limb, product) in row[first * L..].iter_mut().zip(&products[first * L..]) {
                    *limb ^= mask & product;
                }
            }
            row[a * L..(a + 1) * L].copy_from_slice(&self.diagonal[a]);
        }
    }
}

impl<F, const L: usize> Drop for PolarForm<F, L> {
    fn drop(&mut self) {
        self.left.zeroize();
        self.right.zeroize();
        self.diagonal.zeroize();
        self.vinegar_masks.zeroize();
        self.vinegar_products.zeroize();
    }
}
