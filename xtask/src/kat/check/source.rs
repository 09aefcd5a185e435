//! Where the randomness of an entry comes from.

use anyhow::Context;
use kat_vectors::drbg::SEED_LEN;
use kat_vectors::scripted::ScriptError;
use kat_vectors::{NistDrbg, ScriptedRandom};

use super::entry::View;

/// Explicit randomness of a key generation, by the names of the specifications, in the order of the requests.
const KEY_FIELDS: [&str; 4] = ["keygen_seed", "sk_seed", "seed_sk", "seed_pk"];
/// Explicit randomness of a signature, likewise.
const OUTPUT_FIELDS: [&str; 4] = ["salt", "seed_y", "seed_r", "seed_sol"];

/// The randomness that an entry, or the head of its file, states.
#[derive(Clone)]
pub(super) enum Source {
    /// A seed of NIST's generator: key generation and the output draw from it in turn.
    Seed(Box<[u8; SEED_LEN]>),
    /// The answers to each request.
    Explicit {
        /// Requests of the key generation.
        keys: Vec<Vec<u8>>,
        /// Requests of the signature.
        output: Vec<Vec<u8>>,
    },
}

/// A generator made from a [`Source`].
#[derive(Clone)]
pub(super) enum Random {
    Nist(NistDrbg),
    Scripted(ScriptedRandom),
}

impl Source {
    /// What the entry states; `None` if it states nothing.
    ///
    /// # Errors
    /// A field that is not of the grammar.
    pub(super) fn of(view: &View<'_>) -> anyhow::Result<Option<Self>> {
        if let Some(seed) = view.bytes("seed")? {
            let given = seed.len();
            let seed = seed.try_into().ok().with_context(|| format!("seed: {given} bytes, 48 expected"))?;
            return Ok(Some(Self::Seed(Box::new(seed))));
        }
        let collect = |names: [&str; 4]| -> anyhow::Result<Vec<Vec<u8>>> {
            names.into_iter().filter_map(|name| view.bytes(name).transpose()).collect()
        };
        let (keys, output) = (collect(KEY_FIELDS)?, collect(OUTPUT_FIELDS)?);
        Ok((!keys.is_empty()).then_some(Self::Explicit { keys, output }))
    }

    /// Whether the entry itself states it (and not the head of the file).
    pub(super) fn is_own(view: &View<'_>) -> bool {
        view.has("seed") || KEY_FIELDS.iter().any(|name| view.has(name))
    }

    /// Bytes that tell this key generation from others.
    pub(super) fn fingerprint(&self) -> Vec<u8> {
        match self {
            Self::Seed(seed) => seed.to_vec(),
            Self::Explicit { keys, .. } => keys.concat(),
        }
    }

    /// The generator for key generation.
    pub(super) fn for_keys(&self) -> Random {
        match self {
            Self::Seed(seed) => Random::Nist(NistDrbg::new(seed)),
            Self::Explicit { keys, .. } => Random::Scripted(ScriptedRandom::new(keys.iter().cloned())),
        }
    }

    /// The generator for the output: NIST's runs on where the key generation left it.
    pub(super) fn for_output(&self, after_keys: Random) -> Random {
        match (self, after_keys) {
            (Self::Explicit { output, .. }, _) => {
                Random::Scripted(ScriptedRandom::new(output.iter().cloned()))
            }
            (Self::Seed(_), random) => random,
        }
    }
}

impl rand_core::TryRng for Random {
    type Error = ScriptError;

    fn try_next_u32(&mut self) -> Result<u32, ScriptError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, ScriptError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), ScriptError> {
        match self {
            Self::Nist(drbg) => drbg.generate(destination),
            Self::Scripted(script) => script.try_fill_bytes(destination)?,
        }
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Random {}
