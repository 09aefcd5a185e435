//! The rows of our own implementation, through the registry.

use std::cell::Cell;

use anyhow::{Context, ensure};
use kat_vectors::NistDrbg;
use measurements::{Attempts, Operation, Plan, Row, Statistics};
use schemes::Sizes;
use schemes::registry::{KemSet, Set, SignatureSet};

use crate::gate;
use crate::series::{Series, series};

/// Length of the messages that are signed.
const MESSAGE_LEN: usize = 32;
/// Signatures that verification cycles through.
const KEPT: usize = 16;

/// Measures every operation of a set.
///
/// # Errors
/// If the set refuses what it must accept, or accepts what it must refuse.
pub(crate) fn measure(set: Set, plan: &Plan) -> anyhow::Result<Vec<Row>> {
    match set {
        Set::Signature(scheme) => signature(scheme, plan),
        Set::Kem(scheme) => kem(scheme, plan),
    }
}

/// The randomness of the `index`-th call: every call has its own.
pub(crate) fn random(index: usize) -> NistDrbg {
    let mut seed = [0; 48];
    seed[..8].copy_from_slice(&(index as u64).to_le_bytes());
    NistDrbg::new(&seed)
}

fn message(index: usize) -> [u8; MESSAGE_LEN] {
    let mut message = [0x6d; MESSAGE_LEN];
    message[..8].copy_from_slice(&(index as u64).to_le_bytes());
    message
}

fn row(set: &str, operation: Operation, series: Series) -> anyhow::Result<Row> {
    let ticks = Statistics::of(&series.samples).context("nothing was measured")?;
    Ok(Row {
        set: set.to_owned(),
        operation,
        batch: series.batch,
        ticks,
        attempts: None,
        interrupted: series.interrupted,
        samples: series.samples,
    })
}

fn signature(scheme: &'static dyn SignatureSet, plan: &Plan) -> anyhow::Result<Vec<Row>> {
    let name = scheme.info().name;
    let pair = scheme.generate(&mut random(0))?;
    let mut signature = vec![0; scheme.signature_len()];
    scheme.sign_once(&pair.secret, &message(0), &mut random(0), &mut signature)?;
    gate::signature(
        |message, signature| scheme.verify_once(&pair.public, message, signature).is_ok(),
        &message(0),
        &signature,
    )?;

    let mut rows = Vec::new();
    let keygen = series(
        plan,
        |index| Ok(scheme.generate(&mut random(index))?),
        |_, made| {
            ensure!(made.public.len() == pair.public.len(), "a public key of another length");
            Ok(())
        },
    )?;
    rows.push(row(name, Operation::Keygen, keygen)?);

    let public = scheme.verifying_key(&pair.public)?;
    let secret = scheme.signing_key(&pair.secret)?;
    let mut kept: Vec<(usize, Vec<u8>)> = Vec::new();
    for operation in [Operation::Sign, Operation::SignExpanded] {
        let attempts = Cell::new(0u64);
        let made = series(
            plan,
            |index| {
                let (message, mut random) = (message(index), random(index));
                let mut signature = vec![0; scheme.signature_len()];
                let report = if operation == Operation::Sign {
                    scheme.sign_once(&pair.secret, &message, &mut random, &mut signature)?
                } else {
                    secret.sign(&message, &mut random, &mut signature)?
                };
                attempts.set(attempts.get() + report.attempts);
                Ok((signature, report.attempts))
            },
            |index, (signature, _)| {
                public.verify(&message(index), &signature).context("its own signature is refused")?;
                if kept.len() < KEPT {
                    kept.push((index, signature));
                }
                Ok(())
            },
        )?;
        let calls = made.calls as f64;
        let per_signature = attempts.get() as f64 / calls;
        let mut row = row(name, operation, made)?;
        if attempts.get() > 0 {
            // The first call is not among the samples; its attempts weigh as much as the others' do.
            row.attempts = Some(Attempts {
                per_signature,
                expected: scheme.expected_attempts(),
                ticks_per_attempt: row.ticks.mean / per_signature,
            });
        }
        rows.push(row);
    }

    for operation in [Operation::Verify, Operation::VerifyPrepared] {
        let made = series(
            plan,
            |index| {
                let (number, signature) = &kept[index % kept.len()];
                let message = message(*number);
                if operation == Operation::Verify {
                    scheme.verify_once(&pair.public, &message, signature)?;
                } else {
                    public.verify(&message, signature)?;
                }
                Ok(())
            },
            |_, ()| Ok(()),
        )?;
        rows.push(row(name, operation, made)?);
    }
    Ok(rows)
}

fn kem(scheme: &'static dyn KemSet, plan: &Plan) -> anyhow::Result<Vec<Row>> {
    let name = scheme.info().name;
    let Sizes::Kem { ciphertext: ciphertext_len, shared_secret: secret_len } = scheme.info().sizes else {
        anyhow::bail!("no KEM sizes");
    };
    let pair = scheme.generate(&mut random(0))?;
    let encapsulate = |index: usize| -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let (mut ciphertext, mut secret) = (vec![0; ciphertext_len], vec![0; secret_len]);
        scheme.encapsulate(&pair.public, &mut random(index), &mut ciphertext, &mut secret)?;
        Ok((ciphertext, secret))
    };
    let prepared = scheme.decapsulation_key(&pair.secret)?;
    let (ciphertext, secret) = encapsulate(0)?;
    gate::encapsulation(
        |ciphertext| {
            let mut opened = vec![0; secret_len];
            scheme.decapsulate(&pair.secret, ciphertext, &mut opened).ok().map(|()| opened)
        },
        &ciphertext,
        &secret,
    )?;

    let mut rows = Vec::new();
    let keygen = series(
        plan,
        |index| Ok(scheme.generate(&mut random(index))?),
        |_, made| {
            ensure!(made.public.len() == pair.public.len(), "a public key of another length");
            Ok(())
        },
    )?;
    rows.push(row(name, Operation::Keygen, keygen)?);
    let mut kept = Vec::new();
    let made = series(plan, encapsulate, |_, (ciphertext, secret)| {
        let mut opened = vec![0; secret_len];
        prepared.decapsulate(&ciphertext, &mut opened)?;
        ensure!(opened == secret, "another secret is decapsulated");
        if kept.len() < KEPT {
            kept.push((ciphertext, secret));
        }
        Ok(())
    })?;
    rows.push(row(name, Operation::Encapsulate, made)?);
    for operation in [Operation::Decapsulate, Operation::DecapsulatePrepared] {
        let made = series(
            plan,
            |index| {
                let mut opened = vec![0; secret_len];
                let ciphertext = &kept[index % kept.len()].0;
                if operation == Operation::Decapsulate {
                    scheme.decapsulate(&pair.secret, ciphertext, &mut opened)?;
                } else {
                    prepared.decapsulate(ciphertext, &mut opened)?;
                }
                Ok(opened)
            },
            |index, opened| {
                ensure!(opened == kept[index % kept.len()].1, "another secret is decapsulated");
                Ok(())
            },
        )?;
        rows.push(row(name, operation, made)?);
    }
    Ok(rows)
}
