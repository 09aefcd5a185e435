//! 256-bit back ends for x86-64: tables, one kernel, three ways to multiply.

mod columns;
mod combine;
mod gfni;
mod kernel;
mod rows;
mod shuffle;
mod tables;

use core::ops::Range;

use gf2n::backend::Level;

use super::super::solve::{Pivoting, System};
use super::super::{Gf16, Gf256, Job, Multipliers};
use super::Engine;
use gfni::{Bytes, Gfni16, GfniColumn, Nibbles};
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
    /// The most groups of a block.
    const BLOCK: usize;
}

impl ProvesGfni for Gfni {
    const BUDGET: usize = 10;
    const BLOCK: usize = 5;
}

impl ProvesGfni for Gfni512 {
    const BUDGET: usize = 24;
    const BLOCK: usize = 6;
}

/// Entries whose tables are made at once: the table area is padded to a multiple of it.
pub(in super::super) const BATCH: usize = 16;

/// Calls `$body` under `$token` with `$kernel` bound to `$value`.
macro_rules! run {
    ($token:ident, $kernel:ident = $value:expr, $body:expr) => {{
        let $kernel = $value;
        $token.run(
            #[inline(always)]
            || $body,
        )
    }};
}

/// Calls `$body` under the token of the engine, with `$kernel` bound to the engine's kernel for GF(16).
macro_rules! under_token_16 {
    ($engine:expr, $columns:expr, $otherwise:expr, $kernel:ident => $body:expr) => {
        match $engine {
            Engine::Avx2(token) => run!(token, $kernel = Shuffle16(token), $body),
            Engine::Gfni(token) if $columns == 1 => run!(token, $kernel = GfniColumn(Nibbles(token)), $body),
            Engine::Gfni(token) => run!(token, $kernel = Gfni16(token), $body),
            Engine::Gfni512(token) if $columns == 1 => {
                run!(token, $kernel = GfniColumn(Nibbles(token)), $body)
            }
            Engine::Gfni512(token) => run!(token, $kernel = Gfni16(token), $body),
            Engine::Portable | Engine::Words32 => $otherwise,
        }
    };
}

/// The same for GF(256).
macro_rules! under_token_256 {
    ($engine:expr, $columns:expr, $otherwise:expr, $kernel:ident => $body:expr) => {
        match $engine {
            Engine::Avx2(token) => run!(token, $kernel = Shuffle256(token), $body),
            Engine::Gfni(token) => run!(token, $kernel = GfniColumn(Bytes(token)), $body),
            Engine::Gfni512(token) => run!(token, $kernel = GfniColumn(Bytes(token)), $body),
            Engine::Portable | Engine::Words32 => $otherwise,
        }
    };
}

/// The entries of a field, called through [`PackedField`](super::super::PackedField).
macro_rules! entries {
    ($module:ident, $field:ident, $under_token:ident, |$engine:ident, $system:ident, $pivoting:ident, $solution:ident| $solve:expr) => {
        pub(in super::super) mod $module {
            use super::*;

            fn entry_of<K: Kernel>(_: K) -> usize {
                K::ENTRY
            }

            pub(in super::super::super) fn entry_bytes(engine: Engine, columns: usize) -> usize {
                let _ = columns;
                $under_token!(engine, columns, 0, kernel => entry_of(kernel))
            }

            pub(in super::super::super) fn fill_tables(
                engine: Engine,
                columns: usize,
                scalars: &[u8],
                tables: &mut [u8],
            ) {
                let _ = columns;
                $under_token!(engine, columns, (), kernel => tables::fill(kernel, scalars, tables));
            }

            pub(in super::super::super) fn combine(
                multipliers: &Multipliers<$field>,
                source: &[u8],
                destination: &mut [u8],
                column_stride: usize,
                columns: Range<usize>,
                jobs: &[Job],
            ) {
                $under_token!(multipliers.engine(), multipliers.columns(), (), kernel => {
                    combine::combine(kernel, multipliers, source, destination, column_stride, columns, jobs);
                });
            }

            pub(in super::super::super) fn solve(
                $engine: Engine,
                $system: &mut System<$field>,
                $pivoting: Pivoting,
                $solution: &mut [u8],
            ) -> bool {
                $solve
            }
        }
    };
}

entries!(gf16, Gf16, under_token_16, |engine, system, pivoting, solution| {
    if pivoting == Pivoting::Full
        && system.equations <= columns::MOST_ROWS
        && let Some(token) = Avx2::detect()
    {
        return run!(token, _kernel = (), columns::solve(system, solution));
    }
    under_token_16!(engine, 2, false, kernel => system.solve_with(kernel, pivoting, solution))
});
entries!(gf256, Gf256, under_token_256, |engine, system, pivoting, solution| {
    under_token_256!(engine, 2, false, kernel => system.solve_with(kernel, pivoting, solution))
});
