//! Toy schemes with published check values, for the tests of the tools. Anyone can forge.

use rand_core::TryCryptoRng;
use schemes::registry::{Entry, Set};
use schemes::{
    Error, Family, KemScheme, KernelBackend, KeyPairBytes, Origin, Part, SetInfo, SignatureScheme,
    SignedMessageOrder, SigningReport, Sizes, Status, Verdict,
};
use sha2::{Digest, Sha256};
use zeroize::{ZeroizeOnDrop, Zeroizing};

const STATUS: Status = Status { verdict: Verdict::Toy, date: "2026-11-30", source: "a toy" };

const fn info(name: &'static str, secret_key: usize, sizes: Sizes) -> SetInfo {
    SetInfo {
        name,
        aliases: &[],
        family: Family::Gui,
        version: "toy",
        level: 0,
        origin: Origin::Project,
        status: STATUS,
        public_key: 32,
        secret_key,
        sizes,
        kat_header: name,
        listed: false,
    }
}

fn hash(tag: u8, parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix([tag]);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

fn draw<const N: usize, R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Random)?;
    Ok(bytes)
}

/// A secret key of a toy.
pub(crate) struct ToySecret(Zeroizing<Vec<u8>>);

impl ZeroizeOnDrop for ToySecret {}

/// TOYSIGN: pk = H(00, seed); a signature is H(01, pk, salt, m) || salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToySign;

impl ToySign {
    /// As a registry entry.
    pub(crate) const SET: Set = Set::Signature(const { &Entry::<ToySign>::new() });
}

impl SignatureScheme for ToySign {
    const INFO: SetInfo =
        info("TOYSIGN", 64, Sizes::Signature { signature: 48, order: SignedMessageOrder::SignatureFirst });
    type ExpandedSecretKey = ToySecret;
    type ExpandedPublicKey = Vec<u8>;

    fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<KeyPairBytes, Error> {
        let seed: [u8; 32] = draw(rng)?;
        let public = hash(0, &[&seed]).to_vec();
        let secret = [&seed, public.as_slice()].concat().into();
        Ok(KeyPairBytes { public, secret })
    }

    fn expand_secret_key(bytes: &[u8]) -> Result<ToySecret, Error> {
        schemes::error::check_length("TOYSIGN", Part::SecretKey, bytes, 64)?;
        Ok(ToySecret(bytes.to_vec().into()))
    }

    fn expand_public_key(bytes: &[u8]) -> Result<Vec<u8>, Error> {
        schemes::error::check_length("TOYSIGN", Part::PublicKey, bytes, 32)?;
        Ok(bytes.to_vec())
    }

    fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        Ok(Some(hash(0, &[&Self::expand_secret_key(bytes)?.0[..32]]).to_vec()))
    }

    fn sign<R: TryCryptoRng + ?Sized>(
        key: &ToySecret,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
    ) -> Result<SigningReport, Error> {
        schemes::error::check_length("TOYSIGN", Part::Signature, signature, 48)?;
        let salt: [u8; 16] = draw(rng)?;
        signature[..32].copy_from_slice(&hash(1, &[&key.0[32..], &salt, message]));
        signature[32..].copy_from_slice(&salt);
        Ok(SigningReport { attempts: 1 })
    }

    fn verify(key: &Vec<u8>, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        schemes::error::check_length("TOYSIGN", Part::Signature, signature, 48)?;
        if hash(1, &[key, &signature[32..], message]) == signature[..32] {
            Ok(())
        } else {
            Err(Error::InvalidSignature { set: "TOYSIGN" })
        }
    }

    fn backends() -> Vec<KernelBackend> {
        Vec::new()
    }
}

/// TOYKEM; with `REJECT` its decapsulation refuses what nobody made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct ToyKem<const REJECT: bool>;

impl<const REJECT: bool> ToyKem<REJECT> {
    /// As a registry entry.
    pub(crate) const SET: Set = Set::Kem(const { &Entry::<ToyKem<REJECT>>::new() });
}

impl<const REJECT: bool> KemScheme for ToyKem<REJECT> {
    const INFO: SetInfo = info("TOYKEM", 96, Sizes::Kem { ciphertext: 48, shared_secret: 32 });
    type ExpandedSecretKey = ToySecret;

    fn generate_into<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        public_key: &mut [u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let seed: [u8; 32] = draw(rng)?;
        let z: [u8; 32] = draw(rng)?;
        public_key.copy_from_slice(&hash(0x10, &[&seed]));
        Ok([&seed[..], &z, public_key].concat().into())
    }

    fn expand_secret_key(bytes: &[u8]) -> Result<ToySecret, Error> {
        schemes::error::check_length("TOYKEM", Part::SecretKey, bytes, 96)?;
        Ok(ToySecret(bytes.to_vec().into()))
    }

    fn check_public_key(bytes: &[u8]) -> Result<(), Error> {
        schemes::error::check_length("TOYKEM", Part::PublicKey, bytes, 32)
    }

    fn public_from_secret(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        Ok(Some(hash(0x10, &[&Self::expand_secret_key(bytes)?.0[..32]]).to_vec()))
    }

    fn encapsulate<R: TryCryptoRng + ?Sized>(
        public_key: &[u8],
        rng: &mut R,
        ciphertext: &mut [u8],
        shared_secret: &mut [u8],
    ) -> Result<(), Error> {
        Self::check_public_key(public_key)?;
        let r: [u8; 32] = draw(rng)?;
        let mask = hash(0x11, &[public_key]);
        for (byte, (r, mask)) in ciphertext.iter_mut().zip(r.iter().zip(mask)) {
            *byte = r ^ mask;
        }
        ciphertext[32..].copy_from_slice(&hash(0x12, &[public_key, &r])[..16]);
        shared_secret.copy_from_slice(&hash(0x13, &[&r, ciphertext]));
        Ok(())
    }

    fn decapsulate(key: &ToySecret, ciphertext: &[u8], shared_secret: &mut [u8]) -> Result<(), Error> {
        schemes::error::check_length("TOYKEM", Part::Ciphertext, ciphertext, 48)?;
        let (z, public_key) = (&key.0[32..64], &key.0[64..]);
        let mask = hash(0x11, &[public_key]);
        let r: Vec<u8> = ciphertext.iter().zip(mask).map(|(byte, mask)| byte ^ mask).collect();
        let secret = if hash(0x12, &[public_key, &r])[..16] == ciphertext[32..] {
            hash(0x13, &[&r, ciphertext])
        } else if REJECT {
            return Err(Error::Inconsistent { set: "TOYKEM", part: Part::Ciphertext, what: "refused" });
        } else {
            hash(0x14, &[z, ciphertext])
        };
        shared_secret.copy_from_slice(&secret);
        Ok(())
    }

    fn backends() -> Vec<KernelBackend> {
        Vec::new()
    }
}
