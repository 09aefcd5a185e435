//! Two contestants measured in turn on the same work: A B B A A B B A ...

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use measurements::{Operation, Pair, Plan, Statistics};
use schemes::registry::Set;

use crate::contestant::{Contestant, OursKem, OursSignature, fresh_keys};
use crate::counter::Stopwatch;
use crate::gate;
use crate::ours::random;

/// Length of the messages that are signed.
const MESSAGE_LEN: usize = 32;
/// Products that verification cycles through.
const KEPT: usize = 8;

/// Compares our implementation of `set` with a peer.
///
/// # Errors
/// If either refuses its own work or accepts what was tampered with: such a contestant gets no row. A peer that only ignores
/// bits of a signature gets one that says so.
pub(crate) fn compare(set: Set, peer: &mut dyn Contestant, plan: &Plan) -> anyhow::Result<Vec<Pair>> {
    let (mut ours, operations): (Box<dyn Contestant>, _) = match set {
        Set::Signature(scheme) => {
            (Box::new(OursSignature::new(scheme)), [Operation::Keygen, Operation::Sign, Operation::Verify])
        }
        Set::Kem(scheme) => (
            Box::new(OursKem::new(scheme)?),
            [Operation::Keygen, Operation::Encapsulate, Operation::Decapsulate],
        ),
    };
    let signs = matches!(set, Set::Signature(_));
    let same_bytes = same_bytes(&mut *ours, peer)?;
    ensure!(!check(&mut *ours, signs)?, "a changed signature is accepted");
    let malleable = check(peer, signs).with_context(|| peer.name())?;
    let mut pairs = Vec::new();
    for operation in operations {
        let timings = match operation {
            Operation::Keygen => {
                in_turn(plan, &mut *ours, peer, |side, index| side.keypair(&mut random(index)).map(|_| ()))?
            }
            Operation::Sign | Operation::Encapsulate => in_turn(plan, &mut *ours, peer, |side, index| {
                side.produce(&message(index), &mut random(index)).map(|_| ())
            })?,
            _ => {
                let products = [kept(&mut *ours)?, kept(peer)?];
                let peer_name = peer.name();
                in_turn(plan, &mut *ours, peer, |side, index| {
                    let own = &products[usize::from(side.name() == peer_name)];
                    let (message, product) = &own[index % own.len()];
                    ensure!(side.accepts(message, product), "{}: its own product is refused", side.name());
                    Ok(())
                })?
            }
        };
        let statistics = |values: &[f64]| Statistics::of(values).context("nothing was measured");
        pairs.push(Pair {
            set: set.info().name.to_owned(),
            operation,
            peer: peer.name(),
            peer_build: peer.build(),
            same_bytes,
            malleable,
            ours: statistics(&timings.ours)?,
            theirs: statistics(&timings.theirs)?,
            ratio: statistics(&timings.ratios)?,
        });
    }
    Ok(pairs)
}

fn message(index: usize) -> [u8; MESSAGE_LEN] {
    let mut message = [0x70; MESSAGE_LEN];
    message[..8].copy_from_slice(&(index as u64).to_le_bytes());
    message
}

/// Whether both make the same keys and the same product from the same randomness; `None` if the peer makes other keys each
/// time, so that its randomness is not ours to choose.
fn same_bytes(ours: &mut dyn Contestant, peer: &mut dyn Contestant) -> anyhow::Result<Option<bool>> {
    let mut made = Vec::new();
    for _ in 0..2 {
        let mut generator = random(0);
        let keys = fresh_keys(peer, &mut generator)?;
        made.push((keys, peer.produce(&message(0), &mut generator)?));
    }
    if made[0] != made[1] {
        fresh_keys(ours, &mut random(0))?;
        return Ok(None);
    }
    let mut generator = random(0);
    let keys = fresh_keys(ours, &mut generator)?;
    let product = ours.produce(&message(0), &mut generator)?;
    Ok(Some((keys, product) == made[0]))
}

/// The checks before measuring, on either side's own interface, and whether a changed signature is accepted.
fn check(side: &mut dyn Contestant, signs: bool) -> anyhow::Result<bool> {
    let product = side.produce(&message(0), &mut random(1))?;
    if signs {
        let mut accepts = |message: &[u8], product: &[u8]| side.accepts(message, product);
        gate::messages(&mut accepts, &message(0), &product)?;
        return Ok(gate::changed_signature(accepts, &message(0), &product).is_some());
    }
    ensure!(side.accepts(&message(0), &product), "another secret is decapsulated");
    let mut changed = product;
    changed[0] ^= 1;
    ensure!(!side.accepts(&message(0), &changed), "a changed ciphertext gives the same secret");
    Ok(false)
}

type Product = ([u8; MESSAGE_LEN], Vec<u8>);

fn kept(side: &mut dyn Contestant) -> anyhow::Result<Vec<Product>> {
    fresh_keys(side, &mut random(0))?;
    (0..KEPT).map(|index| Ok((message(index), side.produce(&message(index), &mut random(index))?))).collect()
}

#[derive(Default)]
struct Timings {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    ratios: Vec<f64>,
}

/// Blocks of A B B A on one input each; the ratio of a block is that of the sums.
fn in_turn(
    plan: &Plan,
    ours: &mut dyn Contestant,
    theirs: &mut dyn Contestant,
    mut call: impl FnMut(&mut dyn Contestant, usize) -> anyhow::Result<()>,
) -> anyhow::Result<Timings> {
    // The first block warms the caches and says how long a call takes.
    let first = Instant::now();
    call(ours, 0)?;
    call(theirs, 0)?;
    let shorter = first.elapsed().max(Duration::from_nanos(100)) / 2;
    let batch = (Duration::from_micros(50).as_nanos() / shorter.as_nanos()) as usize + 1;
    let mut timed = |side: &mut dyn Contestant, block: usize| -> anyhow::Result<f64> {
        let watch = Stopwatch::start();
        for offset in 0..batch {
            call(side, block * batch + offset)?;
        }
        Ok(watch.stop().ticks / batch as f64)
    };
    let mut timings = Timings::default();
    let begin = Instant::now();
    let budget = Duration::from_millis(2 * plan.budget_ms);
    let mut block = 1;
    while timings.ratios.len() < plan.max_samples
        && (timings.ratios.len() < plan.min_samples || begin.elapsed() < budget)
    {
        let a = timed(ours, block)?;
        let b = timed(theirs, block)?;
        let b_again = timed(theirs, block)?;
        let a_again = timed(ours, block)?;
        timings.ours.push((a + a_again) / 2.0);
        timings.theirs.push((b + b_again) / 2.0);
        timings.ratios.push((b + b_again) / (a + a_again));
        block += 1;
    }
    Ok(timings)
}
