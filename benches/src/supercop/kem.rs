//! The KEM program: 33 keys, then 33 encapsulations to the last of them, then 33 decapsulations of the last ciphertext.

use anyhow::Context;
use kat_vectors::KeyErasure;
use schemes::KeyPairBytes;
use schemes::registry::KemSet;

use super::{Entry, series};

const TIMINGS: usize = 32;

pub(super) fn one_loop(
    set: &'static dyn KemSet,
    random: &mut KeyErasure,
    sink: &mut dyn FnMut(Entry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut last = None;
    let made = series(TIMINGS, random, |_, random| {
        last = Some(set.generate(random).context("key pair")?);
        Ok(0)
    })?;
    let KeyPairBytes { public, secret } = last.context("no key pair")?;
    sink(Entry::new("keypair_cycles", None, made.cycles))?;
    sink(Entry::new("keypair_randombytes", None, made.random_bytes))?;
    sink(Entry::new("keypair_randomcalls", None, made.random_requests))?;

    let mut ciphertext = vec![0; set.ciphertext_len()];
    let mut shared = vec![0; set.shared_secret_len()];
    let made = series(TIMINGS, random, |_, random| {
        set.encapsulate(&public, random, &mut ciphertext, &mut shared).context("encapsulation")?;
        Ok(0)
    })?;
    sink(Entry::new("enc_cycles", None, made.cycles))?;
    sink(Entry::new("enc_randombytes", None, made.random_bytes))?;
    sink(Entry::new("enc_randomcalls", None, made.random_requests))?;

    let mut opened = vec![0; set.shared_secret_len()];
    let made = series(TIMINGS, random, |_, _| {
        set.decapsulate(&secret, &ciphertext, &mut opened).context("decapsulation")?;
        Ok(0)
    })?;
    anyhow::ensure!(opened == shared, "another secret is decapsulated");
    sink(Entry::new("dec_cycles", None, made.cycles))?;
    sink(Entry::new("dec_randombytes", None, made.random_bytes))?;
    sink(Entry::new("dec_randomcalls", None, made.random_requests))?;
    Ok(())
}
