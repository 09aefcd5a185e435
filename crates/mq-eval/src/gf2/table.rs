//! Sums of table entries: the part of a system whose coefficients lie together, one entry a monomial.
//!
//! An entry is `stride` bytes at any address, and is read with loads of 32 bytes that may reach into its neighbours; what
//! they bring along is masked at the end. One row of the table (the monomials x_i x_j of one i) is contiguous.

use super::Shape;
use super::bits::mask;
use crate::backend::Vectors;

/// How the rows of a table are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Entry (i, j), `i <= j`, at `n i - i (i + 1) / 2 + j`: row i holds j = i, .., n-1.
    Upper,
    /// Entry (i, j), `j < i`, at `i (i - 1) / 2 + j`: row i holds j = 0, .., i-1.
    StrictLower,
}

/// The entries of all products, somewhere in the bytes of a packed system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Number of variables.
    pub(super) variables: usize,
    /// Distance of entries in bytes.
    pub(super) stride: usize,
    /// Where the table begins.
    pub(super) start: usize,
    /// Order of the entries.
    pub(super) rows: Rows,
    /// For [`Rows::StrictLower`]: where the n entries of the linear monomials begin.
    pub(super) linear: usize,
}

/// Byte offsets, within a row, of the entries whose variable is one.
pub(super) struct OneSet {
    variables: [u16; Shape::MAX],
    offsets: [u32; Shape::MAX],
    count: usize,
}

impl OneSet {
    /// The variables that are one at `point`, and their offsets for entries at distance `stride`.
    #[inline(always)]
    pub(super) fn new(point: &[u64], variables: usize, stride: usize) -> Self {
        let mut set = Self { variables: [0; Shape::MAX], offsets: [0; Shape::MAX], count: 0 };
        for (k, &word) in point.iter().enumerate().take(variables.div_ceil(64)) {
            let mut rest = word;
            while rest != 0 {
                let index = 64 * k + rest.trailing_zeros() as usize;
                if index >= variables {
                    break;
                }
                rest &= rest - 1;
                set.variables[set.count] = index as u16;
                set.offsets[set.count] = (index * stride) as u32;
                set.count += 1;
            }
        }
        set
    }
}

/// The entry in the first 32 K bytes.
#[inline(always)]
fn load<T: Vectors, const K: usize>(token: T, bytes: &[u8]) -> [T::Vector; K] {
    let mut entry = [token.zero(); K];
    for (vector, chunk) in entry.iter_mut().zip(bytes.as_chunks::<32>().0) {
        *vector = token.load(chunk);
    }
    entry
}

/// The entry at `offset` of `row`, whose end it may overrun: what lies behind it counts as zero.
#[inline(never)]
fn load_end(row: &[u8], offset: usize) -> [u8; 128] {
    let mut entry = [0; 128];
    let bytes = row.get(offset..).unwrap_or(&[]);
    let count = bytes.len().min(128);
    entry[..count].copy_from_slice(&bytes[..count]);
    entry
}

/// Adds the entries of one row at the given ascending offsets.
#[inline(always)]
fn add_entries<T: Vectors, const K: usize>(token: T, row: &[u8], offsets: &[u32], sum: &mut [T::Vector; K]) {
    let fits = |&offset: &u32| offset as usize + 32 * K <= row.len();
    if !offsets.last().is_none_or(fits) {
        // one of the last rows of the system
        for &offset in offsets {
            let entry = load::<T, K>(token, &load_end(row, offset as usize));
            for k in 0..K {
                sum[k] = token.add(sum[k], entry[k]);
            }
        }
        return;
    }
    let at = |offset: u32| match row.get(offset as usize..offset as usize + 32 * K) {
        Some(bytes) => load::<T, K>(token, bytes),
        // excluded above
        None => [token.zero(); K],
    };
    let (mut even, mut odd) = (*sum, [token.zero(); K]);
    let (groups, rest) = offsets.as_chunks::<4>();
    for &[a, b, c, d] in groups {
        let (a, b, c, d) = (at(a), at(b), at(c), at(d));
        for k in 0..K {
            even[k] = token.add3(even[k], a[k], b[k]);
            odd[k] = token.add3(odd[k], c[k], d[k]);
        }
    }
    for &a in rest {
        let a = at(a);
        for k in 0..K {
            even[k] = token.add(even[k], a[k]);
        }
    }
    for k in 0..K {
        sum[k] = token.add(even[k], odd[k]);
    }
}

impl Table {
    /// Bytes from the beginning of the system to the place where entry (i, 0) is, or would be.
    #[inline(always)]
    fn row_base(&self, i: usize) -> usize {
        let entries = match self.rows {
            Rows::Upper => i * (2 * self.variables - i - 1) / 2,
            Rows::StrictLower => i * i.saturating_sub(1) / 2,
        };
        self.start + entries * self.stride
    }

    /// Adds row i, for the variables of `set` from number `position` on (order upper) or before it (strictly lower).
    #[inline(always)]
    fn add_row<T: Vectors, const K: usize>(
        &self,
        token: T,
        bytes: &[u8],
        set: &OneSet,
        position: usize,
        sum: &mut [T::Vector; K],
    ) {
        let i = usize::from(set.variables[position]);
        let row = bytes.get(self.row_base(i)..).unwrap_or(&[]);
        match self.rows {
            Rows::Upper => add_entries(token, row, &set.offsets[position..set.count], sum),
            Rows::StrictLower => add_entries(token, row, &set.offsets[..position], sum),
        }
    }

    /// Sum of the entries of all monomials that are one at a point. Variable time.
    #[inline(always)]
    pub(super) fn sum<T: Vectors, const K: usize>(
        &self,
        token: T,
        bytes: &[u8],
        set: &OneSet,
    ) -> [T::Vector; K] {
        let mut sum = [token.zero(); K];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            add_entries(token, linear, &set.offsets[..set.count], &mut sum);
        }
        for position in 0..set.count {
            self.add_row(token, bytes, set, position, &mut sum);
        }
        sum
    }

    /// The same for several points, row by row of the table, so that a large table is read once. Variable time.
    #[inline(always)]
    pub(super) fn sum_many<T: Vectors, const K: usize>(
        &self,
        token: T,
        bytes: &[u8],
        sets: &[OneSet],
        sums: &mut [[T::Vector; K]],
    ) {
        let mut next = [0; MANY];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            for (set, sum) in sets.iter().zip(sums.iter_mut()) {
                add_entries(token, linear, &set.offsets[..set.count], sum);
            }
        }
        for i in 0..self.variables {
            for ((set, sum), position) in sets.iter().zip(sums.iter_mut()).zip(&mut next) {
                if *position < set.count && usize::from(set.variables[*position]) == i {
                    self.add_row(token, bytes, set, *position, sum);
                    *position += 1;
                }
            }
        }
    }

    /// Sum of the entries of all monomials that are one at a point. Constant time: every entry is read and masked.
    #[inline(always)]
    pub(super) fn masked_sum<T: Vectors, const K: usize>(
        &self,
        token: T,
        bytes: &[u8],
        point: &[u64],
    ) -> [T::Vector; K] {
        let n = self.variables;
        let mut masks = zeroize::Zeroizing::new([0; Shape::MAX]);
        for (i, m) in masks.iter_mut().enumerate().take(n) {
            *m = mask(point, i);
        }
        let mut sum = [token.zero(); K];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            masked_row(token, linear, self.stride, &masks[..n], 0, u64::MAX, &mut sum);
        }
        for i in 0..n {
            let row = bytes.get(self.row_base(i)..).unwrap_or(&[]);
            match self.rows {
                Rows::Upper => masked_row(token, row, self.stride, &masks[..n], i, masks[i], &mut sum),
                Rows::StrictLower => masked_row(token, row, self.stride, &masks[..i], 0, masks[i], &mut sum),
            }
        }
        sum
    }
}

/// Most points that [`Table::sum_many`] takes at once.
pub(super) const MANY: usize = 16;

/// Adds, masked by `x_i`, the sum of the entries from number `first` on, masked by `masks`.
#[inline(always)]
fn masked_row<T: Vectors, const K: usize>(
    token: T,
    row: &[u8],
    stride: usize,
    masks: &[u64],
    first: usize,
    x_i: u64,
    sum: &mut [T::Vector; K],
) {
    let mut row_sum = [token.zero(); K];
    // entries that no load from can leave the row's slice
    let whole = match row.len().checked_sub(32 * K) {
        Some(last) => (last / stride + 1).clamp(first, masks.len()),
        None => first,
    };
    let mut rest = row.get(first * stride..).unwrap_or(&[]);
    for &x_j in &masks[first..whole] {
        let x_j = token.broadcast(x_j);
        if let Some(bytes) = rest.get(..32 * K) {
            let entry = load::<T, K>(token, bytes);
            for k in 0..K {
                row_sum[k] = token.add_masked(row_sum[k], entry[k], x_j);
            }
        }
        rest = rest.get(stride..).unwrap_or(&[]);
    }
    for (j, &x_j) in masks.iter().enumerate().skip(whole) {
        let entry = load::<T, K>(token, &load_end(row, j * stride));
        let x_j = token.broadcast(x_j);
        for k in 0..K {
            row_sum[k] = token.add_masked(row_sum[k], entry[k], x_j);
        }
    }
    let x_i = token.broadcast(x_i);
    for k in 0..K {
        sum[k] = token.add_masked(sum[k], row_sum[k], x_i);
    }
}
