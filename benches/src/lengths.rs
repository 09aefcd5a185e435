//! SUPERCOP's signature tables: for each message length 17 keys and 17 messages, 16 differences, three loops.

use anyhow::Context;
use measurements::{LengthRow, Plan, Statistics, supercop_lengths};
use schemes::registry::SignatureSet;

use crate::counter;
use crate::ours::random;

/// Keys and messages of one row; the timings are the differences between them.
const KEYS: usize = 17;

/// Measures the rows of one set: all 48 lengths, or every fourth of them where the plan is quick.
///
/// # Errors
/// If the set refuses its own work.
pub(crate) fn measure(scheme: &'static dyn SignatureSet, plan: &Plan) -> anyhow::Result<Vec<LengthRow>> {
    let step = if plan.budget_ms < 500 { 4 } else { 1 };
    let lengths: Vec<usize> = supercop_lengths().step_by(step).collect();
    let mut rows: Vec<LengthRow> = lengths
        .iter()
        .map(|&length| LengthRow {
            set: scheme.info().name.to_owned(),
            length,
            sign: [0.0; 3],
            open: [0.0; 3],
        })
        .collect();
    for column in 0..3 {
        let keys = (0..KEYS)
            .map(|index| scheme.generate(&mut random(100 * column + index)))
            .collect::<Result<Vec<_>, _>>()
            .context("key pair")?;
        for row in &mut rows {
            let messages: Vec<Vec<u8>> = (0..KEYS)
                .map(|index| {
                    let mut message = vec![0; row.length];
                    random(1000 + index).generate(&mut message);
                    message
                })
                .collect();
            let mut signed = Vec::with_capacity(KEYS);
            let mut times = [0; KEYS];
            for (index, time) in times.iter_mut().enumerate() {
                *time = counter::start();
                let mut signature = vec![0; scheme.signature_len()];
                scheme.sign_once(
                    &keys[index].secret,
                    &messages[index],
                    &mut random(index),
                    &mut signature,
                )?;
                signed.push(scheme.join(&signature, &messages[index]));
            }
            row.sign[column] = central(&times)?;
            for (index, time) in times.iter_mut().enumerate() {
                *time = counter::start();
                scheme.open(&keys[index].public, &signed[index]).context("its own signature is refused")?;
            }
            row.open[column] = central(&times)?;
        }
    }
    Ok(rows)
}

/// The stabilized median of the differences.
fn central(times: &[u64; KEYS]) -> anyhow::Result<f64> {
    let differences: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    Ok(Statistics::of(&differences).context("no timings")?.median.round())
}
