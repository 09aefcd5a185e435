//! `compact_sha256`: the digest of the compact form of a signature of the dual mode, a format of this project.

use schemes::dualmodems::{
    DualModeMs128, DualModeMs128F, DualModeMs192, DualModeMs192F, DualModeMs256, DualModeMs256F,
    compact_signature, expand_compact_signature,
};
use schemes::registry::SignatureSet;
use sha2::{Digest, Sha256};

use super::compare;
use super::entry::{View, decode};

type Convert = fn(&[u8]) -> Result<Vec<u8>, schemes::Error>;

/// Compares the field with the compact form of `signature`, and sees that it leads back.
///
/// # Errors
/// A field that is not of the grammar.
pub(super) fn check(scheme: &dyn SignatureSet, view: &mut View<'_>, signature: &[u8]) -> anyhow::Result<()> {
    let (compact, expand): (Convert, Convert) = match scheme.info().name {
        "DualModeMS128" => (compact_signature::<DualModeMs128>, expand_compact_signature::<DualModeMs128>),
        "DualModeMS192" => (compact_signature::<DualModeMs192>, expand_compact_signature::<DualModeMs192>),
        "DualModeMS256" => (compact_signature::<DualModeMs256>, expand_compact_signature::<DualModeMs256>),
        "DualModeMS128F" => (compact_signature::<DualModeMs128F>, expand_compact_signature::<DualModeMs128F>),
        "DualModeMS192F" => (compact_signature::<DualModeMs192F>, expand_compact_signature::<DualModeMs192F>),
        "DualModeMS256F" => (compact_signature::<DualModeMs256F>, expand_compact_signature::<DualModeMs256F>),
        _ => return Ok(()),
    };
    let Some(expected) = view.own("compact_sha256") else { return Ok(()) };
    let expected = decode("compact_sha256", expected)?;
    match compact(signature) {
        Ok(bytes) => {
            view.compare("compact_sha256", compare::bytes(&expected, &Sha256::digest(&bytes)));
            let back = expand(&bytes).map_err(|error| error.to_string());
            view.compare("compact form expanded", back.and_then(|back| compare::bytes(signature, &back)));
        }
        Err(error) => view.compare("compact_sha256", Err(error.to_string())),
    }
    Ok(())
}
