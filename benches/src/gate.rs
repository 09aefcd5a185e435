//! What a scheme must show before it is measured: that it refuses what was tampered with.

use anyhow::ensure;

/// Judges a signed message: whether it is accepted with the right message, and with no other, and no changed signature is.
pub(crate) fn signature(
    mut accepts: impl FnMut(&[u8], &[u8]) -> bool,
    message: &[u8],
    signature: &[u8],
) -> anyhow::Result<()> {
    messages(&mut accepts, message, signature)?;
    let at = changed_signature(accepts, message, signature);
    ensure!(at.is_none(), "a changed signature is accepted (byte {at:?})");
    Ok(())
}

/// Judges a signed message by the message alone: some implementations ignore bits of a signature.
pub(crate) fn messages(
    mut accepts: impl FnMut(&[u8], &[u8]) -> bool,
    message: &[u8],
    signature: &[u8],
) -> anyhow::Result<()> {
    ensure!(accepts(message, signature), "its own signature is refused");
    for at in [0, message.len() - 1] {
        let mut changed = message.to_vec();
        changed[at] ^= 1;
        ensure!(!accepts(&changed, signature), "a changed message is accepted (byte {at})");
    }
    Ok(())
}

/// A byte of the signature whose first or last bit can be changed, if there is one among the first, the middle and the last.
pub(crate) fn changed_signature(
    mut accepts: impl FnMut(&[u8], &[u8]) -> bool,
    message: &[u8],
    signature: &[u8],
) -> Option<usize> {
    [0, signature.len() / 2, signature.len() - 1].into_iter().find(|&at| {
        [0x01, 0x80].into_iter().any(|mask| {
            let mut changed = signature.to_vec();
            changed[at] ^= mask;
            accepts(message, &changed)
        })
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verifiers_that_accept_or_refuse_too_much_are_caught() {
        let (message, good) = (b"message".as_slice(), [1, 2, 3, 4]);
        let honest = |m: &[u8], s: &[u8]| m == message && s == good;
        assert!(signature(honest, message, &good).is_ok());
        assert!(signature(|_, _| true, message, &good).is_err(), "accepts everything");
        assert!(signature(|_, _| false, message, &good).is_err(), "refuses everything");
        assert!(signature(|_, s| s == good, message, &good).is_err(), "does not look at the message");
        let blind = |m: &[u8], s: &[u8]| m == message && s[..3] == good[..3];
        assert!(signature(blind, message, &good).is_err(), "does not look at the last byte");
        assert!(messages(blind, message, &good).is_ok());
        assert_eq!(changed_signature(blind, message, &good), Some(3));
        assert_eq!(changed_signature(honest, message, &good), None);
    }

    #[test]
    fn decapsulations_that_ignore_the_ciphertext_are_caught() {
        let (good, secret) = ([5, 6, 7], [9; 4]);
        let honest = |c: &[u8]| Some(if c == good { secret.to_vec() } else { vec![0; 4] });
        assert!(encapsulation(honest, &good, &secret).is_ok());
        assert!(encapsulation(|_| Some(secret.to_vec()), &good, &secret).is_err());
        assert!(encapsulation(|_| None, &good, &secret).is_err());
    }
}
