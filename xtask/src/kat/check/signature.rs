//! Entries of signature sets.

use anyhow::{Context, bail};
use kat_vectors::observed::Observed;
use schemes::registry::{Set, SignatureSet};

use super::entry::{View, decode};
use super::keys::{Cache, Regenerated};
use super::source::{Random, Source};
use super::{change, compact, compare, keys};

/// Fields that describe an expected verdict, the strictest first: where a reference accepts what the specification forbids, the
/// strict verdict counts.
const VERDICTS: [&str; 3] = ["verdict_strict", "strict", "verdict"];

/// Checks one entry. `is_head`: the entry holds what all cases of a file share.
pub(super) fn check(
    scheme: &'static dyn SignatureSet,
    view: &mut View<'_>,
    is_head: bool,
    cache: &Cache,
) -> anyhow::Result<()> {
    let set = Set::Signature(scheme);
    let message = view.bytes("msg")?;
    if let Some(message) = &message {
        compare::own_number(view, "mlen", message.len() as u64)?;
    }
    let source = Source::of(view)?;
    let regenerated = match &source {
        Some(source) => Some(keys::regenerate(set, source, is_head || !Source::is_own(view), cache)?),
        None => None,
    };
    let own_public = view.bytes("pk")?;
    let own_secret = view.bytes("sk")?;
    if let Some(regenerated) = &regenerated {
        keys::compare_fields(view, &regenerated.pair)?;
    }
    let public = own_public.as_deref().or(regenerated.as_ref().map(|made| made.pair.public.as_slice()));
    keys::derive(set, view, own_secret.as_deref(), public)?;
    if is_head {
        return Ok(());
    }

    let expected = expected_verdict(view)?;
    let mut public = public.map(<[u8]>::to_vec);
    let mut altered = view.has("what") && view.own("what") != Some("unchanged");
    if let Some(public) = &mut public {
        altered |= change::public_key(view, scheme.info(), public)?;
    }
    if let (Some(source), Some(regenerated), Some(message)) = (&source, &regenerated, &message)
        && !altered
        && expected != Some(false)
        && Source::is_own(view)
    {
        sign_again(scheme, view, source, regenerated, message)?;
    }
    if let Some(public) = &public {
        open(scheme, view, public, message.as_deref(), expected)?;
        negatives(scheme, view, public)?;
    }
    Ok(())
}

fn expected_verdict(view: &mut View<'_>) -> anyhow::Result<Option<bool>> {
    let mut verdict = None;
    for name in VERDICTS {
        if let (None, Some(text)) = (verdict, view.own(name)) {
            verdict = Some(accepts(text).with_context(|| format!("{name} = {text}"))?);
        }
    }
    if let (None, Some(text)) = (verdict, view.own("open")) {
        verdict = Some(accepts(text).with_context(|| format!("open = {text}"))?);
    }
    Ok(verdict)
}

fn accepts(text: &str) -> anyhow::Result<bool> {
    match text.to_ascii_lowercase().as_str() {
        "accept" | "accepted" | "ok" | "valid" | "0" => Ok(true),
        "reject" | "rejected" | "fail" | "invalid" | "-1" | "1" => Ok(false),
        _ => bail!("neither accept nor reject"),
    }
}

/// Signs the message with the regenerated key and compares every field of the signature.
fn sign_again(
    scheme: &'static dyn SignatureSet,
    view: &mut View<'_>,
    source: &Source,
    regenerated: &Regenerated,
    message: &[u8],
) -> anyhow::Result<()> {
    let wanted = ["sm", "sig", "smlen", "attempts", "ctr", "salts", "root_findings", "randombytes_calls"];
    if !wanted.iter().any(|name| view.has_any_form(name)) {
        return Ok(());
    }
    let mut random = Observed::new(source.for_output(regenerated.after.clone()));
    let mut signature = vec![0; scheme.signature_len()];
    let made = scheme.sign_once(&regenerated.pair.secret, message, &mut random, &mut signature);
    if let Random::Scripted(script) = random.inner() {
        if let Some(refused) = script.refused {
            bail!("signing: {refused}");
        }
        anyhow::ensure!(script.left() == 0, "signing asked for less randomness than is stated");
    }
    let report = made.context("signing")?;
    let signed = scheme.join(&signature, message);
    compare::value(view, "sm", &signed)?;
    compare::value(view, "sig", &signature)?;
    compare::own_number(view, "smlen", signed.len() as u64)?;
    compare::own_number(view, "randombytes_calls", random.lengths.len() as u64)?;
    if report.attempts > 0 {
        // A signature without salt whose salts were counted: the inversions are its attempts.
        let unsalted = view.has("root_findings") && view.number("attempts")? == Some(0);
        let field = if unsalted { "root_findings" } else { "attempts" };
        compare::own_number(view, field, report.attempts)?;
        compare::own_number(view, "salts", report.attempts)?;
        compare::own_number(view, "ctr", report.attempts - 1)?;
    }
    if view.has_any_form("sm_second") {
        scheme
            .sign_once(&regenerated.pair.secret, message, &mut random, &mut signature)
            .context("second signature")?;
        compare::value(view, "sm_second", &scheme.join(&signature, message))?;
    }
    Ok(())
}

/// Opens the entry's own signed message, or verifies its own signature, with `public`.
fn open(
    scheme: &'static dyn SignatureSet,
    view: &mut View<'_>,
    public: &[u8],
    message: Option<&[u8]>,
    expected: Option<bool>,
) -> anyhow::Result<()> {
    let wanted = expected.unwrap_or(true);
    let what = if expected.is_some() { "verdict" } else { "sm opened" };
    for name in ["sm", "sm_second"] {
        let Some(signed) = view.bytes(name)? else { continue };
        if name == "sm" {
            compare::own_number(view, "smlen", signed.len() as u64)?;
        }
        if let Ok((signature, _)) = scheme.split(&signed) {
            compact::check(scheme, view, signature)?;
        }
        let outcome = scheme.open(public, &signed);
        view.compare(what, judge(&outcome, wanted));
        if let (Ok(opened), Some(message), true) = (&outcome, message, wanted) {
            view.compare("opened msg", compare::bytes(message, opened));
        }
    }
    if let (Some(signature), Some(message)) = (view.bytes("sig")?, message) {
        let outcome = scheme.verify_once(public, message, &signature);
        view.compare(if expected.is_some() { "verdict" } else { "sig verified" }, judge(&outcome, wanted));
    }
    Ok(())
}

fn judge<T>(outcome: &Result<T, schemes::Error>, wanted: bool) -> Result<(), String> {
    match (outcome, wanted) {
        (Ok(_), true) | (Err(_), false) => Ok(()),
        (Ok(_), false) => Err("accepted, must be rejected".into()),
        (Err(error), true) => Err(format!("rejected: {error}")),
    }
}

/// The groups of `neg` fields: altered signed messages with their verdicts.
fn negatives(scheme: &'static dyn SignatureSet, view: &mut View<'_>, public: &[u8]) -> anyhow::Result<()> {
    let fields = view.fields();
    let starts: Vec<usize> = (0..fields.len())
        .filter(|&index| fields[index].name == "neg" || fields[index].name.starts_with("neg "))
        .collect();
    let base = view.bytes("sm")?;
    for (position, &start) in starts.iter().enumerate() {
        let end = starts.get(position + 1).copied().unwrap_or(fields.len());
        let first = fields[start].value.as_str();
        let mut signed =
            view.own_within(start..end, "neg_sm").map(|text| decode("neg_sm", text)).transpose()?;
        if signed.is_none() && fields[start].name != "neg" {
            // `neg <description> = <signed message>`: a signed message that must be refused.
            signed = hex::decode(first).ok().filter(|bytes| bytes.len() >= 8);
        }
        if let Some(length) = view.own_within(start..end, "neg_smlen") {
            let length: usize = length.parse().with_context(|| format!("neg_smlen = {length}"))?;
            let mut resized =
                signed.or_else(|| base.clone()).context("neg_smlen without a signed message")?;
            resized.resize(length, 0);
            signed = Some(resized);
        }
        let Some(signed) = signed else { continue };
        view.use_index(start);
        let _ = view.own_within(start..end, "neg_what");
        let wanted = match view.own_within(start..end, "neg_verdict") {
            Some(text) => accepts(text).with_context(|| format!("neg_verdict = {text}"))?,
            None => accepts(first).unwrap_or(false),
        };
        view.compare("neg verdict", judge(&scheme.open(public, &signed), wanted));
    }
    Ok(())
}
