//! A series of timings of one operation.

use std::time::{Duration, Instant};

use measurements::Plan;

use crate::counter::Stopwatch;

/// Calls shorter than this are measured several at a time, so that an interrupt hits few samples.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(50);

/// The timings of a series, in ticks per call.
pub(crate) struct Series {
    pub(crate) samples: Vec<f64>,
    pub(crate) interrupted: usize,
    pub(crate) batch: usize,
    pub(crate) calls: usize,
}

/// Repeats `call` (which gets the number of the call) until the plan's time is used, and checks each sample with `check` outside
/// of the timing.
///
/// # Errors
/// The first error of either.
pub(crate) fn series<T>(
    plan: &Plan,
    mut call: impl FnMut(usize) -> anyhow::Result<T>,
    mut check: impl FnMut(usize, T) -> anyhow::Result<()>,
) -> anyhow::Result<Series> {
    // The first call warms the caches and says how long a call takes.
    let first = Instant::now();
    let output = call(0)?;
    let duration = first.elapsed().max(Duration::from_nanos(20));
    check(0, output)?;
    let batch = (SHORTEST_SAMPLE.as_nanos() / duration.as_nanos()) as usize + 1;
    let batch = if duration >= SHORTEST_SAMPLE { 1 } else { batch.min(2000) };

    let budget = Duration::from_millis(plan.budget_ms);
    let min_samples = if duration > 4 * budget { 1 } else { plan.min_samples };
    let begin = Instant::now();
    let mut samples = Vec::new();
    let mut outputs = Vec::with_capacity(batch);
    let mut calls = 1;
    let mut interrupted = 0;
    while samples.len() < plan.max_samples && (samples.len() < min_samples || begin.elapsed() < budget) {
        let watch = Stopwatch::start();
        for index in calls..calls + batch {
            outputs.push(call(index)?);
        }
        let lap = watch.stop();
        interrupted += usize::from(lap.interrupted);
        samples.push(lap.ticks / batch as f64);
        for (offset, output) in outputs.drain(..).enumerate() {
            check(calls + offset, output)?;
        }
        calls += batch;
    }
    Ok(Series { samples, interrupted, batch, calls })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan { budget_ms: 5, min_samples: 3, max_samples: 10, ..Plan::quick(Vec::new()) }
    }

    #[test]
    fn short_calls_are_measured_in_batches_and_all_are_checked() {
        let mut checked = Vec::new();
        let made = series(&plan(), Ok, |index, output| {
            assert_eq!(index, output);
            checked.push(index);
            Ok(())
        })
        .expect("nothing fails");
        assert!(made.batch > 1 && (3..=10).contains(&made.samples.len()));
        assert_eq!(made.calls, 1 + made.batch * made.samples.len());
        assert_eq!(checked, (0..made.calls).collect::<Vec<_>>());
    }

    #[test]
    fn a_failed_check_ends_the_series() {
        let failing = |index, ()| if index == 2 { anyhow::bail!("refused") } else { Ok(()) };
        assert!(series(&plan(), |_| Ok(()), failing).is_err());
    }
}
