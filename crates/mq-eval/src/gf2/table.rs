//! Sums of table entries: the part of a system whose coefficients lie together, one entry a monomial.
//!
//! An entry is `stride` bytes at any address, and is read with loads of whole words that may reach into its neighbours; what
//! they bring along is masked at the end. One row of the table (the monomials x_i x_j of one i) is contiguous.

use super::Shape;
use super::bits::mask;

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

/// The entry at `offset` of `row` in WORDS words; bytes behind the end of the row's slice count as zero.
#[inline(always)]
fn load<const WORDS: usize>(row: &[u8], offset: usize) -> [u64; WORDS] {
    let mut entry = [0; WORDS];
    if let Some(bytes) = row.get(offset..offset + 8 * WORDS) {
        for (word, chunk) in entry.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*chunk);
        }
    } else {
        load_end(row, offset, &mut entry);
    }
    entry
}

#[cold]
#[inline(never)]
fn load_end(row: &[u8], offset: usize, entry: &mut [u64]) {
    super::bits::read_bytes(row.get(offset..).unwrap_or(&[]), entry);
}

#[inline(always)]
fn add<const WORDS: usize>(sum: &mut [u64; WORDS], entry: [u64; WORDS]) {
    for (s, e) in sum.iter_mut().zip(entry) {
        *s ^= e;
    }
}

/// Adds the entries of one row at the given offsets.
#[inline(always)]
fn add_entries<const WORDS: usize>(row: &[u8], offsets: &[u32], sum: &mut [u64; WORDS]) {
    let mut other = [0; WORDS];
    let (pairs, rest) = offsets.as_chunks::<2>();
    for &[a, b] in pairs {
        add(sum, load::<WORDS>(row, a as usize));
        add(&mut other, load::<WORDS>(row, b as usize));
    }
    for &a in rest {
        add(sum, load::<WORDS>(row, a as usize));
    }
    add(sum, other);
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
    fn add_row<const WORDS: usize>(
        &self,
        bytes: &[u8],
        set: &OneSet,
        position: usize,
        sum: &mut [u64; WORDS],
    ) {
        let i = usize::from(set.variables[position]);
        let row = bytes.get(self.row_base(i)..).unwrap_or(&[]);
        match self.rows {
            Rows::Upper => add_entries(row, &set.offsets[position..set.count], sum),
            Rows::StrictLower => add_entries(row, &set.offsets[..position], sum),
        }
    }

    /// Sum of the entries of all monomials that are one at a point. Variable time.
    #[inline(always)]
    pub(super) fn sum<const WORDS: usize>(&self, bytes: &[u8], set: &OneSet) -> [u64; WORDS] {
        let mut sum = [0; WORDS];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            add_entries(linear, &set.offsets[..set.count], &mut sum);
        }
        for position in 0..set.count {
            self.add_row(bytes, set, position, &mut sum);
        }
        sum
    }

    /// The same for several points, row by row of the table, so that a large table is read once. Variable time.
    #[inline(always)]
    pub(super) fn sum_many<const WORDS: usize>(
        &self,
        bytes: &[u8],
        sets: &[OneSet],
        sums: &mut [[u64; WORDS]],
    ) {
        let mut next = [0; MANY];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            for (set, sum) in sets.iter().zip(sums.iter_mut()) {
                add_entries(linear, &set.offsets[..set.count], sum);
            }
        }
        for i in 0..self.variables {
            for ((set, sum), position) in sets.iter().zip(sums.iter_mut()).zip(&mut next) {
                if *position < set.count && usize::from(set.variables[*position]) == i {
                    self.add_row(bytes, set, *position, sum);
                    *position += 1;
                }
            }
        }
    }

    /// Sum of the entries of all monomials that are one at a point. Constant time: every entry is read and masked.
    #[inline(always)]
    pub(super) fn masked_sum<const WORDS: usize>(&self, bytes: &[u8], point: &[u64]) -> [u64; WORDS] {
        let n = self.variables;
        let mut masks = zeroize::Zeroizing::new([0; Shape::MAX]);
        for (i, m) in masks.iter_mut().enumerate().take(n) {
            *m = mask(point, i);
        }
        let mut sum = [0; WORDS];
        if self.rows == Rows::StrictLower {
            let linear = bytes.get(self.linear..).unwrap_or(&[]);
            masked_row(linear, self.stride, &masks[..n], 0, u64::MAX, &mut sum);
        }
        for i in 0..n {
            let row = bytes.get(self.row_base(i)..).unwrap_or(&[]);
            match self.rows {
                Rows::Upper => masked_row(row, self.stride, &masks[..n], i, masks[i], &mut sum),
                Rows::StrictLower => masked_row(row, self.stride, &masks[..i], 0, masks[i], &mut sum),
            }
        }
        sum
    }
}

/// Most points that [`Table::sum_many`] takes at once.
pub(super) const MANY: usize = 16;

/// Adds, masked by `x_i`, the sum of the entries from number `first` on, masked by `masks`.
#[inline(always)]
fn masked_row<const WORDS: usize>(
    row: &[u8],
    stride: usize,
    masks: &[u64],
    first: usize,
    x_i: u64,
    sum: &mut [u64; WORDS],
) {
    let mut row_sum = [0; WORDS];
    for (j, &x_j) in masks.iter().enumerate().skip(first) {
        let entry = load::<WORDS>(row, j * stride);
        for (s, e) in row_sum.iter_mut().zip(entry) {
            *s ^= e & x_j;
        }
    }
    for (s, r) in sum.iter_mut().zip(row_sum) {
        *s ^= r & x_i;
    }
}
