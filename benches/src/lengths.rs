//! SUPERCOP's signature tables: for each message length the central values of signing and opening in three loops.

use anyhow::ensure;
use measurements::{LengthRow, Plan, supercop_lengths};
use schemes::registry::{Set, SignatureSet};

use crate::supercop::{self, Protocol};

/// Measures the rows of one set: all 48 lengths, or those of them that the plan has.
///
/// # Errors
/// If the set refuses its own work.
pub(crate) fn measure(scheme: &'static dyn SignatureSet, plan: &Plan) -> anyhow::Result<Vec<LengthRow>> {
    let protocol = Protocol { length_step: plan.length_step.max(1), ..Protocol::default() };
    let set = scheme.info().name;
    let mut rows: Vec<LengthRow> = supercop_lengths()
        .step_by(protocol.length_step)
        .map(|length| LengthRow { set: set.to_owned(), length, sign: [0.0; 3], open: [0.0; 3] })
        .collect();
    supercop::measure(Set::Signature(scheme), protocol, &mut |column, entry| {
        let Some(row) = rows.iter_mut().find(|row| Some(row.length) == entry.length) else { return Ok(()) };
        let expected = row.length as i64;
        match entry.what {
            "cycles" => row.sign[column] = entry.central() as f64,
            "open_cycles" => row.open[column] = entry.central() as f64,
            "bytes" => {
                let signed = expected + scheme.signature_len() as i64;
                ensure!(entry.values.iter().all(|&bytes| bytes == signed), "signing failed");
            }
            "open_bytes" => {
                ensure!(entry.values.iter().all(|&bytes| bytes == expected), "its own signature is refused");
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(rows)
}
