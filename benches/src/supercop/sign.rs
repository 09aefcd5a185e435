//! The signature program: 17 keys, and for each message length 17 messages, each signed with its own key.

use anyhow::Context;
use kat_vectors::KeyErasure;
use rand_core::Rng;
use schemes::registry::SignatureSet;

use super::{Entry, Protocol, series};

const TIMINGS: usize = 16;

pub(super) fn one_loop(
    set: &'static dyn SignatureSet,
    protocol: Protocol,
    random: &mut KeyErasure,
    sink: &mut dyn FnMut(Entry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut keys = Vec::with_capacity(TIMINGS + 1);
    let made = series(TIMINGS, random, |_, random| {
        keys.push(set.generate(random).context("key pair")?);
        Ok(0)
    })?;
    sink(Entry::new("keypair_cycles", None, made.cycles))?;
    sink(Entry::new("keypair_randombytes", None, made.random_bytes))?;
    sink(Entry::new("keypair_randomcalls", None, made.random_requests))?;

    for length in protocol.lengths() {
        let messages: Vec<Vec<u8>> = (0..=TIMINGS)
            .map(|_| {
                let mut message = vec![0; length];
                random.fill_bytes(&mut message);
                message
            })
            .collect();
        let mut signed = Vec::with_capacity(TIMINGS + 1);
        let made = series(TIMINGS, random, |number, random| {
            let mut signature = vec![0; set.signature_len()];
            let (key, message) = (&keys[number].secret, &messages[number]);
            let status = set.sign_once(key, message, random, &mut signature);
            let joined = set.join(&signature, message);
            let length = joined.len() as i64;
            signed.push(joined);
            Ok(status.map_or(-1, |_| length))
        })?;
        let at = Some(length);
        sink(Entry::new("cycles", at, made.cycles))?;
        sink(Entry::new("bytes", at, made.returned))?;
        sink(Entry::new("randombytes", at, made.random_bytes))?;
        sink(Entry::new("randomcalls", at, made.random_requests))?;

        let made = series(TIMINGS, random, |number, _| {
            let opened = set.open(&keys[number].public, &signed[number]).map(<[u8]>::to_vec);
            Ok(opened.map_or(-1, |message| message.len() as i64))
        })?;
        sink(Entry::new("open_cycles", at, made.cycles))?;
        sink(Entry::new("open_bytes", at, made.returned))?;
        sink(Entry::new("open_randombytes", at, made.random_bytes))?;
        sink(Entry::new("open_randomcalls", at, made.random_requests))?;
    }
    Ok(())
}
