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
