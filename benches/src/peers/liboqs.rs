//! liboqs through the crate `oqs`: the C code of the schemes' authors with run-time choice of AVX2, drawing from our generator.

use std::sync::Once;

use kat_vectors::NistDrbg;
use oqs::{kem, sig};

use crate::contestant::Contestant;
use crate::foreign::{drawing_from, randombytes};

/// liboqs asks this for randomness.
extern "C" fn from_our_generator(destination: *mut u8, length: usize) {
    // SAFETY: liboqs gives a writable buffer of this length.
    let _ = unsafe { randombytes(destination, length as u64) };
}

fn set_up() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        oqs::init();
        // SAFETY: the function has the type that liboqs calls, and lives as long as the program.
        unsafe { oqs::ffi::rand::OQS_randombytes_custom_algorithm(Some(from_our_generator)) };
    });
}

fn build() -> String {
    "C, liboqs distribution build (run-time choice, AVX2 here)".into()
}

fn name() -> String {
    format!("liboqs (oqs {})", super::version("oqs-sys"))
}

struct Signatures {
    scheme: sig::Sig,
    keys: Option<(sig::PublicKey, sig::SecretKey)>,
}

struct Encapsulations {
    scheme: kem::Kem,
    keys: Option<(kem::PublicKey, kem::SecretKey)>,
}

pub(super) fn contestant(set: &str) -> Option<Box<dyn Contestant>> {
    set_up();
    if let Some(algorithm) = signature_algorithm(set) {
        let scheme = sig::Sig::new(algorithm).ok()?;
        return Some(Box::new(Signatures { scheme, keys: None }));
    }
    let scheme = kem::Kem::new(kem_algorithm(set)?).ok()?;
    Some(Box::new(Encapsulations { scheme, keys: None }))
}

/// liboqs has round 2 of MAYO and UOV. OV-Is is the same in both rounds.
fn signature_algorithm(set: &str) -> Option<sig::Algorithm> {
    use sig::Algorithm as A;
    Some(match set {
        "MAYO-1-r2" => A::Mayo1,
        "MAYO-2-r2" => A::Mayo2,
        "MAYO-3-r2" => A::Mayo3,
        "MAYO-5-r2" => A::Mayo5,
        "OV-Is" => A::UovOvIs,
        "OV-Is-pkc" => A::UovOvIsPkc,
        "OV-Is-pkc-skc" => A::UovOvIsPkcSkc,
        "OV-Ip-r2" => A::UovOvIp,
        "OV-Ip-pkc-r2" => A::UovOvIpPkc,
        "OV-Ip-pkc-skc-r2" => A::UovOvIpPkcSkc,
        "OV-III-r2" => A::UovOvIII,
        "OV-III-pkc-r2" => A::UovOvIIIPkc,
        "OV-III-pkc-skc-r2" => A::UovOvIIIPkcSkc,
        "OV-V-r2" => A::UovOvV,
        "OV-V-pkc-r2" => A::UovOvVPkc,
        "OV-V-pkc-skc-r2" => A::UovOvVPkcSkc,
        _ => return None,
    })
}

fn kem_algorithm(set: &str) -> Option<kem::Algorithm> {
    use kem::Algorithm as A;
    Some(match set {
        "mceliece348864" => A::ClassicMcEliece348864,
        "mceliece348864f" => A::ClassicMcEliece348864f,
        "mceliece460896" => A::ClassicMcEliece460896,
        "mceliece460896f" => A::ClassicMcEliece460896f,
        "mceliece6688128" => A::ClassicMcEliece6688128,
        "mceliece6688128f" => A::ClassicMcEliece6688128f,
        "mceliece6960119" => A::ClassicMcEliece6960119,
        "mceliece6960119f" => A::ClassicMcEliece6960119f,
        "mceliece8192128" => A::ClassicMcEliece8192128,
        "mceliece8192128f" => A::ClassicMcEliece8192128f,
        _ => return None,
    })
}

impl Contestant for Signatures {
    fn name(&self) -> String {
        name()
    }

    fn build(&self) -> String {
        build()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = drawing_from(random, || self.scheme.keypair())?;
        let bytes = (keys.0.as_ref().to_vec(), keys.1.as_ref().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let (_, secret) = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        Ok(drawing_from(random, || self.scheme.sign(message, secret))?.into_vec())
    }

    fn accepts(&mut self, message: &[u8], product: &[u8]) -> bool {
        let Some((public, _)) = &self.keys else { return false };
        self.scheme
            .signature_from_bytes(product)
            .is_some_and(|signature| self.scheme.verify(message, signature, public).is_ok())
    }
}

impl Contestant for Encapsulations {
    fn name(&self) -> String {
        name()
    }

    fn build(&self) -> String {
        build()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let keys = drawing_from(random, || self.scheme.keypair())?;
        let bytes = (keys.0.as_ref().to_vec(), keys.1.as_ref().to_vec());
        self.keys = Some(keys);
        Ok(bytes)
    }

    fn produce(&mut self, _message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        let (public, _) = self.keys.as_ref().ok_or_else(|| anyhow::anyhow!("no keys"))?;
        let (ciphertext, secret) = drawing_from(random, || self.scheme.encapsulate(public))?;
        Ok([ciphertext.into_vec(), secret.into_vec()].concat())
    }

    fn accepts(&mut self, _message: &[u8], product: &[u8]) -> bool {
        let Some((_, secret_key)) = &self.keys else { return false };
        let Some((ciphertext, secret)) = product.split_at_checked(self.scheme.length_ciphertext()) else {
            return false;
        };
        self.scheme
            .ciphertext_from_bytes(ciphertext)
            .and_then(|ciphertext| self.scheme.decapsulate(secret_key, ciphertext).ok())
            .is_some_and(|opened| opened.as_ref() == secret)
    }
}
