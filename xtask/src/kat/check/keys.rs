//! The key pair of an entry: regenerated, compared, and its public key derived from the secret key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use schemes::KeyPairBytes;
use schemes::registry::{DynRandom, Set};

use super::compare;
use super::entry::View;
use super::source::{Random, Source};

/// A regenerated key pair, and the generator as the key generation left it.
pub(super) struct Regenerated {
    pub(super) pair: KeyPairBytes,
    pub(super) after: Random,
}

/// Key pairs of shared heads: made once a file.
#[derive(Default)]
pub(super) struct Cache(Mutex<HashMap<Origin, Arc<Regenerated>>>);

/// Set and randomness of a key pair.
type Origin = (String, Vec<u8>);

fn generate(set: Set, random: &mut dyn DynRandom) -> Result<KeyPairBytes, schemes::Error> {
    match set {
        Set::Signature(scheme) => scheme.generate(random),
        Set::Kem(scheme) => scheme.generate(random),
    }
}

/// Regenerates the key pair of `source`.
///
/// # Errors
/// If the scheme refuses, or asks for other randomness than an explicit source states.
pub(super) fn regenerate(
    set: Set,
    source: &Source,
    shared: bool,
    cache: &Cache,
) -> anyhow::Result<Arc<Regenerated>> {
    let make = || -> anyhow::Result<Arc<Regenerated>> {
        let mut random = source.for_keys();
        let made = generate(set, &mut random);
        if let Random::Scripted(script) = &random {
            if let Some(refused) = script.refused {
                anyhow::bail!("key generation: {refused}");
            }
            anyhow::ensure!(script.left() == 0, "key generation asked for less randomness than is stated");
        }
        Ok(Arc::new(Regenerated { pair: made.context("key generation")?, after: random }))
    };
    if !shared {
        return make();
    }
    // The lock is held while the pair is made, so that it is made once.
    let mut pairs = cache.0.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (set.info().name.to_owned(), source.fingerprint());
    if let Some(found) = pairs.get(&key) {
        return Ok(Arc::clone(found));
    }
    let made = make()?;
    pairs.insert(key, Arc::clone(&made));
    Ok(made)
}

/// Compares the key fields of the entry with the regenerated pair.
///
/// # Errors
/// A field that is not of the grammar.
pub(super) fn compare_fields(view: &mut View<'_>, pair: &KeyPairBytes) -> anyhow::Result<()> {
    compare::value(view, "pk", &pair.public)?;
    compare::value(view, "sk", &pair.secret)?;
    Ok(())
}

/// Derives the public key from the secret key that the entry gives in full, and compares it with `public`, the entry's own
/// public key or the regenerated one.
///
/// # Errors
/// A field that is not of the grammar.
pub(super) fn derive(
    set: Set,
    view: &mut View<'_>,
    own_secret: Option<&[u8]>,
    public: Option<&[u8]>,
) -> anyhow::Result<()> {
    let (Some(secret), Some(public)) = (own_secret, public) else {
        return Ok(());
    };
    let derived = match set {
        Set::Signature(scheme) => scheme.public_from_secret(secret),
        Set::Kem(scheme) => scheme.public_from_secret(secret),
    };
    match derived {
        Ok(Some(derived)) => view.compare("pk from sk", compare::bytes(public, &derived)),
        Ok(None) => {}
        Err(error) => view.compare("pk from sk", Err(error.to_string())),
    }
    Ok(())
}
