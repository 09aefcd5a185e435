//! SUPERCOP's measuring programs (`crypto_sign/measure.c`, `crypto_kem/measure.c`): the same calls in the same order, the same
//! differences of counter readings, the same lines.

mod entry;
mod kem;
mod machine;
mod sign;

use std::time::Duration;

use anyhow::Context;
use kat_vectors::KeyErasure;
use schemes::registry::Set;

pub use entry::Entry;
pub use machine::machine_lines;

use crate::counter::{self, Lap, thread_time};

/// What is asked of the measuring program.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// Outer loops; SUPERCOP's are three.
    pub loops: usize,
    /// One in how many of the 48 message lengths is measured; SUPERCOP measures all.
    pub length_step: usize,
}

impl Default for Protocol {
    fn default() -> Self {
        Self { loops: 3, length_step: 1 }
    }
}

impl Protocol {
    /// Lines of measurements that a set gives.
    #[must_use]
    pub fn entries(&self, set: Set) -> usize {
        let lengths = measurements::supercop_lengths().step_by(self.length_step).count();
        self.loops
            * match set {
                Set::Signature(_) => 3 + 8 * lengths,
                Set::Kem(_) => 9,
            }
    }

    fn lengths(&self) -> impl Iterator<Item = usize> + use<> {
        measurements::supercop_lengths().step_by(self.length_step)
    }
}

/// Measures a set; `sink` gets the number of the loop and each entry as soon as it is complete.
///
/// # Errors
/// If the system gives no randomness, if the key generator fails, or the first error of `sink`. A call of the set that fails
/// otherwise is an entry, as in the original: the value -1 where the length of an output is due.
pub fn measure(
    set: Set,
    protocol: Protocol,
    sink: &mut dyn FnMut(usize, Entry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).ok().context("the system gives no randomness")?;
    let mut random = KeyErasure::new(key);
    for number in 0..protocol.loops {
        let sink = &mut |entry| sink(number, entry);
        match set {
            Set::Signature(set) => sign::one_loop(set, protocol, &mut random, sink)?,
            Set::Kem(set) => kem::one_loop(set, &mut random, sink)?,
        }
    }
    Ok(())
}

/// A call of more ticks than this is measured with the thread's CPU time beside it.
const LONG: u64 = 200_000;

/// The counters before a call.
#[derive(Clone, Copy, Default)]
struct Reading {
    ticks: u64,
    bytes: u64,
    requests: u64,
    /// CPU time of the thread, if calls of the series are long: asking for it takes some hundred nanoseconds.
    cpu: Option<Duration>,
}

impl Reading {
    /// Ticks to the next reading; as much as the thread's CPU time if it lost its CPU in between.
    fn ticks_to(&self, next: &Self) -> i64 {
        let ticks = next.ticks - self.ticks;
        match (self.cpu, next.cpu) {
            (Some(before), Some(after)) => Lap::of(ticks as f64, after - before).ticks.round() as i64,
            _ => ticks as i64,
        }
    }
}

/// What a series of calls gave.
struct Series {
    /// Differences of the readings before consecutive calls: one less than there are calls.
    cycles: Vec<i64>,
    random_bytes: Vec<i64>,
    random_requests: Vec<i64>,
    /// What the calls returned, but for the last one.
    returned: Vec<i64>,
}

/// `timings` + 1 calls; each gets its number.
fn series(
    timings: usize,
    random: &mut KeyErasure,
    mut call: impl FnMut(usize, &mut KeyErasure) -> anyhow::Result<i64>,
) -> anyhow::Result<Series> {
    let mut readings: Vec<Reading> = Vec::with_capacity(timings + 1);
    let mut returned = Vec::with_capacity(timings + 1);
    for number in 0..=timings {
        let long = match readings.as_slice() {
            [.., last] if last.cpu.is_some() => true,
            [.., before, last] => last.ticks - before.ticks > LONG,
            _ => false,
        };
        readings.push(Reading {
            bytes: random.bytes(),
            requests: random.requests(),
            cpu: long.then(thread_time),
            ticks: counter::start(),
        });
        returned.push(call(number, random)?);
    }
    returned.pop();
    let differences = |value: fn(&Reading) -> u64| -> Vec<i64> {
        readings.windows(2).map(|pair| (value(&pair[1]) - value(&pair[0])) as i64).collect()
    };
    Ok(Series {
        cycles: readings.windows(2).map(|pair| pair[0].ticks_to(&pair[1])).collect(),
        random_bytes: differences(|reading| reading.bytes),
        random_requests: differences(|reading| reading.requests),
        returned,
    })
}

#[cfg(test)]
mod tests {
    use super::{Entry, Protocol, Set, measure};

    fn entries(set: Set, protocol: Protocol) -> Vec<(usize, Entry)> {
        let mut entries = Vec::new();
        let collect = &mut |number, entry| {
            entries.push((number, entry));
            Ok(())
        };
        measure(set, protocol, collect).expect("measured");
        assert_eq!(entries.len(), protocol.entries(set));
        entries
    }

    #[test]
    fn a_signature_set_gives_the_original_lines() {
        let set = schemes::registry::find("gui-toy").expect("a set");
        let Set::Signature(scheme) = set else { panic!("a signature set") };
        let made = entries(set, Protocol { loops: 2, length_step: 24 });
        let words: Vec<&str> = made[..11].iter().map(|(_, entry)| entry.what).collect();
        assert_eq!(
            words,
            [
                "keypair_cycles",
                "keypair_randombytes",
                "keypair_randomcalls",
                "cycles",
                "bytes",
                "randombytes",
                "randomcalls",
                "open_cycles",
                "open_bytes",
                "open_randombytes",
                "open_randomcalls"
            ]
        );
        assert_eq!((made[0].0, made[made.len() - 1].0), (0, 1), "loops");
        for (_, entry) in made {
            assert_eq!(entry.values.len(), 16);
            let length = entry.length.unwrap_or(0) as i64;
            let expected = match entry.what {
                "bytes" => length + scheme.signature_len() as i64,
                "open_bytes" => length,
                "open_randombytes" | "open_randomcalls" => 0,
                _ => {
                    assert!(entry.values.iter().all(|&value| value > 0), "{entry}");
                    continue;
                }
            };
            assert!(entry.values.iter().all(|&value| value == expected), "{entry}");
        }
    }

    #[test]
    fn a_kem_gives_the_original_lines() {
        let set = schemes::registry::find("mceliece348864f").expect("a set");
        let made = entries(set, Protocol { loops: 1, length_step: 1 });
        let words: Vec<&str> = made.iter().map(|(_, entry)| entry.what).collect();
        assert_eq!(words[..3], ["keypair_cycles", "keypair_randombytes", "keypair_randomcalls"]);
        assert_eq!(words[3..6], ["enc_cycles", "enc_randombytes", "enc_randomcalls"]);
        assert_eq!(words[6..], ["dec_cycles", "dec_randombytes", "dec_randomcalls"]);
        assert!(made.iter().all(|(_, entry)| entry.values.len() == 32 && entry.length.is_none()));
        assert!(made[1].1.values.iter().all(|&bytes| bytes == 32), "one seed a key pair");
        assert!(made[7].1.values.iter().all(|&bytes| bytes == 0), "decapsulation draws nothing");
    }
}
