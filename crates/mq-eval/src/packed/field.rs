//! The two fields and how their elements lie in bytes.

use gf2n::small::{gf16, gf256};

#[cfg(target_arch = "x86_64")]
use super::backend::x86;
#[cfg(target_arch = "x86_64")]
use super::{Engine, Job, Multipliers, Pivoting, System};
#[cfg(target_arch = "x86_64")]
use core::ops::Range;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Gf16 {}
    impl Sealed for super::Gf256 {}
}

/// The entries to the back ends. They are methods of the field, and not generic functions, so that the kernels are compiled once,
/// in this crate.
macro_rules! x86_entries {
    ($entries:ident) => {
        #[cfg(target_arch = "x86_64")]
        fn x86_entry_bytes(engine: Engine, columns: usize) -> usize {
            x86::$entries::entry_bytes(engine, columns)
        }
        #[cfg(target_arch = "x86_64")]
        fn x86_fill_tables(engine: Engine, columns: usize, scalars: &[u8], tables: &mut [u8]) {
            x86::$entries::fill_tables(engine, columns, scalars, tables);
        }
        #[cfg(target_arch = "x86_64")]
        fn x86_combine(
            multipliers: &Multipliers<Self>,
            source: &[u8],
            destination: &mut [u8],
            column_stride: usize,
            columns: Range<usize>,
            jobs: &[Job],
        ) {
            x86::$entries::combine(multipliers, source, destination, column_stride, columns, jobs);
        }
        #[cfg(target_arch = "x86_64")]
        fn x86_solve(
            engine: Engine,
            system: &mut System<Self>,
            pivoting: Pivoting,
            solution: &mut [u8],
        ) -> bool {
            x86::$entries::solve(engine, system, pivoting, solution)
        }
    };
}

/// A field whose elements are packed in bytes. Every function runs in constant time.
pub trait PackedField: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Bits of an element.
    const BITS: usize;
    /// Elements in a byte; also the number of columns that one group of [`Multipliers`](super::Multipliers) serves.
    const PER_BYTE: usize = 8 / Self::BITS;

    /// The product of two elements.
    fn multiply(a: u8, b: u8) -> u8;
    /// The inverse of an element; 0 for 0.
    fn inverse(a: u8) -> u8;
    /// Multiplies every element of a word by x.
    fn times_x(word: u64) -> u64;
    /// Multiplies every element of a word by `scalar`.
    fn multiply_word(word: u64, scalar: u8) -> u64;

    /// Bytes of an entry: the tables of one pair of terms and one group.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    fn x86_entry_bytes(engine: Engine, columns: usize) -> usize;
    /// Makes the tables of packed scalars, two an entry.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    fn x86_fill_tables(engine: Engine, columns: usize, scalars: &[u8], tables: &mut [u8]);
    /// See [`Multipliers::combine_columns`], which has checked the jobs.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    fn x86_combine(
        multipliers: &Multipliers<Self>,
        source: &[u8],
        destination: &mut [u8],
        column_stride: usize,
        columns: Range<usize>,
        jobs: &[Job],
    );
    /// See [`System::solve`].
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    fn x86_solve(engine: Engine, system: &mut System<Self>, pivoting: Pivoting, solution: &mut [u8]) -> bool;

    /// The number of bytes of `count` packed elements; a last half byte is padding.
    #[must_use]
    fn bytes(count: usize) -> usize {
        count.div_ceil(Self::PER_BYTE)
    }

    /// Element `index` of packed elements. The index is public.
    #[must_use]
    fn get(packed: &[u8], index: usize) -> u8 {
        if Self::PER_BYTE == 1 { packed[index] } else { (packed[index / 2] >> (4 * (index % 2))) & 15 }
    }

    /// Adds `element` to element `index` of packed elements. The index is public.
    fn add(packed: &mut [u8], index: usize, element: u8) {
        if Self::PER_BYTE == 1 {
            packed[index] ^= element;
        } else {
            packed[index / 2] ^= element << (4 * (index % 2));
        }
    }

    /// Unpacks as many elements as `elements` holds, one a byte.
    fn unpack(packed: &[u8], elements: &mut [u8]) {
        for (elements, byte) in elements.chunks_mut(Self::PER_BYTE).zip(packed) {
            elements[0] = if Self::PER_BYTE == 1 { *byte } else { byte & 15 };
            if let Some(second) = elements.get_mut(1) {
                *second = byte >> 4;
            }
        }
    }

    /// Packs elements; padding bits become 0. `packed` holds [`Self::bytes`] of their number.
    fn pack(elements: &[u8], packed: &mut [u8]) {
        packed.fill(0);
        for (index, element) in elements.iter().enumerate() {
            Self::add(packed, index, *element);
        }
    }
}

/// GF(16) = GF(2)\[x\]/(x^4 + x + 1), two elements a byte, the first in the low nibble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gf16;

/// GF(256) = GF(2)\[x\]/(x^8 + x^4 + x^3 + x + 1), one element a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gf256;

impl PackedField for Gf16 {
    const BITS: usize = 4;
    #[inline]
    fn multiply(a: u8, b: u8) -> u8 {
        gf16::multiply(a, b)
    }
    #[inline]
    fn inverse(a: u8) -> u8 {
        gf16::inverse(a)
    }
    #[inline]
    fn times_x(word: u64) -> u64 {
        gf16::times_x(word)
    }
    #[inline]
    fn multiply_word(word: u64, scalar: u8) -> u64 {
        gf16::multiply_word(word, scalar)
    }
    x86_entries!(gf16);
}

impl PackedField for Gf256 {
    const BITS: usize = 8;
    #[inline]
    fn multiply(a: u8, b: u8) -> u8 {
        gf256::multiply(a, b)
    }
    #[inline]
    fn inverse(a: u8) -> u8 {
        gf256::inverse(a)
    }
    #[inline]
    fn times_x(word: u64) -> u64 {
        gf256::times_x(word)
    }
    #[inline]
    fn multiply_word(word: u64, scalar: u8) -> u64 {
        gf256::multiply_word(word, scalar)
    }
    x86_entries!(gf256);
}
