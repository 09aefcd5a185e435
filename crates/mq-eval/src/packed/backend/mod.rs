//! Back ends of the packed fields.

use alloc::vec::Vec;

#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

use super::PackedField;

/// A back end of the packed fields, with the proof that the CPU can run it.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// Whole words and masks; the definition.
    Portable,
    /// GF(16) on machines of 32-bit words: [`words32`](super::words32). Everything else is as in [`Self::Portable`].
    Words32,
    /// AVX2: byte shuffles in tables of sixteen products.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    /// AVX2 with GFNI: byte products and 8 by 8 bit matrices.
    #[cfg(target_arch = "x86_64")]
    Gfni(x86::Gfni),
    /// The same with the registers and the logic of AVX-512, on 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Gfni512(x86::Gfni512),
}

impl Engine {
    /// The fastest back end that this CPU has and the process-wide ceiling allows.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = x86::Gfni512::detect() {
                return Self::Gfni512(token);
            }
            if let Some(token) = x86::Gfni::detect() {
                return Self::Gfni(token);
            }
            if let Some(token) = x86::Avx2::detect() {
                return Self::Avx2(token);
            }
        }
        if gf2n::backend::short_words() { Self::Words32 } else { Self::Portable }
    }

    /// Every back end that this CPU has and the process-wide ceiling allows, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "CPU families without vectors")]
        let mut engines = Vec::from([Self::Portable, Self::Words32]);
        #[cfg(target_arch = "x86_64")]
        {
            engines.extend(x86::Avx2::detect().map(Self::Avx2));
            engines.extend(x86::Gfni::detect().map(Self::Gfni));
            engines.extend(x86::Gfni512::detect().map(Self::Gfni512));
        }
        engines
    }

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Words32 => "words32",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Gfni(_) => "avx2+gfni",
            #[cfg(target_arch = "x86_64")]
            Self::Gfni512(_) => "avx512vl+gfni",
        }
    }
}

/// Bytes of tables for `entries` pairs of terms and groups.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only vectors have tables"))]
pub(super) fn table_bytes<F: PackedField>(engine: Engine, columns: usize, entries: usize) -> usize {
    match engine {
        Engine::Portable | Engine::Words32 => 0,
        #[cfg(target_arch = "x86_64")]
        engine => F::x86_entry_bytes(engine, columns) * entries.next_multiple_of(x86::BATCH),
    }
}

/// Makes the tables of packed scalars, two an entry.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only vectors have tables"))]
pub(super) fn fill_tables<F: PackedField>(engine: Engine, columns: usize, scalars: &[u8], tables: &mut [u8]) {
    match engine {
        Engine::Portable | Engine::Words32 => {}
        #[cfg(target_arch = "x86_64")]
        engine => F::x86_fill_tables(engine, columns, scalars, tables),
    }
}
