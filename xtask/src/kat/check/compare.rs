//! Comparing a value with the fields that describe it: in full, by digest, by its ends, by its length.

use sha2::{Digest, Sha256};

use super::entry::{View, decode};

/// How many bytes the fields of a value's ends hold.
const END: usize = 64;

/// Compares `value` with every field of the entry that describes `name`. Returns whether there was one.
///
/// # Errors
/// A field that is not of the grammar.
pub(super) fn value(view: &mut View<'_>, name: &str, value: &[u8]) -> anyhow::Result<bool> {
    let mut found = false;
    if let Some(text) = view.own(name) {
        found = true;
        let expected = decode(name, text)?;
        view.compare(name, bytes(&expected, value));
    }
    let first = &value[..value.len().min(END)];
    let last = &value[value.len() - value.len().min(END)..];
    for (suffix, part) in [("first64", first), ("head", first), ("last64", last)] {
        let field = format!("{name}_{suffix}");
        if let Some(text) = view.own(&field) {
            found = true;
            let expected = decode(&field, text)?;
            view.compare(&field, bytes(&expected, part));
        }
    }
    let field = format!("{name}_sha256");
    if let Some(text) = view.own(&field) {
        found = true;
        let expected = decode(&field, text)?;
        view.compare(&field, bytes(&expected, &Sha256::digest(value)));
    }
    let field = format!("{name}_len");
    if let Some(expected) = view.has(&field).then(|| view.number(&field)).transpose()?.flatten() {
        found = true;
        view.compare(&field, number(expected, value.len() as u64));
    }
    Ok(found)
}

/// Equality of byte strings; says the first byte that differs.
pub(super) fn bytes(expected: &[u8], computed: &[u8]) -> Result<(), String> {
    if expected == computed {
        return Ok(());
    }
    if expected.len() != computed.len() {
        return Err(format!("{} bytes expected, {} computed", expected.len(), computed.len()));
    }
    let at = expected.iter().zip(computed).take_while(|(a, b)| a == b).count();
    Err(format!(
        "first difference at byte {at} of {}: {:02X} expected, {:02X} computed",
        expected.len(),
        expected[at],
        computed[at]
    ))
}

/// Equality of numbers.
pub(super) fn number(expected: u64, computed: u64) -> Result<(), String> {
    if expected == computed { Ok(()) } else { Err(format!("{expected} expected, {computed} computed")) }
}

/// Compares the number in the entry's own field `name`, if it has one, with `computed`.
///
/// # Errors
/// A field that holds no number.
pub(super) fn own_number(view: &mut View<'_>, name: &str, computed: u64) -> anyhow::Result<()> {
    if view.has(name)
        && let Some(expected) = view.number(name)?
    {
        view.compare(name, number(expected, computed));
    }
    Ok(())
}
