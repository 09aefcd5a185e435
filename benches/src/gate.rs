//! What a scheme must show before it is measured: that it refuses what was tampered with.

use anyhow::ensure;

/// Judges a signed message: whether it is accepted, with the right message.
pub(crate) fn signature(
    mut accepts: impl FnMut(&[u8], &[u8]) -> bool,
    message: &[u8],
    signature: &[u8],
) -> anyhow::Result<()> {
    ensure!(accepts(message, signature), "its own signature is refused");
    for at in [0, signature.len() / 2, signature.len() - 1] {
        for mask in [0x01, 0x80] {
            let mut changed = signature.to_vec();
            changed[at] ^= mask;
            ensure!(!accepts(message, &changed), "a changed signature is accepted (byte {at})");
        }
    }
    for at in [0, message.len() - 1] {
        let mut changed = message.to_vec();
        changed[at] ^= 1;
        ensure!(!accepts(&changed, signature), "a changed message is accepted (byte {at})");
    }
    Ok(())
}

/// Judges an encapsulation: the right secret, and another one or a refusal for changed ciphertexts.
pub(crate) fn encapsulation(
    mut opens_to: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ciphertext: &[u8],
    secret: &[u8],
) -> anyhow::Result<()> {
    ensure!(opens_to(ciphertext).as_deref() == Some(secret), "another secret is decapsulated");
    for at in [0, ciphertext.len() / 2, ciphertext.len() - 1] {
        let mut changed = ciphertext.to_vec();
        changed[at] ^= 1;
        ensure!(opens_to(&changed).as_deref() != Some(secret), "a changed ciphertext gives the same secret");
    }
    Ok(())
}
