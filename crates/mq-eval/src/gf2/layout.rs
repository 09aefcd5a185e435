//! The published byte layouts of quadratic systems.

use alloc::vec;
use alloc::vec::Vec;

use super::bits::{bit, dirty_byte, load_word, read_bytes, write_bytes};
use super::table::{Rows, Table};
use super::{LayoutError, Shape, System};

/// A published byte layout. All are little-endian: bit i of a vector is bit (i mod 8) of byte (i div 8).
///
/// Orders U and L of the monomials: [`Shape::upper_index`], [`Shape::lower_index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Minimal size: GeMSS of the third round, and its version of April 2020.
    ///
    /// For every monomial in order U the first 8 (m div 8) equations in m div 8 bytes; then each of the m mod 8 other
    /// equations as the bit string of its coefficients in order L. The padding bits of all these strings but the last are
    /// filled, in their order, with the last bits of the last string, which is shorter by as many.
    ByteHybrid,
    /// Words: GeMSS of the second round. For every monomial in order U ceil(m/64) words.
    WordRows,
    /// Words and matrices: GeMSS of the second round for m = 324. The constant in ceil(m/64) words; for every other monomial
    /// in order U the first 64 (m div 64) equations in m div 64 words; then for each of the m mod 64 other equations, for
    /// b = 0, .., n-1, the coefficients of x_0 x_b, .., x_b x_b in (b div 64) + 1 words.
    WordHybrid,
    /// Gui, without the last byte of its public keys (the length of the salt, not part of the system). Entries of ceil(m/8)
    /// bytes: x_0, .., x_{n-1}; then x_i x_j for i = 1, .., n-1 and j = 0, .., i-1; then the constant.
    LinearFirst,
    /// DualModeMS (inside its secret keys): every equation as the bit string of its coefficients in order U, in words.
    EquationMajor,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 5] = [
        Layout::ByteHybrid,
        Layout::WordRows,
        Layout::WordHybrid,
        Layout::LinearFirst,
        Layout::EquationMajor,
    ];

    /// Length of a system in bytes.
    #[must_use]
    pub const fn len(self, shape: Shape) -> usize {
        let (n, m) = (shape.variables(), shape.equations());
        match self {
            Layout::ByteHybrid => (shape.monomials() * m).div_ceil(8),
            Layout::WordRows => 8 * shape.monomials() * shape.equation_words(),
            Layout::WordHybrid => {
                let table = (shape.monomials() - 1) * (m / 64);
                8 * (shape.equation_words() + table + (m % 64) * triangle_words(n))
            }
            Layout::LinearFirst => shape.monomials() * m.div_ceil(8),
            Layout::EquationMajor => 8 * shape.monomial_words() * m,
        }
    }

    /// Whether the layout is defined for the shape. Only [`Self::ByteHybrid`] has exceptions, all with fewer than nine
    /// variables: there the last string can be too short for what it has to give away.
    #[must_use]
    pub const fn supports(self, shape: Shape) -> bool {
        match self {
            Layout::ByteHybrid => {
                let strings = Strings::new(shape);
                strings.moved() <= strings.monomials
            }
            _ => true,
        }
    }

    const fn require(self, shape: Shape) -> Result<(), LayoutError> {
        if self.supports(shape) {
            return Ok(());
        }
        Err(LayoutError::Shape { variables: shape.variables(), equations: shape.equations() })
    }

    /// Checks length and padding of the bytes of a system.
    ///
    /// # Errors
    /// [`LayoutError::Length`], [`LayoutError::Padding`], and [`LayoutError::Shape`] as [`Self::supports`] says.
    pub fn check(self, shape: Shape, bytes: &[u8]) -> Result<(), LayoutError> {
        self.require(shape)?;
        let expected = self.len(shape);
        if bytes.len() != expected {
            return Err(LayoutError::Length { expected, actual: bytes.len() });
        }
        match self.first_dirty_byte(shape, bytes) {
            None => Ok(()),
            Some(byte) => Err(LayoutError::Padding { byte }),
        }
    }

    fn first_dirty_byte(self, shape: Shape, bytes: &[u8]) -> Option<usize> {
        let (n, m) = (shape.variables(), shape.equations());
        match self {
            Layout::ByteHybrid => dirty_byte(bytes, shape.monomials() * m),
            Layout::WordRows => dirty_entry(bytes, 8 * shape.equation_words(), m),
            Layout::WordHybrid => {
                let head = 8 * shape.equation_words();
                if let Some(byte) = dirty_byte(&bytes[..head], m) {
                    return Some(byte);
                }
                let mut offset = head + 8 * (shape.monomials() - 1) * (m / 64);
                for _ in 0..m % 64 {
                    for b in 0..n {
                        let row = &bytes[offset..offset + 8 * (b / 64 + 1)];
                        if let Some(byte) = dirty_byte(row, b + 1) {
                            return Some(offset + byte);
                        }
                        offset += row.len();
                    }
                }
                None
            }
            Layout::LinearFirst => dirty_entry(bytes, m.div_ceil(8), m),
            Layout::EquationMajor => dirty_entry(bytes, 8 * shape.monomial_words(), shape.monomials()),
        }
    }

    /// The bytes of a system.
    ///
    /// # Errors
    /// [`LayoutError::Shape`] as [`Self::supports`] says.
    pub fn encode(self, system: &System) -> Result<Vec<u8>, LayoutError> {
        let shape = system.shape();
        self.require(shape)?;
        let mut bytes = vec![0; self.len(shape)];
        if bytes.is_empty() {
            return Ok(bytes);
        }
        let (n, m) = (shape.variables(), shape.equations());
        match self {
            Layout::ByteHybrid => encode_byte_hybrid(system, &mut bytes),
            Layout::WordRows => write_bytes(system.rows(), &mut bytes),
            Layout::WordHybrid => {
                let head = 8 * shape.equation_words();
                write_bytes(system.row(0), &mut bytes[..head]);
                let size = 8 * (m / 64);
                let (table, matrices) = bytes[head..].split_at_mut((shape.monomials() - 1) * size);
                if size > 0 {
                    for (k, entry) in table.chunks_exact_mut(size).enumerate() {
                        write_bytes(system.row(k + 1), entry);
                    }
                }
                for (t, matrix) in matrices.chunks_exact_mut((8 * triangle_words(n)).max(1)).enumerate() {
                    let equation = 64 * (m / 64) + t;
                    for b in 0..n {
                        let offset = 8 * triangle_words(b);
                        for a in 0..=b {
                            let c = bit(system.row(shape.upper_index(a, b)), equation);
                            matrix[offset + a / 8] |= u8::from(c) << (a % 8);
                        }
                    }
                }
            }
            Layout::LinearFirst => {
                let entries = bytes.chunks_exact_mut(m.div_ceil(8));
                for (index, entry) in linear_first_order(shape).zip(entries) {
                    write_bytes(system.row(index), entry);
                }
            }
            Layout::EquationMajor => {
                let size = 8 * shape.monomial_words();
                for k in 0..shape.monomials() {
                    scatter(system.row(k), 0, m, |e| bytes[e * size + k / 8] |= 1 << (k % 8));
                }
            }
        }
        Ok(bytes)
    }

    /// The system that the bytes stand for.
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn decode(self, shape: Shape, bytes: &[u8]) -> Result<System, LayoutError> {
        self.check(shape, bytes)?;
        let mut system = System::zero(shape);
        let (n, m) = (shape.variables(), shape.equations());
        if m == 0 {
            return Ok(system);
        }
        match self {
            Layout::ByteHybrid => decode_byte_hybrid(bytes, &mut system),
            Layout::WordRows => {
                for (k, row) in bytes.chunks_exact(8 * shape.equation_words()).enumerate() {
                    read_bytes(row, system.row_mut(k));
                }
            }
            Layout::WordHybrid => {
                let head = 8 * shape.equation_words();
                read_bytes(&bytes[..head], system.row_mut(0));
                let size = 8 * (m / 64);
                let (table, matrices) = bytes[head..].split_at((shape.monomials() - 1) * size);
                if size > 0 {
                    for (k, entry) in table.chunks_exact(size).enumerate() {
                        read_bytes(entry, system.row_mut(k + 1));
                    }
                }
                // no variables, no matrices
                for (t, matrix) in matrices.chunks_exact((8 * triangle_words(n)).max(1)).enumerate() {
                    let equation = 64 * (m / 64) + t;
                    for b in 0..n {
                        let row = &matrix[8 * triangle_words(b)..];
                        for a in 0..=b {
                            let c = u64::from(row[a / 8] >> (a % 8) & 1);
                            system.row_mut(shape.upper_index(a, b))[equation / 64] |= c << (equation % 64);
                        }
                    }
                }
            }
            Layout::LinearFirst => {
                let entries = bytes.chunks_exact(m.div_ceil(8));
                for (index, entry) in linear_first_order(shape).zip(entries) {
                    read_bytes(entry, system.row_mut(index));
                }
            }
            Layout::EquationMajor => {
                for (e, string) in bytes.chunks_exact(8 * shape.monomial_words()).enumerate() {
                    for k in 0..shape.monomials() {
                        let c = u64::from(string[k / 8] >> (k % 8) & 1);
                        system.row_mut(k)[e / 64] |= c << (e % 64);
                    }
                }
            }
        }
        Ok(system)
    }

    /// The part of the layout with one entry a monomial, if any, and the number of equations that it covers.
    pub(super) const fn table(self, shape: Shape) -> Option<(Table, usize)> {
        let (n, m) = (shape.variables(), shape.equations());
        let (stride, start, covered, rows) = match self {
            Layout::ByteHybrid => (m / 8, m / 8, 8 * (m / 8), Rows::Upper),
            Layout::WordRows => (8 * shape.equation_words(), 8 * shape.equation_words(), m, Rows::Upper),
            Layout::WordHybrid => (8 * (m / 64), 8 * shape.equation_words(), 64 * (m / 64), Rows::Upper),
            Layout::LinearFirst => (m.div_ceil(8), n * m.div_ceil(8), m, Rows::StrictLower),
            Layout::EquationMajor => return None,
        };
        if covered == 0 {
            return None;
        }
        Some((Table { variables: n, stride, start, rows, linear: 0 }, covered))
    }

    /// The offset of the constant's entry and its length, for layouts with [`Self::table`].
    pub(super) const fn constant(self, shape: Shape) -> (usize, usize) {
        let m = shape.equations();
        match self {
            Layout::ByteHybrid => (0, m / 8),
            Layout::WordRows | Layout::WordHybrid => (0, 8 * shape.equation_words()),
            Layout::LinearFirst => ((shape.monomials() - 1) * m.div_ceil(8), m.div_ceil(8)),
            Layout::EquationMajor => (0, 0),
        }
    }
}

/// Words of the rows 0, .., n-1 of a lower triangular matrix, row b in (b div 64) + 1 words.
pub(super) const fn triangle_words(n: usize) -> usize {
    let (blocks, rest) = (n / 64, n % 64);
    64 * blocks * (blocks + 1) / 2 + rest * (blocks + 1)
}

/// The part of [`Layout::ByteHybrid`] behind the entries: where each of the last m mod 8 equations lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strings {
    /// Number of these equations, r.
    pub(super) count: usize,
    /// Where the first string begins.
    pub(super) start: usize,
    /// Bytes of every string but the last.
    pub(super) size: usize,
    /// Bits of padding of every string but the last, filled with bits of the last string.
    pub(super) pad: usize,
    /// Number of monomials.
    pub(super) monomials: usize,
}

impl Strings {
    pub(super) const fn new(shape: Shape) -> Self {
        let monomials = shape.monomials();
        let size = monomials.div_ceil(8);
        Self {
            count: shape.equations() % 8,
            start: monomials * (shape.equations() / 8),
            size,
            pad: 8 * size - monomials,
            monomials,
        }
    }

    /// How many bits of the last string lie in the padding of the others.
    pub(super) const fn moved(&self) -> usize {
        self.count.saturating_sub(1) * self.pad
    }

    /// Bit position, from the beginning of the system, of coefficient `index` (order L) of string `t`.
    const fn position(&self, t: usize, index: usize) -> usize {
        let kept = self.monomials - self.moved();
        if t + 1 == self.count && index >= kept {
            let (string, bit) = ((index - kept) / self.pad, (index - kept) % self.pad);
            return 8 * (self.start + string * self.size) + self.monomials + bit;
        }
        8 * (self.start + t * self.size) + index
    }
}

fn encode_byte_hybrid(system: &System, bytes: &mut [u8]) {
    let shape = system.shape();
    let m = shape.equations();
    let strings = Strings::new(shape);
    if m >= 8 {
        for (k, entry) in bytes[..strings.start].chunks_exact_mut(m / 8).enumerate() {
            write_bytes(system.row(k), entry);
        }
    }
    for_each_lower(shape, |upper, lower| {
        scatter(system.row(upper), 8 * (m / 8), strings.count, |t| {
            let position = strings.position(t, lower);
            bytes[position / 8] |= 1 << (position % 8);
        });
    });
}

fn decode_byte_hybrid(bytes: &[u8], system: &mut System) {
    let shape = system.shape();
    let m = shape.equations();
    let strings = Strings::new(shape);
    if m >= 8 {
        for (k, entry) in bytes[..strings.start].chunks_exact(m / 8).enumerate() {
            read_bytes(entry, system.row_mut(k));
        }
    }
    for_each_lower(shape, |upper, lower| {
        for t in 0..strings.count {
            let position = strings.position(t, lower);
            let c = u64::from(bytes[position / 8] >> (position % 8) & 1);
            let equation = 8 * (m / 8) + t;
            system.row_mut(upper)[equation / 64] |= c << (equation % 64);
        }
    });
}

/// Calls `visit(place in order U, place in order L)` for every monomial.
fn for_each_lower(shape: Shape, mut visit: impl FnMut(usize, usize)) {
    visit(0, 0);
    for b in 0..shape.variables() {
        for a in 0..=b {
            visit(shape.upper_index(a, b), shape.lower_index(a, b));
        }
    }
}

/// Places in order U of the monomials in the order of [`Layout::LinearFirst`].
fn linear_first_order(shape: Shape) -> impl Iterator<Item = usize> {
    let n = shape.variables();
    let linear = (0..n).map(move |i| shape.upper_index(i, i));
    let products = (1..n).flat_map(move |i| (0..i).map(move |j| shape.upper_index(j, i)));
    linear.chain(products).chain(core::iter::once(0))
}

/// Calls `visit(k)` for every k < `count` whose bit `first + k` of the row is set.
fn scatter(row: &[u64], first: usize, count: usize, mut visit: impl FnMut(usize)) {
    for k in 0..count {
        if bit(row, first + k) {
            visit(k);
        }
    }
}

/// The first byte of padding that is not zero in entries of `size` bytes of which `bits` bits are used.
fn dirty_entry(bytes: &[u8], size: usize, bits: usize) -> Option<usize> {
    if bits == 8 * size {
        return None;
    }
    // the padding lies in the last word of an entry
    let tail = size.min(8);
    let used = bits - 8 * (size - tail);
    bytes.chunks_exact(size).enumerate().find_map(|(k, entry)| {
        if load_word(&entry[size - tail..]) >> used == 0 {
            return None;
        }
        dirty_byte(entry, bits).map(|byte| k * size + byte)
    })
}
