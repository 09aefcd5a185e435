//! The operations that differ between CPUs: vectors of integers for sorting networks, and register-table products over GF(2).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod carryless;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod parities;
pub(crate) mod passes;
mod portable;
pub mod product;
#[cfg(target_arch = "x86_64")]
mod product_avx2;
#[cfg(target_arch = "x86_64")]
mod product_avx512;
#[cfg(target_arch = "aarch64")]
mod product_neon;
#[cfg(target_arch = "x86_64")]
mod rotations;
pub mod tables;
#[cfg(target_arch = "x86_64")]
mod tables_avx2;
#[cfg(target_arch = "x86_64")]
mod tables_avx512;
#[cfg(target_arch = "x86_64")]
mod transpose;

use gf2n::small::gf2m::backend::LaneBackend;
#[cfg(target_arch = "aarch64")]
use gf2n::small::gf2m::backend::Neon;
use gf2n::small::gf2m::backend::Portable;
#[cfg(target_arch = "x86_64")]
use gf2n::small::gf2m::backend::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
pub(crate) use rotations::Rotations;

use crate::encode::RowParities;

/// Vectors of `SORT_LANES` integers `E`, for sorting networks. Constant time.
pub trait SortVectors<E: Copy>: LaneBackend {
    /// The vector.
    type Vector: Copy;
    /// The integers of a vector in memory.
    type Row: Copy + AsRef<[E]> + AsMut<[E]>;
    /// Integers in a vector, a power of two.
    const SORT_LANES: usize;

    /// A list cut into rows.
    fn rows(data: &mut [E]) -> &mut [Self::Row];

    /// Loads the first `SORT_LANES` entries.
    fn load_integers(self, source: &[E]) -> Self::Vector;
    /// Stores to the first `SORT_LANES` entries.
    fn store_integers(self, vector: Self::Vector, destination: &mut [E]);
    /// Lane-wise (minimum, maximum), unsigned; 64-bit integers are below 2^61.
    fn min_max(self, left: Self::Vector, right: Self::Vector) -> (Self::Vector, Self::Vector);
    /// Moves lane i to lane i xor `distance`, a power of two below `SORT_LANES`.
    fn exchange_integers(self, vector: Self::Vector, distance: usize) -> Self::Vector;
    /// Lane i from `low` where i & `distance` = 0, else from `high`.
    fn blend(self, low: Self::Vector, high: Self::Vector, distance: usize) -> Self::Vector;
    /// Moves lane i to lane i xor (`SORT_LANES` - `group`): groups of lanes in reverse order.
    #[inline(always)]
    fn reverse_groups(self, vector: Self::Vector, group: usize) -> Self::Vector {
        let (mut reversed, mut distance) = (vector, Self::SORT_LANES / 2);
        while distance >= group {
            reversed = self.exchange_integers(reversed, distance);
            distance /= 2;
        }
        reversed
    }
    /// Transposes a square of groups of `group` < `SORT_LANES` integers: group c of row r of `source` goes to group r of the row at
    /// `destination[c * stride]`. The square has `SORT_LANES` / `group` rows of `SORT_LANES` integers.
    #[inline(always)]
    fn transpose_groups(self, source: &[E], destination: &mut [E], stride: usize, group: usize) {
        for (r, row) in source.chunks_exact(Self::SORT_LANES).enumerate() {
            for (c, integers) in row.chunks_exact(group).enumerate() {
                destination[c * stride + r * group..][..group].copy_from_slice(integers);
            }
        }
    }
    /// Bit i of the result = bit 0 of lane i.
    fn low_bits(self, vector: Self::Vector) -> u32;
}

/// What key generation needs of a back end.
pub trait Backend:
    SortVectors<u32>
    + SortVectors<u64>
    + tables::PermutationTables
    + carryless::CarrylessLists
    + product::RowProduct
    + RowParities
{
}

impl<B> Backend for B where
    B: SortVectors<u32>
        + SortVectors<u64>
        + tables::PermutationTables
        + carryless::CarrylessLists
        + product::RowProduct
        + RowParities
{
}

/// A kernel that is generic over the back end.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Runs it.
    fn call<B: Backend>(self, backend: B) -> Self::Output;
}

/// Calls `kernel` with the best back end of this CPU below the process-wide ceiling ([`gf2n::backend::set_ceiling`]).
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(backend) = Avx512::detect() {
            return kernel.call(backend);
        }
        if let Some(backend) = Avx2::detect() {
            return kernel.call(backend);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(backend) = Neon::detect() {
        return kernel.call(backend);
    }
    kernel.call(Portable)
}

/// [`dispatch`] for kernels of a few microseconds on narrow lists, where words of 512 bits cost more than they bring.
pub fn dispatch_short<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(backend) = Avx2::detect() {
        return kernel.call(backend);
    }
    dispatch(kernel)
}

/// Name of the back end that [`dispatch`] would choose now.
#[must_use]
pub fn name() -> &'static str {
    struct Name;
    impl Kernel for Name {
        type Output = &'static str;
        fn call<B: Backend>(self, _: B) -> &'static str {
            B::NAME
        }
    }
    dispatch(Name)
}
