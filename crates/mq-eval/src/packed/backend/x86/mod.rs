//! 256-bit back ends for x86-64: tables, one kernel, three ways to multiply.

mod combine;
mod gfni;
mod kernel;
mod rows;
mod shuffle;
mod tables;

use core::ops::Range;

use gf2n::backend::Level;

use super::super::solve::{Pivoting, System};
use super::super::{Job, Multipliers, PackedField};
use super::Engine;
use gfni::{Gfni16, Gfni16Column, Gfni256};
use kernel::Kernel;
use shuffle::{Shuffle16, Shuffle256};

gf2n::cpu_token!(
    /// Proves AVX2.
    pub struct Avx2, avx2_features, Level::Avx2, ["avx2"]
);
gf2n::cpu_token!(
    /// Proves AVX2 and GFNI.
    pub struct Gfni, gfni_features, Level::Avx2Wide, ["avx2", "gfni"]
);

gf2n::cpu_token!(
    /// Proves AVX2 and GFNI, and AVX-512 for 32 registers and three-operand logic on 256-bit vectors.
    pub struct Gfni512, gfni512_features, Level::Avx512, ["avx2", "gfni", "avx512f", "avx512bw", "avx512vl"]
);

/// A token that proves AVX2 and GFNI.
trait ProvesGfni: Copy {
    /// Registers for accumulators: of 16 or 32 in all.
    const BUDGET: usize;
}

impl ProvesGfni for Gfni {
    const BUDGET: usize = 12;
}

impl ProvesGfni for Gfni512 {
    const BUDGET: usize = 24;
}

/// Entries whose tables are made at once: the table area is padded to a multiple of it.
pub(in super::super) const BATCH: usize = 16;

/// Calls `$body` under the token of the engine, with `$kernel` bound to the kernel of the engine and the field.
macro_rules! under_token {
    ($engine:expr, $columns:expr, $field:ty, $kernel:ident => $body:expr) => {
        match ($engine, <$field>::BITS) {
            (Engine::Avx2(token), 4) => {
                let $kernel = Shuffle16(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Avx2(token), _) => {
                let $kernel = Shuffle256(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni(token), 4) if $columns == 1 => {
                let $kernel = Gfni16Column(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni(token), 4) => {
                let $kernel = Gfni16(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni(token), _) => {
                let $kernel = Gfni256(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni512(token), 4) if $columns == 1 => {
                let $kernel = Gfni16Column(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni512(token), 4) => {
                let $kernel = Gfni16(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Gfni512(token), _) => {
                let $kernel = Gfni256(token);
                token.run(
                    #[inline(always)]
                    || $body,
                )
            }
            (Engine::Portable | Engine::Words32, _) => {}
        }
    };
}

/// Bytes of an entry: the tables of one pair of terms and one group.
pub(in super::super) fn entry_bytes<F: PackedField>(engine: Engine, columns: usize) -> usize {
    match (engine, F::BITS) {
        (Engine::Avx2(_), 4) => Shuffle16::ENTRY,
        (Engine::Avx2(_), _) => Shuffle256::ENTRY,
        (Engine::Gfni(_) | Engine::Gfni512(_), 4) if columns == 1 => Gfni16Column::<Gfni>::ENTRY,
        (Engine::Gfni(_) | Engine::Gfni512(_), 4) => Gfni16::<Gfni>::ENTRY,
        (Engine::Gfni(_) | Engine::Gfni512(_), _) => Gfni256::<Gfni>::ENTRY,
        (Engine::Portable | Engine::Words32, _) => 0,
    }
}

/// Makes the tables of packed scalars, two an entry.
pub(in super::super) fn fill_tables<F: PackedField>(
    engine: Engine,
    columns: usize,
    scalars: &[u8],
    tables: &mut [u8],
) {
    under_token!(engine, columns, F, kernel => tables::fill(kernel, scalars, tables));
}

/// See [`Multipliers::combine_columns`], which has checked the jobs.
pub(in super::super) fn combine<F: PackedField>(
    engine: Engine,
    multipliers: &Multipliers<F>,
    source: &[u8],
    destination: &mut [u8],
    column_stride: usize,
    columns: Range<usize>,
    jobs: &[Job],
) {
    under_token!(engine, multipliers.columns(), F, kernel => {
        combine::combine(kernel, multipliers, source, destination, column_stride, columns, jobs);
    });
}

/// See [`System::solve`].
pub(in super::super) fn solve<F: PackedField>(
    engine: Engine,
    system: &mut System<F>,
    pivoting: Pivoting,
    solution: &mut [u8],
    solved: &mut bool,
) {
    under_token!(engine, 2, F, kernel => *solved = system.solve_with(kernel, pivoting, solution));
}
