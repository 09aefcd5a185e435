//! Entries of KEM sets.

use anyhow::{Context, bail};
use schemes::Sizes;
use schemes::registry::{KemSet, Set};

use super::entry::{View, decode};
use super::keys::Cache;
use super::source::Source;
use super::{change, compare, keys};

/// Fields that begin a group of one changed ciphertext with its result.
const GROUP_HEADS: [&str; 2] = ["flip_byte", "ct_all"];

/// Checks one entry. `is_head`: the entry holds what all cases of a file share.
pub(super) fn check(
    scheme: &'static dyn KemSet,
    view: &mut View<'_>,
    is_head: bool,
    cache: &Cache,
) -> anyhow::Result<()> {
    let set = Set::Kem(scheme);
    let Sizes::Kem { ciphertext: ciphertext_len, shared_secret: secret_len } = scheme.info().sizes else {
        bail!("no KEM sizes");
    };
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
    let made_public = regenerated.as_ref().map(|made| made.pair.public.as_slice());
    let made_secret = regenerated.as_ref().map(|made| &made.pair.secret[..]);
    let public = own_public.as_deref().or(made_public);
    keys::derive(set, view, own_secret.as_deref(), public)?;
    if is_head {
        return Ok(());
    }

    let mut ciphertext = vec![0; ciphertext_len];
    let mut secret = vec![0; secret_len];
    let mut valid_ciphertext = view.bytes("ct")?;
    if let (Some(source), Some(regenerated)) = (&source, &regenerated) {
        let mut public = regenerated.pair.public.clone();
        let changed = change::public_key(view, scheme.info(), &mut public)?;
        let mut random = source.for_output(regenerated.after.clone());
        let outcome = scheme.encapsulate(&public, &mut random, &mut ciphertext, &mut secret);
        if changed || view.has("enc_ret") {
            encapsulation_result(view, &outcome, &ciphertext, &secret)?;
        } else {
            outcome.context("encapsulation")?;
            compare::value(view, "ct", &ciphertext)?;
            compare::value(view, "ss", &secret)?;
            valid_ciphertext.get_or_insert(ciphertext);
        }
    }
    let Some(secret_key) = own_secret.as_deref().or(made_secret) else {
        return Ok(());
    };
    if let Some(ciphertext) = &valid_ciphertext {
        if let Some(expected) = view.bytes("ss")? {
            let outcome = scheme.decapsulate(secret_key, ciphertext, &mut secret);
            view.compare(
                "ct decapsulated",
                outcome.map_err(|error| error.to_string()).and_then(|()| compare::bytes(&expected, &secret)),
            );
        }
        decapsulation_results(scheme, view, secret_key, ciphertext, secret_len)?;
    }
    Ok(())
}

/// The result of encapsulating to a changed public key.
fn encapsulation_result(
    view: &mut View<'_>,
    outcome: &Result<(), schemes::Error>,
    ciphertext: &[u8],
    secret: &[u8],
) -> anyhow::Result<()> {
    if let Some(text) = view.own("enc_ret") {
        view.compare("enc_ret", returned(text, outcome)?);
    }
    if outcome.is_ok() {
        for (name, value) in [("enc_ct", ciphertext), ("enc_ss", secret)] {
            compare::value(view, name, value)?;
        }
    }
    Ok(())
}

/// Whether a reference's return code and our outcome agree: 0 is success.
fn returned<T>(text: &str, outcome: &Result<T, schemes::Error>) -> anyhow::Result<Result<(), String>> {
    let code: i64 = text.parse().with_context(|| format!("{text:?} is no return code"))?;
    Ok(match (code, outcome) {
        (0, Ok(_)) => Ok(()),
        (0, Err(error)) => Err(format!("refused: {error}")),
        (_, Err(_)) => Ok(()),
        (_, Ok(_)) => Err("succeeded, must be refused".into()),
    })
}

/// The groups of changed ciphertexts with their results; a `dec_ret` or `dec_ss` before any group is about the entry's own
/// ciphertext.
fn decapsulation_results(
    scheme: &'static dyn KemSet,
    view: &mut View<'_>,
    secret_key: &[u8],
    valid: &[u8],
    secret_len: usize,
) -> anyhow::Result<()> {
    let fields = view.fields();
    let belongs = |name: &str| matches!(name, "flip_byte" | "flip_bit" | "ct_all" | "dec_ret" | "dec_ss");
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| belongs(&field.name)) {
        let repeats = |group: &Vec<usize>| group.iter().any(|&other| fields[other].name == field.name);
        match groups.last_mut() {
            Some(group) if !GROUP_HEADS.contains(&field.name.as_str()) && !repeats(group) => {
                group.push(index);
            }
            _ => groups.push(vec![index]),
        }
    }
    for group in groups {
        let pairs: Vec<(&str, &str)> = group
            .iter()
            .map(|&index| view.use_index(index))
            .map(|field| (field.name.as_str(), field.value.as_str()))
            .collect();
        let value = |name: &str| pairs.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let mut ciphertext = valid.to_vec();
        change::ciphertext(&pairs, &mut ciphertext)?;
        let mut secret = vec![0; secret_len];
        let outcome = scheme.decapsulate(secret_key, &ciphertext, &mut secret);
        if let Some(code) = value("dec_ret") {
            view.compare("dec_ret", returned(code, &outcome)?);
        }
        if let (Some(expected), Ok(())) = (value("dec_ss"), &outcome) {
            let expected = decode("dec_ss", expected)?;
            view.compare("dec_ss", compare::bytes(&expected, &secret));
        }
    }
    Ok(())
}
