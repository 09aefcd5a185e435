//! The changes that verdict files make to a valid key or ciphertext.

use anyhow::{Context, bail};
use schemes::{Family, SetInfo};

use super::entry::{View, decode};

/// Applies every change that the entry's own fields describe to `public_key`. Returns whether there was one.
///
/// # Errors
/// A description that is not understood: a change that is not made must not pass for one.
pub(super) fn public_key(view: &View<'_>, info: &SetInfo, public_key: &mut [u8]) -> anyhow::Result<bool> {
    let mut changed = false;
    if let Some(text) = view.own("pk_change") {
        changed |= described(text, info, public_key).with_context(|| format!("pk_change = {text}"))?;
    }
    if let Some(text) = view.own("pk_xor") {
        let mask = decode("pk_xor", text)?;
        if mask.len() > public_key.len() {
            bail!("pk_xor is longer than the public key");
        }
        public_key.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        changed = true;
    }
    if let Some(text) = view.own("pk_flip_byte") {
        let at: usize = text.parse().with_context(|| format!("pk_flip_byte = {text}"))?;
        let mask = match (view.own("pk_flip_mask"), view.own("pk_flip_bit")) {
            (Some(mask), None) => byte(mask)?,
            (None, Some(bit)) => bit_mask(bit)?,
            _ => bail!("pk_flip_byte needs either pk_flip_mask or pk_flip_bit"),
        };
        xor(public_key, at, mask)?;
        changed = true;
    } else if let Some(text) = view.own("pk_flip_bit") {
        let bit: usize = text.parse().with_context(|| format!("pk_flip_bit = {text}"))?;
        xor(public_key, bit / 8, 1 << (bit % 8))?;
        changed = true;
    }
    Ok(changed)
}

/// A change in words: `none`, `xor byte N with HH`, `xor first P3 byte with HH`, `zero element number N of P3 written as q`.
fn described(text: &str, info: &SetInfo, public_key: &mut [u8]) -> anyhow::Result<bool> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["none"] => return Ok(false),
        ["xor", "byte", at, "with", mask] => xor(public_key, at.parse()?, byte(mask)?)?,
        ["xor", "first", "P3", "byte", "with", mask] => {
            xor(public_key, qruov_seed_len(info)?, byte(mask)?)?;
        }
        ["zero", "element", "number", index, "of", "P3", "written", "as", "q", ..] => {
            let width = qruov_element_bits(info)?;
            let first = width
                .checked_mul(index.parse()?)
                .and_then(|bits| bits.checked_add(8 * qruov_seed_len(info).ok()?))
                .filter(|&first| first < 8 * public_key.len())
                .context("beyond the key")?;
            for bit in first..first + width {
                let mask = 1 << (bit % 8);
                if public_key.get(bit / 8).context("beyond the key")? & mask != 0 {
                    bail!("the element is not zero");
                }
                public_key[bit / 8] |= mask;
            }
        }
        _ => bail!("not understood"),
    }
    Ok(true)
}

/// Length of the seed at the head of a QR-UOV public key: the names of round 3 have a hyphen after the scheme's.
fn qruov_seed_len(info: &SetInfo) -> anyhow::Result<usize> {
    match (info.family, info.level) {
        (Family::QrUov, _) if info.name.to_ascii_lowercase().starts_with("qruov-") => Ok(16),
        (Family::QrUov, 1) => Ok(16),
        (Family::QrUov, 3) => Ok(24),
        (Family::QrUov, 5) => Ok(32),
        _ => bail!("{} has no part P3", info.name),
    }
}

/// Bits of a packed element of a QR-UOV public key: those of q = 7, 31 or 127, all ones.
fn qruov_element_bits(info: &SetInfo) -> anyhow::Result<usize> {
    let name = info.name.to_ascii_lowercase();
    let (_, rest) =
        name.split_once('q').and_then(|(_, rest)| rest.split_once('q')).context("no q in the name")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    match digits.as_str() {
        "7" => Ok(3),
        "31" => Ok(5),
        "127" => Ok(7),
        _ => bail!("q = {digits:?}"),
    }
}

/// The change of a ciphertext that one group of `flip_byte`, `flip_bit` or `ct_all` fields describes.
pub(super) fn ciphertext(fields: &[(&str, &str)], ciphertext: &mut [u8]) -> anyhow::Result<()> {
    let value = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
    if let Some(all) = value("ct_all") {
        ciphertext.fill(byte(all)?);
    }
    match (value("flip_byte"), value("flip_bit")) {
        (Some(at), Some(bit)) => xor(ciphertext, at.parse()?, bit_mask(bit)?)?,
        (Some(at), None) => xor(ciphertext, at.parse()?, 1)?,
        (None, Some(bit)) => {
            let bit: usize = bit.parse()?;
            xor(ciphertext, bit / 8, 1 << (bit % 8))?;
        }
        (None, None) => {}
    }
    Ok(())
}

fn xor(bytes: &mut [u8], at: usize, mask: u8) -> anyhow::Result<()> {
    *bytes.get_mut(at).with_context(|| format!("there is no byte {at}"))? ^= mask;
    Ok(())
}

fn byte(text: &str) -> anyhow::Result<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u8::from_str_radix(digits, 16).with_context(|| format!("{text:?} is no byte in hexadecimal"))
}

fn bit_mask(text: &str) -> anyhow::Result<u8> {
    let bit: u32 = text.parse().with_context(|| format!("{text:?} is no bit number"))?;
    1u8.checked_shl(bit).with_context(|| format!("there is no bit {bit} in a byte"))
}
