//! The crate `pq-mayo`: MAYO of round 3.

use kat_vectors::NistDrbg;
use pq_mayo::{KeyPair, Mayo1, Mayo2, Mayo3, Mayo5, MayoParameter, Signature};
use signature::Verifier;

use crate::contestant::Contestant;

struct Peer<P: MayoParameter> {
    keys: Option<KeyPair<P>>,
}

pub(super) fn contestant(set: &str) -> Option<Box<dyn Contestant>> {
    match set {
        "MAYO-1-r3" => Some(Box::new(Peer::<Mayo1> { keys: None })),
        "MAYO-2-r3" => Some(Box::new(Peer::<Mayo2> { keys: None })),
        "MAYO-3-r3" => Some(Box::new(Peer::<Mayo3> { keys: None })),
        "MAYO-5-r3" => Some(Box::new(Peer::<Mayo5> { keys: None })),
        _ => None,
    }
}

impl<P: MayoParameter> Contestant for Peer<P> {
    fn name(&self) -> String {
        format!("pq-mayo {}", super::version("pq-mayo"))
    }

    fn build(&self) -> String {
        super::rust_build()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = KeyPair::generate(random).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let bytes = (keys.verifying_key().as_ref().to_vec(), keys.signing_key().as_ref().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let keys = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        let signature = keys.signing_key().sign_with_rng(random, message);
        Ok(signature.map_err(|error| anyhow::anyhow!("{error:?}"))?.as_ref().to_vec())
    }

    fn accepts(&mut self, message: &[u8], product: &[u8]) -> bool {
        let Some(keys) = &self.keys else { return false };
        Signature::<P>::try_from(product)
            .is_ok_and(|signature| keys.verifying_key().verify(message, &signature).is_ok())
    }
}
