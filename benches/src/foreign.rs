//! A C library with the NIST API, loaded at run time.
//!
//! Its randomness is ours to choose where it draws from `randombytes`, which this program exports, or has NIST's
//! `randombytes_init`.

use std::cell::RefCell;
use std::ffi::{c_int, c_uchar, c_ulonglong};

use anyhow::{Context, bail, ensure};
use kat_vectors::NistDrbg;
use libloading::{Library, Symbol};
use measurements::PeerLibrary;
use schemes::registry::Set;
use schemes::{SignedMessageOrder, Sizes};

use crate::contestant::Contestant;

thread_local! {
    /// What `randombytes` draws from.
    static RANDOM: RefCell<Option<NistDrbg>> = const { RefCell::new(None) };
}

/// The generator of the NIST API, for the libraries that this program loads.
///
/// # Safety
/// `destination` must be writable for `length` bytes.
// SAFETY: the name is the one that the NIST API prescribes; nothing else in this program defines it.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn randombytes(destination: *mut c_uchar, length: c_ulonglong) -> c_int {
    if length == 0 {
        return 0;
    }
    // SAFETY: the caller gives a writable buffer of this length.
    let bytes = unsafe { std::slice::from_raw_parts_mut(destination, length as usize) };
    RANDOM.with_borrow_mut(|random| match random {
        Some(random) => {
            random.generate(bytes);
            0
        }
        None => -1,
    })
}

/// Makes `random` what `randombytes` draws from while `work` runs, and gives it back as `work` left it.
pub(crate) fn drawing_from<T>(random: &mut NistDrbg, work: impl FnOnce() -> T) -> T {
    RANDOM.set(Some(random.clone()));
    let result = work();
    if let Some(left) = RANDOM.take() {
        *random = left;
    }
    result
}

type Keypair = unsafe extern "C" fn(*mut c_uchar, *mut c_uchar) -> c_int;
type Transform = unsafe extern "C" fn(
    *mut c_uchar,
    *mut c_ulonglong,
    *const c_uchar,
    c_ulonglong,
    *const c_uchar,
) -> c_int;
type Three = unsafe extern "C" fn(*mut c_uchar, *mut c_uchar, *const c_uchar) -> c_int;
type Decapsulate = unsafe extern "C" fn(*mut c_uchar, *const c_uchar, *const c_uchar) -> c_int;

enum Calls {
    Signature { sign: Transform, open: Transform, signature_len: usize, order: SignedMessageOrder },
    Kem { encapsulate: Three, decapsulate: Decapsulate, ciphertext_len: usize, secret_len: usize },
}

/// A loaded library, for one parameter set whose formats it shares.
pub(crate) struct ForeignLibrary {
    name: String,
    keypair: Keypair,
    calls: Calls,
    public_key: Vec<u8>,
    secret_key: Vec<u8>,
    // Dropped last: the functions live in it.
    _library: Library,
}

/// Room behind every output, in case the library's formats are longer than ours.
const SLACK: usize = 1 << 16;

impl ForeignLibrary {
    /// Loads the library as an implementation of `set`: its lengths must be those of the registry.
    ///
    /// # Errors
    /// If it cannot be loaded or lacks a function.
    pub(crate) fn load(peer: &PeerLibrary, set: Set) -> anyhow::Result<Self> {
        // SAFETY: the user names a library to run: its initialisers are as trusted as its functions.
        let library = unsafe { Library::new(&peer.path) }.with_context(|| peer.path.display().to_string())?;
        let prefix = &peer.symbol_prefix;
        let info = set.info();
        let (keypair, calls) = match info.sizes {
            Sizes::Signature { signature, order } => (
                find::<Keypair>(&library, prefix, "crypto_sign_keypair")?,
                Calls::Signature {
                    sign: find(&library, prefix, "crypto_sign")?,
                    open: find(&library, prefix, "crypto_sign_open")?,
                    signature_len: signature,
                    order,
                },
            ),
            Sizes::Kem { ciphertext, shared_secret } => (
                find::<Keypair>(&library, prefix, "crypto_kem_keypair")?,
                Calls::Kem {
                    encapsulate: find(&library, prefix, "crypto_kem_enc")?,
                    decapsulate: find(&library, prefix, "crypto_kem_dec")?,
                    ciphertext_len: ciphertext,
                    secret_len: shared_secret,
                },
            ),
        };
        Ok(Self {
            name: peer.name.clone(),
            keypair,
            calls,
            public_key: vec![0; info.public_key],
            secret_key: vec![0; info.secret_key],
            _library: library,
        })
    }

    fn join(&self, message: &[u8], signature: &[u8]) -> Vec<u8> {
        match self.calls {
            Calls::Signature { order: SignedMessageOrder::MessageFirst, .. } => [message, signature].concat(),
            _ => [signature, message].concat(),
        }
    }
}

fn find<F: Copy>(library: &Library, prefix: &str, name: &str) -> anyhow::Result<F> {
    let symbol = format!("{prefix}{name}");
    // SAFETY: the NIST API fixes the types of the functions with these names.
    let found: Symbol<'_, F> =
        unsafe { library.get(symbol.as_bytes()) }.with_context(|| format!("no function {symbol}"))?;
    Ok(*found)
}

impl Contestant for ForeignLibrary {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn build(&self) -> String {
        "as built by the user".into()
    }

    fn keypair(&mut self, random: &mut NistDrbg) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
        let (public_len, secret_len) = (self.public_key.len(), self.secret_key.len());
        self.public_key.resize(public_len + SLACK, 0);
        self.secret_key.resize(secret_len + SLACK, 0);
        let status = drawing_from(random, || {
            // SAFETY: both buffers are longer than the format's lengths.
            unsafe { (self.keypair)(self.public_key.as_mut_ptr(), self.secret_key.as_mut_ptr()) }
        });
        self.public_key.truncate(public_len);
        self.secret_key.truncate(secret_len);
        ensure!(status == 0, "crypto_..._keypair returned {status}");
        Ok((self.public_key.clone(), self.secret_key.clone()))
    }

    fn produce(&mut self, message: &[u8], random: &mut NistDrbg) -> anyhow::Result<Vec<u8>> {
        match self.calls {
            Calls::Signature { sign, signature_len, order, .. } => {
                let mut signed = vec![0; message.len() + signature_len + SLACK];
                let mut length = (message.len() + signature_len) as c_ulonglong;
                let status = drawing_from(random, || {
                    // SAFETY: the output has room for the signed message; the inputs have the lengths that are given.
                    unsafe {
                        sign(
                            signed.as_mut_ptr(),
                            &mut length,
                            message.as_ptr(),
                            message.len() as c_ulonglong,
                            self.secret_key.as_ptr(),
                        )
                    }
                });
                ensure!(status == 0, "crypto_sign returned {status}");
                ensure!(
                    length as usize == message.len() + signature_len,
                    "a signed message of {length} bytes, {} expected",
                    message.len() + signature_len
                );
                signed.truncate(length as usize);
                Ok(match order {
                    SignedMessageOrder::SignatureFirst => signed[..signature_len].to_vec(),
                    SignedMessageOrder::MessageFirst => signed[message.len()..].to_vec(),
                })
            }
            Calls::Kem { encapsulate, ciphertext_len, secret_len, .. } => {
                let mut ciphertext = vec![0; ciphertext_len + SLACK];
                let mut secret = vec![0; secret_len + SLACK];
                let status = drawing_from(random, || {
                    // SAFETY: both outputs have room; the public key has the format's length.
                    unsafe {
                        encapsulate(ciphertext.as_mut_ptr(), secret.as_mut_ptr(), self.public_key.as_ptr())
                    }
                });
                ensure!(status == 0, "crypto_kem_enc returned {status}");
                Ok([&ciphertext[..ciphertext_len], &secret[..secret_len]].concat())
            }
        }
    }

    fn accepts(&mut self, message: &[u8], product: &[u8]) -> bool {
        match self.calls {
            Calls::Signature { open, .. } => {
                let signed = self.join(message, product);
                let mut opened = vec![0; signed.len() + SLACK];
                let mut length = signed.len() as c_ulonglong;
                // SAFETY: the output has room for the whole signed message; the inputs have the lengths that are given.
                let status = unsafe {
                    open(
                        opened.as_mut_ptr(),
                        &mut length,
                        signed.as_ptr(),
                        signed.len() as c_ulonglong,
                        self.public_key.as_ptr(),
                    )
                };
                status == 0 && opened.get(..length as usize) == Some(message)
            }
            Calls::Kem { decapsulate, ciphertext_len, secret_len, .. } => {
                let Some((ciphertext, secret)) = product.split_at_checked(ciphertext_len) else {
                    return false;
                };
                let mut opened = vec![0; secret_len + SLACK];
                // SAFETY: the output has room; ciphertext and secret key have the format's lengths.
                let status = unsafe {
                    decapsulate(opened.as_mut_ptr(), ciphertext.as_ptr(), self.secret_key.as_ptr())
                };
                status == 0 && opened[..secret_len] == *secret
            }
        }
    }
}

/// Loads `peer` for `set`, or says why it cannot be compared.
///
/// # Errors
/// If the library cannot be loaded or lacks a function.
pub(crate) fn contestant(peer: &PeerLibrary, set: Set) -> anyhow::Result<Box<dyn Contestant>> {
    if !peer.path.exists() {
        bail!("{} does not exist", peer.path.display());
    }
    Ok(Box::new(ForeignLibrary::load(peer, set)?))
}
